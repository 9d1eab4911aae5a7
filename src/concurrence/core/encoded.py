"""A corpus as arrays that need not be read before they are used: layers, sentences, documents, and the text.

Nothing here imports more than numpy, so that a question about a word is answered in a moment.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError, UnknownNameError, unknown_attribute
from concurrence.core.results import Result
from concurrence.core.values import same, value

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]

NAMES = {"word": "form", "rel": "deprel"}
"""What query languages call the layers."""


UNIT = "unit"
"""A layer of what counts as one word, which questions put beside the corpus's own."""


class ByContent:
    """Equal where all fields hold the same."""

    def __eq__(self, other: object) -> bool:
        names = [entry.name for entry in fields(self)]  # type: ignore[arg-type]
        return type(self) is type(other) and all(same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True, eq=False)
class Written(ByContent):
    """Tokens that stood otherwise in the text, such as *im* for *in dem*: positions in order, and what stood there.

    The first word of such a token has all of it, the others have nothing.
    """

    positions: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    codes: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    texts: Sequence[str] = ()

    def get(self, position: int) -> str | None:
        """What stood there, if it was not the token itself."""
        at = int(np.searchsorted(self.positions, position))
        return self.texts[int(self.codes[at])] if at < len(self.positions) and self.positions[at] == position else None

    def followed_by(self, other: "Written", size: int) -> "Written":
        """Both, the other one behind so many positions."""
        return Written(
            positions=np.concatenate([self.positions, other.positions + size]),
            codes=np.concatenate([self.codes, other.codes + np.int32(len(self.texts))]),
            texts=(*self.texts, *other.texts),
        )


@value
class Regions:
    """Stretches of positions marked up under one name, such as clauses; ``ends`` are exclusive.

    ``attributes`` holds one text per stretch for each attribute of the markup.
    """

    starts: Integers
    ends: Integers
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary(ByContent):
    """Distinct words: their bytes one after the other, each with a line break behind it, and where each begins.

    ``order`` sorts the words by their bytes, which is the order of code points.
    """

    text: NDArray[np.uint8]
    offsets: Integers
    order: Codes

    @classmethod
    def of(cls, words: Sequence[str], *, order: Codes | None = None) -> "Vocabulary":
        """A vocabulary of different words, in their order; ``order`` sorts them, where that is known."""
        pieces = [f"{word}\n".encode() for word in words]
        text = b"".join(pieces)
        if text.count(b"\n") != len(pieces):
            raise InvalidInputError("A token holds a line break, which an index cannot keep.")
        if order is None:
            order = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int32)
        offsets = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
        return cls(text=np.frombuffer(text, dtype=np.uint8), offsets=offsets, order=order)

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
        wanted, low, high = word.encode("utf-8"), 0, len(self)
        while low < high:
            middle = (low + high) // 2
            code = int(self.order[middle])
            other = bytes(self.text[self.offsets[code] : self.offsets[code + 1] - 1])
            if other == wanted:
                return code
            low, high = (middle + 1, high) if other < wanted else (low, middle)
        return None

    @cached_property
    def all_text(self) -> str:
        """All words, each on a line of its own."""
        return bytes(self.text).decode("utf-8")

    @cached_property
    def words(self) -> list[str]:
        return self.all_text[:-1].split("\n") if len(self) else []


@dataclass(frozen=True, kw_only=True, eq=False)
class Layer(ByContent):
    """One property of every position, -1 at sentence borders; ``postings`` are the positions of each word in turn.

    ``merged`` maps the words of ``codes`` onto those of ``vocabulary`` where that is another one, such as small
    letters.
    """

    codes: Codes
    vocabulary: Vocabulary
    postings: Codes | None = None
    begins: Integers | None = None
    merged: Codes | None = None

    @property
    def lowered(self) -> "Layer":
        """The same in small letters."""
        words, merged = Vocabulary.numbered(word.lower() for word in self.vocabulary.words)
        return replace(self, vocabulary=words, merged=merged if self.merged is None else merged[self.merged])

    @cached_property
    def frequencies(self) -> Integers:
        """How often each word occurs."""
        if self.begins is not None:
            own = np.diff(self.begins)
        else:
            own = np.bincount(self.codes[self.codes >= 0], minlength=self._n_codes)
        if self.merged is None:
            return own
        return np.bincount(self.merged, weights=own, minlength=len(self.vocabulary)).astype(np.int64)

    @property
    def _n_codes(self) -> int:
        return len(self.vocabulary) if self.merged is None else len(self.merged)

    def at(self, positions: NDArray[np.signedinteger]) -> Codes:
        """The words' numbers at some positions, -1 at borders."""
        codes = np.asarray(self.codes[positions])
        return codes if self.merged is None else np.append(self.merged, np.int32(-1))[codes]

    def has(self, wanted: Mask, positions: NDArray[np.signedinteger]) -> Mask:
        """Which of the positions have one of the wanted words; borders have none."""
        codes = self.at(positions)
        return np.asarray(np.append(wanted, False)[codes], dtype=np.bool_)

    def positions(self, wanted: Iterable[int]) -> Integers:
        """Where any of these words stand, in the order of the corpus."""
        chosen = np.fromiter(wanted, dtype=np.int64)
        if self.merged is not None:
            chosen = np.flatnonzero(np.isin(self.merged, chosen))
        if self.postings is None or self.begins is None or len(chosen) > self._n_codes // 4:
            mask = np.zeros(self._n_codes + 1, dtype=np.bool_)
            mask[chosen] = True
            return np.flatnonzero(mask[self.codes])
        parts = [self.postings[self.begins[code] : self.begins[code + 1]] for code in chosen.tolist()]
        if len(parts) == 1:
            return parts[0].astype(np.int64)
        found = np.concatenate([np.empty(0, dtype=np.int32), *parts]).astype(np.int64)
        found.sort()
        return found


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class EncodedCorpus(ByContent, Result):
    """Layers by name, where sentences and documents start, and how the tokens were written."""

    layers: Mapping[str, Layer]
    sentences: Integers
    document_starts: Integers
    document_names: Sequence[str]
    metadata: Mapping[str, Sequence[str]] = field(default_factory=dict)
    heads: Codes | None = None
    gaps: NDArray[np.uint8] | None = None
    gap_texts: Sequence[str] = (" ", "")
    written: Written = field(default_factory=Written)
    regions: Mapping[str, Regions] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [count_noun(self.n_tokens, "token"), count_noun(self.n_sentences, "sentence")]
        return f"{', '.join(parts)}, {count_noun(len(self.document_names), 'document')}."

    @property
    def size(self) -> int:
        """The number of positions, borders included."""
        return len(self.layers["form"].codes)

    @property
    def n_sentences(self) -> int:
        return len(self.sentences) - 1

    @property
    def n_tokens(self) -> int:
        return self.size - self.n_sentences

    def layer(self, name: str) -> Layer:
        """A layer by its name, or by the name that query languages give it."""
        known = NAMES.get(name, name)
        if known not in self.layers:
            raise unknown_attribute(name, (layer for layer in self.layers if layer != UNIT))
        return self.layers[known]

    def region(self, name: str) -> Regions:
        """The regions of a name; a sentence is no region, since nothing leaves it."""
        if name not in self.regions:
            raise UnknownNameError("region", name, ("s", *self.regions))
        return self.regions[name]

    def sentence_of(self, positions: NDArray[np.signedinteger]) -> Integers:
        """The number of the sentence that holds each position, from 0."""
        return np.searchsorted(self.sentences, positions, side="right") - 1

    def document_of(self, positions: NDArray[np.signedinteger]) -> Integers:
        """The number of the document that holds each position, from 0."""
        return np.searchsorted(self.document_starts, positions, side="right") - 1

    @cached_property
    def document_sizes(self) -> Integers:
        """How many tokens each document has."""
        ends = np.append(self.document_starts[1:], self.size)
        borders = np.searchsorted(self.sentences[1:], ends, side="right") - np.searchsorted(
            self.sentences[1:], self.document_starts, side="right"
        )
        return np.asarray(ends - self.document_starts - borders, dtype=np.int64)

    def text(self, start: int, end: int) -> str:
        """The text of a stretch of positions inside a sentence, as it was written, without what stands before it."""
        form = self.layers["form"]
        parts: list[str] = []
        for position in range(start, end):
            gap = self._gap(position) if position > start else ""
            own = self.written.get(position)
            parts += [gap, form.vocabulary.word(int(form.codes[position])) if own is None else own]
        return "".join(parts)

    def before(self, position: int) -> str:
        """What stands between this position and the one before."""
        return self._gap(position)

    def _gap(self, position: int) -> str:
        if self.gaps is None:
            return "" if self.layers["form"].codes[position - 1] < 0 or position == 0 else " "
        return self.gap_texts[int(self.gaps[position])]
