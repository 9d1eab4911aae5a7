"""``concur words``: frequency and dispersion."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, open_corpus, sources_of
from concurrence.cli.options import PAGES, TABLES, json_option, output_option
from concurrence.cli.output import provenance, show

SHOWN = 50
"""How many words a screen shows; files and JSON hold all."""


@click.command("words")
@click.argument("corpus")
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option(
    "--sort",
    default="f",
    show_default=True,
    metavar="NAME",
    help="f, a measure of dispersion (most evenly spread first), or word.",
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Keep the first N words. Default: all.")
@click.option("--min-freq", type=click.IntRange(min=1), default=1, show_default=True, help="Least frequency.")
@corpus_options
@json_option
@output_option(
    "Write the words as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    corpus: str,
    *,
    unit: str,
    lower: bool,
    sort: str,
    top: int | None,
    min_freq: int,
    reading: CorpusOptions,
    json_: bool,
    output: Path | None,
) -> None:
    """List the words of a corpus with frequency and dispersion.

    CORPUS is an index (see `concur index`), or a file or folder, which is read first. Dispersion is over documents:
    range is the share of documents with the word; dp and dp_norm are 0, all other measures 1, where a word is spread
    evenly.

    \b
    Example:
      printf 'a red rose\\nthe red rose\\n' > roses.txt
      concur words roses.txt
    """
    from concurrence.api.words import words
    from concurrence.report.pages.words import words_document

    source = open_corpus(corpus, reading)
    result = words(source, unit=unit, lower=lower, sort=sort, top=top, min_freq=min_freq)
    brief = partial(words_document, result, most=SHOWN)
    show(result, provenance(inputs=sources_of(source)), json_=json_, output=output, brief=brief)
