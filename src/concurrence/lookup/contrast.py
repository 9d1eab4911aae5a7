"""What sets two corpora apart: frequencies on either side, by document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.layers import Integers, Layer
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value
from concurrence.kernels.matcher import QueryMatches
from concurrence.lookup.collocates import covered_by, positions_near

AT_ONCE = 1 << 22
COUNTS = ("f_a", "f_b", "range_a", "range_b")
SCORES = ("log_likelihood", "log_ratio", "log_ratio_conservative", "percent_diff", "p_documents")
OF_DOCUMENTS = ("direction", "note")
"""The side on which the mean document has more of a word, and why there is no p-value where the row says otherwise."""
EXACT = ("p_fisher", "collostruction")
"""What a table of counts has instead of documents."""


@value
class ContrastSide:
    """One of the two: its name, how much there is of it, and in how many documents."""

    name: str
    size: int
    documents: int


@value
class Contrast(Result):
    """Words, pairs or collocates on two sides, those that prefer the first one first; ``words`` is a table.

    ``what`` are words, pairs or collocates, ``which`` tells by which rule or of which word, and ``counted`` what
    ``size`` counts; ``types`` counts the rows that were cut off, too.
    """

    a: ContrastSide
    b: ContrastSide
    what: str
    which: str
    counted: str
    sort: str
    types: int
    draws: int
    words: Any
    warnings: tuple[Sentence, ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Contrast":
        """The same again, with its table; infinite scores are words in JSON."""
        import polars as pl

        table = pl.DataFrame(data["words"], infer_schema_length=None, strict=False)
        real = [name for name in (*SCORES, *EXACT) if name in table.columns]
        texts = [name for name in OF_DOCUMENTS if name in table.columns]
        plain = ("what", "which", "counted", "sort", "types", "draws")
        return cls(
            a=ContrastSide(**data["a"]),
            b=ContrastSide(**data["b"]),
            words=table.with_columns(pl.col(real).cast(pl.Float64), pl.col(texts).cast(pl.String)),
            warnings=tuple(Sentence(**one) for one in data.get("warnings", ())),
            **{name: data[name] for name in plain},
        )

    def __str__(self) -> str:
        a, b = (
            f"{side.name} ({letter}: {side.size:,} {self.counted}{_documents(side)})"
            for letter, side in (("A", self.a), ("B", self.b))
        )
        what = self.what[:-1] if self.types == 1 else self.what
        return f"{self.types:,} {what}{self.which} in {a} and {b}."


def _documents(side: ContrastSide) -> str:
    return f", {count_noun(side.documents, 'document')}" if side.documents else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entries:
    """Words of one side: which occurs how often in which document, and how much a document has."""

    names: Sequence[tuple[str, ...]]
    words: Integers
    documents: Integers
    f: Integers
    sizes: Integers

    def of_documents(self, chosen: NDArray[np.bool_]) -> "Entries":
        """The same in some of the documents."""
        in_chosen = chosen[self.documents]
        number = np.cumsum(chosen) - 1
        return Entries(
            names=self.names,
            words=self.words[in_chosen],
            documents=number[self.documents[in_chosen]],
            f=self.f[in_chosen],
            sizes=self.sizes[chosen],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BothSides:
    """Two sides with the same numbers of words; the documents of the first come first."""

    names: list[tuple[str, ...]]
    words: Integers
    documents: Integers
    f: Integers
    sizes: Integers
    is_a: NDArray[np.bool_]

    def totals(self, side: bool) -> tuple[Integers, Integers]:
        """How often each word occurs on a side, and in how many documents."""
        on_side = self.is_a[self.documents] == side
        f = np.bincount(self.words[on_side], weights=self.f[on_side], minlength=len(self.names)).astype(np.int64)
        cells = np.unique(self.words[on_side] * len(self.is_a) + self.documents[on_side])
        return f, np.bincount(cells // len(self.is_a), minlength=len(self.names))


def join_sides(a: Entries, b: Entries) -> BothSides:
    """Both sides with one vocabulary, of the words that occur."""
    numbers: dict[tuple[str, ...], int] = {}
    words = []
    for side in (a, b):
        used = np.unique(side.words)
        new = np.full(len(side.names), -1, dtype=np.int64)
        new[used] = [numbers.setdefault(side.names[k], len(numbers)) for k in used.tolist()]
        words.append(new[side.words])
    return BothSides(
        names=list(numbers),
        words=np.concatenate(words),
        documents=np.concatenate([a.documents, b.documents + len(a.sizes)]),
        f=np.concatenate([a.f, b.f]),
        sizes=np.concatenate([a.sizes, b.sizes]),
        is_a=np.arange(len(a.sizes) + len(b.sizes)) < len(a.sizes),
    )


def word_entries(corpus: Corpus, layer: Layer) -> Entries:
    """Every word of every document."""
    everything = (np.arange(start, min(start + AT_ONCE, corpus.size)) for start in range(0, corpus.size, AT_ONCE))
    parts = [_tallied(corpus, layer, at) for at in everything]
    return _entries(layer, parts, corpus.document_sizes)


def collocate_entries(corpus: Corpus, layer: Layer, matches: QueryMatches, left: int, right: int) -> Entries:
    """Every collocate of a node in every document; a document has as much as stands near the node."""
    near = positions_near(corpus, matches, covered_by(matches), left=left, right=right)
    sizes = np.bincount(corpus.document_of(near), minlength=len(corpus.documents.names))
    return _entries(layer, [_tallied(corpus, layer, near)], sizes)


def _tallied(corpus: Corpus, layer: Layer, at: Integers) -> tuple[Integers, Integers, Integers]:
    codes = layer.at(at).astype(np.int64)
    at, codes = at[codes >= 0], codes[codes >= 0]
    width = max(len(corpus.documents.names), 1)
    cells, f = np.unique(codes * width + corpus.document_of(at), return_counts=True)
    return cells // width, cells % width, f


def _entries(layer: Layer, parts: Sequence[tuple[Integers, Integers, Integers]], sizes: Integers) -> Entries:
    words, documents, f = (
        np.concatenate([np.empty(0, dtype=np.int64), *(part[k] for part in parts)]) for k in range(3)
    )
    return Entries(
        names=[(word,) for word in layer.vocabulary.words], words=words, documents=documents, f=f, sizes=sizes
    )


def documents_by(
    metadata: Mapping[str, Sequence[str]], by: str, a: Sequence[str], b: Sequence[str]
) -> tuple[tuple[str, NDArray[np.bool_]], tuple[str, NDArray[np.bool_]]]:
    """Which documents are on either side by what is known of them, and what the sides are called.

    A value may be a range of numbers, such as ``1990..1999``. Without ``b`` it is all other documents; without either,
    the documents must have two values.
    """
    if by not in metadata:
        raise UnknownNameError("property of the documents", by, metadata)
    values = np.array(metadata[by], dtype=object)
    options = sorted({one for one in values.tolist() if one})
    if not a:
        if len(options) != 2:
            some = ", ".join(options[:10])
            raise InvalidInputError(
                f"The documents have {len(options)} values of {by} ({some}); choose two sides with --a and --b."
            )
        a, b = (options[0],), (options[1],)
    in_a = _chosen(values, by, a, options)
    in_b = _chosen(values, by, b, options) if b else ~in_a & (values != "")
    if (in_a & in_b).any():
        raise InvalidInputError(f"A document is on both sides; --a and --b must not have a value of {by} in common.")
    rest = f"other than {by} {', '.join(a)}"
    return (f"{by} {', '.join(a)}", in_a), (f"{by} {', '.join(b)}" if b else rest, in_b)


def _chosen(values: NDArray[Any], by: str, texts: Sequence[str], options: Sequence[str]) -> NDArray[np.bool_]:
    chosen = np.zeros(len(values), dtype=np.bool_)
    for text in texts:
        low, dots, high = text.partition("..")
        if text in options or not dots:
            fits = values == text
        else:
            ends = _number(low), _number(high)
            if ends[0] is None or ends[1] is None:
                raise InvalidInputError(f"{text!r} is no range of numbers; write 1990..1999.")
            numbers = [_number(one) for one in values.tolist()]
            fits = np.array([one is not None and ends[0] <= one <= ends[1] for one in numbers], dtype=np.bool_)
        if not fits.any():
            raise InvalidInputError(f"No document has {by} {text}; its values are {', '.join(options[:10])}.")
        chosen |= fits
    return chosen


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
