"""``concur sketch``: the collocates of a lemma by grammatical relation."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.corpus_options import CorpusOptions, corpus_options, open_corpus, sources_of
from concurrence.cli.lists import COLUMNS, NAMES
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show

if TYPE_CHECKING:
    from concurrence.lookup.sketch import Sketch

SHOWN = 8
"""How many words of a relation a screen shows; files and JSON hold all."""


@click.command("sketch")
@click.argument("corpus")
@click.argument("lemma")
@click.option("--pos", type=COLUMNS, default=(), metavar="TAGS", help="Parts of speech of the lemma, such as VERB.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option("--relations", type=COLUMNS, default=(), metavar="NAMES", help="Only these relations: obj,'obj of'.")
@click.option("--patterns", type=FilePath(), metavar="FILE", help="Patterns of your own, one NAME = PATTERN per line.")
@click.option("-m", "--measures", default="logDice,log_likelihood,MI", show_default=True, help="Measures.")
@click.option(
    "--define", multiple=True, metavar="'NAME = FORMULA'", help="A measure of your own, from O11 … E22 R1 C1 N."
)
@click.option("--sort", metavar="NAME", help="A measure, f, or word. Default: the first measure.")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", help="Keep the best N words of a relation. Default: all."
)
@click.option("--min-freq", type=click.IntRange(min=1), default=1, show_default=True, help="Least frequency.")
@click.option("--examples", type=click.IntRange(min=0), default=0, help="Random sentences per word.")
@click.option("--to-campaign", metavar="NAME", help="Make a campaign in which coders judge the words.")
@click.option("--coders", type=NAMES, default=(), metavar="A,B", help="Coders of the campaign.")
@click.option(
    "--questions", type=FilePath(), metavar="FILE", help="Questions of the campaign. Default: collocation yes/no."
)
@click.option("--db", "database", metavar="URL", help="Database of the campaign. Default: concurrence.db here.")
@seed_option
@corpus_options
@json_option
@output_option(
    "Write the words as pairs with their relation and scores (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
def command(
    corpus: str,
    lemma: str,
    *,
    pos: tuple[str, ...],
    lower: bool,
    relations: tuple[str, ...],
    patterns: Path | None,
    measures: str,
    define: tuple[str, ...],
    sort: str | None,
    top: int | None,
    min_freq: int,
    examples: int,
    to_campaign: str | None,
    coders: tuple[str, ...],
    questions: Path | None,
    database: str | None,
    seed: int,
    reading: CorpusOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Show what goes with a word, by grammatical relation.

    CORPUS is an index (see `concur index`), or a file or folder, which is read first. If it has dependencies, the
    relations are their labels: `obj` is what depends on LEMMA as its object, `obj of` what LEMMA depends on as one.
    Otherwise they come from patterns of parts of speech, for English or German (--language de), or your own. The
    counts are those of `concur pairs --rule dep:obj --unit lemma`.

    \b
    Patterns of your own, one per line; 2: is the NAME of 1:
      modifier = 2:[pos="ADJ"] [pos="ADJ"]{0,2} 1:[pos="NOUN"]

    \b
    Example:
      printf '1\tDrink\tdrink\tVERB\t_\t_\t0\troot\t_\t_\n2\ttea\ttea\tNOUN\t_\t_\t1\tobj\t_\t_\n\n' > tea.conllu
      concur sketch tea.conllu drink
      concur sketch tea.conllu tea --to-campaign tea --coders anna,ben
    """
    from concurrence.api.sketch import sketch
    from concurrence.report.pages.sketch import sketch_brief

    _check_campaign(to_campaign, coders, questions, database)
    source = open_corpus(corpus, reading)
    result = sketch(
        source,
        lemma,
        pos=pos,
        lower=lower,
        relations=relations,
        patterns=_lines(patterns),
        language=reading.language,
        measures=measures,
        define=define,
        sort=sort,
        top=top,
        min_freq=min_freq,
        examples=examples or (3 if to_campaign else 0),
        seed=seed,
    )
    inputs = [*sources_of(source), *([str(patterns)] if patterns else [])]
    origin = provenance(inputs=inputs, seed=seed if examples or to_campaign else None, key=["l1", "l2", "relation"])
    if to_campaign:
        _create(result, to_campaign, coders, questions, database, seed)
    show(result, origin, json_=json_, output=output, brief=partial(sketch_brief, result, most=SHOWN))


def _lines(path: Path | None) -> list[str] | None:
    from concurrence.files.tables.text import read_text

    return None if path is None else read_text(path).decode("utf-8").split("\n")


def _check_campaign(name: str | None, coders: tuple[str, ...], questions: Path | None, database: str | None) -> None:
    """Refuse what belongs to a campaign without one, and a campaign without coders, before anything is counted."""
    from concurrence.cli.campaigns import require_web
    from concurrence.core.errors import InvalidInputError

    if name is None:
        settings = {"--coders": coders, "--questions": questions, "--db": database}
        if lone := next((option for option, setting in settings.items() if setting), None):
            raise InvalidInputError(f"{lone} belongs to a campaign; name one with --to-campaign NAME.")
        return
    require_web()
    if not coders:
        raise InvalidInputError("Name the coders of the campaign with --coders A,B.")


def _create(
    result: "Sketch", name: str, coders: tuple[str, ...], questions: Path | None, database: str | None, seed: int
) -> None:
    """Make a campaign of a sketch: an item is a word in a relation."""
    from concurrence.annotation.campaigns.campaign import COLLOCATION, CampaignPlan, create_campaign
    from concurrence.annotation.campaigns.item_rows import item_rows
    from concurrence.annotation.campaigns.items import EXAMPLE_MARK, make_display, make_items
    from concurrence.annotation.questions.questionnaire import parse_questions
    from concurrence.cli.campaigns import next_step, open_store, text_of
    from concurrence.cli.output import note
    from concurrence.core.sentences import count_noun

    rows = [
        {
            "item": f"{relation}: {row.word}",
            "l1": result.node.query,
            "l2": row.word,
            "relation": relation,
            "examples": EXAMPLE_MARK.join(row.examples),
        }
        for relation, words in result.relations.items()
        for row in words
    ]
    questions_text = text_of(questions) if questions else COLLOCATION
    display = make_display(list(rows[0]), text=("l1", "l2"), show=("relation",))
    items = make_items(rows, where=f"The sketch of {result.node.query}")
    plan = CampaignPlan(
        name=name,
        items=item_rows(items, display, parse_questions(questions_text, where=str(questions))),
        display=display,
        questions=questions_text,
        coders=coders,
        seed=seed,
    )
    with open_store(database, new=True) as store:
        created = store.write(lambda connection: create_campaign(connection, plan))
    note(f"Campaign {name}: {count_noun(created.items, 'item')}. Next: {next_step(database, name)}")
