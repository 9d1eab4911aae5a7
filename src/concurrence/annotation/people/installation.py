"""What belongs to one database: its name, and the fingerprint of the secret that its links are hashed with.

A link made with one secret never opens under another. So the first `links` or `serve` keeps a fingerprint of
its secret in the database, and everyone who comes with another secret, or without the file, is told at once.
"""

import hashlib
import hmac
from pathlib import Path

from sqlalchemy import Connection, select, update

from concurrence.annotation.database.schema import INSTALLATION, INVITATION, SESSION
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.people.access import load_secret, read_secret, secret_path
from concurrence.annotation.people.security_log import log_act
from concurrence.core.errors import InvalidInputError

PURPOSE = b"concurrence: fingerprint of the secret"


def database_name(connection: Connection) -> str:
    """A name that no other database has; cookies carry it, since browsers share them between ports."""
    return str(connection.execute(select(INSTALLATION.c.name)).scalar_one())


def secret_of(store: Store, secret_file: Path | None = None) -> bytes:
    """The secret of a database: the one its links were made with, fixed by the first who asks."""
    path = secret_path(store, secret_file)
    if store.read(_needs_secret) and not path.exists():
        raise InvalidInputError(
            f"The secret file {path} does not exist, but this database was used with a secret before. "
            "Name its file with --secret-file; if it is lost, concur campaign links NAME --new-secret makes a new one."
        )
    secret = load_secret(path)
    if not store.write(lambda connection: _fix(connection, secret)):
        raise InvalidInputError(
            f"The secret in {path} is not the one that this database was first used with, so links would never work. "
            "Give concur campaign links and concur serve the same --secret-file."
        )
    return secret


def renew_secret(store: Store, secret_file: Path | None = None) -> bytes:
    """Start over with the secret of a file, made where there is none: all links and sessions end."""
    path = secret_path(store, secret_file)
    secret = read_secret(path) if path.exists() else load_secret(path)

    def renew(connection: Connection) -> None:
        for table in (INVITATION, SESSION):
            connection.execute(update(table).where(table.c.revoked.is_(None)).values(revoked=now()))
        connection.execute(update(INSTALLATION).values(fingerprint=fingerprint(secret)))
        log_act(connection, "new secret")

    store.write(renew)
    return secret


def fingerprint(secret: bytes) -> str:
    """What tells one secret from another without giving it away."""
    return hmac.new(secret, PURPOSE, hashlib.sha256).hexdigest()


def _needs_secret(connection: Connection) -> bool:
    """Whether there is a secret already: its fingerprint, or links of an older version, which stored none."""
    fixed = connection.execute(select(INSTALLATION.c.fingerprint)).scalar()
    links = connection.execute(select(INVITATION.c.id).where(INVITATION.c.revoked.is_(None)).limit(1)).scalar()
    return fixed is not None or links is not None


def _fix(connection: Connection, secret: bytes) -> bool:
    mine = fingerprint(secret)
    unfixed = INSTALLATION.c.fingerprint.is_(None)
    connection.execute(update(INSTALLATION).where(unfixed).values(fingerprint=mine))
    stored = connection.execute(select(INSTALLATION.c.fingerprint)).scalar_one()
    return hmac.compare_digest(str(stored), mine)
