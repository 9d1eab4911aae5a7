"""More items for a campaign that runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from concurrence.annotation.campaigns.assignment import deal
from concurrence.annotation.campaigns.campaign import (
    Campaign,
    active_people,
    check_items,
    find_round,
    give_out,
    rounds_of,
    store_items,
)
from concurrence.annotation.campaigns.item_rows import ItemRow
from concurrence.annotation.campaigns.items import EVERYONE
from concurrence.annotation.database.schema import ITEM, TASK
from concurrence.core.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedItems:
    """How many items were new, and how many each person got."""

    campaign: str
    round: str
    items: int
    tasks: dict[str, int] = field(default_factory=dict)


def add_items(
    connection: Connection,
    campaign: Campaign,
    items: Sequence[ItemRow],
    *,
    round_name: str | None = None,
    each_item: int | None = None,
) -> AddedItems:
    """Add items to a round, by default the newest; they come last in the order of each person who gets them.

    Items of part ``all`` go to everyone, those of a part to the coders who have items of that part already.
    """
    round_name = round_name or rounds_of(connection, campaign)[-1].name
    round_id = find_round(connection, campaign, round_name)
    check_items(campaign, items, round_name)
    before = connection.execute(select(func.count()).where(ITEM.c.campaign_id == campaign.id)).scalar() or 0
    ids = store_items(connection, campaign, items, round_id)
    people = active_people(connection, campaign, "coder", "expert")
    coders = [person for person in people if person.role == "coder"]
    if each_item is not None:
        dealt = deal(items, [person.name for person in coders], each_item=each_item, seed=campaign.seed)
    else:
        parts = {person.name: _own_parts(connection, person.id) for person in coders}
        _check_parts(items, parts)
        dealt = {name: [n for n, item in enumerate(items) if item.part in own] for name, own in parts.items()}
    everything = list(range(len(items)))
    counts = {
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
    return AddedItems(campaign=campaign.name, round=round_name, items=after - before, tasks=counts)


def _own_parts(connection: Connection, coder_id: int) -> set[str]:
    query = select(ITEM.c.part).join(TASK, TASK.c.item_id == ITEM.c.id).where(TASK.c.coder_id == coder_id).distinct()
    return {EVERYONE, *connection.execute(query).scalars()}


def _check_parts(items: Sequence[ItemRow], parts: dict[str, set[str]]) -> None:
    names = {part for own in parts.values() for part in own}
    for item in items:
        if item.part not in names:
            raise InvalidInputError(
                f"Item {item.key!r} belongs to part {item.part!r}, which no coder has. "
                f"Known parts: {', '.join(sorted(names))}."
            )
