"""The types of questions: their names, their fields, the answers they accept, and the label each answer becomes.

A type stands on its one row in ``QUESTION_TYPES``: reading a questions file, checking an event, labels, the coder's
part and the OpenAPI document go by the row.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.annotation.questions import Question

MOST_CHOICES = 36
KEYS = "123456789abcdefghijklmnopqrstuvwxyz0"

OwnFields = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer a coder can give, and the key that gives it."""

    id: str
    text: str
    key: str

    @property
    def code(self) -> str:
        """The physical key as browsers name it, the same on every keyboard layout."""
        return f"Digit{self.key}" if self.key.isdigit() else f"Key{self.key.upper()}"


def declared_answers(question: "Question") -> tuple[str, ...]:
    return tuple(choice.id for choice in question.choices)


def not_a_choice(question: "Question", answer: str) -> str | None:
    return (
        None
        if answer in declared_answers(question)
        else f"This is not one of the choices of the question {question.id!r}."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """A kind of question, of which only its name and the fields of its table must be said.

    ``fields`` are those of its table in a questions file, beside the ones every question has. ``choices`` reads from
    them what can be answered with a key, ``settings`` what else the page must know; both get the question's id
    for their sentences. ``objection`` says in a sentence why a text is no answer. ``answers`` are the declared ones in
    order, none where any text may be one; ``label`` is what an answer is called in exports and statistics.
    """

    name: str
    fields: tuple[str, ...]
    choices: Callable[[OwnFields, str], tuple[Choice, ...]] = lambda _fields, _name: ()
    settings: Callable[[OwnFields, str], dict[str, Any]] = lambda _fields, _name: {}
    objection: "Callable[[Question, str], str | None]" = not_a_choice
    answers: "Callable[[Question], tuple[str, ...]]" = declared_answers
    label: "Callable[[Question, str], str]" = lambda _question, answer: answer


def question_type(name: Any, question: str) -> QuestionType:
    """The row of a type, for a question that names it."""
    if name not in list(QUESTION_TYPES):
        known = ", ".join(QUESTION_TYPES)
        raise InvalidInputError(f"Question {question!r}: there is no question type {name!r}. Known types: {known}.")
    return QUESTION_TYPES[name]


def _choices(fields: OwnFields, name: str) -> tuple[Choice, ...]:
    given = fields.get("choices")
    if not isinstance(given, list) or not 2 <= len(given) <= MOST_CHOICES:
        raise InvalidInputError(f"Question {name!r} needs a list of 2 to {MOST_CHOICES} choices.")
    choices = tuple(_choice(entry, position, name) for position, entry in enumerate(given))
    _refuse_twice("choice", [choice.id for choice in choices], name)
    _refuse_twice("key", [choice.key for choice in choices], name)
    return choices


def _choice(entry: Any, position: int, name: str) -> Choice:
    table = {"id": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or set(table) - {"id", "text", "key"}:
        raise InvalidInputError(f"Question {name!r}: a choice is a string, or a table with id, text and key.")
    label = table.get("id")
    if not isinstance(label, str) or not label.strip() or len(label) > 200 or "|" in label:
        raise InvalidInputError(
            f"Question {name!r}: a choice needs an id: a string of at most 200 characters without '|'."
        )
    key = table.get("key", KEYS[position])
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9]", key):
        raise InvalidInputError(f"Question {name!r}, choice {label!r}: the key must be a single letter a-z or digit.")
    return Choice(id=label, text=str(table.get("text", label)), key=key.lower())


def _refuse_twice(kind: str, names: Sequence[str], question: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(f"Question {question!r}: the {kind} {name!r} is given twice.")


QUESTION_TYPES = {row.name: row for row in (QuestionType(name="choice", fields=("choices",), choices=_choices),)}
