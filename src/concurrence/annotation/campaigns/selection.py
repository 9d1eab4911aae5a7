"""Rows that are copied from one database to another: all, those of one campaign, or what was there after an event."""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Select, Table, and_, delete, func, insert, select, true
from sqlalchemy.exc import DBAPIError

from concurrence.annotation.database.digests import (
    DigestSum,
    TableDigest,
    highest_numbers,
    keep_numbers,
    table_digest,
)
from concurrence.annotation.database.schema import (
    CODER,
    EVENT,
    INSTALLATION,
    METADATA,
    ROUND,
    ROUND_ITEM,
    SECURITY_LOG,
    STANDING,
)
from concurrence.annotation.database.store import database_problem
from concurrence.core.errors import InvalidInputError

CHUNK = 5000
FRESH = (INSTALLATION, SECURITY_LOG)
"""What a new database writes about itself; a copy has the rows of the old one in place of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSelection:
    """The rows of one campaign or of all, and of the logs all or those up to an event and its time.

    ``without`` are tables that are left out; what stands is made anew by the events. ``blank`` is set in every row of a
    table, by its name.
    """

    campaign_id: int | None = None
    event: int | None = None
    time: int | None = None
    without: tuple[Table, ...] = ()
    blank: dict[str, dict[str, Any]] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """The tables with such rows, those first that others refer to."""
        left_out = (STANDING, *self.without)
        return [
            table for table in METADATA.sorted_tables if table not in left_out and self._condition(table) is not None
        ]

    def query(self, table: Table) -> Select[Any]:
        return select(table).where(self._condition(table)).order_by(*table.primary_key.columns)

    def count(self, table: Table) -> Select[Any]:
        return select(func.count()).select_from(table).where(self._condition(table))

    def _condition(self, table: Table) -> Any:
        mine = true() if self.campaign_id is None else rows_of_campaign(table, self.campaign_id)
        if mine is None or self.event is None:
            return mine
        if table is EVENT:
            return and_(mine, EVENT.c.id <= self.event)
        return and_(mine, table.c.server_time <= self.time) if "server_time" in table.c else mine


def rows_of_campaign(table: Table, campaign_id: int) -> Any:
    """The condition that a row is one campaign's; nothing for tables of the whole database."""
    people = select(CODER.c.id).where(CODER.c.campaign_id == campaign_id)
    if table.name == "campaign":
        return table.c.id == campaign_id
    if "campaign_id" in table.c:
        return table.c.campaign_id == campaign_id
    if table is ROUND_ITEM:
        return table.c.round_id.in_(select(ROUND.c.id).where(ROUND.c.campaign_id == campaign_id))
    return table.c.coder_id.in_(people) if "coder_id" in table.c else None


def selection_until(connection: Connection, event: int, *, where: str) -> RowSelection:
    """What was recorded up to an event of a database, by the number that ``--events`` exports."""
    first, last = connection.execute(select(func.min(EVENT.c.id), func.max(EVENT.c.id))).one()
    if first is None:
        raise InvalidInputError(f"{where} has no events; leave out --until-event.")
    if not first <= event <= last:
        raise InvalidInputError(f"{where} has no event {event}; its events are {first} to {last}.")
    time = connection.execute(select(func.max(EVENT.c.server_time)).where(EVENT.c.id <= event)).scalar()
    return RowSelection(event=event, time=time)


def copy_rows(source: Connection, target: Connection, selection: RowSelection) -> dict[str, TableDigest]:
    """Copy rows as they are, numbers included; gives the digests of what was read."""
    digests = {}
    for table in selection.tables():
        if table in FRESH:
            target.execute(delete(table))
        total, blank = DigestSum(), selection.blank.get(table.name, {})
        rows = source.execute(selection.query(table).execution_options(yield_per=CHUNK)).mappings()
        for some in rows.partitions(CHUNK):
            entries = [{**row, **blank} for row in some]
            total.add(entry.values() for entry in entries)
            _insert(target, table, entries)
        digests[table.name] = total.digest()
    keep_numbers(target, highest_numbers(source))
    return digests


def selected_digests(connection: Connection, selection: RowSelection) -> dict[str, TableDigest]:
    """The digests of the same rows where they were copied to."""
    return {table.name: table_digest(connection, selection.query(table)) for table in selection.tables()}


def _insert(target: Connection, table: Table, entries: list[dict[str, Any]]) -> None:
    try:
        target.execute(insert(table), entries)
    except DBAPIError as error:
        problem = database_problem(error, target.engine.url)
        reason = str(error.orig).strip().splitlines()[0]
        raise problem or InvalidInputError(
            f"Rows of the table {table.name} cannot be stored in this database ({reason}); "
            "restore the backup into a new one, named with --db."
        ) from error
