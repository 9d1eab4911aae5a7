"""The models of requests and answers, strict: nothing is guessed, unknown fields are refused.

What HTTP calls an item of a coder's part is a task inside: one item, given to one coder. The aliases translate.
"""

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from concurrence.annotation.questions.table import QUESTION_TYPES

UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
NO_NUL = r"^[^\x00]*$"
LARGEST_ID = 2**31 - 1
LARGEST_TIME = 2**53 - 1
MOST_EVENTS = 200

Uuid = Annotated[str, StringConstraints(pattern=UUID)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=NO_NUL)]
AnswerText = Annotated[str, StringConstraints(min_length=1, max_length=50_000, pattern=NO_NUL)]
LongText = Annotated[str, StringConstraints(max_length=2000, pattern=NO_NUL)]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
CampaignId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The campaign's number, as in its address.")]
SessionId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The session's number, as in the list.")]
OptionalName = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NO_NUL)]


class Strict(BaseModel):
    """A request or an answer."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Answer(BaseModel):
    """An answer of the server; made from the values of the rooms."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class Problem(Answer):
    """What went wrong, in a sentence."""

    error: str


class Token(Strict):
    """The part of an invitation link after the ``#``."""

    token: Annotated[str, StringConstraints(min_length=16, max_length=200, pattern=r"^[A-Za-z0-9_-]*$")]


class SessionAnswer(Answer):
    """Who the visitor is now, and the page to open."""

    campaign: int | None = Field(description="Null for an organiser, whose link opens a desk.")
    name: str
    role: Literal["coder", "expert", "leader", "organiser"]
    page: str


class SessionOut(Answer):
    """One open session; times are milliseconds since 1970."""

    id: int
    role: Literal["coder", "expert", "leader", "organiser"]
    opened: int
    seen: int
    device: str | None
    address: str | None
    current: bool = Field(description="Whether it is this browser's.")


class SessionsAnswer(Answer):
    """One's own open sessions, in a campaign or at a desk."""

    campaign: int | None
    sessions: list[SessionOut]


class EventIn(Strict):
    """One decision, or the withdrawal of one (``answer`` null)."""

    uuid: Uuid = Field(description="Made by the client; an event that is sent again keeps its UUID.")
    task: Id = Field(alias="item", description="The id of an item in the coder's part.")
    question: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]
    answer: AnswerText | None = Field(
        description="As the question's type writes it, such as the id of a choice; null withdraws the answer."
    )
    unsure: bool = False
    note: LongText | None = None
    client_time: int = Field(ge=0, le=LARGEST_TIME, description="Milliseconds since 1970 by the client's clock.")
    manual_version: int = Field(ge=1, le=LARGEST_ID)
    duration: int | None = Field(default=None, ge=0, le=LARGEST_TIME, description="Milliseconds the item was shown.")
    counter: int | None = Field(
        default=None,
        ge=0,
        le=LARGEST_TIME,
        description="Place in the coder's order: greater than ``newest`` and every counter the client has seen. "
        "Without it, the event comes after everything acknowledged to this coder so far.",
    )


class EventsIn(Strict):
    """A batch of events, in the order they happened."""

    events: Annotated[list[EventIn], Field(min_length=1, max_length=MOST_EVENTS)]


class CommentIn(Strict):
    """A comment on an item of the coder's part."""

    uuid: Uuid = Field(description="Made by the client; a comment that is sent again keeps its UUID.")
    task: Id = Field(alias="item", description="The id of an item in the coder's part.")
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=NO_NUL)]
    client_time: int = Field(ge=0, le=LARGEST_TIME, description="Milliseconds since 1970 by the client's clock.")


class CommentsIn(Strict):
    """A batch of comments, in the order they were written."""

    comments: Annotated[list[CommentIn], Field(min_length=1, max_length=MOST_EVENTS)]


class LeaderCommentIn(Strict):
    """The leader's comment on an item; the same UUID counts once."""

    uuid: Uuid
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=NO_NUL)]


class ReceiptOut(Answer):
    """What became of one event."""

    uuid: str
    status: Literal["stored", "known", "refused"]
    reason: str | None = None


class EventsAnswer(Answer):
    """One receipt for each event, in their order."""

    receipts: list[ReceiptOut]
    newest: int = Field(description="The moment of the coder's newest event, from any device.")


class CommentsAnswer(Answer):
    """One receipt for each comment, in their order."""

    receipts: list[ReceiptOut]


class CommentOut(Answer):
    """A comment on an item, by anyone; ``time`` is when it reached the server."""

    task: int = Field(serialization_alias="item")
    by: str
    role: str
    text: str
    time: int


class TrainingOut(Answer):
    """The known answers of the training round, by item and question, with explanations, and the share to get right."""

    share: float = Field(serialization_alias="pass")
    expected: dict[int, dict[str, str]]
    explanations: dict[int, str]


class ChoiceOut(Answer):
    """One choice; ``code`` is the physical key as ``KeyboardEvent.code`` names it."""

    id: str
    text: str
    key: str
    code: str


class QuestionOut(Answer):
    """One question; with a parent it is asked only after one of ``parent_answers``."""

    id: str
    text: str
    type: str = Field(json_schema_extra=lambda schema: schema.update(enum=list(QUESTION_TYPES)))
    choices: list[ChoiceOut]
    settings: dict[str, Any] = Field(description="Settings of the question type other than its choices.")
    parent: str | None
    parent_answers: list[str]
    note: bool
    rule: str | None


class SegmentOut(Answer):
    """A stretch of a context line."""

    text: str
    mark: bool


class ItemOut(Answer):
    """One item as its coder sees it."""

    id: int
    text: str
    contexts: list[list[SegmentOut]]
    facts: dict[str, str]
    closed: bool
    shown: dict[str, Any] = Field(description="What a question needs of the item beside its text, by question.")


class DecisionOut(Answer):
    """One current decision of the coder."""

    task: int = Field(serialization_alias="item")
    question: str
    answer: str
    unsure: bool
    note: str | None
    moment: int


class PartAnswer(Answer):
    """A coder's whole part: items in order, questions, the coder's own decisions from oldest to newest."""

    campaign: str
    coder: str
    round: str
    rounds: list[str]
    manual_version: int
    questions: list[QuestionOut]
    tasks: list[ItemOut] = Field(serialization_alias="items")
    decisions: list[DecisionOut]
    newest: int = Field(description="The moment of the coder's newest event; the counters of new events are greater.")
    comments: list[CommentOut] | None = Field(description="Comments on the items; null where the campaign has none.")
    training: TrainingOut | None = Field(description="Known answers; null outside the training round.")
    server_time: int


class DecisionsAnswer(Answer):
    """What can change in a coder's part: the decisions from oldest to newest, and the items that are closed."""

    coder: str
    manual_version: int
    decisions: list[DecisionOut]
    closed: list[int]
    newest: int = Field(description="The moment of the coder's newest event.")
    comments: list[CommentOut] | None = Field(description="Comments on the items; null where the campaign has none.")
    server_time: int


class ManualAnswer(Answer):
    """The coding manual as sanitised HTML; a question's ``rule`` is the id of a heading."""

    version: int
    html: str


class AdjudicationIn(Strict):
    """The leader's ruling on one question of one item, with its reason."""

    uuid: Uuid
    item: Id
    question: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]
    answer: AnswerText | None
    reason: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=NO_NUL)]


class RulingIn(Strict):
    """The leader's ruling on one question; ``answer`` null withdraws an earlier one."""

    uuid: Uuid
    question: Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]
    answer: AnswerText | None
    reason: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=NO_NUL)]


class RulingsIn(Strict):
    """Rulings on several questions of one item; all are recorded, or none."""

    item: Id
    rulings: Annotated[list[RulingIn], Field(min_length=1, max_length=100)]


class ClosingIn(Strict):
    """Close or reopen a campaign, one round, or one part."""

    closed: bool
    round: Name | None = None
    part: Name | None = None


class Done(Answer):
    """Done."""

    done: Literal[True] = True


class Changes(Answer):
    """The number of the newest event, and how many decisions came after the one that was named."""

    newest: int
    decisions: int


class Page(Answer):
    """The data of one of the leader's pages."""

    campaign: str
    questions: list[QuestionOut]
    data: Any


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How the problems of a route are documented."""
    every = (400, 403, 405, 413, 422, 429, 500, 503)
    return {status: {"model": Problem, "description": PROBLEMS[status]} for status in (*every, *statuses)}


PROBLEMS = {
    400: "The request cannot be read.",
    401: "Not signed in; open the invitation link.",
    403: "Not allowed for this role, or sent from another site.",
    404: "Not found.",
    405: "Method not allowed.",
    413: "The request is too large.",
    422: "The request does not match the documented form, or breaks a rule.",
    429: "Too many requests; wait as long as Retry-After says.",
    500: "Internal server error.",
    503: "The database cannot be reached; try again.",
}
