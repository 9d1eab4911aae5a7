"""How often every pair occurs in every document."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.rules import Rule, parse_rule
from concurrence.counting.count import CountOptions
from concurrence.counting.document_spread import Spread, document_spread
from concurrence.counting.local import pieces
from concurrence.counting.pair_places import pattern_tokens, places
from concurrence.counting.stream import Stream, make_stream

AT_ONCE = 1 << 19
"""How many positions are looked at in one go."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairEntries:
    """A pair (by the numbers of its words) occurs so often in a document; ``sizes`` is what a document could have.

    That is its pair tokens, its sentences by the rule ``sentence``, and its tokens by the rule ``window``.
    """

    left: pl.Series
    right: pl.Series
    pairs: Integers
    documents: Integers
    f: Integers
    sizes: Integers


def pair_entries(corpus: Corpus, how: CountOptions) -> PairEntries:
    """Count the pairs of every document."""
    rule = parse_rule(how.rule)
    spread = document_spread(corpus, by_sentence=rule.name == "sentence")
    if rule.name in ("pos", "dep", "within"):
        pair_tokens = pattern_tokens(corpus, rule, unit=how.unit, lower=how.lower, filters=how.filters)
        left, right, width = pair_tokens.left.words, pair_tokens.right.words, max(len(pair_tokens.right.words), 1)
        keys = pair_tokens.left.codes.astype(np.int64) * width + pair_tokens.right.codes
        parts = [_tallied(keys, spread.places(pair_tokens.left.at)[1], len(spread.sizes))]
    else:
        stream = make_stream(corpus, unit=how.unit, lower=how.lower, filters=how.filters)
        left = right = stream.sorted_words
        parts = _stream_parts(stream, rule, spread)
    pairs, documents, f = (
        np.concatenate([np.empty(0, dtype=np.int64), *(part[k] for part in parts)]) for k in range(3)
    )
    over_tokens = rule.name not in ("window", "sentence")
    sizes = np.bincount(documents, weights=f, minlength=len(spread.sizes)).astype(np.int64)
    return PairEntries(
        left=left,
        right=right,
        pairs=pairs,
        documents=documents,
        f=f,
        sizes=sizes if over_tokens else spread.sizes,
    )


def _stream_parts(stream: Stream, rule: Rule, spread: Spread) -> list[tuple[Integers, Integers, Integers]]:
    parts, at = [], 0
    for piece in pieces(stream.codes, AT_ONCE):
        keys, own = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for left, right in places(piece, rule):
            first, second = (stream.ranks[piece[side]].astype(np.int64) for side in (left, right))
            if rule.name == "sentence":
                first, second = np.minimum(first, second), np.maximum(first, second)
            keys.append(first * len(stream.words) + second)
            own.append((right if rule.name == "window" else left) + at)
        key, place = np.concatenate(keys), np.concatenate(own)
        if rule.name in ("window", "sentence"):  # a collocate counts once, and so does a sentence
            place = np.searchsorted(spread.borders, place) if rule.name == "sentence" else place
            key, place = _distinct(key, place)
        documents = _documents(spread, rule, place)
        parts.append(_tallied(key, documents, len(spread.sizes)))
        at += len(piece)
    return parts


def _distinct(keys: Integers, places: Integers) -> tuple[Integers, Integers]:
    order = np.lexsort((places, keys))
    keys, places = keys[order], places[order]
    new = np.ones(len(keys), dtype=np.bool_)
    new[1:] = (np.diff(keys) != 0) | (np.diff(places) != 0)
    return keys[new], places[new]


def _documents(spread: Spread, rule: Rule, place: Integers) -> Integers:
    if rule.name != "sentence":
        return spread.places(place)[1]
    return np.searchsorted(spread.starts, place, side="right") - 1


def _tallied(keys: Integers, documents: Integers, n_documents: int) -> tuple[Integers, Integers, Integers]:
    both, f = np.unique(keys * n_documents + documents, return_counts=True)
    return both // n_documents, both % n_documents, f
