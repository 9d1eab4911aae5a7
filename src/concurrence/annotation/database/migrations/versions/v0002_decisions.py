"""What stands, as a view: of every coder, task and question the newest event, where it holds an answer."""

from alembic import op

revision = "0002"
down_revision = "0001"

# The campaign and the coder stand in the partition so that both databases can push a filter on them inside.
DECISION = """
CREATE VIEW decision AS
SELECT id, uuid, campaign_id, coder_id, task_id, item_id, question, answer, unsure, note, origin, manual_version,
       duration, client_time, server_time, moment
FROM (
    SELECT event.*, row_number() OVER (
        PARTITION BY campaign_id, coder_id, task_id, question ORDER BY moment DESC, id DESC
    ) AS recency
    FROM event
) AS ranked
WHERE recency = 1 AND answer IS NOT NULL
"""


def upgrade() -> None:
    """Make the view."""
    op.execute(DECISION)
