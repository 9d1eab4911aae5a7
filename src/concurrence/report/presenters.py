"""How each kind of result is shown: one row for its document and its table, and the way back from JSON.

Rows name modules instead of importing them, so that a command loads nothing but what it shows.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import UnknownNameError
from concurrence.core.values import from_json

if TYPE_CHECKING:
    import polars as pl

    from concurrence.report.render.document import Document


@dataclass(frozen=True, slots=True)
class Presenter:
    """Where the type lives, and the functions of ``report`` that make its document and its table."""

    home: str
    document: str
    table: str | None = None


PRESENTERS = {
    "AgreementReport": Presenter(
        "agreement.labels.results", "agreement.agreement_document", "agreement.coefficient_table"
    ),
    "GroupedReport": Presenter("agreement.labels.results", "agreement.grouped_document", "agreement.grouped_table"),
    "AgreementComparison": Presenter(
        "agreement.labels.compare", "compare.comparison_document", "compare.comparison_table"
    ),
    "Judgement": Presenter("agreement.judge.judge", "judge.judgement_document", "judge.judgement_table"),
    "Judgements": Presenter("agreement.judge.several", "judge.judgements_document", "judge.judgements_table"),
    "CoderModel": Presenter(
        "agreement.labels.coders.models", "coder_models.coder_model_document", "coder_models.item_table"
    ),
    "LatentClasses": Presenter(
        "agreement.labels.coders.latent", "coder_models.classes_document", "coder_models.class_table"
    ),
    "RatingsReport": Presenter("agreement.ratings.results", "ratings.ratings_document", "ratings.ratings_table"),
    "PreferenceReport": Presenter(
        "agreement.preferences.results", "preferences.preferences_document", "preferences.strength_table"
    ),
    "SpanReport": Presenter("agreement.spans.results", "spans.span_document", "spans.span_table"),
    "CountsSummary": Presenter("counting.result", "pairs.counts_document"),
    "MarkedPairs": Presenter("counting.mwe", "mwe.marked_document", "mwe.marked_table"),
    "Kwic": Presenter("lookup.kwic", "words.kwic_document", "words.kwic_table"),
    "Collocates": Presenter("lookup.collocates", "words.collocates_document", "words.collocates_table"),
    "Contrast": Presenter("lookup.contrast", "contrast.contrast_document", "contrast.contrast_table"),
    "Sketch": Presenter("lookup.sketch", "sketch.sketch_document", "sketch.sketch_table"),
    "WordList": Presenter("lookup.words", "words.words_document", "words.words_table"),
    "IndexSummary": Presenter("corpus.index", "words.index_document"),
    "TaggedCorpus": Presenter("corpus.tag", "words.tagged_document"),
    "MatchCounts": Presenter("matching.matches", "match.matches_document"),
    "MeasureList": Presenter("measures.table", "score.measures_document", "score.measures_table"),
    "ScoredPairs": Presenter("measures.scoring", "score.scores_document", "score.scores_table"),
    "Merging": Presenter("merging.results", "merge.merging_document", "merge.classes_table"),
    "Evaluation": Presenter("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "PrecisionFigures": Presenter("evaluation.krenn", "krenn.krenn_document", "krenn.krenn_table"),
    "Benchmark": Presenter("evaluation.benchmark.results", "benchmark.benchmark_document", "benchmark.benchmark_table"),
    "Evaluations": Presenter("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "RateReport": Presenter("prevalence.results", "rate.rate_document", "rate.rate_table"),
    "LatentReport": Presenter("prevalence.latent", "rate.latent_document", "rate.latent_table"),
    "AgreementPlans": Presenter("sampling.agreement_plan", "plan.agreement_plan_document", "plan.plan_table"),
    "PrecisionPlans": Presenter("sampling.precision_plan", "plan.precision_plan_document", "plan.plan_table"),
    "PowerPlans": Presenter("sampling.power_plan", "plan.power_plan_document", "plan.plan_table"),
    "LooksPlan": Presenter("sampling.looks_plan", "plan.looks_plan_document", "plan.looks_table"),
    "JudgePlans": Presenter("agreement.judge.plan", "plan.judge_plan_document", "plan.plan_table"),
    "SampleBudget": Presenter("sampling.budget", "sample.sample_document", "sample.sample_table"),
}


RENAMED = {"JudgeComparison": "Judgement", "JudgeComparisons": "Judgements"}
"""Types that were renamed keep their kind in JSON."""


def kind_of(result: Any) -> str:
    """The kind of a result, as its JSON names it."""
    name = type(result).__name__
    return RENAMED.get(name, name)


def document_of(result: Any) -> "Document":
    """A result as a document."""
    document: Document = _function(_row(kind_of(result)).document)(result)
    return document


def table_of(result: Any) -> "pl.DataFrame":
    """A result as a table for files."""
    table: pl.DataFrame = _function(_row(kind_of(result)).table)(result)
    return table


def result_of(kind: str, data: dict[str, Any]) -> Any:
    """A result from its JSON."""
    name = next((new for new, old in RENAMED.items() if old == kind), kind)
    return from_json(getattr(import_module(f"concurrence.{_row(kind).home}"), name), data)


def _row(kind: str) -> Presenter:
    if kind not in PRESENTERS:
        raise UnknownNameError("kind of result", kind, PRESENTERS)
    return PRESENTERS[kind]


def _function(place: str | None) -> Any:
    module, _, name = (place or "").rpartition(".")
    return getattr(import_module(f"concurrence.report.pages.{module}"), name)
