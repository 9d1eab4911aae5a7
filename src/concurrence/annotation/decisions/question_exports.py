"""Exports by the type of the question: rows of item and label, or the table that the type's own command reads."""

from collections.abc import Mapping, Sequence

import polars as pl
from sqlalchemy import Connection

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.campaigns.items import item_text
from concurrence.annotation.decisions.exports import export_labels
from concurrence.annotation.decisions.outcomes import JudgedItem, item_columns, judged_items
from concurrence.annotation.questions.table import QUESTION_TYPES
from concurrence.annotation.questions.types.row import GivenAnswer, SeenItem
from concurrence.core.errors import InvalidInputError


def export_answers(
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
    """One question in the table of its type, or all in rows of item, coder, question and label."""
    if question is None or QUESTION_TYPES[campaign.questionnaire[question].type].table is None:
        return export_labels(
            connection,
            campaign,
            question=question,
            round_name=round_name,
            repeats=repeats,
            adjudicated=adjudicated,
            training=training,
            shared=shared,
        )
    if shared:
        raise InvalidInputError(f"The export of {question!r} has no labels to count; leave out --shared.")
    if adjudicated:
        raise InvalidInputError(
            f"The export of {question!r} has no rows for rulings; leave out --question to get them as labels."
        )
    judged = judged_items(connection, campaign, round_name=round_name, repeats=repeats, training=training)
    return question_table(campaign, judged, item_columns(connection, campaign), question)


def question_table(
    campaign: Campaign, judged: Sequence[JudgedItem], columns: Mapping[str, Mapping[str, str]], name: str
) -> pl.DataFrame:
    """The answers to a question as the command reads them that measures its type."""
    question = campaign.questionnaire[name]
    table = QUESTION_TYPES[question.type].table
    if table is None:
        raise InvalidInputError(f"The question {name!r} is exported as labels.")
    answers = [
        GivenAnswer(
            seen=SeenItem(
                item=row.item,
                text=item_text(dict(columns[row.item]), campaign.display.text, row.item),
                columns=columns[row.item],
                coder=row.coder,
                round=row.round,
                repeat=row.repeat,
                seed=campaign.seed,
            ),
            answer=row.answers[name],
            unsure=name in row.unsure,
            note=row.notes.get(name),
        )
        for row in judged
        if name in row.answers
    ]
    return table(question, answers)
