"""``concur campaign create``: make a campaign from items, a manual and questions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.campaigns import db_option, next_step, open_store, read_text_rows, text_of, write_logged
from concurrence.cli.lists import NAMES
from concurrence.cli.options import FilePath, json_option, seed_option
from concurrence.cli.output import announce_seed, note, print_json, print_rich, provenance
from concurrence.core.sentences import count_noun

if TYPE_CHECKING:
    from concurrence.annotation.campaigns.items import Row


@click.command("create")
@click.argument("name")
@click.option(
    "--items", type=FilePath(), required=True, metavar="FILE", help="Items to judge: any table, one item per row."
)
@click.option("--questions", type=FilePath(), metavar="FILE", help="Questions (TOML, see above).")
@click.option("--manual", type=FilePath(), metavar="FILE", help="Coding manual (Markdown).")
@click.option(
    "--coders",
    type=NAMES,
    default=(),
    metavar="A,B",
    help="Names of the coders; the first gets part 1. Default: coder1, coder2, …, one per part.",
)
@click.option("--expert", metavar="NAME", help="One more coder, who judges all items.")
@click.option("--leader", default="leader", show_default=True, metavar="NAME", help="Name of the leader.")
@click.option("--each-item", type=int, metavar="K", help="Give each item to K coders instead of assigning by part.")
@click.option("--repeats", type=int, default=0, metavar="N", help="Hidden repeats: items that each coder sees twice.")
@click.option(
    "--round", "round_name", default="main", show_default=True, metavar="NAME", help="Name of the first round."
)
@click.option("--show", type=NAMES, default=(), metavar="A,B", help="Columns shown next to an item, such as f.")
@click.option(
    "--text",
    "text",
    type=NAMES,
    default=(),
    metavar="A,B",
    help="Columns that coders judge, shown large. Default: l1,l2, else text, word or item.",
)
@click.option("--context", type=NAMES, default=(), metavar="A,B", help="Columns with example sentences.")
@click.option(
    "--examples",
    type=FilePath(),
    metavar="PAIRS",
    help="Take examples (and --show columns) from a file written by concur pairs.",
)
@seed_option
@db_option
@json_option
def command(
    name: str,
    *,
    items: Path,
    questions: Path | None,
    manual: Path | None,
    coders: tuple[str, ...],
    expert: str | None,
    leader: str,
    each_item: int | None,
    repeats: int,
    round_name: str,
    show: tuple[str, ...],
    text: tuple[str, ...],
    context: tuple[str, ...],
    examples: Path | None,
    seed: int,
    database: str | None,
    json_: bool,
) -> None:
    r"""Create a campaign in which coders judge items.

    If the items have a column 'part' (as concur sample writes it), each item goes to the coder of its part, and
    part 'all' to everyone; otherwise all coders judge all items. Each coder gets a random order. Coders see the
    pair and its examples; counts, scores and other columns appear only with --show. In a file of matched
    sentences (concur match -o), the close matches are verified; no questions are needed. With a table [training] in
    the questions (round, pass), items with a column 'expected' form a training round that coders must pass first; with
    comments = true, coders and the leader can comment on items.

    \b
    Questions, in TOML. Items cannot be skipped; any decision can be flagged as unsure:
      [[question]]
      id = "collocation"
      text = "Is this a collocation?"
      rule = "what-counts"              # a heading of the manual to show with it
      note = true                       # coders may add a note
      choices = [{ id = "yes", text = "Yes", key = "y" }, { id = "no", text = "No", key = "n" }]
      [[question]]
      id = "kind"
      text = "Which kind?"
      when = "collocation=yes"          # asked only then
      choices = ["support verb", "figurative"]

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > sample.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items sample.csv --questions questions.toml --coders anna,ben
      concur campaign links verbs
    """
    from concurrence.annotation.campaigns.assignment import coders_of_parts
    from concurrence.annotation.campaigns.campaign import SAME_SENTENCE, CampaignPlan, create_campaign
    from concurrence.annotation.campaigns.item_rows import item_rows
    from concurrence.annotation.campaigns.items import is_matches, make_display, make_items
    from concurrence.annotation.questions.questionnaire import parse_questions
    from concurrence.core.errors import InvalidInputError

    rows = _rows(items, examples, show)
    columns = list(rows[0]) if rows else []
    if questions is None and not is_matches(columns):
        raise InvalidInputError(
            "Give the questions with --questions FILE; concur campaign create --help shows an example."
        )
    questions_text = text_of(questions) if questions else SAME_SENTENCE
    questionnaire = parse_questions(questions_text, where=str(questions))
    display = make_display(columns, text=text, contexts=context, show=show, needs_text=questionnaire.needs_text)
    made_items = item_rows(make_items(rows, where=str(items)), display, questionnaire)
    with open_store(database, new=True) as store:
        plan = CampaignPlan(
            name=name,
            items=made_items,
            display=display,
            questions=questions_text,
            manual=text_of(manual) if manual else "",
            coders=coders or coders_of_parts(made_items),
            expert=expert,
            leader=leader,
            each_item=each_item,
            repeats=repeats,
            round=round_name,
            seed=seed,
        )
        created = write_logged(
            store, "campaign made", lambda connection: create_campaign(connection, plan), campaign=name
        )
    announce_seed(seed)
    if manual:
        _tell_of_rules(plan.questions, plan.manual)
    if json_:
        read = [path for path in (items, questions, manual, examples) if path]
        print_json(created, provenance(inputs=read, seed=seed))
        return
    shares = ", ".join(f"{coder} {count}" for coder, count in created.tasks.items())
    print_rich(f"Campaign {name}: {count_noun(created.items, 'item')} ({shares}). Next: {next_step(database, name)}")


def _rows(items: Path, examples: Path | None, show: tuple[str, ...]) -> "list[Row]":
    """The items, with the columns that another table has of them."""
    from concurrence.annotation.campaigns.items import add_columns

    rows: list[Row] = list(read_text_rows(items))
    if examples is None:
        return rows
    columns = ["examples", *(name for name in show if name not in rows[0])]
    return add_columns(rows, read_text_rows(examples), columns, where=str(examples))


def _tell_of_rules(questions: str, manual: str) -> None:
    from concurrence.annotation.questions.questionnaire import parse_questions
    from concurrence.web.manual import without_heading

    rules = {question.id: question.rule for question in parse_questions(questions).questions}
    for sentence in without_heading(rules, manual):
        note(sentence)
