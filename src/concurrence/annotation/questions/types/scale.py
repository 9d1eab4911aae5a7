"""``scale``: a whole number from one named end to the other, with one key."""

from typing import Any

from concurrence.annotation.questions.types.row import (
    KEYS,
    MOST_CHOICES,
    Choice,
    MeasuringCommand,
    OwnFields,
    QuestionType,
    text_field,
    whole,
)
from concurrence.core.errors import InvalidInputError

LARGEST = 1000
LEVELS = ("ordinal", "interval")


def _choices(fields: OwnFields, name: str) -> tuple[Choice, ...]:
    low = whole(fields, "from", name, default=1, low=-LARGEST, high=LARGEST)
    high = whole(fields, "to", name, default=low + 4, low=-LARGEST, high=LARGEST)
    if not 2 <= high - low + 1 <= MOST_CHOICES:
        raise InvalidInputError(f"Question {name!r}: a scale has 2 to {MOST_CHOICES} points; give from and to.")
    points = [str(point) for point in range(low, high + 1)]
    return tuple(Choice(id=point, text=point, key=key) for point, key in zip(points, _keys(points), strict=True))


def _keys(points: list[str]) -> list[str]:
    """A point that is a digit has its own key; where others come before it, the keys follow the order."""
    if len(points[0]) > 1:
        return list(KEYS[: len(points)])
    letters = iter(KEYS[9:-1])
    return [point if len(point) == 1 else next(letters) for point in points]


def _settings(fields: OwnFields, name: str) -> dict[str, Any]:
    level = fields.get("level", "ordinal")
    if level not in LEVELS:
        raise InvalidInputError(f"Question {name!r}: level must be 'ordinal' or 'interval', not {level!r}.")
    return {"level": level, "low": text_field(fields, "low", name), "high": text_field(fields, "high", name)}


ROW = QuestionType(
    name="scale",
    fields=("from", "to", "low", "high", "level"),
    choices=_choices,
    settings=_settings,
    measured=lambda question: MeasuringCommand(scale=question.settings["level"]),
)
