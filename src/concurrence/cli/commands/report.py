"""``concur report``: one self-contained page of any results."""

from pathlib import Path

import click

from concurrence.cli.options import PAGES, FilePath, output_option
from concurrence.cli.output import note_written, print_rich


@click.command("report")
@click.argument("results", type=FilePath(), nargs=-1, required=True)
@click.option("--title", default=None, help="Title of a report of several results.")
@output_option("Output file: .html (self-contained page), .md, or .tex (the tables).", endings=PAGES)
def command(results: tuple[Path, ...], *, title: str | None, output: Path | None) -> None:
    r"""Combine the results of any commands into one page.

    RESULTS are files written with --json. The page keeps their order: first the answers, then the evidence for
    each, then the methods and how everything was made.

    \b
    Example:
      printf ',yes,no\nyes,40,15\nno,20,25\n' > table.csv
      concur agree table.csv --table --json > agree.json
      concur report agree.json -o report.html
    """
    from concurrence.cli.output import write_document
    from concurrence.cli.saved import read_result, study_document
    from concurrence.report.terminal import terminal

    document = study_document([read_result(path) for path in results], title=title)
    if output is None:
        print_rich(*terminal(document))
    else:
        write_document(document, output)
        note_written(output)
