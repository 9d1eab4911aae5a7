"""Tokens as they are counted: one word per position, chosen, lower-cased and filtered."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus, unit_layer
from concurrence.core.layers import MISSING, Codes

REMOVED = MISSING
"""Stands where a token was removed, or has no unit, such as a lemma; its position is kept."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What is removed before pairs are formed."""

    stop: Collection[str] = ()
    pos: Collection[str] = ()
    drop_pos: Collection[str] = ()

    def named(self) -> tuple[str, ...]:
        stop = (f"stop list of {len(self.stop)} words",) if self.stop else ()
        pos = (f"pos {','.join(sorted(self.pos))}",) if self.pos else ()
        drop = (f"drop-pos {','.join(sorted(self.drop_pos))}",) if self.drop_pos else ()
        return stop + pos + drop


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """Positions with words, -1 at sentence borders, -2 where a token was removed.

    ``words`` are numbered as they first occur; ``ranks`` is the place of each in the order of code points.
    """

    codes: Codes
    words: pl.Series
    ranks: Codes
    n_sentences: int

    @property
    def by_rank(self) -> Codes:
        """The words' numbers in the order of code points."""
        order = np.empty(len(self.ranks), dtype=np.int32)
        order[self.ranks] = np.arange(len(self.ranks), dtype=np.int32)
        return order

    @property
    def sorted_words(self) -> pl.Series:
        return self.words.gather(self.by_rank)


def make_stream(corpus: Corpus, *, unit: str = "form", lower: bool = False, filters: Filters | None = None) -> Stream:
    """Take the unit of each token, then remove what the filters name."""
    layer = unit_layer(corpus, unit, lower=lower).unmerged
    codes = layer.codes
    if filters is not None and filters.named():
        codes = np.where(removed_mask(corpus, unit, lower, filters) & (codes >= 0), np.int32(REMOVED), codes)
    return Stream(codes=codes, words=layer.words, ranks=layer.vocabulary.ranks, n_sentences=corpus.n_sentences)


def number(words: pl.Series) -> tuple[pl.Series, Codes]:
    """Distinct words in the order they come, and the number of each word."""
    frame = pl.DataFrame({"word": words}).with_row_index("at")
    first = frame.select(pl.col("at").first().over("word"))["at"].to_numpy()
    starts, codes = np.unique(first, return_inverse=True)
    return words.gather(starts), codes.astype(np.int32)


def removed_mask(corpus: Corpus, unit: str, lower: bool, filters: Filters) -> NDArray[np.bool_]:
    """Which positions the filters remove."""
    removed = np.zeros(corpus.size, dtype=bool)
    if filters.stop:
        removed |= unit_layer(corpus, "form" if unit == "form" else "lemma", lower=lower).has_any(filters.stop)
    if filters.pos:
        removed |= ~corpus.layer("pos").has_any(filters.pos)
    if filters.drop_pos:
        removed |= corpus.layer("pos").has_any(filters.drop_pos)
    return removed


def code_point_ranks(words: pl.Series) -> Codes:
    """The place of each word in the order of code points, which is that of UTF-8 bytes."""
    order: NDArray[Any] = words.arg_sort().to_numpy()
    ranks = np.empty(len(words), dtype=np.int32)
    ranks[order] = np.arange(len(words), dtype=np.int32)
    return ranks
