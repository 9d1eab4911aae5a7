"""``concur campaign import``: a model's labels, more items, or a new version of the manual."""

from pathlib import Path

import click

from concurrence.cli.campaigns import db_option, open_campaign, read_text_rows, text_of, write_logged
from concurrence.cli.options import FilePath, json_option
from concurrence.cli.output import print_json, print_rich, provenance


@click.command("import")
@click.argument("name")
@click.argument("file", type=FilePath())
@click.option(
    "--as",
    "kind",
    type=click.Choice(["labels", "items", "matches", "manual"]),
    required=True,
    help="What the file contains.",
)
@click.option("--coder", metavar="NAME", help="Labels: name of the model (default: the column 'coder').")
@click.option("--question", metavar="ID", help="Labels: the question they answer (default: the column, or the first).")
@click.option("--round", "round_name", metavar="NAME", help="Labels: their round. Items: name of the new round.")
@click.option("--each-item", type=int, metavar="K", help="Items: give each to K coders instead of assigning by part.")
@click.option("--repeats", type=int, default=0, metavar="N", help="Items: how many each coder sees twice (hidden).")
@db_option
@json_option
def command(
    name: str,
    file: Path,
    *,
    kind: str,
    coder: str | None,
    question: str | None,
    round_name: str | None,
    each_item: int | None,
    repeats: int,
    database: str | None,
    json_: bool,
) -> None:
    r"""Add labels, items or a new manual to a campaign.

    labels: a table with item (or l1 and l2) and label, and question if there are several; the labels become one
    more coder and must follow the same rules. items: a new round. matches: the close matches found by concur
    match, to be verified in a new round. manual: a new version, recorded with every later decision.

    \b
    Example:
      printf 'l1,l2\npay,attention\nred,car\n' > items.csv
      printf '[[question]]\nid = "collocation"\nchoices = ["yes", "no"]\n' > questions.toml
      concur campaign create verbs --items items.csv --questions questions.toml --coders anna,ben
      printf 'l1,l2,label\npay,attention,yes\nred,car,no\n' > model.csv
      concur campaign import verbs model.csv --as labels --coder model-a
      printf '# What counts\nA habitual pair.\n' > manual.md
      concur campaign import verbs manual.md --as manual
    """
    from concurrence.annotation.campaigns.campaign import add_manual, add_round
    from concurrence.annotation.campaigns.items import make_items
    from concurrence.annotation.decisions.imports import import_labels, labels_by_coder
    from concurrence.core.errors import InvalidInputError

    with open_campaign(database, name) as (store, campaign):
        if kind == "manual":
            version = write_logged(
                store,
                "manual changed",
                lambda connection: add_manual(connection, campaign, text_of(file)),
                campaign=name,
            )
            result: dict[str, object] = {"manual_version": version}
        elif kind == "labels":
            sets = labels_by_coder(read_text_rows(file), coder)
            result = store.write(
                lambda connection: {
                    who: import_labels(
                        connection, campaign, rows, coder=who, question=question, round_name=round_name
                    ).labels
                    for who, rows in sets.items()
                }
            )
        else:
            if round_name is None:
                raise InvalidInputError("Name the new round with --round NAME.")
            display = campaign.display
            rows = make_items(read_text_rows(file), where=str(file), key=display.key, part=display.part)
            items = campaign.item_rows(rows)
            result = write_logged(
                store,
                "items added",
                lambda connection: dict(
                    add_round(connection, campaign, items, name=round_name, each_item=each_item, repeats=repeats)
                ),
                campaign=name,
                detail=f"round {round_name}",
            )
    if json_:
        print_json({"campaign": name, "imported": kind, "result": result}, provenance(inputs=[file]))
        return
    report = {"version": result["manual_version"]} if kind == "manual" else result
    print_rich(f"{name}: {kind} imported; " + ", ".join(f"{key} {value}" for key, value in report.items()) + ".")
