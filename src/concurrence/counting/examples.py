"""Example sentences of pairs, drawn at random and reproducibly.

Every sentence has a number made of the seed and its text by MD5. A pair keeps the sentences with the smallest
numbers: a random sample without repetition, which does not depend on the order of sentences, and which another
engine can draw just the same.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.rules import Rule
from concurrence.counting.local import pieces
from concurrence.counting.pair_places import places
from concurrence.counting.pair_tokens import PairTokens
from concurrence.counting.runs import Run
from concurrence.counting.stream import Stream

HEX_DIGITS = 15
SIEVE_BITS = 24
AT_ONCE = 1 << 22

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examples:
    """Which sentences each pair keeps: ``chosen`` are keys of pairs and ranks of sentences, sorted."""

    corpus: Corpus
    width: int
    keys: Integers
    pairs: Integers
    ranks: Integers
    sentences: Integers

    def column(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> pl.Series:
        rows = np.searchsorted(self.keys, left.astype(np.int64) * self.width + right)
        begin, end = (np.searchsorted(self.pairs, rows, side=side) for side in ("left", "right"))
        texts = SentenceTexts(self.corpus)
        sentences = [[texts[int(self.sentences[r])] for r in self.ranks[b:e]] for b, e in zip(begin, end, strict=True)]
        return pl.Series("examples", sentences, dtype=pl.List(pl.String))


class SentenceTexts:
    """The text of each sentence: its forms with a space between."""

    def __init__(self, corpus: Corpus) -> None:
        self._codes, self._starts = corpus.form.codes, corpus.sentences
        self._words = np.array(corpus.form.vocabulary.words, dtype=object)

    def __getitem__(self, sentence: int) -> str:
        codes = self._codes[self._starts[sentence] : self._starts[sentence + 1] - 1]
        return " ".join(self._words[codes].tolist())

    def __len__(self) -> int:
        return len(self._starts) - 1


def sentence_number(seed: int, text: str) -> int:
    digest = hashlib.md5(f"{seed}\t{text}".encode(), usedforsecurity=False).hexdigest()
    return int(digest[:HEX_DIGITS], 16)


def choose(
    corpus: Corpus, runs: list[Run], pair_places: Iterable[tuple[Integers, Integers]], *, width: int, k: int, seed: int
) -> Examples:
    """Choose up to ``k`` sentences a pair from pair tokens: keys of pairs, and positions."""
    keys = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *(_keys(run, width) for run in runs)]))
    return choose_among(corpus, keys, pair_places, width=width, k=k, seed=seed)


def choose_among(
    corpus: Corpus, keys: Integers, pair_places: Iterable[tuple[Integers, Integers]], *, width: int, k: int, seed: int
) -> Examples:
    """The same for the pairs of some keys, which are in order."""
    texts = SentenceTexts(corpus)
    numbers = np.fromiter((sentence_number(seed, texts[s]) for s in range(len(texts))), np.int64, len(texts))
    _, sentences, ranks = np.unique(numbers, return_index=True, return_inverse=True)
    starts = corpus.sentences
    best, new, waiting = np.zeros(0, dtype=np.int64), [], 0
    for rows, positions in _kept(pair_places, keys):
        new.append((rows << 32) | ranks[np.searchsorted(starts, positions, side="right") - 1])
        waiting += len(rows)
        if waiting > AT_ONCE:
            best, new, waiting = _smallest(np.concatenate([best, *new]), k), [], 0
    best = _smallest(np.concatenate([best, *new]), k)
    return Examples(
        corpus=corpus, width=width, keys=keys, pairs=best >> 32, ranks=best & 0xFFFFFFFF, sentences=sentences
    )


def key_places(stream: Stream, rule: Rule) -> Iterator[tuple[Integers, Integers]]:
    """Keys and positions of all pair tokens of a rule without a pattern."""
    at = 0
    for piece in pieces(stream.codes):
        for left, right in places(piece, rule):
            first, second = stream.ranks[piece[left]].astype(np.int64), stream.ranks[piece[right]].astype(np.int64)
            if rule.name == "sentence":
                first, second = np.minimum(first, second), np.maximum(first, second)
            yield first * len(stream.words) + second, left + at
        at += len(piece)


def key_tokens(pairs: PairTokens) -> Iterator[tuple[Integers, Integers]]:
    yield pairs.left.codes.astype(np.int64) * max(len(pairs.right.words), 1) + pairs.right.codes, pairs.left.at


def _keys(run: Run, width: int) -> Integers:
    left, right, *_ = run.read(0, run.size)
    return left.astype(np.int64) * width + right


def _kept(pair_places: Iterable[tuple[Integers, Integers]], keys: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Pair tokens whose pair is kept, by its place among the keys; a sieve spares most searches."""
    sieve = np.zeros(1 << SIEVE_BITS, dtype=bool)
    sieve[_bits(keys)] = True
    for pair_keys, positions in pair_places:
        maybe = sieve[_bits(pair_keys)]
        pair_keys, positions = pair_keys[maybe], positions[maybe]
        rows = np.searchsorted(keys, pair_keys)
        there = keys[np.minimum(rows, len(keys) - 1)] == pair_keys if len(keys) else np.zeros(len(rows), dtype=bool)
        yield rows[there], positions[there]


def _bits(keys: Integers) -> Integers:
    mixed = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(64 - SIEVE_BITS)).astype(np.int64)


def _smallest(chosen: Integers, k: int) -> Integers:
    """The ``k`` smallest different ranks of each pair."""
    chosen = np.unique(chosen)
    pairs = chosen >> 32
    first = np.searchsorted(pairs, pairs, side="left")
    return chosen[np.arange(len(chosen)) - first < k]
