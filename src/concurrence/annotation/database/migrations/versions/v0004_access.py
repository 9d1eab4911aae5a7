"""Links that can expire or work once, sessions with limits, the fingerprint of the secret, and the security log."""

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns and tables; sessions that are open count as seen now, so that nobody is signed out."""
    op.add_column("invitation", sa.Column("expires", sa.BigInteger, nullable=True))
    op.add_column("invitation", sa.Column("once", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("invitation", sa.Column("used", sa.BigInteger, nullable=True))
    op.add_column("session", sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("session", sa.Column("device", sa.Text, nullable=True))
    op.add_column("session", sa.Column("address", sa.Text, nullable=True))
    session = sa.table("session", sa.column("seen"))
    op.get_bind().execute(session.update().values(seen=time.time_ns() // 1_000_000))
    _tables()


def _tables() -> None:
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=True),
    )
    op.get_bind().execute(installation.insert().values(name=secrets.token_hex(4)))
    op.create_table(
        "security_log",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("time", sa.BigInteger, nullable=False),
        sa.Column("act", sa.String(20), nullable=False),
        sa.Column("campaign", sa.Text, nullable=True),
        sa.Column("person", sa.Text, nullable=True),
        sa.Column("address", sa.Text, nullable=True),
        sa.Column("detail", sa.Text, nullable=True),
    )
