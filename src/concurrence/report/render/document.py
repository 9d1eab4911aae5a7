"""A report as a value: sections of paragraphs, tables, charts and formulas. Rendering comes last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from concurrence.core.sentences import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Words; ``warning`` marks what a reader must not overlook."""

    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under columns; cells are text or numbers, rounded only when they are shown.

    ``to_the_right`` names columns whose text ends where the next column begins.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str
    to_the_right: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        caption: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        *,
        to_the_right: Sequence[str] = (),
    ) -> "Table":
        """A table from any sequences."""
        cells = tuple(tuple(row) for row in rows)
        return cls(caption=caption, columns=tuple(columns), rows=cells, to_the_right=tuple(to_the_right))

    def is_right(self, place: int) -> bool:
        """Whether the cells of a column stand to the right, as numbers do."""
        return self.columns[place] in self.to_the_right or self.is_numeric(place)

    def is_numeric(self, place: int) -> bool:
        """Whether a column holds numbers or intervals, and nothing else."""
        cells = [row[place] for row in self.rows if row[place] is not None and row[place] != "–"]
        return bool(cells) and all(_is_number(cell) for cell in cells)


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell.startswith("<.")  # a p-value below the smallest that is told
    return hasattr(cell, "low") or (isinstance(cell, int | float | list | tuple) and not isinstance(cell, bool))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A Vega-Lite specification with the words that say what it shows.

    ``small`` is the same for the head of a report of several results, where it shares the first screen.
    """

    specification: dict[str, Any]
    caption: str
    small: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The number that a result is about, with its interval: a report of several draws them on one axis."""

    name: str
    value: float
    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A method that was used: its name, what it is, the formula and where it comes from."""

    name: str
    words: str
    latex: str = ""
    reference: str = ""


Block = Paragraph | Table | Chart | Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it; ``is_methods`` marks the methods at the end of a report."""

    title: str
    blocks: tuple[Block, ...]
    is_methods: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report: warnings and the answer in sentences first, then the evidence, then the methods.

    A report of several results has one document for each as its ``parts``, and what they share as its own sections.
    ``agreement`` is the coefficient to report, where a document is about agreement.
    """

    title: str
    question: str
    answer: tuple[str, ...]
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()
    parts: tuple["Document", ...] = ()
    agreement: Estimate | None = None

    @classmethod
    def of(
        cls,
        title: str,
        question: str,
        answer: Iterable[Sentence | str],
        sections: Iterable[Section],
        *,
        warnings: Iterable[Sentence] = (),
    ) -> "Document":
        """A document from sentences; a warning among the answer is told with the warnings."""
        told_first = [str(one) for one in warnings]
        rest = (str(one) for one in answer if str(one) not in told_first)
        return cls(
            title=title, question=question, answer=tuple(rest), sections=tuple(sections), warnings=tuple(told_first)
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Everything under the headings, in order."""
        own = tuple(block for section in self.sections for block in section.blocks)
        return (*(block for part in self.parts for block in part.blocks), *own)

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Chart))


def to_paragraphs(sentences: Iterable[Sentence]) -> tuple[Paragraph, ...]:
    """Sentences as paragraphs."""
    return tuple(Paragraph(text=one.text, warning=one.warning) for one in sentences)


def named_charts(document: Document) -> dict[str, Chart]:
    """The charts by the headings they stand under, in lower case; of several under one heading, the first."""
    named: dict[str, Chart] = {}
    for part in (document, *document.parts):
        for section in part.sections:
            for block in section.blocks:
                if isinstance(block, Chart):
                    named.setdefault(section.title.lower(), block)
    return named
