"""Exchanging an invitation link for a session, seeing one's own sessions, and ending them."""

import asyncio
import math

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from concurrence.annotation.database.store import Store
from concurrence.annotation.people.access import (
    LinkState,
    OpenSession,
    Organiser,
    Visitor,
    end_sessions,
    hashed,
    link_state,
    log_wrong_link,
    open_session,
    sessions_of,
)
from concurrence.web.errors import Refusal
from concurrence.web.models import CampaignId, Done, SessionId, responses
from concurrence.web.network.throttle import address_prefix
from concurrence.web.pages import render
from concurrence.web.sessions.models import SessionAnswer, SessionOut, SessionsAnswer, Token
from concurrence.web.sessions.session import (
    Here,
    TheCampaign,
    TheStore,
    drop_cookies,
    drop_desk_cookie,
    request_place,
    set_cookie,
    settings_of,
)

router = APIRouter(prefix="/api", tags=["sessions"])
pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

WRONG_LINKS: dict[LinkState, str] = {
    "unknown": "This link is unknown; ask the leader for a new one.",
    "revoked": "This link was revoked; ask the leader for a new one.",
    "expired": "This link has expired; ask the leader for a new one.",
    "used": "This link works only once and was used already; ask the leader for a new one.",
}


@router.post("/sessions", responses=responses(401))
async def open_a_session(request: Request, response: Response, body: Token, store: TheStore) -> SessionAnswer:
    """Exchange the token of an invitation link for a session cookie.

    The link is ``/join#TOKEN``, so that the token stays out of logs; the page sends it here once and
    forgets it.
    """
    settings, place = settings_of(request), request_place(request)
    state = await run_in_threadpool(store.read, lambda connection: link_state(connection, body.token, settings.secret))
    if state != "valid":
        raise _wrong_link(request, store, body.token, state)
    if request.app.state.join_throttle.wait(hashed(body.token, settings.secret)) > 0:
        raise Refusal(429, "This link was opened too often; wait a moment.", {"retry-after": "60"})
    opened = await asyncio.wrap_future(
        store.submit(
            lambda connection: open_session(
                connection, body.token, settings.secret, limits=settings.sessions, place=place
            )
        )
    )
    if opened is None:  # it was used or revoked in between
        raise _wrong_link(request, store, body.token, "revoked")
    session, visitor = opened
    request.app.state.recent_sessions.add(session)
    set_cookie(response, request, visitor, session)
    campaign = None if isinstance(visitor, Organiser) else visitor.campaign_id
    page = "/desk" if campaign is None else f"/c/{campaign}" + ("/leader" if visitor.role == "leader" else "")
    return SessionAnswer.model_validate(
        {"campaign": campaign, "name": visitor.name, "role": visitor.role, "page": page}
    )


def _wrong_link(request: Request, store: Store, token: str, state: LinkState) -> Refusal:
    """The answer to a link that does not work; it is charged to its address, which limits the log, too."""
    throttle, address = request.app.state.link_throttle, request_place(request).address
    if throttle.wait(address_prefix(address or "")) == 0:
        secret = settings_of(request).secret
        store.submit(lambda connection: log_wrong_link(connection, token, secret, address=address))
    elif state == "unknown":
        seconds = math.ceil(60 / throttle.burst)
        return Refusal(429, "Too many invalid links; wait a moment.", {"retry-after": str(seconds)})
    return Refusal(401, WRONG_LINKS[state])


@router.get("/campaigns/{campaign}/sessions", responses=responses(401))
def read_sessions(request: Request, campaign: CampaignId, visitors: Here, store: TheStore) -> SessionsAnswer:
    """One's own open sessions in a campaign, in this browser and in others; the one used last comes first."""
    current = {visitor.session_id for visitor in visitors}
    rows = [
        SessionOut.model_validate({**_fields(entry), "current": entry.id in current})
        for entry in _own(request, store, visitors)
    ]
    return SessionsAnswer(campaign=campaign, sessions=rows)


@router.delete("/campaigns/{campaign}/sessions", responses=responses(401))
def end_other_sessions(request: Request, campaign: CampaignId, visitors: Here, store: TheStore) -> Done:  # noqa: ARG001
    """End one's own sessions in all other browsers."""
    current = {visitor.session_id for visitor in visitors}
    _end(request, store, [entry.id for entry in _own(request, store, visitors) if entry.id not in current])
    return Done()


@router.delete("/campaigns/{campaign}/sessions/{session}", responses=responses(401, 404))
def end_one_session(
    request: Request,
    campaign: CampaignId,  # noqa: ARG001
    session: SessionId,
    visitors: Here,
    store: TheStore,
) -> Done:
    """End one of one's own sessions."""
    if session not in {entry.id for entry in _own(request, store, visitors)}:
        raise Refusal(404, "Not found.")
    _end(request, store, [session])
    return Done()


@router.delete("/campaigns/{campaign}/session", responses=responses(401))
def end_the_session(
    request: Request, response: Response, campaign: CampaignId, visitors: Here, store: TheStore
) -> Done:
    """Sign out: end the sessions of this campaign in this browser; the invitation links stay valid."""
    _end(request, store, [visitor.session_id for visitor in visitors])
    drop_cookies(response, request, campaign)
    if any(visitor.organiser_id for visitor in visitors):
        drop_desk_cookie(response, request)
    return Done()


@pages.get("/c/{campaign}/sessions")
def sessions_page(request: Request, campaign: TheCampaign, visitors: Here, store: TheStore) -> HTMLResponse:
    """One's own sessions, for people."""
    leads = all(visitor.role == "leader" for visitor in visitors)
    return render(
        "sessions.html",
        place=campaign.name,
        api=f"/api/campaigns/{campaign.id}",
        names=sorted({visitor.name for visitor in visitors}),
        back=f"/c/{campaign.id}" + ("/leader" if leads else ""),
        current={visitor.session_id for visitor in visitors},
        sessions=_own(request, store, visitors),
    )


def _own(request: Request, store: Store, visitors: list[Visitor]) -> list[OpenSession]:
    limits, people = settings_of(request).sessions, [visitor.coder_id for visitor in visitors]
    organisers = [visitor.organiser_id for visitor in visitors if visitor.organiser_id is not None]
    return store.read(lambda connection: sessions_of(connection, people, limits, organiser_ids=organisers))


def _end(request: Request, store: Store, sessions: list[int]) -> None:
    address = request_place(request).address
    store.write(lambda connection: end_sessions(connection, sessions, address=address))


def _fields(entry: OpenSession) -> dict[str, object]:
    return {name: getattr(entry, name) for name in entry.__dataclass_fields__}
