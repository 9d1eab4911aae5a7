"""Exchanging an invitation link for a session, and ending it."""

import asyncio
import math

from fastapi import APIRouter, Request, Response

from concurrence.annotation.access import close_sessions, open_session
from concurrence.web.errors import Refusal
from concurrence.web.models import CampaignId, Done, SessionAnswer, Token, responses
from concurrence.web.session import Anyone, TheStore, cookie_name, set_cookie, settings_of

router = APIRouter(prefix="/api", tags=["sessions"])


@router.post("/sessions", responses=responses(401))
async def open_a_session(request: Request, response: Response, body: Token, store: TheStore) -> SessionAnswer:
    """Exchange the token of an invitation link for a session cookie.

    The link is ``/join#TOKEN``, so that the token stays out of logs; the page sends it here once and
    forgets it.
    """
    throttle, address = request.app.state.link_throttle, request.client.host if request.client else ""
    secret = settings_of(request).secret
    if throttle.level(address) < 1:
        raise Refusal(
            429, "Too many invalid links; wait a moment.", {"retry-after": str(math.ceil(60 / throttle.burst))}
        )
    opened = await asyncio.wrap_future(store.submit(lambda connection: open_session(connection, body.token, secret)))
    if opened is None:
        throttle.wait(address)
        raise Refusal(401, "This link is unknown or was revoked; ask the leader for a new one.")
    session, visitor = opened
    set_cookie(response, request, visitor, session)
    page = f"/c/{visitor.campaign_id}" + ("/leader" if visitor.role == "leader" else "")
    return SessionAnswer.model_validate(
        {"campaign": visitor.campaign_id, "name": visitor.name, "role": visitor.role, "page": page}
    )


@router.delete("/campaigns/{campaign}/session", responses=responses(401))
def end_the_session(request: Request, response: Response, campaign: CampaignId, _: Anyone, store: TheStore) -> Done:
    """End the sessions of this campaign in this browser; the invitation links stay valid."""
    secret = settings_of(request).secret
    names = [cookie_name("coder", campaign), cookie_name("leader", campaign)]
    sessions = [request.cookies.get(name, "") for name in names]
    store.write(lambda connection: close_sessions(connection, sessions, secret))
    for name in names:
        response.delete_cookie(name)
    return Done()
