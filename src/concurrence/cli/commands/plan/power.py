"""``concur plan power``: how many judgements to tell two measures apart."""

from pathlib import Path

import click

from concurrence.cli.candidates import key_option, rank_file, read_judgements
from concurrence.cli.lists import COLUMNS
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.sampling.options import PowerPlanOptions

OPTIONS = (
    click.option("-m", "--measures", type=COLUMNS, default=(), metavar="A,B", help="Two score columns of SCORED."),
    *field_options(PowerPlanOptions, "n", "precision_b"),
    click.option("--gold", type=FilePath(), help="Pilot: judged pairs (l1,l2,tp) to take the precisions from."),
    *field_options(PowerPlanOptions, "overlap", "draws"),
    key_option,
    seed_option,
)


@click.command("power")
@click.argument("scored", type=FilePath(), required=False)
@gather_options(PowerPlanOptions, "options", OPTIONS)
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(
    scored: Path | None,
    *,
    measures: tuple[str, ...],
    gold: Path | None,
    key: tuple[str, ...] | None,
    options: PowerPlanOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Plan how many judgements are needed to tell two measures apart.

    Only candidates that the two n-best lists do not share can tell them apart, so the answer depends on the overlap,
    which comes from SCORED or --overlap. The precisions come from a pilot (--gold) or from --precision-a and
    --precision-b.

    \b
    Example:
      concur plan power --n 500 --overlap 300 --precision-a 0.40 --precision-b 0.33 --population 14654 --budget 1465
      printf 'l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\ni,j,0,1\nk,l,1,3\n' > scored.csv
      concur plan power scored.csv -m MI,f --n 3 --precision-a 0.67 --precision-b 0.34
      printf 'l1,l2,tp\na,b,1\nc,d,1\ne,f,0\ng,h,0\n' > pilot.csv
      concur plan power scored.csv -m MI,f --n 3 --gold pilot.csv
    """
    from concurrence.sampling.power_plan import plan_power

    rankings = rank_file(scored, measures, key=key, seed=options.seed) if scored else None
    pilot = None if gold is None or not rankings else read_judgements(gold, next(iter(rankings.values())).ties.keys)
    origin = provenance(inputs=[path for path in (scored, gold) if path], seed=options.seed)
    show(plan_power(options, rankings=rankings, pilot=pilot), origin, json_=json_, output=output)
