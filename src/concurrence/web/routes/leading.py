"""The leader's API: the same data as the leader's pages, one route for each page, and the leader's acts."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from concurrence.annotation.adjudication import adjudicate
from concurrence.annotation.campaigns import set_closed
from concurrence.annotation.decisions import timing
from concurrence.annotation.exporting import export_labels, quote_formulas
from concurrence.core.values import plain
from concurrence.web import figures
from concurrence.web.models import (
    LARGEST_ID,
    AdjudicationIn,
    ClosingIn,
    Done,
    OptionalName,
    Page,
    QuestionOut,
    responses,
)
from concurrence.web.session import Leader, TheCampaign, TheStore

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["leading"])

PROBLEMS = responses(401, 404)
ItemId = Annotated[int, Path(ge=1, le=LARGEST_ID)]
First = Annotated[int, Query(ge=0, le=LARGEST_ID)]
Only = Annotated[Literal["all", "differing", "open", "unsure", "adjudicated"], Query()]
Most = Annotated[int, Query(ge=1, le=1000)]


def page(campaign: TheCampaign, data: Any) -> Page:
    """A page's data in its envelope."""
    questions = [QuestionOut.model_validate(question) for question in campaign.questionnaire.questions]
    return Page(campaign=campaign.name, questions=questions, data=plain(data))


@router.get("/progress", responses=PROBLEMS)
def read_progress(_: Leader, campaign: TheCampaign, store: TheStore) -> Page:
    """How far every coder is."""
    return page(campaign, figures.progress_page(store, campaign))


@router.get("/timing", responses=PROBLEMS)
def read_timing(_: Leader, campaign: TheCampaign, store: TheStore) -> Page:
    """How the coders' time went."""
    return page(campaign, store.read(lambda connection: timing(connection, campaign)))


@router.get("/items", responses=PROBLEMS)
def read_items(
    _: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    first: OptionalName = None,
    first_answer: OptionalName = None,
    second: OptionalName = None,
    second_answer: OptionalName = None,
    only: Only = "all",
    start: First = 0,
    limit: Most = 100,
) -> Page:
    """The items with everybody's answers: all, those on which coders differ, or those of one cell of a matrix."""
    wanted = figures.ItemFilter(
        question=question,
        cell=figures.Cell(first=first, first_answer=first_answer, second=second, second_answer=second_answer),
        only=only,
        start=start,
        limit=limit,
    )
    return page(campaign, figures.items_page(store, campaign, wanted))


@router.get("/items/{item}", responses=PROBLEMS)
def read_item(_: Leader, campaign: TheCampaign, store: TheStore, item: ItemId) -> Page:
    """One item: its row, everybody's answers and notes, and all rulings on it."""
    return page(campaign, figures.item_page(store, campaign, item))


@router.post("/adjudications", responses=PROBLEMS)
def add_adjudication(leader: Leader, campaign: TheCampaign, store: TheStore, body: AdjudicationIn) -> Done:
    """Record the last word on one question of one item; the same UUID counts once."""
    store.write(
        lambda connection: adjudicate(
            connection,
            campaign,
            leader.coder_id,
            uuid=body.uuid,
            item_id=body.item,
            question=body.question,
            answer=body.answer,
            reason=body.reason,
        )
    )
    return Done()


@router.post("/closings", responses=PROBLEMS)
def add_closing(_: Leader, campaign: TheCampaign, store: TheStore, body: ClosingIn) -> Done:
    """Close or reopen the campaign, a round, or a part."""
    store.write(
        lambda connection: set_closed(connection, campaign, closed=body.closed, round_name=body.round, part=body.part)
    )
    return Done()


@router.get(
    "/export",
    responses={**PROBLEMS, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
    response_class=Response,
)
def read_export(
    _: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    round: OptionalName = None,  # noqa: A002
    quote: Annotated[bool, Query(description="Quote cells that a spreadsheet would run as formulas.")] = True,
) -> Response:
    """All labels as CSV: item, coder, question, label, and the items' own columns."""
    frame = store.read(lambda connection: export_labels(connection, campaign, question=question, round_name=round))
    text = (quote_formulas(frame) if quote else frame).write_csv()
    headers = {"content-disposition": f'attachment; filename="campaign-{campaign.id}.csv"'}
    return Response(text, media_type="text/csv", headers=headers)
