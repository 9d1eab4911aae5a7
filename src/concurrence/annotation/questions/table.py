"""The types of questions: their names, their fields, the answers they accept, and the label each answer becomes.

A type stands on its one row in ``QUESTION_TYPES``: reading a questions file, checking an event, labels, exports, the
coder's part, the leader's pages and the OpenAPI document go by the row. On the coder's page a type is the
script of its name in ``static/types``.
"""

from typing import Any

from concurrence.annotation.questions.types import choice, choices, preference, scale, span, text
from concurrence.annotation.questions.types.row import Choice, QuestionType
from concurrence.core.errors import InvalidInputError

__all__ = ["QUESTION_TYPES", "Choice", "QuestionType", "question_type"]

QUESTION_TYPES: dict[str, QuestionType] = {
    row.name: row for row in (choice.ROW, choices.ROW, scale.ROW, text.ROW, span.ROW, preference.ROW)
}


def question_type(name: Any, question: str) -> QuestionType:
    """The row of a type, for a question that names it."""
    if name not in list(QUESTION_TYPES):
        names = ", ".join(QUESTION_TYPES)
        raise InvalidInputError(f"Question {question!r}: there is no question type {name!r}. Known types: {names}.")
    return QUESTION_TYPES[name]
