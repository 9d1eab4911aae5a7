"""Every problem as one sentence that repeats nothing of the request: JSON for the API, a page for people."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from starlette.exceptions import HTTPException

from concurrence.annotation.store import DatabaseError
from concurrence.core.errors import ConcurrenceError, UnknownNameError
from concurrence.web import desk_models, models
from concurrence.web.guard import TooLargeError
from concurrence.web.pages import render

LOG = logging.getLogger("concurrence.web")

SENTENCES = models.PROBLEMS
# What people may know of the database's problems; its address stays in the log.
FAILURES = {
    "away": SENTENCES[503],
    "full": "The server's disk is full, so nothing was saved; tell the leader.",
    "damaged": "The server's database is damaged; tell the leader.",
}
KNOWN_FIELDS = frozenset(
    field.alias or name
    for model in (
        *(models.Token, models.EventIn, models.EventsIn, models.AdjudicationIn, models.ClosingIn),
        *desk_models.REQUESTS,
    )
    for name, field in model.model_fields.items()
)


def install(app: FastAPI) -> None:
    """Answer every problem with a sentence of our own."""

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        return problem(request, 422, _where(error))

    @app.exception_handler(HTTPException)
    async def _refused(request: Request, error: HTTPException) -> Response:
        own = error.detail if isinstance(error, Refusal) else SENTENCES.get(error.status_code, "The request failed.")
        return problem(request, error.status_code, own, headers=error.headers)

    @app.exception_handler(ConcurrenceError)
    async def _stated(request: Request, error: ConcurrenceError) -> Response:
        if isinstance(error, UnknownNameError):
            return problem(request, 404, "The campaign has nothing of that name.")
        return problem(request, 422, str(error))

    @app.exception_handler(DatabaseError)
    async def _failing(request: Request, error: DatabaseError) -> Response:
        LOG.error("database: %s", error)
        return problem(request, 503, FAILURES[error.kind], headers={"retry-after": "1"})

    @app.exception_handler(DBAPIError)
    @app.exception_handler(NoConnectionError)
    async def _database(request: Request, error: Exception) -> Response:
        LOG.error("database: %s", type(error).__name__)
        return problem(request, 503, SENTENCES[503], headers={"retry-after": "1"})

    @app.exception_handler(TooLargeError)
    async def _too_large(request: Request, _: TooLargeError) -> Response:
        return problem(request, 413, SENTENCES[413])  # the guard says which limit it was

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> Response:
        LOG.error("internal server error", exc_info=error)
        return problem(request, 500, SENTENCES[500])


@contextmanager
def in_words() -> Iterator[None]:
    """Tell what is wrong with a leader's own data in its own sentence, whatever it repeats of them."""
    try:
        yield
    except DatabaseError:
        raise
    except ConcurrenceError as error:
        raise Refusal(422, str(error)) from error


class Refusal(HTTPException):
    """A problem whose sentence is our own and may be shown."""


def problem(request: Request, status: int, sentence: str, *, headers: Mapping[str, str] | None = None) -> Response:
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": sentence}, status, headers=dict(headers or {}))
    return render("problem.html", status=status, headers=dict(headers or {}), sentence=sentence)


def _where(error: RequestValidationError) -> str:
    first = error.errors()[0] if error.errors() else {}
    place = [str(step) for step in first.get("loc", ()) if isinstance(step, int) or step in KNOWN_FIELDS]
    at = f" (at {'.'.join(place)})" if place else ""
    return f"The request does not match the documented form{at}."
