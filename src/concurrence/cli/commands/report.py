"""``concur report``: one self-contained page of any results."""

from pathlib import Path

import click

from concurrence.cli.options import PAGES, FilePath, output_option
from concurrence.cli.output import note_written, print_rich


@click.command("report")
@click.argument("results", type=FilePath(), nargs=-1, required=True)
@click.option("--title", default=None, help="The title of a report of several results.")
@output_option("Where to write: .html (a page that needs nothing else), .md, or .tex (the tables).", endings=PAGES)
def command(results: tuple[Path, ...], *, title: str | None, output: Path | None) -> None:
    r"""Write one page of the results of any commands.

    RESULTS are files with what commands print with --json. Their order is the order of the page: the answers
    first, then the evidence of each, then the methods and how everything was made.

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
