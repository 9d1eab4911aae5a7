"""What is shown of a word: its collocates, its lines, where it stands, its sketch. Values in, plain values out."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import Integers
from concurrence.core.sentences import Sentence
from concurrence.core.values import to_json
from concurrence.kernels.dispersion import TITLES, dispersion
from concurrence.kernels.matcher import QueryMatches
from concurrence.lookup.collocates import counts_by_part, one_document
from concurrence.lookup.kwic import ORDERS, line_order
from concurrence.measures.table import titles_of
from concurrence.web.explorer.corpus import Around, ExplorerCorpus, NodeQuery, ScoredCollocates

BINS = 240
MOST_POINTS = 1200
MOST_DOCUMENTS = 60
SKETCH_WORDS = 12
SHOWN_DISPERSION = ("dp", "juilland_d")


def collocates_view(
    explored: ExplorerCorpus,
    around: Around,
    *,
    sort: str,
    descending: bool,
    min_freq: int,
    offset: int,
    limit: int,
    show: str = "",
) -> dict[str, Any]:
    """One page of the collocates of a node, and the points of all that a scatter can hold, best first.

    With ``show``, the page is the one that has this word, if it is a collocate.
    """
    scored = explored.collocates(around)
    order = scored.ordered(sort, descending=descending, min_freq=min_freq)
    if show and len(at := np.flatnonzero(scored.words[order] == show)):
        offset = int(at[0]) // limit * limit
    page = order[offset : offset + limit]
    by_score = scored.ordered(_first(scored), descending=True, min_freq=min_freq)[:MOST_POINTS]
    return {
        "node": {
            "query": around.node.query,
            "frequency": scored.occurrences.total,
            "exact": scored.occurrences.share == 1,
        },
        "used": len(scored.used.starts),
        "types": len(order),
        "offset": offset,
        "f1": scored.counts.f1,
        "N": scored.counts.n,
        "measures": titles_of(scored.scores),
        "extent": {name: _extent(column) for name, column in _columns(scored).items()},
        "collocates": [_collocate(scored, int(k)) for k in page],
        "points": [[str(scored.words[k]), int(scored.counts.f[k]), *_scores(scored, int(k))] for k in by_score],
        "warnings": [
            {"code": one.code, "text": one.text} for one in (*_sampled(scored), *_one_document(explored, scored, page))
        ],
    }


def _first(scored: ScoredCollocates) -> str:
    return next(iter(scored.scores))


def _columns(scored: ScoredCollocates) -> dict[str, Any]:
    return {"f": scored.counts.f, **scored.scores}


def _extent(column: Any) -> list[float]:
    finite = column[np.isfinite(column)]
    return [float(finite.min()), float(finite.max())] if len(finite) else [0.0, 0.0]


def _scores(scored: ScoredCollocates, k: int) -> list[Any]:
    return [to_json(column[k]) for column in scored.scores.values()]


def _collocate(scored: ScoredCollocates, k: int) -> dict[str, Any]:
    counts = scored.counts
    return {
        "word": str(scored.words[k]),
        "f": int(counts.f[k]),
        "f2": int(counts.f2[k]),
        "range": int(counts.range[k]),
        "scores": dict(zip(scored.scores, _scores(scored, k), strict=True)),
    }


def _sampled(scored: ScoredCollocates) -> tuple[Sentence, ...]:
    used, nodes = len(scored.used.starts), scored.occurrences
    if nodes.share < 1:
        text = (
            f"The pattern was tried at {nodes.share:.2g} of the places where it could begin, drawn at random; "
            f"counts and scores come from {used:,} occurrences."
        )
        return (Sentence(code="some_places", text=text, warning=True),)
    if used < nodes.total:
        text = f"Counts and scores come from {used:,} of the {nodes.total:,} occurrences, drawn at random."
        return (Sentence(code="some_occurrences", text=text, warning=True),)
    return ()


def _one_document(explored: ExplorerCorpus, scored: ScoredCollocates, page: Integers) -> tuple[Sentence, ...]:
    largest_parts = {str(scored.words[k]): (int(scored.counts.f[k]), int(scored.counts.largest[k])) for k in page}
    return one_document(largest_parts, len(explored.corpus.documents.names))


def lines_view(
    explored: ExplorerCorpus, around: Around, word: str | None, *, sort: str, page: int, limit: int
) -> dict[str, Any]:
    """One page of a concordance: of a node, or of a node with one of its collocates."""
    if sort not in ORDERS:
        raise InvalidInputError(f"Lines cannot be sorted by {sort!r}.")
    matches, at = explored.places(around, word) if word is not None else (_to_sort(explored, around, sort), None)
    total = (
        len(matches.starts) if word is not None else len(explored.occurrences(around.node, around.whole).matches.starts)
    )
    order = line_order(explored.corpus, matches, sort, 0)
    chosen = order[(page - 1) * limit : page * limit].tolist()
    lines = [_line(explored.corpus, matches, at, k) for k in chosen]
    return {"total": total, "sorted": len(matches.starts), "page": page, "lines": lines}


def _to_sort(explored: ExplorerCorpus, around: Around, sort: str) -> QueryMatches:
    """The lines to put in order; in the order of the corpus all of them are."""
    if sort == "corpus":
        return explored.occurrences(around.node, around.whole).matches
    return explored.some(around.node, around.whole)


def _line(corpus: Corpus, matches: QueryMatches, at: Integers | None, k: int) -> dict[str, Any]:
    start, end = int(matches.starts[k]), int(matches.ends[k])
    place = int(corpus.sentence_of(np.array([start]))[0])
    begin, stop = int(corpus.sentences[place]), int(corpus.sentences[place + 1]) - 1
    other = None if at is None else int(at[k])
    inside = other is not None and start <= other < end
    left = [other] if other is not None and other < start else []
    right = [other] if other is not None and other >= end and not inside else []
    return {
        "document": corpus.documents.names[int(corpus.document_of(np.array([start]))[0])],
        "sentence": place + 1,
        "left": list(_pieces(corpus, begin, start, left)),
        "node": corpus.text(start, end),
        "right": list(_pieces(corpus, end, stop, right)),
    }


def _pieces(corpus: Corpus, begin: int, end: int, marked: list[int]) -> Iterator[tuple[str, bool]]:
    """The text of a stretch in pieces, each with whether it is marked, and with the space on the node's side."""
    at = begin
    for position in marked:
        yield _spaced(corpus, at, position) + corpus.before(position), False
        yield corpus.text(position, position + 1), True
        at = position + 1
    yield _spaced(corpus, at, end), False


def _spaced(corpus: Corpus, start: int, end: int) -> str:
    return corpus.before(start) + corpus.text(start, end) if start < end else ""


def spread_view(explored: ExplorerCorpus, around: Around, word: str | None) -> dict[str, Any]:
    """Where in the corpus a node, or a node with a collocate, occurs: a strip, and the documents."""
    corpus = explored.corpus
    at = (
        explored.places(around, word)[1]
        if word is not None
        else explored.occurrences(around.node, around.whole).matches.starts
    )
    # Positions are in order, so the documents are looked up among them, not the other way round.
    edges = np.append(np.searchsorted(at, corpus.documents.starts), len(at))
    per_document = np.diff(edges)
    with_node = np.flatnonzero(per_document)
    most = with_node[np.argsort(-per_document[with_node], kind="stable")][:MOST_DOCUMENTS]
    sizes = corpus.document_sizes
    return {
        "occurrences": len(at),
        "bins": counts_by_part(at, corpus.size, parts=BINS).tolist(),
        "documents": len(corpus.documents.names),
        "range": len(with_node),
        "measures": _dispersion(with_node, per_document, sizes),
        "top": [
            {
                "document": corpus.documents.names[k],
                "f": int(per_document[k]),
                "per_million": to_json(1e6 * per_document[k] / max(int(sizes[k]), 1)),
                "at": to_json(corpus.documents.starts[k] / max(corpus.size, 1)),
            }
            for k in most.tolist()
        ],
    }


def _dispersion(documents: Integers, per_document: Integers, sizes: Integers) -> list[dict[str, Any]]:
    if not len(documents):
        return []
    zeros = np.zeros(len(documents), dtype=np.int64)
    measures = dispersion(zeros, documents, per_document[documents], sizes, n_words=1)
    return [{"name": name, "title": TITLES[name], "value": to_json(measures[name][0])} for name in SHOWN_DISPERSION]


def sketch_view(explored: ExplorerCorpus, node: NodeQuery, *, min_freq: int) -> dict[str, Any]:
    """The words of a lemma by relation."""
    result = explored.sketch(node, SKETCH_WORDS, min_freq)
    return {
        "node": {"query": node.query, "frequency": result.node.frequency},
        "source": result.source,
        "unit": result.unit,
        "measures": titles_of(result.measures),
        "types": result.types,
        "relations": {
            name: [
                {
                    "word": row.word,
                    "f": row.f,
                    "range": row.range,
                    "scores": {measure: to_json(score) for measure, score in row.scores.items()},
                }
                for row in rows
            ]
            for name, rows in result.relations.items()
        },
        "sentences": [{"code": one.code, "text": one.text} for one in result.sentences],
        "warnings": [{"code": one.code, "text": one.text} for one in result.warnings],
    }
