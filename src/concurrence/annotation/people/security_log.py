"""What happened at the door: who joined, which links were wrong, what was revoked, signed out and exported.

Also what leaders did at their desks or on the command line: who came and left, what was added, changed and deleted.

Each act is logged in the transaction that does it. No entry holds a token or a hash of one. Names and
addresses are those of people, so entries are deleted after a year.
"""

from typing import Literal

from sqlalchemy import Connection, delete, insert, select

from concurrence.annotation.database.schema import SECURITY_LOG
from concurrence.annotation.database.store import now
from concurrence.core.values import value

Act = Literal[
    "join",
    "wrong link",
    "link made",
    "revocation",
    "sign out",
    "export",
    "new secret",
    "campaign made",
    "campaign deleted",
    "coder added",
    "coder replaced",
    "coder removed",
    "items added",
    "manual changed",
    "picture added",
    "closed",
    "reopened",
    "backup",
    "restored",
    "answers rebuilt",
]

KEPT_MILLISECONDS = 365 * 24 * 3600 * 1000


@value
class LoggedAct:
    """One entry of the security log; the time is in milliseconds since 1970."""

    time: int
    act: str
    campaign: str | None
    person: str | None
    address: str | None
    detail: str | None


def log_act(
    connection: Connection,
    act: Act,
    *,
    campaign: str | None = None,
    person: str | None = None,
    address: str | None = None,
    detail: str | None = None,
) -> None:
    """Add an entry; it stands if the transaction does."""
    row = {"time": now(), "act": act, "campaign": campaign, "person": person, "address": address, "detail": detail}
    connection.execute(insert(SECURITY_LOG).values(row))


def logged_acts(connection: Connection, campaign: str | None = None) -> list[LoggedAct]:
    """The entries of a campaign, or all of the database, oldest first."""
    query = select(SECURITY_LOG).order_by(SECURITY_LOG.c.id)
    if campaign is not None:
        query = query.where(SECURITY_LOG.c.campaign == campaign)
    fields = LoggedAct.__dataclass_fields__
    return [LoggedAct(**{name: getattr(row, name) for name in fields}) for row in connection.execute(query)]


def forget_old_acts(connection: Connection) -> None:
    connection.execute(delete(SECURITY_LOG).where(SECURITY_LOG.c.time < now() - KEPT_MILLISECONDS))
