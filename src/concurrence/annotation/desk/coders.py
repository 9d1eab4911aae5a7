"""People who come, leave or take over in a campaign that runs.

Nothing here touches a decision: who leaves keeps theirs, and who takes over goes on with what was not done.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from concurrence.annotation.campaigns.campaign import (
    Campaign,
    coders_of,
    find_coder,
    find_round,
    give_out,
    insert_person,
    round_items,
    rounds_of,
)
from concurrence.annotation.campaigns.items import EVERYONE
from concurrence.annotation.campaigns.training import TRAINED, training_round
from concurrence.annotation.database.schema import CODER, EVENT, STANDING, TASK
from concurrence.annotation.database.standing import answers_in_force
from concurrence.annotation.database.store import now
from concurrence.annotation.people.access import revoke
from concurrence.core.errors import InvalidInputError, UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderChange:
    """Who came or left: how many items each has to judge now, how many stay with who left, and how many links ended."""

    campaign: str
    coder: str
    replaces: str | None = None
    items: int = 0
    kept: int = 0
    links_ended: int = 0


def add_coder(
    connection: Connection,
    campaign: Campaign,
    name: str,
    *,
    part: str | None = None,
    round_name: str | None = None,
    expert: bool = False,
) -> CoderChange:
    """Add a coder with the items of a part and those that everyone judges, or an expert with all items.

    Items that are nobody's task any more are among them. A coder who was removed comes back under the same name.
    """
    round_name = round_name or rounds_of(connection, campaign)[-1].name
    round_id = find_round(connection, campaign, round_name)
    items = round_items(connection, round_id)
    parts = {row.part for row in items}
    wanted_parts = parts if expert else _parts(parts, part)
    mine = [row.id for row in items if row.part in wanted_parts]
    person = _person(connection, campaign, name, "expert" if expert else "coder")
    count = give_out(connection, person, round_id, mine, seed=f"{person.seed}/{round_name}")
    count += _give_training(connection, campaign, person)
    return CoderChange(campaign=campaign.name, coder=person.name, items=count)


def _give_training(connection: Connection, campaign: Campaign, person: Any) -> int:
    """The items of the training round for who came later, since the other rounds open only after it."""
    round_id = training_round(connection, campaign)
    if round_id is None or person.role != TRAINED:
        return 0
    items = [row.id for row in round_items(connection, round_id)]
    return give_out(connection, person, round_id, items, seed=f"{person.seed}/training")


def _parts(parts: set[str], part_name: str | None) -> set[str]:
    named = sorted(parts - {EVERYONE}, key=lambda part: (len(part), part))
    if part_name is None and named:
        raise InvalidInputError(
            f"The items have the parts {', '.join(named)}; name one with --part, or the overlap alone with --part all."
        )
    if part_name not in (None, EVERYONE, *named):
        raise UnknownNameError("part", str(part_name), [*named, EVERYONE])
    return {EVERYONE} | ({part_name} if part_name else set())


def _person(connection: Connection, campaign: Campaign, name: str, role: str) -> Any:
    for person in coders_of(connection, campaign):
        if person.name == name and person.removed is not None:
            connection.execute(update(CODER).where(CODER.c.id == person.id).values(removed=None))
            return person
    insert_person(connection, campaign, name, role)
    return find_coder(connection, campaign, name)


def remove_coder(connection: Connection, campaign: Campaign, name: str) -> CoderChange:
    """Remove a coder: the links end, the decisions stay, and what was not begun is nobody's task any more."""
    person = _leaving(connection, campaign, name)
    connection.execute(delete(TASK).where(TASK.c.id.in_(_untouched(person.id))))
    kept = _task_count(connection, person.id)
    return CoderChange(
        campaign=campaign.name, coder=person.name, kept=kept, links_ended=_end(connection, campaign, person)
    )


def replace_coder(connection: Connection, campaign: Campaign, old: str, new: str) -> CoderChange:
    """Let a new coder go on where another left: all tasks that are not done, in their order; nothing is lost.

    Of a training round, the new coder has all items: nobody passes it for another.
    """
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
    trained = _give_training(connection, campaign, successor)
    return CoderChange(
        campaign=campaign.name,
        coder=successor.name,
        replaces=person.name,
        items=moved + len(begun) + trained,
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
    touched = select(EVENT.c.task_id).where(EVENT.c.coder_id == person.id).distinct()
    answers: dict[int, dict[str, str]] = {task: {} for task in connection.execute(touched).scalars()}
    current = answers_in_force(STANDING.c.task_id, STANDING.c.question, STANDING.c.answer)
    for row in connection.execute(current.where(STANDING.c.coder_id == person.id)):
        answers[row.task_id][row.question] = row.answer
    return [task for task, current in answers.items() if not campaign.questionnaire.complete(current)]


def _task_count(connection: Connection, coder_id: int) -> int:
    return int(connection.execute(select(func.count()).where(TASK.c.coder_id == coder_id)).scalar() or 0)


def _end(connection: Connection, campaign: Campaign, person: Any) -> int:
    connection.execute(update(CODER).where(CODER.c.id == person.id).values(removed=now()))
    return revoke(connection, campaign, person.name)
