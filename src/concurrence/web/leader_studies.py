"""What leaders see of answers that ``concur agree`` does not measure: the report of the command that does."""

from collections.abc import Sequence
from typing import Any

from concurrence.annotation.campaigns import Campaign

EVERYTHING = "everything"


def other_parts(campaign: Campaign, question: str) -> dict[str, Any]:
    """The parts of a question, each with its report or the reason why there is none, and the command for them."""
    how = campaign.questionnaire[question].measured
    return {"command": None, "parts": [_part(EVERYTHING, note=how.note)]}


def _part(
    name: str, *, items: int = 0, coders: Sequence[str] = (), report: Any = None, note: str | None = None
) -> dict[str, Any]:
    return {"part": name, "items": items, "coders": coders, "report": report, "note": note}
