"""How results show themselves in notebooks: a small table, nothing more."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "") -> str:
    """A table; numbers to three decimals, what is undefined as a dash.

    >>> html_table(["n"], [[0.9], ["<MI>"], [float("nan")]]).partition("<tbody>")[2]
    '<tr><td>0.900</td></tr><tr><td>&lt;MI&gt;</td></tr><tr><td>–</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in row)}</tr>" for row in rows)
    words = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{words}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_sentences(sentences: Iterable[str]) -> str:
    """Sentences, a paragraph each."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _shown(cell: Any) -> str:
    if cell is None or cell != cell:
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else escape(str(cell))
