"""What all generated pages need: tables, headings, and a write that leaves unchanged files alone."""

from collections.abc import Iterable, Sequence
from pathlib import Path


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; a bar inside a cell is escaped.

    >>> print(table(["a", "b"], [[1, "x | y"]]))
    | a | b |
    | --- | --- |
    | 1 | x \\| y |
    """
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(cell: object) -> str:
    return " ".join(str(cell).split()).replace("|", "\\|")


def page(title: str, *parts: str) -> str:
    """A page from its title and parts."""
    return "\n\n".join([f"# {title}", *(part for part in parts if part)]) + "\n"


def write(path: Path, text: str) -> None:
    """Write a page where it changed; Sphinx then reads only those again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text("utf-8") != text:
        path.write_text(text, encoding="utf-8")
