"""Tables as the sheets of an .xlsx workbook; every cell is text, so that a spreadsheet runs none as a formula."""

import re
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.files.atomic import replacing
from concurrence.files.provenance import Provenance, write_provenance
from concurrence.files.tables.formats import join_lists

MOST_ROWS = 1_048_575  # below the header
MOST_CHARACTERS = 32_767
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write_workbook(sheets: Mapping[str, pl.DataFrame], path: Path, provenance: Provenance | None = None) -> None:
    """Write tables as sheets in this order, whole or not at all; what a workbook cannot hold is refused."""
    try:
        import xlsxwriter
    except ImportError as error:
        raise MissingExtraError(f"{path}: writing .xlsx (or write .csv)", "excel") from error
    tables = {name: join_lists(frame).with_columns(pl.all().cast(pl.String)) for name, frame in sheets.items()}
    for name, table in tables.items():
        _refuse_unfit(name, table, path)
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with replacing(path) as temporary, xlsxwriter.Workbook(temporary, options) as book:
        bold = book.add_format({"bold": True})
        for name, table in tables.items():
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for place, heading in enumerate(table.columns):
                sheet.write_string(0, place, heading, bold)
            for number, row in enumerate(table.iter_rows(), start=1):
                for place, cell in enumerate(row):
                    if cell is not None:
                        sheet.write_string(number, place, cell)
    if provenance is not None:
        write_provenance(path, provenance)


def _refuse_unfit(name: str, table: pl.DataFrame, path: Path) -> None:
    """Refuse what Excel would cut off or not open."""
    if table.height > MOST_ROWS:
        raise InvalidInputError(
            f"{path}: a sheet holds {MOST_ROWS:,} rows, but there are {table.height:,}; write .csv or .parquet."
        )
    for column in table.iter_columns():
        for number, cell in enumerate(column, start=2):
            if fault := _fault(cell):
                raise InvalidInputError(
                    f"{path}: the cell in row {number}, column {column.name!r} of sheet {name!r} has {fault}, "
                    "which .xlsx cannot hold; write .csv or .parquet."
                )


def _fault(cell: str | None) -> str | None:
    if cell is not None and len(cell.encode("utf-16-le")) > 2 * MOST_CHARACTERS:
        return f"more than {MOST_CHARACTERS:,} characters"
    return "control characters" if cell is not None and NO_XML.search(cell) else None
