"""How each kind of result is shown: the page of a kind has its presenters, and here is which page that is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import from_json, to_json

if TYPE_CHECKING:
    import polars as pl

    from concurrence.files.provenance import Provenance
    from concurrence.report.render.document import Document

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Presenter(Generic[R]):
    """The functions that make the document and the table of a type, and those that few types have.

    ``brief`` makes a shorter document for notebooks, ``write`` writes the table in a format of its own.
    """

    result: type[R]
    document: "Callable[[R], Document]"
    table: "Callable[[R], pl.DataFrame] | None" = None
    brief: "Callable[[R], Document] | None" = None
    write: "Callable[[R, Path, Provenance], None] | None" = None


Presenters = tuple[Presenter[Any], ...]

RENAMED = {
    "JudgeComparison": "Judgement",
    "JudgeComparisons": "Judgements",
    "CreatedCampaign": "Created",
    "CoderChange": "Staffed",
    "AddedItems": "Added",
}
"""Types that were renamed keep their kind in JSON."""


def table_row(result: Any, *names: str) -> dict[str, Any]:
    """The named fields of a result as a row of a table; ``interval`` gives two columns, ``low`` and ``high``."""
    row = {}
    for name in names:
        if name == "interval":
            row["low"], row["high"] = to_json(result.interval) or (None, None)
        else:
            row[name] = getattr(result, name)
    return row


def kind_of(result: Any) -> str:
    """The kind of a result, as its JSON names it."""
    name = type(result).__name__
    return RENAMED.get(name, name)


def presenter_of(result: Any) -> Presenter[Any]:
    """How a result is shown: as its type says, or the nearest one that it inherits from."""
    for kind in type(result).__mro__:
        for presenter in page_presenters(kind.__name__):
            if presenter.result is kind:
                return presenter
    raise InvalidInputError(f"There is no page for a value of the type {type(result).__name__}.")


def document_of(result: Any) -> "Document":
    """A result as a document."""
    return presenter_of(result).document(result)


def table_of(result: Any) -> "pl.DataFrame":
    """A result as a table for files."""
    table = presenter_of(result).table
    if table is None:
        raise InvalidInputError(f"A value of the type {type(result).__name__} has no table.")
    return table(result)


def result_of(kind: str, data: dict[str, Any]) -> Any:
    """A result from its JSON."""
    name = next((new for new, old in RENAMED.items() if old == kind), kind)
    for presenter in page_presenters(name):
        if presenter.result.__name__ == name:
            return from_json(presenter.result, data)
    raise UnknownNameError("kind of result", kind, [])


def page_presenters(name: str) -> Presenters:
    """The presenters of the page for a type; none where the type has no page. Only that page is loaded."""
    match name:
        case "AgreementReport" | "GroupedReport":
            from concurrence.report.pages.agreement import PRESENTERS
        case "AgreementComparison":
            from concurrence.report.pages.compare import PRESENTERS
        case "JudgeComparison" | "JudgeComparisons" | "JudgePlans":
            from concurrence.report.pages.judge import PRESENTERS
        case "CoderModel" | "LatentClasses":
            from concurrence.report.pages.coder_models import PRESENTERS
        case "RatingsReport":
            from concurrence.report.pages.ratings import PRESENTERS
        case "PreferenceReport":
            from concurrence.report.pages.preferences import PRESENTERS
        case "SpanReport":
            from concurrence.report.pages.spans import PRESENTERS
        case "CountsSummary":
            from concurrence.report.pages.pairs import PRESENTERS
        case "MarkedPairs":
            from concurrence.report.pages.mwe import PRESENTERS
        case "IndexSummary" | "TaggedCorpus":
            from concurrence.report.pages.corpus import PRESENTERS
        case "Kwic" | "Collocates" | "WordList":
            from concurrence.report.pages.words import PRESENTERS
        case "Contrast":
            from concurrence.report.pages.contrast import PRESENTERS
        case "Sketch":
            from concurrence.report.pages.sketch import PRESENTERS
        case "MatchCounts" | "SentenceMatches":
            from concurrence.report.pages.match import PRESENTERS
        case "MeasureList":
            from concurrence.report.pages.measures import PRESENTERS
        case "ScoredPairs":
            from concurrence.report.pages.score import PRESENTERS
        case "Merging":
            from concurrence.report.pages.merge import PRESENTERS
        case "Evaluation" | "Evaluations":
            from concurrence.report.pages.evaluation import PRESENTERS
        case "PrecisionFigures":
            from concurrence.report.pages.krenn import PRESENTERS
        case "Benchmark":
            from concurrence.report.pages.benchmark import PRESENTERS
        case "RateReport" | "LatentReport":
            from concurrence.report.pages.rate import PRESENTERS
        case "AgreementPlans" | "PrecisionPlans" | "PowerPlans" | "LooksPlan":
            from concurrence.report.pages.plan import PRESENTERS
        case "SampleBudget":
            from concurrence.report.pages.sample import PRESENTERS
        case "Coefficient" | "Contingency" | "Corpus" | "Counted" | "Labels" | "Pairs" | "Sample":
            from concurrence.report.pages.data import PRESENTERS
        case "Result":  # what has no page of its own
            from concurrence.report.pages.data import PRESENTERS
        case _:
            return ()
    return PRESENTERS
