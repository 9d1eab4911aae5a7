"""What a type of question is: one row, of which most fields have a default that fits a single choice."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import join_words

if TYPE_CHECKING:
    import polars as pl

    from concurrence.annotation.questions.questionnaire import Question

MOST_CHOICES = 36
KEYS = "123456789abcdefghijklmnopqrstuvwxyz0"
MARK = "|"
KEY_COLUMNS = ("item", "id")  # that name an item

OwnFields = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer a coder can give, and the key that gives it."""

    id: str
    text: str
    key: str

    @property
    def code(self) -> str:
        """The key as browsers name it on a US keyboard; the page finds the one on which the letter is printed."""
        return f"Digit{self.key}" if self.key.isdigit() else f"Key{self.key.upper()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenItem:
    """An item as one coder sees it in one round: its text, its row, and the seed of what is drawn for it."""

    item: str
    text: str
    columns: Mapping[str, str]
    coder: str
    round: str
    repeat: bool
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """A standing answer to one question, with the item as its coder saw it."""

    seen: SeenItem
    answer: str
    unsure: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuringCommand:
    """Which command measures the answers: ``agree`` with its options, ``spans``, ``preferences``, or none."""

    command: str | None = "agree"
    scale: str = "nominal"
    sets: bool = False
    note: str | None = None


def declared_answers(question: "Question") -> tuple[str, ...]:
    return tuple(choice.id for choice in question.choices)


def not_a_choice(question: "Question", answer: str) -> str | None:
    declared = declared_answers(question)
    if answer in declared:
        return None
    return f"{answer!r} is not one of the choices of the question {question.id!r}, which are {join_words(declared)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """A kind of question, of which only its name and the fields of its table must be said.

    ``fields`` are those of its table in a questions file, beside the ones every question has. ``choices`` reads from
    them what can be answered with a key, ``settings`` what else the page must know; both get the question's id
    for their sentences. ``objection`` says in a sentence why a text is no answer, ``item_objection`` why it is none for
    this item. ``answers`` are the declared ones in order, none where any text may be one; ``label`` is what an answer
    is called in exports and statistics.

    ``conditions`` are what a follow-up can wait for, by default the answers, and ``meets`` tells whether an answer is
    one of those waited for. ``needed`` are columns that every item must have, ``shown`` is what the page needs of an
    item beside its text. ``table`` is the export of the question where rows of item and label do not hold its answers.
    ``picks`` says whether one choice is an answer, ``brings_texts`` whether the question shows all that is judged, so
    that an item needs no text of its own. ``display_label`` is a label for people, in view of the item's text.
    """

    name: str
    fields: tuple[str, ...]
    choices: Callable[[OwnFields, str], tuple[Choice, ...]] = lambda _fields, _name: ()
    settings: Callable[[OwnFields, str], dict[str, Any]] = lambda _fields, _name: {}
    objection: "Callable[[Question, str], str | None]" = not_a_choice
    item_objection: "Callable[[Question, str, str], str | None] | None" = None
    answers: "Callable[[Question], tuple[str, ...]]" = declared_answers
    label: "Callable[[Question, str], str]" = lambda _question, answer: answer
    conditions: "Callable[[Question], tuple[str, ...]] | None" = None
    meets: "Callable[[Question, str, Sequence[str]], bool]" = lambda _question, answer, wanted: answer in wanted
    needed: "Callable[[Question], Sequence[str]]" = lambda _question: ()
    shown: "Callable[[Question, SeenItem], dict[str, Any]] | None" = None
    table: "Callable[[Question, Sequence[GivenAnswer]], pl.DataFrame] | None" = None
    measured: "Callable[[Question], MeasuringCommand]" = field(default=lambda _question: MeasuringCommand())
    picks: bool = True
    brings_texts: bool = False
    display_label: Callable[[str, str], str] = lambda label, _text: label


def read_choices(fields: OwnFields, name: str, *, least: int = 2, field_name: str = "choices") -> tuple[Choice, ...]:
    """The choices that a list in a questions file declares, each with its key."""
    entries = fields.get(field_name)
    if not isinstance(entries, list) or not least <= len(entries) <= MOST_CHOICES:
        raise InvalidInputError(f"Question {name!r} needs a list of {least} to {MOST_CHOICES} {field_name}.")
    choices = tuple(_choice(entry, position, name) for position, entry in enumerate(entries))
    refuse_twice("choice", [choice.id for choice in choices], name)
    refuse_twice("key", [choice.key for choice in choices], name)
    return choices


def _choice(entry: Any, position: int, name: str) -> Choice:
    table = {"id": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or set(table) - {"id", "text", "key"}:
        raise InvalidInputError(f"Question {name!r}: a choice is a string, or a table with id, text and key.")
    label = table.get("id")
    if not isinstance(label, str) or not label.strip() or len(label) > 200 or MARK in label:
        raise InvalidInputError(
            f"Question {name!r}: a choice needs an id: a string of at most 200 characters without '|'."
        )
    key = table.get("key", KEYS[position])
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9]", key):
        raise InvalidInputError(f"Question {name!r}, choice {label!r}: the key must be a single letter a-z or digit.")
    return Choice(id=label, text=str(table.get("text", label)), key=key.lower())


def refuse_twice(kind: str, names: Sequence[str], question: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(f"Question {question!r}: the {kind} {name!r} is given twice.")


def flag(fields: OwnFields, name: str, question: str, *, default: bool = False) -> bool:
    """A field that is true or false."""
    value = fields.get(name, default)
    if not isinstance(value, bool):
        raise InvalidInputError(f"Question {question!r}: {name} must be true or false.")
    return value


def whole(fields: OwnFields, name: str, question: str, *, default: int, low: int, high: int) -> int:
    """A field that is a whole number between two others."""
    value = fields.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidInputError(f"Question {question!r}: {name} must be a whole number from {low} to {high}.")
    return value


def text_field(fields: OwnFields, name: str, question: str) -> str | None:
    """A field that is a text, if it is there."""
    value = fields.get(name)
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise InvalidInputError(f"Question {question!r}: {name} must be a string that is not empty.")
    return value
