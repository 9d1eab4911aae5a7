"""The application: routes, guard, errors, documents."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from concurrence._version import __version__
from concurrence.annotation.database.store import Store
from concurrence.annotation.people.installation import database_name
from concurrence.web import errors
from concurrence.web.coder import pages as coder_pages
from concurrence.web.coder import routes as coding
from concurrence.web.desk import campaign_routes as campaign_desk
from concurrence.web.desk import routes as desk
from concurrence.web.desk.drafts import Drafts
from concurrence.web.leader import routes as leading
from concurrence.web.leader.page_routes import leader_routes
from concurrence.web.network.guard import Guard
from concurrence.web.network.throttle import RecentSessions, Throttle
from concurrence.web.sessions import routes as sessions
from concurrence.web.settings import Settings

SMALL = 2000  # bytes; less is sent as it is
COMPRESSION = 3  # a coder's part of 30 MB becomes as small as at 6, in a third of the time
STATIC = Path(__file__).parent / "static"

DESCRIPTION = """Annotation campaigns: coders load their part and send their decisions; leaders see progress and
agreement. `POST /api/sessions` exchanges an invitation link for a session cookie."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """What was uploaded and not used goes with the server."""
    yield
    app.state.drafts.close()


def create_app(store: Store, settings: Settings) -> FastAPI:
    app = FastAPI(
        title="Concurrence",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        lifespan=_lifespan,
    )
    app.state.store, app.state.settings = store, settings
    app.state.database_name, app.state.recent_sessions = store.read(database_name), RecentSessions()
    app.state.visitor_throttle = Throttle(rate=settings.requests_per_second, burst=settings.burst)
    per_minute = settings.failed_links_per_minute
    app.state.link_throttle = Throttle(rate=per_minute / 60, burst=per_minute)
    app.state.drafts = Drafts()
    routers = (
        *(sessions.router, sessions.pages, coding.router, leading.router, coder_pages.router, leader_routes()),
        *(desk.router, desk.pages, campaign_desk.router, campaign_desk.pages),
    )
    app.state.join_throttle = Throttle(rate=settings.joins_per_minute / 60, burst=settings.join_burst)
    for router in routers:  # as they are: to include a router makes each of its routes anew
        app.router.routes.extend(router.routes)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    errors.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=COMPRESSION)
    app.add_middleware(Guard, settings=settings, recent_sessions=app.state.recent_sessions)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    return app
