"""People who make campaigns, with links and sessions of their own; pictures of manuals, and why a manual changed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add organisers, let links and sessions belong to one of them, and keep pictures and notes with manuals."""
    op.create_table(
        "organiser",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "picture",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("campaign_id", sa.Integer, sa.ForeignKey("campaign.id"), nullable=False),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.add_column("manual", sa.Column("note", sa.Text, nullable=True))
    # SQLite takes a reference to another table only in the column's own definition.
    op.execute("ALTER TABLE coder ADD COLUMN organiser_id INTEGER REFERENCES organiser (id)")
    for table, columns in (("invitation", _invitation()), ("session", _session())):
        _own_or_organised(table, columns)


def _own_or_organised(table: str, columns: "list[sa.Column[int] | sa.Column[str] | sa.Column[bool]]") -> None:
    """Let a row belong to an organiser instead of a coder; SQLite has to copy the table for it."""
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column(table, "coder_id", nullable=True)
        op.add_column(table, sa.Column("organiser_id", sa.Integer, sa.ForeignKey("organiser.id"), nullable=True))
        return
    names = ", ".join(["id", "coder_id", *(column.name for column in columns)])
    op.create_table(
        f"new_{table}",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("coder_id", sa.Integer, sa.ForeignKey("coder.id"), nullable=True),
        *columns,
        sa.Column("organiser_id", sa.Integer, sa.ForeignKey("organiser.id"), nullable=True),
    )
    op.execute(f"INSERT INTO new_{table} ({names}) SELECT {names} FROM {table}")  # noqa: S608 - names of our own
    op.drop_table(table)
    op.rename_table(f"new_{table}", table)


def _invitation() -> "list[sa.Column[int] | sa.Column[str] | sa.Column[bool]]":
    return [
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger, nullable=True),
        sa.Column("expires", sa.BigInteger, nullable=True),
        sa.Column("once", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("used", sa.BigInteger, nullable=True),
    ]


def _session() -> "list[sa.Column[int] | sa.Column[str] | sa.Column[bool]]":
    return [
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger, nullable=True),
        sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("device", sa.Text, nullable=True),
        sa.Column("address", sa.Text, nullable=True),
    ]
