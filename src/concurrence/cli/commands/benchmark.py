"""``concur benchmark``: which measures find true positives in which table."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.candidates import level_option
from concurrence.cli.lists import WHOLE_NUMBERS
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import progress_bar, provenance, show

INDEPENDENT = "none"


@click.command("benchmark")
@click.argument("tables", type=FilePath(), nargs=-1, required=True)
@click.option("-m", "--measures", default="all", show_default=True, help="Names separated by commas, or a set of them.")
@click.option("--tp", default="tp", show_default=True, metavar="COLUMN", help="Column that says what is true.")
@click.option("--n", "sizes", type=WHOLE_NUMBERS, metavar="N,N", help="List sizes. Default: round ones and see below.")
@click.option(
    "--clusters", default="l1", show_default=True, metavar="COLUMN",
    help="Candidates with the same word here count as drawn together; 'none' counts all as independent.",
)  # fmt: skip
@click.option("--min-freq", type=click.IntRange(min=1), default=1, show_default=True, help="Least frequency.")
@click.option("--draws", type=click.IntRange(min=99), default=1999, show_default=True, help="Random exchanges.")
@level_option
@seed_option
@json_option
@output_option(
    "Write a table (.csv .tsv .jsonl .parquet), a chart (.svg .png) or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    tables: tuple[Path, ...],
    *,
    measures: str,
    tp: str,
    sizes: tuple[int, ...] | None,
    clusters: str,
    min_freq: int,
    draws: int,
    level: float,
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
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
    from concurrence.api.benchmark import benchmark, table_names
    from concurrence.files.pairs.krenn import read_judged
    from concurrence.report.pages.benchmark import benchmark_document

    named = table_names(tables)
    with progress_bar("ranking") as report:
        read = {name: read_judged(path) for name, path in named.items()}
        result = benchmark(
            read,
            measures=measures,
            tp=tp,
            n=sizes,
            clusters=None if clusters == INDEPENDENT else clusters,
            min_freq=min_freq,
            level=level,
            draws=draws,
            seed=seed,
            progress=report,
        )
    made = provenance(inputs=tables, seed=seed)
    show(result, made, json_=json_, output=output, brief=partial(benchmark_document, result, charts=False))
