"""What leaders send, and the data of their pages."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from concurrence.web.models import NO_NUL, Answer, AnswerText, Id, Name, QuestionOut, Strict, Uuid


class LeaderCommentIn(Strict):
    """The leader's comment on an item; the same UUID counts once."""

    uuid: Uuid
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000, pattern=NO_NUL)]


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


class Changes(Answer):
    """The number of the newest event, and how many decisions came after the one that was named."""

    newest: int
    decisions: int


class Page(Answer):
    """The data of one of the leader's pages."""

    campaign: str
    questions: list[QuestionOut]
    data: Any
