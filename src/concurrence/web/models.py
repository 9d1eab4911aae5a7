"""The models of requests and answers, strict: nothing is guessed, unknown fields are refused.

Here are those that several doors share; the folders of the doors hold their own.
"""

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from concurrence.annotation.questions.table import QUESTION_TYPES

UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
NO_NUL = r"^[^\x00]*$"
LARGEST_ID = 2**31 - 1
LARGEST_TIME = 2**53 - 1

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


class ChoiceOut(Answer):
    """One choice; ``code`` is its key as ``KeyboardEvent.code`` names it on a US keyboard."""

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


class Done(Answer):
    """Done."""

    done: Literal[True] = True


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How the problems of a route are documented."""
    every = (400, 403, 405, 413, 422, 429, 500, 503, 507)
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
    507: "The server's disk is full; nothing was saved.",
}
