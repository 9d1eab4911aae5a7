"""The tables of the store. Times are milliseconds since 1970, in whole numbers.

``event`` and ``adjudication`` are append-only; triggers refuse to change or delete their rows. ``standing`` holds, of
every coder, task and question, the newest event; a trigger of ``event`` keeps it, and ``standing.py`` beside this
module says how. The view ``decision`` of migration 0002 ranks the log at every look; it is there for people who query
the database themselves.

The order of a coder's events is that of ``moment``, a hybrid logical clock: a time in milliseconds, moved on until it
lies behind all that the coder had seen. The row number breaks ties. No rule rests on ``client_time`` or
``server_time``.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

METADATA = MetaData()


def _key(name: str) -> Column[int]:
    return Column(name, Integer, primary_key=True, autoincrement=True)


def _ref(name: str, target: str, *, optional: bool = False) -> Column[int]:
    return Column(name, Integer, ForeignKey(target), nullable=optional)


def _text(name: str, *, optional: bool = False) -> Column[str]:
    return Column(name, Text, nullable=optional)


def _number(name: str, *, optional: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=optional)


CAMPAIGN = Table(
    "campaign",
    METADATA,
    _key("id"),
    Column("name", String(100), nullable=False, unique=True),
    _text("questions"),
    _text("display"),
    _number("seed"),
    _number("created"),
)

MANUAL = Table(
    "manual",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    _number("version"),
    _text("text"),
    _number("created"),
    _text("note", optional=True),
    UniqueConstraint("campaign_id", "version"),
)

PICTURE = Table(
    "picture",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    Column("name", String(40), nullable=False, unique=True),
    _text("title"),
    Column("data", LargeBinary, nullable=False),
    _number("created"),
)

ROUND = Table(
    "round",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    Column("name", String(100), nullable=False),
    _number("created"),
    UniqueConstraint("campaign_id", "name"),
)

ITEM = Table(
    "item",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    _text("key"),
    _text("part"),
    _text("columns"),
    _text("shown", optional=True),
    UniqueConstraint("campaign_id", "key"),
)

CODER = Table(
    "coder",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    Column("name", String(100), nullable=False),
    Column("role", String(10), nullable=False),
    _number("seed"),
    _number("removed", optional=True),
    _ref("organiser_id", "organiser.id", optional=True),
    UniqueConstraint("campaign_id", "name"),
)

# An item can be in several rounds, and in a round without being anybody's task.
ROUND_ITEM = Table(
    "round_item",
    METADATA,
    Column("round_id", Integer, ForeignKey("round.id"), primary_key=True),
    Column("item_id", Integer, ForeignKey("item.id"), primary_key=True),
    Index("round_item_by_item", "item_id"),
)

TASK = Table(
    "task",
    METADATA,
    _key("id"),
    _ref("coder_id", "coder.id"),
    _ref("round_id", "round.id"),
    _ref("item_id", "item.id"),
    _number("position"),
    Column("repeat", Boolean, nullable=False),
    UniqueConstraint("coder_id", "round_id", "item_id", "repeat"),
)

EVENT = Table(
    "event",
    METADATA,
    _key("id"),
    Column("uuid", String(36), nullable=False),
    _ref("campaign_id", "campaign.id"),
    _ref("coder_id", "coder.id"),
    _ref("task_id", "task.id"),
    _ref("item_id", "item.id"),
    Column("question", String(64), nullable=False),
    _text("answer", optional=True),
    Column("unsure", Boolean, nullable=False),
    _text("note", optional=True),
    Column("origin", String(10), nullable=False),
    _number("manual_version"),
    _number("duration", optional=True),
    _number("client_time"),
    _number("server_time"),
    _number("moment"),
    UniqueConstraint("coder_id", "uuid"),
    Index("event_by_task", "task_id"),
    Index("event_by_coder", "campaign_id", "coder_id", "task_id", "question"),
    Index("event_by_moment", "coder_id", "moment"),
)

STANDING = Table(
    "standing",
    METADATA,
    Column("campaign_id", Integer, ForeignKey("campaign.id"), primary_key=True),
    Column("coder_id", Integer, ForeignKey("coder.id"), primary_key=True),
    Column("task_id", Integer, ForeignKey("task.id"), primary_key=True),
    Column("question", String(64), primary_key=True),
    _ref("event_id", "event.id"),
    _ref("item_id", "item.id"),
    _text("answer", optional=True),
    Column("unsure", Boolean, nullable=False),
    _text("note", optional=True),
    _number("manual_version"),
    _number("client_time"),
    _number("server_time"),
    _number("moment"),
    Index("standing_by_item", "item_id"),
    Index("standing_by_event", "event_id"),
)

ADJUDICATION = Table(
    "adjudication",
    METADATA,
    _key("id"),
    Column("uuid", String(36), nullable=False),
    _ref("campaign_id", "campaign.id"),
    _ref("item_id", "item.id"),
    Column("question", String(64), nullable=False),
    _text("answer", optional=True),
    _text("reason"),
    _ref("coder_id", "coder.id"),
    _number("server_time"),
    UniqueConstraint("campaign_id", "uuid"),
    Index("adjudication_by_item", "campaign_id", "item_id", "question"),
)

CLOSING = Table(
    "closing",
    METADATA,
    _key("id"),
    _ref("campaign_id", "campaign.id"),
    Column("round_id", Integer, ForeignKey("round.id"), nullable=True),
    _text("part", optional=True),
    Column("closed", Boolean, nullable=False),
    _number("server_time"),
)

COMMENT = Table(
    "comment",
    METADATA,
    _key("id"),
    Column("uuid", String(36), nullable=False),
    _ref("campaign_id", "campaign.id"),
    _ref("item_id", "item.id"),
    _ref("coder_id", "coder.id"),
    _text("text"),
    _number("client_time"),
    _number("server_time"),
    UniqueConstraint("coder_id", "uuid"),
    Index("comment_by_item", "item_id"),
)

# Who may come in: links, sessions, the secret both are hashed with, and what happened at the door. A link or a session
# belongs to a coder, expert or leader of one campaign, or to an organiser, who makes campaigns and leads them.
ORGANISER = Table(
    "organiser",
    METADATA,
    _key("id"),
    Column("name", String(100), nullable=False, unique=True),
    _number("created"),
)

INVITATION = Table(
    "invitation",
    METADATA,
    _key("id"),
    _ref("coder_id", "coder.id", optional=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    _number("created"),
    _number("revoked", optional=True),
    _number("expires", optional=True),
    Column("once", Boolean, nullable=False, server_default=false()),
    _number("used", optional=True),
    _ref("organiser_id", "organiser.id", optional=True),
)

SESSION = Table(
    "session",
    METADATA,
    _key("id"),
    _ref("coder_id", "coder.id", optional=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    _number("created"),
    _number("expires"),
    _number("revoked", optional=True),
    Column("seen", BigInteger, nullable=False, server_default="0"),
    _text("device", optional=True),
    _text("address", optional=True),
    _ref("organiser_id", "organiser.id", optional=True),
)

INSTALLATION = Table(
    "installation",
    METADATA,
    _key("id"),
    Column("name", String(16), nullable=False),
    Column("fingerprint", String(64), nullable=True),
)

SECURITY_LOG = Table(
    "security_log",
    METADATA,
    _key("id"),
    _number("time"),
    Column("act", String(20), nullable=False),
    _text("campaign", optional=True),
    _text("person", optional=True),
    _text("address", optional=True),
    _text("detail", optional=True),
)
