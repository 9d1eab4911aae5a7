"""Spans on the way from a file: marks with their places, and what the file says of documents and readers."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from sys import intern

from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import Sentence
from concurrence.core.spans import Mark, Text


@dataclass(slots=True, kw_only=True)
class SpanSheet:
    """What a file holds, gathered while it is read.

    ``place`` words a number of the source, such as that of a row; ``numbers`` has that of each mark: files may hold
    millions of spans, so that nothing but numbers and names that they share is kept of each. ``read`` are the documents
    and coders that the file names together, in order. ``says_who_read`` tells whether a coder who is not named with a
    document did not read it; ``kinds`` what its coders are (human or a machine); ``warnings`` say what was left out.
    """

    name: str
    place: Callable[[int], str]
    marks: list[Mark] = field(default_factory=list)
    numbers: "array[int]" = field(default_factory=lambda: array("q"))
    read: dict[tuple[str, str], None] = field(default_factory=dict)
    texts: dict[str, Text] = field(default_factory=dict)
    says_who_read: bool = False
    kinds: dict[str, str] = field(default_factory=dict)
    warnings: list[Sentence] = field(default_factory=list)

    def add(self, document: str, coder: str, number: int) -> "ReadDocument":
        """A coder who read a document, at a place of the source."""
        document, coder = intern(document), intern(coder)
        self.read[document, coder] = None
        return ReadDocument(sheet=self, document=document, coder=coder, number=number)

    def place_of(self, mark: int) -> str:
        """Where a mark stands in the source."""
        return self.place(self.numbers[mark])

    def only_coders(self, coders: Iterable[str]) -> "SpanSheet":
        """What some of the coders read and marked."""
        names = set(coders)
        rows = [row for row, mark in enumerate(self.marks) if mark.coder in names]
        return replace(
            self,
            marks=[self.marks[row] for row in rows],
            numbers=array("q", (self.numbers[row] for row in rows)),
            read={pair: None for pair in self.read if pair[1] in names},
        )

    @property
    def documents(self) -> list[str]:
        """The documents in their order."""
        return list(dict.fromkeys(document for document, _ in self.read))

    @property
    def coders(self) -> list[str]:
        """The coders in their order."""
        return list(dict.fromkeys(coder for _, coder in self.read))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """One coder on one document."""

    sheet: SpanSheet
    document: str
    coder: str
    number: int

    def mark(self, start: object, end: object, label: object) -> None:
        """Add a span of this coder."""
        name = "" if label is None else str(label)
        if not name:
            raise InvalidInputError(f"{self.sheet.place(self.number)}: the span has no label.")
        first, last = (
            parse_position(one, word, self.sheet.place, self.number) for one, word in ((start, "start"), (end, "end"))
        )
        mark = Mark(document=self.document, coder=self.coder, start=first, end=last, label=intern(name))
        self.sheet.marks.append(mark)
        self.sheet.numbers.append(self.number)


def parse_position(value: object, word: str, place: Callable[[int], str], row: int) -> int:
    """A position: a whole number, also where a spreadsheet wrote ``3.0``."""
    text = "" if value is None else str(value).strip()
    number = text.removesuffix(".0")
    if not (number.isdecimal() or (number[:1] == "-" and number[1:].isdecimal())):
        description = f"{text!r}" if text else "empty"
        raise InvalidInputError(
            f"{place(row)}: the {word} of a span is {description}, not a whole number. Count positions in whole units, "
            "such as characters, tokens or milliseconds."
        )
    return int(number)


def line_places(name: str) -> Callable[[int], str]:
    """The places of a text file, which are its lines."""
    return lambda line: f"{name}, line {line}"
