"""``concur krenn``: the precision graphs of Evert & Krenn (2005) from a table in the layout of KrennPPV."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.option_fields import field_options
from concurrence.cli.options import ENDINGS, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.evaluation.options import KrennOptions


@click.command("krenn")
@click.argument("table", type=FilePath())
@gather_options(KrennOptions, "options", [*field_options(KrennOptions, "kind", "level"), seed_option])
@json_option
@output_option(
    "Write the four figures as a page (.html .md .tex), Figure 1 (.svg .png), or the numbers (.csv .tsv .jsonl "
    ".parquet).",
    endings=ENDINGS,
)
def command(table: Path, *, options: KrennOptions, json_: bool, output: Path | None) -> None:
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

    pairs = read_krenn(table, kind=options.kind)
    result = krenn_figures(pairs, options, titles=titles_of(pairs.columns))
    origin = provenance(inputs=[table], seed=options.seed)
    show(result, origin, json_=json_, output=output, brief=partial(krenn_document, result, charts=False))
