"""``concur demo``: a whole study, from text to report, on built-in data."""

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
    help="Folder for the files of the study.",
)
def command(*, directory: Path) -> None:
    r"""Run a whole study, from text to report, on built-in data.

    The corpus is the Python language reference that comes with every CPython; the task is to find two-word
    terms. Three language-model coders, each working alone with the manual, judged the candidates. Each step is
    printed as the command you would type, and all files stay in the folder so that you can keep working with them.

    \b
    Example:
      concur demo
    """
    from concurrence.cli.demo.study import run_study

    report = run_study(directory)
    click.secho(f"\nReport: {report}", bold=True)
    click.echo("Judge the same pairs yourself in the browser: concur serve --demo")
