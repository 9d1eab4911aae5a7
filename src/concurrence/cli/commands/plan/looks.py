"""``concur plan looks``: at which level to read the interval at each of some planned looks."""

from pathlib import Path

import click

from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, gather_options, json_option, output_option
from concurrence.cli.output import provenance, show
from concurrence.sampling.options import LooksPlanOptions


@click.command("looks")
@gather_options(LooksPlanOptions, "options", field_options(LooksPlanOptions, "at", "level"))
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(*, options: LooksPlanOptions, json_: bool, output: Path | None) -> None:
    r"""Plan a few looks at judgements that are still coming in.

    Gives the confidence level at which to read the interval at each look (--level of rate and evaluate), so that all
    of them hold together. That costs less width than --anytime, which holds however often you look.

    \b
    Example:
      concur plan looks --at 200,400,600,800,1000 --population 14654
      concur plan looks --at 100,300,1000 --bounds pocock
    """
    from concurrence.sampling.looks_plan import plan_looks

    show(plan_looks(options), provenance(), json_=json_, output=output)
