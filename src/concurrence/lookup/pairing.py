"""Where two words occur together by the rules that need no more than positions."""

import numpy as np

from concurrence.core.encoded import EncodedCorpus, Integers, Layer

LIGHT = ("adjacent", "window", "window-pairs", "sentence")


def pair_places(
    corpus: EncodedCorpus, words: Layer, first: Integers, second: Integers, rule: str, span: int | None
) -> tuple[Integers, Integers]:
    """Both positions of every occurrence; ``window`` has one a collocate, ``sentence`` one a sentence.

    By these two rules a word does not go with itself, so that the two must be different in ``words``.
    """
    if rule == "sentence":
        return _in_sentences(corpus, words, first, second)
    if rule == "window":
        return _nearest(corpus, words, first, second, span or 1)
    lefts, rights = [], []
    for distance in range(1, (span or 1) + 1):
        left = first[np.isin(first + distance, second, assume_unique=True)]
        left = left[corpus.sentence_of(left) == corpus.sentence_of(left + distance)]
        lefts.append(left)
        rights.append(left + distance)
    return np.concatenate(lefts), np.concatenate(rights)


def _nearest(
    corpus: EncodedCorpus, words: Layer, first: Integers, second: Integers, span: int
) -> tuple[Integers, Integers]:
    """Every collocate within the span of a node, with its nearest node; of two equally near ones, the earlier."""
    if not len(first) or not len(second):
        return first[:0], second[:0]
    after = np.searchsorted(first, second)
    before, after = first[np.maximum(after - 1, 0)], first[np.minimum(after, len(first) - 1)]
    second = second[np.minimum(np.abs(second - before), np.abs(after - second)) <= span]
    here = corpus.sentence_of(second)
    begins, ends = corpus.sentences[here], corpus.sentences[here + 1] - 1
    nodes = np.full(len(second), -1, dtype=np.int64)
    for distance in range(1, min(span, int((ends - begins).max(initial=1))) + 1):
        for at in (second - distance, second + distance):
            fits = (nodes < 0) & (begins <= at) & (at < ends) & np.isin(at, first)
            places = np.flatnonzero(fits)
            places = places[words.at(at[places]) != words.at(second[places])]
            nodes[places] = at[places]
    found = nodes >= 0
    return nodes[found], second[found]


def _in_sentences(corpus: EncodedCorpus, words: Layer, first: Integers, second: Integers) -> tuple[Integers, Integers]:
    """The first of either word in every sentence that has both; of a token that could be both, the next other word."""
    left, right = _with_another(corpus, words, _firsts(corpus, first), second)
    rest = _firsts(corpus, second)
    rest = rest[~np.isin(corpus.sentence_of(rest), corpus.sentence_of(left))]
    more_right, more_left = _with_another(corpus, words, rest, first)
    return np.concatenate([left, more_left]), np.concatenate([right, more_right])


def _firsts(corpus: EncodedCorpus, positions: Integers) -> Integers:
    """The first of the positions in every sentence that has one."""
    return positions[np.unique(corpus.sentence_of(positions), return_index=True)[1]]


def _with_another(corpus: EncodedCorpus, words: Layer, ones: Integers, others: Integers) -> tuple[Integers, Integers]:
    """Each position, of which a sentence has one, with the first of the others there that is another word."""
    if not len(ones) or not len(others):
        return ones[:0], others[:0]
    sentences, own = corpus.sentence_of(ones), corpus.sentence_of(others)
    at = np.minimum(np.searchsorted(sentences, own), len(ones) - 1)
    fits = (sentences[at] == own) & (words.at(ones[at]) != words.at(others))
    chosen, first = np.unique(at[fits], return_index=True)
    return ones[chosen], others[fits][first]
