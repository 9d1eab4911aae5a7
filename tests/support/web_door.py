"""The server in this process, with a campaign, two coders, an expert and a leader."""

from concurrent.futures import Future
from functools import cache
from threading import Thread

import anyio
from anyio.from_thread import BlockingPortal
from starlette.testclient import TestClient

from concurrence.annotation.people.access import invite
from concurrence.web.app import create_app
from concurrence.web.settings import Settings

SECRET = b"s" * 32


@cache
def _portal():
    """An event loop in a thread of its own, for as long as the tests run."""
    future = Future()

    async def stay_open():
        async with BlockingPortal() as portal:
            future.set_result(portal)
            await portal.sleep_until_stopped()

    Thread(target=anyio.run, args=(stay_open,), daemon=True).start()
    return future.result()


def client_of(app, **options):
    """A client whose requests share one event loop; a client by itself starts one for each request."""
    client = TestClient(app, **options)
    client.portal = _portal()
    return client


class Door:
    """A server and its campaign; ``door.join("anna")`` is a client with Anna's session."""

    def __init__(self, store, campaign, **settings):
        self.store, self.campaign = store, campaign
        self.app = create_app(store, Settings(secret=SECRET, **settings))

    def client(self, *, address="testclient", base_url="http://testserver"):
        return client_of(self.app, raise_server_exceptions=False, base_url=base_url, client=(address, 50_000))

    def token(self, coder):
        return self.store.write(lambda c: invite(c, self.campaign, coder, SECRET))

    def join(self, coder):
        client = self.client()
        answer = client.post("/api/sessions", json={"token": self.token(coder)})
        assert answer.status_code == 200, answer.text
        return client

    @property
    def api(self):
        return f"/api/campaigns/{self.campaign.id}"

    @property
    def pages(self):
        return f"/c/{self.campaign.id}"
