"""What counts as one word: a form, a lemma, or a lemma with its part of speech, in small letters or not."""

import numpy as np

from concurrence.core.encoded import EncodedCorpus, Integers, Layer, Vocabulary
from concurrence.core.errors import UnknownNameError

UNITS = ("form", "lemma", "lemma_pos")
AT_ONCE = 1 << 22


def unit_layer(corpus: EncodedCorpus, unit: str, *, lower: bool = False) -> Layer:
    """The layer of a unit; one that the corpus does not hold is put together from those it has."""
    if unit not in UNITS:
        raise UnknownNameError("unit", unit, UNITS)
    if unit == "form":
        return corpus.layers["lower"] if lower else corpus.layers["form"]
    lemma = corpus.layer("lemma")
    lemma = lemma.lowered if lower else lemma
    return lemma if unit == "lemma" else _with_tags(corpus, lemma)


def _with_tags(corpus: EncodedCorpus, lemma: Layer) -> Layer:
    """Lemmas with their parts of speech, as in ``take_VERB``."""
    tags = corpus.layer("pos")
    width = max(len(tags.vocabulary), 1)
    distinct, codes = np.unique(_joint(corpus, lemma, tags, width), return_inverse=True)
    has_border = int(len(distinct) > 0 and distinct[0] < 0)
    distinct = distinct[has_border:]
    lemmas, names = lemma.vocabulary.words, tags.vocabulary.words
    words = [f"{lemmas[key // width]}_{names[key % width]}" for key in distinct.tolist()]
    vocabulary, merged = Vocabulary.numbered(words)
    own = np.append(merged, np.int32(-1))[codes - has_border].astype(np.int32)
    return Layer(codes=own, vocabulary=vocabulary)


def _joint(corpus: EncodedCorpus, lemma: Layer, tags: Layer, width: int) -> Integers:
    keys = np.empty(corpus.size, dtype=np.int64)
    for start in range(0, corpus.size, AT_ONCE):
        at = np.arange(start, min(start + AT_ONCE, corpus.size))
        codes = lemma.at(at).astype(np.int64)
        keys[at] = np.where(codes < 0, -1, codes * width + tags.at(at))
    return keys
