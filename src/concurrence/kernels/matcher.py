"""Where a query fits: the shortest match at each place, or every way in which it fits.

Positions of one token come from the index; rows of tokens go one step at a time for all places together.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import UNIT, Corpus, Regions
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Codes, Integers, Layer, Mask, Vocabulary
from concurrence.core.query import MOST, Condition, Query, Test, is_pattern, parse_query
from concurrence.kernels.token_patterns import (
    Automaton,
    Bindings,
    PatternWalk,
    build_automaton,
    distinct_bindings,
)

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
AT_ONCE = 1 << 18
"""How many places are looked at in one go, where not all are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryMatches:
    """Where matches start and end (exclusive), in the order of the corpus.

    ``complete`` tells whether all of the corpus was looked at.
    """

    starts: Integers
    ends: Integers
    complete: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Matcher:
    """A query on a corpus; ``unit`` is the layer that the attribute ``unit`` of a query stands for.

    Which words a condition matches is found out once: for all words of a layer (``_masks``), or for those that were
    looked at so far (``_answers``).
    """

    corpus: Corpus
    query: Query
    unit: Layer | None = None
    _masks: dict[Condition, Mask] = field(default_factory=dict)
    _answers: dict[Condition, NDArray[np.int8]] = field(default_factory=dict)

    def layer(self, name: str) -> Layer:
        """The layer that an attribute of the query is about."""
        return self.unit if self.unit is not None and name == UNIT else self.corpus.layer(name)

    def matches(self, *, at_least: int | None = None) -> QueryMatches:
        """All matches, one per start, the shortest; or the first so many, where fewer are enough."""
        test = self.query.single
        if test is not None:
            starts = self.positions(test)
            return self._inside(starts, starts + 1)
        machine = build_automaton(self.query.pattern)
        if machine.empty:
            raise InvalidInputError(
                f"Every part of the query {self.query.text!r} may be left out; give a token that must be there."
            )
        parts: list[QueryMatches] = []
        candidates = self._first_places(machine)
        for begin in range(0, len(candidates), AT_ONCE if at_least is not None else max(len(candidates), 1)):
            if at_least is not None and sum(len(part.starts) for part in parts) >= at_least:
                return _join_matches(parts, complete=False)
            end = begin + AT_ONCE if at_least is not None else len(candidates)
            parts.append(self._inside(*self._run(machine, candidates[begin:end])))
        return _join_matches(parts, complete=True)

    def sample_matches(self, places: int, *, seed: int = 0) -> tuple[QueryMatches, float]:
        """The matches that begin at some of the places where one could, drawn at random, and the share of those places.

        The share is 1 where all places were looked at, and always for a query of one token.
        """
        machine = None if self.query.single is not None else build_automaton(self.query.pattern)
        if machine is None or machine.empty:
            return self.matches(), 1.0
        rng, size = np.random.default_rng(seed), self.corpus.size
        if any(self._narrowest(test) is None for test in machine.first_tests()) and places < size:
            some = np.unique(rng.integers(0, size, places))
            share = len(some) / size
        else:
            every = self._first_places(machine)
            share = min(places / max(len(every), 1), 1.0)
            some = every if share == 1 else every[np.sort(rng.choice(len(every), places, replace=False, shuffle=False))]
        return _join_matches([self._inside(*self._run(machine, some))], complete=share == 1), share

    def bindings(self, labels: Iterable[str], *, allowed: Mask, masks: Mapping[str, Mask]) -> Bindings:
        """Every different way in which a row of tokens fits: where the tokens with these labels stand, -1 for nowhere.

        Only ``allowed`` tokens pass a test; any token may fill a gap. ``masks`` are what a label stands for in place of
        its test.
        """
        start = np.flatnonzero(self.corpus.is_token)
        walk = PatternWalk(passes=self.passes, inside=self.corpus.is_token, allowed=allowed, masks=masks)
        states = walk.row({"": start, "^": start} if self.query.within else {"": start}, self.query.pattern.row)
        if self.query.within:
            inside = within_regions(self.corpus.region(self.query.within), states["^"], states[""])
            states = {key: value[inside] for key, value in states.items()}
        return distinct_bindings({label: states[label] for label in labels})

    def _inside(self, starts: Integers, ends: Integers) -> QueryMatches:
        """The matches that do not leave the region they must stay in; a longer one would leave it as well."""
        if self.query.within is None:
            return QueryMatches(starts=starts, ends=ends)
        inside = within_regions(self.corpus.region(self.query.within), starts, ends)
        return QueryMatches(starts=starts[inside], ends=ends[inside])

    def positions(self, test: Test) -> Integers:
        """Every position that passes a test, in order."""
        narrow = self._narrowest(test)
        if narrow is None:
            everywhere = np.flatnonzero(self.corpus.form.codes >= 0)
            return everywhere[self.passes(test, everywhere)]
        layer = self.layer(narrow.attribute)
        positions = layer.positions(np.flatnonzero(self.words(narrow)).tolist())
        return positions if narrow == test else positions[self.passes(test, positions)]

    def passes(self, test: Test, positions: NDArray[np.signedinteger]) -> Mask:
        """Which positions pass; a border passes no test."""
        if isinstance(test, Condition):
            fits = self._fits(test, positions)
            return fits if not test.negated else ~fits & self._is_token(positions)
        fits = np.full(len(positions), test.all_of, dtype=np.bool_)
        for part in test.parts:
            one = self.passes(part, positions)
            fits = fits & one if test.all_of else fits | one
        return (~fits if test.negated else fits) & self._is_token(positions)

    def _is_token(self, positions: NDArray[np.signedinteger]) -> Mask:
        return np.asarray(self.corpus.form.codes[positions] >= 0)

    def _fits(self, condition: Condition, positions: NDArray[np.signedinteger]) -> Mask:
        """Where a word that the pattern matches stands; for few positions, only the words there are looked at."""
        layer, key = self.layer(condition.attribute), replace(condition, negated=False)
        if key in self._masks or len(positions) > len(layer.vocabulary) // FEW:
            return layer.has(self.words(condition), positions)
        codes = layer.at(positions)
        answers = self._answers.setdefault(key, _unasked(len(layer.vocabulary)))
        new = np.unique(codes[answers[codes] == UNASKED])
        answers[new] = _matches(layer.vocabulary, condition, new)
        return np.asarray(answers[codes] == 1)

    def words(self, condition: Condition) -> Mask:
        """Which words of the layer the pattern matches."""
        key = replace(condition, negated=False)
        if key not in self._masks:
            self._masks[key] = matching_words(self.layer(condition.attribute), condition)
        return self._masks[key]

    def _first_places(self, machine: Automaton) -> Integers:
        tests = machine.first_tests()
        if any(self._narrowest(test) is None for test in tests):
            return np.flatnonzero(self.corpus.form.codes >= 0)
        positions = [self.positions(test) for test in tests]
        return positions[0] if len(positions) == 1 else np.unique(np.concatenate(positions))

    def _narrowest(self, test: Test) -> Condition | None:
        """A condition with few places, all of which must be among those of the test."""
        if isinstance(test, Condition):
            return None if test.negated else test
        if not test.all_of or test.negated:
            return None
        conditions = [condition for part in test.parts if (condition := self._narrowest(part)) is not None]
        return min(conditions, key=self._frequency, default=None)

    def _frequency(self, condition: Condition) -> int:
        layer = self.layer(condition.attribute)
        return int(layer.frequencies[self.words(condition)].sum())

    def _run(self, machine: Automaton, places: Integers) -> tuple[Integers, Integers]:
        """Let all places go through the machine together; the first to arrive is the shortest match."""
        ends = np.full(len(places), -1, dtype=np.int64)
        active = {state: np.arange(len(places)) for state in machine.start}
        step = 0
        while active and step <= MOST * 10:
            reached: dict[int, list[Integers]] = {}
            for state, who in active.items():
                waiting = who[ends[who] < 0]
                at = np.minimum(places[waiting] + step, self.corpus.size - 1)
                for test, targets in machine.steps[state]:
                    through = waiting[self.passes(test, at)]
                    for target in targets if len(through) else ():
                        reached.setdefault(target, []).append(through)
            step += 1
            for through in reached.pop(machine.end, []):
                ends[through] = places[through] + step
            active = {state: _together(parts, len(places)) for state, parts in reached.items()}
        matched = ends >= 0
        return places[matched], ends[matched]


def _unasked(n_words: int) -> NDArray[np.int8]:
    """An answer for each word that is not known yet; no pattern fits a missing word or a border."""
    return np.append(np.full(n_words, UNASKED, np.int8), np.zeros(2, np.int8))


def node_matcher(corpus: Corpus, node: str, unit: Layer, *, lower: bool) -> Matcher:
    """A matcher for a word, several words or a pattern; plain words are compared with the layer ``unit``."""
    text = node.lower() if lower and not is_pattern(node) else node
    return Matcher(corpus=corpus, query=parse_query(text, attribute=UNIT), unit=unit)


def _join_matches(parts: list[QueryMatches], *, complete: bool) -> QueryMatches:
    if len(parts) == 1:
        return replace(parts[0], complete=complete)
    none = np.empty(0, dtype=np.int64)
    starts, ends = [none, *(part.starts for part in parts)], [none, *(part.ends for part in parts)]
    return QueryMatches(starts=np.concatenate(starts), ends=np.concatenate(ends), complete=complete)


def _together(parts: list[Integers], size: int) -> Integers:
    """The numbers below ``size`` that stand in any of the parts, each of which is in order."""
    if len(parts) == 1:
        return parts[0]
    there = np.zeros(size, dtype=np.bool_)
    for part in parts:
        there[part] = True
    return np.flatnonzero(there)


def _matches(vocabulary: Vocabulary, condition: Condition, codes: Codes) -> list[bool]:
    """Which of some words a pattern matches as a whole."""
    if ENDLESS.search(condition.pattern):
        return _in_one_pass(vocabulary.words_of(codes), condition)
    pattern = re.compile(condition.pattern, re.IGNORECASE if condition.ignore_case else 0)
    return [pattern.fullmatch(word) is not None for word in vocabulary.words_of(codes)]


def _in_one_pass(words: Iterable[str], condition: Condition) -> list[bool]:
    """The same by an engine whose time grows with the words alone; it knows no look-around and no references."""
    import polars as pl

    pattern = re.sub(r"\\(.)", lambda match: CLASSES.get(match[1], match[0]), condition.pattern)
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
    places = np.array([match.start() for match in lines.finditer(text) if match.start() < len(text)], dtype=np.int64)
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
