"""Making a campaign from an uploaded table: which column is what, the questions, the people; and trying it first.

The command line makes a campaign of the same parts. Here the leader chooses the columns one by one, and the items of
several rounds can be in one table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import (
    DEFAULT_ROUND,
    CampaignPlan,
    CreatedCampaign,
    add_round,
    create_campaign,
    find_campaign,
    find_coder,
)
from concurrence.annotation.campaigns.item_rows import ItemRow, item_rows
from concurrence.annotation.campaigns.items import (
    CONTEXT_COLUMNS,
    PAIR,
    TEXT_COLUMNS,
    Display,
    Item,
    Row,
    is_matches,
    make_display,
    make_items,
)
from concurrence.annotation.decisions.coder_part import CoderPart, load_part
from concurrence.annotation.people.organisers import free_name, put_on_desk
from concurrence.annotation.questions.questionnaire import parse_questions
from concurrence.annotation.questions.types.row import KEY_COLUMNS
from concurrence.core.errors import InvalidInputError

TRIED = 50  # items in a preview


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns of a table are what; all others stay with the items and are not shown."""

    key: str | None = None
    text: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    part: str | None = None
    round: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignForm:
    """What a leader fills in beside the table; with ``training``, some items must have a known answer."""

    name: str
    columns: Columns
    questions: str
    manual: str = ""
    coders: tuple[str, ...]
    expert: str | None = None
    each_item: int | None = None
    repeats: int = 0
    seed: int = 0
    training: bool = False


def suggested_columns(columns: Sequence[str]) -> Columns:
    """What the columns of a table most likely are, by their names."""
    if is_matches(columns) or all(name in columns for name in PAIR):
        display = make_display(columns)
        text, contexts = display.text, display.contexts
    else:
        text = next(((name,) for name in TEXT_COLUMNS if name in columns), ())
        contexts = tuple(name for name in CONTEXT_COLUMNS if name in columns and name not in text)
    return Columns(
        key=next((name for name in KEY_COLUMNS if name in columns), None),
        text=text,
        contexts=contexts,
        part="part" if "part" in columns else None,
        round="round" if "round" in columns else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCampaign:
    """A campaign ready to be created: the plan of its first round, and the items of the later ones."""

    plan: CampaignPlan
    later: tuple[tuple[str, tuple[ItemRow, ...]], ...] = ()


def plan_campaign(form: CampaignForm, rows: Sequence[Row], *, organiser: str, where: str) -> PlannedCampaign:
    """Check a form and its table as far as one can without the database."""
    questionnaire = parse_questions(form.questions, where="The questions")
    if not form.coders:
        raise InvalidInputError("Name at least one coder.")
    columns = form.columns
    names = list(rows[0]) if rows else []
    key, part = (tuple(filter(None, (name,))) for name in (columns.key, columns.part))
    needs_text = questionnaire.needs_text
    if needs_text and not columns.text:
        raise InvalidInputError("Choose the column that coders judge: a column must be “text, shown large”.")
    display = make_display(
        names or ["item"], text=columns.text, contexts=columns.contexts, show=columns.facts, needs_text=needs_text
    )
    display = _display(display, columns, key, part)
    items = make_items(rows, where=where, key=key, part=part)
    if form.training and not any(questionnaire.expected(item.key, item.columns) for item in items):
        raise InvalidInputError(f"{where}: training needs items with a known answer, in a column 'expected'.")
    rounds = {name: item_rows(some, display, questionnaire) for name, some in _rounds(items, columns.round).items()}
    (first, items_of_first), *later = rounds.items()
    people = [*form.coders, *([form.expert] if form.expert else [])]
    plan = CampaignPlan(
        name=form.name,
        items=items_of_first,
        display=display,
        questions=form.questions,
        manual=form.manual,
        coders=form.coders,
        expert=form.expert,
        leader=free_name(organiser, people),
        each_item=form.each_item,
        repeats=form.repeats,
        round=first,
        seed=form.seed,
    )
    return PlannedCampaign(plan=plan, later=tuple((name, tuple(entries)) for name, entries in later))


def with_items(planned: PlannedCampaign, *pieces: tuple[str, list[ItemRow]]) -> PlannedCampaign:
    """A planned campaign with the items of its rounds, which come some at a time."""
    rounds: dict[str, list[ItemRow]] = {planned.plan.round: []}
    for name, items in pieces:
        rounds.setdefault(name, []).extend(items)
    (_, first), *later = rounds.items()
    plan = replace(planned.plan, items=tuple(first))
    return replace(planned, plan=plan, later=tuple((name, tuple(items)) for name, items in later))


def _display(display: Display, columns: Columns, key: tuple[str, ...], part: tuple[str, ...]) -> Display:
    """What coders see: the columns that were chosen and no others."""
    return replace(display, contexts=display.contexts if columns.contexts else (), key=key, part=part)


def _rounds(items: Sequence[Item], column: str | None) -> dict[str, list[Item]]:
    """The items of each round, in the order in which the rounds come up."""
    rounds: dict[str, list[Item]] = {}
    for item in items:
        name = item.columns.get(column, DEFAULT_ROUND) if column else DEFAULT_ROUND
        rounds.setdefault(name, []).append(item)
    return rounds


def make_campaign(connection: Connection, planned: PlannedCampaign, organiser_id: int) -> tuple[int, CreatedCampaign]:
    """Create a campaign with all its rounds, led from an organiser's desk; gives its number."""
    created = create_campaign(connection, planned.plan)
    campaign = find_campaign(connection, planned.plan.name)
    tasks, size = dict(created.tasks), created.items
    for name, items in planned.later:
        counts = add_round(
            connection, campaign, items, name=name, each_item=planned.plan.each_item, repeats=planned.plan.repeats
        )
        tasks = {who: count + counts.get(who, 0) for who, count in tasks.items()}
        size += len(items)
    leader = find_coder(connection, campaign, planned.plan.leader)
    put_on_desk(connection, campaign, organiser_id, leader=leader.id)
    rounds = (*created.rounds, *(name for name, _ in planned.later))
    return campaign.id, CreatedCampaign(campaign=campaign.name, items=size, rounds=rounds, tasks=tasks)


class _TakenBackError(Exception):
    """Ends the transaction of a preview; holds what was to be seen."""

    def __init__(self, part: CoderPart) -> None:
        self.part = part
        super().__init__()


def try_campaign(write: Any, planned: PlannedCampaign) -> CoderPart:
    """The first coder's part as it will be, from a campaign that is made and taken back in one transaction."""
    few = replace(planned.plan, items=planned.plan.items[:TRIED], repeats=0)

    def work(connection: Connection) -> None:
        create_campaign(connection, few)
        campaign = find_campaign(connection, few.name)
        coder = find_coder(connection, campaign, few.coders[0])
        raise _TakenBackError(load_part(connection, campaign, coder.id))

    try:
        write(work)
    except _TakenBackError as taken_back:
        return taken_back.part
    raise RuntimeError("a preview was kept")  # pragma: no cover - the work always raises
