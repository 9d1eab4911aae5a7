"""The guard at the door: what every request must pass, and the headers every answer carries.

No other site can write (Sec-Fetch-Site, else Origin), no body is larger than its limit, no address floods
the server, no page loads or runs anything that does not come from here.
"""

import json
import math
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from concurrence.web.settings import Settings
from concurrence.web.throttle import Throttle

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class TooLargeError(Exception):
    """A body grew over its limit while it was read."""


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.throttle = Throttle(rate=settings.address_requests_per_second, burst=settings.address_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = _with_headers(send, scope["path"])
        wait = self.throttle.wait(scope["client"][0] if scope.get("client") else "")
        if wait > 0:
            await refuse(answer, 429, "Too many requests; wait a moment.", wait=wait)
        elif scope["method"] not in SAFE_METHODS and not self.same_site(headers, scope["scheme"]):
            await refuse(answer, 403, "This request comes from another site.")
        elif _stated_length(headers) > self.settings.body_limit:
            await refuse(answer, 413, "The request is too large; send it in smaller batches.")
        else:
            await self._run(scope, receive, answer)

    def same_site(self, headers: Headers, scheme: str) -> bool:
        """Whether a writing request comes from our own pages, or from no browser at all."""
        if site := headers.get("sec-fetch-site"):
            return site in ("same-origin", "none")
        origin = headers.get("origin")
        if origin is None:
            return True
        if self.settings.origin is not None and origin == self.settings.origin:
            return True
        return urlsplit(origin).netloc == headers.get("host") and origin.startswith(f"{scheme}://")

    async def _run(self, scope: Scope, receive: Receive, answer: Send) -> None:
        seen = 0

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.settings.body_limit:
                raise TooLargeError
            return message

        async def watched(message: Message) -> None:
            # The framework answers 400 to whatever goes wrong while it reads; the true reason is ours to give.
            if seen <= self.settings.body_limit:
                await answer(message)

        with suppress(TooLargeError):
            await self.app(scope, limited, watched)
        if seen > self.settings.body_limit:
            await refuse(answer, 413, "The request is too large; send it in smaller batches.")


def _stated_length(headers: Headers) -> int:
    stated = headers.get("content-length", "0")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 16 else 0


def _with_headers(send: Send, path: str) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-cache" if path.startswith("/static/") else "no-store")
        await send(message)

    return answer


async def refuse(send: Send, status: int, sentence: str, *, wait: float = 0.0) -> None:
    """Answer with a sentence as JSON."""
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait > 0:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
