"""The query language: CQP's tokens, ``[lemma="take" & pos="V.*"] []{0,3} [pos="N.*"]``, and plain words.

A token is a condition in brackets or a word in quotes; values are regular expressions that match the whole of it.
Tokens follow each other inside a sentence; ``?``, ``*``, ``+`` and ``{n,m}`` repeat one or a group in parentheses, and
``|`` parts alternatives. ``a:`` before a token is its name, and ``within clause`` at the end keeps what lies inside
one region of that kind. A query without brackets and quotes is a word, or several, in which ``*`` stands for any
letters.
"""

import re
from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError

MOST = 1000
"""Repetitions beyond this are those of an endless loop over a sentence."""

WHITE = " \t\r\n\f\v"
"""What parts words in a corpus; other kinds of space, such as the one in 10 000, belong to a word."""

SENTENCE = ("s", "sentence")
"""What no match ever leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What one property of a token must, or must not, be; ``ignore_case`` is CQP's ``%c``."""

    attribute: str
    pattern: str
    negated: bool = False
    ignore_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """Conditions of which all, or one, must hold; ``negated`` turns the answer round."""

    parts: tuple["Condition | Combined", ...]
    all_of: bool = True
    negated: bool = False


Test = Condition | Combined
ANY = Combined(parts=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A token, a row of parts, or alternatives, between ``least`` and ``most`` times in a row.

    ``label`` is the name of a token.
    """

    test: Test | None = None
    row: tuple["Repeated", ...] = ()
    alternatives: tuple[tuple["Repeated", ...], ...] = ()
    least: int = 1
    most: int = 1
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A query as it was written and as it is meant; ``within`` names the regions it must not leave."""

    text: str
    pattern: Repeated
    within: str | None = None

    @property
    def single(self) -> Test | None:
        """The token, where the query is just one."""
        row = self.pattern.row
        plain = len(row) == 1 and row[0].test is not None and (row[0].least, row[0].most) == (1, 1)
        return row[0].test if plain else None


TOKEN = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')(?P<flags>\s*%[a-z]+)?"
    r"|(?P<repeat>\{\s*\d*\s*(?:,\s*\d*\s*)?\})|(?P<name>\w+(?:\.\w+)?)|(?P<mark>!=|[\[\]()|&!=?*+:]))"
)


def parse_query(text: str, *, attribute: str = "word") -> Query:
    """Understand a query; ``attribute`` is what plain words and words in quotes are compared with.

    >>> parse_query('[pos="ADJ"]+ "tea"').pattern.row[0].most
    1000
    """
    stripped = text.strip(WHITE)
    if not stripped:
        raise InvalidInputError('The query is empty; give a word, or a pattern such as [lemma="take"].')
    if not is_pattern(stripped):
        words = re.split(f"[{WHITE}]+", stripped)
        row = tuple(Repeated(test=Condition(attribute=attribute, pattern=wildcard(word))) for word in words)
        return Query(text=text, pattern=Repeated(row=row))
    pattern, within = _Parser(stripped, attribute).whole()
    return Query(text=text, pattern=pattern, within=within)


def is_pattern(text: str) -> bool:
    """Whether a query is made of tokens in brackets and quotes, rather than of plain words."""
    return bool(re.search(r"[\[\"]", text) or re.match(r"'.*'\s*$", text))


def wildcard(word: str) -> str:
    """A word in which ``*`` stands for any letters, as a regular expression; a star alone is a star."""
    return re.escape(word) if word.strip("*") == "" else ".*".join(map(re.escape, word.split("*")))


class _Parser:
    """Reads a query from left to right."""

    def __init__(self, text: str, attribute: str) -> None:
        self.text, self.attribute, self.at = text, attribute, 0
        self.kind, self.value, self.flags, self.start = "", "", "", 0
        self.next()

    def next(self) -> None:
        token = TOKEN.match(self.text, self.at)
        if token is None:
            if self.text[self.at :].strip():
                self.refuse(self.at)
            self.kind, self.value, self.start = "end", "", len(self.text)
            return
        self.kind = token.lastgroup if token.lastgroup != "flags" else "string"  # type: ignore[assignment]
        self.value, self.flags = token[self.kind], (token["flags"] or "").strip()
        self.start, self.at = token.end() - len(token[0].lstrip()), token.end()

    def refuse(self, at: int | None = None) -> None:
        place = self.start if at is None else at
        rest = self.text[place:].strip()
        where = f"at {rest[:20]!r}" if rest else "at its end"
        raise InvalidInputError(
            f"The query {self.text!r} is not understood {where}; "
            'write tokens as [attribute="value"], such as [lemma="take"] []{0,3} [pos="N.*"].'
        )

    def whole(self) -> tuple[Repeated, str | None]:
        pattern, within = Repeated(alternatives=self.alternatives()), None
        if self.kind == "name" and self.value == "within":
            self.next()
            if self.kind != "name":
                raise InvalidInputError(f"The query {self.text!r}: name a region behind within, such as within s.")
            within = None if self.value in SENTENCE else self.value
            self.next()
        if self.kind != "end":
            self.refuse()
        pattern = pattern if len(pattern.alternatives) > 1 else Repeated(row=pattern.alternatives[0])
        return pattern, within

    def alternatives(self) -> tuple[tuple[Repeated, ...], ...]:
        rows = [self.row()]
        while self.value == "|" and self.kind == "mark":
            self.next()
            rows.append(self.row())
        return tuple(rows)

    def row(self) -> tuple[Repeated, ...]:
        parts = []
        while self.begins_token() or self.begins_label():
            parts.append(self.repeated())
        if not parts:
            self.refuse()
        return tuple(parts)

    def begins_token(self) -> bool:
        return self.kind == "string" or (self.kind == "mark" and self.value in ("[", "("))

    def begins_label(self) -> bool:
        return self.kind == "name" and self.text[self.at :].lstrip().startswith(":")

    def label(self) -> str:
        """The name before a token, where there is one."""
        if not self.begins_label():
            return ""
        name = self.value
        self.next()
        self.next()
        if not self.begins_token() or self.value == "(":
            self.refuse()
        return name

    def repeated(self) -> Repeated:
        label = self.label()
        if self.kind == "mark" and self.value == "(":
            self.next()
            inner = Repeated(alternatives=self.alternatives())
            self.expect(")")
        else:
            inner = Repeated(test=self.token())
        least, most = self.times()
        return Repeated(test=inner.test, alternatives=inner.alternatives, least=least, most=most, label=label)

    def times(self) -> tuple[int, int]:
        repetitions = {"?": (0, 1), "*": (0, MOST), "+": (1, MOST)}
        if self.kind == "mark" and self.value in repetitions:
            times = repetitions[self.value]
        elif self.kind == "repeat":
            least, comma, most = (part.strip() for part in self.value[1:-1].partition(","))
            times = (int(least or 0), int(most or MOST) if comma else int(least or -1))
        else:
            return 1, 1
        if not 0 <= times[0] <= times[1] <= MOST or times[1] == 0:
            raise InvalidInputError(
                f"The query {self.text!r}: {self.value} must repeat between 0 and {MOST} times, "
                "the smaller number first."
            )
        self.next()
        return times

    def token(self) -> Test:
        if self.kind == "string":
            return self.condition(self.attribute, negated=False)
        self.expect("[")
        if self.kind == "mark" and self.value == "]":
            self.next()
            return ANY
        test = self.any_of()
        self.expect("]")
        return test

    def any_of(self) -> Test:
        parts = [self.all_of()]
        while self.kind == "mark" and self.value == "|":
            self.next()
            parts.append(self.all_of())
        return parts[0] if len(parts) == 1 else Combined(parts=tuple(parts), all_of=False)

    def all_of(self) -> Test:
        parts = [self.one()]
        while self.kind == "mark" and self.value == "&":
            self.next()
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else Combined(parts=tuple(parts))

    def one(self) -> Test:
        if self.kind == "mark" and self.value == "!":
            self.next()
            return Combined(parts=(self.one(),), negated=True)
        if self.kind == "mark" and self.value == "(":
            self.next()
            inner = self.any_of()
            self.expect(")")
            return inner
        if self.kind != "name":
            self.refuse()
        attribute = self.value
        self.next()
        if self.kind != "mark" or self.value not in ("=", "!="):
            self.refuse()
        negated = self.value == "!="
        self.next()
        if self.kind != "string":
            self.refuse()
        return self.condition(attribute, negated=negated)

    def condition(self, attribute: str, *, negated: bool) -> Condition:
        pattern = re.sub(r"\\([\"'])", r"\1", self.value[1:-1])
        try:
            re.compile(pattern)
        except re.error as error:
            raise InvalidInputError(
                f"The query {self.text!r}: {pattern!r} is not a regular expression ({error})."
            ) from error
        if self.flags not in ("", "%c"):
            raise InvalidInputError(f"The query {self.text!r}: of CQP's flags only %c (ignore case) is known.")
        ignore = self.flags == "%c"
        self.next()
        return Condition(attribute=attribute, pattern=pattern, negated=negated, ignore_case=ignore)

    def expect(self, mark: str) -> None:
        if self.kind != "mark" or self.value != mark:
            self.refuse()
        self.next()
