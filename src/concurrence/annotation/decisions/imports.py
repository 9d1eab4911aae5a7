"""Labels that were not made in the browser: those of a model, or of a person elsewhere, as one more coder."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from concurrence.annotation.campaigns.campaign import (
    Campaign,
    coders_of,
    find_round,
    insert_person,
    item_ids,
    manual_of,
    rounds_of,
)
from concurrence.annotation.campaigns.items import PAIR
from concurrence.annotation.database.schema import TASK
from concurrence.annotation.database.store import now
from concurrence.annotation.decisions.events import NewEvent, record
from concurrence.core.errors import InvalidInputError

Row = Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLabels:
    coder: str
    labels: int
    known: int


def import_labels(
    connection: Connection,
    campaign: Campaign,
    rows: Sequence[Row],
    *,
    coder: str,
    question: str | None = None,
    round_name: str | None = None,
) -> ImportedLabels:
    """Take labels (``item`` or ``l1,l2``; ``label``; ``question`` where there are several) as one more coder.

    They pass the same rules as a person's decisions. The same file a second time changes nothing.
    """
    rounds = rounds_of(connection, campaign)
    round_id = find_round(connection, campaign, round_name) if round_name else int(rounds[-1].id)
    named = [_named(campaign, row, line, question) for line, row in enumerate(rows, start=1)]
    ids = item_ids(connection, campaign)
    by_pair = {key.replace("|", " "): key for key in ids}
    keys = [_known_key(key, ids, by_pair, line) for line, (key, _, _) in enumerate(named, start=1)]
    coder_id = _model(connection, campaign, coder)
    tasks = _tasks(connection, coder_id, round_id, [ids[key] for key in keys])
    version, time = manual_of(connection, campaign)[0], now()
    order = sorted(range(len(named)), key=lambda n: campaign.questionnaire.ids.index(named[n][1]))
    events = [
        NewEvent(
            uuid=str(
                uuid.uuid5(uuid.NAMESPACE_OID, f"{campaign.name}\n{round_id}\n{coder}\n{keys[n]}\n{named[n][1:]}")
            ),
            task=tasks[ids[keys[n]]],
            question=named[n][1],
            answer=named[n][2],
            client_time=time,
            manual_version=version,
        )
        for n in order
    ]
    receipts = record(connection, campaign, coder_id, events, origin="import")
    for number, receipt in zip(order, receipts, strict=True):
        if receipt.status == "refused":
            raise InvalidInputError(f"Label {number + 1}, item {keys[number]!r}: {receipt.reason}")
    stored = sum(receipt.status == "stored" for receipt in receipts)
    return ImportedLabels(coder=coder, labels=stored, known=len(receipts) - stored)


def _named(campaign: Campaign, row: Row, line: int, question: str | None) -> tuple[str, str, str]:
    key = row.get("item") or row.get("id") or " ".join(row.get(name) or "" for name in PAIR).strip()
    label = row.get("label")
    if not key or not label:
        raise InvalidInputError(f"Label {line}: each row needs item (or l1 and l2) and label.")
    name = row.get("question") or question or campaign.questionnaire.ids[0]
    return key, campaign.questionnaire[name].id, label


def _known_key(key: str, ids: Mapping[str, int], by_pair: Mapping[str, str], line: int) -> str:
    if key in ids:
        return key
    if key in by_pair:
        return by_pair[key]
    raise InvalidInputError(f"Label {line}: item {key!r} is not in this campaign.")


def _model(connection: Connection, campaign: Campaign, name: str) -> int:
    for person in coders_of(connection, campaign):
        if person.name == name:
            if person.role != "model":
                raise InvalidInputError(
                    f"{name!r} is already the name of a person in this campaign; choose another name for the import."
                )
            return int(person.id)
    return insert_person(connection, campaign, name, "model")


def _tasks(connection: Connection, coder_id: int, round_id: int, items: Sequence[int]) -> dict[int, int]:
    mine = (TASK.c.coder_id == coder_id) & (TASK.c.round_id == round_id)
    present = set(connection.execute(select(TASK.c.item_id).where(mine)).scalars())
    new = [item for item in dict.fromkeys(items) if item not in present]
    base = {"coder_id": coder_id, "round_id": round_id, "repeat": False}
    rows = [base | {"item_id": item, "position": len(present) + n} for n, item in enumerate(new, start=1)]
    if rows:
        connection.execute(insert(TASK), rows)
    return {row.item_id: row.id for row in connection.execute(select(TASK).where(mine))}


def labels_by_coder(rows: Sequence[Row], coder: str | None) -> dict[str, list[Row]]:
    """The rows of each coder in a file, or all under one given name."""
    sets: dict[str, list[Row]] = {}
    for line, row in enumerate(rows, start=1):
        who = coder or row.get("coder")
        if not who:
            raise InvalidInputError(f"Label {line}: no coder given; name the model with --coder NAME.")
        sets.setdefault(who, []).append(row)
    return sets
