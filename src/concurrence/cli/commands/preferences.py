"""``concur preferences``: strengths from comparisons of two items."""

from pathlib import Path

import click

from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.cli.labels_options import Assignments
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import (
    CHARTS,
    PAGES,
    TABLES,
    FilePath,
    gather_options,
    json_option,
    output_option,
)
from concurrence.cli.output import provenance, show

analysis_options = gather_options(PreferenceOptions, "options", field_options(PreferenceOptions, "position", "level"))


@click.command("preferences")
@click.argument("comparisons", type=FilePath())
@click.option(
    "--columns",
    type=Assignments(),
    metavar="ROLE=NAME,…",
    help="The columns of a, b, winner, coder, count, if they have other names.",
)
@click.option("--encoding", metavar="NAME", help="Encoding of a text file, such as cp1252. Default: UTF-8.")
@click.option("--sheet", metavar="NAME", help="Sheet of an .xlsx file. Default: the first.")
@analysis_options
@json_option
@output_option(
    "Write the strengths (.csv .tsv .jsonl .parquet), a page (.html .md .tex) or the chart (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    comparisons: Path,
    *,
    columns: dict[str, str] | None,
    encoding: str | None,
    sheet: str | None,
    options: PreferenceOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Print how strong items are, from choices between two.

    COMPARISONS is a table with the columns a, b and winner: the two items in the order in which they were shown, and
    'a', 'b' or 'tie', or the name of the preferred item. The columns coder and count are optional. Fits Bradley and
    Terry's model with ties, and shows which items cannot be told apart, whether position matters, and how well the
    coders agree.

    \b
    Example:
      printf 'a,b,winner\nx,y,x\ny,x,x\nx,z,x\nz,x,z\ny,z,tie\nz,y,y\n' > choices.csv
      concur preferences choices.csv
      concur preferences choices.csv -o ranking.html
    """
    from concurrence.agreement.preferences.analyse import analyse_preferences
    from concurrence.files.comparisons import read_comparisons

    choices = read_comparisons(comparisons, columns=columns, encoding=encoding, sheet=sheet)
    report = analyse_preferences(choices, options)
    show(report, provenance(inputs=[comparisons]), json_=json_, output=output)
