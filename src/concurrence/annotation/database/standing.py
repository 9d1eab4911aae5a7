"""Which answers are in force: the table ``standing``, the trigger that keeps it, and the only query that reads it.

Of every coder, task and question, the newest event of the log is in force, unless it withdraws the answer. Newest is
the one with the highest ``moment``, and of two with the same moment the later row.

The way of a decision: ``record`` in ``decisions/events.py`` appends it to ``event``; the trigger runs ``KEEP_STANDING``
in the same transaction, so that no writer can forget it; whatever shows answers asks ``answers_in_force``: the coder's
page by ``decisions/coder_part.py``, the leader's pages by ``decisions/current_answers.py``, exports by
``decisions/outcomes.py``. Follow-ups need no rule here: ``record`` withdraws those that lost their condition, by events
of their own.

``replay_log`` reads the same from the log alone, the slow and obvious way; ``concur doctor --db`` compares the two.
"""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, text

from concurrence.annotation.database.schema import CAMPAIGN, CODER, EVENT, ITEM, STANDING, TASK

KEEP_STANDING = """
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
"""What the trigger ``event_stands`` does after every new row of ``event``. Migration 0003 made it; to change it takes a
new migration, and a test compares a migrated database with this text."""

SQLITE_TRIGGER = f"CREATE TRIGGER event_stands AFTER INSERT ON event FOR EACH ROW BEGIN {KEEP_STANDING}; END"
POSTGRES_BODY = f" BEGIN {KEEP_STANDING}; RETURN NULL; END "
POSTGRES_TRIGGER = (
    f"CREATE OR REPLACE FUNCTION keep_standing() RETURNS trigger LANGUAGE plpgsql AS $${POSTGRES_BODY}$$",
    "CREATE TRIGGER event_stands AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION keep_standing()",
)

NAMES = tuple(STANDING.columns.keys())
KEY_SIZE = 4  # campaign, coder, task and question come first among the columns
CHUNK = 5000

Row = tuple[Any, ...]


def answers_in_force(*columns: ColumnElement[Any]) -> Select[Any]:
    """A query for columns of the answers in force, and of tables that are joined to ``standing``."""
    return select(*columns).select_from(STANDING).where(STANDING.c.answer.is_not(None))


def changed_tasks(campaign_id: int, since: int) -> Select[Any]:
    """A query for the tasks on which an answer was given or withdrawn after an event of this number."""
    later = (STANDING.c.event_id > since) & (STANDING.c.campaign_id == campaign_id)
    return select(STANDING.c.task_id).where(later).distinct()


def has_every_answer(connection: Connection) -> bool:
    """Whether the table has a row for each coder, task and question of the log, as many as there are and no more."""
    keys = select(*(EVENT.c[name] for name in NAMES[:KEY_SIZE])).distinct()
    if connection.dialect.name == "sqlite":  # from the table itself, since an index may be what is damaged
        keys = select(*(text(name) for name in NAMES[:KEY_SIZE])).select_from(text("event NOT INDEXED")).distinct()
    counts = [select(func.count()).select_from(one).scalar_subquery() for one in (keys.subquery(), STANDING)]
    log, table = connection.execute(select(*counts)).one()
    return bool(log == table)


def replay_log(connection: Connection) -> dict[Row, Row]:
    """The rows that ``standing`` must have, by their keys: each event takes the place of the one before."""
    columns = [EVENT.c.id if name == "event_id" else EVENT.c[name] for name in NAMES]
    events = connection.execute(select(*columns).order_by(EVENT.c.moment, EVENT.c.id))
    return {tuple(event[:KEY_SIZE]): tuple(event) for event in events}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row of the table that the log has otherwise: missing, surplus, or changed in some columns."""

    campaign: str
    coder: str
    item: str
    question: str
    kind: Literal["missing", "surplus", "changed"]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingCheck:
    """The table ``standing`` against the log, and whether its trigger is there as it should be."""

    events: int
    answers: int
    differences: int
    first: tuple[Difference, ...]
    trigger: bool

    @property
    def passed(self) -> bool:
        return self.trigger and not self.differences


def check_standing(connection: Connection, *, most: int = 5) -> StandingCheck:
    """Compare the table with the log, and name the first places at which they differ."""
    log = replay_log(connection)
    table = {tuple(row[:KEY_SIZE]): tuple(row) for row in connection.execute(select(STANDING))}
    keys = sorted(key for key in log.keys() | table.keys() if log.get(key) != table.get(key))
    return StandingCheck(
        events=int(connection.execute(select(func.count()).select_from(EVENT)).scalar() or 0),
        answers=sum(row[NAMES.index("answer")] is not None for row in log.values()),
        differences=len(keys),
        first=tuple(_difference(connection, key, table.get(key), log.get(key)) for key in keys[:most]),
        trigger=has_trigger(connection),
    )


def rebuild_standing(connection: Connection) -> None:
    """Make the table again from the log, and the trigger too where it is not as it should be."""
    rows = [dict(zip(NAMES, row, strict=True)) for row in replay_log(connection).values()]
    connection.execute(delete(STANDING))
    for start in range(0, len(rows), CHUNK):
        connection.execute(insert(STANDING), rows[start : start + CHUNK])
    if not has_trigger(connection):
        sqlite = connection.dialect.name == "sqlite"
        connection.execute(text(f"DROP TRIGGER IF EXISTS event_stands{'' if sqlite else ' ON event'}"))
        for statement in (SQLITE_TRIGGER,) if sqlite else POSTGRES_TRIGGER:
            connection.execute(text(statement))


def has_trigger(connection: Connection) -> bool:
    """Whether the database runs ``KEEP_STANDING`` after every new event."""
    if connection.dialect.name == "sqlite":
        query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'event_stands'"
        return bool(connection.execute(text(query)).scalar() == SQLITE_TRIGGER)
    query = (
        "SELECT prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
        "WHERE tgrelid = 'event'::regclass AND tgname = 'event_stands' AND tgenabled = 'O'"
    )
    return bool(connection.execute(text(query)).scalar() == POSTGRES_BODY)


def _difference(connection: Connection, key: Row, table: Row | None, log: Row | None) -> Difference:
    campaign, coder, task, question = key
    item = select(ITEM.c.key).join(TASK, TASK.c.item_id == ITEM.c.id).where(TASK.c.id == task)
    pairs = zip(NAMES, table or (), log or (), strict=False)
    return Difference(
        campaign=_name(connection, select(CAMPAIGN.c.name).where(CAMPAIGN.c.id == campaign), campaign),
        coder=_name(connection, select(CODER.c.name).where(CODER.c.id == coder), coder),
        item=_name(connection, item, task),
        question=question,
        kind="missing" if table is None else "surplus" if log is None else "changed",
        columns=tuple(name for name, one, other in pairs if one != other),
    )


def _name(connection: Connection, query: Select[Any], number: int) -> str:
    """A name; the number in the database where there is none, since a surplus row may name what does not exist."""
    return str(connection.execute(query).scalar() or f"number {number}")
