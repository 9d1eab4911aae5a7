"""``concur plan agreement``: how many items two coders must judge."""

from pathlib import Path

import click

from concurrence.cli.lists import NUMBERS
from concurrence.cli.options import PAGES, TABLES, json_option, output_option
from concurrence.cli.output import provenance


@click.command("agreement")
@click.option("--shares", type=NUMBERS, default="0.5,0.5", show_default=True, help="Share of each category.")
@click.option("--kappa", type=NUMBERS, default="0.6,0.7,0.8", show_default=True, help="Expected kappa.")
@click.option("--width", type=NUMBERS, help="Width of the interval; several are allowed.")
@click.option("--null", "null_kappa", type=float, help="Kappa that the data should rule out.")
@click.option("--power", type=NUMBERS, default="0.8", show_default=True, help="Probability of ruling it out.")
@click.option("--sided", type=click.Choice(["1", "2"]), default="1", show_default=True, help="One- or two-sided test.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence level; alpha is 1 - level.")
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(
    *,
    shares: tuple[float, ...],
    kappa: tuple[float, ...],
    width: tuple[float, ...] | None,
    null_kappa: float | None,
    power: tuple[float, ...],
    sided: str,
    level: float,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Plan how many items two coders must label.

    For each expected kappa, this gives the items needed for an interval no wider than --width (0.2 if neither
    --width nor --null is given), and with --null those needed to show that kappa is above that value. The
    numbers hold for the worst case with these category shares, whatever the disagreements look like.

    \b
    Example: three categories, kappa expected to be 0.6, to be shown above 0.4
      concur plan agreement --shares 0.2,0.25,0.55 --kappa 0.6 --null 0.4 --power 0.8,0.9
    """
    from concurrence.cli.output import show
    from concurrence.sampling import plan_agreement

    plans = plan_agreement(
        shares, kappas=kappa, widths=width, null_kappa=null_kappa, powers=power, sided=int(sided), level=level
    )
    show(plans, provenance(), json_=json_, output=output)
