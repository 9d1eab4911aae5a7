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

from sqlalchemy import Connection, bindparam, insert, select, update

from concurrence.annotation.campaigns import Campaign, find_coder
from concurrence.annotation.schema import CODER, INVITATION, SESSION
from concurrence.annotation.store import Store, now
from concurrence.core.errors import InvalidInputError

SESSION_MILLISECONDS = 60 * 24 * 3600 * 1000
DEFAULT_SECRET = "concurrence.secret"  # noqa: S105 - a file's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The person a session belongs to: a coder, expert or leader of one campaign."""

    coder_id: int
    campaign_id: int
    name: str
    role: str


def secret_path(store: Store, given: Path | None = None) -> Path:
    """Where the secret lies: as given, or beside the database's file, or in the current folder."""
    if given is not None:
        return given
    if from_environment := os.environ.get("CONCURRENCE_SECRET_FILE"):
        return Path(from_environment)
    return store.path.with_name(store.path.name + ".secret") if store.path else Path(DEFAULT_SECRET)


def load_secret(path: Path) -> bytes:
    """The secret of this installation, made with mode 0600 where there is none yet."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        if len(secret) < 32:
            raise InvalidInputError(
                f"{path} is not a secret file of this program; delete it, and a new one will be created."
            ) from None
        return secret
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot create the secret file: {error.strerror}.") from error
    secret = secrets.token_bytes(32)
    with os.fdopen(handle, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(handle)
    return secret


def hashed(token: str, secret: bytes) -> str:
    return hmac.new(secret, token.encode("utf-8"), hashlib.sha256).hexdigest()


def invite(connection: Connection, campaign: Campaign, coder: str, secret: bytes) -> str:
    """Make a link token for a coder; links made earlier stay valid."""
    person = find_coder(connection, campaign, coder)
    if person.role == "model":
        raise InvalidInputError(f"{coder!r} is a model whose labels were imported; it needs no link.")
    token = secrets.token_urlsafe(32)
    row = {"coder_id": person.id, "token_hash": hashed(token, secret), "created": now()}
    connection.execute(insert(INVITATION).values(row))
    return token


def revoke(connection: Connection, campaign: Campaign, coder: str) -> int:
    """Revoke all links and sessions of a coder; return how many links there were."""
    person = find_coder(connection, campaign, coder)
    ended = 0
    for table in (SESSION, INVITATION):
        alive = (table.c.coder_id == person.id) & table.c.revoked.is_(None)
        ended = connection.execute(update(table).where(alive).values(revoked=now())).rowcount
    return ended


def open_session(connection: Connection, token: str, secret: bytes) -> tuple[str, Visitor] | None:
    """Exchange a link's token for a session's; None if the link is unknown or revoked."""
    wanted = select(INVITATION.c.coder_id).where(
        INVITATION.c.token_hash == hashed(token, secret), INVITATION.c.revoked.is_(None)
    )
    coder_id = connection.execute(wanted).scalar()
    if coder_id is None:
        return None
    session = secrets.token_urlsafe(32)
    row = {"coder_id": coder_id, "token_hash": hashed(session, secret), "created": now()}
    connection.execute(insert(SESSION).values(row | {"expires": now() + SESSION_MILLISECONDS}))
    visitor = visitor_of(connection, session, secret)
    return (session, visitor) if visitor else None


_VISITOR = (
    select(CODER)
    .join(SESSION, SESSION.c.coder_id == CODER.c.id)
    .where(SESSION.c.token_hash == bindparam("hash"), SESSION.c.revoked.is_(None), SESSION.c.expires > bindparam("now"))
)


def visitor_of(connection: Connection, session: str, secret: bytes) -> Visitor | None:
    """The person a session's token belongs to, if it is still valid."""
    row = connection.execute(_VISITOR, {"hash": hashed(session, secret), "now": now()}).first()
    if row is None:
        return None
    return Visitor(coder_id=row.id, campaign_id=row.campaign_id, name=row.name, role=row.role)


def close_sessions(connection: Connection, sessions: Sequence[str], secret: bytes) -> None:
    hashes = [hashed(session, secret) for session in sessions]
    connection.execute(update(SESSION).where(SESSION.c.token_hash.in_(hashes)).values(revoked=now()))
