"""How results appear in notebooks: the answer in sentences, then a small table, nothing more."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from concurrence.core.display import format_cell

DIGITS = 3
ROWS = 20
"""How many rows of a long table a notebook shows."""


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "") -> str:
    """A table; numbers have three decimals, undefined ones are a dash.

    >>> html_table(["n"], [[0.9], ["<MI>"], [float("nan")]]).partition("<tbody>")[2]
    '<tr><td>.900</td></tr><tr><td>&lt;MI&gt;</td></tr><tr><td>–</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    words = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{words}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_sentences(sentences: Iterable[str]) -> str:
    """Sentences, one per paragraph."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def html_records(records: Sequence[Mapping[str, Any]]) -> str:
    """A table of records; names that hold nothing anywhere are left out.

    >>> html_records([{"n": 5, "budget": None}]).partition("<tbody>")[0]
    '<table><thead><tr><th>n</th></tr></thead>'
    """
    columns = [name for name in (records[0] if records else ()) if any(record[name] is not None for record in records)]
    return html_table(columns, [[record[name] for name in columns] for record in records])


def html_start(table: Any) -> str:
    """The first rows of a frame, and how many more there are."""
    more = len(table) - ROWS
    head = html_table(table.columns, table.head(ROWS).rows())
    return head + (html_sentences([f"… and {more:,} more rows."]) if more > 0 else "")


def _cell(cell: Any) -> str:
    return escape(format_cell(cell, digits=DIGITS))
