"""``concur kwic``: a concordance for a pair."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.corpus_options import Reading, corpus_options, read
from concurrence.cli.options import PAGES, TABLES, json_option, output_option
from concurrence.cli.output import provenance


@click.command("kwic")
@click.argument("corpus", nargs=-1, required=True)
@click.argument("l1")
@click.argument("l2")
@click.option(
    "--rule", default="window:5", show_default=True, metavar="RULE", help="Co-occurrence rule, as for concur pairs."
)
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option("--lines", type=click.IntRange(min=1), default=50, show_default=True, help="Maximum number of lines.")
@click.option("--context", type=click.IntRange(min=0), default=50, show_default=True, help="Characters on either side.")
@corpus_options
@json_option
@output_option(
    "Write the lines as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    corpus: tuple[str, ...],
    l1: str,
    l2: str,
    *,
    rule: str,
    unit: str,
    lower: bool,
    lines: int,
    context: int,
    reading: Reading,
    json_: bool,
    output: Path | None,
) -> None:
    """Show where a pair occurs, with its context.

    \b
    Example:
      printf 'a red rose\\nthe red , red rose\\n' > roses.txt
      concur kwic roses.txt red rose
    """
    from concurrence.cli.output import show
    from concurrence.counting import Counting
    from concurrence.counting.concordance import concordance
    from concurrence.report.counting import concordance_document

    how = Counting(rule=rule, unit=unit, lower=lower)
    tokens = read(corpus, reading, attributes=how.needed_attributes())
    result = concordance(tokens, l1, l2, how, lines=lines)
    told = partial(concordance_document, result, context=context)
    show(result, provenance(inputs=tokens.sources), json_=json_, output=output, told=told)
