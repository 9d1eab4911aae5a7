"""The pages for coders: where a link leads, and the page they judge on."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from concurrence.annotation.campaigns.campaign import manual_of
from concurrence.web.manual import manual_html
from concurrence.web.pages import render
from concurrence.web.sessions.session import Coder, TheCampaign, TheStore, organiser_of_request

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/")
def front_page(request: Request) -> HTMLResponse:
    """What this site is, for visitors without a link, and the way to the desk for who has one."""
    return render("front.html", organiser=organiser_of_request(request))


@router.get("/join")
def join_page() -> HTMLResponse:
    """Where invitation links lead; its script sends the token once and opens the right page."""
    return render("join.html")


@router.get("/api")
def api_page(request: Request) -> HTMLResponse:
    """The routes of the API, from the same document that programs read."""
    return render("api.html", document=request.app.openapi())


@router.get("/c/{campaign}")
def coder_page(coder: Coder, campaign: TheCampaign, store: TheStore) -> HTMLResponse:
    """The page a coder judges on; its script loads the part and does the rest."""
    version, text = store.read(lambda connection: manual_of(connection, campaign))
    return render(
        "coder.html",
        preview=None,
        types=sorted({question.type for question in campaign.questionnaire.questions}),
        campaign=campaign,
        coder=coder,
        manual_version=version,
        manual_html=manual_html(text),
    )
