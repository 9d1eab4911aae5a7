"""``concur plan judge``: how many items people must label to test a judge."""

from pathlib import Path

import click

from concurrence.cli.lists import NUMBERS, WHOLE_NUMBERS
from concurrence.cli.options import PAGES, TABLES, ShareType, json_option, output_option, seed_option
from concurrence.cli.output import provenance


@click.command("judge")
@click.option("--humans", type=WHOLE_NUMBERS, default="3", show_default=True, help="Number of humans.")
@click.option("--kappa", type=float, default=0.6, show_default=True, help="Kappa expected among the humans.")
@click.option("--judge-kappa", type=NUMBERS, help="Kappa expected between judge and humans. Default: as --kappa.")
@click.option("--shares", type=NUMBERS, default="0.5,0.5", show_default=True, help="Share of each category.")
@click.option("--items", type=WHOLE_NUMBERS, default="30,50,100,200", show_default=True, help="Numbers of items.")
@click.option(
    "--epsilon",
    type=float,
    default=0.2,
    show_default=True,
    help="Allowance for the cost of a human: 0.2 for experts, 0.1 for crowd workers.",
)
@click.option("--power", "wanted", type=ShareType(), default="0.8", show_default=True, help="Desired power.")
@click.option(
    "--draws", type=click.IntRange(min=100), default=2000, show_default=True, help="Number of simulated studies."
)
@seed_option
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(
    *,
    humans: tuple[int, ...],
    kappa: float,
    judge_kappa: tuple[float, ...] | None,
    shares: tuple[float, ...],
    items: tuple[int, ...],
    epsilon: float,
    wanted: float,
    draws: int,
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Plan how many items people must label to test a judge.

    Gives the probability that the judge passes the alternative-annotator test of concur judge, and the fewest items
    for the desired power. Coders are assumed to know an item or to guess at the rates of the categories.

    \b
    Example: three experts, and a judge as good as they are or a little worse
      concur plan judge --humans 3 --kappa 0.6 --judge-kappa 0.6,0.5
    """
    from concurrence.agreement.judge.plan import plan_judge
    from concurrence.cli.output import show

    plans = plan_judge(
        humans=humans,
        kappa=kappa,
        judge_kappas=judge_kappa,
        shares=shares,
        items=items,
        epsilon=epsilon,
        power=wanted,
        draws=draws,
        seed=seed,
    )
    show(plans, provenance(seed=seed), json_=json_, output=output)
