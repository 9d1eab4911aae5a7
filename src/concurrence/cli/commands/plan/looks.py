"""``concur plan looks``: at which level to read the interval at each of some planned looks."""

from pathlib import Path

import click

from concurrence.cli.candidates import level_option
from concurrence.cli.lists import WHOLE_NUMBERS
from concurrence.cli.options import PAGES, TABLES, ShareType, json_option, output_option
from concurrence.cli.output import provenance


@click.command("looks")
@click.option("--at", type=WHOLE_NUMBERS, required=True, metavar="N,N", help="Judgements at each look: 200,400,1000.")
@click.option("--population", type=click.IntRange(min=2), help="Number of candidates. Default: endlessly many.")
@click.option(
    "--bounds",
    type=click.Choice(["obrien-fleming", "pocock"]),
    default="obrien-fleming",
    show_default=True,
    help="Spend little of the error at first, or spend it evenly.",
)
@click.option("--constant", is_flag=True, help="The authors' constants, instead of spending the error over time.")
@click.option("--share", type=ShareType(), default="0.5", show_default=True, help="Expected share, for the widths.")
@level_option
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(
    *,
    at: tuple[int, ...],
    population: int | None,
    bounds: str,
    constant: bool,
    share: float,
    level: float,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Plan a few looks at judgements that are still coming in.

    Gives the confidence level at which to read the interval at each look (--level of rate and evaluate), so that all
    of them hold together. That costs less width than --anytime, which holds however often you look.

    \b
    Example:
      concur plan looks --at 200,400,600,800,1000 --population 14654
      concur plan looks --at 100,300,1000 --bounds pocock
    """
    from concurrence.cli.output import show
    from concurrence.sampling.looks_plan import plan_looks

    plan = plan_looks(at, population=population, shape=bounds, constant=constant, level=level, share=share)
    show(plan, provenance(), json_=json_, output=output)
