"""Ordered word overlap without a quadratic scan, with exactly the result of comparing all pairs.

At least ``t`` of the ``n`` words of a left sentence must stand in the right one. Then among any ``n - t + 1``
of them at least one must, so that it is enough to look up the rarest ones in an index of the right sentences
(prefix filtering, Chaudhuri, Ganti & Kaushik 2006). What is found is counted without order first, and only
what passes is aligned by rapidfuzz.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import polars as pl
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from concurrence.core.arrays import Integers
from concurrence.core.options import Progress
from concurrence.kernels.machine_code import machine_code

BATCH = 200_000
ROWS_AT_A_TIME = 1_000
FIRST_CHARACTER, SURROGATES, LAST_CHARACTER = 0x100, 0x800, 0x10FFFF


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overlaps:
    """Pairs of rows and the length of their longest common subsequence of words."""

    left: Integers
    right: Integers
    common: Integers
    words: Integers


def close_pairs(
    left: pl.DataFrame, right: pl.DataFrame, *, similarity: Fraction, progress: Progress | None = None
) -> Overlaps:
    """All pairs with the same ``word`` in which that share of the left words is found in the right in order."""
    tokens, offsets = _encode(left, right)
    n_left = len(left)
    words = np.diff(offsets)[:n_left]
    needed = np.array([ceil(similarity * int(n)) for n in range(int(words.max(initial=0)) + 1)], dtype=np.int64)[words]
    pairs = _candidates(tokens, offsets, n_left, np.maximum(needed, 1), progress)
    rows, columns = pairs[:, 0], pairs[:, 1]
    common = _common_subsequences(tokens, offsets, rows, columns + n_left)
    close = common >= needed[rows]
    return Overlaps(left=rows[close], right=columns[close], common=common[close], words=words[rows[close]])


def required_share(similarity: float) -> Fraction:
    """The share exactly as it was written, so that three words out of four are 75%.

    >>> required_share(0.8)
    Fraction(4, 5)
    """
    return Fraction(repr(similarity))


def _encode(left: pl.DataFrame, right: pl.DataFrame) -> tuple[Integers, Integers]:
    """Tokens as numbers that differ between target words, the left rows first, and where rows begin."""
    both = pl.concat([left.select("word", "text"), right.select("word", "text")])
    split = both["text"].str.extract_all(r"\S+")
    lengths = split.list.len().to_numpy().astype(np.int64)
    flat = split.explode(empty_as_null=False)
    target = np.repeat(_codes(both["word"]), lengths)
    identifiers = _codes(flat) + target * (len(flat) + 1)
    tokens = np.unique(identifiers, return_inverse=True)[1].astype(np.int64)
    return tokens, np.concatenate([[0], np.cumsum(lengths)])


def _codes(texts: pl.Series) -> Integers:
    ranks: Integers = texts.rank("dense").to_numpy().astype(np.int64)
    return ranks


def _candidates(
    tokens: Integers, offsets: Integers, n_left: int, needed: Integers, progress: Progress | None
) -> Integers:
    split = offsets[n_left]
    size = int(tokens.max(initial=-1)) + 1
    rows_of_right = np.repeat(np.arange(len(offsets) - 1 - n_left), np.diff(offsets[n_left:]))
    order = np.argsort(tokens[split:], kind="stable")
    postings = rows_of_right[order]
    frequency = np.bincount(tokens[split:], minlength=size)
    starts = np.concatenate([[0], np.cumsum(frequency)])
    by_number = _sorted_in_rows(tokens, offsets, tokens)
    by_rarity = _sorted_in_rows(tokens[:split], offsets[: n_left + 1], frequency[tokens[:split]])
    proposals = [np.empty((0, 2), dtype=np.int64)]
    for begin in range(0, n_left, ROWS_AT_A_TIME):
        end = min(begin + ROWS_AT_A_TIME, n_left)
        proposals.append(_propose(by_number, by_rarity, offsets, n_left, begin, end, needed, starts, postings))
        if progress is not None:
            progress(end, n_left)
    return np.concatenate(proposals)


def _sorted_in_rows(tokens: Integers, offsets: Integers, key: Integers) -> Integers:
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return tokens[np.lexsort((tokens, key, rows))]


@machine_code
def _propose(
    by_number: Any,
    by_rarity: Any,
    offsets: Any,
    n_left: int,
    from_row: int,
    to_row: int,
    needed: Any,
    starts: Any,
    postings: Any,
) -> Any:  # pragma: no cover - compiled
    seen = np.full(len(offsets) - 1 - n_left, -1, dtype=np.int64)
    proposed = np.empty((1024, 2), dtype=np.int64)
    n_proposed = 0
    for row in range(from_row, to_row):
        begin, end = offsets[row], offsets[row + 1]
        prefix_end = min(end, begin + (end - begin) - needed[row] + 1)
        for slot in range(begin, prefix_end):
            token = by_rarity[slot]
            for posting in range(starts[token], starts[token + 1]):
                other = postings[posting]
                if seen[other] == row:
                    continue
                seen[other] = row
                first, last = offsets[n_left + other], offsets[n_left + other + 1]
                if _shared(by_number[begin:end], by_number[first:last]) < needed[row]:
                    continue
                if n_proposed == len(proposed):
                    larger = np.empty((2 * n_proposed, 2), dtype=np.int64)
                    larger[:n_proposed] = proposed
                    proposed = larger
                proposed[n_proposed, 0] = row
                proposed[n_proposed, 1] = other
                n_proposed += 1
    return proposed[:n_proposed]


@machine_code
def _shared(a: Any, b: Any) -> int:  # pragma: no cover - compiled
    """How many tokens two sorted rows share, each counted as often as both have it."""
    i, j, shared = 0, 0, 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            shared += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return shared


def _common_subsequences(tokens: Integers, offsets: Integers, rows: Integers, others: Integers) -> Integers:
    common = np.empty(len(rows), dtype=np.int64)
    for begin in range(0, len(rows), BATCH):
        batch = slice(begin, begin + BATCH)
        left, right = rows[batch], others[batch]
        used, inverse = np.unique(np.concatenate([left, right]), return_inverse=True)
        sequences = _as_sequences(tokens, offsets, used)
        a, b = ([sequences[k] for k in half] for half in (inverse[: len(left)], inverse[len(left) :]))
        common[batch] = process.cpdist(a, b, scorer=LCSseq.similarity, dtype=np.int64, workers=-1)
    return common


def _as_sequences(tokens: Integers, offsets: Integers, rows: Integers) -> list[Any]:
    """Each row as a text with one character a token, which is what rapidfuzz is quickest on."""
    pieces = [tokens[offsets[row] : offsets[row + 1]] for row in rows]
    local = np.unique(np.concatenate(pieces), return_inverse=True)[1]
    ends = np.cumsum([len(piece) for piece in pieces])[:-1]
    if int(local.max(initial=0)) + FIRST_CHARACTER + SURROGATES > LAST_CHARACTER:
        return [piece.tolist() for piece in pieces]
    points = local + FIRST_CHARACTER
    points = (points + SURROGATES * (points >= 0xD800)).astype("<u4")
    return [piece.tobytes().decode("utf-32-le") for piece in np.split(points, ends)]
