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
    terms. Three language-model coders, each alone with the manual, judged the candidates; one model in three roles
    answered a harder question. Each step is printed as the command you would type, and all files stay in the folder
    so that you can keep working with them.

    \b
    Example:
      concur demo
    """
    from concurrence.cli.demo.study import run_study, things_to_try

    report = run_study(directory)
    click.secho(f"\nThe report is {report}; open it in a browser.", bold=True)
    click.echo("\nThree things to try:")
    for words, line in things_to_try(directory):
        click.echo(f"\n  {words}\n    {line}")
