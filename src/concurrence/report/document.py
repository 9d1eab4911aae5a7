"""A report as a value: sections of paragraphs, tables, charts and formulas. Rendering comes last."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Words; ``warning`` marks what a reader must not overlook."""

    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under columns; cells are text or numbers, rounded only when they are shown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str

    @classmethod
    def of(cls, caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> "Table":
        """A table from any sequences."""
        return cls(caption=caption, columns=tuple(columns), rows=tuple(tuple(row) for row in rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A Vega-Lite specification with the words that say what it shows."""

    specification: dict[str, Any]
    caption: str


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
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report: the answer in sentences first, then the evidence, then the methods."""

    title: str
    question: str
    answer: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, in order."""
        return tuple(block for section in self.sections for block in section.blocks if isinstance(block, Table))

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart, in order."""
        return tuple(block for section in self.sections for block in section.blocks if isinstance(block, Chart))
