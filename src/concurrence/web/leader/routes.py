"""What leaders can do: rule, close and reopen, export."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import set_closed
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions.adjudication import NewRuling, adjudicate, adjudicate_item
from concurrence.annotation.decisions.codebook import export_name
from concurrence.annotation.decisions.comments import comment_as_leader, export_comments
from concurrence.annotation.decisions.current_answers import database_version, new_decisions
from concurrence.annotation.decisions.exports import quote_formulas
from concurrence.annotation.decisions.question_exports import export_answers
from concurrence.annotation.people.security_log import log_act
from concurrence.web.leader.models import AdjudicationIn, Changes, ClosingIn, LeaderCommentIn, RulingsIn
from concurrence.web.models import LARGEST_ID, Done, OptionalName, responses
from concurrence.web.sessions.session import Leader, TheCampaign, TheStore, request_place

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["leading"])

PROBLEMS = responses(401, 404)
ItemNumber = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The item's number, as in its address.")]


@router.post("/adjudications", responses=PROBLEMS)
def add_adjudication(leader: Leader, campaign: TheCampaign, store: TheStore, body: AdjudicationIn) -> Done:
    """Record a ruling on one question of one item; the same UUID counts once."""
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


@router.post("/rulings", responses=PROBLEMS)
def add_rulings(leader: Leader, campaign: TheCampaign, store: TheStore, body: RulingsIn) -> Done:
    """Record the rulings on several questions of one item, all or none; the same UUID counts once."""
    new = [NewRuling(**dict(ruling)) for ruling in body.rulings]
    store.write(lambda connection: adjudicate_item(connection, campaign, leader.coder_id, body.item, new))
    return Done()


@router.post("/items/{item}/comments", responses=PROBLEMS)
def add_comment(
    leader: Leader, campaign: TheCampaign, store: TheStore, item: ItemNumber, body: LeaderCommentIn
) -> Done:
    """Comment on an item, where the campaign allows it; everyone who judges the item sees it."""
    store.write(
        lambda connection: comment_as_leader(
            connection, campaign, leader.coder_id, uuid=body.uuid, item_id=item, text=body.text
        )
    )
    return Done()


@router.get("/changes", responses=PROBLEMS)
def read_changes(
    _: Leader,
    campaign: TheCampaign,
    store: TheStore,
    since: Annotated[int, Query(ge=0, le=LARGEST_ID, description="``newest`` of an earlier answer.")] = 0,
) -> Changes:
    """Whether anything has changed: the newest event's number, and how many decisions came after an earlier one."""
    newest = store.read(database_version).event
    count = store.read(lambda connection: new_decisions(connection, campaign, since)) if newest > since else 0
    return Changes(newest=newest, decisions=count)


@router.post("/closings", responses=PROBLEMS)
def add_closing(request: Request, leader: Leader, campaign: TheCampaign, store: TheStore, body: ClosingIn) -> Done:
    """Close or reopen the campaign, a round, or a part."""
    who = {"campaign": campaign.name, "person": leader.name, "address": request_place(request).address}
    what = ", ".join(f"{kind} {name}" for kind, name in (("round", body.round), ("part", body.part)) if name)

    def work(connection: Connection) -> None:
        set_closed(connection, campaign, closed=body.closed, round_name=body.round, part=body.part)
        log_act(connection, "closed" if body.closed else "reopened", **who, detail=what or None)

    store.write(work)
    return Done()


@router.get(
    "/export",
    responses={**PROBLEMS, 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
    response_class=Response,
)
def read_export(
    request: Request,
    leader: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    round: OptionalName = None,  # noqa: A002
    comments: Annotated[bool, Query(description="The comments instead: item, by, role, time, comment.")] = False,
    training: Annotated[bool, Query(description="With the answers of the training round.")] = False,
    shared: Annotated[bool, Query(description="Only items with at least two answers to the question.")] = False,
    adjudicated: Annotated[
        bool, Query(description="With the rulings, as labels of the coder ``adjudicated``.")
    ] = False,
    quote: Annotated[
        bool, Query(description="Quote what a spreadsheet would run as a formula, but no declared label.")
    ] = True,
) -> Response:
    """All labels as CSV: item, coder, question, label, and the items' own columns; one question as its type has it."""
    if comments:
        frame = store.read_whole(lambda connection: export_comments(connection, campaign))
    else:
        frame = store.read_whole(
            lambda connection: export_answers(
                connection,
                campaign,
                question=question,
                round_name=round,
                training=training,
                adjudicated=adjudicated,
                shared=shared,
            )
        )
    who = {"campaign": campaign.name, "person": leader.name, "address": request_place(request).address}
    store.write(lambda connection: log_act(connection, "export", **who, detail="comments" if comments else "labels"))
    text = (quote_formulas(frame, campaign) if quote else frame).write_csv()
    name = export_name(campaign, "comments" if comments else question or "", ".csv", time=now())
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/csv", headers=headers)
