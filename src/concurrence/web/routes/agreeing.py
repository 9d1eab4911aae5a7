"""The agreement figures, for leaders alone: as data under ``/api``, as pages under ``/c``."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from concurrence.web import agreement
from concurrence.web.models import OptionalName, Page, responses
from concurrence.web.routes.leader_pages import shown
from concurrence.web.routes.leading import page
from concurrence.web.session import Leader, TheCampaign, TheStore

api = APIRouter(prefix="/api/campaigns/{campaign}", tags=["leading"])
pages = APIRouter(prefix="/c/{campaign}/leader", include_in_schema=False, default_response_class=HTMLResponse)

PROBLEMS = responses(401, 404)


@api.get("/agreement", responses=PROBLEMS)
def read_agreement(
    _: Leader,
    campaign: TheCampaign,
    store: TheStore,
    round: OptionalName = None,  # noqa: A002
) -> Page:
    """Agreement per question and part with intervals; a follow-up where both called for it, and combined."""
    return page(campaign, agreement.agreement_page(store, campaign, round_name=round))


@api.get("/expert", responses=PROBLEMS)
def read_expert(_: Leader, campaign: TheCampaign, store: TheStore, round: OptionalName = None) -> Page:  # noqa: A002
    """The expert against each coder: kappa, and intervals for true agreement."""
    return page(campaign, agreement.expert_page(store, campaign, round_name=round))


@api.get("/pairs", responses=PROBLEMS)
def read_pairs(
    _: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    round: OptionalName = None,  # noqa: A002
) -> Page:
    """Every two coders on one question: kappa and the confusion matrix."""
    return page(campaign, agreement.pairs_page(store, campaign, question=question, round_name=round))


@pages.get("/agreement")
def agreement_page(
    leader: Leader,
    campaign: TheCampaign,
    store: TheStore,
    round: OptionalName = None,  # noqa: A002
) -> HTMLResponse:
    """Agreement per question and part."""
    return shown("agreement.html", campaign, leader, read_agreement(leader, campaign, store, round))


@pages.get("/expert")
def expert_page(
    leader: Leader,
    campaign: TheCampaign,
    store: TheStore,
    round: OptionalName = None,  # noqa: A002
) -> HTMLResponse:
    """The expert against each coder."""
    return shown("expert.html", campaign, leader, read_expert(leader, campaign, store, round))


@pages.get("/pairs")
def pairs_page(
    leader: Leader,
    campaign: TheCampaign,
    store: TheStore,
    question: OptionalName = None,
    round: OptionalName = None,  # noqa: A002
) -> HTMLResponse:
    """Every two coders, and their confusion matrices."""
    return shown("pairs.html", campaign, leader, read_pairs(leader, campaign, store, question, round))
