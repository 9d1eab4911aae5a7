"""What counting gives: rows in their final order, and all that must be said about them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.contingency import WORDS
from concurrence.core.pairs import KEY, Counted, Pairs
from concurrence.core.results import Result
from concurrence.core.rules import counts_pattern_pairs
from concurrence.core.sentences import Sentence
from concurrence.core.values import value
from concurrence.counting.examples import Examples
from concurrence.counting.runs import CHUNK_ROWS, Rows, Run, in_final_order
from concurrence.kernels.dispersion import COLUMNS

if TYPE_CHECKING:
    from concurrence.counting.ngrams import NgramCounts
    from concurrence.counting.spark.examples import StoredExamples

Integers = NDArray[np.int64]

TOP = 20
"""How many of the most frequent pairs a summary shows."""

SCHEMA = pl.Schema(
    {"l1": pl.String, "l2": pl.String, "f": pl.Int64, "f1": pl.Int64, "f2": pl.Int64, "N": pl.Int64},
)


def schema_of(*, words: bool, examples: bool, dispersion: bool = False) -> pl.Schema:
    """The columns of counted pairs: with the words' own frequencies where they are not the margins."""
    own = {name: pl.Int64() for name in WORDS} if words else {}
    spread = {name: pl.Float64() for name in COLUMNS} if dispersion else {}
    return pl.Schema({**SCHEMA, **own, **spread, **({"examples": pl.List(pl.String)} if examples else {})})


@value
class Level:
    """How many pairs occur this often, before any threshold."""

    f: str
    pairs: int
    share: float | None


@value
class Dropped:
    """What a pattern removed, and how many true positives were among it where that is known."""

    pattern: str
    pairs: int
    true_positives: int | None = None


@value
class Counts:
    """Counted pairs: numbers of words in sorted runs, and the margins of each word.

    ``sample_size`` is N, or nothing where every node has its own. ``words`` are the words' own frequencies, where
    the margins are others; ``dispersion`` tells that the runs hold that of each row. The words of either side are in
    the order of code points. Tables are made piece by piece by
    :meth:`chunks`, so that they need not fit into memory, or at once by :meth:`pairs`.
    """

    left: pl.Series
    right: pl.Series
    runs: list[Run]
    f1: Integers
    f2: Integers
    n: Integers
    spectrum: tuple[Level, ...]
    counted: Counted
    sample_size: int | None
    words: Integers | None = None
    dropped: tuple[Dropped, ...] = ()
    broken: int = 0
    examples: "Examples | StoredExamples | None" = None
    dispersion: bool = False
    warnings: tuple[Sentence, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """The columns of the words."""
        return KEY

    @property
    def n_pairs(self) -> int:
        return sum(run.size for run in self.runs)

    @property
    def schema(self) -> pl.Schema:
        return schema_of(words=self.words is not None, examples=self.examples is not None, dispersion=self.dispersion)

    def chunks(self, *, rows: int = CHUNK_ROWS) -> Iterator[pl.DataFrame]:
        """The table in pieces: f descending, then l1 and l2 by code point."""
        for part in in_final_order(self.runs, chunk_rows=rows):
            yield self._table(part)

    def pairs(self) -> Pairs:
        parts = list(self.chunks())
        table = pl.concat(parts) if parts else pl.DataFrame(schema=self.schema)
        extras = {"spectrum": self.spectrum, "dropped": self.dropped}
        if self.warnings:
            extras["warnings"] = self.warnings
        return Pairs(table=table, counted=self.counted, extras=extras)

    def _table(self, rows: Rows) -> pl.DataFrame:
        left, right, f, *more = rows
        table = pl.DataFrame(
            {
                "l1": self.left.gather(left),
                "l2": self.right.gather(right),
                "f": f.astype(np.int64),
                "f1": self.f1[left],
                "f2": self.f2[right],
                "N": self.n[left],
            },
            schema=SCHEMA,
        )
        if self.words is not None:
            table = table.with_columns(n1=self.words[left], n2=self.words[right])
        for measures in more:
            table = table.with_columns(
                pl.Series(name, measures[:, k], nan_to_null=True) for k, name in enumerate(COLUMNS)
            )
        return table if self.examples is None else table.with_columns(self.examples.column(left, right))


@value
class CountsSummary(Result):
    """How pairs were counted, how rare most are, and the most frequent ones."""

    pairs: int
    N: int | None
    tokens: int | None
    sentences: int | None
    rule: str
    unit: str | None
    filters: tuple[str, ...]
    spectrum: tuple[Level, ...]
    dropped: tuple[Dropped, ...]
    broken: int
    top: tuple[dict[str, Any], ...]
    warnings: tuple[Sentence, ...] = ()


def summarise_counts(counts: "Counts | NgramCounts") -> CountsSummary:
    """What there is to say of counts without all their rows."""
    counted, first = counts.counted, next(counts.chunks(rows=TOP), None)
    return CountsSummary(
        **{name: getattr(counted, name) for name in ("tokens", "sentences", "rule", "unit", "filters")},
        **{name: getattr(counts, name) for name in ("spectrum", "dropped", "broken")},
        pairs=counts.n_pairs,
        N=counts.sample_size,
        top=() if first is None else tuple(first.head(TOP).to_dicts()),
        warnings=(*counts.warnings, *fixed_members(counts)) if isinstance(counts, Counts) else (),
    )


def fixed_members(counts: Counts) -> tuple[Sentence, ...]:
    """A warning where a pattern leaves one member no choice, so that there is nothing to compare its pairs with."""
    size = counts.sample_size or 0
    if not counts_pattern_pairs(counts.counted.rule) or size < 2:
        return ()
    sides = {"first": (counts.left, counts.f1, "f1"), "second": (counts.right, counts.f2, "f2")}
    return tuple(
        Sentence(
            code="no_margins",
            text=(
                f"The {side} member of every pair is {words[int(margin.argmax())]!r} ({name} = N), so there is nothing "
                "to compare the pairs with: rank them by f, or see concur collocates for scores against the rest of "
                "the corpus."
            ),
            warning=True,
        )
        for side, (words, margin, name) in sides.items()
        if margin.max(initial=0) == size
    )


def spectrum_levels(spectrum: Integers) -> tuple[Level, ...]:
    """The frequency spectrum as it is reported: f = 1, f = 2, f = 3 and more."""
    total = int(spectrum.sum())
    groups = {"1": int(spectrum[1]), "2": int(spectrum[2]), "3+": int(spectrum[3:].sum())}
    return tuple(Level(f=f, pairs=pairs, share=pairs / total if total else None) for f, pairs in groups.items())
