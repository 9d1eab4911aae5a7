"""What one split of a corpus gives: counted pairs and margins, by numbers that are the same in every split.

A word goes by 64 bits of a hash of it. The local kernel counts a split with its words in the order of these numbers,
so that the pairs of a bucket, which is a range of numbers of left words, stand together. The words themselves travel
once, with their margins; whoever puts all together sees whether two of them share a number, and counts again with
other numbers.
"""

import io
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.rules import PATTERNS, Rule, parse_rule
from concurrence.counting.count import CountOptions
from concurrence.counting.local import EVERYWHERE, distinct_words, margins, rows_by_left, word_frequencies
from concurrence.counting.pair_places import pattern_tokens
from concurrence.counting.runs import Rows
from concurrence.counting.stream import Stream, make_stream

MANY = 255
FEW = 16
ODD = 0x9E3779B97F4A7C15
"""Spreads small numbers over 64 bits."""

Integers = NDArray[np.int64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bucket:
    """Pairs of a range of left words: how many each left word has, and for each its right word and count."""

    left: Hashes
    sizes: NDArray[np.int32]
    right: Hashes
    rights: NDArray[np.unsignedinteger]
    f: Integers

    def packed(self) -> bytes:
        """As bytes; most counts are small and take one."""
        small = np.minimum(self.f, MANY).astype(np.uint8)
        kind = np.uint16 if len(self.right) <= 1 << 16 else np.uint32
        whole = (self.left, self.sizes, self.right, self.rights.astype(kind), small, self.f[self.f >= MANY])
        return pickle.dumps(whole, protocol=5)

    @classmethod
    def unpacked(cls, data: bytes) -> "Bucket":
        left, sizes, right, rights, small, many = pickle.loads(data)  # noqa: S301 (written by our own tasks)
        f = small.astype(np.int64)
        f[small == MANY] = many
        return cls(left=left, sizes=sizes, right=right, rights=rights, f=f)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Partial:
    """Counts of a split: its words in the order of their numbers, with two margins, and its pairs by these ranks.

    Pairs come piece by piece, by left word; the margins are complete when all have come.
    """

    hashes: Hashes
    words: pl.Series
    first: Integers
    second: Integers
    rows: Iterable[Rows]


def hash_words(words: pl.Series, salt: int) -> Hashes:
    """The numbers of words: 64 bits of a hash, the same on every machine."""
    from concurrence.counting.kernel import fill_hashes

    data = np.frombuffer("".join(words.to_list()).encode(), dtype=np.uint8)
    ends = np.cumsum(words.str.len_bytes().to_numpy(), dtype=np.int64)
    hashes = np.empty(len(words), dtype=np.uint64)
    fill_hashes(data, ends, np.uint64((salt + 1) * ODD % 2**64), hashes)
    return hashes


def count_split(corpus: Corpus, how: CountOptions, *, salt: int) -> Partial:
    """Count a split with the local kernel."""
    rule = parse_rule(how.rule)
    if rule.name in PATTERNS:
        return _count_pattern(corpus, rule, how, salt)
    stream = make_stream(corpus, unit=how.unit, lower=how.lower, filters=how.filters)
    if rule.name == "sentence":
        stream = distinct_words(stream)
    hashes = hash_words(stream.words, salt)
    order = np.argsort(hashes, kind="stable")
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    stream = replace(stream, ranks=ranks)
    first, second, rows = _rows_and_margins(stream, rule, order)
    return Partial(hashes=hashes[order], words=stream.words.gather(order), first=first, second=second, rows=rows)


def _rows_and_margins(stream: Stream, rule: Rule, order: Integers) -> tuple[Integers, Integers, Iterable[Rows]]:
    span = rule.span or EVERYWHERE
    if rule.name == "window":
        inside = np.zeros(len(order), dtype=np.int64)
        return inside, word_frequencies(stream)[order], rows_by_left(stream, span, inside=inside)
    if rule.name == "sentence":
        sentences = word_frequencies(stream)[order]
        return sentences, sentences, rows_by_left(stream, span)
    left, right = margins(stream, span)
    return left[order], right[order], rows_by_left(stream, span)


def _count_pattern(corpus: Corpus, rule: Rule, how: CountOptions, salt: int) -> Partial:
    """Pair tokens of a pattern; the words of both sides together, each with its margins on either."""
    pairs = pattern_tokens(corpus, rule, unit=how.unit, lower=how.lower, filters=how.filters)
    tally = pairs.tally(least=1)
    words = pl.concat([pairs.left.words, pairs.right.words]).unique()
    hashes = hash_words(words, salt)
    order = np.argsort(hashes, kind="stable")
    hashes, words = hashes[order], words.gather(order)
    left, right = (np.searchsorted(hashes, hash_words(side.words, salt)) for side in (pairs.left, pairs.right))
    first, second = np.zeros(len(words), dtype=np.int64), np.zeros(len(words), dtype=np.int64)
    first[left], second[right] = tally.f1, tally.f2
    runs = (run.read(0, run.size) for run in tally.runs)
    rows = [sort_rows(left[lefts], right[rights], f) for lefts, rights, f in runs]
    return Partial(hashes=hashes, words=words, first=first, second=second, rows=rows)


def pair_buckets(partial: Partial, n: int) -> Iterator[tuple[int, Bucket]]:
    """The pairs of a split by bucket: equal ranges of the left words' numbers."""
    edges = _edges(partial.hashes, n)
    for lefts, rights, f in partial.rows:
        cuts = np.searchsorted(lefts, edges)
        for bucket in np.flatnonzero(np.diff(cuts)):
            part = slice(int(cuts[bucket]), int(cuts[bucket + 1]))
            yield int(bucket), bucket_of(partial.hashes, lefts[part], rights[part], f[part])


def sort_rows(lefts: Integers, rights: Integers, f: Integers) -> tuple[Integers, Integers, Integers]:
    """Rows by left and right rank: one sort of packed numbers where they fit."""
    right_bits, f_bits = (int(part.max(initial=0)).bit_length() for part in (rights, f))
    left_bits = int(lefts.max(initial=0)).bit_length()
    keys = (lefts.astype(np.int64) << right_bits) | rights
    if left_bits + right_bits + f_bits > 63:
        order = np.argsort(keys)
        return lefts[order], rights[order], f[order].astype(np.int64)
    keys = (keys << f_bits) | f
    keys.sort()
    f, keys = keys & ((1 << f_bits) - 1), keys >> f_bits
    return keys >> right_bits, keys & ((1 << right_bits) - 1), f


def bucket_of(hashes: Hashes, lefts: Integers, rights: Integers, f: Integers) -> Bucket:
    """Rows by left word, with the numbers of only those words that they have."""
    starts = np.flatnonzero(np.diff(lefts, prepend=-1))
    used, places = _used(rights, len(hashes))
    return Bucket(
        left=hashes[lefts[starts]],
        sizes=np.diff(starts, append=len(lefts)).astype(np.int32),
        right=hashes[used],
        rights=places.astype(np.uint32),
        f=f,
    )


def _used(codes: Integers, n: int) -> tuple[Integers, Integers]:
    """The different codes in their order, and the place of each code among them; all are below ``n``."""
    if len(codes) * FEW < n:  # a list of all codes would take longer than to sort these
        used = np.sort(codes)
        used = used[np.diff(used, prepend=-1) != 0]
        return used, np.searchsorted(used, codes)
    marks = np.zeros(n, dtype=bool)
    marks[codes] = True
    return np.flatnonzero(marks), (np.cumsum(marks, dtype=np.int64) - 1)[codes]


def word_buckets(partial: Partial, n: int) -> Iterator[tuple[int, bytes]]:
    """The words of a split with their margins, by bucket."""
    table = pl.DataFrame(
        {"hash": partial.hashes, "word": partial.words, "first": partial.first, "second": partial.second}
    )
    edges = _edges(partial.hashes, n)
    for bucket in np.flatnonzero(np.diff(edges)):
        yield int(bucket), packed_table(table[int(edges[bucket]) : int(edges[bucket + 1])])


def packed_table(table: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    table.write_ipc(file)
    return file.getvalue()


def _edges(hashes: Hashes, n: int) -> Integers:
    """Where each bucket begins among sorted numbers, and where the last one ends."""
    limits = [(k << 64) // n for k in range(1, n)]
    inner = np.searchsorted(hashes, np.array(limits, dtype=np.uint64))
    return np.concatenate([[0], inner, [len(hashes)]]).astype(np.int64)
