"""``concur plan power``: how many judgements to tell two measures apart."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.candidates import key_option
from concurrence.cli.lists import COLUMNS, WHOLE_NUMBERS
from concurrence.cli.options import PAGES, TABLES, FilePath, ShareType, json_option, output_option, seed_option
from concurrence.cli.output import provenance

if TYPE_CHECKING:
    from concurrence.kernels.ranking import Ranking
    from concurrence.sampling.power_plan import PowerQuestion


@click.command("power")
@click.argument("scored", type=FilePath(), required=False)
@click.option("-m", "--measures", type=COLUMNS, default=(), metavar="A,B", help="Two score columns of SCORED.")
@click.option("--n", "sizes", type=WHOLE_NUMBERS, default="500", show_default=True, help="List sizes.")
@click.option("--precision-a", type=ShareType(), help="Expected n-best precision of the first measure.")
@click.option("--precision-b", type=ShareType(), help="Expected n-best precision of the second measure.")
@click.option("--gold", type=FilePath(), help="Pilot: judged pairs (l1,l2,tp) to take the precisions from.")
@click.option("--overlap", type=click.IntRange(min=0), help="How many candidates the lists share, without SCORED.")
@click.option("--population", type=click.IntRange(min=1), help="Number of candidates, without SCORED.")
@click.option("--budget", type=click.IntRange(min=1), help="Number of judgements you can afford.")
@click.option("--power", "wanted", type=ShareType(), default="0.8", show_default=True, help="Desired power.")
@click.option("--alpha", type=ShareType(), default="0.05", show_default=True, help="Significance level of the test.")
@click.option(
    "--draws", type=click.IntRange(min=100), default=2000, show_default=True, help="Number of simulated samples."
)
@key_option
@seed_option
@json_option
@output_option("Write the table (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(
    scored: Path | None,
    *,
    measures: tuple[str, ...],
    sizes: tuple[int, ...],
    precision_a: float | None,
    precision_b: float | None,
    gold: Path | None,
    overlap: int | None,
    population: int | None,
    budget: int | None,
    wanted: float,
    alpha: float,
    draws: int,
    key: tuple[str, ...] | None,
    seed: int,
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
    from concurrence.cli.candidates import rank_file
    from concurrence.cli.output import show
    from concurrence.sampling import plan_power
    from concurrence.sampling.power_plan import PowerPlans

    rankings = rank_file(scored, measures, key=key, seed=seed) if scored else None
    expected = (precision_a, precision_b)
    plans = PowerPlans.of(
        plan_power(
            _question(rankings, n, gold, expected, overlap),
            population=population,
            rankings=rankings,
            budget=budget,
            power=wanted,
            alpha=alpha,
            draws=draws,
            seed=seed,
        )
        for n in sizes
    )
    made = provenance(inputs=[path for path in (scored, gold) if path], seed=seed)
    show(plans, made, json_=json_, output=output)


def _question(
    rankings: "dict[str, Ranking] | None",
    n: int,
    gold: Path | None,
    expected: tuple[float | None, float | None],
    overlap: int | None,
) -> "PowerQuestion":
    from concurrence.core.errors import InvalidInputError
    from concurrence.sampling.power_plan import question_from_pilot, question_from_precisions

    if rankings is not None and len(rankings) != 2:
        raise InvalidInputError(f"The plan compares two measures; name two with -m, not {len(rankings)}.")
    if gold is not None and rankings is not None:
        return question_from_pilot(
            rankings, *rankings, n=n, judged=_judged(gold, next(iter(rankings.values())).ties.keys)
        )
    if rankings is not None:
        one, two = (ranking.ranks <= n for ranking in rankings.values())
        overlap = int((one & two).sum())
    a, b = expected
    if a is None or b is None or overlap is None:
        raise InvalidInputError(
            "Give SCORED or --overlap for what the lists share, and --precision-a and --precision-b for the "
            "expected precisions (or, with SCORED, a pilot: --gold)."
        )
    names = tuple(rankings or ("A", "B"))
    return question_from_precisions(n=n, overlap=overlap, precision_a=a, precision_b=b, a=names[0], b=names[1])


def _judged(gold: Path, keys: Any) -> Any:
    """The pilot's judgements as 1, 0, or NaN for each candidate."""
    import numpy as np

    from concurrence.cli.candidates import read_judgements

    judgements = read_judgements(gold, keys)
    return np.where(judgements.judged, judgements.verdicts.astype(float), np.nan)
