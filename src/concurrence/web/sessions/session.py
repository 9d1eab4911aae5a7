"""Who is asking: sessions by cookie, one cookie for each database, role and campaign, checked on every route.

Coder and leader of one campaign can be open in the same browser, since their cookies differ; so can campaigns of
two servers on one host, which browsers give the same cookies whatever the port. A route names the role it is for;
a visitor of another role gets 403, one without a session 401. An organiser has one cookie for her desk, with which she
leads the campaigns on it.
"""

import math
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request, Response

from concurrence.annotation.campaigns.campaign import Campaign, find_campaign
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.people.access import Organiser, Place, Visitor, mark_seen, organiser_of, visitor_of
from concurrence.annotation.people.organisers import leader_in
from concurrence.web.errors import Refusal
from concurrence.web.models import CampaignId
from concurrence.web.sessions.devices import device_of
from concurrence.web.settings import Settings

CODERS = ("coder", "expert")
LEADERS = ("leader",)
LONGEST_ADDRESS = 64  # what a proxy forwards may be anything
SEEN_EVERY = 5 * 60 * 1000  # milliseconds; a visit is noted no more often, so that reading stays reading


async def store_of(request: Request) -> Store:
    return store_here(request)


def store_here(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def settings_of(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def request_place(request: Request) -> Place:
    address = request.client.host[:LONGEST_ADDRESS] if request.client else None
    return Place(address=address, device=device_of(request.headers.get("user-agent", "")))


def is_secure(request: Request) -> bool:
    return settings_of(request).secure or request.url.scheme == "https"


def cookie_name(request: Request, role: str, campaign: int) -> str:
    """The cookie of a role in a campaign of this database; under TLS no other host can set one of this name."""
    prefix = "__Host-" if is_secure(request) else ""
    kind = "leader" if role in LEADERS else "coder"
    return f"{prefix}concur_{request.app.state.database_name}_{kind}_{campaign}"


def desk_cookie_name(request: Request) -> str:
    return f"{'__Host-' if is_secure(request) else ''}concur_{request.app.state.database_name}_desk"


def set_cookie(response: Response, request: Request, visitor: Visitor | Organiser, session: str) -> None:
    """Give the visitor a session: not readable by scripts, not sent by other sites, over TLS only under TLS."""
    if isinstance(visitor, Organiser):
        name = desk_cookie_name(request)
    else:
        name = cookie_name(request, visitor.role, visitor.campaign_id)
    response.set_cookie(
        name,
        session,
        max_age=settings_of(request).sessions.absolute // 1000,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def drop_cookies(response: Response, request: Request, campaign: int) -> None:
    for role in ("coder", "leader"):
        name = cookie_name(request, role, campaign)
        response.delete_cookie(name, httponly=True, samesite="lax", secure=is_secure(request))


def drop_desk_cookie(response: Response, request: Request) -> None:
    response.delete_cookie(desk_cookie_name(request), httponly=True, samesite="lax", secure=is_secure(request))


def visitors_here(request: Request, campaign: CampaignId) -> list[Visitor]:
    """Everyone who is signed in to a campaign in this browser: a coder, a leader, or both."""
    visitors = _visitors(request, campaign)
    _throttle(request, visitors[0])
    return visitors


def _visitors(request: Request, campaign: int) -> list[Visitor]:
    visitors = [entry for role in ("coder", "leader") if (entry := _from_cookie(request, campaign, role))]
    if not visitors:
        raise Refusal(401, "You are not signed in; open your invitation link.")
    return visitors


def visitor_in(*roles: str) -> Callable[[Request, int], Visitor]:
    """Who is asking, if their role is one of these."""

    def visitor(request: Request, campaign: CampaignId) -> Visitor:
        for entry in _visitors(request, campaign):
            if entry.role in roles:
                _throttle(request, entry)
                return entry
        raise Refusal(403, "Your role does not have access to this.")

    return visitor


def _from_cookie(request: Request, campaign: int, role: str) -> Visitor | None:
    session = _session(request, cookie_name(request, role, campaign))
    settings, store = settings_of(request), store_here(request)
    visitor = (
        store.read(lambda connection: visitor_of(connection, session, settings.secret, settings.sessions))
        if session
        else None
    )
    if visitor is None or visitor.campaign_id != campaign:
        return _from_desk(request, campaign) if role in LEADERS else None
    _note_visit(request, session, visitor)
    return visitor


def _from_desk(request: Request, campaign: int) -> Visitor | None:
    """The leader of a campaign who came by her desk."""
    organiser = organiser_of_request(request)
    if organiser is None:
        return None
    return store_here(request).read(lambda connection: leader_in(connection, organiser, campaign))


def organiser_of_request(request: Request) -> Organiser | None:
    """Who is signed in to a desk in this browser."""
    session = _session(request, desk_cookie_name(request))
    settings, store = settings_of(request), store_here(request)
    if not session:
        return None
    organiser = store.read(lambda connection: organiser_of(connection, session, settings.secret, settings.sessions))
    if organiser is not None:
        _note_visit(request, session, organiser)
    return organiser


def organiser_here(request: Request) -> Organiser:
    """Who is asking, if it is somebody who makes campaigns."""
    organiser = organiser_of_request(request)
    if organiser is None:
        raise Refusal(401, "You are not signed in to a desk; open the link to your desk.")
    _hold_back(request, f"desk {organiser.organiser_id}")
    return organiser


def _session(request: Request, cookie: str) -> str:
    session = request.cookies.get(cookie, "")
    return session if len(session) <= 200 and session.isascii() else ""


def _note_visit(request: Request, session: str, visitor: Visitor | Organiser) -> None:
    request.app.state.recent_sessions.add(session)
    if now() - visitor.seen > min(SEEN_EVERY, settings_of(request).sessions.idle // 10):
        request.app.state.store.submit(lambda connection: mark_seen(connection, visitor.session_id))


def _throttle(request: Request, visitor: Visitor) -> None:
    _hold_back(request, str(visitor.coder_id))


def _hold_back(request: Request, who: str) -> None:
    wait = request.app.state.visitor_throttle.wait(who)
    if wait > 0:
        raise Refusal(429, "Too many requests; wait a moment.", {"retry-after": str(math.ceil(wait))})


def campaign_of(store: Annotated[Store, Depends(store_of)], campaign: CampaignId) -> Campaign:
    """The campaign of the address as the database has it now: other programs change and delete campaigns, too."""
    return store.read(lambda connection: find_campaign(connection, campaign))


Coder = Annotated[Visitor, Depends(visitor_in(*CODERS))]
Anyone = Annotated[Visitor, Depends(visitor_in(*CODERS, *LEADERS))]
Leader = Annotated[Visitor, Depends(visitor_in(*LEADERS))]
AtDesk = Annotated[Organiser, Depends(organiser_here)]
Here = Annotated[list[Visitor], Depends(visitors_here)]
TheStore = Annotated[Store, Depends(store_of)]
TheCampaign = Annotated[Campaign, Depends(campaign_of)]
