"""A corpus as arrays: which word stands where, where sentences and documents begin, and how tokens were written.

The arrays may be in memory or memory-mapped files of an index; nothing is read before it is used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError, UnknownNameError, unknown_attribute
from concurrence.core.inventory import NO_INVENTORY, Inventory
from concurrence.core.layers import BORDER, MISSING, ByContent, Codes, Integers, Layer, Mask, Vocabulary
from concurrence.core.results import Result
from concurrence.core.sentences import count_noun
from concurrence.core.values import value

NAMES = {"word": "form", "rel": "deprel"}
"""What query languages call the layers."""

LOWER = "lower"
"""The layer of forms in small letters, which every corpus has."""

UNITS = ("form", "lemma", "lemma_pos")
"""What may count as one word."""
UNIT = "unit"
"""The attribute of queries that stands for the unit."""

AT_ONCE = 1 << 22
"""How many positions are put together in one go, where a unit is made of two layers."""


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


SPACE, NONE, OTHER = 0, 1, 255
"""Gaps between tokens: the first two of ``Spacing.texts``, and the mark of a text that has no number yet."""

Gaps = NDArray[np.uint8]
"""The number of the text before each position."""


@value
class Spacing:
    """The text before each position, as an index into ``texts``, and the tokens that stood otherwise in the text.

    Without ``gaps`` there is a space between any two tokens of a sentence.
    """

    gaps: Gaps | None = None
    texts: tuple[str, ...] = (" ", "")
    written: Written = field(default_factory=Written)


@value
class Regions:
    """Stretches of positions marked up under one name, such as clauses; ``ends`` are exclusive.

    ``attributes`` holds one text per stretch for each attribute of the markup.
    """

    starts: Integers
    ends: Integers
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@value
class Documents:
    """Where documents start, what they are called, and what is known of them, as one text per document and name."""

    starts: Integers
    names: tuple[str, ...]
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


NO_DOCUMENTS = Documents(starts=np.empty(0, dtype=np.int64), names=())


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus(ByContent, Result):
    """The positions of a corpus: its tokens in order, and a border after each sentence.

    All layers have the same length and borders in the same places, so that anything that looks from one position to
    the next stops at the end of a sentence. ``heads`` are the positions of syntactic heads, -1 for a root; ``broken``
    counts the lines that were left out on request, ``inventory`` the files that were read. A corpus without
    documents is a single one. ``stored_sentences`` and ``stored_lower`` are what an index keeps of ``sentences`` and
    ``lower``.

    >>> corpus = Corpus.from_sentences([["a", "rose", "is"], ["a", "rose"]])
    >>> corpus.form.codes.tolist(), corpus.n_tokens, corpus.n_sentences
    ([0, 1, 2, -1, 0, 1, -1], 5, 2)
    """

    layers: Mapping[str, Layer]
    heads: Codes | None = None
    regions: Mapping[str, Regions] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    broken: int = 0
    documents: Documents = field(default_factory=lambda: NO_DOCUMENTS)
    spacing: Spacing = field(default_factory=Spacing)
    inventory: Inventory = field(default_factory=lambda: NO_INVENTORY)
    stored_sentences: Integers | None = field(default=None, compare=False, repr=False)
    stored_lower: Layer | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        sizes = {len(layer.codes) for layer in self.layers.values()}
        if "form" not in self.layers or len(sizes) != 1:
            raise InvalidInputError("Tokens need a column 'form', and all columns must have the same length.")
        codes = self.layers["form"].codes
        if len(codes) and codes[-1] != BORDER:
            raise InvalidInputError("The last sentence of the tokens has no border after it.")
        if not len(self.documents.names):
            name = Path(self.sources[0]).name if self.sources else "corpus"
            whole = Documents(starts=np.zeros(1, dtype=np.int64), names=(name,))
            object.__setattr__(self, "documents", whole)

    @classmethod
    def from_sentences(cls, sentences: Sequence[Sequence[str]]) -> "Corpus":
        """A corpus of a few sentences held in memory; empty ones are left out."""
        return cls(layers={"form": Layer.of(sentences)})

    def __str__(self) -> str:
        read = f", from {', '.join(self.sources[:3])}{' …' * (len(self.sources) > 3)}" if self.sources else ""
        return f"{count_noun(self.n_tokens, 'token')} in {count_noun(self.n_sentences, 'sentence')}{read}."

    @property
    def form(self) -> Layer:
        """The layer of word forms, which every corpus has."""
        return self.layers["form"]

    @property
    def size(self) -> int:
        """The number of positions, borders included."""
        return len(self.form.codes)

    @property
    def is_token(self) -> Mask:
        """Which positions are tokens, and not borders."""
        return np.asarray(self.form.codes != BORDER)

    @cached_property
    def sentences(self) -> Integers:
        """Where sentences start, and, as a last entry, where the next one would."""
        if self.stored_sentences is not None:
            return self.stored_sentences
        return np.concatenate([np.zeros(1, dtype=np.int64), np.flatnonzero(self.form.codes == BORDER) + 1])

    @cached_property
    def n_sentences(self) -> int:
        if self.stored_sentences is not None:
            return len(self.stored_sentences) - 1
        return int(np.count_nonzero(self.form.codes == BORDER))

    @property
    def n_tokens(self) -> int:
        return self.size - self.n_sentences

    @cached_property
    def lower(self) -> Layer:
        """The forms in small letters."""
        return self.form.lowered if self.stored_lower is None else self.stored_lower

    def layer(self, name: str) -> Layer:
        """A layer by its name, or by the name that query languages give it."""
        own = NAMES.get(name, name)
        if own == LOWER:
            return self.lower
        base, dot, feature = own.partition(".")
        if dot and base in self.layers:
            if own not in self._features:
                self._features[own] = self.layers[base].feature(feature)
            return self._features[own]
        if own not in self.layers:
            raise unknown_attribute(name, (*self.layers, LOWER))
        return self.layers[own]

    @cached_property
    def _features(self) -> dict[str, Layer]:
        """The features that were asked for, such as ``feats.Number``."""
        return {}

    def has_values(self, name: str) -> bool:
        """Whether there is a layer of this name in which at least one token has a value."""
        return name in self.layers and len(self.layers[name].vocabulary) > 0

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
        return np.searchsorted(self.documents.starts, positions, side="right") - 1

    @property
    def document_sentences(self) -> Integers:
        """How many sentences each document has."""
        starts = self.documents.starts
        ends = np.append(starts[1:], self.size)
        before = (np.searchsorted(self.sentences[1:], edges, side="right") for edges in (ends, starts))
        return np.asarray(next(before) - next(before), dtype=np.int64)

    @cached_property
    def document_sizes(self) -> Integers:
        """How many tokens each document has."""
        return np.diff(self.documents.starts, append=self.size) - self.document_sentences

    def text(self, start: int, end: int) -> str:
        """The text of a stretch of positions inside a sentence, as it was written, without what stands before it."""
        parts: list[str] = []
        for position in range(start, end):
            own = self.spacing.written.get(position)
            word = self.form.vocabulary.word(int(self.form.codes[position])) if own is None else own
            parts += [self.before(position) if position > start else "", word]
        return "".join(parts)

    def before(self, position: int) -> str:
        """What stands between this position and the one before."""
        if self.spacing.gaps is None:
            return "" if self.form.codes[position - 1] < 0 or position == 0 else " "
        return self.spacing.texts[int(self.spacing.gaps[position])]


def unit_layer(corpus: Corpus, unit: str, *, lower: bool = False) -> Layer:
    """The layer of a unit; one that the corpus does not hold is put together from those it has."""
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if unit == "form":
        return corpus.lower if lower else corpus.form
    lemma = corpus.layer("lemma")
    if not corpus.has_values("lemma") and corpus.n_tokens:
        raise InvalidInputError("No token of the corpus has a lemma; concur tag adds lemmas to plain text.")
    lemma = lemma.lowered if lower else lemma
    return lemma if unit == "lemma" else _with_tags(lemma, corpus.layer("pos"))


def _with_tags(lemma: Layer, tags: Layer) -> Layer:
    """Lemmas with their parts of speech, as in ``take_VERB``; a token that lacks either is missing."""
    width = max(len(tags.vocabulary), 1)
    keys = _joint(lemma, tags, width)
    distinct, codes = np.unique(keys, return_inverse=True)
    n_empty = int(np.count_nonzero(distinct < 0))
    distinct = distinct[n_empty:]
    lemmas, names = lemma.vocabulary.words, tags.vocabulary.words
    words = [f"{lemmas[key // width]}_{names[key % width]}" for key in distinct.tolist()]
    vocabulary, merged = Vocabulary.numbered(words)
    own = np.where(keys < 0, keys, np.append(merged, np.int32(BORDER))[codes - n_empty])
    return Layer(codes=own.astype(np.int32), vocabulary=vocabulary)


def _joint(lemma: Layer, tags: Layer, width: int) -> Integers:
    keys = np.empty(len(lemma.codes), dtype=np.int64)
    for start in range(0, len(keys), AT_ONCE):
        at = slice(start, start + AT_ONCE)
        codes, own = lemma.at(at).astype(np.int64), tags.at(at)
        keys[at] = np.where(codes < 0, codes, np.where(own < 0, MISSING, codes * width + own))
    return keys


Tokens = Corpus
"""The name of the type before an opened index and the tokens of files were one."""
