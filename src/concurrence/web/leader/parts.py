"""One part of the page of agreement: all items, one part of them, or one round, with the report on it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

EVERYTHING = "everything"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """One coefficient of a report: its name, what it is called, its value and its interval."""

    coefficient: str
    title: str
    value: float
    interval: tuple[float, float]


def headline_of(report: Any) -> Headline | None:
    """The one coefficient that fits every kind of label, number of coders and missing label: Krippendorff's alpha.

    It goes by the scale of the question, by MASI distances for sets, and by stretches for spans; preferences have none.
    """
    sets = getattr(report, "sets", None)
    if sets is not None and sets.alpha:
        one, title = sets.alpha["masi"], "Krippendorff's alpha (MASI)"
    else:
        coefficients = getattr(report, "coefficients", {})
        one = coefficients.get("krippendorff_alpha") or coefficients.get("alpha_u")
        scale = getattr(report.data, "scale", "nominal")
        title = "" if one is None else one.title + ("" if scale == "nominal" else f" ({scale})")
    if one is None or math.isnan(one.value):
        return None
    return Headline(coefficient=one.coefficient, title=title, value=one.value, interval=tuple(one.interval))


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """The report on one part, on one round, or on everything; a note says why where there is none.

    ``headline`` is the coefficient of the report that stands in the table of all questions.
    """

    part: str = EVERYTHING
    items: int = 0
    coders: tuple[str, ...] = ()
    report: Any = None
    note: str | None = None
    round: str | None = None
    headline: Headline | None = None


def report_parts(
    measure: Callable[[T], PartReport], whole: T, *, parts: Mapping[str, T], rounds: Mapping[str, T]
) -> list[PartReport]:
    """The reports on everything, on each part where there are several, and on each of the rounds."""
    several = parts if len(parts) > 1 else {}
    return [
        measure(whole),
        *(replace(measure(some), part=name) for name, some in several.items()),
        *(replace(measure(some), round=name) for name, some in rounds.items()),
    ]
