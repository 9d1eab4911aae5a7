"""What the coder's page sends and gets.

What HTTP calls an item of a coder's part is a task inside: one item, given to one coder. The aliases translate.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from concurrence.web.models import (
    LARGEST_ID,
    LARGEST_TIME,
    NO_NUL,
    Answer,
    AnswerText,
    Id,
    LongText,
    QuestionOut,
    Strict,
    Uuid,
)

MOST_EVENTS = 200


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
