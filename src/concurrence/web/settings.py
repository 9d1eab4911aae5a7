"""The settings of a server of campaigns."""

from dataclasses import dataclass, field

from concurrence.annotation.people.access import SessionLimits
from concurrence.web.network.settings import ConnectionLimits, ServerSettings

__all__ = ["ConnectionLimits", "Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(ServerSettings):
    """Those of any server, the secret, and the limits of sessions and of each visitor."""

    secret: bytes
    sessions: SessionLimits = field(default_factory=SessionLimits)
    requests_per_second: float = 30.0
    burst: int = 120
    failed_links_per_minute: int = 10
    joins_per_minute: float = 6.0  # of one link, which works; after a burst
    join_burst: int = 60
