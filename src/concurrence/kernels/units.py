"""What counts as one word: a form, a lemma, or a lemma with its part of speech, in small letters or not."""

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.errors import UnknownNameError
from concurrence.core.layers import BORDER, Integers, Layer, Vocabulary

UNITS = ("form", "lemma", "lemma_pos")
UNIT = "unit"
"""The attribute of queries that stands for the unit."""

AT_ONCE = 1 << 22


def unit_layer(corpus: Corpus, unit: str, *, lower: bool = False) -> Layer:
    """The layer of a unit; one that the corpus does not hold is put together from those it has."""
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if unit == "form":
        return corpus.lower if lower else corpus.form
    lemma = corpus.layer("lemma")
    lemma = lemma.lowered if lower else lemma
    return lemma if unit == "lemma" else _with_tags(lemma, corpus.layer("pos"))


def _with_tags(lemma: Layer, tags: Layer) -> Layer:
    """Lemmas with their parts of speech, as in ``take_VERB``."""
    width = max(len(tags.vocabulary), 1)
    distinct, codes = np.unique(_joint(lemma, tags, width), return_inverse=True)
    has_border = int(len(distinct) > 0 and distinct[0] < 0)
    distinct = distinct[has_border:]
    lemmas, names = lemma.vocabulary.words, tags.vocabulary.words
    words = [f"{lemmas[key // width]}_{names[key % width]}" for key in distinct.tolist()]
    vocabulary, merged = Vocabulary.numbered(words)
    own = np.append(merged, np.int32(BORDER))[codes - has_border].astype(np.int32)
    return Layer(codes=own, vocabulary=vocabulary)


def _joint(lemma: Layer, tags: Layer, width: int) -> Integers:
    keys = np.empty(len(lemma.codes), dtype=np.int64)
    for start in range(0, len(keys), AT_ONCE):
        at = slice(start, start + AT_ONCE)
        codes = lemma.at(at).astype(np.int64)
        keys[at] = np.where(codes < 0, BORDER, codes * width + tags.at(at))
    return keys
