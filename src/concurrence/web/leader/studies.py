"""What leaders see of answers that ``concur agree`` does not measure: the report of the command that does.

The report is made from the very table that the export writes, so that the command gives the same numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concurrence.annotation.campaigns.campaign import Campaign
from concurrence.annotation.database.store import Store
from concurrence.annotation.decisions.outcomes import JudgedItem, item_columns
from concurrence.annotation.decisions.question_exports import question_table
from concurrence.core.errors import ConcurrenceError
from concurrence.web.leader.parts import PartReport, headline_of, report_parts

if TYPE_CHECKING:
    import polars as pl

ON_THE_PAGE = ("alpha_u", "token_kappa", "f1_exact", "f1_overlap")  # gamma takes minutes where there are many documents


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReport:
    """A command as one would type it, its report on an export, and how many items and which coders that is about."""

    command: str
    report: "Callable[[pl.DataFrame], Any]"
    size: Callable[[Any], tuple[int, Sequence[str]]]


def _spans(frame: "pl.DataFrame") -> Any:
    from concurrence.agreement.spans.analyse import analyse_spans
    from concurrence.agreement.spans.options import SpansOptions
    from concurrence.files.spans.options import SpanFileOptions

    lengths = {document: int(length) for document, length in frame.select("document", "length").iter_rows()}
    spans = SpanFileOptions(lengths=lengths, partial=True).read(frame)
    return analyse_spans(spans, SpansOptions(coefficients=ON_THE_PAGE))


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
    store: Store, campaign: Campaign, judged: Sequence[JudgedItem], question: str, rounds: Sequence[str] = ()
) -> dict[str, Any]:
    """The parts of a question, each with its report or the reason why there is none, and the command for them."""
    how = campaign.questionnaire[question].measured
    if how.command is None:
        return {"command": None, "parts": [PartReport(note=how.note)]}
    study = STUDIES[how.command]
    columns = store.read(lambda connection: item_columns(connection, campaign))
    parts = report_parts(
        lambda rows: _report(study, question_table(campaign, rows, columns, question)),
        judged,
        parts={name: [row for row in judged if row.part == name] for name in sorted({row.part for row in judged})},
        rounds={name: [row for row in judged if row.round == name] for name in rounds},
    )
    return {"command": study.command, "parts": parts}


def _report(study: CommandReport, frame: "pl.DataFrame") -> PartReport:
    if frame.is_empty():
        return PartReport(note="Nobody has answered this question yet.")
    try:
        report = study.report(frame)
    except ConcurrenceError as error:
        return PartReport(note=str(error))
    items, coders = study.size(report)
    return PartReport(items=items, coders=tuple(coders), report=report, headline=headline_of(report))
