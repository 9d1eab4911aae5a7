"""Where a query fits: the shortest match at each place, or every way in which it fits.

Positions of one token come from the index; rows of tokens go one step at a time for all places together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Integers, Layer, Mask
from concurrence.core.query import ANY, MOST, Condition, Query, Repeated, Test
from concurrence.kernels.token_tests import TokenTests, within_regions
from concurrence.kernels.units import UNIT

Bindings = dict[str, Integers]
"""Positions by the labels of their tokens, a row for each way in which a pattern fits."""

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
    """A query on a corpus; ``unit`` is the layer that the attribute ``unit`` of a query stands for."""

    corpus: Corpus
    query: Query
    unit: Layer | None = None

    @cached_property
    def tests(self) -> TokenTests:
        return TokenTests(layer=self.layer)

    def layer(self, name: str) -> Layer:
        """The layer that an attribute of the query is about."""
        return self.unit if self.unit is not None and name == UNIT else self.corpus.layer(name)

    def matches(self, *, at_least: int | None = None) -> QueryMatches:
        """All matches, one per start, the shortest; or the first so many, where fewer are enough."""
        test = self.query.single
        if test is not None:
            starts = self.positions(test)
            return self._inside(starts, starts + 1)
        machine = _machine(self.query.pattern)
        if machine.empty:
            raise InvalidInputError(
                f"Every part of the query {self.query.text!r} may be left out; give a token that must be there."
            )
        parts: list[QueryMatches] = []
        candidates = self._first_places(machine)
        for begin in range(0, len(candidates), AT_ONCE if at_least is not None else max(len(candidates), 1)):
            if at_least is not None and sum(len(part.starts) for part in parts) >= at_least:
                return _joined_matches(parts, complete=False)
            end = begin + AT_ONCE if at_least is not None else len(candidates)
            parts.append(self._inside(*self._run(machine, candidates[begin:end])))
        return _joined_matches(parts, complete=True)

    def drawn(self, places: int, *, seed: int = 0) -> tuple[QueryMatches, float]:
        """The matches that begin at some of the places where one could, drawn at random, and the share of those places.

        The share is 1 where all places were looked at, and always for a query of one token.
        """
        machine = None if self.query.single is not None else _machine(self.query.pattern)
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
        return _joined_matches([self._inside(*self._run(machine, some))], complete=share == 1), share

    def bindings(self, labels: Iterable[str], *, allowed: Mask, masks: Mapping[str, Mask]) -> Bindings:
        """Every different way in which a row of tokens fits: where the tokens with these labels stand, -1 for nowhere.

        Only ``allowed`` tokens pass a test; any token may fill a gap. ``masks`` are what a label stands for in place of
        its test.
        """
        start = np.flatnonzero(self.corpus.is_token)
        walk = _Walk(tests=self.tests, inside=self.corpus.is_token, allowed=allowed, masks=masks)
        states = walk.row({"": start, "^": start} if self.query.within else {"": start}, self.query.pattern.row)
        if self.query.within:
            kept = within_regions(self.corpus.region(self.query.within), states["^"], states[""])
            states = {key: value[kept] for key, value in states.items()}
        return _distinct({label: states[label] for label in labels})

    def _inside(self, starts: Integers, ends: Integers) -> QueryMatches:
        """The matches that do not leave the region they must stay in; a longer one would leave it as well."""
        if self.query.within is None:
            return QueryMatches(starts=starts, ends=ends)
        kept = within_regions(self.corpus.region(self.query.within), starts, ends)
        return QueryMatches(starts=starts[kept], ends=ends[kept])

    def positions(self, test: Test) -> Integers:
        """Every position that passes a test, in order."""
        narrow = self._narrowest(test)
        if narrow is None:
            everywhere = np.flatnonzero(self.corpus.form.codes >= 0)
            return everywhere[self.tests.passes(test, everywhere)]
        layer = self.layer(narrow.attribute)
        positions = layer.positions(np.flatnonzero(self.tests.words(narrow)).tolist())
        return positions if narrow == test else positions[self.tests.passes(test, positions)]

    def _first_places(self, machine: "_Machine") -> Integers:
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
        return int(layer.frequencies[self.tests.words(condition)].sum())

    def _run(self, machine: "_Machine", places: Integers) -> tuple[Integers, Integers]:
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
                    through = waiting[self.tests.passes(test, at)]
                    for target in targets if len(through) else ():
                        reached.setdefault(target, []).append(through)
            step += 1
            for through in reached.pop(machine.end, []):
                ends[through] = places[through] + step
            active = {state: _together(parts, len(places)) for state, parts in reached.items()}
        matched = ends >= 0
        return places[matched], ends[matched]


def _joined_matches(parts: list[QueryMatches], *, complete: bool) -> QueryMatches:
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


@dataclass(frozen=True, kw_only=True, eq=False)
class _Machine:
    """States with the tests that lead on from them; ``end`` is reached by a match.

    ``empty`` tells that a row of no tokens at all would be one.
    """

    start: frozenset[int]
    end: int
    steps: dict[int, list[tuple[Test, frozenset[int]]]]
    empty: bool

    def first_tests(self) -> list[Test]:
        return [test for state in sorted(self.start) for test, _ in self.steps[state]]


class _Builder:
    """Builds a machine from a pattern (Thompson's construction)."""

    def __init__(self) -> None:
        self.free: dict[int, set[int]] = {}
        self.tests: dict[int, list[tuple[Test, int]]] = {}

    def state(self) -> int:
        new = len(self.free)
        self.free[new], self.tests[new] = set(), []
        return new

    def add(self, part: Repeated, begin: int) -> int:
        """Put a part behind a state; the state behind the part."""
        at = begin
        for _ in range(part.least):
            at = self.once(part, at)
        if part.most >= MOST:
            loop = self.state()
            self.free[at].add(loop)
            self.free[self.once(part, loop)].add(loop)
            return loop
        ends = [at]
        for _ in range(part.most - part.least):
            at = self.once(part, at)
            ends.append(at)
        last = self.state()
        for end in ends:
            self.free[end].add(last)
        return last

    def once(self, part: Repeated, begin: int) -> int:
        end = self.state()
        if part.test is not None:
            self.tests[begin].append((part.test, end))
        for row in part.alternatives or ((part.row,) if part.row else ()):
            at = self.state()
            self.free[begin].add(at)
            for inner in row:
                at = self.add(inner, at)
            self.free[at].add(end)
        return end

    def closure(self, state: int) -> frozenset[int]:
        seen, waiting = {state}, [state]
        while waiting:
            for other in self.free[waiting.pop()] - seen:
                seen.add(other)
                waiting.append(other)
        return frozenset(seen)


def _machine(pattern: Repeated) -> _Machine:
    builder = _Builder()
    begin = builder.state()
    end = builder.add(pattern, begin)
    closures = {state: builder.closure(state) for state in builder.free}
    useful = {state for state in builder.free if builder.tests[state]} | {end}
    steps = {state: [(test, closures[target] & useful) for test, target in builder.tests[state]] for state in useful}
    return _Machine(start=closures[begin] & useful - {end}, end=end, steps=steps, empty=end in closures[begin])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Walk:
    """A pattern on its way through a corpus: all places at once, each in every way that fits.

    A state has the positions of the tokens with labels, -1 for one that is not there, and under ``""`` where the next
    token would stand.
    """

    tests: TokenTests
    inside: Mask
    allowed: Mask
    masks: Mapping[str, Mask]

    def row(self, states: Bindings, parts: Iterable[Repeated]) -> Bindings:
        for part in parts:
            states = self.repeated(states, part)
        return states

    def repeated(self, states: Bindings, part: Repeated) -> Bindings:
        """Let a part take its tokens, in every number it may."""
        if part.label:
            states = {**states, part.label: np.full(len(states[""]), -1, dtype=np.int64)}
        return self.grouped(states, part) if part.test is None else self.tokens_of(states, part)

    def tokens_of(self, states: Bindings, part: Repeated) -> Bindings:
        mask, reached = self.mask(part), []
        for taken in range(part.most + 1):
            if taken >= part.least:
                reached.append(states)
            if not len(states[""]):
                break
            if taken < part.most:
                states = _stepped(states, mask, part.label)
        return _joined(reached or [states])

    def grouped(self, states: Bindings, part: Repeated) -> Bindings:
        """What a group in parentheses reaches; where one more time reaches nothing new, it is enough."""
        for _ in range(part.least):
            states = self.once(states, part)
        reached = states
        for _ in range(part.most - part.least):
            states = self.once(states, part)
            before, reached = len(reached[""]), _distinct(_joined([reached, states]))
            if len(reached[""]) == before:
                break
        return reached

    def once(self, states: Bindings, part: Repeated) -> Bindings:
        return _distinct(_joined([self.row(states, row) for row in part.alternatives]))

    def mask(self, part: Repeated) -> Mask:
        """Where a token may stand; what filters removed may stand in a gap alone."""
        if part.label in self.masks:
            return self.masks[part.label]
        if part.test is None or (part.test == ANY and not part.label):
            return self.inside
        mask: Mask = self.allowed & self.tests.passes(part.test, np.arange(len(self.inside)))
        return mask


def _stepped(states: Bindings, mask: Mask, label: str) -> Bindings:
    at = states[""]
    fits = at < len(mask)
    fits[fits] = mask[at[fits]]
    states = {key: value[fits] for key, value in states.items()}
    if label:
        states[label] = states[""]
    states[""] = states[""] + 1
    return states


def _joined(parts: list[Bindings]) -> Bindings:
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def _distinct(bindings: Bindings) -> Bindings:
    table: NDArray[np.int64] = np.stack(list(bindings.values()), axis=1)
    table = np.unique(table, axis=0) if len(table) else table
    return {name: np.ascontiguousarray(table[:, k]) for k, name in enumerate(bindings)}


def windows(corpus: Corpus, matches: QueryMatches, left: int, right: int) -> Integers:
    """Every position within so many tokens of a match, inside its sentence, once; matches themselves are not."""
    sentence = corpus.sentence_of(matches.starts)
    begins, ends = corpus.sentences[sentence], corpus.sentences[sentence + 1] - 1
    parts: list[NDArray[np.int64]] = []
    for distance in range(1, max(left, right) + 1):
        if distance <= left:
            before = matches.starts - distance
            parts.append(before[before >= begins])
        if distance <= right:
            after = matches.ends - 1 + distance
            parts.append(after[after < ends])
    near = np.concatenate([np.empty(0, dtype=np.int64), *parts])
    near.sort()  # a few sorted stretches one after the other, for which this is quicker than a hash of each
    return near[np.diff(near, prepend=-1) > 0]
