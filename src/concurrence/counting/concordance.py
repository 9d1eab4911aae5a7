"""Where a pair occurs, by every rule."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.query import wildcard
from concurrence.core.rules import PATTERNS, Rule, parse_rule, refuse_sequences
from concurrence.core.sentences import Sentence, join_words
from concurrence.core.tokens import Tokens
from concurrence.counting.count import Counting
from concurrence.counting.members import Positions
from concurrence.counting.occurrences import pattern_tokens, places
from concurrence.counting.stream import REMOVED, make_stream

ROOMIER = ("adjacent", "window-pairs:5", "window:5", "window:10", "sentence")
"""Rules that any corpus allows, from the strictest to the widest."""


def pair_positions(tokens: Tokens, l1: str, l2: str, how: Counting) -> tuple[Positions, Positions]:
    """The positions of both words wherever they occur together by a rule.

    ``sentence`` gives one place a sentence, ``window`` one a collocate. By a rule with a pattern, ``*`` stands for any
    letters.

    >>> tokens = Tokens.from_sentences([["a", "rose", "is", "a", "rose"]])
    >>> [at.tolist() for at in pair_positions(tokens, "a", "rose", Counting(rule="adjacent"))]
    [[0, 3], [1, 4]]
    """
    rule = parse_rule(how.rule)
    refuse_sequences(rule, "The concordance of a pair", instead='; ask for them in a row, as in \'"a" "red" "rose"\'')
    return _places(tokens, l1, l2, rule, how)


def why_none(tokens: Tokens, l1: str, l2: str, how: Counting) -> Sentence:
    """Why a pair was not found: a word that does not occur, or another rule that finds it."""
    rule = parse_rule(how.rule)
    known = set(make_stream(tokens, unit=how.unit, lower=how.lower, filters=how.filters).words)
    absent = [repr(word) for word in (l1, l2) if word not in known]
    if absent:
        verb = "does" if len(absent) == 1 else "do"
        return Sentence(code="unknown_word", text=f"{join_words(absent)} {verb} not occur in the corpus.")
    if l1 == l2 and rule.name in ("window", "sentence"):
        return Sentence(code="same_word", text=f"By the rule {rule.text}, a word is never paired with itself.")
    for other in map(parse_rule, ROOMIER):
        for first, second in ((l1, l2), (l2, l1)):
            found = len(_places(tokens, first, second, other, how)[0])
            if found and (other.text, first) != (rule.text, l1):
                times = "once" if found == 1 else f"{found:,} times"
                return Sentence(code="other_rule", text=f"The rule {other.text} finds {first} and {second} {times}.")
    return Sentence(code="no_rule", text="The words never occur in the same sentence.")


def _places(tokens: Tokens, l1: str, l2: str, rule: Rule, how: Counting) -> tuple[Positions, Positions]:
    if rule.name in PATTERNS:
        return _pattern_places(tokens, l1, l2, rule, how)
    return _stream_places(tokens, l1, l2, rule, how)


def _pattern_places(tokens: Tokens, l1: str, l2: str, rule: Rule, how: Counting) -> tuple[Positions, Positions]:
    pairs = pattern_tokens(tokens, rule, unit=how.unit, lower=how.lower, filters=how.filters)
    is_left, is_right = _like(pairs.left.words, l1), _like(pairs.right.words, l2)
    here = is_left[pairs.left.codes] & is_right[pairs.right.codes]
    return pairs.left.at[here], pairs.right.at[here]


def _like(words: pl.Series, word: str) -> NDArray[np.bool_]:
    """Which words are this one, or fit it if it has a wildcard."""
    return (words.str.contains(f"^(?:{wildcard(word)})$") if "*" in word else words == word).to_numpy()


def _stream_places(tokens: Tokens, l1: str, l2: str, rule: Rule, how: Counting) -> tuple[Positions, Positions]:
    """Look at these two words alone: all others are taken out of the positions."""
    stream = make_stream(tokens, unit=how.unit, lower=how.lower, filters=how.filters)
    is_first = np.append((stream.words == l1).to_numpy(), [False, False])[stream.codes]
    is_second = np.append((stream.words == l2).to_numpy(), [False, False])[stream.codes]
    codes = np.where(is_first | is_second | (stream.codes == -1), stream.codes, np.int32(REMOVED))
    parts = [(a, b) for a, b in places(codes, rule) if len(a)]
    left, right = (np.concatenate([np.zeros(0, dtype=np.int64), *(part[k] for part in parts)]) for k in (0, 1))
    if rule.name == "sentence":
        sentence = np.searchsorted(tokens.sentence_starts(), left, side="right")
        _, first = np.unique(sentence, return_index=True)
        return left[first], right[first]
    fits = is_first[left] & is_second[right]
    left, right = left[fits], right[fits]
    if rule.name == "window":  # distances come ascending: the first is the nearest node
        right, first = np.unique(right, return_index=True)
        left = left[first]
    return left, right
