"""The explorer's application: one page, and the questions that it asks. Nothing here writes."""

import logging
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from concurrence._version import __version__
from concurrence.core.errors import ConcurrenceError, UnknownNameError
from concurrence.web.explorer.routes import router
from concurrence.web.explorer.sources import ExplorerSources
from concurrence.web.network.connections import ConnectionLimiter, CountingListener, allowed_connections
from concurrence.web.network.guard import Guard, refuse
from concurrence.web.network.settings import ConnectionLimits, ServerSettings
from concurrence.web.network.throttle import RecentSessions
from concurrence.web.network.uvicorn_server import LimitedServer, configuration
from concurrence.web.problems import install_problems, problem

SMALL = 2000  # bytes; less is sent as it is
SHARED = Path(__file__).parent.parent / "static"
OWN = Path(__file__).parent / "static"
HERE = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine; a page of another site that has its own name point here is refused."""

SENTENCES = {
    400: "The request cannot be read.",
    404: "Not found.",
    405: "The explorer only shows; nothing can be written.",
    422: "The request does not match the documented form, or breaks a rule.",
    500: "Internal server error.",
}
FIELDS = {
    **{name: name for name in ("corpus", "list", "unit", "lower", "left", "right", "pos", "whole", "word", "order")},
    **{name: name for name in ("sort", "descending", "page", "offset", "limit", "show", "n", "measure", "only")},
    **{name: name for name in ("a", "b", "side", "draw", "size", "other")},
    "q": "The query",
    "find": "The word to find",
    "min_freq": "min",
}
"""The fields of a request, by the names that the page's address has."""


class OwnHost:
    """ASGI middleware that refuses requests whose Host header does not name this machine."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not is_here(Headers(scope=scope).get("host", "")):
            await refuse(send, 403, "The explorer answers only under the address it was started with.")
            return
        await self.app(scope, receive, send)


def is_here(host: str) -> bool:
    """Whether a Host header names this machine.

    >>> is_here("127.0.0.1:8766"), is_here("localhost"), is_here("evil.example:8766")
    (True, True, False)
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host) in HERE


def explore(explored: ExplorerSources, listener: socket.socket, *, ready: Callable[[], None]) -> None:
    """Show what was opened until stopped; ``ready`` is called before the first answer."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    limits = ConnectionLimits(most=100)
    limiter = ConnectionLimiter(replace(limits, most=allowed_connections(limits.most)))
    config = configuration(create_explorer(explored), limiter, limits)
    ready()
    with CountingListener(listener, limiter) as accepting:
        LimitedServer(config, limiter).run(sockets=[accepting])


def create_explorer(explored: ExplorerSources) -> FastAPI:
    app = FastAPI(title="Concurrence explorer", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    app.state.explored, app.state.problem_page = explored, "explorer-problem.html"
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=SHARED), name="static")
    app.mount("/explorer", StaticFiles(directory=OWN), name="explorer")
    install_problems(app, SENTENCES, FIELDS)

    @app.exception_handler(ConcurrenceError)
    async def _stated(request: Request, error: ConcurrenceError) -> Response:
        return problem(request, 404 if isinstance(error, UnknownNameError) else 422, str(error))

    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=3)
    app.add_middleware(OwnHost)
    guard: Any = Guard
    app.add_middleware(guard, settings=ServerSettings(), recent_sessions=RecentSessions())
    return app
