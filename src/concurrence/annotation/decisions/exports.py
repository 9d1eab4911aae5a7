"""Decisions as tables: all labels for ``concur agree``, a gold standard for ``concur evaluate``."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import polars as pl
from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import Campaign, find_coder
from concurrence.annotation.campaigns.items import PAIR, is_matches
from concurrence.annotation.decisions.adjudication import Ruling, rulings, rulings_in_force
from concurrence.annotation.decisions.outcomes import JudgedItem, item_columns, judged_items
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import value
from concurrence.kernels.votes import majority

ADJUDICATED = "adjudicated"
MAJORITY = "majority"
RELATION = "relation"
"""Tells pairs of the same words apart, as in a sketch."""
FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")
PLAIN_NUMBER = r"^[+-]?\d+(\.\d+)?$"
OWN_COLUMNS = ("item", "coder", "question", "label", "round", "unsure", "note", "manual_version")


def export_labels(
    connection: Connection,
    campaign: Campaign,
    *,
    question: str | None = None,
    round_name: str | None = None,
    repeats: bool = False,
    adjudicated: bool = False,
    training: bool = False,
    shared: bool = False,
) -> pl.DataFrame:
    """``item,coder,question,label`` and what else is known: round, unsure, note, and the item's own columns.

    An item that was judged in several rounds is named ``item (round)``: each coder has one label on it in each of them.
    With ``shared``, a question has the items alone that at least two coders answered it on, as the leader's page has
    follow-ups. Campaigns with a training round have a column ``training``, and rows of that round only on request.
    """
    questions = campaign.questionnaire.ids if question is None else (campaign.questionnaire[question].id,)
    judged = judged_items(connection, campaign, round_name=round_name, repeats=repeats, training=training)
    rows: list[dict[str, str | None]] = [
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
        for name in questions
        if name in row.labels
    ]
    if adjudicated:
        rows += _adjudicated_rows(connection, campaign, questions)
    if (trained := campaign.questionnaire.training) is not None:
        rows = [row | {"training": "yes" if row["round"] == trained.round else "no"} for row in rows]
    table = _with_columns(rows, item_columns(connection, campaign), trained=trained is not None)
    whole = table if round_name is not None else _rounds_apart(table)
    answers = (pl.col("coder") != ADJUDICATED).sum().over("item", "question")
    return whole.filter(answers > 1) if shared else whole


def _rounds_apart(table: pl.DataFrame) -> pl.DataFrame:
    """The items that come in several rounds under a name for each; a ruling, which has no round, stands for each."""
    rounds = table.filter(pl.col("round").is_not_null()).select("item", "round").unique(maintain_order=True)
    several = rounds.filter(pl.len().over("item") > 1)
    if several.is_empty():
        return table
    named = several.with_columns(name=pl.format("{} ({})", "item", "round"))
    ruled, answered = table.filter(pl.col("round").is_null()), table.filter(pl.col("round").is_not_null())
    whole = pl.concat(
        [
            answered.join(named, on=["item", "round"], how="left", maintain_order="left"),
            ruled.join(named.select("item", "name"), on="item", how="left", maintain_order="left"),
        ]
    )
    return whole.with_columns(item=pl.coalesce("name", "item")).drop("name")


def _adjudicated_rows(
    connection: Connection, campaign: Campaign, questions: Sequence[str]
) -> list[dict[str, str | None]]:
    in_force = rulings_in_force(campaign, rulings(connection, campaign))
    return [
        {
            "item": ruling.item,
            "coder": ADJUDICATED,
            "question": question,
            "label": campaign.questionnaire[question].label(ruling.answer or ""),
            "round": None,
            "unsure": "no",
            "note": ruling.reason,
            "manual_version": None,
        }
        for (_, question), ruling in in_force.items()
        if question in questions
    ]


def _with_columns(
    rows: list[dict[str, str | None]], columns: dict[str, dict[str, str]], *, trained: bool = False
) -> pl.DataFrame:
    own = (*OWN_COLUMNS, "training") if trained else OWN_COLUMNS
    further = list(dict.fromkeys(name for row in columns.values() for name in row if name != "item"))
    table: dict[str, list[str | None]] = {name: [row[name] for row in rows] for name in own}
    for name in further:
        free = f"item_{name}" if name in own else name
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
        raise UnknownNameError(f"choice of question {question!r} named", answer, declared)
    columns = item_columns(connection, campaign)
    if not all(name in row for row in columns.values() for name in PAIR):
        raise InvalidInputError("A gold standard needs pairs, but the items have no columns l1 and l2.")
    judged = judged_items(connection, campaign, round_name=round_name)
    votes = _votes(campaign, judged, question, answer)
    verdicts = _verdicts(connection, campaign, judged, votes, question=question, answer=answer, by=by)
    decided = {item: verdict for item, verdict in verdicts.items() if verdict is not None}
    key = (*PAIR, RELATION) if all(RELATION in row for row in columns.values()) else PAIR
    table = {name: [columns[item][name] for item in decided] for name in key}
    frame = pl.DataFrame(table | {"tp": [str(int(verdict)) for verdict in decided.values()]}, strict=False)
    return Gold(table=frame, undecided=len(votes) - len(decided))


def _votes(campaign: Campaign, judged: Sequence[JudgedItem], question: str, answer: str) -> dict[str, dict[str, bool]]:
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
    judged: Sequence[JudgedItem],
    votes: dict[str, dict[str, bool]],
    *,
    question: str,
    answer: str,
    by: str,
) -> dict[str, bool | None]:
    if by == ADJUDICATED:
        ruled = FinalAnswers(campaign, judged, rulings_in_force(campaign, rulings(connection, campaign)))
        return {item: ruled.says(item, question, answer) for item in votes}
    if by == MAJORITY:
        return _majorities(votes)
    find_coder(connection, campaign, by)
    return {item: by_coder[by] for item, by_coder in votes.items() if by in by_coder}


def _majorities(votes: dict[str, dict[str, bool]]) -> dict[str, bool | None]:
    counts = [
        [sum(vote is side for vote in by_coder.values()) for by_coder in votes.values()] for side in (False, True)
    ]
    decided = {0: False, 1: True}
    return {item: decided.get(int(winner)) for item, winner in zip(votes, majority(counts), strict=True)}


NOT_ASKED = object()


class FinalAnswers:
    """What holds after adjudication: a ruling, or what all coders said; so that no two questions contradict each other.

    A follow-up does not apply where the question above it is decided otherwise. Where a ruling makes it apply, but not
    all coders had answered it, it is undecided until there is a ruling on it too. A ruling on a follow-up decides the
    question above it where nothing else does.
    """

    def __init__(
        self, campaign: Campaign, judged: Sequence[JudgedItem], in_force: dict[tuple[int, str], Ruling]
    ) -> None:
        self.questionnaire = campaign.questionnaire
        self.ruled = {(ruling.item, question): ruling.answer for (_, question), ruling in in_force.items()}
        self.rows: dict[str, dict[str, JudgedItem]] = defaultdict(dict)
        for row in judged:
            self.rows[row.item][row.coder] = row

    def says(self, item: str, question: str, label: str) -> bool | None:
        """Whether the question has this label; ``None`` where it is undecided."""
        answer = self.answer(item, question)
        if answer is None or answer is NOT_ASKED:
            return None if answer is None else False
        return self.questionnaire[question].label(str(answer)) == label

    def answer(self, item: str, question: str) -> Any:
        """The answer that holds, ``NOT_ASKED`` where the question does not apply, ``None`` where it is undecided."""
        applies, ruling = self._applies(item, question), self.ruled.get((item, question))
        if applies is False:
            return NOT_ASKED
        if ruling is not None:
            return ruling
        unanimous = self._unanimous(item, question)
        if unanimous is NOT_ASKED and applies:
            return None if self.questionnaire[question].parent else self._implied(item, question)
        return self._implied(item, question) if unanimous is None else unanimous

    def _applies(self, item: str, question: str) -> bool | None:
        parent = self.questionnaire[question].parent
        if parent is None:
            return True
        above = self.answer(item, parent)
        if above is NOT_ASKED:
            return False
        return None if above is None else self.questionnaire.applies(question, {parent: above})

    def _unanimous(self, item: str, question: str) -> Any:
        rows = [row for row in self.rows[item].values() if question in row.labels or row.answers]
        answers = {row.labels.get(question, NOT_ASKED): row.answers.get(question, NOT_ASKED) for row in rows}
        open_ = any(question not in row.answers and not self.questionnaire.complete(row.answers) for row in rows)
        return next(iter(answers.values())) if len(answers) == 1 and not open_ else None

    def _implied(self, item: str, question: str) -> Any:
        for follower in self.questionnaire.questions:
            if follower.parent != question or len(follower.parent_answers) != 1:
                continue
            if (item, follower.id) in self.ruled or self._implied(item, follower.id) is not None:
                return follower.parent_answers[0]
        return None


def export_matches(connection: Connection, campaign: Campaign, *, question: str, answer: str, by: str) -> pl.DataFrame:
    """The close matches with ``verified`` filled in, ``yes`` or ``no``, in the columns of a matches file."""
    columns = item_columns(connection, campaign)
    names = list(dict.fromkeys(name for row in columns.values() for name in row))
    if not is_matches(names):
        raise InvalidInputError(
            "This campaign does not verify matches: its items have no columns left_id and right_id."
        )
    judged = judged_items(connection, campaign)
    votes = _votes(campaign, judged, question, answer)
    verdicts = _verdicts(connection, campaign, judged, votes, question=question, answer=answer, by=by)
    words = {True: "yes", False: "no", None: None}
    order = [*(name for name in names if name != "verified"), "verified"]
    table: dict[str, list[str | None]] = {name: [row.get(name) for row in columns.values()] for name in order}
    table["verified"] = [words[verdicts.get(item)] for item in columns]
    return pl.DataFrame(table, schema=dict.fromkeys(order, pl.String))


def quote_formulas(frame: pl.DataFrame, campaign: Campaign | None = None) -> pl.DataFrame:
    """Put an apostrophe before cells and names of columns that a spreadsheet would run as a formula.

    A plain number is none, and the labels that the leader of a campaign declared stay as they are.

    >>> quote_formulas(pl.DataFrame({"a": ["=1+1", "b", "-2"]}))["a"].to_list()
    ["'=1+1", 'b', '-2']
    """
    declared = {label for one in campaign.questionnaire.questions for label in one.categories} if campaign else set()
    cells = frame.with_columns(
        pl.when(
            pl.any_horizontal(*(pl.col(name).str.starts_with(mark) for mark in FORMULA_MARKS)),
            ~pl.col(name).str.contains(PLAIN_NUMBER),
            ~pl.col(name).is_in(declared if name == "label" else []),
        )
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in frame.columns
        if frame.schema[name] == pl.String
    )
    return cells.rename({name: f"'{name}" for name in cells.columns if name.startswith(FORMULA_MARKS)})
