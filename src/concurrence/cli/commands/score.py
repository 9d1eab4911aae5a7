"""``concur score``: add association scores."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.candidates import key_option
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option
from concurrence.cli.output import progress_bar, provenance
from concurrence.core.options import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from concurrence.core.pairs import Pairs
    from concurrence.files.pairs.pieces import PairFile
    from concurrence.files.provenance import Provenance


@click.command("score")
@click.argument("pairs", type=FilePath())
@click.option(
    "-m",
    "--measures",
    default="default",
    show_default=True,
    help="Names separated by commas, or 'default', 'all', 'ucs'. UCS names (am.…) and columns of dispersion work too.",
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

    PAIRS has the columns l1, l2, f, f1, f2, N (the output of `concur pairs`, or a UCS data set); sequences
    (`concur pairs --rule ngram:3`) have more. Rows and their order are kept. A score whose limit is infinite is inf or
    -inf; an undefined score is empty. The list is read and written in pieces, so it need not fit into memory.

    \b
    Example:
      printf 'l1,l2,f,f1,f2,N\\nthe,swiss,110,2552,221,31777\\n' > pairs.csv
      concur score pairs.csv -m log_likelihood,dice -o scored.csv
      concur score pairs.csv --define 'cosine = O / sqrt(R1 * C1)'
    """
    from concurrence.files.pairs.pieces import open_pairs
    from concurrence.measures.scoring import scored_columns

    counted = open_pairs(pairs, key=key)
    names = scored_columns(measures, define, columns=counted.types, key=counted.key, members=counted.empty.members)
    origin = provenance(inputs=[pairs], measures=names, define=list(define), ucs=ucs)
    with progress_bar("scoring") as report:
        job = ScoringJob(counted=counted, measures=measures, define=define, ucs=ucs, names=names, report=report)
        _show(job, origin, json_=json_, output=output)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringJob:
    """The pairs of a file and how to score them; they are scored again each time they are asked for."""

    counted: "PairFile"
    measures: str
    define: tuple[str, ...]
    ucs: bool
    names: list[str]
    report: Progress

    @property
    def empty(self) -> "Pairs":
        """No pairs with all their columns of scores, and what a reader must know of these."""
        return self.scored(self.counted.empty)

    def pieces(self) -> "Iterator[Pairs]":
        done = 0
        for piece in self.counted.pieces():
            yield self.scored(piece)
            done += len(piece)
            self.report(done, len(self.counted))

    def named_as_ucs(self) -> "Iterator[Pairs]":
        return map(_with_ucs_names, self.pieces())

    def scored(self, piece: "Pairs") -> "Pairs":
        from concurrence.measures.scoring import score

        return score(piece, self.measures, define=self.define, ucs=self.ucs)


def _show(job: ScoringJob, origin: "Provenance", *, json_: bool, output: Path | None) -> None:
    """Write or print all rows piece by piece; people see the best ones."""
    from concurrence.cli.output import show
    from concurrence.files.pairs.pieces import write_pieces
    from concurrence.measures.scoring import best_pairs, scored_pairs
    from concurrence.report.pages.score import SHOWN

    like, size = job.empty, len(job.counted)
    as_page = output is not None and output.suffix.lower() in PAGES
    if as_page or (output is None and not json_):
        like = replace(like, table=best_pairs(job.pieces(), job.names[0], most=SHOWN))
    for_ucs = output is not None and ".ds" in output.suffixes
    pieces, columns = (job.named_as_ucs, _with_ucs_names(like)) if for_ucs else (job.pieces, like)
    write = partial(write_pieces, pieces, columns, provenance=origin, size=size)
    rows = {"rows": lambda: (piece.table for piece in job.pieces())}
    show(scored_pairs(like, job.names, size=size), origin, json_=json_, output=output, write=write, tables=rows)


def _with_ucs_names(scored: "Pairs") -> "Pairs":
    """Columns of scores under UCS's names; an existing column of that name is replaced."""
    from concurrence.measures.table import MEASURES

    names = {row.name: f"am.{row.ucs}" for row in MEASURES.values() if row.ucs and row.name in scored.table.columns}
    table = scored.table.drop([old for old in names.values() if old in scored.table.columns]).rename(names)
    return replace(scored, table=table)
