"""A sketch of a word, for people: its collocates by grammatical relation."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.api.words import corpus_of, order_words, verifies_index
from concurrence.core.corpus import Corpus, unit_layer
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.layers import Layer
from concurrence.core.sentences import Sentence
from concurrence.kernels.matcher import node_matcher
from concurrence.lookup.collocates import NodeCount, example_texts, has_tag, one_document
from concurrence.lookup.grammar import RelationPattern, grammar_of, parse_grammar
from concurrence.lookup.relations import OF, RelationCounts, Relations, relations_of
from concurrence.lookup.sketch import Sketch, SketchWord

if TYPE_CHECKING:
    from concurrence.measures.measure import Function

DEFAULT_MEASURES = ("logDice", "log_likelihood", "MI")


@verifies_index
def sketch(
    corpus: Any,
    lemma: str,
    *,
    pos: Collection[str] = (),
    lower: bool = False,
    relations: Collection[str] = (),
    patterns: Iterable[str] | None = None,
    language: str = "en",
    measures: str | Iterable[str] = DEFAULT_MEASURES,
    define: Iterable[str] = (),
    sort: str | None = None,
    top: int | None = None,
    min_freq: int = 1,
    examples: int = 0,
    seed: int = 0,
) -> Sketch:
    """What goes with a lemma, by grammatical relation, with association scores, best first.

    Relations are the labels of the dependencies, if the corpus has any: ``obj`` is what depends on the lemma as its
    object, ``obj of`` what the lemma depends on as one. Otherwise they come from patterns of parts of speech: those of
    the ``language`` (``en`` or ``de``), or lines ``NAME = PATTERN`` in ``patterns``. ``pos`` keeps occurrences of the
    lemma with these parts of speech; ``sort`` is a measure, ``f`` or ``word``; ``top`` counts per relation, and
    ``min_freq`` is the least frequency. ``relations`` keeps these alone; ``measures`` and formulas in ``define`` are
    the scores; ``examples`` counts sentences per word; ``lower`` ignores case.
    """
    refuse_in_fork()
    from concurrence.measures.table import functions_of

    source = (
        corpus if isinstance(corpus, SketchSource) else sketch_source(corpus, patterns, language=language, lower=lower)
    )
    opened, unit = source.relations.corpus, source.unit
    nodes = node_matcher(opened, lemma, source.relations.layer, lower=source.lower).matches()
    if (nodes.ends - nodes.starts > 1).any():
        raise InvalidInputError(f"A sketch is that of a single word, and {lemma!r} matches several in a row.")
    places = nodes.starts[has_tag(opened, pos, nodes.starts)] if pos else nodes.starts
    counted = dict(sorted(source.relations.of(places).items(), key=lambda entry: (-entry[1].f1, entry[0])))
    counted = _chosen(counted, relations, [name + side for name in source.relations.names for side in ("", OF)])
    functions = functions_of(measures, define)
    order = _Order(sort=sort or next(iter(functions)), top=top, min_freq=min_freq, examples=examples, seed=seed)
    rows = {name: order.rows(opened, source.relations.layer, counts, functions) for name, counts in counted.items()}
    kept = [(name, rows.get(name, [])) for name in relations or rows if relations or rows[name]]
    carried = {f"{row.word} ({name})": (row.f, int(counted[name].largest[k])) for name in rows for k, row in rows[name]}
    return Sketch(
        node=NodeCount(query=lemma, frequency=len(places)),
        source=source.source,
        unit=unit,
        sort=order.sort,
        measures=tuple(functions),
        types={name: int((counted[name].f >= min_freq).sum()) if name in counted else 0 for name, _ in kept},
        relations={name: tuple(row for _, row in words) for name, words in kept},
        sentences=_sentences(unit, functions) if len(places) else (),
        warnings=one_document(carried, len(opened.documents.names)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SketchSource:
    """What sketches of a corpus are made of; several of them share what was counted for the first."""

    relations: Relations
    source: str
    unit: str
    lower: bool


def sketch_source(
    corpus: Any, patterns: Iterable[str] | None = None, *, language: str = "en", lower: bool = False
) -> SketchSource:
    """The relations of a corpus by its dependencies, or by patterns of parts of speech."""
    opened = corpus_of(corpus)
    unit = "lemma" if opened.has_values("lemma") else "form"
    source, rules = _source(opened, patterns, language)
    relations = relations_of(opened, unit_layer(opened, unit, lower=lower), rules)
    return SketchSource(relations=relations, source=source, unit=unit, lower=lower)


def _source(corpus: Corpus, patterns: Iterable[str] | None, language: str) -> tuple[str, tuple[RelationPattern, ...]]:
    """Where relations come from, and the patterns, if it is these."""
    if patterns is None and corpus.heads is not None and corpus.has_values("deprel"):
        return "dependencies", ()
    if not corpus.has_values("pos"):
        raise InvalidInputError(
            "A sketch needs dependencies or parts of speech, and this corpus has neither; "
            "concur tag makes a corpus with parts of speech of plain text."
        )
    lines = None if patterns is None else list(patterns)
    return "patterns", grammar_of(language) if lines is None else parse_grammar(lines, "patterns")


def _chosen(
    counted: dict[str, RelationCounts], relations: Collection[str], names: Collection[str]
) -> dict[str, RelationCounts]:
    if not relations:
        return counted
    if unknown := [name for name in relations if name not in names]:
        raise UnknownNameError("relation", unknown[0], names)
    return {name: counted[name] for name in relations if name in counted}


def _sentences(unit: str, measures: Collection[str]) -> tuple[Sentence, ...]:
    sentences = []
    if unit != "lemma":
        text = "The corpus has no lemmas, so words are counted as they stand."
        sentences.append(Sentence(code="forms_for_lemmas", text=text))
    if "logDice" in measures:
        text = "logDice is computed from how often the two words have the relation, not from their own frequencies."
        sentences.append(Sentence(code="marginals_for_words", text=text))
    return tuple(sentences)


class _Order:
    """How the words of a relation are chosen and put in order."""

    def __init__(self, *, sort: str, top: int | None, min_freq: int, examples: int, seed: int) -> None:
        self.sort, self.top, self.min_freq, self.examples, self.seed = sort, top, min_freq, examples, seed

    def rows(
        self, corpus: Corpus, layer: Layer, counts: RelationCounts, functions: "Mapping[str, Function]"
    ) -> list[tuple[int, SketchWord]]:
        """The words with their scores, best first, and their places among the counts."""
        from concurrence.core.contingency import Contingency

        frequent = np.flatnonzero(counts.f >= self.min_freq)
        table = Contingency.from_signature(f=counts.f[frequent], f1=counts.f1, f2=counts.f2[frequent], n=counts.n)
        scores = {name: np.asarray(function(table), dtype=np.float64) for name, function in functions.items()}
        words = np.array(layer.vocabulary.words_of(counts.words[frequent]), dtype=object)
        order = order_words(words, counts.f[frequent], scores, self.sort, what="order of words")[: self.top].tolist()
        return [
            (
                int(frequent[k]),
                self._word(corpus, counts, words[k], int(frequent[k]), {n: float(s[k]) for n, s in scores.items()}),
            )
            for k in order
        ]

    def _word(self, corpus: Corpus, counts: RelationCounts, word: str, k: int, scores: dict[str, float]) -> SketchWord:
        code = int(counts.words[k])
        return SketchWord(
            word=word,
            f=int(counts.f[k]),
            f1=counts.f1,
            f2=int(counts.f2[k]),
            N=counts.n,
            range=int(counts.range[k]),
            scores=scores,
            examples=example_texts(corpus, counts, code, most=self.examples, seed=self.seed) if self.examples else (),
        )
