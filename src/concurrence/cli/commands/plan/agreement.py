"""``concur plan agreement``: how many items two coders must judge."""

from pathlib import Path

import click

from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, gather_options, json_option, output_option
from concurrence.cli.output import provenance, show
from concurrence.sampling.options import AgreementPlanOptions


@click.command("agreement")
@gather_options(AgreementPlanOptions, "options", field_options(AgreementPlanOptions, "shares", "level"))
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(*, options: AgreementPlanOptions, json_: bool, output: Path | None) -> None:
    r"""Plan how many items two coders must label.

    For each expected kappa, this gives the items needed for an interval no wider than --width (0.2 if neither
    --width nor --null is given) in the share --assurance of studies, and with --null those needed to show that
    kappa is above that value. The numbers hold for the worst case with these category shares, whatever the
    disagreements look like.

    \b
    Example: three categories, kappa expected to be 0.6, to be shown above 0.4
      concur plan agreement --shares 0.2,0.25,0.55 --kappa 0.6 --null 0.4 --power 0.8,0.9
    """
    from concurrence.sampling.agreement_plan import plan_agreement

    show(plan_agreement(options), provenance(), json_=json_, output=output)
