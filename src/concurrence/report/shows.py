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

    from concurrence.report.document import Document


@dataclass(frozen=True, slots=True)
class Shows:
    """Where the type lives, and the functions of ``report`` that make its document and its table."""

    home: str
    document: str
    table: str | None = None


SHOWS = {
    "AgreementReport": Shows("agreement.results", "agreement.agreement_document", "agreement.coefficient_table"),
    "GroupedReport": Shows("agreement.results", "agreement.grouped_document", "agreement.grouped_table"),
    "AgreementComparison": Shows("agreement.compare", "comparing.comparison_document", "comparing.comparison_table"),
    "Judgement": Shows("agreement.judge", "judging.judgement_document", "judging.judgement_table"),
    "Judgements": Shows("agreement.judges", "judging.judgements_document", "judging.judgements_table"),
    "CoderModel": Shows("agreement.coders.models", "coder_models.coder_model_document", "coder_models.item_table"),
    "LatentClasses": Shows("agreement.coders.latent", "coder_models.classes_document", "coder_models.class_table"),
    "RatingsReport": Shows("rating.results", "ratings.ratings_document", "ratings.ratings_table"),
    "PreferenceReport": Shows("preference.results", "preferences.preferences_document", "preferences.strength_table"),
    "SpanReport": Shows("unitizing.results", "unitizing.span_document", "unitizing.span_table"),
    "CountsSummary": Shows("counting.result", "counting.counts_document"),
    "MarkedPairs": Shows("counting.marked", "marked.marked_document", "marked.marked_table"),
    "Kwic": Shows("lookup.concordance", "words.kwic_document", "words.kwic_table"),
    "Collocates": Shows("lookup.collocates", "words.collocates_document", "words.collocates_table"),
    "Contrast": Shows("lookup.contrasts", "contrasts.contrast_document", "contrasts.contrast_table"),
    "Sketch": Shows("lookup.sketches", "sketches.sketch_document", "sketches.sketch_table"),
    "WordList": Shows("lookup.frequency", "words.words_document", "words.words_table"),
    "IndexSummary": Shows("corpus.indexed", "words.index_document"),
    "TaggedCorpus": Shows("corpus.tagging", "words.tagged_document"),
    "MatchCounts": Shows("matching.matches", "matching.matches_document"),
    "MeasureList": Shows("measures.table", "scoring.measures_document", "scoring.measures_table"),
    "ScoredPairs": Shows("measures.scoring", "scoring.scores_document", "scoring.scores_table"),
    "Merging": Shows("merging.results", "merging.merging_document", "merging.classes_table"),
    "Evaluation": Shows("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "PrecisionFigures": Shows("evaluation.krenn", "krenn.krenn_document", "krenn.krenn_table"),
    "Benchmark": Shows("evaluation.benchmark_results", "benchmark.benchmark_document", "benchmark.benchmark_table"),
    "Evaluations": Shows("evaluation.results", "evaluation.evaluation_document", "evaluation.evaluation_table"),
    "RateReport": Shows("evaluation.rates.results", "rates.rate_document", "rates.rate_table"),
    "LatentReport": Shows("evaluation.rates.latent", "rates.latent_document", "rates.latent_table"),
    "AgreementPlans": Shows("sampling.agreement_plan", "planning.agreement_plan_document", "planning.plan_table"),
    "PrecisionPlans": Shows("sampling.precision_plan", "planning.precision_plan_document", "planning.plan_table"),
    "PowerPlans": Shows("sampling.power_plan", "planning.power_plan_document", "planning.plan_table"),
    "LooksPlan": Shows("sampling.looks_plan", "planning.looks_plan_document", "planning.looks_table"),
    "JudgePlans": Shows("agreement.judge_plan", "planning.judge_plan_document", "planning.plan_table"),
    "SampleBudget": Shows("sampling.budget", "sampling.sample_document", "sampling.sample_table"),
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
    return getattr(import_module(f"concurrence.report.{module}"), name)
