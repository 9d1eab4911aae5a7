"""A matcher of the query language that tries everything, on words that are dictionaries of attributes."""

import re

from concurrence.core.query import Condition

NAMES = {"word": "form", "rel": "deprel"}


def passes(test, word):
    if isinstance(test, Condition):
        attribute = NAMES.get(test.attribute, test.attribute)
        value = word["form"].lower() if attribute == "lower" else word[attribute]
        fits = re.fullmatch(test.pattern, value, re.IGNORECASE if test.ignore_case else 0) is not None
        return fits != test.negated
    answers = [passes(part, word) for part in test.parts]
    return (all(answers) if test.all_of else any(answers)) != test.negated


def ends(part, words, at):
    """Every place where a part that begins at a place can end."""
    reached, now = set(), {at}
    for times in range(min(part.most, len(words) + 1) + 1):
        if times >= part.least:
            reached |= now
        now = {end for begin in now for end in once(part, words, begin)}
    return reached


def once(part, words, at):
    if part.test is not None:
        return {at + 1} if at < len(words) and passes(part.test, words[at]) else set()
    found = set()
    for row in part.alternatives or (part.row,):
        here = {at}
        for inner in row:
            here = {end for begin in here for end in ends(inner, words, begin)}
        found |= here
    return found
