"""The workbench for collocation evaluation and inter-coder agreement.

The verbs of the command line are functions here, the nouns are modules. Everything is imported when it is
first used, so that ``import concurrence`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from concurrence._version import __version__
from concurrence.core.forks import watch_forks

if TYPE_CHECKING:
    from concurrence.agreement.judge.plan import plan_judge
    from concurrence.agreement.labels.agree import agree_by_group
    from concurrence.agreement.labels.coders.latent import latent_classes
    from concurrence.agreement.labels.coders.models import fit_coder_model
    from concurrence.agreement.labels.compare import compare
    from concurrence.agreement.labels.dual.true_agreement import true_agreement
    from concurrence.agreement.labels.options import AgreeOptions
    from concurrence.agreement.labels.soft import soft_labels
    from concurrence.agreement.spans.options import SpansOptions
    from concurrence.api.benchmark import benchmark
    from concurrence.api.contrast import contrast, contrast_counts
    from concurrence.api.labels import agree, judge, preferences, ratings, spans
    from concurrence.api.sketch import sketch
    from concurrence.api.words import collocates, kwic, words
    from concurrence.core import Contingency, Interval, Labels
    from concurrence.core.corpus import Corpus, Tokens
    from concurrence.core.errors import (
        ConcurrenceError,
        InvalidInputError,
        MissingExtraError,
        UndefinedError,
        UnknownNameError,
    )
    from concurrence.core.pairs import Counted, Pairs
    from concurrence.core.sentences import Sentence
    from concurrence.core.spans import Spans
    from concurrence.corpus import open_index, read_corpus, write_index
    from concurrence.counting import count_pairs
    from concurrence.counting.marked import marked_pairs
    from concurrence.evaluation.options import EvaluateOptions
    from concurrence.evaluation.study import evaluate
    from concurrence.files.comparisons import read_comparisons
    from concurrence.files.labels.reader import read_labels
    from concurrence.files.pairs.formats import read_pairs, write_pairs
    from concurrence.files.pairs.samples import read_sample, write_sample
    from concurrence.files.spans.reader import read_spans
    from concurrence.files.tables.formats import read_table, write_table
    from concurrence.matching.matches import match
    from concurrence.measures import score
    from concurrence.merging.merge import merge
    from concurrence.prevalence.estimate import rate, rate_from_counts
    from concurrence.prevalence.latent import rate_without_gold
    from concurrence.sampling import draw_sample, extend_sample, plan_agreement, plan_power, plan_precision
    from concurrence.sampling.looks_plan import plan_looks

_HOMES = {
    "AgreeOptions": "agreement.labels.options",
    "benchmark": "api.benchmark",
    "contrast": "api.contrast",
    "contrast_counts": "api.contrast",
    "sketch": "api.sketch",
    "ConcurrenceError": "core.errors",
    "EvaluateOptions": "evaluation.options",
    "InvalidInputError": "core.errors",
    "MissingExtraError": "core.errors",
    "Sentence": "core.sentences",
    "Spans": "core.spans",
    "SpansOptions": "agreement.spans.options",
    "UndefinedError": "core.errors",
    "UnknownNameError": "core.errors",
    "Contingency": "core",
    "Counted": "core.pairs",
    "Interval": "core",
    "Labels": "core",
    "Pairs": "core.pairs",
    "agree": "api.labels",
    "agree_by_group": "agreement.labels.agree",
    "collocates": "api.words",
    "compare": "agreement.labels.compare",
    "evaluate": "evaluation.study",
    "fit_coder_model": "agreement.labels.coders.models",
    "latent_classes": "agreement.labels.coders.latent",
    "judge": "api.labels",
    "kwic": "api.words",
    "marked_pairs": "counting.marked",
    "match": "matching.matches",
    "open_index": "corpus",
    "plan_agreement": "sampling",
    "plan_judge": "agreement.judge.plan",
    "plan_looks": "sampling.looks_plan",
    "plan_power": "sampling",
    "plan_precision": "sampling",
    "preferences": "api.labels",
    "rate": "prevalence.estimate",
    "rate_from_counts": "prevalence.estimate",
    "rate_without_gold": "prevalence.latent",
    "ratings": "api.labels",
    "read_comparisons": "files.comparisons",
    "read_labels": "files.labels.reader",
    "Corpus": "core.corpus",
    "Tokens": "core.corpus",
    "count_pairs": "counting",
    "draw_sample": "sampling",
    "extend_sample": "sampling",
    "merge": "merging.merge",
    "read_corpus": "corpus",
    "read_pairs": "files.pairs.formats",
    "read_sample": "files.pairs.samples",
    "read_spans": "files.spans.reader",
    "read_table": "files.tables.formats",
    "score": "measures",
    "soft_labels": "agreement.labels.soft",
    "spans": "api.labels",
    "true_agreement": "agreement.labels.dual.true_agreement",
    "words": "api.words",
    "write_index": "corpus",
    "write_pairs": "files.pairs.formats",
    "write_sample": "files.pairs.samples",
    "write_table": "files.tables.formats",
}

__all__ = [
    "AgreeOptions",
    "ConcurrenceError",
    "Contingency",
    "Corpus",
    "Counted",
    "EvaluateOptions",
    "Interval",
    "InvalidInputError",
    "Labels",
    "MissingExtraError",
    "Pairs",
    "Sentence",
    "Spans",
    "SpansOptions",
    "Tokens",
    "UndefinedError",
    "UnknownNameError",
    "__version__",
    "agree",
    "agree_by_group",
    "benchmark",
    "collocates",
    "compare",
    "contrast",
    "contrast_counts",
    "count_pairs",
    "draw_sample",
    "evaluate",
    "extend_sample",
    "fit_coder_model",
    "judge",
    "kwic",
    "latent_classes",
    "marked_pairs",
    "match",
    "merge",
    "open_index",
    "plan_agreement",
    "plan_judge",
    "plan_looks",
    "plan_power",
    "plan_precision",
    "preferences",
    "rate",
    "rate_from_counts",
    "rate_without_gold",
    "ratings",
    "read_comparisons",
    "read_corpus",
    "read_labels",
    "read_pairs",
    "read_sample",
    "read_spans",
    "read_table",
    "score",
    "sketch",
    "soft_labels",
    "spans",
    "true_agreement",
    "words",
    "write_index",
    "write_pairs",
    "write_sample",
    "write_table",
]

watch_forks()  # before the first one, which may come before the first verb


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'concurrence' has no attribute {name!r}")
    return getattr(import_module(f"concurrence.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
