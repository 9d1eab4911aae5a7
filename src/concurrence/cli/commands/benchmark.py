"""``concur benchmark``: which measures find true positives in which table."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.option_fields import field_options
from concurrence.cli.options import ENDINGS, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import progress_bar, provenance, show
from concurrence.evaluation.benchmark.options import BenchmarkOptions

INDEPENDENT = "none"


def _clusters(_: click.Context, __: click.Parameter, value: str) -> str | None:
    return None if value == INDEPENDENT else value


OPTIONS = (
    *field_options(BenchmarkOptions, "measures", "n"),
    *field_options(BenchmarkOptions, "clusters", callback=_clusters),
    *field_options(BenchmarkOptions, "min_freq", "level"),
    seed_option,
)


@click.command("benchmark")
@click.argument("tables", type=FilePath(), nargs=-1, required=True)
@gather_options(BenchmarkOptions, "options", OPTIONS)
@json_option
@output_option(
    "Write a table (.csv .tsv .jsonl .parquet), a chart (.svg .png) or a page (.html .md .tex).", endings=ENDINGS
)
def command(tables: tuple[Path, ...], *, options: BenchmarkOptions, json_: bool, output: Path | None) -> None:
    r"""Rank all association measures in tables of judged candidates.

    Each of TABLES has the columns l1, l2, f, f1, f2, N and tp, with 1 where the pair is a true positive and 0
    where not; every pair must be judged. `concur mwe` makes such tables from treebanks.

    For each table you get every measure's average precision with an interval, its precision at several list sizes
    with a band that holds for all of them, and which measures no other is shown to beat. The headline is the list
    that is as long as there are true positives. Differences between measures are tested all together, by exchanging
    the counts of whole groups of candidates at random.

    \b
    Example:
      printf 'l1,l2,f,f1,f2,N,tp\ntake,walk,9,20,12,200,1\ntake,look,8,20,9,200,1\nhave,look,3,30,9,200,1\n' > en.csv
      printf 'see,dog,2,25,8,200,0\nhave,dog,2,30,8,200,0\neat,soup,4,9,5,200,0\ngive,talk,3,11,6,200,1\n' >> en.csv
      printf 'buy,bread,3,8,5,200,0\nmake,plan,5,15,7,200,1\nsee,house,1,25,9,200,0\n' >> en.csv
      concur benchmark en.csv --n 3,5 -m frequency,t_score,MI
    """
    from concurrence.api.benchmark import benchmark_tables, table_names
    from concurrence.files.pairs.krenn import read_judged
    from concurrence.report.pages.benchmark import benchmark_document

    paths = table_names(tables)
    with progress_bar("ranking") as report:
        frames = {name: read_judged(path) for name, path in paths.items()}
        result = benchmark_tables(frames, options, progress=report)
    origin = provenance(inputs=tables, seed=options.seed)
    show(result, origin, json_=json_, output=output, brief=partial(benchmark_document, result, charts=False))
