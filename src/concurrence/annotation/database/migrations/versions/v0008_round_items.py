"""Which items a round has, also those that are nobody's task any more since their coder left."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

FROM_TASKS = "INSERT INTO round_item (round_id, item_id) SELECT DISTINCT round_id, item_id FROM task"
# Nobody knows any more which round an item without a task came in with; most campaigns have one.
LEFT_OVER = """
INSERT INTO round_item (round_id, item_id)
SELECT (SELECT max(round.id) FROM round WHERE round.campaign_id = item.campaign_id), item.id
FROM item
WHERE NOT EXISTS (SELECT 1 FROM task WHERE task.item_id = item.id)
  AND EXISTS (SELECT 1 FROM round WHERE round.campaign_id = item.campaign_id)
"""


def upgrade() -> None:
    """Make the table from the tasks."""
    op.create_table(
        "round_item",
        sa.Column("round_id", sa.Integer, sa.ForeignKey("round.id"), primary_key=True),
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), primary_key=True),
    )
    op.create_index("round_item_by_item", "round_item", ["item_id"])
    op.execute(FROM_TASKS)
    op.execute(LEFT_OVER)
