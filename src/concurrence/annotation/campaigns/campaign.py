"""Campaigns: creating and finding them, their rounds, coders and manuals, and what is closed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select

from concurrence.annotation.campaigns.assignment import deal, put_in_order
from concurrence.annotation.campaigns.item_rows import ItemRow, item_rows
from concurrence.annotation.campaigns.items import EVERYONE, Display, Item
from concurrence.annotation.campaigns.names import check_name, check_new, check_people, find_name
from concurrence.annotation.database.schema import CAMPAIGN, CLOSING, CODER, ITEM, MANUAL, ROUND, ROUND_ITEM, TASK
from concurrence.annotation.database.store import now
from concurrence.annotation.questions.questionnaire import Questionnaire, parse_questions
from concurrence.core.errors import InvalidInputError, UnknownNameError

ROLES = ("coder", "expert", "model", "leader")
LONGEST_MANUAL = 2_000_000
DEFAULT_ROUND = "main"

SAME_SENTENCE = """
[[question]]
id = "same"
text = "Is this the same sentence?"
choices = [{ id = "yes", text = "The same", key = "y" }, { id = "no", text = "Different", key = "n" }]
"""


COLLOCATION = """
[[question]]
id = "collocation"
text = "Is this a collocation?"
choices = [{ id = "yes", text = "Yes", key = "y" }, { id = "no", text = "No", key = "n" }]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """A campaign as it stands in the store."""

    id: int
    name: str
    questionnaire: Questionnaire
    display: Display
    seed: int
    created: int

    def item_rows(self, items: Sequence[Item]) -> list[ItemRow]:
        """Items that fit this campaign, ready to be stored."""
        return item_rows(items, self.display, self.questionnaire)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlan:
    """Everything that defines a new campaign."""

    name: str
    items: Sequence[ItemRow]
    display: Display
    questions: str
    manual: str = ""
    coders: tuple[str, ...]
    expert: str | None = None
    leader: str = "leader"
    each_item: int | None = None
    repeats: int = 0
    round: str = DEFAULT_ROUND
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedCampaign:
    """What was made: how many items there are, and how many each coder has."""

    campaign: str
    items: int
    rounds: tuple[str, ...]
    tasks: dict[str, int] = field(default_factory=dict)


def create_campaign(connection: Connection, plan: CampaignPlan) -> CreatedCampaign:
    """Create a campaign with its first round; nothing is kept if any of it is wrong."""
    parse_questions(plan.questions)
    people = [*plan.coders, *([plan.expert] if plan.expert else []), plan.leader]
    check_name(plan.name)
    check_people(people)
    if len(people) < 2:
        raise InvalidInputError("A campaign needs at least one coder, as in --coders anna,ben.")
    check_new("campaign", plan.name, campaign_names(connection))
    row = {"name": plan.name, "questions": plan.questions, "seed": plan.seed, "created": now()}
    row["display"] = json.dumps(asdict(plan.display))
    _inserted(connection, CAMPAIGN, row)
    campaign = find_campaign(connection, plan.name)
    add_manual(connection, campaign, plan.manual)
    for coder in plan.coders:
        insert_person(connection, campaign, coder, "coder")
    if plan.expert:
        insert_person(connection, campaign, plan.expert, "expert")
    insert_person(connection, campaign, plan.leader, "leader")
    training_items, items = _training_items(campaign, plan)
    tasks: dict[str, int] = {}
    if training_items and campaign.questionnaire.training is not None:
        everyone = [replace(item, part=EVERYONE) for item in training_items]
        tasks = add_round(connection, campaign, everyone, name=campaign.questionnaire.training.round)
    rounds = (campaign.questionnaire.training.round,) if training_items and campaign.questionnaire.training else ()
    if items or not training_items:
        counts = add_round(connection, campaign, items, name=plan.round, each_item=plan.each_item, repeats=plan.repeats)
        tasks = {name: count + tasks.get(name, 0) for name, count in counts.items()}
        rounds = (*rounds, plan.round)
    return CreatedCampaign(campaign=plan.name, items=len(plan.items), rounds=rounds, tasks=tasks)


def _training_items(campaign: Campaign, plan: CampaignPlan) -> tuple[list[ItemRow], list[ItemRow]]:
    """The items with a known answer, which go to the training round, and the others; all others without training."""
    questionnaire = campaign.questionnaire
    if questionnaire.training is None or plan.round == questionnaire.training.round:
        return [], list(plan.items)
    return [item for item in plan.items if item.trains], [item for item in plan.items if not item.trains]


def _inserted(connection: Connection, table: Any, row: dict[str, Any]) -> int:
    key = connection.execute(insert(table).values(row)).inserted_primary_key
    return int(key[0]) if key else 0


def find_campaign(connection: Connection, name: str | int) -> Campaign:
    """The campaign of a name, or of a number as in its address."""
    names = [] if isinstance(name, int) else campaign_names(connection)
    condition = CAMPAIGN.c.id == name if isinstance(name, int) else CAMPAIGN.c.name == find_name(name, names)
    row = connection.execute(select(CAMPAIGN).where(condition)).first()
    if row is None:
        raise UnknownNameError("campaign", str(name), names or ["none yet"])
    display = {key: tuple(value) for key, value in json.loads(row.display).items()}
    questionnaire = _parsed(row.questions)
    return Campaign(
        id=row.id,
        name=row.name,
        questionnaire=questionnaire,
        display=Display(**display),
        seed=int(row.seed),
        created=int(row.created),
    )


@lru_cache(maxsize=64)
def _parsed(questions: str) -> Questionnaire:
    return parse_questions(questions)


def campaign_names(connection: Connection) -> list[str]:
    """All campaigns in the order they were made."""
    return list(connection.execute(select(CAMPAIGN.c.name).order_by(CAMPAIGN.c.id)).scalars())


def insert_person(connection: Connection, campaign: Campaign, name: str, role: str) -> int:
    """Add a person or a model; the seed of their order is drawn from the campaign's and their name."""
    others = [person.name for person in coders_of(connection, campaign)]
    check_people([*others, name])
    number = len(others)
    row = {"campaign_id": campaign.id, "name": name, "role": role, "seed": campaign.seed * 1000 + number}
    return _inserted(connection, CODER, row)


def coders_of(connection: Connection, campaign: Campaign, *roles: str) -> list[Row[Any]]:
    """The people in a campaign in the order they were named, with these roles if any are given."""
    query = select(CODER).where(CODER.c.campaign_id == campaign.id, CODER.c.role.in_(roles or ROLES))
    return list(connection.execute(query.order_by(CODER.c.id)))


def active_people(connection: Connection, campaign: Campaign, *roles: str) -> list[Row[Any]]:
    """The people in a campaign who were not removed."""
    return [person for person in coders_of(connection, campaign, *roles) if person.removed is None]


def find_coder(connection: Connection, campaign: Campaign, name: str) -> Row[Any]:
    people = {person.name: person for person in coders_of(connection, campaign)}
    meant = find_name(name, list(people))
    if meant is None:
        raise UnknownNameError("coder", name, people)
    return people[meant]


def add_manual(connection: Connection, campaign: Campaign, text: str, *, note: str | None = None) -> int:
    """Keep a new version of the coding manual, and why it changed; decisions from now on are made under it."""
    if len(text) > LONGEST_MANUAL:
        raise InvalidInputError(f"The manual is longer than {LONGEST_MANUAL} characters.")
    version = manual_of(connection, campaign)[0] + 1
    row = {"campaign_id": campaign.id, "version": version, "text": text, "created": now(), "note": note}
    _inserted(connection, MANUAL, row)
    return version


def manual_of(connection: Connection, campaign: Campaign) -> tuple[int, str]:
    """The newest version of the manual and its text."""
    query = select(MANUAL.c.version, MANUAL.c.text).where(MANUAL.c.campaign_id == campaign.id)
    row = connection.execute(query.order_by(MANUAL.c.version.desc()).limit(1)).first()
    return (int(row.version), row.text) if row else (0, "")


_NEWEST_MANUAL = select(func.max(MANUAL.c.version)).where(MANUAL.c.campaign_id == bindparam("campaign"))


def manual_version(connection: Connection, campaign: Campaign) -> int:
    return int(connection.execute(_NEWEST_MANUAL, {"campaign": campaign.id}).scalar() or 0)


def add_round(
    connection: Connection,
    campaign: Campaign,
    items: Sequence[ItemRow],
    *,
    name: str,
    each_item: int | None = None,
    repeats: int = 0,
) -> dict[str, int]:
    """Give out items to the coders as one round; items of an earlier round may come again."""
    check_name(name)
    check_new("round", name, [row.name for row in rounds_of(connection, campaign)])
    round_id = _inserted(connection, ROUND, {"campaign_id": campaign.id, "name": name, "created": now()})
    check_items(campaign, items, name)
    ids = store_items(connection, campaign, items, round_id)
    people = active_people(connection, campaign, "coder", "expert")
    coders = [person.name for person in people if person.role == "coder"]
    dealt = deal(items, coders, each_item=each_item, seed=campaign.seed)
    everything = list(range(len(items)))
    return {
        person.name: give_out(
            connection,
            person,
            round_id,
            [ids[n] for n in dealt.get(person.name, everything)],
            seed=f"{person.seed}/{name}",
            repeats=repeats if person.role == "coder" else 0,
        )
        for person in people
    }


def check_items(campaign: Campaign, items: Sequence[ItemRow], round_name: str) -> None:
    """Refuse items without a known answer in the training round."""
    training = campaign.questionnaire.training
    for item in items:
        if training and round_name == training.round and not item.trains:
            raise InvalidInputError(
                f"Item {item.key!r} has no known answer; the training round needs column 'expected'."
            )


def give_out(
    connection: Connection, person: Row[Any], round_id: int, items: Sequence[int], *, seed: str, repeats: int = 0
) -> int:
    """Give items to a person in a random order, behind those the person has in this round; none comes twice."""
    mine = (TASK.c.coder_id == person.id) & (TASK.c.round_id == round_id)
    present = set(connection.execute(select(TASK.c.item_id).where(mine)).scalars())
    last = connection.execute(select(func.max(TASK.c.position)).where(mine)).scalar() or 0
    new = [item for item in items if item not in present]
    tasks = put_in_order(new, seed=seed, repeats=repeats)
    base = {"coder_id": person.id, "round_id": round_id}
    rows = [
        base | {"item_id": task.item, "position": position, "repeat": task.repeat}
        for position, task in enumerate(tasks, start=last + 1)
    ]
    if rows:
        connection.execute(insert(TASK), rows)
    return len(rows)


def store_items(connection: Connection, campaign: Campaign, items: Sequence[ItemRow], round_id: int) -> list[int]:
    """Keep items that are new, as items of a round; gives their numbers."""
    ids = item_ids(connection, campaign)
    new = [item for item in items if item.key not in ids]
    if new:
        rows = [
            {
                "campaign_id": campaign.id,
                "key": item.key,
                "part": item.part,
                "columns": item.columns,
                "shown": item.shown,
            }
            for item in new
        ]
        connection.execute(insert(ITEM), rows)
        ids = item_ids(connection, campaign)
    numbers = [ids[item.key] for item in items]
    present = {row.id for row in round_items(connection, round_id)}
    if rows := [{"round_id": round_id, "item_id": one} for one in dict.fromkeys(numbers) if one not in present]:
        connection.execute(insert(ROUND_ITEM), rows)
    return numbers


def round_items(connection: Connection, round_id: int) -> list[Row[Any]]:
    """The numbers and parts of the items of a round, whether they are anybody's task or not."""
    query = select(ITEM.c.id, ITEM.c.part).join(ROUND_ITEM, ROUND_ITEM.c.item_id == ITEM.c.id)
    return list(connection.execute(query.where(ROUND_ITEM.c.round_id == round_id).order_by(ITEM.c.id)))


def item_ids(connection: Connection, campaign: Campaign) -> dict[str, int]:
    rows = connection.execute(select(ITEM.c.key, ITEM.c.id).where(ITEM.c.campaign_id == campaign.id))
    return {row.key: row.id for row in rows}


def rounds_of(connection: Connection, campaign: Campaign) -> list[Row[Any]]:
    return list(connection.execute(select(ROUND).where(ROUND.c.campaign_id == campaign.id).order_by(ROUND.c.id)))


def find_round(connection: Connection, campaign: Campaign, name: str) -> int:
    rounds = {row.name: int(row.id) for row in rounds_of(connection, campaign)}
    if name not in rounds:
        raise UnknownNameError("round", name, rounds)
    return rounds[name]


def set_closed(
    connection: Connection, campaign: Campaign, *, closed: bool, round_name: str | None = None, part: str | None = None
) -> None:
    """Close or reopen a campaign, one of its rounds, or one part."""
    round_id = find_round(connection, campaign, round_name) if round_name is not None else None
    if part is not None:
        parts = connection.execute(select(ITEM.c.part).where(ITEM.c.campaign_id == campaign.id).distinct()).scalars()
        if part not in (names := sorted(parts)):
            raise UnknownNameError("part", part, names)
    row = {"campaign_id": campaign.id, "round_id": round_id, "part": part, "closed": closed, "server_time": now()}
    _inserted(connection, CLOSING, row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closings:
    """What was closed and reopened, oldest first; the last word that covers a round and part holds."""

    rows: tuple[tuple[int | None, str | None, bool], ...]

    def closed(self, round_id: int, part: str = EVERYONE) -> bool:
        """Whether decisions on this part in this round are refused."""
        state = False
        for closed_round, closed_part, closed in self.rows:
            if closed_round in (None, round_id) and closed_part in (None, part):
                state = closed
        return state


_CLOSINGS = (
    select(CLOSING.c.round_id, CLOSING.c.part, CLOSING.c.closed)
    .where(CLOSING.c.campaign_id == bindparam("campaign"))
    .order_by(CLOSING.c.id)
)


def closings_of(connection: Connection, campaign: Campaign) -> Closings:
    rows = connection.execute(_CLOSINGS, {"campaign": campaign.id})
    return Closings(rows=tuple((row.round_id, row.part, row.closed) for row in rows))
