"""Counting on one machine: stretches of left words, shared out among the cores."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.layers import Codes
from concurrence.core.options import Progress
from concurrence.core.spill import Spill
from concurrence.core.system import usable_cores
from concurrence.counting.document_spread import Spread, batches
from concurrence.counting.runs import LEVELS, Rows, Run, RunStore, sorted_run
from concurrence.counting.stream import Integers, Stream
from concurrence.kernels.dispersion import COLUMNS

ROWS_AT_ONCE = 1 << 21
EVERYWHERE = 2**31 - 2
"""A span that no sentence exceeds."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """How to work: the least frequency that is kept, what may be spilled, who is told, and what dispersion is over."""

    least: int = 1
    spill: Spill | None = None
    progress: Progress | None = None
    spread: Spread | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedCounts:
    """Rows in runs, by the ranks of their words, with the margins of each rank.

    ``spectrum[f]`` is the number of pairs with that frequency before any threshold; its last entry counts
    all higher ones. ``words`` are the words' own frequencies, where the margins are others.
    """

    runs: list[Run]
    f1: Integers
    f2: Integers
    n: Integers
    spectrum: Integers
    words: Integers | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpanJob:
    """What is counted: the positions, how far to look, on one side or around, the least frequency, and dispersion."""

    stream: Stream
    span: int
    around: bool
    least: int
    n_partners: Integers
    inside: Integers
    spread: Spread | None = None

    @property
    def count_type(self) -> type[np.signedinteger[Any]]:
        """Narrow sums where they cannot overflow, since they must stay in the cache."""
        most = int(self.n_partners.max(initial=0))
        return np.int32 if most < 2**31 else np.int64


def following_pairs(stream: Stream, span: int, work: Work) -> RankedCounts:
    """Ordered pair tokens at distances up to ``span``; all counts over pair tokens."""
    left, right = margins(stream, span)
    job = SpanJob(
        stream=stream, span=span, around=False, least=work.least, n_partners=left, inside=left, spread=work.spread
    )
    runs, spectrum = _count(job, work)
    by_rank = stream.by_rank
    n = np.full(len(left), left.sum(), dtype=np.int64)
    return RankedCounts(runs=runs, f1=left[by_rank], f2=right[by_rank], n=n, spectrum=spectrum)


def surface_pairs(stream: Stream, span: int, work: Work) -> RankedCounts:
    """Nodes and the collocates inside their windows, by Evert's table: every position counts once."""
    frequencies = word_frequencies(stream)
    inside = np.zeros(len(frequencies), dtype=np.int64)
    job = SpanJob(
        stream=stream,
        span=span,
        around=True,
        least=work.least,
        n_partners=2 * span * frequencies,
        inside=inside,
        spread=work.spread,
    )
    runs, spectrum = _count(job, work)
    own = frequencies[stream.by_rank]
    return RankedCounts(runs=runs, f1=inside, f2=own, n=frequencies.sum() - own, spectrum=spectrum, words=own)


def sentence_pairs(stream: Stream, work: Work) -> RankedCounts:
    """Unordered pairs of different words of a sentence; all counts over sentences."""
    distinct = distinct_words(stream)
    if work.spread is not None:
        work = replace(work, spread=replace(work.spread, borders=np.flatnonzero(distinct.codes == -1)))
    tally = following_pairs(distinct, EVERYWHERE, work)
    sentences = word_frequencies(distinct)[stream.by_rank]
    n = np.full(len(sentences), stream.n_sentences, dtype=np.int64)
    return RankedCounts(runs=tally.runs, f1=sentences, f2=sentences, n=n, spectrum=tally.spectrum)


def rows_by_left(stream: Stream, span: int, *, inside: Integers | None = None) -> Iterator[Rows]:
    """All rows piece by piece, on one core: left words by rank, right words in no order.

    With ``inside``, pairs are those around a word; it receives the number of tokens in the windows of each.
    """
    frequencies = word_frequencies(stream)
    n_partners = margins(stream, span)[0] if inside is None else 2 * span * frequencies
    job = SpanJob(
        stream=stream,
        span=span,
        around=inside is not None,
        least=1,
        n_partners=n_partners,
        inside=n_partners if inside is None else inside,
    )
    begins, order = _index(stream, frequencies[stream.by_rank], 0, len(frequencies))
    own = local()
    for part in _stretches(np.minimum(n_partners[stream.by_rank], len(frequencies)), ROWS_AT_ONCE):
        yield _count_rows(job, own, order, begins, 0, *part)[0]


def margins(stream: Stream, span: int) -> tuple[Integers, Integers]:
    """How many pair tokens each word begins, and ends."""
    from concurrence.counting.kernel import fill_margins  # the compiler takes its time to load

    left, right = (np.zeros(len(stream.words), dtype=np.int64) for _ in range(2))
    fill_margins(stream.codes, span, left, right)
    return left, right


def word_frequencies(stream: Stream) -> Integers:
    """How often each word occurs, removed tokens left out."""
    frequencies = np.zeros(len(stream.words), dtype=np.int64)
    for part in pieces(stream.codes):
        frequencies += np.bincount(part[part >= 0], minlength=len(stream.words))
    return frequencies


def distinct_words(stream: Stream) -> Stream:
    """Each sentence with its distinct words alone, in the order of code points."""
    by_rank, parts = stream.by_rank, []
    for piece in pieces(stream.codes):
        kept = piece >= 0
        sentence = np.cumsum(piece == -1, dtype=np.int64)
        keys = (sentence[kept] << 32) | stream.ranks[piece[kept]]
        keys.sort()
        keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys
        parts.append(_with_borders(keys, by_rank))
    codes = np.concatenate(parts) if parts else stream.codes
    return Stream(codes=codes, words=stream.words, ranks=stream.ranks, n_sentences=stream.n_sentences)


def _with_borders(keys: Integers, by_rank: Codes) -> Codes:
    sentence = keys >> 32
    ends = np.flatnonzero(np.diff(sentence, append=-1)) + 1 if len(keys) else np.empty(0, dtype=np.int64)
    return np.insert(by_rank[keys & 0xFFFFFFFF], ends, np.int32(-1)).astype(np.int32)


def pieces(codes: Codes, size: int = 1 << 22) -> Iterator[Codes]:
    """Stretches of whole sentences."""
    start = 0
    while start < len(codes):
        end = min(start + size, len(codes))
        while end < len(codes) and codes[end - 1] != -1:
            end += 1
        yield codes[start:end]
        start = end


def _count(job: SpanJob, work: Work) -> tuple[list[Run], Integers]:
    stream, spill = job.stream, work.spill
    spectrum = np.zeros(LEVELS + 1, dtype=np.int64)
    frequencies = word_frequencies(stream)[stream.by_rank]
    # No word can have more different partners than there are words, or than it has pair tokens.
    most_rows = np.minimum(job.n_partners[stream.by_rank], len(stream.words))
    store, cores = RunStore(spill), usable_cores()
    done, total = 0, int(frequencies.sum())
    own = local()
    with ThreadPoolExecutor(max_workers=cores) as threads:
        for first, last in _stretches(frequencies, _positions_at_once(spill)):
            begins, order = _index(stream, frequencies, first, last)
            # The dispersion of a row takes several times the memory of its counts.
            at_once = _rows_at_once(spill, cores) if job.spread is None else -(-_rows_at_once(spill, cores) // 4)
            parts = list(_stretches(most_rows[first:last], at_once))
            waiting = [threads.submit(_count_part, job, own, order, begins, first, *part) for part in parts]
            for k, (part, future) in enumerate(zip(parts, waiting, strict=True)):
                run, seen = future.result()
                waiting[k] = None  # type: ignore[call-overload]  # let its rows go once they are stored
                store.add(run)
                spectrum += seen
                done += int(begins[part[1]] - begins[part[0]])
                if work.progress is not None:
                    work.progress(done, total)
    return store.runs, spectrum


def _index(stream: Stream, frequencies: Integers, first: int, last: int) -> tuple[Integers, Codes]:
    """The positions of the words of a stretch of ranks, and where those of each begin."""
    from concurrence.counting.kernel import fill_index

    begins = np.concatenate([[0], np.cumsum(frequencies[first:last])])
    order = np.empty(int(begins[-1]), dtype=np.int32)
    fill_index(stream.codes, stream.ranks, first, begins[:-1].copy(), order)
    return begins, order


def _count_part(
    job: SpanJob, own: local, order: Codes, begins: Integers, base: int, first: int, last: int
) -> tuple[Run, Integers]:
    (lefts, rights, counts), spectrum = _count_rows(job, own, order, begins, base, first, last)
    if job.spread is None:
        return sorted_run(lefts, rights, counts), spectrum
    measures = _spread_rows(job, job.spread, own, order, begins, (lefts - np.int32(base), rights, counts))
    return sorted_run(lefts, rights, counts, measures), spectrum


def _spread_rows(
    job: SpanJob, spread: Spread, own: local, order: Codes, begins: Integers, rows: Rows
) -> NDArray[np.float64]:
    """The dispersion of rows by left word, some at a time: where each of them occurs is looked up again."""
    from concurrence.counting.kernel import fill_places

    if not hasattr(own, "slots"):
        own.slots, own.by_rank = np.zeros(len(job.stream.words), dtype=np.int32), job.stream.by_rank
    lefts, codes, f = rows[0], own.by_rank[rows[1]], rows[2].astype(np.int64)
    where = (spread.borders, spread.numbers, spread.starts)
    spreads = np.empty((len(f), len(COLUMNS)))
    for first, last in batches(f):
        part = slice(first, last)
        cursor = np.cumsum(f[part]) - f[part]
        places, documents = (np.empty(int(f[part].sum()), dtype=np.int32) for _ in range(2))
        pairs = (job.stream.codes, order, begins, lefts[part], codes[part], job.span, job.around)
        fill_places(*pairs, *where, own.slots, cursor, places, documents)
        spreads[part] = spread.measures(f[part], places, documents)
    return spreads


def _count_rows(
    job: SpanJob, own: local, order: Codes, begins: Integers, base: int, first: int, last: int
) -> tuple[Rows, Integers]:
    """The rows of a stretch of left words, by left word; right words come in no order."""
    from concurrence.counting.kernel import count_around, count_following

    n_words, ranks = len(job.stream.words), job.stream.ranks
    if not hasattr(own, "sums"):
        own.sums, own.touched = np.zeros(n_words, dtype=job.count_type), np.empty(n_words, dtype=np.int32)
    room = int(np.minimum(job.n_partners[job.stream.by_rank[base + first : base + last]], n_words).sum())
    lefts, rights = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    counts, spectrum = np.empty(room, dtype=job.count_type), np.zeros(LEVELS + 1, dtype=np.int64)
    shared = (job.stream.codes, order, begins, first, last, ranks, job.span, job.least)
    out = (own.sums, own.touched, lefts, rights, counts, spectrum)
    n = count_around(*shared, *out, job.inside[base:]) if job.around else count_following(*shared, *out)
    return (lefts[:n] + np.int32(base), rights[:n].copy(), counts[:n].copy()), spectrum


def _stretches(weights: NDArray[Any], limit: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges whose weights sum to about ``limit``; a heavy one stands alone."""
    sums = np.concatenate([[0], np.cumsum(weights)])
    first = 0
    while first < len(weights):
        last = int(np.searchsorted(sums, sums[first] + limit, side="right")) - 1
        last = min(max(last, first + 1), len(weights))
        yield first, last
        first = last


def _positions_at_once(spill: Spill | None) -> int:
    return 2**31 if spill is None else max(spill.budget // 8 // 4, 1 << 16)


def _rows_at_once(spill: Spill | None, cores: int) -> int:
    # A row takes 12 bytes as it is counted and some 40 while it is sorted.
    return ROWS_AT_ONCE if spill is None else min(max(spill.budget // (cores * 256), 1 << 14), ROWS_AT_ONCE)
