"""The tables of campaigns, the event log, and the triggers that keep the logs append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LOGS = ("event", "adjudication", "closing")


def upgrade() -> None:
    """Make all tables."""
    _campaign_tables()
    _work_tables()
    _log_tables()
    _leader_tables()
    _access_tables()
    _guard_logs()


def _campaign_tables() -> None:
    op.create_table(
        "campaign",
        _key(),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        _text("questions"),
        _text("display"),
        _number("seed"),
        _number("created"),
    )
    op.create_table(
        "manual",
        _key(),
        _ref("campaign_id", "campaign.id"),
        _number("version"),
        _text("text"),
        _number("created"),
        sa.UniqueConstraint("campaign_id", "version"),
    )
    op.create_table(
        "round",
        _key(),
        _ref("campaign_id", "campaign.id"),
        sa.Column("name", sa.String(100), nullable=False),
        _number("created"),
        sa.UniqueConstraint("campaign_id", "name"),
    )


def _work_tables() -> None:
    op.create_table(
        "item",
        _key(),
        _ref("campaign_id", "campaign.id"),
        _text("key"),
        _text("part"),
        _text("columns"),
        sa.UniqueConstraint("campaign_id", "key"),
    )
    op.create_table(
        "coder",
        _key(),
        _ref("campaign_id", "campaign.id"),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        _number("seed"),
        sa.UniqueConstraint("campaign_id", "name"),
    )
    op.create_table(
        "task",
        _key(),
        _ref("coder_id", "coder.id"),
        _ref("round_id", "round.id"),
        _ref("item_id", "item.id"),
        _number("position"),
        sa.Column("repeat", sa.Boolean, nullable=False),
        sa.UniqueConstraint("coder_id", "round_id", "item_id", "repeat"),
    )


def _log_tables() -> None:
    op.create_table(
        "event",
        _key(),
        sa.Column("uuid", sa.String(36), nullable=False),
        _ref("campaign_id", "campaign.id"),
        _ref("coder_id", "coder.id"),
        _ref("task_id", "task.id"),
        _ref("item_id", "item.id"),
        sa.Column("question", sa.String(64), nullable=False),
        _text("answer", optional=True),
        sa.Column("unsure", sa.Boolean, nullable=False),
        _text("note", optional=True),
        sa.Column("origin", sa.String(10), nullable=False),
        _number("manual_version"),
        _number("duration", optional=True),
        _number("client_time"),
        _number("server_time"),
        _number("moment"),
        sa.UniqueConstraint("coder_id", "uuid"),
    )
    op.create_index("event_by_task", "event", ["task_id"])
    op.create_index("event_by_coder", "event", ["campaign_id", "coder_id", "task_id", "question"])


def _leader_tables() -> None:
    op.create_table(
        "adjudication",
        _key(),
        sa.Column("uuid", sa.String(36), nullable=False),
        _ref("campaign_id", "campaign.id"),
        _ref("item_id", "item.id"),
        sa.Column("question", sa.String(64), nullable=False),
        _text("answer", optional=True),
        _text("reason"),
        _ref("coder_id", "coder.id"),
        _number("server_time"),
        sa.UniqueConstraint("campaign_id", "uuid"),
    )
    op.create_index("adjudication_by_item", "adjudication", ["campaign_id", "item_id", "question"])
    op.create_table(
        "closing",
        _key(),
        _ref("campaign_id", "campaign.id"),
        sa.Column("round_id", sa.Integer, sa.ForeignKey("round.id"), nullable=True),
        _text("part", optional=True),
        sa.Column("closed", sa.Boolean, nullable=False),
        _number("server_time"),
    )


def _access_tables() -> None:
    op.create_table(
        "invitation",
        _key(),
        _ref("coder_id", "coder.id"),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        _number("created"),
        _number("revoked", optional=True),
    )
    op.create_table(
        "session",
        _key(),
        _ref("coder_id", "coder.id"),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        _number("created"),
        _number("expires"),
        _number("revoked", optional=True),
    )


def _guard_logs() -> None:
    postgres = op.get_bind().dialect.name == "postgresql"
    if postgres:
        op.execute(
            "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'this log is append-only'; END $$"
        )
    for log in LOGS:
        for act in ("UPDATE", "DELETE"):
            body = (
                "EXECUTE FUNCTION refuse_change()"
                if postgres
                else "BEGIN SELECT RAISE(ABORT, 'this log is append-only'); END"
            )
            op.execute(f"CREATE TRIGGER {log}_no_{act.lower()} BEFORE {act} ON {log} FOR EACH ROW {body}")


def _key() -> "sa.Column[int]":
    return sa.Column("id", sa.Integer, primary_key=True, autoincrement=True)


def _ref(name: str, target: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer, sa.ForeignKey(target), nullable=False)


def _text(name: str, *, optional: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text, nullable=optional)


def _number(name: str, *, optional: bool = False) -> "sa.Column[int]":
    return sa.Column(name, sa.BigInteger, nullable=optional)
