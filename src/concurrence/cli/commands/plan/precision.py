"""``concur plan precision``: how many judgements for an interval of a given width."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.candidates import key_option, rank_file
from concurrence.cli.lists import COLUMNS
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import ENDINGS, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.sampling.options import PrecisionPlanOptions

OPTIONS = (
    *field_options(PrecisionPlanOptions, "n", "union"),
    click.option(
        "-m",
        "--measures",
        type=COLUMNS,
        default=(),
        metavar="NAMES",
        help="Score columns of SCORED; plans union and strata too.",
    ),
    *field_options(PrecisionPlanOptions, "budget", "level"),
    key_option,
    seed_option,
)


@click.command("precision")
@click.argument("scored", type=FilePath(), required=False)
@gather_options(PrecisionPlanOptions, "options", OPTIONS)
@json_option
@output_option(
    "Write the table (.csv .tsv .jsonl .parquet .md .tex) or the confidence chart (.html .svg .png).", endings=ENDINGS
)
def command(
    scored: Path | None,
    *,
    measures: tuple[str, ...],
    key: tuple[str, ...] | None,
    seed: int,
    options: PrecisionPlanOptions,
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
    from concurrence.report.pages.plan import precision_plan_document
    from concurrence.sampling.precision_plan import confidence_limits, plan_precision

    rankings = rank_file(scored, measures, key=key, seed=seed) if scored else None
    plans = plan_precision(options, rankings=rankings)
    origin = provenance(inputs=[scored] if scored else [], seed=seed if scored else None)
    page = partial(precision_plan_document, plans, chart=confidence_limits(level=options.level))
    show(plans, origin, json_=json_, output=output, page=page)
