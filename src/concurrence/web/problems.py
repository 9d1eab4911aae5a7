"""Every problem as one sentence that repeats nothing of the request: JSON for the API, a page for people."""

import logging
from collections.abc import Collection, Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from concurrence.web.pages import render

LOG = logging.getLogger("concurrence.web")
PAGE = "problem.html"


class Refusal(HTTPException):
    """A problem whose sentence is our own and may be shown."""


def install_problems(app: FastAPI, sentences: Mapping[int, str], known_fields: Collection[str]) -> None:
    """Answer what the framework finds wrong, and every bug, with a sentence of our own."""

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
    return render(page, status=status, headers=dict(headers or {}), sentence=sentence)


def _where(error: RequestValidationError, known_fields: Collection[str]) -> str:
    first = error.errors()[0] if error.errors() else {}
    place = [str(step) for step in first.get("loc", ()) if isinstance(step, int) or step in known_fields]
    at = f" (at {'.'.join(place)})" if place else ""
    return f"The request does not match the documented form{at}."
