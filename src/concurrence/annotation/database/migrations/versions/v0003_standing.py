"""Who stands where, as a table that a trigger keeps; what coders see of an item, made once; coders who left."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# A later row with the same moment is the newer one, as in the view. What the trigger does today stands in
# ``database/standing.py``; this text stays as it was released.
UPSERT = """
INSERT INTO standing (campaign_id, coder_id, task_id, question, event_id, item_id, answer, unsure, note,
                      manual_version, client_time, server_time, moment)
VALUES (NEW.campaign_id, NEW.coder_id, NEW.task_id, NEW.question, NEW.id, NEW.item_id, NEW.answer, NEW.unsure, NEW.note,
        NEW.manual_version, NEW.client_time, NEW.server_time, NEW.moment)
ON CONFLICT (campaign_id, coder_id, task_id, question) DO UPDATE
SET event_id = excluded.event_id, item_id = excluded.item_id, answer = excluded.answer, unsure = excluded.unsure,
    note = excluded.note, manual_version = excluded.manual_version, client_time = excluded.client_time,
    server_time = excluded.server_time, moment = excluded.moment
WHERE excluded.moment >= standing.moment
"""

BUILD = """
INSERT INTO standing (campaign_id, coder_id, task_id, question, event_id, item_id, answer, unsure, note,
                      manual_version, client_time, server_time, moment)
SELECT campaign_id, coder_id, task_id, question, id, item_id, answer, unsure, note,
       manual_version, client_time, server_time, moment
FROM (
    SELECT event.*, row_number() OVER (
        PARTITION BY campaign_id, coder_id, task_id, question ORDER BY moment DESC, id DESC
    ) AS recency
    FROM event
) AS ranked
WHERE recency = 1
"""


def upgrade() -> None:
    """Make the table from the log, and the trigger that keeps it."""
    op.add_column("item", sa.Column("shown", sa.Text, nullable=True))
    op.add_column("coder", sa.Column("removed", sa.BigInteger, nullable=True))
    op.create_index("event_by_moment", "event", ["coder_id", "moment"])
    _standing_table()
    op.execute(BUILD)
    _keep_standing()


def _standing_table() -> None:
    op.create_table(
        "standing",
        *(
            sa.Column(f"{name}_id", sa.Integer, sa.ForeignKey(f"{name}.id"), primary_key=True)
            for name in ("campaign", "coder", "task")
        ),
        sa.Column("question", sa.String(64), primary_key=True),
        sa.Column("event_id", sa.Integer, sa.ForeignKey("event.id"), nullable=False),
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), nullable=False),
        sa.Column("answer", sa.Text, nullable=True),
        sa.Column("unsure", sa.Boolean, nullable=False),
        sa.Column("note", sa.Text, nullable=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("manual_version", "client_time", "server_time", "moment")
        ),
    )
    op.create_index("standing_by_item", "standing", ["item_id"])
    op.create_index("standing_by_event", "standing", ["event_id"])


def _keep_standing() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"CREATE TRIGGER event_stands AFTER INSERT ON event FOR EACH ROW BEGIN {UPSERT}; END")
        return
    op.execute(
        f"CREATE FUNCTION keep_standing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {UPSERT}; RETURN NULL; END $$"
    )
    op.execute("CREATE TRIGGER event_stands AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION keep_standing()")
