"""``concur measures``: every measure, its formula and its properties."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.output import (
    PAGES,
    TABLES,
    json_option,
    note_written,
    output_option,
    print_json,
    print_rich,
    provenance,
)

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from concurrence.measures import Measure


@click.command("measures")
@click.argument("name", required=False)
@output_option(
    "Write the list as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
@json_option
def command(name: str | None, *, output: "Path | None", json_: bool) -> None:
    """List the association measures, or tell all about one.

    In the formulas O is the observed and E the expected frequency of the pair, Oij and Eij are the cells of its
    table, R1 R2 C1 C2 the sums of rows and columns, N the sample size.

    \b
    Example:
      concur measures
      concur measures am.Fisher.pv
    """
    from concurrence.cli.documents import write_output
    from concurrence.files.tables import write_table
    from concurrence.measures import MEASURES, find_measure
    from concurrence.report.scoring import measures_document

    rows = [find_measure(name)] if name else list(MEASURES.values())
    made = provenance()
    if output is not None:
        told = partial(measures_document, rows)
        write_output(told, made, output, own=lambda path: write_table(_flat(rows), path, made))
        note_written(output)
    if json_:
        print_json({"measures": [row.as_row() for row in rows]}, made)
    elif output is None:
        print_rich(_details(rows[0]) if name else _table(rows))


def _flat(rows: "list[Measure]") -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame(
        [{**row.as_row(), "range": _range(row), "ranks_like": " ".join(row.ranks_like)} for row in rows]
    )


def _range(row: "Measure") -> str:
    low, high = row.range
    return f"{'(' if low == float('-inf') else '['}{low:g}, {high:g}{')' if high == float('inf') else ']'}"


def _table(rows: "list[Measure]") -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=f"{len(rows)} association measures", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", no_wrap=True)
    for heading, share in (("formula", 4), ("properties", 3), ("reference", 2), ("ranks like", 2)):
        table.add_column(heading, ratio=share)
    for kind in dict.fromkeys(row.kind for row in rows):
        table.add_row(f"[bold]{kind}[/bold]")
        for row in (r for r in rows if r.kind == kind):
            table.add_row(row.name, row.formula, _properties(row), row.reference, _ranks_like(row))
        table.add_section()
    return table


def _properties(row: "Measure") -> str:
    """Base, side, sign and range in a few words."""
    words = [row.side, "signed" if row.signed else "", f"base {row.base}" if row.base else "", _range(row)]
    return ", ".join(word for word in words if word)


def _ranks_like(row: "Measure") -> str:
    where = f" where {row.ranks_like_where}" if row.ranks_like_where else ""
    return f"{', '.join(row.ranks_like)}{where}"


def _details(row: "Measure") -> Any:
    from rich.table import Table

    table = Table(show_header=False, box=None, title=f"{row.name} ({row.symbol})", title_justify="left")
    known = row.as_row()
    signed = "yes: it has the sign of O - E" if row.signed else "no"
    shown = {
        "": known["summary"],
        "formula": row.formula,
        "kind": row.kind,
        "base": row.base or "none",
        "side": f"{row.side}: high for {'attraction alone' if row.side == 'one-sided' else 'attraction and repulsion'}",
        "signed": signed,
        "range": _range(row),
        "reference": row.reference,
        "UCS name": row.ucs or "none",
        "ranks like": _ranks_like(row) or "no other",
    }
    for label, text in shown.items():
        table.add_row(label, text)
    return table
