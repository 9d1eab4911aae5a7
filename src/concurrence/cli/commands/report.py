"""``concur report``: one self-contained page of any results."""

from pathlib import Path

import click

from concurrence.cli.options import CHARTS, PAGES, FilePath, output_option
from concurrence.cli.output import note_written, print_rich
from concurrence.core.errors import InvalidInputError


@click.command("report")
@click.argument("results", type=FilePath(), nargs=-1, required=True)
@click.option("--title", default=None, help="Title of a report of several results.")
@click.option("--chart", metavar="NAME", help="Which chart to write: the heading it stands under. Default: the first.")
@output_option(
    "Output file: .html (self-contained page), .md, .tex (the tables), or .svg, .png (a chart).",
    endings=(*PAGES, *CHARTS),
)
def command(results: tuple[Path, ...], *, title: str | None, chart: str | None, output: Path | None) -> None:
    r"""Combine the results of any commands into one page.

    RESULTS are files written with --json. The page keeps their order: first the answers, then the evidence for
    each, then the methods and how everything was made.

    \b
    Example:
      printf ',yes,no\nyes,40,15\nno,20,25\n' > table.csv
      concur agree table.csv --table --json > agree.json
      concur report agree.json -o report.html
      concur report agree.json --chart 'true agreement' -o divisions.svg
    """
    from concurrence.cli.saved import read_result, study_document
    from concurrence.report.files import write_document
    from concurrence.report.render.terminal import terminal

    if chart is not None and (output is None or output.suffix.lower() not in CHARTS):
        raise InvalidInputError("--chart chooses what an .svg or .png file shows; name one with -o, such as chart.svg.")
    document = study_document([read_result(path) for path in results], title=title)
    if output is None:
        print_rich(*terminal(document))
    else:
        write_document(document, output, chart=chart)
        note_written(output)
