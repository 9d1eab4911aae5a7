"""A corpus in the explorer: matches, collocates and their places, cached.

Where a node is very frequent, collocates and sorted lines come from occurrences drawn at random, so that every answer
is there at once; each answer says how many occurrences it was made from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.api.sketch import SketchSource, sketch, sketch_source
from concurrence.api.words import DEFAULT_MEASURES, collocate_scores
from concurrence.core.corpus import Corpus, unit_layer
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Integers, Layer
from concurrence.core.sentences import count_noun
from concurrence.kernels.digits import round_scores
from concurrence.kernels.matcher import QueryMatches, node_matcher
from concurrence.lookup.collocates import CollocateCounts, count_collocates
from concurrence.lookup.sketch import Sketch

MOST_NODES = 15_000
"""So many occurrences are looked around at once; of more, so many are drawn."""

MOST_PLACES = 30_000
"""At so many places a pattern is tried; of more, so many are drawn."""

REMEMBERED = {"unit_layer": 6, "occurrences": 8, "collocates": 16, "places": 32, "sketch": 32, "sketch_source": 2}
"""How many answers to each question are kept; the one that was not asked for longest goes first."""
MOST_FREQUENT = 200
LONG_WORD = 4
SEED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeQuery:
    """What is asked for: a word or a pattern, and what counts as one word."""

    query: str
    unit: str = "form"
    lower: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A node with what counts as near it; ``whole`` looks around every occurrence, however long that takes."""

    node: NodeQuery
    left: int = 5
    right: int = 5
    pos: str = ""
    whole: bool = False

    def __post_init__(self) -> None:
        if self.left + self.right == 0:
            raise InvalidInputError("The span must hold at least one token on one side.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """Occurrences of a node; ``share`` is below 1 where a pattern was tried at some places alone, drawn at random."""

    matches: QueryMatches
    share: float = 1.0

    @property
    def total(self) -> int:
        """How many occurrences there are, or about how many."""
        return round(len(self.matches.starts) / self.share)


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredCollocates:
    """All collocates of a node as columns; ``used`` is how many of the occurrences were looked around."""

    counts: CollocateCounts
    used: QueryMatches
    occurrences: Occurrences
    words: NDArray[np.object_]
    scores: Mapping[str, NDArray[np.float64]]

    @cached_property
    def spelling(self) -> Integers:
        """The place of each word in the order of code points."""
        places = np.empty(len(self.words), dtype=np.int64)
        places[np.argsort(self.words)] = np.arange(len(self.words))
        return places

    def ordered(self, sort: str, *, descending: bool, min_freq: int) -> Integers:
        """Which collocates are frequent enough, in the order of a column; equal ones by frequency, then as written."""
        f = self.counts.f
        kept = np.flatnonzero(f >= min_freq)
        if sort == "word":
            order = kept[np.argsort(self.spelling[kept])]
            return order[::-1] if descending else order
        columns: Mapping[str, NDArray[Any]] = {
            "f": f,
            "f2": self.counts.f2,
            "range": self.counts.range,
            **self.scores,
        }
        if sort not in columns:
            raise InvalidInputError(f"Collocates cannot be sorted by {sort!r}.")
        key = round_scores(columns[sort][kept])
        key = np.nan_to_num(-key if descending else key, nan=np.inf)
        return kept[np.lexsort((self.spelling[kept], -f[kept], key))]


@dataclass(frozen=True, kw_only=True, eq=False)
class ExplorerCorpus:
    """A corpus with its name and a cache of recent answers."""

    name: str
    path: str
    corpus: Corpus

    def __post_init__(self) -> None:
        """Cache the last answers of each kind."""
        for name, most in REMEMBERED.items():
            object.__setattr__(self, name, lru_cache(most)(getattr(self, name)))

    @property
    def size(self) -> str:
        """How much there is of the corpus, in words."""
        parts = [count_noun(self.corpus.n_tokens, "token"), count_noun(self.corpus.n_sentences, "sentence")]
        return f"{', '.join(parts)}, {count_noun(len(self.corpus.documents.names), 'document')}."

    @property
    def units(self) -> tuple[str, ...]:
        """What can count as one word here."""
        return ("form", "lemma") if "lemma" in self.corpus.layers else ("form",)

    @property
    def tags(self) -> tuple[str, ...]:
        """The parts of speech, if the corpus has any."""
        layer = self.corpus.layers.get("pos")
        return () if layer is None else tuple(sorted(layer.vocabulary.words))

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """Queries to begin with, of words that are frequent here."""
        words = _frequent(self.corpus.lower)
        lemmas = _frequent(self.corpus.layers["lemma"]) if "lemma" in self.corpus.layers else []
        return (
            *words[:1],
            *(f"{word[:-1]}*" for word in words[1:2]),
            *(f'[lemma="{lemma}"]' for lemma in lemmas[:1]),
            *([f'[lower="{words[0]}|{words[1]}"]'] if len(words) > 1 else ()),
        )

    @property
    def has_sketches(self) -> bool:
        has_trees = self.corpus.heads is not None and self.corpus.has_values("deprel")
        return self.corpus.has_values("pos") or has_trees

    def sketch_source(self, lower: bool) -> SketchSource:
        """What sketches are made of; all relations are counted before the first one."""
        source = sketch_source(self.corpus, lower=lower)
        source.relations.count()
        return source

    def sketch(self, node: NodeQuery, top: int, min_freq: int) -> Sketch:
        """The words of a lemma by relation."""
        return sketch(self.sketch_source(node.lower), node.query, top=top, min_freq=min_freq)

    def unit_layer(self, unit: str, lower: bool) -> Layer:
        """The layer that nodes are looked up in."""
        return unit_layer(self.corpus, unit, lower=lower)

    def occurrences(self, node: NodeQuery, whole: bool) -> Occurrences:
        """The occurrences of a node: all of a word, and of a pattern as many as a moment allows."""
        layer = self.unit_layer(node.unit, node.lower)
        matcher = node_matcher(self.corpus, node.query, layer, lower=node.lower)
        if whole:
            return Occurrences(matches=matcher.matches())
        matches, share = matcher.sample_matches(MOST_PLACES, seed=SEED)
        return Occurrences(matches=matches, share=share)

    def some(self, node: NodeQuery, whole: bool) -> QueryMatches:
        """The occurrences of a node, or as many of them as can be looked at in a moment, drawn at random."""
        every = self.occurrences(node, whole).matches
        if whole or len(every.starts) <= MOST_NODES:
            return every
        drawn = np.random.default_rng(SEED).choice(len(every.starts), MOST_NODES, replace=False, shuffle=False)
        drawn.sort()
        return QueryMatches(starts=every.starts[drawn], ends=every.ends[drawn])

    def collocates(self, around: Around) -> ScoredCollocates:
        """All that stands near a node, with its scores."""
        layer = self.unit_layer(around.node.unit, around.node.lower)
        nodes, used = self.occurrences(around.node, around.whole), self.some(around.node, around.whole)
        tags = [tag for tag in around.pos.split(",") if tag]
        counts = count_collocates(
            self.corpus, used, layer, left=around.left, right=around.right, pos=tags, nodes=nodes.matches
        )
        _, scores = collocate_scores(counts, DEFAULT_MEASURES)
        words = np.array(layer.vocabulary.words_of(counts.words), dtype=object)
        return ScoredCollocates(counts=counts, used=used, occurrences=nodes, words=words, scores=scores)

    def places(self, around: Around, word: str) -> tuple[QueryMatches, Integers]:
        """Where a collocate stands near the node: the nearest occurrence of the node, and the collocate's position."""
        scored = self.collocates(around)
        code = self.unit_layer(around.node.unit, around.node.lower).vocabulary.code(word)
        at = scored.counts.at[scored.counts.codes == code] if code is not None else np.empty(0, dtype=np.int64)
        return nearest(self.corpus, scored.used, at, left=around.left, right=around.right)


def _frequent(layer: Layer) -> list[str]:
    """Some of the most frequent words made of letters alone, longer ones first of all since they say more."""
    most = np.argsort(-layer.frequencies, kind="stable")[:MOST_FREQUENT]
    words = [word for word in layer.vocabulary.words_of(most) if word.isalpha()]
    return sorted(words, key=lambda word: len(word) < LONG_WORD)


def nearest(
    corpus: Corpus, nodes: QueryMatches, at: Integers, *, left: int, right: int
) -> tuple[QueryMatches, Integers]:
    """The nearest node of each position in the same sentence and within the span; of two, the earlier."""
    if not len(nodes.starts) or not len(at):
        none = np.empty(0, dtype=np.int64)
        return QueryMatches(starts=none, ends=none), none
    after = np.searchsorted(nodes.starts, at)
    options = np.stack([np.maximum(after - 1, 0), np.minimum(after, len(nodes.starts) - 1)])
    behind = at - (nodes.ends[options[0]] - 1)
    before = nodes.starts[options[1]] - at
    distance = np.stack([behind, before])
    far = left + right + 1
    sentence = corpus.sentence_of(at)
    elsewhere = corpus.sentence_of(nodes.starts[options.ravel()]).reshape(options.shape) != sentence
    allowed = np.array([[right], [left]])
    distance[(distance < 1) | (distance > allowed) | elsewhere] = far
    chosen = np.argmin(distance, axis=0)
    columns = np.arange(len(at))
    kept = distance[chosen, columns] < far
    node = options[chosen, columns][kept]
    return QueryMatches(starts=nodes.starts[node], ends=nodes.ends[node]), at[kept]
