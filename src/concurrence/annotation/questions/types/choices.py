"""``choices``: several of a set. An answer is the chosen ids joined by ``|``, as ``concur agree --sets '|'`` reads it.

The order in which they were chosen means nothing: a label has its members in order of code points.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from concurrence.annotation.questions.types.row import (
    MARK,
    MOST_CHOICES,
    MeasuringCommand,
    OwnFields,
    QuestionType,
    declared_answers,
    read_choices,
    whole,
)
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.annotation.questions.questionnaire import Question


def _settings(fields: OwnFields, name: str) -> dict[str, Any]:
    count = len(fields["choices"])
    least = whole(fields, "least", name, default=1, low=1, high=MOST_CHOICES)
    most = whole(fields, "most", name, default=count, low=1, high=MOST_CHOICES)
    if not least <= most <= count:
        raise InvalidInputError(
            f"Question {name!r}: least = {least} and most = {most} do not fit a list of {count} choices."
        )
    return {"least": least, "most": most}


def _objection(question: "Question", answer: str) -> str | None:
    members = answer.split(MARK)
    declared = declared_answers(question)
    if wrong := next((member for member in members if member not in declared), None):
        return f"{wrong!r} is not one of the choices of the question {question.id!r}."
    if "" in members or len(set(members)) < len(members):
        return f"An answer to the question {question.id!r} names each choice once, with '|' between them."
    least, most = question.settings["least"], question.settings["most"]
    if not least <= len(members) <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        return f"The question {question.id!r} takes {allowed} of its choices, not {len(members)}."
    return None


def _meets(_question: "Question", answer: str, conditions: Sequence[str]) -> bool:
    return not set(conditions).isdisjoint(answer.split(MARK))


ROW = QuestionType(
    name="choices",
    fields=("choices", "least", "most"),
    choices=read_choices,
    settings=_settings,
    objection=_objection,
    answers=lambda _question: (),
    label=lambda _question, answer: MARK.join(sorted(answer.split(MARK))),
    conditions=declared_answers,
    meets=_meets,
    measured=lambda _question: MeasuringCommand(sets=True),
    picks=False,
    display_label=lambda label, _text: ", ".join(label.split(MARK)),
)
