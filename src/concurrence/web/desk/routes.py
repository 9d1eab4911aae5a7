"""An organiser's desk: the campaigns she leads, and new ones from an uploaded table, seen before they are made."""

import secrets
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathValue
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import CreatedCampaign
from concurrence.annotation.database.store import Store
from concurrence.annotation.desk.campaign_from_table import CampaignForm, make_campaign, try_campaign, with_items
from concurrence.annotation.people.access import OpenSession, Organiser, end_sessions, sessions_of
from concurrence.annotation.people.organisers import campaigns_on_desk
from concurrence.annotation.people.security_log import log_act
from concurrence.annotation.questions.table import QUESTION_TYPES
from concurrence.web.coder.models import PartAnswer
from concurrence.web.coder.routes import part_json
from concurrence.web.desk.drafts import Draft, Drafts
from concurrence.web.desk.models import (
    CampaignIn,
    DeskAnswer,
    LedOut,
    MadeAnswer,
    PreviewAnswer,
    TableAnswer,
)
from concurrence.web.desk.upload_jobs import UploadedFile, describe_upload, plan_upload, preview_upload
from concurrence.web.desk.uploads import READER, TABLES, save_body
from concurrence.web.errors import Refusal, repeat_own_sentence
from concurrence.web.manual import manual_html, without_heading
from concurrence.web.models import NO_NUL, Done, SessionId, responses
from concurrence.web.pages import render
from concurrence.web.sessions.models import SessionOut, SessionsAnswer
from concurrence.web.sessions.session import AtDesk, TheStore, drop_desk_cookie, request_place, settings_of

router = APIRouter(prefix="/api/desk", tags=["desk"])
pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

PROBLEMS = responses(401, 404)
FileName = Annotated[str, Query(min_length=1, max_length=200, pattern=NO_NUL, description="The file's name.")]
Encoding = Annotated[
    Literal["utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "iso-8859-15", "mac-roman"] | None,
    Query(description="Of a text file; without it UTF-8, or UTF-16 where the file says so."),
]
DraftId = Annotated[str, PathValue(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]*$")]


def drafts_of(request: Request) -> Drafts:
    drafts: Drafts = request.app.state.drafts
    return drafts


@router.get("", responses=PROBLEMS)
def read_desk(organiser: AtDesk, store: TheStore) -> DeskAnswer:
    """The campaigns on the desk, the newest first."""
    led = store.read(lambda connection: campaigns_on_desk(connection, organiser.organiser_id))
    return DeskAnswer(name=organiser.name, campaigns=[LedOut.model_validate(one) for one in led])


@router.post("/tables", responses=PROBLEMS, openapi_extra=TABLES)
async def add_table(request: Request, organiser: AtDesk, name: FileName, encoding: Encoding = None) -> TableAnswer:
    """Upload a table with one item per row: CSV, TSV, XLSX, JSONL or Parquet, by the end of its name.

    It is kept for some hours, for the campaign to be made of it; the answer shows its columns and first rows.
    """
    drafts = drafts_of(request)
    file = UploadedFile(path=await save_body(request, drafts.folder), name=name, encoding=encoding)
    try:
        with repeat_own_sentence():
            [table] = await run_in_threadpool(READER.run, describe_upload, file)
    except BaseException:
        file.path.unlink()
        raise
    draft = drafts.add(organiser.organiser_id, file)
    return TableAnswer.model_validate({"draft": draft.id, "name": name, **table})


@router.post("/drafts/{draft}/preview", responses=PROBLEMS)
def preview_campaign(
    request: Request, organiser: AtDesk, store: TheStore, draft: DraftId, body: CampaignIn
) -> PreviewAnswer:
    """Check a campaign that is to be made of an uploaded table, and show it as its first coder will see it.

    The campaign is made and taken back in one transaction; nothing is kept but the preview.
    """
    upload = drafts_of(request).find(organiser.organiser_id, draft)
    with repeat_own_sentence():
        planned, sizes = READER.run(preview_upload, *_filled(upload, organiser, body))
        part = try_campaign(store.write, planned)
    rules = {question.id: question.rule for question in part.questions}
    warnings = without_heading(rules, planned.plan.manual) if planned.plan.manual else []
    upload.part, upload.coder = part_json(part, planned.plan.coders[0]), planned.plan.coders[0]
    upload.manual, upload.campaign = planned.plan.manual, planned.plan.name
    upload.questions = tuple(question.type for question in part.questions)
    page = f"/desk/drafts/{draft}/preview"
    return PreviewAnswer(page=page, items=sum(sizes.values()), rounds=list(sizes), warnings=warnings)


@router.get("/drafts/{draft}/part", responses=PROBLEMS, response_model=PartAnswer)
def read_preview(request: Request, organiser: AtDesk, draft: DraftId) -> Response:
    """The part of the first coder in the last preview: at most 50 items."""
    return Response(_previewed(request, organiser, draft).part, media_type="application/json")


@router.post("/drafts/{draft}/campaign", responses=PROBLEMS)
def add_campaign(request: Request, organiser: AtDesk, store: TheStore, draft: DraftId, body: CampaignIn) -> MadeAnswer:
    """Make a campaign of an uploaded table, as a whole or not at all."""
    drafts = drafts_of(request)
    upload = drafts.find(organiser.organiser_id, draft)
    who = {"person": organiser.name, "address": request_place(request).address}
    with repeat_own_sentence():
        planned = with_items(*READER.run(plan_upload, *_filled(upload, organiser, body)))

        def work(connection: Connection) -> tuple[int, CreatedCampaign]:
            answer = make_campaign(connection, planned, organiser.organiser_id)
            log_act(connection, "campaign made", campaign=planned.plan.name, **who)
            return answer

        number, created = store.write(work)
    drafts.drop(draft)
    return MadeAnswer(
        campaign=number,
        name=created.campaign,
        page=f"/c/{number}/leader/desk",
        items=created.items,
        rounds=list(created.rounds),
        tasks=created.tasks,
    )


def _filled(draft: Draft, organiser: Organiser, body: CampaignIn) -> tuple[UploadedFile, CampaignForm, str]:
    return draft.file, body.form(secrets.randbelow(2**31)), organiser.name


def _previewed(request: Request, organiser: Organiser, draft: str) -> Draft:
    upload = drafts_of(request).find(organiser.organiser_id, draft)
    if upload.part is None:
        raise Refusal(404, "There is no preview yet.")
    return upload


@router.get("/sessions", responses=PROBLEMS)
def read_desk_sessions(request: Request, organiser: AtDesk, store: TheStore) -> SessionsAnswer:
    """One's own open sessions at the desk; the one used last comes first."""
    rows = [
        SessionOut.model_validate(
            {
                **{name: getattr(entry, name) for name in entry.__dataclass_fields__},
                "current": entry.id == organiser.session_id,
            }
        )
        for entry in _own(request, store, organiser)
    ]
    return SessionsAnswer(campaign=None, sessions=rows)


@router.delete("/sessions", responses=PROBLEMS)
def end_other_desk_sessions(request: Request, organiser: AtDesk, store: TheStore) -> Done:
    """End one's own sessions at the desk in all other browsers."""
    others = [entry.id for entry in _own(request, store, organiser) if entry.id != organiser.session_id]
    return _end(request, store, others)


@router.delete("/sessions/{session}", responses=PROBLEMS)
def end_one_desk_session(request: Request, organiser: AtDesk, session: SessionId, store: TheStore) -> Done:
    """End one of one's own sessions at the desk."""
    if session not in {entry.id for entry in _own(request, store, organiser)}:
        raise Refusal(404, "Not found.")
    return _end(request, store, [session])


@router.delete("/session", responses=PROBLEMS)
def end_the_desk_session(request: Request, response: Response, organiser: AtDesk, store: TheStore) -> Done:
    """Sign out of the desk; its link stays valid."""
    drop_desk_cookie(response, request)
    return _end(request, store, [organiser.session_id])


def _own(request: Request, store: Store, organiser: Organiser) -> list[OpenSession]:
    limits, mine = settings_of(request).sessions, [organiser.organiser_id]
    return store.read(lambda connection: sessions_of(connection, [], limits, organiser_ids=mine))


def _end(request: Request, store: Store, sessions: list[int]) -> Done:
    address = request_place(request).address
    store.write(lambda connection: end_sessions(connection, sessions, address=address))
    return Done()


@pages.get("/desk")
def organiser_desk(organiser: AtDesk, store: TheStore) -> HTMLResponse:
    """The campaigns on the desk, for people."""
    led = store.read(lambda connection: campaigns_on_desk(connection, organiser.organiser_id))
    return render("desk.html", organiser=organiser, campaigns=led)


@pages.get("/desk/new")
def new_campaign_page(request: Request, organiser: AtDesk) -> HTMLResponse:
    """The form for a new campaign; its script uploads the table and shows its columns."""
    limit = settings_of(request).upload_limit
    return render("desk_new.html", organiser=organiser, types=list(QUESTION_TYPES), limit=f"{limit / 1e6:g}")


@pages.get("/desk/drafts/{draft}/preview")
def preview_page(request: Request, organiser: AtDesk, draft: DraftId) -> HTMLResponse:
    """The coder's page on a campaign that is not made yet; it records nothing."""
    upload = _previewed(request, organiser, draft)
    return render(
        "coder.html",
        preview=f"/api/desk/drafts/{draft}",
        types=sorted(set(upload.questions)),
        campaign={"id": 0, "name": upload.campaign, "created": 0},
        coder={"name": upload.coder},
        manual_version=1,
        manual_html=manual_html(upload.manual),
    )


@pages.get("/desk/sessions")
def desk_sessions_page(request: Request, organiser: AtDesk, store: TheStore) -> HTMLResponse:
    """One's own sessions at the desk, for people."""
    return render(
        "sessions.html",
        place="your desk",
        api="/api/desk",
        names=[organiser.name],
        back="/desk",
        current={organiser.session_id},
        sessions=_own(request, store, organiser),
    )
