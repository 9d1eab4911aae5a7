"""``text``: an answer in the coder's own words."""

from typing import TYPE_CHECKING, Any

from concurrence.annotation.questions.types.row import MeasuringCommand, OwnFields, QuestionType, whole

if TYPE_CHECKING:
    from concurrence.annotation.questions.questionnaire import Question

LONGEST = 10_000


def _settings(fields: OwnFields, name: str) -> dict[str, Any]:
    return {
        "longest": whole(fields, "longest", name, default=2000, low=1, high=LONGEST),
        "lines": whole(fields, "lines", name, default=1, low=1, high=20),
    }


def _objection(question: "Question", answer: str) -> str | None:
    if not answer.strip():
        return f"An answer to the question {question.id!r} must not be empty."
    longest = question.settings["longest"]
    if len(answer) > longest:
        return f"An answer to the question {question.id!r} has at most {longest} characters, not {len(answer)}."
    return None


ROW = QuestionType(
    name="text",
    fields=("longest", "lines"),
    settings=_settings,
    objection=_objection,
    answers=lambda _question: (),
    label=lambda _question, answer: answer.strip(),
    measured=lambda _question: MeasuringCommand(
        command=None,
        note="Answers in the coders' own words have no coefficient; read them under Disagreements, or export them.",
    ),
)
