"""What an item forbids: an answer that would be one for another text."""

import json

from sqlalchemy import Connection, bindparam, select

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.campaigns.items import item_text
from concurrence.annotation.database.schema import ITEM
from concurrence.annotation.questions.questionnaire import Question
from concurrence.annotation.questions.table import QUESTION_TYPES

ONE_ITEM = select(ITEM.c.key, ITEM.c.columns).where(ITEM.c.id == bindparam("item"))


def item_objection(
    connection: Connection, campaign: Campaign, question: Question, item_id: int, answer: str
) -> str | None:
    """Why a text is no answer to this question on this item, in a sentence; most types ask nothing of the item."""
    objection = QUESTION_TYPES[question.type].item_objection
    row = None if objection is None else connection.execute(ONE_ITEM, {"item": item_id}).first()
    if objection is None or row is None:
        return None
    return objection(question, answer, item_text(json.loads(row.columns), campaign.display.text, row.key))
