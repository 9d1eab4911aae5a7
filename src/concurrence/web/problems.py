"""Every problem as one sentence that repeats nothing of the request: JSON for the API, a page for people."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from concurrence.web.pages import render

LOG = logging.getLogger("concurrence.web")
PAGE = "problem.html"


class Refusal(HTTPException):
    """A problem whose sentence is our own and may be shown."""


def install_problems(app: FastAPI, sentences: Mapping[int, str], known_fields: Mapping[str, str]) -> None:
    """Answer what the framework finds wrong, and every bug, with a sentence of our own.

    ``known_fields`` has the name of each field that may be told, as people know it.
    """

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        return problem(request, 422, _where(error, known_fields))

    @app.exception_handler(HTTPException)
    async def _refused(request: Request, error: HTTPException) -> Response:
        own = error.detail if isinstance(error, Refusal) else sentences.get(error.status_code, "The request failed.")
        return problem(request, error.status_code, own, headers=error.headers)

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> Response:
        LOG.error("internal server error", exc_info=error)
        return problem(request, 500, sentences[500])


def problem(request: Request, status: int, sentence: str, *, headers: Mapping[str, str] | None = None) -> Response:
    if request.url.path.startswith("/api"):
        return JSONResponse({"error": sentence}, status, headers=dict(headers or {}))
    page = getattr(request.app.state, "problem_page", PAGE)
    return render(page, status=status, headers=dict(headers or {}), sentence=sentence, code=status)


def _where(error: RequestValidationError, known_fields: Mapping[str, str]) -> str:
    first = error.errors()[0] if error.errors() else {}
    steps = first.get("loc", ())
    place = [known_fields.get(str(step), str(step)) for step in steps if isinstance(step, int) or step in known_fields]
    at, rule = ".".join(place), _rule(first)
    if steps[:1] == ("query",) and at and rule:
        return f"{at} {rule}."
    return f"The request does not match the documented form{f' (at {at})' if at else ''}."


def _rule(error: Mapping[str, Any]) -> str | None:
    """What a field must be, in words; nothing of what was sent."""
    limits = error.get("ctx", {})
    rules = {
        "greater_than_equal": "must be at least {ge}",
        "less_than_equal": "must be at most {le}",
        "int_parsing": "must be a whole number",
        "bool_parsing": "must be true or false",
        "string_too_long": "may have at most {max_length} characters",
        "literal_error": "must be {expected}",
        "missing": "is missing",
    }
    rule = rules.get(str(error.get("type")))
    return None if rule is None else rule.format(**{name: _counted(value) for name, value in limits.items()})


def _counted(limit: object) -> object:
    return f"{limit:,}" if isinstance(limit, int) else limit
