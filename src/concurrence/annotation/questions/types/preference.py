"""``preference``: which of two texts of the item is better; ``a`` is the one in the first column, ``b`` in the second.

Which of them stands on the left is drawn from the campaign's seed, the question, the coder and the item: it is the
same whenever it is asked for, so that the page and every export agree on it.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from concurrence.annotation.questions.types.row import (
    KEY_COLUMNS,
    Choice,
    GivenAnswer,
    MeasuringCommand,
    OwnFields,
    QuestionType,
    SeenItem,
    flag,
)
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    import polars as pl

    from concurrence.annotation.questions.questionnaire import Question

SIDES = ("a", "b")
TIE = "tie"
COLUMNS = ("a", "b", "winner", "coder", "item", "left", "round", "unsure", "note")


def _choices(fields: OwnFields, name: str) -> tuple[Choice, ...]:
    ties = flag(fields, "ties", name, default=True)
    choices = (Choice(id="a", text="A", key="1"), Choice(id="b", text="B", key="2"))
    return (*choices, Choice(id=TIE, text="No preference", key="3")) if ties else choices


def _settings(fields: OwnFields, name: str) -> dict[str, Any]:
    return {"columns": _two(fields, "columns", name) or list(SIDES), "names": _two(fields, "names", name)}


def _two(fields: OwnFields, name: str, question: str) -> list[str] | None:
    names = fields.get(name)
    if names is None:
        return None
    if not isinstance(names, list) or len(set(map(str, names))) != 2 or not all(isinstance(one, str) for one in names):
        raise InvalidInputError(f'Question {question!r}: {name} must name two columns of the items, as in ["a", "b"].')
    return names


def order_of(question: "Question", seen: SeenItem) -> tuple[str, str]:
    """Which of ``a`` and ``b`` stands on the left, and which on the right."""
    drawn = "\n".join((str(seen.seed), question.id, seen.round, str(seen.repeat), seen.coder, seen.item))
    return ("b", "a") if hashlib.sha256(drawn.encode()).digest()[0] & 1 else ("a", "b")


def _texts_in_order(question: "Question", seen: SeenItem) -> dict[str, Any]:
    texts = dict(zip(SIDES, (seen.columns.get(name, "") for name in question.settings["columns"]), strict=True))
    order = order_of(question, seen)
    is_repeated = seen.text in texts.values() or seen.text in (seen.columns.get(name) for name in KEY_COLUMNS)
    return {"order": order, "texts": [texts[side] for side in order], "prompt": "" if is_repeated else seen.text}


def _table(question: "Question", answers: Sequence[GivenAnswer]) -> "pl.DataFrame":
    """One row for each comparison as ``concur preferences`` reads it: ``a`` was shown on the left."""
    import polars as pl

    names = question.settings["names"] or question.settings["columns"]
    rows = []
    for one in answers:
        left, right = order_of(question, one.seen)
        called = dict(zip(SIDES, (one.seen.columns.get(name, "") for name in names), strict=True))
        winner = {left: "a", right: "b", TIE: TIE}[one.answer]
        extras = ("yes" if one.unsure else "no", one.note)
        seen = one.seen
        rows.append([called[left], called[right], winner, seen.coder, seen.item, left, seen.round, *extras])
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


ROW = QuestionType(
    name="preference",
    fields=("columns", "names", "ties"),
    choices=_choices,
    settings=_settings,
    needed=lambda question: [*question.settings["columns"], *(question.settings["names"] or ())],
    shown=_texts_in_order,
    brings_texts=True,
    table=_table,
    measured=lambda _question: MeasuringCommand(command="preferences"),
)
