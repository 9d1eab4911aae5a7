"""The coder's API: one request loads the whole part, one takes batches of events.

Nothing here reveals anything about other coders, agreement, or which items come twice.
"""

import asyncio

from fastapi import APIRouter

from concurrence.annotation.campaigns import manual_of
from concurrence.annotation.events import NewEvent, record
from concurrence.annotation.part import load_part
from concurrence.annotation.store import now
from concurrence.web.manual import manual_html
from concurrence.web.models import EventsAnswer, EventsIn, ManualAnswer, OptionalName, PartAnswer, responses
from concurrence.web.session import Anyone, Coder, TheCampaign, TheStore

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["coding"])


@router.get("/part", responses=responses(401, 404))
def read_part(coder: Coder, campaign: TheCampaign, store: TheStore, round: OptionalName = None) -> PartAnswer:  # noqa: A002
    """The coder's whole part: items in order, questions, the coder's own decisions so far, oldest first."""
    part = store.read(lambda connection: load_part(connection, campaign, coder.coder_id, round))
    fields = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return PartAnswer.model_validate({**fields, "coder": coder.name, "server_time": now()})


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
    promise = store.submit(lambda connection: record(connection, campaign, coder.coder_id, events))
    return EventsAnswer.model_validate({"receipts": await asyncio.wrap_future(promise)})
