"""Lists of pages from the files themselves: decisions and topics."""

from collections.abc import Iterable
from pathlib import Path

from pages.markdown import page

PLACED = ("index", "tutorial")


def decisions(folder: Path) -> str:
    """A page that links every decision by its title."""
    opening = "Decisions that someone might want to undo, and the reasons for them."
    return _listing("Decisions", opening, "../decisions/", sorted(folder.glob("[0-9]*.md")))


def topics(docs: Path) -> str:
    """A page that links every page on one topic."""
    files = [file for file in sorted(docs.glob("*.md")) if file.stem not in PLACED]
    return _listing("Topics in depth", "Background to single commands.", "../", files)


def _listing(title: str, opening: str, path: str, files: Iterable[Path]) -> str:
    lines = [f"- [{_title(file)}]({path}{file.name})" for file in files]
    toctree = "\n".join(["```{toctree}", ":hidden:", *(f"{path}{file.stem}" for file in files), "```"])
    return page(title, opening, "\n".join(lines), toctree)


def _title(file: Path) -> str:
    return file.read_text("utf-8").splitlines()[0].lstrip("# ")
