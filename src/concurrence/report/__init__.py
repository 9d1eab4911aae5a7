"""Results to something to read: sentences, tables, charts, pages. Nothing is computed here.

Importing this package registers it with ``core``, so that every result can show and save itself; what draws a result
is loaded when the result is drawn.
"""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.core.results import register_renderer

if TYPE_CHECKING:
    import polars as pl

PAGES = (".html", ".md", ".tex")
CHARTS = (".svg", ".png")
"""Endings of files that hold a page or a chart; all others hold a table."""


class _Presenters:
    """Draws results by their presenters."""

    def html(self, result: Any) -> str:
        from concurrence.report.presenters import presenter_of
        from concurrence.report.render.html import render_notebook

        presenter = presenter_of(result)
        return render_notebook((presenter.brief or presenter.document)(result))

    def table(self, result: Any) -> "pl.DataFrame":
        from concurrence.report.presenters import table_of

        return table_of(result)

    def json(self, result: Any) -> dict[str, Any]:
        from concurrence.report.files import saved_json

        return saved_json(result)

    def save(self, result: Any, path: str | PathLike[str]) -> None:
        from concurrence.report.files import save_result

        save_result(result, Path(path))


register_renderer(_Presenters())
