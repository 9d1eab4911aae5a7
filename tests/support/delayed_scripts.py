"""A server of this process that keeps one script back until it is released, as a slow line would."""

from contextlib import contextmanager
from threading import Event, Thread
from urllib.parse import urlsplit

import uvicorn
from anyio import to_thread

from concurrence.web.app import create_app
from concurrence.web.settings import Settings
from support.servers import free_port, wait_until


class _Holding:
    """An application whose answer to one path waits for the release."""

    def __init__(self, app, path):
        self.app, self.path, self.released = app, path, Event()

    async def __call__(self, scope, receive, send):
        if scope.get("path") == self.path:
            await to_thread.run_sync(self.released.wait)
        await self.app(scope, receive, send)


@contextmanager
def delay_script(site, script):
    """The campaigns of a site at a second address, where a script waits: ``address(page's url), release()``."""
    holding = _Holding(create_app(site.store, Settings(secret=site.secret)), f"/static/{script}")
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(holding, port=port, log_level="warning", lifespan="off"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield lambda url: urlsplit(url)._replace(netloc=f"127.0.0.1:{port}").geturl(), holding.released.set
    finally:
        holding.released.set()
        server.should_exit = True
        thread.join()
