"""A document on the terminal: the answer first, then its tables."""

from typing import Any

from concurrence.core.display import format_cell
from concurrence.report.render.document import Block, Chart, Document, Formula, Paragraph, Table

DIGITS = 3


def terminal(document: Document) -> list[Any]:
    """What rich prints of a document; charts and methods are left to the page."""
    return _spaced(_parts(document))


def _parts(document: Document) -> list[Any]:
    from rich.text import Text

    inside = [line for part in document.parts for line in ("", Text(part.title, style="bold"), *_parts(part), "")]
    told_first = [Text(sentence, style="yellow") for sentence in document.warnings]
    told_first += [Text(sentence, style="" if place else "bold") for place, sentence in enumerate(document.answer)]
    kept = [block for one in document.sections for block in one.blocks if not isinstance(block, Chart | Formula)]
    return [*inside, *told_first, *(line for block in kept for line in _block(block))]


def _spaced(parts: list[Any]) -> list[Any]:
    """One blank line between tables, none at the end."""
    kept = [part for place, part in enumerate(parts) if part != "" or (place and parts[place - 1] != "")]
    return kept[:-1] if kept and kept[-1] == "" else kept


def _block(block: Block) -> list[Any]:
    from rich.text import Text

    if isinstance(block, Table):
        return ["", *terminal_table(block), ""]
    if isinstance(block, Paragraph):
        return [Text(block.text, style="yellow" if block.warning else "dim")]
    return []


def terminal_table(table: Table) -> list[Any]:
    """What rich prints of a table: its caption and its rows, in the one look of all commands."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place, column in enumerate(table.columns):
        drawn.add_column(column, justify="right" if table.is_numeric(place) else "left")
    for row in table.rows:
        drawn.add_row(*(escape(format_cell(cell, digits=DIGITS)) for cell in row))
    return [Text(table.caption, style="bold"), drawn]
