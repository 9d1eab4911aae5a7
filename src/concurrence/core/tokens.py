"""A corpus as numbers: which word stands where, and where sentences end."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.display import count_noun
from concurrence.core.encoded import Regions, Written
from concurrence.core.errors import InvalidInputError, unknown_attribute
from concurrence.core.results import Result
from concurrence.core.values import value

BORDER = -1
"""Stands in every column after the last token of a sentence."""

Positions = NDArray[np.signedinteger[Any]]


@value
class Column:
    """One property of every position: an index into its distinct words, or -1 at a sentence border."""

    codes: NDArray[np.int32]
    words: pl.Series


@value
class Documents:
    """Where documents start, what they are called, and what is known of them, as one text per document and name."""

    starts: NDArray[np.int64]
    names: tuple[str, ...]
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@value
class Spacing:
    """The text before each position, as an index into ``texts``, and the tokens that stood otherwise in the text."""

    gaps: NDArray[np.uint8]
    texts: tuple[str, ...] = (" ", "")
    written: Written = field(default_factory=Written)


@value
class Tokens(Result):
    """The positions of a corpus: its tokens in order, and a border after each sentence.

    All columns have the same length and borders in the same places, so that anything that looks
    from one position to the next stops at the end of a sentence. ``heads`` are the positions of syntactic heads,
    -1 for a root; ``broken`` counts the lines that were left out on request; ``documents`` and ``spacing`` are there
    where they were asked for.

    >>> tokens = Tokens.from_sentences([["a", "rose", "is"], ["a", "rose"]])
    >>> tokens.columns["form"].codes.tolist(), tokens.n_tokens, tokens.n_sentences
    ([0, 1, 2, -1, 0, 1, -1], 5, 2)
    """

    columns: Mapping[str, Column]
    heads: NDArray[np.int32] | None = None
    regions: Mapping[str, Regions] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    broken: int = 0
    documents: Documents | None = None
    spacing: Spacing | None = None
    n_sentences: int = field(init=False)
    n_tokens: int = field(init=False)

    def __post_init__(self) -> None:
        sizes = {len(column.codes) for column in self.columns.values()}
        if "form" not in self.columns or len(sizes) != 1:
            raise InvalidInputError("Tokens need a column 'form', and all columns must have the same length.")
        codes = self.columns["form"].codes
        if len(codes) and codes[-1] != BORDER:
            raise InvalidInputError("The last sentence of the tokens has no border after it.")
        borders = int(np.count_nonzero(codes == BORDER))
        object.__setattr__(self, "n_sentences", borders)
        object.__setattr__(self, "n_tokens", len(codes) - borders)

    @classmethod
    def from_sentences(cls, sentences: list[list[str]]) -> "Tokens":
        """Tokens from a few sentences held in memory; empty ones are left out."""
        index: dict[str, int] = {}
        codes = [
            code
            for sentence in sentences
            if sentence
            for code in [*(index.setdefault(word, len(index)) for word in sentence), BORDER]
        ]
        words = pl.Series("form", list(index), dtype=pl.String)
        return cls(columns={"form": Column(codes=np.array(codes, dtype=np.int32), words=words)})

    def __str__(self) -> str:
        read = f", from {', '.join(self.sources[:3])}{' …' * (len(self.sources) > 3)}" if self.sources else ""
        return f"{count_noun(self.n_tokens, 'token')} in {count_noun(self.n_sentences, 'sentence')}{read}."

    def _word(self, name: str, place: int) -> str | None:
        column = self.columns[name]
        return column.words[int(column.codes[place])] if column.codes[place] != BORDER else None

    def column(self, name: str) -> Column:
        """A property of the tokens; an unknown name is an error that lists the known ones."""
        if name not in self.columns:
            raise unknown_attribute(name, self.columns)
        return self.columns[name]

    def sentence_starts(self) -> NDArray[np.int64]:
        """Where sentences start, and, as a last entry, where the next one would."""
        borders = np.flatnonzero(self.columns["form"].codes == BORDER)
        return np.concatenate([np.zeros(1, dtype=np.int64), borders + 1])
