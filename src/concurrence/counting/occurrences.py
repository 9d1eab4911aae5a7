"""Pair tokens of every rule, place by place: for example sentences and for concordances."""

from collections.abc import Iterator

import numpy as np

from concurrence.core.rules import Rule
from concurrence.core.tokens import Column, Tokens
from concurrence.counting.dependency import parse_tree, tree_tokens
from concurrence.counting.local import EVERYWHERE
from concurrence.counting.members import PairTokens, Positions
from concurrence.counting.regional import parse_combination, regional_tokens
from concurrence.counting.sequence import parse_sequence, sequence_tokens
from concurrence.counting.stream import Codes, Filters, removed_mask, unit_column

Places = tuple[Positions, Positions]


def pattern_tokens(tokens: Tokens, rule: Rule, *, unit: str, lower: bool, filters: Filters) -> PairTokens:
    """The pair tokens of a rule with a pattern: ``pos``, ``dep`` or ``within``."""
    column: Column = unit_column(tokens, unit, lower=lower)
    allowed = (tokens.columns["form"].codes >= 0) & ~removed_mask(tokens, unit, lower, filters)
    if rule.name == "pos":
        return sequence_tokens(tokens, parse_sequence(rule.argument), column, allowed)
    if rule.name == "dep":
        return tree_tokens(tokens, parse_tree(rule.argument), column, allowed)
    return regional_tokens(tokens, parse_combination(rule.argument), column, allowed, lower=lower)


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
