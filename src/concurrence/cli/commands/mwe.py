"""``concur mwe``: candidates from treebanks with marked multiword expressions."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.options import PAGES, TABLES, json_option, output_option
from concurrence.cli.output import progress_bar, provenance, show


@click.command("mwe")
@click.argument("treebank", nargs=-1, required=True)
@click.option("--head", default="VERB", show_default=True, metavar="POS", help="Part of speech of l1; A|B: either.")
@click.option("--dependent", default="NOUN", show_default=True, metavar="POS", help="Part of speech of l2.")
@click.option("--skip-broken", is_flag=True, help="Leave out sentences with broken lines.")
@json_option
@output_option(
    "Write the pairs (.csv .tsv .jsonl .parquet .ds), or a page (.html .md .tex).", endings=(*TABLES, ".ds", *PAGES)
)
def command(
    treebank: tuple[str, ...], *, head: str, dependent: str, skip_broken: bool, json_: bool, output: Path | None
) -> None:
    r"""Make a table of judged candidates from a treebank of PARSEME.

    TREEBANK are .cupt files, or folders of them: CoNLL-U with a column of multiword expressions. Each verb is counted
    with each noun that depends on it, by their lemmas in lower case. The table has l1, l2, f, f1, f2, N over all such
    pairs, marked (how often the two were parts of one expression), and tp = 1 where they were in more than half of
    their occurrences. `concur benchmark` takes such tables.

    \b
    Example:
      printf '1\tTake\ttake\tVERB\t_\t_\t0\troot\t_\t_\t1:LVC.full\n2\ta\ta\tDET\t_\t_\t3\tdet\t_\t_\t*\n' > en.cupt
      printf '3\twalk\twalk\tNOUN\t_\t_\t1\tobj\t_\t_\t1\n\n' >> en.cupt
      concur mwe en.cupt -o en.csv
    """
    from concurrence.corpus.reader import read_corpus
    from concurrence.counting.mwe import ATTRIBUTES, marked_pairs
    from concurrence.files.pairs.formats import write_pairs

    with progress_bar("reading") as report:
        tokens = read_corpus(*treebank, attributes=ATTRIBUTES, skip_broken=skip_broken, progress=report)
    result = marked_pairs(tokens, head=head, dependent=dependent)
    origin = provenance(inputs=tokens.sources)
    show(result, origin, json_=json_, output=output, write=partial(write_pairs, result.as_pairs(), provenance=origin))
