"""Decisions as tables: all labels for ``concur agree``, a gold standard for ``concur evaluate``."""

from collections import defaultdict
from collections.abc import Sequence

import polars as pl
from sqlalchemy import Connection

from concurrence.annotation.adjudication import last_words, rulings
from concurrence.annotation.campaigns import Campaign, find_coder
from concurrence.annotation.decisions import Judged, item_columns, judged_items
from concurrence.annotation.items import PAIR, is_matches
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import value
from concurrence.kernels.votes import majority

ADJUDICATED = "adjudicated"
MAJORITY = "majority"
RELATION = "relation"
"""Tells pairs of the same words apart, as in a sketch."""
FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")
OWN_COLUMNS = ("item", "coder", "question", "label", "round", "unsure", "note", "manual_version")


def export_labels(
    connection: Connection,
    campaign: Campaign,
    *,
    question: str | None = None,
    round_name: str | None = None,
    repeats: bool = False,
    adjudicated: bool = False,
) -> pl.DataFrame:
    """``item,coder,question,label`` and what else is known: round, unsure, note, and the item's own columns."""
    wanted = campaign.questionnaire.ids if question is None else (campaign.questionnaire[question].id,)
    judged = judged_items(connection, campaign, round_name=round_name, repeats=repeats)
    rows = [
        {
            "item": row.item,
            "coder": row.coder,
            "question": name,
            "label": row.labels[name],
            "round": row.round,
            "unsure": "yes" if name in row.unsure else "no",
            "note": row.notes.get(name),
            "manual_version": str(row.manual_versions[name]),
        }
        for row in judged
        for name in wanted
        if name in row.labels
    ]
    if adjudicated:
        rows += _adjudicated_rows(connection, campaign, wanted)
    return _with_columns(rows, item_columns(connection, campaign))


def _adjudicated_rows(connection: Connection, campaign: Campaign, wanted: Sequence[str]) -> list[dict[str, str | None]]:
    held = last_words(rulings(connection, campaign))
    return [
        {
            "item": item,
            "coder": ADJUDICATED,
            "question": question,
            "label": campaign.questionnaire[question].label(ruling.answer or ""),
            "round": None,
            "unsure": "no",
            "note": ruling.reason,
            "manual_version": None,
        }
        for (item, question), ruling in held.items()
        if question in wanted
    ]


def _with_columns(rows: list[dict[str, str | None]], columns: dict[str, dict[str, str]]) -> pl.DataFrame:
    further = list(dict.fromkeys(name for row in columns.values() for name in row if name != "item"))
    table: dict[str, list[str | None]] = {name: [row[name] for row in rows] for name in OWN_COLUMNS}
    for name in further:
        free = f"item_{name}" if name in OWN_COLUMNS else name
        table[free] = [columns[str(row["item"])].get(name) for row in rows]
    return pl.DataFrame(table, schema=dict.fromkeys(table, pl.String))


@value
class Gold:
    """True and false positives by item, and how many items stay undecided."""

    table: pl.DataFrame
    undecided: int


def export_gold(
    connection: Connection, campaign: Campaign, *, question: str, answer: str, by: str, round_name: str | None = None
) -> Gold:
    """``l1,l2,tp``: tp is 1 where the question has this answer, by majority, by adjudication or by one coder.

    Items with a relation keep it beside l1 and l2, since a sketch may have the same words in several relations. A tie
    has no majority, and a disagreement without a ruling is not adjudicated: such items are left out.
    """
    declared = campaign.questionnaire[question].categories
    if declared and answer not in declared:
        raise UnknownNameError(f"choice of question {question!r}", answer, declared)
    columns = item_columns(connection, campaign)
    if not all(name in row for row in columns.values() for name in PAIR):
        raise InvalidInputError("A gold standard needs pairs, but the items have no columns l1 and l2.")
    votes = _votes(campaign, judged_items(connection, campaign, round_name=round_name), question, answer)
    verdicts = _verdicts(connection, campaign, votes, question=question, answer=answer, by=by)
    held = {item: verdict for item, verdict in verdicts.items() if verdict is not None}
    key = (*PAIR, RELATION) if all(RELATION in row for row in columns.values()) else PAIR
    table = {name: [columns[item][name] for item in held] for name in key}
    frame = pl.DataFrame(table | {"tp": [str(int(verdict)) for verdict in held.values()]}, strict=False)
    return Gold(table=frame, undecided=len(votes) - len(held))


def _votes(campaign: Campaign, judged: Sequence[Judged], question: str, answer: str) -> dict[str, dict[str, bool]]:
    """By item and coder whether the question has the answer; a follow-up that does not apply has not."""
    votes: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in judged:
        if question in row.labels:
            votes[row.item][row.coder] = row.labels[question] == answer
        elif row.answers and campaign.questionnaire.complete(row.answers):
            votes[row.item][row.coder] = False
    return votes


def _verdicts(
    connection: Connection,
    campaign: Campaign,
    votes: dict[str, dict[str, bool]],
    *,
    question: str,
    answer: str,
    by: str,
) -> dict[str, bool | None]:
    if by == ADJUDICATED:
        return _ruled(connection, campaign, votes, question, answer)
    if by == MAJORITY:
        return _majorities(votes)
    find_coder(connection, campaign, by)
    return {item: given[by] for item, given in votes.items() if by in given}


def _majorities(votes: dict[str, dict[str, bool]]) -> dict[str, bool | None]:
    counts = [[sum(vote is side for vote in given.values()) for given in votes.values()] for side in (False, True)]
    decided = {0: False, 1: True}
    return {item: decided.get(int(winner)) for item, winner in zip(votes, majority(counts), strict=True)}


def _ruled(
    connection: Connection, campaign: Campaign, votes: dict[str, dict[str, bool]], question: str, answer: str
) -> dict[str, bool | None]:
    held = {
        item: campaign.questionnaire[question].label(ruling.answer or "")
        for (item, name), ruling in last_words(rulings(connection, campaign)).items()
        if name == question
    }
    verdicts: dict[str, bool | None] = {}
    for item, given in votes.items():
        unanimous = next(iter(given.values())) if len(set(given.values())) == 1 else None
        verdicts[item] = held[item] == answer if item in held else unanimous
    return verdicts


def export_matches(connection: Connection, campaign: Campaign, *, question: str, answer: str, by: str) -> pl.DataFrame:
    """The close matches with ``verified`` filled in, ``yes`` or ``no``, in the columns of a matches file."""
    columns = item_columns(connection, campaign)
    names = list(dict.fromkeys(name for row in columns.values() for name in row))
    if not is_matches(names):
        raise InvalidInputError(
            "This campaign does not verify matches: its items have no columns left_id and right_id."
        )
    votes = _votes(campaign, judged_items(connection, campaign), question, answer)
    verdicts = _verdicts(connection, campaign, votes, question=question, answer=answer, by=by)
    words = {True: "yes", False: "no", None: None}
    wanted = [*(name for name in names if name != "verified"), "verified"]
    table: dict[str, list[str | None]] = {name: [row.get(name) for row in columns.values()] for name in wanted}
    table["verified"] = [words[verdicts.get(item)] for item in columns]
    return pl.DataFrame(table, schema=dict.fromkeys(wanted, pl.String))


def quote_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before cells that a spreadsheet would run as a formula.

    >>> quote_formulas(pl.DataFrame({"a": ["=1+1", "b"]}))["a"].to_list()
    ["'=1+1", 'b']
    """
    return frame.with_columns(
        pl.when(pl.any_horizontal(*(pl.col(name).str.starts_with(mark) for mark in FORMULA_MARKS)))
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in frame.columns
        if frame.schema[name] == pl.String
    )
