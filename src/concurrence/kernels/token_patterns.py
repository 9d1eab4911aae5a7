"""Patterns of several tokens: the automaton that finds the shortest match, and the walk that finds every one."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.layers import Integers, Mask
from concurrence.core.query import ANY, MOST, Repeated, Test

Bindings = dict[str, Integers]
"""Positions by the labels of their tokens, a row for each way in which a pattern fits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Automaton:
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


def build_automaton(pattern: Repeated) -> Automaton:
    """The automaton of a pattern: states that consume no token are skipped."""
    builder = _Builder()
    begin = builder.state()
    end = builder.add(pattern, begin)
    closures = {state: builder.closure(state) for state in builder.free}
    useful = {state for state in builder.free if builder.tests[state]} | {end}
    steps = {state: [(test, closures[target] & useful) for test, target in builder.tests[state]] for state in useful}
    return Automaton(start=closures[begin] & useful - {end}, end=end, steps=steps, empty=end in closures[begin])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PatternWalk:
    """A pattern on its way through a corpus: all places at once, each in every way that fits.

    A state has the positions of the tokens with labels, -1 for one that is not there, and under ``""`` where the next
    token would stand.
    """

    passes: Callable[[Test, Integers], Mask]
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
            before, reached = len(reached[""]), distinct_bindings(_joined([reached, states]))
            if len(reached[""]) == before:
                break
        return reached

    def once(self, states: Bindings, part: Repeated) -> Bindings:
        return distinct_bindings(_joined([self.row(states, row) for row in part.alternatives]))

    def mask(self, part: Repeated) -> Mask:
        """Where a token may stand; what filters removed may stand in a gap alone."""
        if part.label in self.masks:
            return self.masks[part.label]
        if part.test is None or (part.test == ANY and not part.label):
            return self.inside
        mask: Mask = self.allowed & self.passes(part.test, np.arange(len(self.inside)))
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


def distinct_bindings(bindings: Bindings) -> Bindings:
    table: NDArray[np.int64] = np.stack(list(bindings.values()), axis=1)
    table = np.unique(table, axis=0) if len(table) else table
    return {name: np.ascontiguousarray(table[:, k]) for k, name in enumerate(bindings)}
