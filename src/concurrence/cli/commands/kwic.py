"""``concur kwic``: a concordance of a word, a pair or a pattern."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, open_corpus, sources_of
from concurrence.cli.options import PAGES, TABLES, json_option, output_option, seed_option
from concurrence.cli.output import page_width, provenance, show


@click.command("kwic")
@click.argument("corpus")
@click.argument("query")
@click.argument("second", required=False, metavar="[QUERY2]")
@click.option(
    "--rule", default="window:5", show_default=True, metavar="RULE", help="Rule for a pair, as for concur pairs."
)
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option(
    "--sort",
    default="corpus",
    show_default=True,
    metavar="corpus|left|right|node|random",
    help="Order of the lines.",
)
@click.option("--lines", type=click.IntRange(min=1), default=50, show_default=True, help="Lines per page.")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True, help="Page to show.")
@click.option(
    "--context",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="Characters on either side, as far as a line of the terminal has room.",
)
@seed_option
@corpus_options
@json_option
@output_option(
    "Write the lines as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    corpus: str,
    query: str,
    second: str | None,
    *,
    rule: str,
    unit: str,
    lower: bool,
    sort: str,
    lines: int,
    page: int,
    seed: int,
    context: int,
    reading: CorpusOptions,
    json_: bool,
    output: Path | None,
) -> None:
    """Show where a word, a pair or a pattern occurs, in context.

    CORPUS is an index (see `concur index`), or a file or folder, which is read first. QUERY is a word, in which *
    stands for any letters, or a pattern of tokens; with QUERY2 the lines are those where the two words occur together
    by the rule.

    \b
    Example:
      printf 'a red rose\\nthe red , red rose\\n' > roses.txt
      concur kwic roses.txt red rose
      concur kwic roses.txt '"red" []{0,2} "rose"'
    """
    from concurrence.api.words import kwic
    from concurrence.report.pages.words import kwic_document

    source = open_corpus(corpus, reading)
    result = kwic(
        source, query, second, rule=rule, unit=unit, lower=lower, sort=sort, lines=lines, page=page, seed=seed
    )
    brief = partial(kwic_document, result, context=context, width=page_width())
    show(result, provenance(inputs=sources_of(source), seed=result.seed), json_=json_, output=output, brief=brief)
