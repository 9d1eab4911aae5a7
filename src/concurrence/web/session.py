"""Who is asking: sessions by cookie, one cookie for each role and campaign, checked on every route.

Coder and leader of one campaign can be open in the same browser, since their cookies differ. A route names
the role it is for; a visitor of another role gets 403, one without a session 401.
"""

import math
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool

from concurrence.annotation.access import SESSION_MILLISECONDS, Visitor, visitor_of
from concurrence.annotation.campaigns import Campaign, find_campaign
from concurrence.annotation.store import Store
from concurrence.web.errors import Refusal
from concurrence.web.models import CampaignId
from concurrence.web.settings import Settings

CODERS = ("coder", "expert")
LEADERS = ("leader",)


async def store_of(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def cookie_name(role: str, campaign: int) -> str:
    return f"concur_{'leader' if role in LEADERS else 'coder'}_{campaign}"


def set_cookie(response: Response, request: Request, visitor: Visitor, session: str) -> None:
    """Give the visitor a session: not readable by scripts, not sent by other sites, over TLS only under TLS."""
    response.set_cookie(
        cookie_name(visitor.role, visitor.campaign_id),
        session,
        max_age=SESSION_MILLISECONDS // 1000,
        httponly=True,
        samesite="lax",
        secure=settings_of(request).secure or request.url.scheme == "https",
    )


def visitor_in(*roles: str) -> Callable[[Request, int], Visitor]:
    """Who is asking, if their role is one of these."""

    def visitor(request: Request, campaign: CampaignId) -> Visitor:
        visitors = [entry for role in ("coder", "leader") if (entry := _from_cookie(request, campaign, role))]
        for entry in visitors:
            if entry.role in roles:
                _throttle(request, entry)
                return entry
        if visitors:
            raise Refusal(403, "Your role does not have access to this.")
        raise Refusal(401, "You are not signed in; open your invitation link.")

    return visitor


def _from_cookie(request: Request, campaign: int, role: str) -> Visitor | None:
    session = request.cookies.get(cookie_name(role, campaign))
    if not session or len(session) > 200 or not session.isascii():
        return None
    secret = settings_of(request).secret
    visitor: Visitor | None = request.app.state.store.read(lambda connection: visitor_of(connection, session, secret))
    return visitor if visitor is not None and visitor.campaign_id == campaign else None


def _throttle(request: Request, visitor: Visitor) -> None:
    wait = request.app.state.visitor_throttle.wait(str(visitor.coder_id))
    if wait > 0:
        raise Refusal(429, "Too many requests; wait a moment.", {"retry-after": str(math.ceil(wait))})


async def campaign_of(request: Request, campaign: CampaignId) -> Campaign:
    """The campaign of the address; questions and display never change, so it is read once."""
    known: dict[int, Campaign] = request.app.state.campaigns
    if campaign not in known:
        known[campaign] = await run_in_threadpool(_read_campaign, request.app.state.store, campaign)
    return known[campaign]


def _read_campaign(store: Store, campaign: int) -> Campaign:
    return store.read(lambda connection: find_campaign(connection, campaign))


Coder = Annotated[Visitor, Depends(visitor_in(*CODERS))]
Anyone = Annotated[Visitor, Depends(visitor_in(*CODERS, *LEADERS))]
Leader = Annotated[Visitor, Depends(visitor_in(*LEADERS))]
TheStore = Annotated[Store, Depends(store_of)]
TheCampaign = Annotated[Campaign, Depends(campaign_of)]
