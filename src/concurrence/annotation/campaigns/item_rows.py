"""Items as the database keeps them: checked, and what coders see of them made once, before any transaction begins."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.annotation.campaigns.items import EVERYONE, Display, Item, shown_json
from concurrence.annotation.questions.questionnaire import Questionnaire
from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import join_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """An item that fits its campaign; ``columns`` and ``shown`` are JSON, ``trains`` means that its answer is known."""

    key: str
    part: str = EVERYONE
    columns: str
    shown: str
    trains: bool = False


def item_rows(items: Sequence[Item], display: Display, questionnaire: Questionnaire) -> list[ItemRow]:
    """The rows of items that have all that the questions need and a text to judge."""
    return [_item_row(item, display, questionnaire) for item in items]


def _item_row(item: Item, display: Display, questionnaire: Questionnaire) -> ItemRow:
    questionnaire.check_item(item.key, item.columns)
    if questionnaire.needs_text and not any(item.columns.get(name, "").strip() for name in display.text):
        raise InvalidInputError(
            f"Item {item.key!r} has nothing in {join_words(display.text)}, so there is nothing to judge; "
            "remove its row or fill it in."
        )
    return ItemRow(
        key=item.key,
        part=item.part,
        columns=json.dumps(item.columns, ensure_ascii=False),
        shown=shown_json(item.columns, display, item.key),
        trains=bool(questionnaire.expected(item.key, item.columns)),
    )
