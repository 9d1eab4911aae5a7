"""``concur demo``: the whole way from text to a report, on embedded data."""

from pathlib import Path

import click

from concurrence.cli.options import FilePath


@click.command("demo")
@click.option(
    "-d",
    "--directory",
    type=FilePath(),
    default="concurrence-demo",
    show_default=True,
    help="Where the files of the study go.",
)
def command(*, directory: Path) -> None:
    r"""Go the whole way from text to a report, on embedded data.

    The corpus is the text of the Python language reference inside every CPython; the task is to find two-word
    terms. Three language-model coders, each alone with the manual, judged the candidates. Every step is printed
    as the command you would type, and all files stay in the directory for you to go on with.

    \b
    Example:
      concur demo
    """
    from concurrence.cli.demo.study import run_study

    report = run_study(directory)
    click.secho(f"\nThe report: {report}", bold=True)
    click.echo("Judge the same pairs yourself in the browser: concur serve --demo")
