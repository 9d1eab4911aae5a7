"""Pair tokens of every rule, place by place: for example sentences and for concordances."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus, unit_layer
from concurrence.core.layers import Codes
from concurrence.core.query import wildcard
from concurrence.core.rules import Rule
from concurrence.counting.dep_rule import parse_tree, tree_tokens
from concurrence.counting.local import EVERYWHERE
from concurrence.counting.pair_tokens import PairTokens, Positions
from concurrence.counting.pos_rule import parse_sequence, sequence_tokens
from concurrence.counting.stream import Filters, removed_mask
from concurrence.counting.within_rule import parse_combination, regional_tokens

Places = tuple[Positions, Positions]


def pattern_tokens(corpus: Corpus, rule: Rule, *, unit: str, lower: bool, filters: Filters) -> PairTokens:
    """The pair tokens of a rule with a pattern: ``pos``, ``dep`` or ``within``."""
    words = unit_layer(corpus, unit, lower=lower).unmerged
    allowed = corpus.is_token & ~removed_mask(corpus, unit, lower, filters) & (words.codes >= 0)
    if rule.name == "pos":
        return sequence_tokens(corpus, parse_sequence(rule.argument), words, allowed)
    if rule.name == "dep":
        return tree_tokens(corpus, parse_tree(rule.argument), words, allowed)
    return regional_tokens(corpus, parse_combination(rule.argument), words, allowed, lower=lower)


def pattern_positions(
    corpus: Corpus, l1: str, l2: str, rule: Rule, *, unit: str, lower: bool
) -> tuple[Positions, Positions]:
    """Both positions wherever two words occur together by a rule with a pattern; ``*`` stands for any letters."""
    pairs = pattern_tokens(corpus, rule, unit=unit, lower=lower, filters=Filters())
    fits = _like(pairs.left.words, l1)[pairs.left.codes] & _like(pairs.right.words, l2)[pairs.right.codes]
    return pairs.left.at[fits], pairs.right.at[fits]


def _like(words: pl.Series, word: str) -> NDArray[np.bool_]:
    """Which words are this one, or fit it if it has a wildcard."""
    return (words.str.contains(f"^(?:{wildcard(word)})$") if "*" in word else words == word).to_numpy()


def places(codes: Codes, rule: Rule) -> Iterator[Places]:
    """Positions of the two words of each pair token of a rule without a pattern, distance by distance.

    ``codes`` are whole sentences. A pair of ``window`` comes once for each window that its second word lies
    in, and a pair of ``sentence`` once for each combination of its words, in the order they stand.
    """
    span = rule.span if rule.span is not None else EVERYWHERE
    starts = np.flatnonzero(codes >= 0)
    ends = starts
    for _ in range(min(span, len(codes))):
        ends = ends + 1
        inside = ends < len(codes)
        inside[inside] = codes[ends[inside]] != -1
        starts, ends = starts[inside], ends[inside]
        if not len(starts):
            return
        kept = codes[ends] >= 0
        left, right = starts[kept], ends[kept]
        if rule.name in ("window", "sentence"):
            different = codes[left] != codes[right]
            left, right = left[different], right[different]
        if rule.name == "window":
            yield right, left
        yield left, right
