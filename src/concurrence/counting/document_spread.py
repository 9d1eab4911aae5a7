"""How evenly pairs are spread over documents, by the measures that there are for words.

An occurrence has a place: the number of its token among all tokens, or of its sentence where sentences are counted.
Documents are as large as they have places.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.sentences import Sentence
from concurrence.kernels.dispersion import COLUMNS, average_reduced_frequency, dispersion

AT_ONCE = 1 << 20
"""How many occurrences are looked at in one go."""

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """Where sentences end among the positions that are counted, and how many places each document has.

    ``numbers`` are the sentences' own numbers, where places are sentences, and empty where they are tokens.
    """

    borders: Integers
    sizes: Integers
    numbers: Integers

    @property
    def starts(self) -> Integers:
        """The first place of each document."""
        return np.cumsum(self.sizes) - self.sizes

    def places(self, positions: Integers) -> tuple[Integers, Integers]:
        """The places of some positions, and their documents."""
        sentence = np.searchsorted(self.borders, positions)
        places = self.numbers[sentence] if len(self.numbers) else positions - sentence
        return places, np.searchsorted(self.starts, places, side="right") - 1

    def measures(self, f: Integers, places: NDArray[np.signedinteger], documents: NDArray[np.signedinteger]) -> Reals:
        """All measures of rows that occur so often: (rows, measures). The places of each row in turn, in order."""
        rows = np.repeat(np.arange(len(f)), f)
        new = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(documents, prepend=-1) != 0))
        counts = np.diff(new, append=len(rows))
        found = dispersion(rows[new], documents[new].astype(np.int64), counts, self.sizes, n_words=len(f))
        total = int(self.sizes.sum())
        found["arf"] = average_reduced_frequency(rows, places.astype(np.int64), total, n_words=len(f))
        return np.stack([found[name] for name in COLUMNS], axis=1)


def document_spread(corpus: Corpus, *, by_sentence: bool = False, kept: NDArray[np.bool_] | None = None) -> Spread:
    """The documents of some tokens, in tokens, or in sentences of which those with a kept token are left."""
    borders = corpus.sentences[1:] - 1
    if not by_sentence:
        return Spread(borders=borders, sizes=corpus.document_sizes, numbers=np.empty(0, dtype=np.int64))
    numbers = np.arange(len(borders))
    if kept is not None:
        numbers = np.unique(np.searchsorted(borders, np.flatnonzero(kept)))
    return Spread(borders=borders, sizes=corpus.document_sentences, numbers=numbers)


def too_few_documents(corpus: Corpus) -> tuple[Sentence, ...]:
    """A warning where there is nothing to be spread over."""
    if len(corpus.documents.names) > 1:
        return ()
    text = "The corpus is a single document, so dispersion over documents says nothing; only arf can be used."
    return (Sentence(code="single_document", text=text, warning=True),)


def batches(f: Integers) -> list[tuple[int, int]]:
    """Ranges of rows that occur so often together; a frequent one stands alone."""
    sums = np.concatenate([[0], np.cumsum(f)])
    ranges, first = [], 0
    while first < len(f):
        last = int(np.searchsorted(sums, sums[first] + AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), len(f))
        ranges.append((first, last))
        first = last
    return ranges
