"""Patterns that remove pairs after counting, such as weekdays and months; margins stay as they are.

A line is a regular expression on either member, or, behind ``l1:`` or ``l2:``, on that one; it may match
anywhere in the word. Empty lines and lines that begin with ``#`` are passed over. A pair that several
patterns fit is counted for the first one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.spill import Spill
from concurrence.counting.result import Counts, Dropped
from concurrence.counting.runs import RunStore, sorted_run

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A regular expression and the member it is for."""

    text: str
    regex: str
    side: str = "either"


def parse_patterns(lines: Iterable[str], where: str = "drop-pairs") -> tuple[Pattern, ...]:
    """Understand a file of patterns; a broken expression is an error with its line."""
    patterns = []
    for n, raw in enumerate(lines, start=1):
        line = raw.strip(" \t\r\n")
        if not line or line.startswith("#"):
            continue
        side, colon, rest = line.partition(":")
        sided = bool(colon) and side in ("l1", "l2")
        regex = rest.strip() if sided else line
        try:
            pl.Series([""]).str.contains(regex)
        except pl.exceptions.PolarsError as error:
            raise InvalidInputError(f"{where}, line {n}: {regex!r} is not a regular expression.") from error
        patterns.append(Pattern(text=line, regex=regex, side=side if sided else "either"))
    return tuple(patterns)


def drop_pairs(
    counts: Counts,
    patterns: Sequence[Pattern],
    *,
    true_pairs: Iterable[tuple[str, str]] | None = None,
    spill: Spill | None = None,
) -> Counts:
    """Counts without the pairs that a pattern fits, and what each pattern removed."""
    fits = [_fits(counts, pattern) for pattern in patterns]
    gold = None if true_pairs is None else _keys_of(counts, true_pairs)
    removed, hits = [0] * len(patterns), [0] * len(patterns)
    store = RunStore(spill)
    for run in counts.runs:
        left, right, f, *more = run.read(0, run.size)
        kept = np.ones(len(f), dtype=bool)
        for k, (on_left, on_right) in enumerate(fits):
            gone = kept & (on_left[left] | on_right[right])
            kept &= ~gone
            removed[k] += int(np.count_nonzero(gone))
            if gold is not None:
                hits[k] += int(np.isin(_key(left[gone], right[gone], counts), gold).sum())
        store.add(sorted_run(*(part[kept] for part in (left, right, f, *more))))
    dropped = tuple(
        Dropped(pattern=pattern.text, pairs=removed[k], true_positives=None if gold is None else hits[k])
        for k, pattern in enumerate(patterns)
    )
    counted = replace(counts.counted, filters=(*counts.counted.filters, *(f"drop-pairs {p.text}" for p in patterns)))
    return replace(counts, runs=store.runs, dropped=dropped, counted=counted)


def _fits(counts: Counts, pattern: Pattern) -> tuple[Mask, Mask]:
    """Which left and right words a pattern fits."""
    left, right = (words.str.contains(pattern.regex).to_numpy() for words in (counts.left, counts.right))
    nowhere = np.zeros(1, dtype=bool)
    return (
        left if pattern.side != "l2" else np.broadcast_to(nowhere, left.shape),
        right if pattern.side != "l1" else np.broadcast_to(nowhere, right.shape),
    )


def _key(left: NDArray[np.int32], right: NDArray[np.int32], counts: Counts) -> NDArray[np.int64]:
    return left.astype(np.int64) * max(len(counts.right), 1) + right


def _keys_of(counts: Counts, pairs: Iterable[tuple[str, str]]) -> NDArray[np.int64]:
    gold = pl.DataFrame(list(pairs), schema={"l1": pl.String, "l2": pl.String}, orient="row")
    left = pl.DataFrame({"l1": counts.left}).with_row_index("left")
    right = pl.DataFrame({"l2": counts.right}).with_row_index("right")
    known = gold.join(left, on="l1").join(right, on="l2")
    rows, columns = known["left"].to_numpy().astype(np.int64), known["right"].to_numpy().astype(np.int64)
    keys: NDArray[np.int64] = rows * max(len(counts.right), 1) + columns
    return keys
