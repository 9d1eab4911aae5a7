"""Conditions on the rows of a table: ``status = "Approved" and seconds > 5``."""

import re
from collections.abc import Callable, Sequence

import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.numerals import parse_number

TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<quoted>`[^`]*`)|(?P<sign>!=|<=|>=|[=<>(),])|(?P<word>[^\s=<>!(),"'`]+))"""
)
ORDER = ("<", "<=", ">", ">=")
Condition = Callable[[Callable[[str], pl.Series]], pl.Series]
"""Which rows a condition holds for, given the columns by their names."""


def parse_condition(expression: str) -> Condition:
    """A condition: ``= != < <= > >= in like``, ``and or not`` and brackets.

    A name with spaces stands in backquotes. Numbers without quotes are compared as numbers, everything else as text; in
    ``like``, ``%`` is any text. An empty cell is the text of no characters.

    >>> columns = {"n": pl.Series(["1", "10", None]), "who": pl.Series(["ann", "bob", "ann"])}
    >>> parse_condition('n >= 2 or who = "ann" and not n = 1')(columns.__getitem__).to_list()
    [False, True, True]
    """
    return _Parser(expression).whole()


class _Parser:
    """Reads one expression from left to right."""

    def __init__(self, expression: str) -> None:
        self.expression, self.place = expression, 0
        self.tokens: list[tuple[str, str]] = []
        end = 0
        while expression[end:].strip():
            match = TOKEN.match(expression, end)
            if match is None:
                raise self.error(f"{expression[end:].strip()!r} cannot be read")
            self.tokens.append((str(match.lastgroup), match.group(str(match.lastgroup))))
            end = match.end()

    def error(self, why: str) -> InvalidInputError:
        """What is wrong with the expression, with one that is right."""
        option = option_or_keyword("--rows 'status = \"Approved\"'", "rows='status = \"Approved\"'")
        return InvalidInputError(
            f"The condition {self.expression!r} is not understood: {why}. Write it as in {option}."
        )

    def peek(self) -> str:
        kind, text = self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")
        return text.lower() if kind in ("word", "sign") else ""

    def take(self) -> tuple[str, str]:
        if self.place == len(self.tokens):
            raise self.error("it ends too early")
        self.place += 1
        return self.tokens[self.place - 1]

    def whole(self) -> Condition:
        condition = self.either()
        if self.place < len(self.tokens):
            raise self.error(f"{self.tokens[self.place][1]!r} is one word too many")
        return condition

    def either(self) -> Condition:
        parts = [self.both()]
        while self.peek() == "or":
            self.take()
            parts.append(self.both())
        return lambda column: _reduce([part(column) for part in parts], any_=True)

    def both(self) -> Condition:
        parts = [self.single()]
        while self.peek() == "and":
            self.take()
            parts.append(self.single())
        return lambda column: _reduce([part(column) for part in parts], any_=False)

    def single(self) -> Condition:
        if self.peek() == "not":
            self.take()
            inner = self.single()
            return lambda column: ~inner(column)
        if self.peek() == "(":
            self.take()
            inner = self.either()
            if self.take()[1] != ")":
                raise self.error("a bracket is not closed")
            return inner
        return self.comparison()

    def comparison(self) -> Condition:
        kind, name = self.take()
        if kind not in ("word", "quoted"):
            raise self.error(f"{name!r} is not the name of a column")
        name = name.strip("`")
        sign = self.take()[1].lower()
        if sign == "in":
            values = self.values()
            return lambda column: _reduce([_compare(column(name), "=", *value) for value in values], any_=True)
        if sign not in ("=", "!=", "like", *ORDER):
            raise self.error(f"{sign!r} is no comparison")
        value = self.value()
        return lambda column: _compare(column(name), sign, *value)

    def values(self) -> list[tuple[str, bool]]:
        if self.take()[1] != "(":
            raise self.error("the values after in stand in brackets")
        values = [self.value()]
        while (sign := self.take()[1]) == ",":
            values.append(self.value())
        if sign != ")":
            raise self.error("a bracket is not closed")
        return values

    def value(self) -> tuple[str, bool]:
        """A value, and whether it was quoted."""
        kind, text = self.take()
        if kind == "sign":
            raise self.error(f"{text!r} is no value")
        return (text[1:-1], True) if kind in ("text", "quoted") else (text, False)


def _compare(column: pl.Series, sign: str, value: str, quoted: bool) -> pl.Series:
    texts = column.cast(pl.String).fill_null("")
    number = None if quoted else parse_number(value)
    if sign == "like":
        pattern = "".join(".*" if part == "%" else re.escape(part) for part in re.split("(%)", value))
        return texts.str.contains(f"(?s)^{pattern}$")
    compared = texts if number is None else texts.str.strip_chars().cast(pl.Float64, strict=False)
    other = value if number is None else number
    results = {
        "=": lambda: compared == other,
        "!=": lambda: compared != other,
        "<": lambda: compared < other,
        "<=": lambda: compared <= other,
        ">": lambda: compared > other,
        ">=": lambda: compared >= other,
    }
    return results[sign]().fill_null(sign == "!=")


def _reduce(parts: Sequence[pl.Series], *, any_: bool) -> pl.Series:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole | part if any_ else whole & part
    return whole
