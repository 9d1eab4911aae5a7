"""Whether an output is the one on the page: words as words, numbers by value.

Processors differ in the last bit of a logarithm, so that 11.92300284124334 on one is 11.923002841243342 on another.
A number that was rounded for people (``.286``) must come out with the digits and in the form of the page; a float in
full precision need only be the same number. pytest's own ``NUMBER`` option is no use for either: it takes an
unrounded 0.2863 for the ``.286`` of the page, and asks of a float in full precision for every digit that is there.
"""

import doctest
import math
import re
from re import Match, Pattern

FULL_PRECISION = 12  # significant digits; what is rounded for people has fewer
RELATIVE = 1e-12
FLOAT = r"(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?!\w|\.\d)"
NUMBER = re.compile(FLOAT)
WORD_STARTS, WORD_ENDS = r"(?<!\S)", r"(?!\S)"
LINES = re.compile(r"^\s*(?:\.\.\.|…)\s*$", re.MULTILINE)
CHARACTERS = re.compile(r"\.\.\.")
NO_GAP = re.compile(r"(?!)")


def same_output(printed: str, actual: str, *, gap: Pattern[str] = NO_GAP) -> bool:
    """Whether ``actual`` is what is printed, white space aside; where ``gap`` matches, it may hold anything.

    >>> same_output("G2 = 11.92300284124334", "G2 =  11.923002841243342")
    True
    >>> same_output("kappa = .286", "kappa = 0.29"), same_output("kappa = .286", "kappa = .2863")
    (False, False)
    """
    text, whole_words = _one_line(actual), gap is LINES
    parts = map(_one_line, gap.split(printed)) if whole_words else gap.split(_one_line(printed))
    pieces = [_Piece(part, whole_words=whole_words) for part in parts]
    if len(pieces) == 1:
        return pieces[0].find(text, begin=True, end=True) is not None
    # Each piece where it first fits after the one before it: if any choice of places works, this one does.
    first, *middle, last = pieces
    at = first.find(text, begin=True)
    for piece in middle:
        at = at if at is None else piece.find(text, at)
    return at is not None and last.find(text, at, end=True) is not None


def same_number(printed: str, actual: str) -> bool:
    """Whether two floats are one: the same text, or the same value if either is given in full precision.

    >>> same_number("0.3", "0.30000000000000004"), same_number("0.30", "0.3")
    (True, False)
    """
    if printed == actual:
        return True
    exact = max(_significant_digits(printed), _significant_digits(actual)) >= FULL_PRECISION
    return exact and math.isclose(float(printed), float(actual), rel_tol=RELATIVE, abs_tol=0.0)


class Checker(doctest.OutputChecker):
    """Compares the outputs of doctests as those of the guides; the project's ``conftest.py`` sees to it that it does.

    >>> 0.1 + 0.2
    0.3
    """

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        gap = CHARACTERS if optionflags & doctest.ELLIPSIS else NO_GAP
        return same_output(want.replace("<BLANKLINE>", ""), got, gap=gap)


class _Piece:
    """What is printed between two gaps."""

    def __init__(self, text: str, *, whole_words: bool) -> None:
        self.numbers = NUMBER.findall(text)
        literals = [re.escape(literal) for literal in NUMBER.split(text)]
        pattern = f"({FLOAT})".join(literals)
        if whole_words and text:
            pattern = f"{WORD_STARTS}{pattern}{WORD_ENDS}"
        self.pattern, self.closing = re.compile(pattern), re.compile(rf"{pattern}\Z")

    def find(self, text: str, at: int = 0, *, begin: bool = False, end: bool = False) -> int | None:
        """Where the first place ends at which the piece fits, from a position on."""
        pattern = self.closing if end else self.pattern
        if begin:
            match = pattern.match(text)
            return match.end() if match and self._fits(match) else None
        while match := pattern.search(text, at):
            if self._fits(match):
                return match.end()
            at = match.start() + 1
        return None

    def _fits(self, match: Match[str]) -> bool:
        return all(map(same_number, self.numbers, match.groups()))


def _significant_digits(number: str) -> int:
    digits = re.split("[eE]", number)[0].replace(".", "")
    return len(digits.lstrip("0"))


def _one_line(text: str) -> str:
    return " ".join(text.split())
