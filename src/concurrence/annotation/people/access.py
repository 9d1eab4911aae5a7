"""Invitations and sessions: random tokens of 256 bits, kept only as keyed hashes, revocable.

The key is a secret made at first use in a file of mode 0600 beside the database. Whoever reads the database
alone can neither use nor forge a link.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from concurrence.annotation.campaigns.campaign import Campaign, find_coder
from concurrence.annotation.database.schema import CAMPAIGN, CODER, INVITATION, ORGANISER, SESSION
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.people.security_log import forget_old_acts, log_act
from concurrence.core.errors import InvalidInputError

DAY = 24 * 3600 * 1000
LINK_DAYS = 90  # after which a link expires, unless whoever makes it says otherwise
DEFAULT_SECRET = "concurrence.secret"  # noqa: S105 - a file's name
SECRET_BYTES = 32
MOST_SESSIONS = 200  # of one person; the one not used for the longest time gives way

LinkState = Literal["valid", "unknown", "revoked", "expired", "used"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The person a session belongs to: a coder, expert or leader of one campaign.

    An organiser leads the campaigns she made with the one session of her desk.
    """

    coder_id: int
    campaign_id: int
    name: str
    role: str
    session_id: int
    seen: int
    organiser_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Organiser:
    """A person who makes campaigns, and the session she came with."""

    organiser_id: int
    name: str
    session_id: int
    seen: int
    role: str = "organiser"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """How long a session lasts, in milliseconds: after the last visit, and in all."""

    idle: int = 7 * DAY
    absolute: int = 60 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody comes from, as far as the server can tell."""

    address: str | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """A session as its owner sees it."""

    id: int
    role: str
    opened: int
    seen: int
    device: str | None
    address: str | None


NOWHERE = Place()
DEFAULT_LIMITS = SessionLimits()


def secret_path(store: Store, path: Path | None = None) -> Path:
    """Where the secret lies: as given, or beside the database's file, or in the current folder."""
    if path is not None:
        return path
    if from_environment := os.environ.get("CONCURRENCE_SECRET_FILE"):
        return Path(from_environment)
    return store.path.with_name(store.path.name + ".secret") if store.path else Path(DEFAULT_SECRET)


def load_secret(path: Path) -> bytes:
    """The secret of this installation, made with mode 0600 where there is none yet."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_secret(path)
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot create the secret file: {error.strerror}.") from error
    secret = secrets.token_bytes(SECRET_BYTES)
    with os.fdopen(handle, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(handle)
    return secret


def read_secret(path: Path) -> bytes:
    """The secret in a file that must exist."""
    try:
        secret = path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot read the secret file: {error.strerror}.") from error
    if len(secret) < SECRET_BYTES:
        raise InvalidInputError(f"{path} is not a secret file of this program; name another with --secret-file.")
    return secret


def hashed(token: str, secret: bytes) -> str:
    return hmac.new(secret, token.encode("utf-8"), hashlib.sha256).hexdigest()


def invite(
    connection: Connection,
    campaign: Campaign,
    coder: str,
    secret: bytes,
    *,
    days: float | None = None,
    once: bool = False,
    by: str | None = None,
    address: str | None = None,
) -> str:
    """Make a link token for a coder, for some days or one visit on request; links made earlier stay valid.

    ``by`` and ``address`` tell the log who made it, where it was somebody at a desk in the browser.
    """
    person = find_coder(connection, campaign, coder)
    if person.role == "model":
        raise InvalidInputError(f"{coder!r} is a model whose labels were imported; it needs no link.")
    if person.removed is not None:
        raise InvalidInputError(f"{coder!r} was removed from the campaign; add the coder again for a new link.")
    token = make_link(connection, {"coder_id": person.id}, secret, days=days, once=once)
    detail = None if by is None else f"by {by}"
    log_act(connection, "link made", campaign=campaign.name, person=coder, address=address, detail=detail)
    return token


def make_link(
    connection: Connection, owner: dict[str, int], secret: bytes, *, days: float | None = None, once: bool = False
) -> str:
    """A link's token, which is kept nowhere but with its owner, a coder or an organiser."""
    token = secrets.token_urlsafe(32)
    row = {**owner, "token_hash": hashed(token, secret), "created": now(), "once": once}
    row["expires"] = None if days is None else now() + int(days * DAY)
    connection.execute(insert(INVITATION).values(row))
    return token


def revoke(
    connection: Connection, campaign: Campaign, coder: str, *, by: str | None = None, address: str | None = None
) -> int:
    """Revoke all links and sessions of a coder; return how many links there were."""
    person = find_coder(connection, campaign, coder)
    owner = {"campaign": campaign.name, "person": coder}
    return end_access(connection, "coder_id", person.id, **owner, by=by, address=address)


def end_access(
    connection: Connection,
    owner: str,
    number: int,
    *,
    person: str,
    campaign: str | None = None,
    by: str | None = None,
    address: str | None = None,
) -> int:
    """End all links and sessions of a coder or an organiser; return how many links there were."""
    ended = {}
    for table in (SESSION, INVITATION):
        alive = (table.c[owner] == number) & table.c.revoked.is_(None)
        ended[table.name] = connection.execute(update(table).where(alive).values(revoked=now())).rowcount
    detail = f"links: {ended['invitation']}, sessions: {ended['session']}" + (f", by {by}" if by else "")
    log_act(connection, "revocation", campaign=campaign, person=person, address=address, detail=detail)
    return ended["invitation"]


_PERSON = func.coalesce(CODER.c.name, ORGANISER.c.name).label("person")
_LINK = (
    select(INVITATION, _PERSON, CAMPAIGN.c.name.label("campaign"))
    .outerjoin(CODER, CODER.c.id == INVITATION.c.coder_id)
    .outerjoin(CAMPAIGN, CAMPAIGN.c.id == CODER.c.campaign_id)
    .outerjoin(ORGANISER, ORGANISER.c.id == INVITATION.c.organiser_id)
    .where(INVITATION.c.token_hash == bindparam("hash"))
)


def _link(connection: Connection, token: str, secret: bytes) -> Row[Any] | None:
    return connection.execute(_LINK, {"hash": hashed(token, secret)}).first()


def link_state(connection: Connection, token: str, secret: bytes) -> LinkState:
    """Whether a link opens a session now, or why it does not."""
    return _state(_link(connection, token, secret))


def _state(link: Row[Any] | None) -> LinkState:
    if link is None:
        return "unknown"
    if link.revoked is not None:
        return "revoked"
    if link.expires is not None and link.expires <= now():
        return "expired"
    return "used" if link.once and link.used is not None else "valid"


def log_wrong_link(connection: Connection, token: str, secret: bytes, *, address: str | None) -> None:
    """Log a link that did not work, with its owner where it once was a link; the token is not kept."""
    link = _link(connection, token, secret)
    owner = {"campaign": link.campaign, "person": link.person} if link is not None else {}
    log_act(connection, "wrong link", address=address, detail=_state(link), **owner)


def open_session(
    connection: Connection,
    token: str,
    secret: bytes,
    *,
    limits: SessionLimits = DEFAULT_LIMITS,
    place: Place = NOWHERE,
) -> tuple[str, Visitor | Organiser] | None:
    """Exchange a link's token for a session's; None if the link does not work."""
    link = _link(connection, token, secret)
    if link is None or _state(link) != "valid":
        return None
    purge_sessions(connection, limits)
    moment = now()
    connection.execute(update(INVITATION).where(INVITATION.c.id == link.id).values(used=moment))
    session = secrets.token_urlsafe(32)
    owner = {"coder_id": link.coder_id, "organiser_id": link.organiser_id}
    row = {**owner, "token_hash": hashed(session, secret), "created": moment, "seen": moment}
    row |= {"expires": moment + limits.absolute, "device": place.device, "address": place.address}
    connection.execute(insert(SESSION).values(row))
    _limit_sessions(connection, owner)
    log_act(connection, "join", campaign=link.campaign, person=link.person, address=place.address, detail=place.device)
    find_visitor = organiser_of if link.coder_id is None else visitor_of
    visitor = find_visitor(connection, session, secret, limits)
    return (session, visitor) if visitor else None


def _limit_sessions(connection: Connection, owner: dict[str, int | None]) -> None:
    mine = select(SESSION.c.id).where(*(SESSION.c[name] == number for name, number in owner.items() if number))
    too_many = mine.order_by(SESSION.c.seen.desc(), SESSION.c.id.desc()).offset(MOST_SESSIONS)
    ids = connection.execute(too_many).scalars().all()
    if ids:
        connection.execute(delete(SESSION).where(SESSION.c.id.in_(ids)))


_ALIVE = (
    SESSION.c.revoked.is_(None)
    & (SESSION.c.expires > bindparam("now"))
    & (SESSION.c.created > bindparam("opened_after"))
    & (SESSION.c.seen > bindparam("seen_after"))
)
_VISITOR = (
    select(CODER, SESSION.c.id.label("session_id"), SESSION.c.seen)
    .join(SESSION, SESSION.c.coder_id == CODER.c.id)
    .where(SESSION.c.token_hash == bindparam("hash"), _ALIVE)
)


def _bounds(limits: SessionLimits) -> dict[str, int]:
    moment = now()
    return {"now": moment, "opened_after": moment - limits.absolute, "seen_after": moment - limits.idle}


def visitor_of(
    connection: Connection, session: str, secret: bytes, limits: SessionLimits = DEFAULT_LIMITS
) -> Visitor | None:
    """The person a session's token belongs to, if it is still valid."""
    row = connection.execute(_VISITOR, {"hash": hashed(session, secret), **_bounds(limits)}).first()
    if row is None:
        return None
    return Visitor(
        coder_id=row.id,
        campaign_id=row.campaign_id,
        name=row.name,
        role=row.role,
        session_id=row.session_id,
        seen=row.seen,
    )


_ORGANISER = (
    select(ORGANISER, SESSION.c.id.label("session_id"), SESSION.c.seen)
    .join(SESSION, SESSION.c.organiser_id == ORGANISER.c.id)
    .where(SESSION.c.token_hash == bindparam("hash"), _ALIVE)
)


def organiser_of(
    connection: Connection, session: str, secret: bytes, limits: SessionLimits = DEFAULT_LIMITS
) -> Organiser | None:
    """The organiser a session's token belongs to, if it is still valid."""
    row = connection.execute(_ORGANISER, {"hash": hashed(session, secret), **_bounds(limits)}).first()
    if row is None:
        return None
    return Organiser(organiser_id=row.id, name=row.name, session_id=row.session_id, seen=row.seen)


def mark_seen(connection: Connection, session_id: int) -> None:
    connection.execute(update(SESSION).where(SESSION.c.id == session_id).values(seen=now()))


def sessions_of(
    connection: Connection,
    coder_ids: Sequence[int],
    limits: SessionLimits = DEFAULT_LIMITS,
    *,
    organiser_ids: Sequence[int] = (),
) -> list[OpenSession]:
    """The open sessions of these people, the one seen last first."""
    query = (
        select(SESSION, func.coalesce(CODER.c.role, "organiser").label("role"))
        .outerjoin(CODER, CODER.c.id == SESSION.c.coder_id)
        .where(SESSION.c.coder_id.in_(coder_ids) | SESSION.c.organiser_id.in_(organiser_ids), _ALIVE)
        .order_by(SESSION.c.seen.desc(), SESSION.c.id.desc())
    )
    return [
        OpenSession(id=row.id, role=row.role, opened=row.created, seen=row.seen, device=row.device, address=row.address)
        for row in connection.execute(query, _bounds(limits))
    ]


def end_sessions(connection: Connection, ids: Sequence[int], *, address: str | None = None) -> int:
    """End sessions by their numbers; gives how many were open."""
    alive = SESSION.c.id.in_(ids) & SESSION.c.revoked.is_(None)
    owners = (
        select(_PERSON, CAMPAIGN.c.name.label("campaign"))
        .select_from(SESSION)
        .outerjoin(CODER, CODER.c.id == SESSION.c.coder_id)
        .outerjoin(CAMPAIGN, CAMPAIGN.c.id == CODER.c.campaign_id)
        .outerjoin(ORGANISER, ORGANISER.c.id == SESSION.c.organiser_id)
        .where(alive)
    )
    for owner in connection.execute(owners).all():
        log_act(connection, "sign out", campaign=owner.campaign, person=owner.person, address=address)
    return connection.execute(update(SESSION).where(alive).values(revoked=now())).rowcount


def purge_sessions(connection: Connection, limits: SessionLimits = DEFAULT_LIMITS) -> int:
    """Delete the sessions that have ended, and what the security log need not keep; gives how many sessions."""
    forget_old_acts(connection)
    return connection.execute(delete(SESSION).where(~_ALIVE), _bounds(limits)).rowcount
