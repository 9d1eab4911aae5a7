"""``concur krenn``: the precision graphs of Evert & Krenn (2005) from a table in the layout of KrennPPV."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.candidates import level_option
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, ShareType, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show


@click.command("krenn")
@click.argument("table", type=FilePath())
@click.option("--kind", default="colloc", show_default=True, metavar="colloc|SVC|figur", help="What counts as true.")
@click.option(
    "--rate", type=ShareType(), default=0.1, show_default=True, help="Share of the list in the random sample."
)
@click.option(
    "--upto", type=click.IntRange(min=1), metavar="N", help="Largest list of Figures 2 to 4. Default: a third."
)
@level_option
@seed_option
@json_option
@output_option(
    "Write the four figures as a page (.html .md .tex), Figure 1 (.svg .png), or the numbers (.csv .tsv .jsonl "
    ".parquet).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    table: Path,
    *,
    kind: str,
    rate: float,
    upto: int | None,
    level: float,
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Redo Figures 1 to 4 of Evert & Krenn (2005).

    TABLE has the layout of KrennPPV in the R package corpora: PP, verb, freq, is.colloc, is.SVC, is.figur, and the
    scores t.score, log.like and chisq.corr. In R: write.csv(corpora::KrennPPV, "krenn.csv", row.names=FALSE).

    Figure 1 has the precision of all n-best lists by t-score, log-likelihood, frequency and chi-squared, Figure 2 its
    first third beside what a random sample says of it, Figure 3 the confidence intervals with the truth, Figure 4 the
    comparison of t-score and log-likelihood. KrennPPV is not the data set of the paper, so its numbers differ.
    `concur benchmark` takes the table, too.

    \b
    Example:
      printf 'PP,verb,is.colloc,is.SVC,is.figur,freq,t.score,log.like,chisq.corr\n' > krenn.csv
      printf 'in:Frage,stellen,TRUE,TRUE,FALSE,146,12.1,1300,9000\nam:Tag,tun,FALSE,FALSE,FALSE,30,2,5,6\n' >> krenn.csv
      printf 'in:Jahr,sein,FALSE,FALSE,FALSE,90,3.1,9,10\nins:Auge,fallen,TRUE,FALSE,TRUE,12,3.2,88,900\n' >> krenn.csv
      concur krenn krenn.csv --rate 75% --upto 3
    """
    from concurrence.evaluation.krenn import krenn_figures
    from concurrence.files.pairs.krenn import read_krenn
    from concurrence.measures.table import titles_of
    from concurrence.report.pages.krenn import krenn_document

    read = read_krenn(table, kind=kind)
    result = krenn_figures(
        read, kind=kind, rate=rate, upto=upto, level=level, seed=seed, titles=titles_of(read.columns)
    )
    made = provenance(inputs=[table], seed=seed)
    show(result, made, json_=json_, output=output, brief=partial(krenn_document, result, charts=False))
