"""The pages for leaders; each shows what its JSON twin under ``/api`` gives."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from concurrence.web.models import OptionalName, Page
from concurrence.web.pages import render
from concurrence.web.routes import leading
from concurrence.web.session import Leader, TheCampaign, TheStore

router = APIRouter(prefix="/c/{campaign}/leader", include_in_schema=False, default_response_class=HTMLResponse)


def shown(template: str, campaign: TheCampaign, leader: Leader, twin: Page, **more: Any) -> HTMLResponse:
    """A leader's page from the data of its twin."""
    base = f"/c/{campaign.id}/leader"
    return render(template, campaign=campaign, leader=leader, base=base, data=twin.data, **more)


@router.get("")
def progress_page(leader: Leader, campaign: TheCampaign, store: TheStore) -> HTMLResponse:
    """Progress; its twin is ``/api/campaigns/…/progress``."""
    return shown("progress.html", campaign, leader, leading.read_progress(leader, campaign, store))


@router.get("/timing")
def timing_page(leader: Leader, campaign: TheCampaign, store: TheStore) -> HTMLResponse:
    """Timing."""
    return shown("timing.html", campaign, leader, leading.read_timing(leader, campaign, store))


@router.get("/items")
def items_page(
    leader: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    first: OptionalName = None,
    first_answer: OptionalName = None,
    second: OptionalName = None,
    second_answer: OptionalName = None,
    only: leading.Only = "differing",
    start: leading.First = 0,
) -> HTMLResponse:
    """The disagreement browser."""
    twin = leading.read_items(
        leader, campaign, store, question, first, first_answer, second, second_answer, only, start, 100
    )
    return shown("items.html", campaign, leader, twin)


@router.get("/items/{item}")
def item_page(leader: Leader, campaign: TheCampaign, store: TheStore, item: leading.ItemId) -> HTMLResponse:
    """One item, and the form to adjudicate."""
    return shown("item.html", campaign, leader, leading.read_item(leader, campaign, store, item))
