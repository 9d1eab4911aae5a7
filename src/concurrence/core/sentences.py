"""What there is to say, as a value, and how numbers and words are written in it.

Programs decide by the code of a sentence, people read its text. Numbers are the same on the terminal, on a page and in
a notebook.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence with a stable name; ``warning`` marks what a reader must not overlook."""

    code: str
    text: str
    warning: bool = False

    def __str__(self) -> str:
        return self.text


def warnings_of(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The warnings among the sentences."""
    return tuple(sentence for sentence in sentences if sentence.warning)


def warnings_first(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The sentences as people read them: warnings come first."""
    return tuple(sorted(sentences, key=lambda sentence: not sentence.warning))


def join_words(parts: Sequence[str]) -> str:
    """Words in a row.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


ROUNDING = 1e-14
"""What is smaller is a zero that went through floating-point arithmetic."""


def format_cell(value: Any, *, digits: int = 4) -> str:
    """A cell as a person reads it: nothing where there is nothing, numbers to a few digits.

    >>> [format_cell(cell) for cell in (0.67251461, 1200, None, [0.00003, 0.7833], 1.2e-9, 2.2e-16)]
    ['.6725', '1,200', '–', '[.0000, .7833]', '1.2e-09', '0']
    """
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if hasattr(value, "low"):
        return "–" if value.low != value.low else format_cell(list(value), digits=digits)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_bound(entry, digits) for entry in value) + "]"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return _number(value, digits)
    return str(value)


def _bound(value: Any, digits: int) -> str:
    """An end of an interval: beside the other end, a tiny one is rounded like it."""
    tiny = isinstance(value, float) and ROUNDING <= abs(value) < 0.5 * 10**-digits
    return f"{abs(value):.{digits}f}".replace("0.", ".", 1) if tiny else format_cell(value, digits=digits)


def _number(value: float, digits: int) -> str:
    if isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value) and abs(value) >= 1:
        return f"{value:,.0f}"
    if abs(value) < ROUNDING:
        return "0"
    if abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    if abs(value) >= 1:
        return f"{value:,.{max(0, digits - len(str(int(abs(value)))))}f}"
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def count_noun(n: int, noun: str) -> str:
    """So many of a thing.

    >>> count_noun(1, "pair"), count_noun(2000, "pair")
    ('1 pair', '2,000 pairs')
    """
    return f"{n:,} {noun}{'s' * (n != 1)}"


def format_p(p_value: float, form: str = ".3f") -> str:
    """A p-value for reading.

    >>> format_p(0.0421), format_p(0.0421, ".2g"), format_p(1e-9)
    ('p = 0.042', 'p = 0.042', 'p < 0.001')
    """
    return "p < 0.001" if p_value < 0.0005 else f"p = {p_value:{form}}"
