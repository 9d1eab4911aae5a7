"""``concur plan judge``: how many items people must label to test a judge."""

from pathlib import Path

import click

from concurrence.agreement.judge.options import JudgePlanOptions
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show


@click.command("judge")
@gather_options(JudgePlanOptions, "options", [*field_options(JudgePlanOptions, "humans", "draws"), seed_option])
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(*, options: JudgePlanOptions, json_: bool, output: Path | None) -> None:
    r"""Plan how many items people must label to test a judge.

    Gives the probability that the judge passes the alternative-annotator test of concur judge, and the fewest items
    for the desired power. Coders are assumed to know an item or to guess at the rates of the categories.

    \b
    Example: three experts, and a judge as good as they are or a little worse
      concur plan judge --humans 3 --kappa 0.6 --judge-kappa 0.6,0.5
    """
    from concurrence.agreement.judge.plan import plan_judge

    show(plan_judge(options), provenance(seed=options.seed), json_=json_, output=output)
