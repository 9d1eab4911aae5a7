"""``span``: stretches of the item's text, each with a label. An answer is ``[[start,end,"label"],…]`` as compact JSON.

Positions count the characters (code points) of the text as the coder sees it, from 0; the end is exclusive. Nothing
marked is the answer ``[]``. Stretches with the same label never overlap, others only where the question allows it.
"""

import json
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from concurrence.annotation.questions.types.row import (
    Choice,
    GivenAnswer,
    MeasuringCommand,
    OwnFields,
    QuestionType,
    declared_answers,
    flag,
    read_choices,
)

if TYPE_CHECKING:
    import polars as pl

    from concurrence.annotation.questions.questionnaire import Question

Stretch = tuple[int, int, str]
COLUMNS = ("document", "coder", "start", "end", "label", "text", "length", "round", "unsure", "note")


def _choices(fields: OwnFields, name: str) -> tuple[Choice, ...]:
    return read_choices(fields, name, least=1, field_name="labels")


def _settings(fields: OwnFields, name: str) -> dict[str, Any]:
    return {"overlap": flag(fields, "overlap", name)}


def parse_spans(answer: str) -> list[Stretch] | None:
    """The marked stretches of an answer, in order; nothing where it is none."""
    try:
        entries = json.loads(answer)
    except ValueError:
        return None
    if not isinstance(entries, list) or not all(isinstance(one, list) and len(one) == 3 for one in entries):
        return None
    for start, end, label in entries:
        if type(start) is not int or type(end) is not int or not isinstance(label, str) or not 0 <= start < end:
            return None
    return sorted((start, end, label) for start, end, label in entries)


def _objection(question: "Question", answer: str) -> str | None:
    marked = parse_spans(answer)
    if marked is None:
        return f'An answer to the question {question.id!r} reads [[start,end,"label"],…], with start before end.'
    declared = declared_answers(question)
    if wrong := next((label for _, _, label in marked if label not in declared), None):
        return f"{wrong!r} is not one of the labels of the question {question.id!r}."
    for (start, end, label), (next_start, next_end, other) in combinations(marked, 2):
        crossing = start < next_end and next_start < end
        if crossing and label == other:
            return f"Two stretches with the label {label!r} overlap at {next_start}."
        if crossing and not question.settings["overlap"]:
            return f"Stretches must not overlap, but {label!r} and {other!r} do at {next_start}."
    return None


def _item_objection(_question: "Question", answer: str, text: str) -> str | None:
    last = max((end for _, end, _ in parse_spans(answer) or ()), default=0)
    return f"A stretch ends at {last}, but the item has {len(text)} characters." if last > len(text) else None


def _label(_question: "Question", answer: str) -> str:
    return json.dumps(parse_spans(answer), ensure_ascii=False, separators=(",", ":"))


def _display_label(label: str, text: str) -> str:
    marked = parse_spans(label) or ()
    return "; ".join(f"{name}: {text[start:end]} ({start}–{end})" for start, end, name in marked) or "nothing marked"


def _meets(_question: "Question", answer: str, conditions: Sequence[str]) -> bool:
    return any(label in conditions for _, _, label in parse_spans(answer) or ())


def _table(_question: "Question", answers: Sequence[GivenAnswer]) -> "pl.DataFrame":
    """One row for each stretch, as ``concur spans`` reads it; one without a stretch where a coder marked nothing."""
    import polars as pl

    rows, rounds = [], {one.seen.round for one in answers}
    for one in answers:
        text = one.seen.text
        document = one.seen.item if len(rounds) < 2 else f"{one.seen.item} ({one.seen.round})"
        extras = (str(len(text)), one.seen.round, "yes" if one.unsure else "no", one.note)
        marked: list[Sequence[str | None]] = [
            (str(start), str(end), label, text[start:end]) for start, end, label in parse_spans(one.answer) or ()
        ]
        rows += [(document, one.seen.coder, *stretch, *extras) for stretch in marked or [(None, None, None, None)]]
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


ROW = QuestionType(
    name="span",
    fields=("labels", "overlap"),
    choices=_choices,
    settings=_settings,
    objection=_objection,
    item_objection=_item_objection,
    answers=lambda _question: (),
    label=_label,
    conditions=declared_answers,
    meets=_meets,
    table=_table,
    measured=lambda _question: MeasuringCommand(command="spans"),
    picks=False,
    display_label=_display_label,
)
