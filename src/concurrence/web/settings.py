"""The settings of a server."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from concurrence.core.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The secret, the address people use, and the limits."""

    secret: bytes
    public_url: str | None = None
    body_limit: int = 4_000_000
    requests_per_second: float = 30.0
    burst: int = 120
    address_requests_per_second: float = 500.0
    address_burst: int = 2000
    failed_links_per_minute: int = 10

    def __post_init__(self) -> None:
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise InvalidInputError("The public address must have the form https://host or https://host:port.")

    @property
    def origin(self) -> str | None:
        if self.public_url is None:
            return None
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def secure(self) -> bool:
        """Whether people come through TLS, as far as the public address tells."""
        return self.public_url is not None and self.public_url.startswith("https:")
