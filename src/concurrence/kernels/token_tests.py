"""Which words fit a condition of the query language, and which positions pass a test."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Regions
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Codes, Integers, Layer, Mask, Vocabulary
from concurrence.core.query import Condition, Test

SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
ACROSS = re.compile(r"\[\^|\\[sSWD]|\(\?")
"""What could match a line break, so that words must be looked at one by one."""
ENDLESS = re.compile(r"\)(?:[*+]|\{)|(?:[*+}].*){3}")
"""What can take the engine of Python longer than anyone waits, such as ``(\\w+)+!``; that of polars takes one pass."""
CLASSES = {"w": r"[\p{L}\p{N}_]", "W": r"[^\p{L}\p{N}_]"}
"""Letters as Python has them: to polars, marks that are put on letters are letters."""
FEW = 16
"""Where there are so many times fewer positions than words, only the words at the positions are looked at."""
UNASKED = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class TokenTests:
    """Tests of the tokens of a corpus; which words fit a condition is found out once.

    ``layer`` gives a layer by the name that a query uses for it; borders are where ``form`` is negative.
    """

    layer: Callable[[str], Layer]
    _known: dict[Condition, Mask] = field(default_factory=dict)
    _asked: dict[Condition, NDArray[np.int8]] = field(default_factory=dict)

    def passes(self, test: Test, positions: NDArray[np.signedinteger]) -> Mask:
        """Which positions pass; a border passes no test."""
        if isinstance(test, Condition):
            held = self._held(test, positions)
            return held if not test.negated else ~held & self.inside(positions)
        held = np.full(len(positions), test.all_of, dtype=np.bool_)
        for part in test.parts:
            one = self.passes(part, positions)
            held = held & one if test.all_of else held | one
        return (~held if test.negated else held) & self.inside(positions)

    def inside(self, positions: NDArray[np.signedinteger]) -> Mask:
        """Which positions are tokens."""
        return np.asarray(self.layer("form").codes[positions] >= 0)

    def _held(self, condition: Condition, positions: NDArray[np.signedinteger]) -> Mask:
        """Where a word that the pattern matches stands; few positions ask for the few words there alone."""
        layer, key = self.layer(condition.attribute), _unnegated(condition)
        if key in self._known or len(positions) > len(layer.vocabulary) // FEW:
            return layer.has(self.words(condition), positions)
        codes = layer.at(positions)
        answers = self._asked.setdefault(key, np.append(np.full(len(layer.vocabulary), UNASKED, np.int8), np.int8(0)))
        new = np.unique(codes[answers[codes] == UNASKED])
        answers[new] = _matches(layer.vocabulary, condition, new)
        return np.asarray(answers[codes] == 1)

    def words(self, condition: Condition) -> Mask:
        """Which words of the layer the pattern matches."""
        key = _unnegated(condition)
        if key not in self._known:
            self._known[key] = matching_words(self.layer(condition.attribute), condition)
        return self._known[key]


def _unnegated(condition: Condition) -> Condition:
    return Condition(attribute=condition.attribute, pattern=condition.pattern, ignore_case=condition.ignore_case)


def _matches(vocabulary: Vocabulary, condition: Condition, codes: Codes) -> list[bool]:
    """Which of some words a pattern matches as a whole."""
    if ENDLESS.search(condition.pattern):
        return _in_one_pass(vocabulary.words_of(codes), condition)
    pattern = re.compile(condition.pattern, re.IGNORECASE if condition.ignore_case else 0)
    return [pattern.fullmatch(word) is not None for word in vocabulary.words_of(codes)]


def _in_one_pass(words: Iterable[str], condition: Condition) -> list[bool]:
    """The same by an engine whose time grows with the words alone; it knows no look-around and no references."""
    import polars as pl

    pattern = re.sub(r"\\(.)", lambda found: CLASSES.get(found[1], found[0]), condition.pattern)
    whole = rf"{'(?i)' if condition.ignore_case else ''}\A(?:{pattern})\z"
    try:
        return pl.Series(list(words), dtype=pl.String).str.contains(whole).to_list()
    except pl.exceptions.ComputeError as error:
        raise InvalidInputError(
            f"The pattern {condition.pattern!r} repeats much and also looks ahead, looks back or refers to a group, "
            "which can take forever; leave out one of the two."
        ) from error


def matching_words(layer: Layer, condition: Condition) -> Mask:
    """Which words of a layer a condition's pattern matches as a whole."""
    vocabulary = layer.vocabulary
    mask = np.zeros(len(vocabulary), dtype=np.bool_)
    literal = None if condition.ignore_case else _literal(condition.pattern)
    if literal is not None:
        code = vocabulary.code(literal)
        mask[[] if code is None else [code]] = True
        return mask
    if ENDLESS.search(condition.pattern):
        mask[:] = _in_one_pass(vocabulary.words, condition)
        return mask
    flags = re.IGNORECASE if condition.ignore_case else 0
    text = vocabulary.all_text
    begins = _line_starts(text)
    if ACROSS.search(condition.pattern) or len(begins) != len(vocabulary) + 1:  # a line break inside a word
        pattern = re.compile(condition.pattern, flags)
        mask[[code for code, word in enumerate(vocabulary.words) if pattern.fullmatch(word)]] = True
        return mask
    lines = re.compile(rf"^(?:{condition.pattern})$", flags | re.MULTILINE)
    places = np.array([found.start() for found in lines.finditer(text) if found.start() < len(text)], dtype=np.int64)
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
