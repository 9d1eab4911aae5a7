"""The settings of any server: the address people use, and the limits on what comes in."""

from dataclasses import dataclass, field
from ipaddress import ip_network
from urllib.parse import urlsplit

from concurrence.core.errors import InvalidInputError

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections there are at once, and how many seconds each may keep others waiting.

    ``head``: from the connection, or the first byte of a further request, to the end of its head. ``body``: for a
    body of any size, and one second more for each ``body_rate`` bytes that came. ``answer``: without taking
    anything of an answer. ``idle``: between requests.
    """

    most: int = 1000
    head: float = 20.0
    body: float = 20.0
    body_rate: int = 10_000
    answer: float = 60.0
    idle: float = 75.0  # longer than clients keep theirs, so that none is cut off as it asks again


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The address people use, and the limits on connections, bodies and requests."""

    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)
    body_limit: int = 4_000_000
    upload_limit: int = 64_000_000  # of a table with items
    address_requests_per_second: float = 500.0
    address_burst: int = 2000

    def __post_init__(self) -> None:
        if self.public_url is not None:
            _check_address(self.public_url)
        for proxy in self.trusted_proxies:
            _check_proxy(proxy)

    @property
    def origin(self) -> str | None:
        """The origin of the pages as browsers write it: no default port, host in lower case."""
        if self.public_url is None:
            return None
        parts = urlsplit(self.public_url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        port = "" if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
        return f"{parts.scheme}://{host}{port}"

    @property
    def secure(self) -> bool:
        """Whether people come through TLS, as far as the public address tells."""
        return self.public_url is not None and self.public_url.startswith("https:")


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        correct = parts.scheme in DEFAULT_PORTS and parts.hostname and parts.port != 0
    except ValueError:
        correct = False
    if not correct:
        raise InvalidInputError("The public address must have the form https://host or https://host:port.")


def _check_proxy(proxy: str) -> None:
    try:
        ip_network(proxy)
    except ValueError as error:
        raise InvalidInputError(
            f"{proxy!r} is not the address of a proxy; --trusted-proxy takes 127.0.0.1 or a network as 10.0.0.0/8."
        ) from error
