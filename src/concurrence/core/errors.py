"""What can go wrong, in words.

* ConcurrenceError
  x InvalidInputError   the data or an option breaks a stated rule
    + UnknownNameError  a name is not in the table it was looked up in
    + MissingExtraError an optional part is needed and not installed
  x UndefinedError      the input is valid, but the statistic does not exist for it

A message is one sentence, or two: what is wrong and where, the rule, the way out. Doors turn each of
them into that sentence in exactly one place. The way out is an option on the command line and a keyword in Python.
"""

from collections.abc import Iterable
from contextvars import ContextVar
from difflib import get_close_matches

COMMAND_LINE: ContextVar[bool] = ContextVar("COMMAND_LINE", default=False)
"""Whether the caller types options; the command line sets it while a command runs."""


def option_or_keyword(option: str, keyword: str) -> str:
    """How the caller says it.

    >>> option_or_keyword("--wide", 'shape="wide"')
    'shape="wide"'
    """
    return option if COMMAND_LINE.get() else keyword


class ConcurrenceError(Exception):
    """Every error this package raises on purpose."""


class InvalidInputError(ConcurrenceError, ValueError):
    """The data or an option breaks a stated rule."""


class UnknownNameError(InvalidInputError):
    """A name is not in the table it was looked up in."""

    def __init__(self, kind: str, name: str, names: Iterable[str], *, advice: str = "") -> None:
        names = list(names)
        close = get_close_matches(name, names, n=1, cutoff=0.6)
        hint = f"Did you mean {close[0]!r}?" if close else f"Known names: {', '.join(names)}."
        super().__init__(f"There is no {kind} {name!r}. {hint}{f' {advice}' if advice else ''}")


def unknown_attribute(name: str, names: Iterable[str]) -> UnknownNameError:
    """A property that tokens do not have; those of tagged text can be had."""
    can_be_tagged = name in ("lemma", "pos", "xpos")
    advice = "concur tag adds parts of speech and lemmas to plain text." if can_be_tagged else ""
    return UnknownNameError("token attribute", name, names, advice=advice)


class MissingExtraError(InvalidInputError):
    """An optional part is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs a package that is not installed; install it with: pip install 'concurrence[{extra}]'"
        )


class UndefinedError(ConcurrenceError):
    """The input is valid, but the statistic does not exist for it."""
