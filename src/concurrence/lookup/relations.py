"""The grammatical relations of a corpus: by dependencies, or by patterns of parts of speech.

How often each word is on each side of a relation is counted once, over the whole corpus; the pairs that a node takes
part in are looked for in the node's own sentences, since no relation leaves a sentence.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.layers import Integers, Layer, Mask
from concurrence.core.values import value
from concurrence.kernels.matcher import Matcher
from concurrence.kernels.runs import runs
from concurrence.lookup.collocates import by_document
from concurrence.lookup.grammar import RelationPattern

OF = " of"
"""Behind the name of a relation: the lemma is the one that depends on the other word."""

AT_ONCE = 1 << 22
Pairs = tuple[Integers, Integers]
"""Where the heads and the dependents of some pairs stand."""


@value
class RelationCounts:
    """Words in a relation to the node, by their numbers in the layer: their counts, and where they stand.

    ``largest`` is how often a word is there in the one document that has most of it.
    """

    words: Integers
    f: Integers
    f2: Integers
    range: Integers
    largest: Integers
    f1: int
    n: int
    at: Integers
    codes: Integers


@dataclass(frozen=True, kw_only=True, eq=False)
class Relations(ABC):
    """All relations of a corpus, by what counts as one word in ``layer``."""

    corpus: Corpus
    layer: Layer
    _sides: dict[tuple[str, str], tuple[Integers, Integers, int]] = field(default_factory=dict, repr=False)

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the relations, as seen from the head."""

    @abstractmethod
    def every(self, name: str) -> Pairs:
        """All pairs of a relation."""

    @abstractmethod
    def touching(self, nodes: Mask, begins: Integers, ends: Integers) -> Iterator[tuple[str, Pairs]]:
        """The pairs of each relation with a node on either side, in sentences that begin and end there."""

    def of(self, places: Integers) -> dict[str, RelationCounts]:
        """Every relation that the words at these places have or are in."""
        nodes = np.zeros(self.corpus.size, dtype=np.bool_)
        nodes[places] = True
        within = self.corpus.sentence_of(places)
        sentences = within[runs(within)[0]]
        begins, ends = self.corpus.sentences[sentences], self.corpus.sentences[sentences + 1]
        pieces = np.flatnonzero(np.diff(np.cumsum(ends - begins) // AT_ONCE)) + 1
        others: dict[tuple[str, str], list[Integers]] = {}
        for some in zip(np.split(begins, pieces), np.split(ends, pieces), strict=True):
            for name, (heads, dependents) in self.touching(nodes, *some):
                for side, own, other in (("", heads, dependents), (OF, dependents, heads)):
                    if len(beside := other[nodes[own]]):
                        others.setdefault((name, side), []).append(beside)
        return {name + side: self._counts(name, side, np.concatenate(parts)) for (name, side), parts in others.items()}

    def count(self) -> None:
        """Count how often each word is on each side of every relation, so that no later question has to."""
        for name in self.names:
            self._others(name, OF)

    def _counts(self, name: str, side: str, at: Integers) -> RelationCounts:
        at = at[self.layer.at(at) >= 0]
        codes = self.layer.at(at).astype(np.int64)
        words, place = _numbered(codes, len(self.layer.vocabulary))
        documents, largest = by_document(self.corpus, at, place, len(words))
        types, totals, n = self._others(name, side)
        return RelationCounts(
            words=words,
            f=np.bincount(place),
            f2=totals[np.searchsorted(types, words)],
            range=documents,
            largest=largest,
            f1=len(at),
            n=n,
            at=at,
            codes=codes,
        )

    def _others(self, name: str, side: str) -> tuple[Integers, Integers, int]:
        """The words on the other side of a relation, how often they are there, and the number of its pairs."""
        if (name, side) not in self._sides:
            heads, dependents = self.every(name)
            for place, other in (("", dependents), (OF, heads)):
                codes = self.layer.at(other)
                totals = np.bincount(codes[codes >= 0])
                words = np.flatnonzero(totals)
                self._sides[name, place] = words, totals[words], int(totals.sum())
        return self._sides[name, side]


@dataclass(frozen=True, kw_only=True, eq=False)
class Dependencies(Relations):
    """The relations by the labels of the dependencies."""

    heads: NDArray[np.int32]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.corpus.layer("deprel").vocabulary.words)

    def every(self, name: str) -> Pairs:
        labels = self.corpus.layer("deprel")
        dependents = labels.positions([self.names.index(name)])
        above = np.asarray(self.heads[dependents], dtype=np.int64)
        return above[above >= 0], dependents[above >= 0]

    def touching(self, nodes: Mask, begins: Integers, ends: Integers) -> Iterator[tuple[str, Pairs]]:
        below = expand_ranges(begins, ends)
        above = np.asarray(self.heads[below], dtype=np.int64)
        kept = np.flatnonzero((above >= 0) & (nodes[below] | nodes[above]))
        above, below = above[kept], below[kept]
        labels, names = self.corpus.layer("deprel").at(below), self.names
        for code in np.flatnonzero(np.bincount(labels[labels >= 0])).tolist():
            has_label = labels == code
            yield names[code], (above[has_label], below[has_label])


@dataclass(frozen=True, kw_only=True, eq=False)
class PatternRelations(Relations):
    """The relations by patterns; those of one name count together."""

    patterns: tuple[RelationPattern, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pattern.name for pattern in self.patterns))

    @cached_property
    def _pairs(self) -> dict[str, Pairs]:
        """All pairs of each relation, in the order of their heads."""
        return {name: self._matched(name) for name in self.names}

    def _matched(self, name: str) -> Pairs:
        ends = [_ends(self.corpus, pattern) for pattern in self.patterns if pattern.name == name]
        both = np.unique(np.concatenate([heads << 32 | dependents for heads, dependents in ends]))
        return (both >> 32).astype(np.int32), (both & 0xFFFFFFFF).astype(np.int32)

    def every(self, name: str) -> Pairs:
        return self._pairs[name]

    def touching(self, nodes: Mask, begins: Integers, ends: Integers) -> Iterator[tuple[str, Pairs]]:
        for name, (heads, dependents) in self._pairs.items():
            first, last = (np.searchsorted(heads, edge.astype(heads.dtype)) for edge in (begins, ends))
            near = expand_ranges(first, last)
            near = near[nodes[heads[near]] | nodes[dependents[near]]]
            yield name, (heads[near], dependents[near])


def relations_of(corpus: Corpus, layer: Layer, patterns: Sequence[RelationPattern]) -> Relations:
    """The relations by these patterns, or without any by the dependencies."""
    if patterns or corpus.heads is None:
        return PatternRelations(corpus=corpus, layer=layer, patterns=tuple(patterns))
    return Dependencies(corpus=corpus, layer=layer, heads=corpus.heads)


def expand_ranges(begins: Integers, ends: Integers) -> Integers:
    """The numbers of some stretches, one after the other.

    >>> expand_ranges(np.array([0, 7]), np.array([2, 10])).tolist()
    [0, 1, 7, 8, 9]
    """
    lengths = ends - begins
    before = np.cumsum(lengths) - lengths
    return np.repeat(begins - before, lengths) + np.arange(lengths.sum())


def _numbered(codes: Integers, size: int) -> tuple[Integers, Integers]:
    """The different ones of some codes below ``size``, and which of them each one is."""
    if size > len(codes):
        words, place = np.unique(codes, return_inverse=True)
        return words, place
    met = np.zeros(size, dtype=np.bool_)
    met[codes] = True
    return np.flatnonzero(met), (np.cumsum(met) - 1)[codes]


def _ends(corpus: Corpus, pattern: RelationPattern) -> Pairs:
    matches = Matcher(corpus=corpus, query=pattern.query).matches()
    return (matches.starts, matches.ends - 1) if pattern.head_first else (matches.ends - 1, matches.starts)
