"""Frequency and dispersion of every word of a corpus, in one pass over its postings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import UnknownNameError
from concurrence.core.layers import Integers, Layer
from concurrence.core.results import Result
from concurrence.core.sentences import count_noun
from concurrence.core.values import value
from concurrence.kernels.digits import round_scores
from concurrence.kernels.dispersion import NAMES, SMALLEST_FIRST, average_reduced_frequency, dispersion

AT_ONCE = 1 << 24
"""How many occurrences are looked at in one go."""

COLUMNS = ("f", *NAMES, "arf")


@value
class WordList(Result):
    """The words of a corpus with their frequency and dispersion over documents; ``words`` is a table.

    ``types`` counts the words that were cut off, too.
    """

    unit: str
    tokens: int
    documents: int
    types: int
    sort: str
    words: Any

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "WordList":
        """The same again, with its table."""
        import polars as pl

        schema = {"word": pl.String, "f": pl.Int64, **dict.fromkeys((*NAMES, "arf"), pl.Float64)}
        kept = ("unit", "tokens", "documents", "types", "sort")
        return cls(**{name: data[name] for name in kept}, words=pl.DataFrame(data["words"], schema=schema))

    def __str__(self) -> str:
        words = f"{count_noun(self.tokens, 'token')} of {count_noun(self.types, 'word')}"
        return f"{words} in {count_noun(self.documents, 'document')}."


def word_columns(corpus: Corpus, layer: Layer) -> dict[str, Any]:
    """Of every word that occurs: its number, its frequency and all measures of dispersion."""
    places, begins = _grouped(layer)
    sizes = corpus.document_sizes
    parts: list[dict[str, Any]] = []
    for first, last in _stretches(begins):
        at = places[begins[first] : begins[last]].astype(np.int64)
        words = np.repeat(np.arange(last - first), np.diff(begins[first : last + 1]))
        documents = corpus.document_of(at)
        new = np.flatnonzero(np.diff(words, prepend=-1) | np.diff(documents, prepend=-1))
        f = np.diff(new, append=len(at))
        columns: dict[str, Any] = {"f": np.diff(begins[first : last + 1])}
        columns |= dispersion(words[new], documents[new], f, sizes, n_words=last - first)
        tokens = at - corpus.sentence_of(at)
        columns["arf"] = average_reduced_frequency(words, tokens, corpus.n_tokens, n_words=last - first)
        parts.append(columns)
    joined = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS} if parts else {}
    kept = np.flatnonzero(joined["f"]) if parts else np.empty(0, dtype=np.int64)
    return {"codes": kept, **{name: joined[name][kept] for name in joined}}


def _grouped(layer: Layer) -> tuple[Any, Integers]:
    """The positions of each word in turn, and where those of each begin."""
    if layer.postings is not None and layer.begins is not None and layer.merged is None:
        return layer.postings, layer.begins
    codes = layer.at(np.arange(len(layer.codes)))
    order = np.argsort(codes, kind="stable")
    return order[int(np.count_nonzero(codes < 0)) :], np.concatenate([[0], np.cumsum(layer.frequencies)])


def _stretches(begins: Integers) -> list[tuple[int, int]]:
    """Ranges of words with so many occurrences together; a frequent word stands alone."""
    stretches, first = [], 0
    while first < len(begins) - 1:
        last = int(np.searchsorted(begins, begins[first] + AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), len(begins) - 1)
        stretches.append((first, last))
        first = last
    return stretches


def ordered(columns: dict[str, Any], words: list[str], sort: str, top: int | None, min_freq: int) -> Integers:
    """Which words to keep, the most frequent or most evenly spread first; equal ones by frequency, then as written."""
    if sort not in (*COLUMNS, "word"):
        raise UnknownNameError("order of words", sort, (*COLUMNS, "word"))
    f = np.asarray(columns["f"])
    names = np.array(words, dtype=object)
    ranks = np.empty(len(words), dtype=np.int64)
    ranks[np.argsort(names)] = np.arange(len(words))
    key = ranks if sort == "word" else _best_first(np.asarray(columns[sort], dtype=np.float64), sort)
    order = np.lexsort((ranks, -f, key))
    return order[f[order] >= min_freq][:top]


def _best_first(column: NDArray[np.float64], sort: str) -> NDArray[np.float64]:
    """What sorts a column from the best value to the worst; undefined ones come last."""
    rounded = round_scores(column)
    return np.nan_to_num(rounded if sort in SMALLEST_FIRST else -rounded, nan=np.inf)
