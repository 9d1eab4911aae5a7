"""What leaders see of answers that ``concur agree`` does not measure: the report of the command that does.

The report is made from the very table that the export writes, so that the command gives the same numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.outcomes import Judged, item_columns
from concurrence.annotation.decisions.question_exports import question_table
from concurrence.core.errors import ConcurrenceError

if TYPE_CHECKING:
    import polars as pl

EVERYTHING = "everything"
ON_THE_PAGE = ("alpha_u", "token_kappa", "f1_exact", "f1_overlap")  # gamma takes minutes where there are many documents


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReport:
    """A command as one would type it, its report on an export, and how many items and which coders that is about."""

    command: str
    report: "Callable[[pl.DataFrame], Any]"
    size: Callable[[Any], tuple[int, Sequence[str]]]


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
        found = getattr(report, "coefficients", {})
        one = found.get("krippendorff_alpha") or found.get("alpha_u")
        scale = getattr(report.data, "scale", "nominal")
        title = "" if one is None else one.title + ("" if scale == "nominal" else f" ({scale})")
    if one is None or math.isnan(one.value):
        return None
    return Headline(coefficient=one.coefficient, title=title, value=one.value, interval=tuple(one.interval))


def _spans(frame: "pl.DataFrame") -> Any:
    from concurrence.agreement.spans.analyse import analyse_spans
    from concurrence.agreement.spans.options import SpansOptions
    from concurrence.files.spans.reader import read_spans

    lengths = {document: int(length) for document, length in frame.select("document", "length").iter_rows()}
    return analyse_spans(read_spans(frame, lengths=lengths, partial=True), SpansOptions(coefficients=ON_THE_PAGE))


def _preferences(frame: "pl.DataFrame") -> Any:
    from concurrence.agreement.preferences.analyse import analyse_preferences
    from concurrence.agreement.preferences.options import PreferenceOptions
    from concurrence.files.comparisons import read_comparisons

    return analyse_preferences(read_comparisons(frame), PreferenceOptions())


STUDIES = {
    "spans": CommandReport(
        command="concur spans spans.csv --lengths spans.csv --partial",
        report=_spans,
        size=lambda report: (report.data.documents, report.data.coders),
    ),
    "preferences": CommandReport(
        command="concur preferences preferences.csv",
        report=_preferences,
        size=lambda report: (report.data.comparisons, report.data.coders),
    ),
}


def other_parts(
    store: Store, campaign: Campaign, judged: Sequence[Judged], question: str, apart: Sequence[str] = ()
) -> dict[str, Any]:
    """The parts of a question, each with its report or the reason why there is none, and the command for them."""
    how = campaign.questionnaire[question].measured
    if how.command is None:
        return {"command": None, "parts": [_part(EVERYTHING, note=how.note)]}
    columns = store.read(lambda connection: item_columns(connection, campaign))
    names = sorted({row.part for row in judged})
    parts = {EVERYTHING: list(judged)}
    if len(names) > 1:
        parts |= {name: [row for row in judged if row.part == name] for name in names}
    study = STUDIES[how.command]
    found = [_studied(study, campaign, name, rows, columns, question) for name, rows in parts.items()]
    for name in apart:
        rows = [row for row in judged if row.round == name]
        found.append(_studied(study, campaign, EVERYTHING, rows, columns, question) | {"round": name})
    return {"command": study.command, "parts": found}


def _studied(
    study: CommandReport,
    campaign: Campaign,
    name: str,
    rows: Sequence[Judged],
    columns: Mapping[str, Mapping[str, str]],
    question: str,
) -> dict[str, Any]:
    frame = question_table(campaign, rows, columns, question)
    if frame.is_empty():
        return _part(name, note="Nobody has answered this question yet.")
    try:
        report = study.report(frame)
    except ConcurrenceError as error:
        return _part(name, note=str(error))
    items, coders = study.size(report)
    return _part(name, items=items, coders=coders, report=report)


def _part(
    name: str, *, items: int = 0, coders: Sequence[str] = (), report: Any = None, note: str | None = None
) -> dict[str, Any]:
    headline = None if report is None else headline_of(report)
    found = {"part": name, "items": items, "coders": coders, "report": report, "note": note}
    return found | {"round": None, "headline": headline}
