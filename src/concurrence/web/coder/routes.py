"""The coder's API: one request loads the whole part, one takes batches of events.

Nothing here reveals anything about other coders, agreement, or which items come twice.
"""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import manual_of
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions.coder_part import CoderPart, OwnComment, OwnDecision, load_decisions, load_part
from concurrence.annotation.decisions.comments import NewComment, add_comments
from concurrence.annotation.decisions.events import NewEvent, newest_moment, record
from concurrence.web.coder.models import (
    CommentsAnswer,
    CommentsIn,
    DecisionsAnswer,
    EventsAnswer,
    EventsIn,
    ManualAnswer,
    PartAnswer,
)
from concurrence.web.manual import manual_html
from concurrence.web.models import OptionalName, responses
from concurrence.web.sessions.session import Anyone, Coder, TheCampaign, TheStore

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["coding"])


@router.get("/part", responses=responses(401, 404), response_model=PartAnswer)
def read_part(coder: Coder, campaign: TheCampaign, store: TheStore, round: OptionalName = None) -> Response:  # noqa: A002
    """The coder's whole part: items in order, questions, the coder's own decisions so far, oldest first."""
    part = store.read(lambda connection: load_part(connection, campaign, coder.coder_id, round))
    return Response(part_json(part, coder.name), media_type="application/json")


def part_json(part: CoderPart, coder: str) -> str:
    """A coder's part as the page gets it."""
    fields = {name: getattr(part, name) for name in part.__dataclass_fields__} | {"tasks": [], "decisions": []}
    head = PartAnswer.model_validate({**fields, "coder": coder, "server_time": now()})
    # The items are JSON already, and tens of thousands of decisions need no second check.
    rest = {**head.model_dump(by_alias=True), "decisions": [_decision(entry) for entry in part.decisions]}
    del rest["items"]
    items = ",".join(task.json for task in part.tasks)
    return f'{_json(rest)[:-1]},"items":[{items}]}}'


@router.get("/decisions", responses=responses(401, 404), response_model=DecisionsAnswer)
def read_decisions(coder: Coder, campaign: TheCampaign, store: TheStore, round: OptionalName = None) -> Response:  # noqa: A002
    """What can change in the coder's part: the decisions so far, oldest first, and which items are closed."""
    own = store.read(lambda connection: load_decisions(connection, campaign, coder.coder_id, round))
    answer = {"coder": coder.name, "manual_version": own.manual_version, "closed": own.closed, "newest": own.newest}
    answer |= {"server_time": now(), "decisions": [_decision(entry) for entry in own.decisions]}
    answer["comments"] = None if own.comments is None else [_comment(entry) for entry in own.comments]
    return Response(_json(answer), media_type="application/json")


def _decision(entry: OwnDecision) -> dict[str, Any]:
    names = ("question", "answer", "unsure", "note", "moment")
    return {"item": entry.task, **{name: getattr(entry, name) for name in names}}


def _comment(entry: OwnComment) -> dict[str, Any]:
    return {"item": entry.task, "by": entry.by, "role": entry.role, "text": entry.text, "time": entry.time}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@router.get("/manual", responses=responses(401, 404))
def read_manual(_: Anyone, campaign: TheCampaign, store: TheStore) -> ManualAnswer:
    """The newest version of the coding manual, as sanitised HTML."""
    version, text = store.read(lambda connection: manual_of(connection, campaign))
    return ManualAnswer(version=version, html=manual_html(text))


@router.post("/events", responses=responses(401, 404))
async def add_events(coder: Coder, campaign: TheCampaign, store: TheStore, body: EventsIn) -> EventsAnswer:
    """Record a batch of decisions; each event is answered by its own receipt, in the same order.

    ``stored``: durable from now on. ``known``: it was durable already. ``refused``: it breaks a rule, and
    ``reason`` says which. Sending a batch again, or from several places at once, changes nothing.
    """
    events = [NewEvent(**dict(event) | {"note": event.note or None}) for event in body.events]

    def work(connection: Connection) -> dict[str, Any]:
        receipts = record(connection, campaign, coder.coder_id, events)
        return {"receipts": receipts, "newest": newest_moment(connection, coder.coder_id)}

    return EventsAnswer.model_validate(await asyncio.wrap_future(store.submit(work)))


@router.post("/comments", responses=responses(401, 404))
def write_comments(coder: Coder, campaign: TheCampaign, store: TheStore, body: CommentsIn) -> CommentsAnswer:
    """Comment on items of the coder's part, where the campaign allows it; receipts as for events."""
    new = [NewComment(**dict(comment)) for comment in body.comments]
    receipts = store.write(lambda connection: add_comments(connection, campaign, coder.coder_id, new))
    return CommentsAnswer.model_validate({"receipts": receipts})
