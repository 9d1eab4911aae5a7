"""Where two words occur together by the rules that need no more than positions, and why they do not."""

from collections.abc import Iterable

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.layers import Integers, Layer
from concurrence.core.rules import Rule, parse_rule
from concurrence.core.sentences import Sentence, join_words

LIGHT = ("adjacent", "window", "window-pairs", "sentence")


ROOMIER = ("adjacent", "window-pairs:5", "window:5", "window:10", "sentence")
"""Rules that any corpus allows, from the strictest to the widest."""


def pair_positions(
    corpus: Corpus, words: Layer, first: Integers, second: Integers, rule: Rule
) -> tuple[Integers, Integers]:
    """Both positions of every occurrence; ``window`` has one a collocate, ``sentence`` one a sentence.

    By these two rules a word does not go with itself, so that the two must be different in ``words``.

    >>> corpus = Corpus.from_sentences([["a", "rose", "is", "a", "rose"]])
    >>> roses = pair_positions(corpus, corpus.form, np.array([0, 3]), np.array([1, 4]), parse_rule("adjacent"))
    >>> [at.tolist() for at in roses]
    [[0, 3], [1, 4]]
    """
    if rule.name == "sentence":
        return _in_sentences(corpus, words, first, second)
    if rule.name == "window":
        return _nearest(corpus, words, first, second, rule.span or 1)
    lefts, rights = [], []
    for distance in range(1, (rule.span or 1) + 1):
        left = first[np.isin(first + distance, second, assume_unique=True)]
        left = left[corpus.sentence_of(left) == corpus.sentence_of(left + distance)]
        lefts.append(left)
        rights.append(left + distance)
    return np.concatenate(lefts), np.concatenate(rights)


def _nearest(corpus: Corpus, words: Layer, first: Integers, second: Integers, span: int) -> tuple[Integers, Integers]:
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


def _in_sentences(corpus: Corpus, words: Layer, first: Integers, second: Integers) -> tuple[Integers, Integers]:
    """The first of either word in every sentence that has both; of a token that could be both, the next other word."""
    left, right = _with_another(corpus, words, _firsts(corpus, first), second)
    rest = _firsts(corpus, second)
    rest = rest[~np.isin(corpus.sentence_of(rest), corpus.sentence_of(left))]
    more_right, more_left = _with_another(corpus, words, rest, first)
    return np.concatenate([left, more_left]), np.concatenate([right, more_right])


def _firsts(corpus: Corpus, positions: Integers) -> Integers:
    """The first of the positions in every sentence that has one."""
    return positions[np.unique(corpus.sentence_of(positions), return_index=True)[1]]


def _with_another(corpus: Corpus, words: Layer, ones: Integers, others: Integers) -> tuple[Integers, Integers]:
    """Each position, of which a sentence has one, with the first of the others there that is another word."""
    if not len(ones) or not len(others):
        return ones[:0], others[:0]
    sentences, own = corpus.sentence_of(ones), corpus.sentence_of(others)
    at = np.minimum(np.searchsorted(sentences, own), len(ones) - 1)
    fits = (sentences[at] == own) & (words.at(ones[at]) != words.at(others))
    chosen, first = np.unique(at[fits], return_index=True)
    return ones[chosen], others[fits][first]


def absent_words(words: Iterable[str]) -> tuple[Sentence, ...]:
    """That some words do not occur, if there are any."""
    names = list(dict.fromkeys(map(repr, words)))
    verb = "does" if len(names) == 1 else "do"
    text = f"{join_words(names)} {verb} not occur in the corpus."
    return (Sentence(code="unknown_word", text=text),) if names else ()


def why_none(corpus: Corpus, layer: Layer, l1: str, l2: str, rule: Rule) -> Sentence:
    """Why a pair of words has no occurrence: a word that does not occur, or another rule that finds it."""
    codes = {word: layer.vocabulary.code(word) for word in (l1, l2)}
    if absent := absent_words(word for word, code in codes.items() if code is None):
        return absent[0]
    if l1 == l2 and rule.name in ("window", "sentence"):
        return Sentence(code="same_word", text=f"By the rule {rule.text}, a word is never paired with itself.")
    positions = {word: layer.positions([code]) for word, code in codes.items() if code is not None}
    for other in map(parse_rule, ROOMIER):
        for first, second in ((l1, l2), (l2, l1)):
            times = len(pair_positions(corpus, layer, positions[first], positions[second], other)[0])
            if times and (other.text, first) != (rule.text, l1):
                often = "once" if times == 1 else f"{times:,} times"
                return Sentence(code="other_rule", text=f"The rule {other.text} finds {first} and {second} {often}.")
    return Sentence(code="no_rule", text="The words never occur in the same sentence.")
