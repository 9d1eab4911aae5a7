"""``concur score``: add association scores."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.output import PAGES, TABLES, FilePath, json_option, note_written, output_option, provenance

if TYPE_CHECKING:
    from concurrence.core.pairs import Pairs


@click.command("score")
@click.argument("pairs", type=FilePath())
@click.option(
    "-m",
    "--measures",
    default="default",
    show_default=True,
    help="Names with commas between them, or 'default', 'all', 'ucs'. UCS's names are understood.",
)
@click.option(
    "--define", multiple=True, metavar="'NAME = FORMULA'", help="A measure of your own, over O11 … E22 R1 C1 N."
)
@click.option(
    "--ucs", is_flag=True, help="UCS's convention: 10,000,000 for infinity. (A .ds file always has its names.)"
)
@click.option("--key", help="The columns that identify a candidate, with commas between them; default l1,l2.")
@output_option(
    "Write the pairs with their scores (.csv .tsv .jsonl .parquet .ds, .gz of the text forms), or a page (.html .md "
    ".tex).",
    endings=(*TABLES, ".ds", *PAGES),
)
@json_option
def command(
    pairs: Path, *, measures: str, define: tuple[str, ...], ucs: bool, key: str | None, output: Path | None, json_: bool
) -> None:
    """Add association scores to word pairs.

    PAIRS has the columns l1, l2, f, f1, f2, N (what `concur pairs` writes, or a UCS data set). Rows and their
    order are kept. Where the limit is infinite the score is inf or -inf; it is empty only where nothing is
    defined.

    \b
    Example:
      printf 'l1,l2,f,f1,f2,N\\nthe,swiss,110,2552,221,31777\\n' > pairs.csv
      concur score pairs.csv -m log_likelihood,dice -o scored.csv
      concur score pairs.csv --define 'cosine = O / sqrt(R1 * C1)'
    """
    from concurrence.cli.documents import present, write_output
    from concurrence.files.pairs import read_pairs, write_pairs
    from concurrence.measures import functions_of, score
    from concurrence.report.scoring import scores_document

    counted = read_pairs(pairs, key=key.split(",") if key else None)
    scored = score(counted, measures, define=define, ucs=ucs)
    names = list(functions_of(measures, define, key=counted.key))
    made = provenance(inputs=[pairs], measures=names, define=list(define), ucs=ucs)
    told = partial(scores_document, scored, names)
    if output is not None:
        named = _with_ucs_names(scored) if ".ds" in output.suffixes else scored
        write_output(told, made, output, own=lambda path: write_pairs(named, path, made))
        note_written(output)
    if json_ or output is None:
        payload = {"pairs": len(scored), "rule": _rule(scored), "measures": names, "rows": scored.table}
        present(told(), payload, made, json_=json_)


def _with_ucs_names(scored: "Pairs") -> "Pairs":
    """Columns of scores under UCS's names; what stood under such a name before gives way."""
    from dataclasses import replace

    from concurrence.measures import MEASURES

    names = {row.name: f"am.{row.ucs}" for row in MEASURES.values() if row.ucs and row.name in scored.table.columns}
    table = scored.table.drop([old for old in names.values() if old in scored.table.columns]).rename(names)
    return replace(scored, table=table)


def _rule(scored: "Pairs") -> str | None:
    return scored.counted.rule if scored.counted else None
