"""``concur score``: add association scores."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.candidates import key_option
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option
from concurrence.cli.output import provenance

if TYPE_CHECKING:
    from concurrence.core.pairs import Pairs


@click.command("score")
@click.argument("pairs", type=FilePath())
@click.option(
    "-m",
    "--measures",
    default="default",
    show_default=True,
    help="Names separated by commas, or 'default', 'all', 'ucs'. UCS names (am.…) work too.",
)
@click.option(
    "--define", multiple=True, metavar="'NAME = FORMULA'", help="A measure of your own, from O11 … E22 R1 C1 N n1 n2."
)
@click.option("--ucs", is_flag=True, help="Write 10,000,000 for infinity, as UCS does.")
@key_option
@output_option(
    "Write the pairs with their scores (.csv .tsv .jsonl .parquet .ds, text formats also as .gz), or a page (.html .md "
    ".tex).",
    endings=(*TABLES, ".ds", *PAGES),
)
@json_option
def command(
    pairs: Path,
    *,
    measures: str,
    define: tuple[str, ...],
    ucs: bool,
    key: tuple[str, ...] | None,
    output: Path | None,
    json_: bool,
) -> None:
    """Add association scores to word pairs.

    PAIRS has the columns l1, l2, f, f1, f2, N (the output of `concur pairs`, or a UCS data set). Rows and their
    order are kept. A score whose limit is infinite is inf or -inf; an undefined score is empty.

    \b
    Example:
      printf 'l1,l2,f,f1,f2,N\\nthe,swiss,110,2552,221,31777\\n' > pairs.csv
      concur score pairs.csv -m log_likelihood,dice -o scored.csv
      concur score pairs.csv --define 'cosine = O / sqrt(R1 * C1)'
    """
    from concurrence.cli.output import show
    from concurrence.files.pairs import read_pairs, write_pairs
    from concurrence.measures import functions_of, score
    from concurrence.measures.scoring import scored_pairs

    counted = read_pairs(pairs, key=key)
    scored = score(counted, measures, define=define, ucs=ucs)
    names = list(functions_of(measures, define, key=counted.key))
    made = provenance(inputs=[pairs], measures=names, define=list(define), ucs=ucs)
    named = _with_ucs_names(scored) if output is not None and ".ds" in output.suffixes else scored
    write = partial(write_pairs, named, provenance=made)
    show(scored_pairs(scored, names), made, json_=json_, output=output, write=write)


def _with_ucs_names(scored: "Pairs") -> "Pairs":
    """Columns of scores under UCS's names; an existing column of that name is replaced."""
    from dataclasses import replace

    from concurrence.measures import MEASURES

    names = {row.name: f"am.{row.ucs}" for row in MEASURES.values() if row.ucs and row.name in scored.table.columns}
    table = scored.table.drop([old for old in names.values() if old in scored.table.columns]).rename(names)
    return replace(scored, table=table)
