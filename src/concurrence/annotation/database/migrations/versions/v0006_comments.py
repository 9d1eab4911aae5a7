"""Comments on items, where a campaign allows them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "comment",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        *(
            sa.Column(f"{name}_id", sa.Integer, sa.ForeignKey(f"{name}.id"), nullable=False)
            for name in ("campaign", "item", "coder")
        ),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("client_time", sa.BigInteger, nullable=False),
        sa.Column("server_time", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("coder_id", "uuid"),
    )
    op.create_index("comment_by_item", "comment", ["item_id"])
