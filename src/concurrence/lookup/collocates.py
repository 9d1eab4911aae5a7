"""What stands around a node: the surface table of Evert (2008), as ``pairs --rule window:K`` counts it for one word.

Every position within the span counts once, however many nodes it is near; nodes are no collocates. f1 is the number of
tokens near the node, N that of all tokens but the nodes.
"""

from collections.abc import Collection, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.layers import Integers, Layer
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.core.values import value
from concurrence.kernels.matcher import QueryMatches

FEWEST = 5
"""A collocate that occurs less often says nothing about documents."""

MOST_NAMED = 5


@value
class NodeCount:
    """The node as it was asked for, and how often it occurs."""

    query: str
    frequency: int


@value
class Collocate:
    """A word near the node, with its table, the number of documents where it is, its scores and some examples.

    ``n1`` and ``n2`` are the frequencies of node and collocate in the whole corpus, ``n2`` only with the parts of
    speech that were asked for.
    """

    word: str
    f: int
    f1: int
    f2: int
    N: int
    n1: int
    n2: int
    range: int
    scores: dict[str, float]
    examples: tuple[str, ...] = ()


@value
class Collocates(Result):
    """The collocates of a node, best first; ``types`` counts those that were cut off, too.

    ``spread`` is how often the node occurs in each hundredth of the corpus.
    """

    node: NodeCount
    span: tuple[int, int]
    unit: str
    sort: str
    types: int
    measures: tuple[str, ...]
    collocates: tuple[Collocate, ...]
    spread: tuple[int, ...] = ()
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        if not self.node.frequency:
            return f"{self.node.query} never occurs."
        left, right = self.span
        side = count_noun(left, "token")
        span = f"{side} on either side" if left == right else f"{side} before and {right} after"
        times = "once" if self.node.frequency == 1 else f"{self.node.frequency:,} times"
        return f"{self.node.query} occurs {times}; {count_noun(self.types, 'collocate')} within {span}."


def counts_by_part(at: Integers, size: int, *, parts: int = 100) -> Integers:
    """How many of the positions ``at`` lie in each of so many equal parts of a corpus.

    >>> counts_by_part(np.array([0, 1, 9]), 10, parts=5).tolist()
    [2, 0, 0, 0, 1]
    """
    return np.bincount(at.astype(np.int64) * parts // max(size, 1), minlength=parts)


@value
class CollocateCounts:
    """Words near a node by their numbers in the layer: how often there and elsewhere, and in how many documents.

    ``largest`` is how often a word is near the node in the one document where it is so most often; ``at`` are the
    positions near the node, and ``codes`` the words there.
    """

    words: Integers
    f: Integers
    f2: Integers
    n2: Integers
    range: Integers
    largest: Integers
    f1: int
    n: int
    n1: int
    at: Integers
    codes: Integers


def count_collocates(
    corpus: Corpus,
    matches: QueryMatches,
    layer: Layer,
    *,
    left: int,
    right: int,
    pos: Collection[str] = (),
    nodes: QueryMatches | None = None,
) -> CollocateCounts:
    """Count the words around some matches; with ``pos``, tokens of these parts of speech alone are collocates.

    Tokens without a word in the layer keep their places and are not counted.

    ``nodes`` are all matches where only some of them are looked around; none of them is a collocate.
    """
    covered = covered_by(matches if nodes is None else nodes)
    near = positions_near(corpus, matches, covered, left=left, right=right)
    totals = layer.frequencies
    if pos:
        near, totals = near[has_tag(corpus, pos, near)], _frequencies(corpus, layer, pos)
        covered = covered[has_tag(corpus, pos, covered)]
    near, covered = near[layer.at(near) >= 0], covered[layer.at(covered) >= 0]
    codes = layer.at(near).astype(np.int64)
    f = np.bincount(codes, minlength=len(totals))
    inside = np.bincount(layer.at(covered), minlength=len(totals))
    words = np.flatnonzero(f)
    documents, largest = by_document(corpus, near, codes, len(totals))
    return CollocateCounts(
        words=words,
        f=f[words],
        f2=(totals - inside)[words],
        n2=totals[words],
        range=documents[words],
        largest=largest[words],
        f1=len(near),
        n=int(totals.sum()) - len(covered),
        n1=len(matches.starts),
        at=near,
        codes=codes,
    )


def positions_near(corpus: Corpus, matches: QueryMatches, covered: Integers, *, left: int, right: int) -> Integers:
    """Every position within so many tokens of a match, inside its sentence, once and in order.

    ``covered`` are positions to leave out, in order: those of the nodes.
    """
    sentence = corpus.sentence_of(matches.starts)
    begins, ends = corpus.sentences[sentence], corpus.sentences[sentence + 1] - 1
    parts: list[Integers] = [np.empty(0, dtype=np.int64)]
    for distance in range(1, max(left, right) + 1):
        if distance <= left:
            before = matches.starts - distance
            parts.append(before[before >= begins])
        if distance <= right:
            after = matches.ends - 1 + distance
            parts.append(after[after < ends])
    near: Integers = np.concatenate(parts)
    near.sort()  # a few sorted stretches one after the other, for which this is quicker than a hash of each
    near = near[np.diff(near, prepend=-1) > 0]
    if len(covered):
        place = np.minimum(np.searchsorted(covered, near), len(covered) - 1)
        near = near[covered[place] != near]
    return near


def covered_by(matches: QueryMatches) -> Integers:
    """Every position of every match, once."""
    lengths = matches.ends - matches.starts
    if (lengths == 1).all():
        return matches.starts
    parts = [matches.starts[lengths > k] + k for k in range(int(lengths.max(initial=0)))]
    return np.unique(np.concatenate(parts))


def has_tag(corpus: Corpus, pos: Collection[str], positions: Integers) -> NDArray[np.bool_]:
    """Which positions have one of these parts of speech."""
    tags = corpus.layer("pos")
    wanted = np.isin(np.array(tags.vocabulary.words, dtype=object), list(pos))
    return tags.has(wanted, positions)


def _frequencies(corpus: Corpus, layer: Layer, pos: Collection[str]) -> Integers:
    """How often each word of the layer has one of these parts of speech."""
    tags = corpus.layer("pos")
    wanted = [code for code, name in enumerate(tags.vocabulary.words) if name in set(pos)]
    codes = layer.at(tags.positions(wanted))
    return np.bincount(codes[codes >= 0], minlength=len(layer.vocabulary))


def by_document(corpus: Corpus, near: Integers, codes: Integers, size: int) -> tuple[Integers, Integers]:
    """Of each word, in how many documents it is near the node, and how often in the one with most."""
    width = max(len(corpus.documents.names), 1)
    keys, counts = np.unique(codes * width + corpus.document_of(near), return_counts=True)
    words = keys // width
    largest = np.zeros(size, dtype=np.int64)
    np.maximum.at(largest, words, counts)
    return np.bincount(words, minlength=size), largest


class Placed(Protocol):
    """Words by their numbers, and the positions where they were counted."""

    @property
    def at(self) -> Integers: ...
    @property
    def codes(self) -> Integers: ...


def example_texts(corpus: Corpus, counts: Placed, word: int, *, most: int, seed: int) -> tuple[str, ...]:
    """Up to so many sentences with a collocate near the node, drawn at random, in the order of the corpus."""
    sentences = np.unique(corpus.sentence_of(counts.at[counts.codes == word]))
    drawn = np.random.default_rng([seed, word]).permutation(sentences)[:most]
    return tuple(
        corpus.text(int(corpus.sentences[k]), int(corpus.sentences[k + 1]) - 1) for k in sorted(drawn.tolist())
    )


def one_document(largest_parts: Mapping[str, tuple[int, int]], n_documents: int) -> tuple[Sentence, ...]:
    """A warning where one document has more than half of what makes a word a collocate.

    ``shown`` has the f of each word, and the largest part of it that one document has.
    """
    carried = [word for word, (f, largest) in largest_parts.items() if f >= FEWEST and 2 * largest > f]
    if n_documents < 2 or not carried:
        return ()
    names = join_words(
        [
            *map(repr, carried[:MOST_NAMED]),
            *([f"{len(carried) - MOST_NAMED:,} more"] if len(carried) > MOST_NAMED else []),
        ]
    )
    text = f"More than half of the occurrences come from a single document: {names}."
    return (Sentence(code="one_document", text=text, warning=True),)
