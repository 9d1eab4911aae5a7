"""The list of decisions, from the files themselves."""

from collections.abc import Iterable
from pathlib import Path

from pages.markdown import page


def decisions(folder: Path) -> str:
    """A page that links every decision by its title."""
    opening = "Decisions that someone might want to undo, and the reasons for them."
    return _listing("Decisions", opening, "../decisions/", sorted(folder.glob("[0-9]*.md")))


def _listing(title: str, opening: str, path: str, files: Iterable[Path]) -> str:
    lines = [f"- [{_title(file)}]({path}{file.name})" for file in files]
    toctree = "\n".join(["```{toctree}", ":hidden:", *(f"{path}{file.stem}" for file in files), "```"])
    return page(title, opening, "\n".join(lines), toctree)


def _title(file: Path) -> str:
    return file.read_text("utf-8").splitlines()[0].lstrip("# ")
