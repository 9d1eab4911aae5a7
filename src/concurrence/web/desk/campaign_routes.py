"""What a leader does at the desk of a campaign: people and links, items, the manual, exports, a backup, the end."""

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, HTMLResponse, Response
from sqlalchemy import Connection
from starlette.background import BackgroundTask

from concurrence.annotation.campaigns.backup import back_up, delete_campaign
from concurrence.annotation.campaigns.campaign import Campaign, add_manual, add_round, manual_of
from concurrence.annotation.campaigns.manuals import (
    KINDS,
    LARGEST_PICTURE,
    add_picture,
    find_picture,
    manual_text,
    pictures_of,
    versions_of,
)
from concurrence.annotation.database.store import Store, now
from concurrence.annotation.decisions.codebook import export_name
from concurrence.annotation.decisions.event_table import export_events
from concurrence.annotation.decisions.exports import MAJORITY, export_gold, quote_formulas
from concurrence.annotation.desk.coders import add_coder, remove_coder, replace_coder
from concurrence.annotation.desk.items import AddedItems, add_items
from concurrence.annotation.people.access import Visitor, invite, revoke
from concurrence.annotation.people.security_log import Act, log_act
from concurrence.web.desk.models import (
    AddedOut,
    CoderIn,
    DeletionIn,
    LinksAnswer,
    LinksIn,
    ManualIn,
    ManualsAnswer,
    PersonIn,
    PictureOut,
    ReplacementIn,
    RevokedAnswer,
    StaffedOut,
    VersionAnswer,
    VersionOut,
)
from concurrence.web.desk.routes import Encoding, FileName
from concurrence.web.desk.upload_jobs import UploadedFile, items_of_upload
from concurrence.web.desk.uploads import READER, TABLES, save_body
from concurrence.web.errors import Refusal, repeat_own_sentence
from concurrence.web.leader.page_routes import LEADER_PAGES
from concurrence.web.manual import manual_html, without_heading
from concurrence.web.models import LARGEST_ID, NO_NUL, Done, Name, OptionalName, responses
from concurrence.web.pages import render
from concurrence.web.sessions.session import Leader, TheCampaign, TheStore, request_place, settings_of, visitors_here

router = APIRouter(prefix="/api/campaigns/{campaign}/desk", tags=["desk"])
pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

T = TypeVar("T")
PROBLEMS = responses(401, 404)
TEXT = {"content": {"text/csv": {"schema": {"type": "string"}}}}
FILE = {"content": {"application/vnd.sqlite3": {"schema": {"type": "string", "format": "binary"}}}}
AnswerName = Annotated[str, Query(min_length=1, max_length=200, pattern=NO_NUL)]


class DeskAction:
    """One act at the desk: who acts on which campaign, from where."""

    def __init__(self, request: Request, leader: Leader, campaign: TheCampaign, store: TheStore) -> None:
        self.leader: Visitor = leader
        self.campaign: Campaign = campaign
        self.store: Store = store
        self.address = request_place(request).address

    def carry_out(self, act: Act | None, work: Callable[[Connection], T], *, detail: str | None = None) -> T:
        """Do something and log it, in one transaction; what is wrong is told in a sentence."""

        def whole(connection: Connection) -> T:
            done = work(connection)
            if act is not None:
                self.log(connection, act, detail)
            return done

        with repeat_own_sentence():
            return self.store.write(whole)

    def log(self, connection: Connection, act: Act, detail: str | None) -> None:
        name = self.campaign.name
        log_act(connection, act, campaign=name, person=self.leader.name, address=self.address, detail=detail)


AtTheDesk = Annotated[DeskAction, Depends(DeskAction)]


@router.post("/coders", responses=PROBLEMS)
def add_a_coder(desk: AtTheDesk, body: CoderIn) -> StaffedOut:
    """Add a coder with the items of a part and those that everyone judges, or an expert with all items."""
    change = desk.carry_out(
        "coder added",
        lambda c: add_coder(c, desk.campaign, body.name, part=body.part, round_name=body.round, expert=body.expert),
        detail=body.name,
    )
    return StaffedOut.model_validate(change)


@router.post("/replacements", responses=PROBLEMS)
def replace_a_coder(desk: AtTheDesk, body: ReplacementIn) -> StaffedOut:
    """Let a new coder go on with what another has not finished; the decisions of who left stay."""
    change = desk.carry_out(
        "coder replaced",
        lambda c: replace_coder(c, desk.campaign, body.coder, body.successor),
        detail=f"{body.coder} by {body.successor}",
    )
    return StaffedOut.model_validate(change)


@router.post("/removals", responses=PROBLEMS)
def remove_a_coder(desk: AtTheDesk, body: PersonIn) -> StaffedOut:
    """Remove a coder: links end, decisions stay, what was not begun is nobody's task any more."""
    change = desk.carry_out("coder removed", lambda c: remove_coder(c, desk.campaign, body.coder), detail=body.coder)
    return StaffedOut.model_validate(change)


@router.post("/links", responses=PROBLEMS)
def add_links(request: Request, desk: AtTheDesk, body: LinksIn) -> LinksAnswer:
    """Make a new link for each of these people; older ones stay valid. A link cannot be shown again."""
    secret = settings_of(request).secret

    def work(connection: Connection) -> dict[str, str]:
        make = partial(invite, connection, desk.campaign, secret=secret, days=body.days, once=body.once)
        return {who: make(who, by=desk.leader.name, address=desk.address) for who in body.coders}

    tokens = desk.carry_out(None, work)
    return LinksAnswer(links={who: f"/join#{token}" for who, token in tokens.items()})


@router.post("/revocations", responses=PROBLEMS)
def revoke_links(desk: AtTheDesk, body: PersonIn) -> RevokedAnswer:
    """End all links and sessions of a person."""
    who = desk.leader.name
    ended = desk.carry_out(None, lambda c: revoke(c, desk.campaign, body.coder, by=who, address=desk.address))
    return RevokedAnswer(revoked=ended)


@router.post("/items", responses=PROBLEMS, openapi_extra=TABLES)
async def add_more_items(
    request: Request,
    desk: AtTheDesk,
    name: FileName,
    round: OptionalName = None,  # noqa: A002
    new_round: OptionalName = None,
    each_item: Annotated[int | None, Query(ge=1, le=200)] = None,
    repeats: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
    encoding: Encoding = None,
) -> AddedOut:
    """Upload more items for a round (by default the newest), or a new round."""
    file = UploadedFile(path=await save_body(request), name=name, encoding=encoding)

    def work(connection: Connection) -> AddedItems:
        campaign = desk.campaign
        if new_round is None:
            return add_items(connection, campaign, items, round_name=round, each_item=each_item)
        tasks = add_round(connection, campaign, items, name=new_round, each_item=each_item, repeats=repeats)
        return AddedItems(campaign=campaign.name, round=new_round, items=len(items), tasks=tasks)

    try:
        with repeat_own_sentence():
            display = desk.campaign.display
            questionnaire = desk.campaign.questionnaire
            pieces = await run_in_threadpool(READER.run, items_of_upload, file, display, questionnaire)
            items = [item for some in pieces for item in some]
        detail = f"round {new_round}" if new_round else name
        return AddedOut.model_validate(await run_in_threadpool(desk.carry_out, "items added", work, detail=detail))
    finally:
        file.path.unlink()


@router.get("/manual", responses=PROBLEMS)
def read_versions(desk: AtTheDesk) -> ManualsAnswer:
    """The manual as it was written, its versions with what changed, and its pictures."""
    text = desk.store.read(lambda c: manual_of(c, desk.campaign))[1]
    versions = desk.store.read(lambda c: versions_of(c, desk.campaign))
    pictures = desk.store.read(lambda c: pictures_of(c, desk.campaign))
    return ManualsAnswer(
        campaign=desk.campaign.name,
        text=text,
        versions=[VersionOut.model_validate(one) for one in versions],
        pictures=[PictureOut.model_validate(one) for one in pictures],
    )


@router.post("/manual", responses=PROBLEMS)
def add_version(desk: AtTheDesk, body: ManualIn) -> VersionAnswer:
    """Keep a new version of the manual; coders are told of it, and later decisions record it."""

    def work(connection: Connection) -> int:
        before = manual_of(connection, desk.campaign)
        if body.text == before[1]:
            raise Refusal(422, f"Nothing changed since version {before[0]}.")
        return add_manual(connection, desk.campaign, body.text, note=body.note or None)

    version = desk.carry_out("manual changed", work)
    return VersionAnswer(version=version, warnings=_rules_without_heading(desk.campaign, body.text))


def _rules_without_heading(campaign: Campaign, manual: str) -> list[str]:
    return without_heading({question.id: question.rule for question in campaign.questionnaire.questions}, manual)


@router.post("/pictures", responses=PROBLEMS, openapi_extra=TABLES)
async def add_a_picture(request: Request, desk: AtTheDesk, name: FileName) -> PictureOut:
    """Upload a picture for the manual: PNG, JPEG or WebP, at most 2 MB."""
    data = await request.body()
    picture = await run_in_threadpool(
        desk.carry_out, "picture added", lambda c: add_picture(c, desk.campaign, data, title=name), detail=name
    )
    return PictureOut.model_validate(picture)


@router.get("/gold", responses={**PROBLEMS, 200: TEXT}, response_class=Response)
def read_gold(
    desk: AtTheDesk,
    question: AnswerName,
    answer: AnswerName,
    by: AnswerName = MAJORITY,
    round: OptionalName = None,  # noqa: A002
) -> Response:
    """A gold standard as CSV, ``l1,l2,tp``: decided by the majority, by adjudication (``adjudicated``) or a coder."""
    with repeat_own_sentence():
        gold = desk.store.read_whole(
            lambda c: export_gold(c, desk.campaign, question=question, answer=answer, by=by, round_name=round)
        )
    desk.carry_out("export", lambda _: None, detail="gold")
    return _csv(
        quote_formulas(gold.table).write_csv(), export_name(desk.campaign, f"{question}-gold", ".csv", time=now())
    )


@router.get("/events", responses={**PROBLEMS, 200: TEXT}, response_class=Response)
def read_events(desk: AtTheDesk) -> Response:
    """Every decision ever made as CSV, the changed and withdrawn ones too, in the order they came."""
    table = desk.store.read_whole(lambda c: export_events(c, desk.campaign))
    desk.carry_out("export", lambda _: None, detail="events")
    return _csv(quote_formulas(table).write_csv(), export_name(desk.campaign, "events", ".csv", time=now()))


def _csv(text: str, name: str) -> Response:
    return Response(text, media_type="text/csv", headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/backup", responses={**PROBLEMS, 200: FILE}, response_class=FileResponse)
def read_backup(desk: AtTheDesk) -> FileResponse:
    """A copy of this campaign alone as a database of its own, without links and sessions."""
    folder = Path(tempfile.mkdtemp(prefix="concurrence-backup-"))
    try:
        path = back_up(desk.store, folder / "campaign.db", campaign=desk.campaign)
        desk.carry_out("backup", lambda _: None)
    except BaseException:
        shutil.rmtree(folder)
        raise
    gone = BackgroundTask(shutil.rmtree, folder)
    name = export_name(desk.campaign, "backup", ".db", time=now())
    return FileResponse(path, media_type="application/vnd.sqlite3", filename=name, background=gone)


@router.post("/deletion", responses=PROBLEMS)
def delete_the_campaign(desk: AtTheDesk, body: DeletionIn) -> Done:
    """Delete the campaign with everything in it. Its name must be given once more; this cannot be undone."""
    if body.name != desk.campaign.name:
        raise Refusal(422, "The name does not match; nothing was deleted.")
    desk.carry_out("campaign deleted", lambda c: delete_campaign(c, desk.campaign))
    return Done()


@pages.get("/c/{campaign}/leader/desk/manual")
def manual_page(desk: AtTheDesk, version: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None) -> HTMLResponse:
    """The manual to write, with its versions and pictures."""
    newest, text = desk.store.read(lambda c: manual_of(c, desk.campaign))
    if version is not None:
        with repeat_own_sentence():
            text = desk.store.read(lambda c: manual_text(c, desk.campaign, version))
    return render(
        "desk_manual.html",
        campaign=desk.campaign,
        leader=desk.leader,
        base=f"/c/{desk.campaign.id}/leader",
        pages=[row for row in LEADER_PAGES if "{" not in row.page],
        here="Desk",
        twin=f"/api/campaigns/{desk.campaign.id}/desk/manual",
        newest=0,
        text=text,
        shown=version or newest,
        newest_version=newest,
        html=manual_html(text),
        warnings=_rules_without_heading(desk.campaign, text),
        versions=desk.store.read(lambda c: versions_of(c, desk.campaign)),
        pictures=desk.store.read(lambda c: pictures_of(c, desk.campaign)),
        largest=LARGEST_PICTURE // 1_000_000,
    )


@pages.post("/c/{campaign}/leader/desk/manual/preview")
def manual_preview(_: Leader, body: ManualIn) -> HTMLResponse:
    """The manual as coders will see it; the page's script takes it from here."""
    return render("manual_preview.html", html=manual_html(body.text))


@pages.get("/pictures/{name}")
def read_picture(request: Request, store: TheStore, name: Name) -> Response:
    """A picture of a manual, for the people of its campaign."""
    picture = store.read(lambda connection: find_picture(connection, name))
    if picture is None:
        raise Refusal(404, "Not found.")
    campaign, data = picture
    visitors_here(request, campaign)
    headers = {"cache-control": "private, max-age=86400", "content-disposition": "inline"}
    return Response(data, media_type=KINDS[name.rpartition(".")[2]], headers=headers)
