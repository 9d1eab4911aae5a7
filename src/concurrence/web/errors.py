"""The problems that campaigns add to those of any application: unknown names, broken rules, a failing database."""

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from concurrence.annotation.database.store import DatabaseError
from concurrence.core.errors import ConcurrenceError, UnknownNameError
from concurrence.web.coder.models import CommentsIn, EventIn, EventsIn
from concurrence.web.desk.models import REQUESTS
from concurrence.web.leader.models import AdjudicationIn, ClosingIn
from concurrence.web.models import PROBLEMS
from concurrence.web.network.guard import TooLargeError
from concurrence.web.problems import LOG, Refusal, install_problems, problem
from concurrence.web.sessions.models import Token

__all__ = ["Refusal", "install", "repeat_own_sentence"]

# What people may know of the database's problems; its address stays in the log.
FAILURES = {
    "away": PROBLEMS[503],
    "full": "The server's disk is full, so nothing was saved; tell the leader.",
    "damaged": "The server's database is damaged; tell the leader.",
}
KNOWN_FIELDS = {
    (field_name := field.alias or name): field_name
    for model in (Token, EventIn, EventsIn, AdjudicationIn, ClosingIn, CommentsIn, *REQUESTS)
    for name, field in model.model_fields.items()
}


def install(app: FastAPI) -> None:
    """Answer every problem with a sentence of our own."""
    install_problems(app, PROBLEMS, KNOWN_FIELDS)

    @app.exception_handler(ConcurrenceError)
    async def _stated(request: Request, error: ConcurrenceError) -> Response:
        if isinstance(error, UnknownNameError):
            return problem(request, 404, "There is nothing of that name or number in this campaign.")
        return problem(request, 422, str(error))

    @app.exception_handler(DatabaseError)
    async def _failing(request: Request, error: DatabaseError) -> Response:
        LOG.error("database: %s", error)
        status = 507 if error.kind == "full" else 503
        return problem(request, status, FAILURES[error.kind], headers={"retry-after": "1"})

    @app.exception_handler(DBAPIError)
    @app.exception_handler(NoConnectionError)
    async def _database(request: Request, error: Exception) -> Response:
        LOG.error("database: %s", type(error).__name__)
        return problem(request, 503, PROBLEMS[503], headers={"retry-after": "1"})

    @app.exception_handler(TooLargeError)
    async def _too_large(request: Request, _: TooLargeError) -> Response:
        return problem(request, 413, PROBLEMS[413])  # the guard says which limit it was


@contextmanager
def repeat_own_sentence() -> Iterator[None]:
    """Tell what is wrong with a leader's own data in its own sentence, whatever it repeats of them."""
    try:
        yield
    except DatabaseError:
        raise
    except ConcurrenceError as error:
        raise Refusal(422, str(error)) from error
