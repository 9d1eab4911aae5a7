"""``concur campaign export``: the decisions as a table, or as a gold standard."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.campaigns import db_option, open_campaign
from concurrence.cli.options import TABLES, json_option, output_option
from concurrence.cli.output import note, print_json, provenance
from concurrence.core.sentences import count_noun

if TYPE_CHECKING:
    import polars as pl

    from concurrence.annotation.campaigns.campaign import Campaign
    from concurrence.annotation.database.store import Store
    from concurrence.files.provenance import Provenance

WORKBOOK = ".xlsx"


@click.command("export")
@click.argument("name")
@click.option("--question", metavar="ID", help="Only this question.")
@click.option("--round", "round_name", metavar="NAME", help="Only this round.")
@click.option("--repeats", is_flag=True, help="Export the second answers to hidden repeats instead of the first.")
@click.option("--adjudicated", is_flag=True, help="Include the leader's rulings, as coder 'adjudicated'.")
@click.option("--training", is_flag=True, help="Include the answers of the training round (column training).")
@click.option("--shared", is_flag=True, help="Only items with at least two answers to the question.")
@click.option("--comments", is_flag=True, help="Write the comments on items instead: item,by,role,time,comment.")
@click.option("--gold", metavar="QUESTION=ANSWER", help="Write l1,l2,tp for concur evaluate instead.")
@click.option("--matches", "matches", is_flag=True, help="Write the matches with 'verified' filled in instead.")
@click.option("--events", is_flag=True, help="Write every decision ever made, changed and withdrawn ones too, instead.")
@click.option("--by", default="majority", show_default=True, metavar="majority/adjudicated/CODER", help="Who decides.")
@click.option("--quote-formulas", is_flag=True, help="Quote cells a spreadsheet would run as formulas (changes text).")
@click.option("--codebook", is_flag=True, help="Write a codebook and a dataset card, too (in .xlsx, they are always).")
@output_option("File to write. Default: campaign, question and date, .csv.", endings=(*TABLES, WORKBOOK))
@db_option
@json_option
def command(
    name: str,
    *,
    question: str | None,
    round_name: str | None,
    repeats: bool,
    adjudicated: bool,
    training: bool,
    shared: bool,
    comments: bool,
    gold: str | None,
    matches: bool,
    events: bool,
    by: str,
    quote_formulas: bool,
    codebook: bool,
    output: Path | None,
    database: str | None,
    json_: bool,
) -> None:
    r"""Export the decisions of a campaign as a table.

    The table has the columns item, coder, question and label, and the items' own columns; concur agree can read
    it. With --question, a span question has the columns document, coder, start, end, label and length (for concur spans
    FILE --lengths FILE --partial), and a preference has a, b, winner and coder, a being on the left (for concur
    preferences). With --gold, it has l1, l2 and tp for concur evaluate: tp is 1 if the question has that answer.
    Undecided items (ties under majority, disagreements without a ruling under adjudicated) are left out and counted.

    With --codebook, two files are written beside the table: STEM-codebook.csv, with one row for each label of each
    question, and STEM-card.md, which says who judged, with which versions of the manual. A workbook (.xlsx) has them
    as the sheets codebook and about; its cells are texts, of which a spreadsheet runs none as a formula.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      printf 'l1,l2,label\npay,attention,yes\nred,car,no\n' > model.csv
      concur campaign import verbs model.csv --as labels --coder model-a
      concur campaign export verbs --question collocation -o labels.csv --codebook
      concur campaign export verbs -o labels.xlsx
      concur campaign export verbs --gold collocation=yes --by majority -o gold.csv
    """
    from concurrence.annotation.database.store import now
    from concurrence.annotation.decisions import exports as exporting
    from concurrence.annotation.decisions.codebook import export_name
    from concurrence.annotation.people.security_log import log_act
    from concurrence.core.errors import InvalidInputError

    question_id, equals, answer = (gold or ("same=yes" if matches else "")).partition("=")
    if events and (gold or matches or question or round_name or repeats or adjudicated):
        raise InvalidInputError("--events writes the whole log; leave out the options that choose decisions.")
    if (gold or matches) and not (question_id and equals and answer):
        raise InvalidInputError("--gold must have the form QUESTION=ANSWER, such as collocation=yes.")
    kinds = {"comments": comments, "matches": matches, "events": events, "gold": bool(gold)}
    what = next((kind for kind, chosen in kinds.items() if chosen), "labels")
    decisions = {"repeats": repeats, "adjudicated": adjudicated, "training": training, "shared": shared}
    options: dict[str, dict[str, Any]] = {
        "labels": {"question": question, "round_name": round_name, **decisions},
        "matches": {"question": question_id, "answer": answer, "by": by},
        "gold": {"question": question_id, "answer": answer, "by": by, "round_name": round_name},
    }
    with open_campaign(database, name) as (store, campaign):
        exported = store.read_whole(lambda connection: _exports()[what](connection, campaign, **options.get(what, {})))
        store.write(lambda connection: log_act(connection, "export", campaign=name, detail=f"{what}, command line"))
        frame, left_out = (exported.table, exported.undecided) if what == "gold" else (exported, 0)
        if left_out:
            who = {exporting.MAJORITY: "the majority", exporting.ADJUDICATED: "adjudication"}.get(by, by)
            note(f"{count_noun(left_out, 'item')} left out: not decided by {who}.")
        origin = provenance(campaign=name, by=by if gold or matches else None, quoted_formulas=quote_formulas)
        subject = question or (f"{question_id}-gold" if gold else "") or (what if what != "labels" else "")
        path = output or Path(export_name(campaign, subject, ".csv", time=now()))
        table = exporting.quote_formulas(frame, campaign) if quote_formulas else frame
        beside = _write(store, campaign, table, path, origin, what=what, codebook=codebook)
    if json_:
        files = {"file": str(path), "beside": [str(file) for file in beside]}
        print_json({"campaign": name, "rows": len(frame), "undecided": left_out, **files}, origin)
    elif output is None or beside:
        click.echo(f"Written: {', '.join(map(str, (path, *beside)))}.")


def _write(
    store: "Store",
    campaign: "Campaign",
    frame: "pl.DataFrame",
    path: Path,
    origin: "Provenance",
    *,
    what: str,
    codebook: bool,
) -> list[Path]:
    """Write a table, with what describes it on request; gives the further files."""
    import polars as pl

    from concurrence.annotation.database.store import now
    from concurrence.annotation.decisions.codebook import codebook_table, dataset_card
    from concurrence.files.atomic import replacing
    from concurrence.files.tables.formats import write_table
    from concurrence.files.tables.workbooks import write_workbook

    book = store.read(lambda connection: codebook_table(connection, campaign))
    card = store.read(
        lambda connection: dataset_card(connection, campaign, file=path.name, columns=frame.columns, time=now())
    )
    if path.suffix.lower() == WORKBOOK:
        about = pl.DataFrame({"about": card.splitlines()})
        write_workbook({what: frame, "codebook": book, "about": about}, path, origin)
        return []
    write_table(frame, path, origin)
    if not codebook:
        return []
    beside = [path.with_name(f"{path.name.partition('.')[0]}-{end}") for end in ("codebook.csv", "card.md")]
    write_table(book, beside[0])
    with replacing(beside[1]) as temporary:
        temporary.write_text(card, "utf-8")
    return beside


def _exports() -> dict[str, Callable[..., Any]]:
    """What can be written, and how it is read."""
    from concurrence.annotation.decisions import exports as exporting
    from concurrence.annotation.decisions.comments import export_comments
    from concurrence.annotation.decisions.event_table import export_events
    from concurrence.annotation.decisions.question_exports import export_answers

    return {
        "labels": export_answers,
        "comments": export_comments,
        "matches": exporting.export_matches,
        "events": export_events,
        "gold": exporting.export_gold,
    }
