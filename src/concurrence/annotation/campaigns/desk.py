"""The leader's desk: people who come, leave or take over; more items; a backup; the end of a campaign.

Nothing here touches a decision: who leaves keeps theirs, and who takes over goes on with what was not done.
"""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text, true, update

from concurrence.annotation.campaigns.assignment import deal
from concurrence.annotation.campaigns.campaign import (
    Campaign,
    active_people,
    check_items,
    coders_of,
    find_coder,
    find_round,
    give_out,
    insert_person,
    rounds_of,
    store_items,
)
from concurrence.annotation.campaigns.items import EVERYONE, Item
from concurrence.annotation.database.schema import CODER, EVENT, INVITATION, ITEM, METADATA, SESSION, STANDING, TASK
from concurrence.annotation.database.standing import answers_in_force
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.people.access import revoke
from concurrence.core.errors import InvalidInputError, UnknownNameError

LOGS = ("event", "adjudication", "closing")
DOOR = (INVITATION, SESSION)
CHUNK = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Staffed:
    """Who came or left: how many items each has to judge now, how many stay with who left, and how many links ended."""

    campaign: str
    coder: str
    replaces: str | None = None
    items: int = 0
    kept: int = 0
    links_ended: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """How many items were new, and how many each person got."""

    campaign: str
    round: str
    items: int
    tasks: dict[str, int] = field(default_factory=dict)


def add_coder(
    connection: Connection,
    campaign: Campaign,
    name: str,
    *,
    part: str | None = None,
    round_name: str | None = None,
    expert: bool = False,
) -> Staffed:
    """Add a coder with the items of a part and those that everyone judges, or an expert with all items.

    A coder who was removed comes back under the same name.
    """
    round_name = round_name or rounds_of(connection, campaign)[-1].name
    round_id = find_round(connection, campaign, round_name)
    wanted = (
        select(ITEM.c.id, ITEM.c.part)
        .join(TASK, TASK.c.item_id == ITEM.c.id)
        .where(TASK.c.round_id == round_id)
        .distinct()
        .order_by(ITEM.c.id)
    )
    items = connection.execute(wanted).all()
    parts = {row.part for row in items}
    wanted_parts = parts if expert else _parts(parts, part)
    mine = [row.id for row in items if row.part in wanted_parts]
    person = _person(connection, campaign, name, "expert" if expert else "coder")
    given = give_out(connection, person, round_id, mine, seed=f"{person.seed}/{round_name}")
    return Staffed(campaign=campaign.name, coder=person.name, items=given)


def _parts(known: set[str], wanted: str | None) -> set[str]:
    named = sorted(known - {EVERYONE}, key=lambda part: (len(part), part))
    if wanted is None and named:
        raise InvalidInputError(
            f"The items have the parts {', '.join(named)}; name one with --part, or the overlap alone with --part all."
        )
    if wanted not in (None, EVERYONE, *named):
        raise UnknownNameError("part", str(wanted), [*named, EVERYONE])
    return {EVERYONE} | ({wanted} if wanted else set())


def _person(connection: Connection, campaign: Campaign, name: str, role: str) -> Any:
    for person in coders_of(connection, campaign):
        if person.name == name and person.removed is not None:
            connection.execute(update(CODER).where(CODER.c.id == person.id).values(removed=None))
            return person
    insert_person(connection, campaign, name, role)
    return find_coder(connection, campaign, name)


def remove_coder(connection: Connection, campaign: Campaign, name: str) -> Staffed:
    """Remove a coder: the links end, the decisions stay, and what was not begun is nobody's task any more."""
    person = _leaving(connection, campaign, name)
    connection.execute(delete(TASK).where(TASK.c.id.in_(_untouched(person.id))))
    kept = _task_count(connection, person.id)
    return Staffed(campaign=campaign.name, coder=person.name, kept=kept, links_ended=_end(connection, campaign, person))


def succeed(connection: Connection, campaign: Campaign, old: str, new: str) -> Staffed:
    """Let a new coder go on where another left: all tasks that are not done, in their order; nothing is lost."""
    person = _leaving(connection, campaign, old)
    insert_person(connection, campaign, new, person.role)
    successor = find_coder(connection, campaign, new)
    begun = _begun(connection, campaign, person)
    moved = connection.execute(
        update(TASK).where(TASK.c.id.in_(_untouched(person.id))).values(coder_id=successor.id)
    ).rowcount
    if begun:
        names = ("round_id", "item_id", "position", "repeat")
        rows = connection.execute(select(TASK).where(TASK.c.id.in_(begun))).all()
        again = [{"coder_id": successor.id, **{name: getattr(row, name) for name in names}} for row in rows]
        connection.execute(insert(TASK), again)
    return Staffed(
        campaign=campaign.name,
        coder=successor.name,
        replaces=person.name,
        items=moved + len(begun),
        kept=_task_count(connection, person.id),
        links_ended=_end(connection, campaign, person),
    )


def _leaving(connection: Connection, campaign: Campaign, name: str) -> Any:
    person = find_coder(connection, campaign, name)
    if person.role not in ("coder", "expert"):
        raise InvalidInputError(f"{person.name!r} is not a coder but a {person.role} of the campaign.")
    if person.removed is not None:
        raise InvalidInputError(f"{person.name!r} was removed from the campaign already.")
    return person


def _untouched(coder_id: int) -> Any:
    """The tasks of a coder without any event."""
    touched = select(EVENT.c.task_id).where(EVENT.c.coder_id == coder_id)
    return select(TASK.c.id).where(TASK.c.coder_id == coder_id, TASK.c.id.not_in(touched))


def _begun(connection: Connection, campaign: Campaign, person: Any) -> list[int]:
    """The tasks of a coder that were touched and are not done."""
    wanted = select(EVENT.c.task_id).where(EVENT.c.coder_id == person.id).distinct()
    answers: dict[int, dict[str, str]] = {task: {} for task in connection.execute(wanted).scalars()}
    given = answers_in_force(STANDING.c.task_id, STANDING.c.question, STANDING.c.answer)
    for row in connection.execute(given.where(STANDING.c.coder_id == person.id)):
        answers[row.task_id][row.question] = row.answer
    return [task for task, given in answers.items() if not campaign.questionnaire.complete(given)]


def _task_count(connection: Connection, coder_id: int) -> int:
    return int(connection.execute(select(func.count()).where(TASK.c.coder_id == coder_id)).scalar() or 0)


def _end(connection: Connection, campaign: Campaign, person: Any) -> int:
    connection.execute(update(CODER).where(CODER.c.id == person.id).values(removed=now()))
    return revoke(connection, campaign, person.name)


def add_items(
    connection: Connection,
    campaign: Campaign,
    items: Sequence[Item],
    *,
    round_name: str | None = None,
    each_item: int | None = None,
) -> Added:
    """Add items to a round, by default the newest; they come last in the order of each person who gets them.

    Items of part ``all`` go to everyone, those of a part to the coders who have items of that part already.
    """
    round_name = round_name or rounds_of(connection, campaign)[-1].name
    round_id = find_round(connection, campaign, round_name)
    check_items(campaign, items, round_name)
    before = connection.execute(select(func.count()).where(ITEM.c.campaign_id == campaign.id)).scalar() or 0
    ids = store_items(connection, campaign, items)
    people = active_people(connection, campaign, "coder", "expert")
    coders = [person for person in people if person.role == "coder"]
    if each_item is not None:
        dealt = deal(items, [person.name for person in coders], each_item=each_item, seed=campaign.seed)
    else:
        parts = {person.name: _own_parts(connection, person.id) for person in coders}
        _check_parts(items, parts)
        dealt = {name: [n for n, item in enumerate(items) if item.part in own] for name, own in parts.items()}
    everything = list(range(len(items)))
    given = {
        person.name: give_out(
            connection,
            person,
            round_id,
            [ids[n] for n in dealt.get(person.name, everything)],
            seed=f"{person.seed}/{round_name}/{before}",
        )
        for person in people
    }
    after = connection.execute(select(func.count()).where(ITEM.c.campaign_id == campaign.id)).scalar() or 0
    return Added(campaign=campaign.name, round=round_name, items=after - before, tasks=given)


def _own_parts(connection: Connection, coder_id: int) -> set[str]:
    wanted = select(ITEM.c.part).join(TASK, TASK.c.item_id == ITEM.c.id).where(TASK.c.coder_id == coder_id).distinct()
    return {EVERYONE, *connection.execute(wanted).scalars()}


def _check_parts(items: Sequence[Item], parts: dict[str, set[str]]) -> None:
    known = {part for own in parts.values() for part in own}
    for item in items:
        if item.part not in known:
            raise InvalidInputError(
                f"Item {item.key!r} belongs to part {item.part!r}, which no coder has. "
                f"Known parts: {', '.join(sorted(known))}."
            )


def back_up(store: Store, path: Path, *, campaign: Campaign | None = None) -> Path:
    """Write a consistent copy of the whole database to a new SQLite file, while a server may be running on it.

    The copy of one campaign has nothing of others, nor links, sessions, organisers and the security log.
    """
    if path.exists():
        raise InvalidInputError(f"{path} already exists; choose another file for the backup.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if store.path is not None and campaign is None:
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            store.read(lambda connection: _copy_file(connection, unfinished))
        else:
            with Store(unfinished) as copy:
                store.read(lambda connection: _copy_tables(connection, copy, campaign))
        unfinished.rename(path)
    except OSError as error:
        raise InvalidInputError(f"Cannot write the backup {path}: {error.strerror}.") from error
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{unfinished}{end}").unlink(missing_ok=True)
    return path


def _copy_file(connection: Connection, path: Path) -> None:
    source: Any = connection.connection.driver_connection
    with closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _copy_tables(connection: Connection, copy: Store, campaign: Campaign | None) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    for table in METADATA.sorted_tables:
        mine = true() if campaign is None else _of_campaign(table, campaign)
        if table is STANDING or mine is None or (campaign is not None and table in DOOR):
            continue  # what stands is made anew by the events
        copy.write(partial(_emptied, table=table))  # a new database names itself, and the copy has the name of the old
        rows = connection.execute(select(table).where(mine).order_by(*table.primary_key.columns)).mappings()
        apart = {"organiser_id": None} if campaign is not None and table is CODER else {}
        while some := [{**row, **apart} for row in rows.fetchmany(CHUNK)]:
            copy.write(partial(_add_rows, table=table, rows=some))


def _emptied(connection: Connection, *, table: Table) -> None:
    connection.execute(delete(table))


def _add_rows(connection: Connection, *, table: Table, rows: list[dict[str, Any]]) -> None:
    connection.execute(insert(table), rows)


def delete_campaign(connection: Connection, campaign: Campaign) -> None:
    """Delete a campaign with everything in it, decisions and rulings too."""
    with_logs = _unguarded(connection)
    for table in reversed(METADATA.sorted_tables):
        if (mine := _of_campaign(table, campaign)) is not None:
            connection.execute(delete(table).where(mine))
    for statement in with_logs:
        connection.execute(text(statement))


def _of_campaign(table: Table, campaign: Campaign) -> Any:
    people = select(CODER.c.id).where(CODER.c.campaign_id == campaign.id)
    if table.name == "campaign":
        return table.c.id == campaign.id
    if "campaign_id" in table.c:
        return table.c.campaign_id == campaign.id
    return table.c.coder_id.in_(people) if "coder_id" in table.c else None


def _unguarded(connection: Connection) -> list[str]:
    """Let the logs be deleted from for the rest of the transaction; gives the statements that guard them again."""
    if connection.dialect.name == "postgresql":
        for log in LOGS:
            connection.execute(text(f"ALTER TABLE {log} DISABLE TRIGGER {log}_no_delete"))
        return [f"ALTER TABLE {log} ENABLE TRIGGER {log}_no_delete" for log in LOGS]
    wanted = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_no_delete'"
    triggers = connection.execute(text(wanted)).all()
    for trigger in triggers:
        connection.execute(text(f"DROP TRIGGER {trigger.name}"))
    return [trigger.sql for trigger in triggers]
