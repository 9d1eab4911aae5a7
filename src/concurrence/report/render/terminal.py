"""A document on the terminal: the answer first, then its tables."""

from typing import Any

from concurrence.core.sentences import format_cell
from concurrence.report.render.document import Document, Paragraph, Table

DIGITS = 3


def terminal(document: Document) -> list[Any]:
    """What rich prints of a document, with one blank line between tables and none at the end.

    Charts and methods are left to the page.
    """
    lines = _lines(document)
    lines = [line for place, line in enumerate(lines) if line != "" or (place and lines[place - 1] != "")]
    return lines[:-1] if lines and lines[-1] == "" else lines


def _lines(document: Document) -> list[Any]:
    from rich.text import Text

    lines = [line for part in document.parts for line in ("", Text(part.title, style="bold"), *_lines(part), "")]
    lines += [Text(sentence, style="yellow") for sentence in document.warnings]
    lines += [Text(sentence, style="" if place else "bold") for place, sentence in enumerate(document.answer)]
    for block in (block for section in document.sections for block in section.blocks):
        if isinstance(block, Table):
            lines += ["", *terminal_table(block), ""]
        elif isinstance(block, Paragraph):
            lines.append(Text(block.text, style="yellow" if block.warning else "dim"))
    return lines


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
