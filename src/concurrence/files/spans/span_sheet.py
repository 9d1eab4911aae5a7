"""Spans on the way from a file: marks with their places, and what the file says of documents and readers."""

from collections.abc import Callable
from dataclasses import dataclass, field

from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import Sentence
from concurrence.core.spans import Mark, Text


@dataclass(slots=True, kw_only=True)
class SpanSheet:
    """What a file holds, gathered while it is read; ``places`` say where each mark stands.

    ``read`` are the documents and coders that the file names together, in order. ``says_who_read`` tells whether a
    coder who is not named with a document did not read it; ``warnings`` say what was left out.
    """

    name: str
    marks: list[Mark] = field(default_factory=list)
    places: list[Callable[[], str]] = field(default_factory=list)
    read: dict[tuple[str, str], None] = field(default_factory=dict)
    texts: dict[str, Text] = field(default_factory=dict)
    says_who_read: bool = False
    warnings: list[Sentence] = field(default_factory=list)

    def add(self, document: str, coder: str, place: Callable[[], str]) -> "ReadDocument":
        """A coder who read a document."""
        self.read[document, coder] = None
        return ReadDocument(sheet=self, document=document, coder=coder, place=place)

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
    place: Callable[[], str]

    def mark(self, start: object, end: object, label: object) -> None:
        """Add a span of this coder."""
        name = "" if label is None else str(label)
        if not name:
            raise InvalidInputError(f"{self.place()}: the span has no label.")
        ends = [parse_position(one, word, self.place) for one, word in ((start, "start"), (end, "end"))]
        self.sheet.marks.append(Mark(document=self.document, coder=self.coder, start=ends[0], end=ends[1], label=name))
        self.sheet.places.append(self.place)


def parse_position(value: object, word: str, place: Callable[[], str]) -> int:
    """A position: a whole number, also where a spreadsheet wrote ``3.0``."""
    text = "" if value is None else str(value).strip()
    whole = text.removesuffix(".0")
    if not (whole.isdecimal() or (whole[:1] == "-" and whole[1:].isdecimal())):
        description = f"{text!r}" if text else "empty"
        raise InvalidInputError(
            f"{place()}: the {word} of a span is {description}, not a whole number. Count positions in whole units, "
            "such as characters, tokens or milliseconds."
        )
    return int(whole)


def line_place(name: str, line: int) -> Callable[[], str]:
    """The place of a line of a text file."""
    return lambda: f"{name}, line {line}"
