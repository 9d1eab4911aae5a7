"""Sequences of words: how often each occurs, and how often its parts do at their places.

All counts are over sequences of that length that lie inside a sentence, so that they fill one table: ``f13`` counts
those with the same first and third word. Sequences are numbers: the ranks of their words, packed into 64 bits, with a
number for the first few words where all do not fit. One sort of these counts them. The work goes by stretches of words
at one place, so that a part of the corpus is sorted at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.layers import Codes
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.sequences import counts_of, key_of, margin_name, subsets
from concurrence.core.spill import Spill
from concurrence.core.values import value
from concurrence.counting.drop_patterns import Pattern
from concurrence.counting.examples import Examples, choose_among
from concurrence.counting.result import Dropped, Level, spectrum_levels
from concurrence.counting.runs import CHUNK_ROWS, LEVELS
from concurrence.counting.stream import Integers, Stream

AT_ONCE = 1 << 25
"""How many sequences are sorted at a time, unless memory is limited."""
BYTES_A_TOKEN = 64
BITS = 63

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Longer:
    """Longer sequences, in which shorter ones are not counted, and where they come from."""

    name: str
    rows: tuple[tuple[str, ...], ...]


@value
class NgramCounts:
    """Counted sequences, f descending, then by code point: the ranks of their words, and all their counts.

    ``words`` are in the order of code points.
    """

    words: pl.Series
    rows: Codes
    counts: dict[str, Codes]
    counted: Counted
    sample_size: int
    spectrum: tuple[Level, ...]
    dropped: tuple[Dropped, ...] = ()
    broken: int = 0
    examples: Examples | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """The columns of the words."""
        return key_of(self.rows.shape[1])

    @property
    def n_pairs(self) -> int:
        return len(self.rows)

    @property
    def schema(self) -> pl.Schema:
        examples = {} if self.examples is None else {"examples": pl.List(pl.String)}
        return pl.Schema(
            {
                **dict.fromkeys(self.key, pl.String()),
                **dict.fromkeys(counts_of(len(self.key)), pl.Int64()),
                **examples,
            }
        )

    def chunks(self, *, rows: int = CHUNK_ROWS) -> Iterator[pl.DataFrame]:
        """The table in pieces."""
        for start in range(0, len(self.rows), rows):
            yield self._table(slice(start, start + rows))

    def pairs(self) -> Pairs:
        """All sequences with their counts."""
        parts = list(self.chunks())
        table = pl.concat(parts) if parts else pl.DataFrame(schema=self.schema)
        extras = {"spectrum": self.spectrum, "dropped": self.dropped}
        return Pairs(table=table, counted=self.counted, key=self.key, extras=extras)

    def _table(self, part: slice) -> pl.DataFrame:
        rows = self.rows[part]
        columns = {name: self.words.gather(rows[:, k]) for k, name in enumerate(self.key)}
        size = pl.Series("N", np.full(len(rows), self.sample_size, dtype=np.int64))
        counts = {name: column[part].astype(np.int64) for name, column in self.counts.items()}
        table = pl.DataFrame({**columns, **counts, "N": size}).select(*self.key, *counts_of(len(self.key)))
        if self.examples is None:
            return table
        numbers = np.arange(part.start, part.start + len(rows), dtype=np.int32)
        return table.with_columns(self.examples.column(np.zeros_like(numbers), numbers))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Places:
    """The ranks of all words of a corpus, and where sequences of a length begin."""

    ranks: Codes
    starts: Codes
    n: int
    n_words: int
    at_once: int

    def stretches(self, place: int) -> Iterator[tuple[int, int, Codes]]:
        """Ranges of words at a place (from 0), and the sequences that have one of them there."""
        if len(self.starts) <= self.at_once:
            yield 0, self.n_words, self.starts
            return
        own = self.ranks[self.starts + place]
        sums = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=self.n_words))])
        first = 0
        while first < self.n_words:
            last = int(np.searchsorted(sums, sums[first] + self.at_once, side="right")) - 1
            last = min(max(last, first + 1), self.n_words)
            yield first, last, self.starts[(own >= first) & (own < last)]
            first = last

    def columns(self, starts: Codes, places: Sequence[int]) -> list[Codes]:
        return [self.ranks[starts + place] for place in places]


def count_ngrams(
    corpus: Corpus,
    stream: Stream,
    n: int,
    *,
    least: int,
    counted: Counted,
    longer: Longer | None = None,
    spill: Spill | None = None,
) -> NgramCounts:
    """Count all sequences of ``n`` words that occur at least so often, and their parts."""
    at_once = AT_ONCE if spill is None else max(spill.budget // BYTES_A_TOKEN, 1 << 16)
    ranks = np.append(stream.ranks, np.int32(-1))[np.maximum(stream.codes, -1)]
    places = _Places(
        ranks=ranks, starts=_starts(ranks, n, stream, longer), n=n, n_words=len(stream.words), at_once=at_once
    )
    rows, f, spectrum = _types(places, least)
    _refuse_too_many(rows, n, spill)
    counts = {"f": f, **{margin_name(part): _margin(places, rows, part) for part in subsets(n)}}
    order = np.argsort(-f, kind="stable")
    return NgramCounts(
        words=stream.sorted_words,
        rows=rows[order],
        counts={name: column[order] for name, column in counts.items()},
        counted=counted,
        sample_size=len(places.starts),
        spectrum=spectrum_levels(spectrum),
        broken=corpus.broken,
    )


def _starts(ranks: Codes, n: int, stream: Stream, longer: Longer | None) -> Codes:
    """Where sequences of this length begin: inside a sentence, without removed tokens, not inside a longer one."""
    word = ranks >= 0
    begins = word[: max(len(word) - n + 1, 0)].copy()
    for place in range(1, n):
        begins &= word[place : place + len(begins)]
    if longer is not None:
        begins &= ~_nested(ranks, n, stream, longer)[: len(begins)]
    return np.flatnonzero(begins).astype(np.int32)


def _nested(ranks: Codes, n: int, stream: Stream, longer: Longer) -> Mask:
    """Which sequences lie inside an occurrence of a longer one."""
    inside = np.zeros(len(ranks), dtype=np.bool_)
    numbers = {word: rank for rank, word in enumerate(stream.sorted_words.to_list())}
    for size in sorted({len(row) for row in longer.rows}):
        if size <= n:
            raise InvalidInputError(
                f"{longer.name} holds sequences of {size} words; those that sequences of {n} lie in must be longer."
            )
        known = [
            [numbers[word] for word in row] for row in longer.rows if len(row) == size and numbers.keys() >= {*row}
        ]
        starts = _starts(ranks, size, stream, None)
        if not known or not len(starts):
            continue
        columns = [ranks[starts + place] for place in range(size)]
        own, wanted = _keys(columns, list(np.array(known, dtype=np.int32).T), len(numbers))
        found = starts[np.isin(own, wanted[wanted >= 0])]
        for shift in range(size - n + 1):
            inside[found + shift] = True
    return inside


def _types(places: _Places, least: int) -> tuple[Codes, Codes, Integers]:
    """All sequences that occur often enough, in the order of code points, and how many occur how often."""
    rows, counts, spectrum = [], [], np.zeros(LEVELS + 1, dtype=np.int64)
    for _, _, starts in places.stretches(0):
        keys, first = _packed(places.columns(starts, range(places.n)), places.n_words)
        order = None if first is None else np.argsort(keys, kind="stable")
        keys = np.sort(keys) if order is None else keys[order]
        begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else keys
        f = np.diff(begins, append=len(keys))
        spectrum += np.bincount(np.minimum(f, LEVELS), minlength=LEVELS + 1)
        kept = f >= least
        begins, f = begins[kept], f[kept]
        if order is None:
            found = _unpacked(keys[begins], places.n, places.n_words)
        else:
            found = np.stack(places.columns(starts[order[begins]], range(places.n)), axis=1)
        rows.append(found)
        counts.append(f.astype(np.int32))
    empty = np.empty((0, places.n), dtype=np.int32)
    return np.concatenate([empty, *rows]), np.concatenate([empty[:, 0], *counts]), spectrum


def _margin(places: _Places, rows: Codes, part: tuple[int, ...]) -> Codes:
    """How many sequences have the same words as each row at some places."""
    wanted = [place - 1 for place in part]
    found = np.zeros(len(rows), dtype=np.int32)
    if len(wanted) == 1:
        own = places.ranks[places.starts + wanted[0]]
        return np.bincount(own, minlength=places.n_words).astype(np.int32)[rows[:, wanted[0]]]
    for first, last, starts in places.stretches(wanted[0]):
        here = np.flatnonzero((rows[:, wanted[0]] >= first) & (rows[:, wanted[0]] < last))
        keys, asked = _keys(places.columns(starts, wanted), [rows[here, place] for place in wanted], places.n_words)
        keys.sort()
        begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else keys
        sizes = np.diff(begins, append=len(keys))
        found[here] = sizes[np.searchsorted(keys[begins], asked)] if len(here) else 0
    return found


def _packed(columns: Sequence[Codes], n_words: int) -> tuple[Integers, Integers | None]:
    """One number for each sequence, in the order of its words; with the values of a first few where all do not fit."""
    keys, _, values = _joined(columns, None, n_words)
    return keys, values


def _keys(columns: Sequence[Codes], rows: Sequence[Codes], n_words: int) -> tuple[Integers, Integers]:
    """The same numbers for the sequences of a corpus and for some rows; -1 for a row that does not occur."""
    keys, asked, _ = _joined(columns, rows, n_words)
    return keys, asked


def _joined(
    columns: Sequence[Codes], rows: Sequence[Codes] | None, n_words: int
) -> tuple[Integers, Integers, Integers | None]:
    width = max(n_words - 1, 1).bit_length()
    keys = columns[0].astype(np.int64)
    asked = keys[:0] if rows is None else rows[0].astype(np.int64)
    values, bits = None, width
    for k, column in enumerate(columns[1:], start=1):
        if bits + width > BITS:
            values, keys = np.unique(keys, return_inverse=True)
            places = np.minimum(np.searchsorted(values, asked), max(len(values) - 1, 0))
            asked = np.where(values[places] == asked, places, -1) if len(values) else np.full(len(asked), -1)
            bits = max(len(values) - 1, 1).bit_length()
        keys = (keys << width) | column
        if rows is not None:
            asked = np.where(asked < 0, -1, (asked << width) | rows[k])
        bits += width
    return keys, asked, values


def _unpacked(keys: Integers, n: int, n_words: int) -> Codes:
    width = max(n_words - 1, 1).bit_length()
    shifts = [width * (n - 1 - place) for place in range(n)]
    return np.stack([((keys >> shift) & ((1 << width) - 1)).astype(np.int32) for shift in shifts], axis=1)


def _refuse_too_many(rows: Codes, n: int, spill: Spill | None) -> None:
    """Refuse what would not fit: every sequence keeps a count for each of its parts."""
    needed = len(rows) * 4 * (n + 2**n)
    if spill is not None and needed > spill.budget // 2:
        raise InvalidInputError(
            f"{len(rows):,} sequences with their parts would take {needed / 1e9:.1f} GB, more than the memory allowed; "
            f"raise {option_or_keyword('--min-freq', 'min_freq=')} or "
            f"{option_or_keyword('--max-memory', 'the budget of spill=')}."
        )


def drop_ngrams(counts: NgramCounts, patterns: Sequence[Pattern]) -> NgramCounts:
    """Counts without the sequences that a pattern fits at any place, or at the one it names."""
    kept, dropped = np.ones(len(counts.rows), dtype=np.bool_), []
    for pattern in patterns:
        fits = counts.words.str.contains(pattern.regex).to_numpy()[counts.rows]
        sides = range(len(counts.key)) if pattern.side == "either" else [counts.key.index(pattern.side)]
        gone = kept & fits[:, list(sides)].any(axis=1)
        kept &= ~gone
        dropped.append(Dropped(pattern=pattern.text, pairs=int(np.count_nonzero(gone))))
    named = tuple(f"drop-pairs {pattern.text}" for pattern in patterns)
    return replace(
        counts,
        rows=counts.rows[kept],
        counts={name: column[kept] for name, column in counts.counts.items()},
        dropped=tuple(dropped),
        counted=replace(counts.counted, filters=(*counts.counted.filters, *named)),
    )


def with_examples(
    counts: NgramCounts, corpus: Corpus, stream: Stream, *, k: int, seed: int, longer: Longer | None = None
) -> NgramCounts:
    """Counts with up to ``k`` sentences for each sequence."""
    n, numbers = len(counts.key), np.arange(len(counts.rows), dtype=np.int64)
    ranks = np.append(stream.ranks, np.int32(-1))[np.maximum(stream.codes, -1)]
    starts = _starts(ranks, n, stream, longer)
    own, asked = _keys([ranks[starts + place] for place in range(n)], list(counts.rows.T), len(stream.words))
    order = np.argsort(asked)
    at = np.minimum(np.searchsorted(asked, own, sorter=order), max(len(order) - 1, 0))
    found = order[at] if len(order) else at
    there = asked[found] == own if len(order) else np.zeros(len(own), dtype=np.bool_)
    pair_places = [(found[there], starts[there].astype(np.int64))]
    return replace(
        counts, examples=choose_among(corpus, numbers, pair_places, width=max(len(numbers), 1), k=k, seed=seed)
    )
