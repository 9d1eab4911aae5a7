"""Words as numbers: a vocabulary of different words, and a layer that has the number of a word at every position.

Both are the same in memory and memory-mapped. Nothing here imports more than numpy before it is needed, so that a
question about a word of an index is answered in a moment.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import UnknownNameError
from concurrence.core.values import same

if TYPE_CHECKING:
    import polars as pl

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]

BORDER = -1
"""Stands in every layer after the last token of a sentence."""
MISSING = -2
"""Stands where a token has no value, such as a word without a lemma; its position is kept."""


class ByContent:
    """Equal where all fields hold the same."""

    def __eq__(self, other: object) -> bool:
        names = [entry.name for entry in fields(self) if entry.compare]  # type: ignore[arg-type]
        return type(self) is type(other) and all(same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary(ByContent):
    """Distinct words: their bytes one after the other, each with a line break behind it, and where each begins.

    ``stored_order`` is ``order``, where an index has it.
    """

    text: NDArray[np.uint8]
    offsets: Integers
    stored_order: Codes | None = field(default=None, compare=False)

    @classmethod
    def of(cls, words: Sequence[str]) -> "Vocabulary":
        """A vocabulary of different words, in their order."""
        text = np.frombuffer("\n".join((*words, "")).encode("utf-8"), dtype=np.uint8)
        ends = np.flatnonzero(text == ord("\n")) + 1
        if len(ends) != len(words):  # a word has a line break inside
            ends = np.cumsum([len(word.encode("utf-8")) + 1 for word in words])
        return cls(text=text, offsets=np.concatenate([[0], ends]).astype(np.int64))

    @classmethod
    def numbered(cls, words: Iterable[str]) -> "tuple[Vocabulary, Codes]":
        """The different ones of some words as a vocabulary, and the number of each word in it."""
        numbers: dict[str, int] = {}
        codes = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32)
        return cls.of(list(numbers)), codes

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def word(self, code: int) -> str:
        return bytes(self.text[self.offsets[code] : self.offsets[code + 1] - 1]).decode("utf-8")

    def words_of(self, codes: NDArray[np.signedinteger]) -> list[str]:
        """The words of many numbers."""
        raw = self.text.data
        starts, ends = self.offsets[codes].tolist(), (self.offsets[codes + 1] - 1).tolist()
        return [str(raw[start:end], "utf-8") for start, end in zip(starts, ends, strict=True)]

    def code(self, word: str) -> int | None:
        """The number of a word, by bisection."""
        target, low, high = word.encode("utf-8"), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            code = int(self.order[middle])
            other = bytes(self.text[self.offsets[code] : self.offsets[code + 1] - 1])
            if other == target:
                return code
            low, high = (middle + 1, high) if other < target else (low, middle)
        return None

    def among(self, words: Collection[str]) -> Mask:
        """Which words of the vocabulary are among these."""
        mask = np.zeros(len(self), dtype=np.bool_)
        mask[[code for word in words if (code := self.code(word)) is not None]] = True
        return mask

    @cached_property
    def order(self) -> Codes:
        """Sorts the words by their bytes, which is the order of code points."""
        return self.series.arg_sort().to_numpy().astype(np.int32) if self.stored_order is None else self.stored_order

    @property
    def ranks(self) -> Codes:
        """The place of each word in the order of code points."""
        ranks = np.empty(len(self), dtype=np.int32)
        ranks[self.order] = np.arange(len(self), dtype=np.int32)
        return ranks

    @cached_property
    def all_text(self) -> str:
        """All words, each on a line of its own."""
        return bytes(self.text).decode("utf-8")

    @cached_property
    def words(self) -> list[str]:
        return self._split(self.all_text)

    @cached_property
    def series(self) -> "pl.Series":
        """The words as a column of a table."""
        import polars as pl

        return pl.Series("word", self._split(bytes(self.text).decode("utf-8")), dtype=pl.String)

    @property
    def lowered(self) -> "tuple[Vocabulary, Codes]":
        """The different words in small letters, and the number of each word among them."""
        # all at once: a line break ends a word for the rules of small letters, too, such as that of the last sigma
        words = bytes(self.text).decode("utf-8").lower().split("\n")[:-1]
        return Vocabulary.numbered(words if len(words) == len(self) else [word.lower() for word in self.words])

    def _split(self, text: str) -> list[str]:
        words = text.split("\n")[:-1]
        return words if len(words) == len(self) else self.words_of(np.arange(len(self)))  # a line break inside a word


@dataclass(frozen=True, kw_only=True, eq=False)
class Layer(ByContent):
    """One property of every position, -1 at sentence borders, -2 where a token lacks it.

    ``postings`` are the positions of each word in turn. ``merged`` maps the words of ``codes`` onto those of
    ``vocabulary`` where that is another one, such as small letters.
    """

    codes: Codes
    vocabulary: Vocabulary
    postings: Codes | None = None
    begins: Integers | None = None
    merged: Codes | None = None

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]]) -> "Layer":
        """The words of some sentences, with a border after each; empty sentences are left out."""
        numbers: dict[str, int] = {}
        codes = [
            code
            for sentence in sentences
            if sentence
            for code in [*(numbers.setdefault(word, len(numbers)) for word in sentence), BORDER]
        ]
        return cls(codes=np.array(codes, dtype=np.int32), vocabulary=Vocabulary.of(list(numbers)))

    @property
    def words(self) -> "pl.Series":
        """The different words as a column of a table."""
        return self.vocabulary.series

    @property
    def lowered(self) -> "Layer":
        """The same in small letters."""
        vocabulary, merged = self.vocabulary.lowered
        return replace(
            self, vocabulary=vocabulary, merged=merged if self.merged is None else _look_up(merged, self.merged)
        )

    def feature(self, name: str) -> "Layer":
        """The values of a feature, where the words are lists of them, such as ``Case=Nom|Number=Sing``."""
        pairs = [dict(part.split("=", 1) for part in word.split("|") if "=" in part) for word in self.vocabulary.words]
        values = dict.fromkeys(values[name] for values in pairs if name in values)
        if not values:
            raise UnknownNameError("feature", name, sorted({key for values in pairs for key in values}))
        numbers = {value: number for number, value in enumerate(values)}
        merged = np.array([numbers.get(values.get(name, ""), MISSING) for values in pairs], dtype=np.int32)
        merged = merged if self.merged is None else _look_up(merged, self.merged)
        return replace(self, vocabulary=Vocabulary.of(list(numbers)), merged=merged)

    @property
    def unmerged(self) -> "Layer":
        """The same, with the numbers of the vocabulary itself at every position."""
        return self if self.merged is None else Layer(codes=self.at(slice(None)), vocabulary=self.vocabulary)

    @cached_property
    def frequencies(self) -> Integers:
        """How often each word occurs."""
        if self.begins is not None:
            own = np.diff(self.begins)
        else:
            n_words = len(self.vocabulary if self.merged is None else self.merged)
            own = np.bincount(self.codes[self.codes >= 0], minlength=n_words)
        if self.merged is None:
            return own
        has_word = self.merged >= 0
        counts = np.bincount(self.merged[has_word], weights=own[has_word], minlength=len(self.vocabulary))
        return counts.astype(np.int64)

    def at(self, positions: NDArray[np.signedinteger] | slice) -> Codes:
        """The words' numbers at some positions, -1 at borders, -2 where there is no word."""
        codes = np.asarray(self.codes[positions])
        return codes if self.merged is None else _look_up(self.merged, codes)

    def has(self, words: Mask, positions: NDArray[np.signedinteger] | slice = slice(None)) -> Mask:
        """Which of the positions have one of the marked words; borders have none."""
        own = words if self.merged is None else np.append(words, [False, False])[self.merged]
        return np.asarray(np.append(own, [False, False])[self.codes[positions]], dtype=np.bool_)

    def has_any(self, words: Collection[str], positions: NDArray[np.signedinteger] | slice = slice(None)) -> Mask:
        """Which of the positions have one of these words."""
        return self.has(self.vocabulary.among(words), positions)

    def positions(self, words: Iterable[int]) -> Integers:
        """Where any of the words with these numbers stand, in the order of the corpus."""
        chosen = np.fromiter(words, dtype=np.int64)
        n_words = len(self.vocabulary if self.merged is None else self.merged)
        if self.merged is not None:
            chosen = np.flatnonzero(np.isin(self.merged, chosen))
        if self.postings is None or self.begins is None or len(chosen) > n_words // 4:
            mask = np.zeros(n_words + 2, dtype=np.bool_)
            mask[chosen] = True
            return np.flatnonzero(mask[self.codes])
        parts = [self.postings[self.begins[code] : self.begins[code + 1]] for code in chosen.tolist()]
        if len(parts) == 1:
            return parts[0].astype(np.int64)
        positions = np.concatenate([np.empty(0, dtype=np.int32), *parts]).astype(np.int64)
        positions.sort()
        return positions


def _look_up(merged: Codes, codes: Codes) -> Codes:
    """What words became; a border and a missing word stay what they are."""
    return np.append(merged, np.array([MISSING, BORDER], dtype=np.int32))[codes]
