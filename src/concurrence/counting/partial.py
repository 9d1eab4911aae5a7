"""Counts of parts of a corpus, which can be added up: every pair, every margin, no threshold.

A part is a table with the columns ``l1, l2, f, partners``. A row without ``l2`` is the margin of a first word, with the
number of its partners; one without ``l1`` the margin of a second word; all others are pairs, sorted by ``l1`` and
``l2``. No rule crosses a sentence, so the counts of a corpus are the sums of those of its parts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import Progress
from concurrence.core.pairs import Counted
from concurrence.core.rules import parse_rule
from concurrence.core.spill import Spill
from concurrence.core.values import from_json
from concurrence.counting.drop_patterns import Pattern, drop_pairs
from concurrence.counting.result import Counts, spectrum_levels
from concurrence.counting.runs import LEVELS, RunStore, sorted_run

SCHEMA = pl.Schema({"l1": pl.String, "l2": pl.String, "f": pl.Int64, "partners": pl.Int64})
DETAILS = "partial"
ROWS_AT_ONCE = 1 << 22
BYTES_A_ROW = 256

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PartialCounts:
    """The counts of a part of a corpus: its name, its rows, and how they were counted.

    ``size`` is what N adds up from: pair tokens, or sentences; in windows N comes from the margins.
    """

    name: str
    rows: pl.LazyFrame
    counted: Counted
    size: int
    broken: int = 0
    inputs: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, rows: pl.LazyFrame, provenance: Mapping[str, Any]) -> "PartialCounts":
        """A part from its table and the provenance stored with it."""
        details = provenance.get("details") or {}
        stored = details.get(DETAILS)
        if not isinstance(stored, dict) or not isinstance(details.get("counted"), dict):
            raise InvalidInputError(f"{name} was not written by concur pairs --partial, so it cannot be merged.")
        return cls(
            name=name,
            rows=rows,
            counted=from_json(Counted, details["counted"]),
            size=int(stored["size"]),
            broken=int(stored["broken"]),
            inputs=provenance.get("inputs") or {},
        )


def partial_details(counts: Counts) -> dict[str, int]:
    """What must be stored with the rows of a part."""
    counted = counts.counted
    size = counted.sentences if counted.rule == "sentence" else counts.sample_size
    return {"size": size or 0, "broken": counts.broken}


def partial_chunks(counts: Counts) -> Iterator[pl.DataFrame]:
    """The rows of a part: margins, then pairs by l1 and l2."""
    partners = np.zeros(len(counts.left), dtype=np.int64)
    for run in counts.runs:
        partners += np.bincount(run.read(0, run.size)[0], minlength=len(counts.left))
    yield _margin("l1", counts.left, counts.f1, partners)
    yield _margin("l2", counts.right, counts.f2, None)
    for run in counts.runs:
        left, right, f = run.read(0, run.size)
        order = np.lexsort((right, left))
        words = {"l1": counts.left.gather(left[order]), "l2": counts.right.gather(right[order])}
        yield pl.DataFrame({**words, "f": f[order].astype(np.int64), "partners": None}, schema=SCHEMA)


def _margin(side: str, words: pl.Series, margin: Integers, partners: Integers | None) -> pl.DataFrame:
    rows = np.flatnonzero(margin)
    columns = {"l1": None, "l2": None, "f": margin[rows], "partners": None if partners is None else partners[rows]}
    return pl.DataFrame({**columns, side: words.gather(rows)}, schema=SCHEMA)


def merge_parts(
    parts: Sequence[PartialCounts],
    *,
    min_freq: int = 1,
    patterns: Sequence[Pattern] = (),
    true_pairs: Iterable[tuple[str, str]] | None = None,
    spill: Spill | None = None,
    progress: Progress | None = None,
) -> Counts:
    """The counts of the whole corpus from those of its parts; thresholds and patterns come now.

    Pairs are added up in stretches of first words, so that they need not fit into memory.
    """
    _require_alike(parts)
    margins = pl.concat([part.rows.filter(pl.col("l1").is_null() | pl.col("l2").is_null()) for part in parts]).collect()
    words = pl.concat([margins["l1"], margins["l2"]]).drop_nulls().unique().sort()
    f1, f2 = (_summed(margins, side, "f", words) for side in ("l1", "l2"))
    partners = _summed(margins, "l1", "partners", words)
    rows = ROWS_AT_ONCE if spill is None else max(spill.budget // BYTES_A_ROW, 1 << 14)
    store, spectrum, done = RunStore(spill), np.zeros(LEVELS + 1, dtype=np.int64), 0
    for first, last in _stretches(partners, rows):
        left, right, f = _pairs_between(parts, words, first, last)
        spectrum += np.bincount(np.minimum(f, LEVELS), minlength=LEVELS + 1)
        kept = f >= min_freq
        store.add(sorted_run(left[kept], right[kept], f[kept]))
        done += int(partners[first:last].sum())
        if progress is not None:
            progress(done, int(partners.sum()))
    counts = _counts(parts, words, f1, f2, min_freq)
    counts = replace(counts, runs=store.runs, spectrum=spectrum_levels(spectrum))
    return drop_pairs(counts, patterns, true_pairs=true_pairs, spill=spill) if patterns else counts


def _require_alike(parts: Sequence[PartialCounts]) -> None:
    """Refuse parts that were counted in different ways, and counts that would be added twice."""
    first, seen = parts[0], dict[tuple[str, str], str]()
    for part in parts:
        for what in ("rule", "unit", "filters"):
            one, other = getattr(first.counted, what), getattr(part.counted, what)
            if one != other:
                raise InvalidInputError(
                    f"{first.name} and {part.name} were counted in different ways ({what}: {one or 'none'} and "
                    f"{other or 'none'}); count all parts alike."
                )
        for source in part.inputs.items():
            if source in seen:
                raise InvalidInputError(
                    f"{seen[source]} and {part.name} both hold the counts of {source[0]}, which would be added twice; "
                    "leave one of them out."
                )
            seen[source] = part.name


def _summed(margins: pl.DataFrame, side: str, column: str, words: pl.Series) -> Integers:
    """The sum of a column of margins for each word."""
    own = margins.filter(pl.col(side).is_not_null())
    codes, amounts = _codes(own[side], words), own[column].fill_null(0).to_numpy()
    summed = np.zeros(len(words), dtype=np.int64)
    np.add.at(summed, codes, amounts)
    return summed


def _codes(texts: pl.Series, words: pl.Series) -> Integers:
    return texts.cast(pl.Enum(words)).to_physical().to_numpy().astype(np.int64)


def _stretches(partners: Integers, limit: int) -> Iterator[tuple[int, int]]:
    """Ranges of first words with about so many pairs in all parts; a word with more stands alone."""
    sums, first = np.concatenate([[0], np.cumsum(partners)]), 0
    while first < len(partners):
        last = int(np.searchsorted(sums, sums[first] + limit, side="right")) - 1
        last = min(max(last, first + 1), len(partners))
        yield first, last
        first = last


def _pairs_between(
    parts: Sequence[PartialCounts], words: pl.Series, first: int, last: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], Integers]:
    """The pairs of a range of first words, added up, sorted by both words."""
    is_in_range = pl.col("l1").is_between(pl.lit(words[first]), pl.lit(words[last - 1])) & pl.col("l2").is_not_null()
    rows = pl.concat([part.rows.filter(is_in_range).select("l1", "l2", "f").collect() for part in parts])
    keys = (_codes(rows["l1"], words) << 32) | _codes(rows["l2"], words)
    order = np.argsort(keys, kind="stable")
    keys, f = keys[order], rows["f"].to_numpy()[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else keys
    f = np.add.reduceat(f, starts) if len(keys) else f
    keys = keys[starts]
    return (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32), f


def _counts(parts: Sequence[PartialCounts], words: pl.Series, f1: Integers, f2: Integers, min_freq: int) -> Counts:
    """All but the pairs themselves."""
    counted = [part.counted for part in parts]
    window, size = parse_rule(counted[0].rule).name == "window", sum(part.size for part in parts)
    tokens, sentences = (sum(getattr(one, name) or 0 for one in counted) for name in ("tokens", "sentences"))
    least = (f"min-freq {min_freq}",) if min_freq > 1 else ()
    return Counts(
        left=words,
        right=words,
        runs=[],
        f1=f1,
        f2=f2,
        n=f2.sum() - f2 if window else np.full(len(words), size, dtype=np.int64),
        words=f2 if window else None,
        sample_size=None if window else size,
        spectrum=(),
        broken=sum(part.broken for part in parts),
        counted=replace(
            counted[0],
            corpus=tuple(name for one in counted for name in one.corpus),
            filters=(*counted[0].filters, *least),
            tokens=tokens,
            sentences=sentences,
        ),
    )
