"""``concur plan precision``: how many judgements for an interval of a given width."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.candidates import key_option, level_option
from concurrence.cli.lists import COLUMNS, SHARES, WHOLE_NUMBERS
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import provenance


@click.command("precision")
@click.argument("scored", type=FilePath(), required=False)
@click.option("--n", "sizes", type=WHOLE_NUMBERS, default="500,1000,2000", show_default=True, help="List sizes.")
@click.option("--precision", type=SHARES, default="0.3", show_default=True, help="Expected precision.")
@click.option("--width", type=SHARES, default="0.1", show_default=True, help="Width of the interval.")
@click.option("--population", type=click.IntRange(min=1), help="Number of candidates, without SCORED.")
@click.option("--union", type=click.IntRange(min=1), help="Size of the union of the n-best lists, without SCORED.")
@click.option(
    "-m",
    "--measures",
    type=COLUMNS,
    default=(),
    metavar="NAMES",
    help="Score columns of SCORED; plans union and strata too.",
)
@click.option("--budget", type=click.IntRange(min=1), help="Number of judgements you can afford.")
@level_option
@key_option
@seed_option
@json_option
@output_option(
    "Write the table (.csv .tsv .jsonl .parquet .md .tex) or the confidence chart (.html .svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    scored: Path | None,
    *,
    sizes: tuple[int, ...],
    precision: tuple[float, ...],
    width: tuple[float, ...],
    population: int | None,
    union: int | None,
    measures: tuple[str, ...],
    budget: int | None,
    level: float,
    key: tuple[str, ...] | None,
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Plan how many judgements an n-best precision needs.

    The width is that of the exact interval for drawing without replacement. What counts is how many candidates of
    the list are judged: a simple sample of all candidates reaches few of them, a sample of the union more.

    \b
    Example:
      concur plan precision --n 500,1000 --precision 0.3 --width 0.1 --population 14654 --union 2651
      printf 'l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\ni,j,0,1\nk,l,1,3\n' > scored.csv
      concur plan precision scored.csv -m MI,f --n 3 --width 0.5 --budget 4
      concur plan precision -o plan.html
    """
    from concurrence.cli.candidates import rank_file
    from concurrence.cli.output import show
    from concurrence.report.pages.plan import precision_plan_document
    from concurrence.sampling import plan_precision
    from concurrence.sampling.precision_plan import confidence_limits

    plans = plan_precision(
        n=sizes,
        precision=precision,
        width=width,
        level=level,
        population=population,
        union=union,
        rankings=rank_file(scored, measures, key=key, seed=seed) if scored else None,
        budget=budget,
    )
    made = provenance(inputs=[scored] if scored else [], seed=seed if scored else None)
    page = partial(precision_plan_document, plans, chart=confidence_limits(level=level))
    show(plans, made, json_=json_, output=output, page=page)
