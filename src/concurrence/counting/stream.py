"""Tokens as they are counted: one word per position, chosen, lower-cased and filtered."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.errors import UnknownNameError
from concurrence.core.tokens import BORDER, Column, Tokens

REMOVED = -2
"""Stands where a token was removed; its position is kept."""

UNITS = ("form", "lemma", "lemma_pos")

Codes = NDArray[np.int32]
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


def make_stream(tokens: Tokens, *, unit: str = "form", lower: bool = False, filters: Filters | None = None) -> Stream:
    """Take the unit of each token, then remove what the filters name."""
    column = unit_column(tokens, unit, lower=lower)
    codes = column.codes
    if filters is not None and filters.named():
        codes = np.where(removed_mask(tokens, unit, lower, filters) & (codes >= 0), np.int32(REMOVED), codes)
    return Stream(codes=codes, words=column.words, ranks=code_point_ranks(column.words), n_sentences=tokens.n_sentences)


def unit_column(tokens: Tokens, unit: str, *, lower: bool) -> Column:
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if unit != "lemma_pos":
        column = tokens.column(unit)
        return _lowered(column) if lower else column
    lemma, pos = tokens.column("lemma"), tokens.column("pos")
    lemma = _lowered(lemma) if lower else lemma
    keys = np.where(lemma.codes < 0, np.int64(BORDER), lemma.codes.astype(np.int64) * len(pos.words) + pos.codes)
    distinct, codes = np.unique(keys, return_inverse=True)
    has_border = int(len(distinct) > 0 and distinct[0] == BORDER)
    distinct = distinct[has_border:]
    words = (
        lemma.words.gather(distinct // max(len(pos.words), 1))
        + "_"
        + pos.words.gather(distinct % max(len(pos.words), 1))
    )
    return Column(codes=(codes - has_border).astype(np.int32), words=words)


def _lowered(column: Column) -> Column:
    return merged(column.codes, column.words.str.to_lowercase())


def merged(codes: Codes, words: pl.Series) -> Column:
    """A column whose words are distinct, from one where some are alike."""
    distinct, new = number(words)
    return Column(codes=np.append(new, np.int32(BORDER))[codes], words=distinct)


def number(words: pl.Series) -> tuple[pl.Series, Codes]:
    """Distinct words in the order they come, and the number of each word."""
    frame = pl.DataFrame({"word": words}).with_row_index("at")
    first = frame.select(pl.col("at").first().over("word"))["at"].to_numpy()
    starts, codes = np.unique(first, return_inverse=True)
    return words.gather(starts), codes.astype(np.int32)


def removed_mask(tokens: Tokens, unit: str, lower: bool, filters: Filters) -> NDArray[np.bool_]:
    """Which positions the filters remove."""
    gone = np.zeros(len(tokens.columns["form"].codes), dtype=bool)
    if filters.stop:
        column = tokens.column("form" if unit == "form" else "lemma")
        words = column.words.str.to_lowercase() if lower else column.words
        gone |= _is_among(column.codes, words, filters.stop)
    if filters.pos:
        column = tokens.column("pos")
        gone |= ~_is_among(column.codes, column.words, filters.pos)
    if filters.drop_pos:
        column = tokens.column("pos")
        gone |= _is_among(column.codes, column.words, filters.drop_pos)
    return gone


def _is_among(codes: Codes, words: pl.Series, members: Collection[str]) -> NDArray[np.bool_]:
    marked = words.is_in(list(members)).to_numpy()
    mask: NDArray[np.bool_] = np.append(marked, False)[codes]
    return mask


def code_point_ranks(words: pl.Series) -> Codes:
    """The place of each word in the order of code points, which is that of UTF-8 bytes."""
    order: NDArray[Any] = words.arg_sort().to_numpy()
    ranks = np.empty(len(words), dtype=np.int32)
    ranks[order] = np.arange(len(words), dtype=np.int32)
    return ranks
