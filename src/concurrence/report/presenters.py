"""How each kind of result is shown: one row for its document and its table, and the way back from JSON.

Rows name modules instead of importing them, so that a command loads nothing but what it shows.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import UnknownNameError
from concurrence.core.values import unplain

if TYPE_CHECKING:
    import polars as pl

    from concurrence.report.render.document import Document


@dataclass(frozen=True, slots=True)
class Shows:
    """Where the type lives, and the functions of ``report`` that make its document and its table."""

    home: str
    document: str
    table: str | None = None


SHOWS = {
    "AgreementReport": Shows("agreement.labels.results", "agreement.agreement_document", "agreement.coefficient_table"),
    "GroupedReport": Shows("agreement.labels.results", "agreement.grouped_document", "agreement.grouped_table"),
    "AgreementComparison": Shows("agreement.labels.compare", "compare.comparison_document", "compare.comparison_table"),
    "Judgement": Shows("agreement.judge.judge", "judge.judgement_document", "judge.judgement_table"),
    "Judgements": Shows("agreement.judge.several", "judge.judgements_document", "judge.judgements_table"),
    "CoderModel": Shows(
        "agreement.labels.coders.models", "coder_models.coder_model_document", "coder_models.item_table"
    ),
    "LatentClasses": Shows(
        "agreement.labels.coders.latent", "coder_models.classes_document", "coder_models.class_table"
    ),
    "RatingsReport": Shows("agreement.ratings.results", "ratings.ratings_document", "ratings.ratings_table"),
    "PreferenceReport": Shows(
        "agreement.preferences.results", "preferences.preferences_document", "preferences.strength_table"
    ),
    "SpanReport": Shows("agreement.spans.results", "spans.span_document", "spans.span_table"),
    "CountsSummary": Shows("counting.result", "pairs.counts_document"),
    "MarkedPairs": Shows("counting.marked", "mwe.marked_document", "mwe.marked_table"),
    "Kwic": Shows("lookup.concordance", "words.kwic_document", "words.kwic_table"),
    "Collocates": Shows("lookup.collocates", "words.collocates_document", "words.collocates_table"),
    "Contrast": Shows("lookup.contrasts", "contrast.contrast_document", "contrast.contrast_table"),
    "Sketch": Shows("lookup.sketches", "sketch.sketch_document", "sketch.sketch_table"),
    "WordList": Shows("lookup.frequency", "words.words_document", "words.words_table"),
    "IndexSummary": Shows("corpus.indexed", "words.index_document"),
    "TaggedCorpus": Shows("corpus.tagging", "words.tagged_document"),
    "MatchCounts": Shows("matching.matches", "match.matches_document"),
    "MeasureList": Shows("measures.table", "score.measures_document", "score.measures_table"),
    "ScoredPairs": Shows("measures.scoring", "score.scores_document", "score.scores_table"),
    "Merging": Shows("merging.results", "merge.merging_document", "merge.classes_table"),
    "Evaluation": Shows("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "PrecisionFigures": Shows("evaluation.krenn", "krenn.krenn_document", "krenn.krenn_table"),
    "Benchmark": Shows("evaluation.benchmark.results", "benchmark.benchmark_document", "benchmark.benchmark_table"),
    "Evaluations": Shows("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "RateReport": Shows("prevalence.results", "rate.rate_document", "rate.rate_table"),
    "LatentReport": Shows("prevalence.latent", "rate.latent_document", "rate.latent_table"),
    "AgreementPlans": Shows("sampling.agreement_plan", "plan.agreement_plan_document", "plan.plan_table"),
    "PrecisionPlans": Shows("sampling.precision_plan", "plan.precision_plan_document", "plan.plan_table"),
    "PowerPlans": Shows("sampling.power_plan", "plan.power_plan_document", "plan.plan_table"),
    "LooksPlan": Shows("sampling.looks_plan", "plan.looks_plan_document", "plan.looks_table"),
    "JudgePlans": Shows("agreement.judge.plan", "plan.judge_plan_document", "plan.plan_table"),
    "SampleBudget": Shows("sampling.budget", "sample.sample_document", "sample.sample_table"),
}


def document_of(result: Any) -> "Document":
    """A result as a document."""
    document: Document = _function(_row(type(result).__name__).document)(result)
    return document


def table_of(result: Any) -> "pl.DataFrame":
    """A result as a table for files."""
    table: pl.DataFrame = _function(_row(type(result).__name__).table)(result)
    return table


def result_of(kind: str, data: dict[str, Any]) -> Any:
    """A result from its JSON."""
    return unplain(getattr(import_module(f"concurrence.{_row(kind).home}"), kind), data)


def _row(kind: str) -> Shows:
    if kind not in SHOWS:
        raise UnknownNameError("kind of result", kind, SHOWS)
    return SHOWS[kind]


def _function(place: str | None) -> Any:
    module, _, name = (place or "").rpartition(".")
    return getattr(import_module(f"concurrence.report.pages.{module}"), name)
