"""The leader's pages: each row of the tables is registered twice, as a page for people and as data under ``/api``."""

from functools import cache
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.decisions.current_answers import database_version
from concurrence.core.values import to_json
from concurrence.web.leader import adjudicate, agreement, desk, items, progress
from concurrence.web.leader.models import Page
from concurrence.web.leader.page import LeaderPage
from concurrence.web.models import QuestionOut, responses
from concurrence.web.pages import render
from concurrence.web.sessions.session import Leader, TheCampaign, TheStore

LEADER_PAGES = (
    *(*progress.PAGES, *agreement.PAGES, *items.PAGES),
    *(*adjudicate.PAGES, *desk.PAGES),
)
PROBLEMS = responses(401, 404)
HOUR = 3_600_000  # milliseconds


def leader_routes() -> APIRouter:
    return _routes(LEADER_PAGES)


@cache
def _routes(rows: tuple[LeaderPage, ...]) -> APIRouter:
    router = APIRouter()
    tabs = [row for row in rows if "{" not in row.page]
    for row in rows:
        _add_twin(router, row)
        _add_page(router, row, tabs)
    return router


def _add_twin(router: APIRouter, row: LeaderPage) -> None:
    def twin(_: Leader, campaign: TheCampaign, store: TheStore, query: Annotated[Any, Depends(row.query)]) -> Page:
        questions = [QuestionOut.model_validate(question) for question in campaign.questionnaire.questions]
        return Page(campaign=campaign.name, questions=questions, data=figures(row, store, campaign, query)[0])

    router.add_api_route(
        f"/api/campaigns/{{campaign}}{row.twin}",
        twin,
        name=f"read_{row.name}",
        description=row.data.__doc__,
        responses=PROBLEMS,
        tags=["leading"],
    )


def _add_page(router: APIRouter, row: LeaderPage, tabs: list[LeaderPage]) -> None:
    query_type = row.page_query or row.query

    def page(
        leader: Leader, campaign: TheCampaign, store: TheStore, query: Annotated[Any, Depends(query_type)]
    ) -> HTMLResponse:
        data, newest = figures(row, store, campaign, query)
        return render(
            f"{row.name}.html",
            campaign=campaign,
            leader=leader,
            base=f"/c/{campaign.id}/leader",
            pages=tabs,
            here=row.tab,
            twin=twin_address(row, campaign, query),
            data=data,
            newest=newest,
            **(row.beside(store, campaign) if row.beside else {}),
        )

    router.add_api_route(f"/c/{{campaign}}/leader{row.page}", page, include_in_schema=False)


def figures(row: LeaderPage, store: Store, campaign: Campaign, query: Any) -> tuple[Any, int]:
    """What a page shows, made once for each state of the database; and the newest event that is in it."""
    version = store.read(database_version)
    if not row.kept:
        return to_json(row.data(store, campaign, query)), version.event
    key = (row.name, campaign.id, campaign.created, query, now() // HOUR if row.timely else None)
    return store.cache.get(key, version, lambda: to_json(row.data(store, campaign, query))), version.event


def twin_address(row: LeaderPage, campaign: Campaign, query: Any) -> str:
    """Where the data of a page are, under the same choices."""
    values = {name: value for name, value in to_json(query).items() if value is not None}
    further = {name: value for name, value in values.items() if f"{{{name}}}" not in row.twin}
    address = f"/api/campaigns/{campaign.id}{row.twin.format(**values)}"
    return f"{address}?{urlencode(further)}" if further else address
