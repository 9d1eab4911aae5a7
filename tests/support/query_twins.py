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
    possible_ends, current = set(), {at}
    for times in range(min(part.most, len(words) + 1) + 1):
        if times >= part.least:
            possible_ends |= current
        current = {end for begin in current for end in once(part, words, begin)}
    return possible_ends


def once(part, words, at):
    if part.test is not None:
        return {at + 1} if at < len(words) and passes(part.test, words[at]) else set()
    all_ends = set()
    for row in part.alternatives or (part.row,):
        row_ends = {at}
        for inner in row:
            row_ends = {end for begin in row_ends for end in ends(inner, words, begin)}
        all_ends |= row_ends
    return all_ends
