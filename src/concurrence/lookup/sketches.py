"""Collocates of a lemma by grammatical relation: from dependencies, or from patterns of parts of speech.

The table of a relation is that of its pair tokens, as ``pairs --rule dep:obj --unit lemma`` counts it: f1 is how often
the lemma has the relation, f2 how often the other word is on its other side, N the number of pair tokens.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from concurrence.core.encoded import EncodedCorpus, Integers, Layer, Mask
from concurrence.core.frames import as_frame
from concurrence.core.notebook import html_sentences, html_table
from concurrence.core.sentences import Sentence
from concurrence.core.shown import number_of
from concurrence.core.values import value
from concurrence.lookup.collocates import NodeCount, by_document
from concurrence.lookup.grammar import RelationPattern
from concurrence.lookup.matching import Matcher

OF = " of"
"""Behind the name of a relation: the lemma is the one that depends on the other word."""


@value
class SketchWord:
    """A word in a relation to the lemma, with its table, the number of documents, its scores and some examples."""

    word: str
    f: int
    f1: int
    f2: int
    N: int
    range: int
    scores: dict[str, float]
    examples: tuple[str, ...] = ()


@value
class Sketch:
    """The words of a lemma by relation, best first; relations by how often the lemma has them.

    ``source`` is ``dependencies`` or ``patterns``; ``types`` counts the words that were cut off, too.
    """

    node: NodeCount
    source: str
    unit: str
    sort: str
    measures: tuple[str, ...]
    types: dict[str, int]
    relations: dict[str, tuple[SketchWord, ...]]
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    to_frame = as_frame

    def __str__(self) -> str:
        if not self.node.frequency:
            return f"{self.node.query} never occurs."
        times = "once" if self.node.frequency == 1 else f"{self.node.frequency:,} times"
        found = sum(map(bool, self.relations.values()))
        return f"{self.node.query} occurs {times}; {number_of(found, 'relation')} from {self.source}."

    def _repr_html_(self) -> str:
        rows = [
            (name, ", ".join(row.word for row in words[:10]), sum(row.f for row in words))
            for name, words in self.relations.items()
        ]
        return html_sentences([*map(str, self.warnings), str(self)]) + html_table(("relation", "words", "f"), rows)


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


def dependency_relations(corpus: EncodedCorpus, layer: Layer, nodes: Mask) -> Iterator[tuple[str, RelationCounts]]:
    """Every relation that a node has or is in, by the labels of the dependencies."""
    labels, heads = corpus.layer("deprel"), corpus.heads
    for code, name in enumerate(labels.vocabulary.words if heads is not None else ()):
        dependents = labels.positions([code])
        above = np.asarray(heads[dependents], dtype=np.int64)  # type: ignore[index]
        dependents, above = dependents[above >= 0], above[above >= 0]
        yield from _both_ways(corpus, layer, nodes, name, above, dependents)


def pattern_relations(
    corpus: EncodedCorpus, layer: Layer, nodes: Mask, patterns: Sequence[RelationPattern]
) -> Iterator[tuple[str, RelationCounts]]:
    """Every relation that a node has or is in, by patterns; those of one name count together."""
    for name in dict.fromkeys(pattern.name for pattern in patterns):
        found = [_ends(corpus, pattern) for pattern in patterns if pattern.name == name]
        pairs = np.unique(np.concatenate(found), axis=0)
        yield from _both_ways(corpus, layer, nodes, name, pairs[:, 0].copy(), pairs[:, 1].copy())


def _ends(corpus: EncodedCorpus, pattern: RelationPattern) -> NDArray[np.int64]:
    matches = Matcher(corpus=corpus, query=pattern.query).matches()
    ends = (matches.starts, matches.ends - 1)
    return np.stack(ends if pattern.head_first else ends[::-1], axis=1)


def _both_ways(
    corpus: EncodedCorpus, layer: Layer, nodes: Mask, name: str, heads: Integers, dependents: Integers
) -> Iterator[tuple[str, RelationCounts]]:
    for title, own, other in ((name, heads, dependents), (name + OF, dependents, heads)):
        here = nodes[own]
        if here.any():
            yield title, _counts(corpus, layer, other, here)


def _counts(corpus: EncodedCorpus, layer: Layer, other: Integers, here: Mask) -> RelationCounts:
    at = other[here]
    codes, size = layer.at(at).astype(np.int64), len(layer.vocabulary)
    f, totals = np.bincount(codes, minlength=size), np.bincount(layer.at(other), minlength=size)
    words = np.flatnonzero(f)
    documents, largest = by_document(corpus, at, codes, size)
    return RelationCounts(
        words=words,
        f=f[words],
        f2=totals[words],
        range=documents[words],
        largest=largest[words],
        f1=len(at),
        n=len(other),
        at=at,
        codes=codes,
    )
