"""``concur collocates``: what stands around a word."""

from functools import partial
from pathlib import Path

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, open_corpus, sources_of
from concurrence.cli.options import CHARTS, PAGES, TABLES, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show

SHOWN = 50
"""How many collocates a screen shows; files and JSON hold all."""


@click.command("collocates")
@click.argument("corpus")
@click.argument("node")
@click.option(
    "--span", default="5", show_default=True, metavar="K|LEFT,RIGHT", help="Tokens on either side of the node."
)
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option("--pos", default="", metavar="TAGS", help="Parts of speech of the collocates, such as NOUN,ADJ.")
@click.option("-m", "--measures", default="logDice,log_likelihood,t_score,MI", show_default=True, help="Measures.")
@click.option(
    "--define", multiple=True, metavar="'NAME = FORMULA'", help="A measure of your own, from O11 … E22 R1 C1 N n1 n2."
)
@click.option("--sort", metavar="NAME", help="A measure, f, or word. Default: the first measure.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Keep the best N collocates. Default: all.")
@click.option("--min-freq", type=click.IntRange(min=1), default=1, show_default=True, help="Least frequency.")
@click.option("--examples", type=click.IntRange(min=0), default=0, help="Random sentences per collocate.")
@seed_option
@corpus_options
@json_option
@output_option(
    "Write the collocates as pairs with their scores (.csv .tsv .jsonl .parquet), a page (.html .md .tex), or a chart "
    "of where the node occurs (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    corpus: str,
    node: str,
    *,
    span: str,
    unit: str,
    lower: bool,
    pos: str,
    measures: str,
    define: tuple[str, ...],
    sort: str | None,
    top: int | None,
    min_freq: int,
    examples: int,
    seed: int,
    reading: CorpusOptions,
    json_: bool,
    output: Path | None,
) -> None:
    """Show what stands around a word.

    CORPUS is an index (see `concur index`), or a file or folder, which is read first. NODE is a word, in which * stands
    for any letters, or a pattern such as '[lemma="take" & pos="VERB"]'. The counts are those of `concur pairs --rule
    window:K` for this node.

    \b
    Example:
      printf 'a red rose\\nthe red rose\\n' > roses.txt
      concur index roses.txt -o roses
      concur collocates roses red
    """
    from concurrence.api.words import collocates
    from concurrence.report.pages.words import collocates_document

    source = open_corpus(corpus, reading)
    result = collocates(
        source,
        node,
        span=_span(span),
        unit=unit,
        lower=lower,
        pos=tuple(tag.strip() for tag in pos.split(",") if tag.strip()),
        measures=measures,
        define=define,
        sort=sort,
        top=top if json_ or output or (top or SHOWN + 1) <= SHOWN else SHOWN,
        min_freq=min_freq,
        examples=examples,
        seed=seed,
    )
    origin = provenance(inputs=sources_of(source), seed=seed if examples else None)
    show(result, origin, json_=json_, output=output, brief=partial(collocates_document, result, most=SHOWN))


def _span(text: str) -> tuple[int, int]:
    from concurrence.core.errors import InvalidInputError

    left, comma, right = text.partition(",")
    if not (left.strip().isdecimal() and (right.strip().isdecimal() if comma else True)):
        raise InvalidInputError(f"The span must be a number of tokens, such as 5, or two, such as 3,5; not {text!r}.")
    return int(left), int(right if comma else left)
