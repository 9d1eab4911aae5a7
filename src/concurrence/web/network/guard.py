"""The guard: what every request must pass, and the headers every answer carries.

No other site can write (Sec-Fetch-Site, else Origin), no body is larger than its limit, no address floods
the server, no page loads or runs anything that does not come from here. A flood shuts out neither those who are
signed in nor those who open their link from the same address.
"""

import json
import math
import re
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from concurrence.web.network.settings import ServerSettings
from concurrence.web.network.throttle import RecentSessions, Throttle, address_prefix

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SIGN_IN = ("/join", "/api/sessions")
UPLOADS = re.compile(r"/api/desk/tables|/api/campaigns/[0-9]+/desk/items")

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


STRICT_TRANSPORT = "max-age=31536000"


class TooLargeError(Exception):
    """A body grew over its limit while it was read."""


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, recent_sessions: RecentSessions) -> None:
        self.app, self.settings, self.recent_sessions = app, settings, recent_sessions
        self.throttle = Throttle(rate=settings.address_requests_per_second, burst=settings.address_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        headers = Headers(scope=scope)
        secure = self.settings.secure or scope["scheme"] == "https"
        answer = _with_headers(send, scope["path"], secure=secure)
        wait = self.throttle.wait(address_prefix(scope["client"][0] if scope.get("client") else ""))
        if wait > 0 and not self._is_exempt(scope["path"], headers):
            await refuse(answer, 429, "Too many requests; wait a moment.", wait=wait)
        elif scope["method"] not in SAFE_METHODS and not self.same_site(headers, scope["scheme"]):
            await refuse(answer, 403, "This request comes from another site.")
        elif _stated_length(headers) > self._limit(scope["path"]):
            await refuse(answer, 413, self._too_large(scope["path"]))
        else:
            await self._run(scope, receive, answer)

    def same_site(self, headers: Headers, scheme: str) -> bool:
        """Whether a writing request comes from our own pages, or from no browser at all."""
        if site := headers.get("sec-fetch-site"):
            return site in ("same-origin", "none")
        origin = headers.get("origin")
        own_origin = f"{'https' if self.settings.secure else scheme}://{headers.get('host')}"
        return origin is None or origin in (self.settings.origin, own_origin)

    def _is_exempt(self, path: str, headers: Headers) -> bool:
        """Whether a request passes even while its address sends too many."""
        if path in SIGN_IN or path.startswith("/static/"):
            return True
        cookies = cookie_parser(headers.get("cookie", ""))
        return any(session in self.recent_sessions for name, session in cookies.items() if "concur_" in name)

    def _limit(self, path: str) -> int:
        """How many bytes a body may have: a table more than anything else."""
        return self.settings.upload_limit if UPLOADS.fullmatch(path) else self.settings.body_limit

    def _too_large(self, path: str) -> str:
        if not UPLOADS.fullmatch(path):
            return "The request is too large; send it in smaller batches."
        return f"The file is larger than {self.settings.upload_limit / 1e6:g} MB; upload it in several parts."

    async def _run(self, scope: Scope, receive: Receive, answer: Send) -> None:
        seen, limit = 0, self._limit(scope["path"])

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise TooLargeError
            return message

        async def watched(message: Message) -> None:
            # The framework answers 400 to whatever goes wrong while it reads; the true reason is ours to give.
            if seen <= limit:
                await answer(message)

        with suppress(TooLargeError):
            await self.app(scope, limited, watched)
        if seen > limit:
            await refuse(answer, 413, self._too_large(scope["path"]))


def _without_body(send: Send) -> Send:
    """The answer to HEAD: that to GET with its headers alone."""

    async def answer(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return answer


def _stated_length(headers: Headers) -> int:
    stated = headers.get("content-length", "0")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 16 else 0


def _with_headers(send: Send, path: str, *, secure: bool) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("strict-transport-security", STRICT_TRANSPORT)
            headers.setdefault("cache-control", "no-cache" if path.startswith("/static/") else "no-store")
            if "location" in headers:
                headers["location"] = _on_this_site(headers["location"])
        await send(message)

    return answer


def _on_this_site(address: str) -> str:
    """A redirect without scheme and host, which the framework would take from the request.

    >>> _on_this_site("http://evil.example/c/1?a=b")
    '/c/1?a=b'
    """
    parts = urlsplit(address)
    return "/" + parts.path.lstrip("/\\") + (f"?{parts.query}" if parts.query else "")


async def refuse(send: Send, status: int, sentence: str, *, wait: float = 0.0) -> None:
    """Answer with a sentence as JSON."""
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait > 0:
        headers.append((b"retry-after", str(math.ceil(wait)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
