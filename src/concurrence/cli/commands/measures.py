"""``concur measures``: every measure, its formula and its properties."""

from pathlib import Path

import click

from concurrence.cli.options import PAGES, TABLES, json_option, output_option
from concurrence.cli.output import provenance


@click.command("measures")
@click.argument("name", required=False)
@output_option(
    "Write the list as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
@json_option
def command(name: str | None, *, output: Path | None, json_: bool) -> None:
    """List the association measures, or describe one.

    In the formulas O is the observed and E the expected frequency of the pair, Oij and Eij are the cells of its
    table, R1 R2 C1 C2 the sums of rows and columns, N the sample size.

    \b
    Example:
      concur measures
      concur measures am.Fisher.pv
    """
    from concurrence.cli.output import show
    from concurrence.measures.table import list_measures

    show(list_measures(name), provenance(), json_=json_, output=output)
