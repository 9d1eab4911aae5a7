"""Where two words occur together by the rules that need no more than positions."""

import numpy as np

from concurrence.core.encoded import EncodedCorpus, Integers

LIGHT = ("adjacent", "window", "window-pairs", "sentence")


def pair_places(
    corpus: EncodedCorpus, first: Integers, second: Integers, rule: str, span: int | None
) -> tuple[Integers, Integers]:
    """Both positions of every occurrence; ``window`` has one a collocate, ``sentence`` one a sentence."""
    if rule == "sentence":
        return _in_sentences(corpus, first, second)
    if rule == "window":
        return _nearest(corpus, first, second, span or 1)
    lefts, rights = [], []
    for distance in range(1, (span or 1) + 1):
        left = first[np.isin(first + distance, second, assume_unique=True)]
        left = left[corpus.sentence_of(left) == corpus.sentence_of(left + distance)]
        lefts.append(left)
        rights.append(left + distance)
    return np.concatenate(lefts), np.concatenate(rights)


def _nearest(corpus: EncodedCorpus, first: Integers, second: Integers, span: int) -> tuple[Integers, Integers]:
    """Every collocate within the span of a node, with its nearest node; of two equally near ones, the earlier."""
    if not len(first) or not len(second):
        return first[:0], second[:0]
    second = second[~np.isin(second, first, assume_unique=True)]
    after = np.searchsorted(first, second)
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, len(first) - 1)
    options = np.stack([first[before], first[after]])
    here = corpus.sentence_of(second)
    distance = np.abs(options - second)
    distance[corpus.sentence_of(options.ravel()).reshape(options.shape) != here] = span + 1
    chosen = np.argmin(distance, axis=0)
    near = distance[chosen, np.arange(len(second))] <= span
    return options[chosen, np.arange(len(second))][near], second[near]


def _in_sentences(corpus: EncodedCorpus, first: Integers, second: Integers) -> tuple[Integers, Integers]:
    """The first of either word in every sentence that has both."""
    one, at_one = np.unique(corpus.sentence_of(first), return_index=True)
    two, at_two = np.unique(corpus.sentence_of(second), return_index=True)
    _, a, b = np.intersect1d(one, two, assume_unique=True, return_indices=True)
    return first[at_one[a]], second[at_two[b]]
