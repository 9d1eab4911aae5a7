"""Which words fit a condition of the query language, and which positions pass a test."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concurrence.core.encoded import Integers, Layer, Mask, Regions
from concurrence.core.query import Condition, Test

SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
ACROSS = re.compile(r"\[\^|\\[sSWD]|\(\?")
"""What could match a line break, so that words must be looked at one by one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenTests:
    """Tests of the tokens of a corpus; which words fit a condition is found out once.

    ``layer`` gives a layer by the name that a query uses for it; borders are where ``form`` is negative.
    """

    layer: Callable[[str], Layer]
    _known: dict[Condition, Mask] = field(default_factory=dict)

    def passes(self, test: Test, positions: NDArray[np.signedinteger]) -> Mask:
        """Which positions pass; a border passes no test."""
        if isinstance(test, Condition):
            held = self.layer(test.attribute).has(self.words(test), positions)
            return held if not test.negated else ~held & self.inside(positions)
        held = np.full(len(positions), test.all_of, dtype=np.bool_)
        for part in test.parts:
            one = self.passes(part, positions)
            held = held & one if test.all_of else held | one
        return (~held if test.negated else held) & self.inside(positions)

    def inside(self, positions: NDArray[np.signedinteger]) -> Mask:
        """Which positions are tokens."""
        return np.asarray(self.layer("form").codes[positions] >= 0)

    def words(self, condition: Condition) -> Mask:
        """Which words of the layer the pattern matches."""
        key = Condition(attribute=condition.attribute, pattern=condition.pattern, ignore_case=condition.ignore_case)
        if key not in self._known:
            self._known[key] = matching_words(self.layer(condition.attribute), condition)
        return self._known[key]


def matching_words(layer: Layer, condition: Condition) -> Mask:
    """Which words of a layer a condition's pattern matches as a whole."""
    vocabulary = layer.vocabulary
    mask = np.zeros(len(vocabulary), dtype=np.bool_)
    literal = None if condition.ignore_case else _literal(condition.pattern)
    if literal is not None:
        code = vocabulary.code(literal)
        mask[[] if code is None else [code]] = True
        return mask
    flags = re.IGNORECASE if condition.ignore_case else 0
    if ACROSS.search(condition.pattern):
        pattern = re.compile(condition.pattern, flags)
        mask[[code for code, word in enumerate(vocabulary.words) if pattern.fullmatch(word)]] = True
        return mask
    lines = re.compile(rf"^(?:{condition.pattern})$", flags | re.MULTILINE)
    text = vocabulary.all_text
    places = np.array([found.start() for found in lines.finditer(text) if found.start() < len(text)], dtype=np.int64)
    begins = _line_starts(text)
    mask[np.searchsorted(begins, places)] = True
    return mask


def _literal(pattern: str) -> str | None:
    """The word that a pattern without anything special stands for."""
    return None if SPECIAL.search(re.sub(r"\\[^\w]", "", pattern)) else re.sub(r"\\([^\w])", r"\1", pattern)


def _line_starts(text: str) -> Integers:
    units = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    return np.concatenate([[0], np.flatnonzero(units == 10) + 1])


def within_regions(regions: Regions, starts: Integers, ends: Integers) -> Mask:
    """Which stretches (ends exclusive) lie inside one of the regions, which may overlap or lie inside each other."""
    order = np.argsort(regions.starts, kind="stable")
    reach = np.concatenate([[-1], np.maximum.accumulate(regions.ends[order])])
    return np.asarray(reach[np.searchsorted(regions.starts[order], starts, side="right")] >= ends)
