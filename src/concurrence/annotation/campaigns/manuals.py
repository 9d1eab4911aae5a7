"""The versions of a manual and what changed between them, and the pictures in it.

A picture is kept in the database under a name that nobody can guess from another campaign. What a file is, its first
bytes tell, whatever it is called. SVG is not taken, since it can hold scripts.
"""

import secrets
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.schema import MANUAL, PICTURE
from concurrence.annotation.database.store import now
from concurrence.core.errors import InvalidInputError

LARGEST_PICTURE = 2_000_000
MOST_PICTURES = 100
MOST_LINES = 5000  # of a manual whose changes are looked for
KINDS = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of what changed: ``added``, ``removed``, or ``kept`` beside a change."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of a manual, and what changed since the one before."""

    version: int
    created: int
    note: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of a manual; its name is the end of its address."""

    name: str
    title: str
    size: int
    created: int


def versions_of(connection: Connection, campaign: Campaign) -> list[Version]:
    """All versions of a manual, the newest first."""
    query = select(MANUAL).where(MANUAL.c.campaign_id == campaign.id).order_by(MANUAL.c.version)
    rows = connection.execute(query).all()
    before = ["", *(row.text for row in rows[:-1])]
    versions = [_version(row, earlier) for row, earlier in zip(rows, before, strict=True)]
    return versions[::-1]


def _version(row: Row[Any], before: str) -> Version:
    changes = () if int(row.version) == 1 else changes_between(before, row.text)
    return Version(version=int(row.version), created=int(row.created), note=row.note, changes=changes)


def changes_between(before: str, after: str) -> tuple[Change, ...]:
    """The lines that were added and removed, with a line around them; none of a very long manual."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > MOST_LINES:
        return ()
    kinds = {"+": "added", "-": "removed", " ": "kept"}
    lines = [line for line in list(unified_diff(old, new, lineterm="", n=1))[2:] if not line.startswith("@@")]
    return tuple(Change(kind=kinds[line[0]], text=line[1:]) for line in lines)


def manual_text(connection: Connection, campaign: Campaign, version: int) -> str:
    """The text of one version."""
    mine = (MANUAL.c.campaign_id == campaign.id) & (MANUAL.c.version == version)
    text = connection.execute(select(MANUAL.c.text).where(mine)).scalar()
    if text is None:
        raise InvalidInputError(f"The manual has no version {version}.")
    return str(text)


def picture_kind(data: bytes) -> str:
    """The kind of a picture by its first bytes.

    >>> picture_kind(b"\\x89PNG\\r\\n\\x1a\\n...")
    'png'
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    raise InvalidInputError("This file is not a PNG, JPEG or WebP picture; other kinds are not taken.")


def add_picture(connection: Connection, campaign: Campaign, data: bytes, *, title: str) -> Picture:
    """Keep a picture for a manual; gives its name, which its address ends with."""
    kind = picture_kind(data)
    if len(data) > LARGEST_PICTURE:
        raise InvalidInputError(f"The picture is larger than {LARGEST_PICTURE // 1_000_000} MB; save a smaller one.")
    mine = PICTURE.c.campaign_id == campaign.id
    if (connection.execute(select(func.count()).where(mine)).scalar() or 0) >= MOST_PICTURES:
        raise InvalidInputError(f"The campaign has {MOST_PICTURES} pictures already, which is the most it can have.")
    name = f"{secrets.token_hex(16)}.{kind}"
    row = {"campaign_id": campaign.id, "name": name, "title": title, "data": data, "created": now()}
    connection.execute(insert(PICTURE).values(row))
    return Picture(name=name, title=title, size=len(data), created=row["created"])  # type: ignore[arg-type]


def pictures_of(connection: Connection, campaign: Campaign) -> list[Picture]:
    """The pictures of a campaign, in the order they came."""
    size = func.length(PICTURE.c.data).label("size")
    query = select(PICTURE.c.name, PICTURE.c.title, size, PICTURE.c.created)
    rows = connection.execute(query.where(PICTURE.c.campaign_id == campaign.id).order_by(PICTURE.c.id)).mappings()
    return [Picture(**row) for row in rows]


def find_picture(connection: Connection, name: str) -> tuple[int, bytes] | None:
    """The campaign a picture belongs to, and its bytes."""
    query = select(PICTURE.c.campaign_id, PICTURE.c.data).where(PICTURE.c.name == name)
    row = connection.execute(query).first()
    return (int(row.campaign_id), bytes(row.data)) if row else None
