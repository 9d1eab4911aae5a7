"""The notebooks as pages: their words, their code, and what the code shows."""

import ast
import contextlib
import io
import json
import re
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages.checksums import checksum_of

STYLE = re.compile(r"<style.*?</style>", re.DOTALL)


def notebooks(folder: Path, cache: Path) -> dict[str, str]:
    """A page for each notebook, by its name; the code runs anew only where a notebook or the package has changed."""
    files = sorted(folder.glob("*.ipynb"))
    file = cache / f"notebooks-{checksum_of(files)}.json"
    if not file.is_file():
        for old in cache.glob("notebooks-*.json"):
            old.unlink()
        pages = {f"notebook-{book.stem}": _render_page(book) for book in files}
        cache.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(pages), "utf-8")
    return json.loads(file.read_text("utf-8"))


def _render_page(book: Path) -> str:
    cells = json.loads(book.read_text("utf-8"))["cells"]
    title, *rest = "".join(cells[0]["source"]).split("\n\n", 1)
    download = f"[Download this notebook](../notebooks/{book.name}), or read it here with its results."
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other libraries
        return "\n\n".join([title, download, *rest, *_render_cells(cells[1:])]) + "\n"


def _render_cells(cells: list[dict[str, Any]]) -> Iterator[str]:
    names: dict[str, Any] = {}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
        else:
            yield f"```python\n{source}\n```"
            yield from _outputs(source, names)


def _outputs(source: str, names: dict[str, Any]) -> Iterator[str]:
    """What a cell prints, and the value of its last line as a notebook would show it."""
    tree, output, value = ast.parse(source), io.StringIO(), None
    with contextlib.redirect_stdout(output):
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    if output.getvalue():
        yield f"```text\n{output.getvalue().rstrip()}\n```"
    if hasattr(value, "_repr_html_"):
        lines = STYLE.sub("", value._repr_html_()).splitlines()
        yield "\n".join(["```{raw} html", '<div class="output">', *filter(str.strip, lines), "</div>", "```"])
    elif value is not None:
        yield f"```text\n{value!r}\n```"
