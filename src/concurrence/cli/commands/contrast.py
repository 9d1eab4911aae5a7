"""``concur contrast``: what sets two corpora apart."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, open_corpus, sources_of
from concurrence.cli.lists import COLUMNS, WHOLE_NUMBERS
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import progress_bar, provenance, show
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.lookup.contrast import Contrast

SHOWN = 20
"""How many words of either side a screen shows; files and JSON hold all."""


@click.command("contrast")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--by", metavar="NAME", help="Divide the documents of one corpus by what is known of them, such as year.")
@click.option("--a", "in_a", type=COLUMNS, default=(), metavar="VALUES", help="With --by: values of A; 1990..1999 too.")
@click.option(
    "--b", "in_b", type=COLUMNS, default=(), metavar="VALUES", help="With --by: values of B. Default: others."
)
@click.option("--rule", metavar="RULE", help="Compare pairs by this rule, as for concur pairs, instead of words.")
@click.option("--node", metavar="WORD", help="Compare the collocates of a word or pattern instead of words.")
@click.option("--span", type=click.IntRange(min=1), default=5, show_default=True, help="With --node: tokens on a side.")
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option(
    "--table", type=FilePath(), metavar="FILE", help="Counts instead of corpora: a word and two counts per row."
)
@click.option("--totals", type=WHOLE_NUMBERS, metavar="N,N", help="With --table: all occurrences. Default: the sums.")
@click.option(
    "--sort", metavar="NAME", help="Column to sort by. Default: log_likelihood, or collostruction of a table."
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Keep the first N rows. Default: all.")
@click.option("--min-freq", type=click.IntRange(min=1), default=1, show_default=True, help="Least frequency in both.")
@click.option("--draws", type=click.IntRange(min=0), default=999, show_default=True, help="Shuffles of the documents.")
@seed_option
@corpus_options
@json_option
@output_option(
    "Write every row as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    a: str | None,
    b: str | None,
    *,
    by: str | None,
    in_a: tuple[str, ...],
    in_b: tuple[str, ...],
    rule: str | None,
    node: str | None,
    span: int,
    unit: str,
    lower: bool,
    table: Path | None,
    totals: tuple[int, ...] | None,
    sort: str | None,
    top: int | None,
    min_freq: int,
    draws: int,
    seed: int,
    reading: CorpusOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Find the words that set two corpora apart.

    A and B are indexes (see `concur index`), files or folders; --by compares two parts of A instead. Scores are
    positive for what is more frequent in A.
    log_likelihood treats every token as independent; p_documents does not: it shuffles whole documents between the
    two sides. With --rule the rows are pairs, with --node the collocates of a word. With --table the counts of two
    constructions are compared (distinctive collexemes), with Fisher's exact test.

    \b
    Example:
      printf 'thou art here\n' > old.txt
      printf 'you are here\n' > new.txt
      concur contrast old.txt new.txt
      printf 'verb,ditransitive,to-dative\ngive,461,146\ntell,128,2\n' > verbs.csv
      concur contrast --table verbs.csv --totals 1035,1919
    """
    from concurrence.report.pages.contrast import contrast_document

    _check(a, b, by, in_a, in_b, table, totals)
    if table is not None:
        result, inputs = _of_table(table, totals, sort, top), [str(table)]
    else:
        from concurrence.api.contrast import contrast

        first, second = open_corpus(str(a), reading), None if b is None else open_corpus(b, reading)
        with progress_bar("shuffling") as report:
            result = contrast(
                first,
                second,
                by=by,
                parts=(in_a, in_b),
                names=_names(a, b),
                rule=rule,
                node=node,
                span=span,
                unit=unit,
                lower=lower,
                sort=sort or "log_likelihood",
                top=top,
                min_freq=min_freq,
                draws=draws,
                seed=seed,
                progress=report,
            )
        inputs = [*sources_of(first), *([] if second is None else sources_of(second))]
    origin = provenance(inputs=inputs, seed=seed if result.draws else None)
    show(result, origin, json_=json_, output=output, brief=partial(contrast_document, result, most=SHOWN))


def _check(
    a: str | None,
    b: str | None,
    by: str | None,
    in_a: tuple[str, ...],
    in_b: tuple[str, ...],
    table: Path | None,
    totals: tuple[int, ...] | None,
) -> None:
    """Refuse what does not go together, before anything is read."""
    if table is not None and (a or by):
        raise InvalidInputError("--table takes the place of corpora; give one or the other.")
    if totals is not None and (table is None or len(totals) != 2):
        raise InvalidInputError("--totals are two numbers, one for each column of counts of --table.")
    if (in_a or in_b) and by is None:
        raise InvalidInputError("--a and --b are values of --by; name what they are values of.")
    if in_b and not in_a:
        raise InvalidInputError("--b needs --a; without --b, it is all other documents.")
    if table is None and (a is None or (b is None) == (by is None)):
        raise InvalidInputError("Give two corpora, or one with --by NAME, or counts with --table FILE.")


def _names(a: str | None, b: str | None) -> tuple[str, str]:
    """What the sides are called: their file names, or the whole paths where these are the same."""
    short = (Path(str(a)).name, Path(str(b)).name)
    return short if short[0] != short[1] and all(short) else (str(a), str(b))


def _of_table(path: Path, totals: Any, sort: str | None, top: int | None) -> "Contrast":
    from concurrence.api.contrast import contrast_counts
    from concurrence.files.tables.formats import read_table

    return contrast_counts(read_table(path), totals=totals, sort=sort or "collostruction", top=top)
