"""Read comparisons: the columns a, b and winner, and optionally coder and count."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.comparisons import FIRST, SECOND, TIE, Comparisons
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.labels import MISSING
from concurrence.core.sentences import Sentence, count_noun
from concurrence.files.labels.codes import encode
from concurrence.files.tables.sheets import Sheet, open_sheet

ROLES = {
    "a": ("a", "first", "left"),
    "b": ("b", "second", "right"),
    "winner": ("winner", "preferred", "preference", "choice"),
    "coder": ("coder", "annotator", "rater", "worker", "judge"),
    "count": ("count", "n", "frequency"),
}
Whole = NDArray[np.signedinteger[Any]]


def read_comparisons(
    source: Any, *, columns: Mapping[str, str] | None = None, encoding: str | None = None, sheet: str | None = None
) -> Comparisons:
    """Read comparisons from a file, from standard input (``-``) or from a frame with the Arrow interface.

    ``a`` and ``b`` are the two items, in the order in which they were shown; ``winner`` is ``a``, ``b`` or ``tie``, or
    the name of an item. A row without a winner is left out. ``columns`` names the columns if they have other names.
    """
    columns = columns or {}
    if unknown := [role for role in columns if role not in ROLES]:
        raise UnknownNameError("role of a column", unknown[0], ROLES)
    table = open_sheet(source, encoding=encoding, sheet=sheet)
    names = {role: _find_column(table, role, columns) for role in ROLES}
    for role in ("a", "b", "winner"):
        if names[role] is None:
            option = option_or_keyword(f"--columns {role}=…", f'columns={{"{role}": "…"}}')
            raise InvalidInputError(
                f"{table.name} has no column {role!r} ({option}); its columns are {', '.join(table.frame.columns)}."
            )
    if not table.height:
        raise InvalidInputError(f"{table.name} has a header and no rows.")
    return _parse_comparisons(table, {role: name for role, name in names.items() if name is not None})


def _find_column(sheet: Sheet, role: str, columns: Mapping[str, str]) -> str | None:
    if role in columns:
        if columns[role] not in sheet.frame.columns:
            raise UnknownNameError("column", columns[role], sheet.frame.columns)
        return columns[role]
    by_plain_name = {name.strip().lower(): name for name in sheet.frame.columns if name not in columns.values()}
    return next((by_plain_name[name] for name in ROLES[role] if name in by_plain_name), None)


def _parse_comparisons(sheet: Sheet, names: Mapping[str, str]) -> Comparisons:
    texts = {role: sheet.column(name).to_list() for role, name in names.items()}
    for role in ("a", "b"):
        if (empty := next((row for row, text in enumerate(texts[role]) if not text), None)) is not None:
            raise InvalidInputError(f"{sheet.place(empty)}: the column {names[role]!r} is empty.")
    for row, (a, b) in enumerate(zip(texts["a"], texts["b"], strict=True)):
        if a == b:
            raise InvalidInputError(
                f"{sheet.place(row)}: {a!r} is compared with itself; a comparison takes two different items."
            )
    outcome = _parse_outcomes(sheet, texts)
    count = _parse_counts(sheet, texts.get("count"), names)
    rows = np.flatnonzero((outcome != MISSING) & (count > 0))
    if not len(rows):
        raise InvalidInputError(f"{sheet.name} holds no comparison: every winner is empty.")
    items = tuple(dict.fromkeys([*(texts["a"][row] for row in rows), *(texts["b"][row] for row in rows)]))
    index = {name: place for place, name in enumerate(items)}
    coder = encode(sheet.column(names["coder"])) if "coder" in names else None
    if coder is not None and (coder.codes[rows] == MISSING).any():
        row = int(rows[np.argmax(coder.codes[rows] == MISSING)])
        raise InvalidInputError(f"{sheet.place(row)}: the column {names['coder']!r} is empty.")
    return Comparisons(
        items=items,
        first=np.array([index[texts["a"][row]] for row in rows], dtype=np.int64),
        second=np.array([index[texts["b"][row]] for row in rows], dtype=np.int64),
        outcome=outcome[rows],
        count=count[rows],
        coder=np.zeros(len(rows), dtype=np.int64) if coder is None else coder.codes[rows].astype(np.int64),
        coders=() if coder is None else tuple(coder.names),
        missing=int((outcome == MISSING).sum()),
        warnings=_missing_winner_warning(int((outcome == MISSING).sum())),
    )


def _missing_winner_warning(rows: int) -> tuple[Sentence, ...]:
    if not rows:
        return ()
    text = f"{count_noun(rows, 'row')} without a winner {'was' if rows == 1 else 'were'} left out."
    return (Sentence(code="winner_missing", text=text, warning=True),)


def _parse_outcomes(sheet: Sheet, texts: Mapping[str, list[str | None]]) -> Whole:
    """Who won each row, by the side (a, b) or by the item's own name; both ways must not be mixed up."""
    rows = list(zip(texts["a"], texts["b"], texts["winner"], strict=True))
    _refuse_item_tie(sheet, rows)
    by_side = [_outcome_by_side(winner) for _, _, winner in rows]
    by_name = [_outcome_by_name(a, b, winner) for a, b, winner in rows]
    with_winner = [row for row, (_, _, winner) in enumerate(rows) if winner]
    all_by_side, all_by_name = (
        all(readings[row] is not None for row in with_winner) for readings in (by_side, by_name)
    )
    if (
        all_by_side
        and all_by_name
        and any(by_side[row] != by_name[row] for row in with_winner if rows[row][2] in ("a", "b"))
    ):
        raise InvalidInputError(
            f"{sheet.name}: items are named 'a' and 'b', so that a winner 'a' may be the side or the item. Name the "
            "winner by other words: rename the items."
        )
    outcomes = (
        by_name
        if all_by_name
        else by_side
        if all_by_side
        else [n if n is not None else s for n, s in zip(by_name, by_side, strict=True)]
    )
    unreadable = next((row for row in with_winner if outcomes[row] is None), None)
    if unreadable is not None:
        a, b, winner = rows[unreadable]
        raise InvalidInputError(
            f"{sheet.place(unreadable)}: the winner {winner!r} is neither 'a', 'b' or 'tie' nor one of the two "
            f"items, {a!r} "
            f"and {b!r}."
        )
    return np.array([MISSING if outcome is None else outcome for outcome in outcomes], dtype=np.int64)


def _refuse_item_tie(sheet: Sheet, rows: Sequence[tuple[str | None, str | None, str | None]]) -> None:
    """Refuse the winner ``tie`` where one of the two items has that name."""
    for row, texts in enumerate(rows):
        a, b, winner = ((text or "").strip().lower() for text in texts)
        if winner == "tie" and "tie" in (a, b):
            raise InvalidInputError(
                f"{sheet.place(row)}: an item is named 'tie', so that a winner 'tie' may be the item or a tie. Rename "
                "the item."
            )


def _outcome_by_side(winner: str | None) -> int | None:
    return {"a": FIRST, "b": SECOND, "tie": TIE}.get((winner or "").strip().lower())


def _outcome_by_name(a: str | None, b: str | None, winner: str | None) -> int | None:
    if winner in (a, b) and winner:
        return FIRST if winner == a else SECOND
    return TIE if (winner or "").strip().lower() == "tie" else None


def _parse_counts(sheet: Sheet, texts: list[str | None] | None, names: Mapping[str, str]) -> Whole:
    if texts is None:
        return np.ones(sheet.height, dtype=np.int64)
    for row, text in enumerate(texts):
        if text is None or not text.strip().isdigit():
            raise InvalidInputError(
                f"{sheet.place(row)}: the count in column {names['count']!r} is {'empty' if not text else repr(text)}; "
                "counts are whole numbers from 0 up."
            )
    return np.array([int(text or 0) for text in texts], dtype=np.int64)
