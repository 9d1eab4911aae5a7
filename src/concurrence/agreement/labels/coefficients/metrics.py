"""What a disagreement weighs: the metric of a scale, and the agreement weights of weighted coefficients.

"Ordinal" means three things, so each has its own name here: Krippendorff's metric (squared difference of
mid-ranks, which follow the data), Gwet's ordinal weights, and the squared difference of ranks (quadratic).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import InvalidInputError, Labels, UnknownNameError
from concurrence.core.arrays import Reals
from concurrence.core.errors import option_or_keyword
from concurrence.core.numerals import parse_number, parse_numbers
from concurrence.core.sentences import join_words
from concurrence.kernels import distances
from concurrence.kernels.choices import ORDERED_WEIGHTS, WEIGHTS
from concurrence.kernels.implicit import Table, block_table, circular_table, polynomial_table

ORDERED_SCALES = ("ordinal", "circular")
DEFAULT_WEIGHTS = {"ordinal": "ordinal", "interval": "quadratic", "ratio": "quadratic"}
FEW_CATEGORIES = 256
"""Up to so many categories a table of all pairs of them is written out."""
MOST_VALUES = 50_000
MOST_SETS = 10_000
"""Up to so many categories a table without a shorter way is gone through cell by cell."""

Matrix = Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Metric:
    """How alpha compares two labels.

    ``nominal``: equal or not; ``values``: squared difference of numbers; ``midranks``: squared difference of
    mid-ranks among the labels at hand; ``matrix``: any distances.
    """

    kind: Literal["nominal", "values", "midranks", "matrix"]
    title: str
    values: NDArray[np.float64] | None = None
    matrix: Matrix | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreementWeights:
    """Weights of weighted coefficients: 1 on the diagonal, less off it."""

    title: str
    matrix: Matrix


def comparison_of(labels: Labels, options: AgreeOptions) -> tuple[Metric, AgreementWeights | None]:
    """How alpha compares labels, and what credit weighted coefficients give."""
    categories, sets = labels.categories, labels.set_separator
    if options.weights is not None and not isinstance(options.weights, str):
        return (
            metric_of_matrix(options.weights, len(categories)),
            weights_of_matrix(options.weights, len(categories)),
        )
    name = options.weights or ("masi" if sets is not None else DEFAULT_WEIGHTS.get(options.scale))
    weights = None if name is None else named_weights(name, categories, scale=options.scale, separator=sets)
    if sets is not None and options.scale == "nominal" and weights is not None:
        return metric_of_weights(weights), weights
    return metric_of(options.scale, categories, period=options.period), weights


def require_order(labels: Labels, *, scale: str = "nominal", weights: Any = None) -> None:
    """Refuse a scale or weights that go by the order of the categories, where nobody said what it is.

    Numbers have their own order, and so have categories that were declared; by alphabet, *high* would stand below
    *low*.
    """
    ordered = scale in ORDERED_SCALES or (isinstance(weights, str) and weights in ORDERED_WEIGHTS)
    if not ordered or labels.categories_declared or parse_numbers(labels.categories) is not None:
        return
    what = f"the {scale} scale" if scale in ORDERED_SCALES else f"{weights} weights"
    names = [repr(name) for name in labels.categories]
    examples = join_words(names) if len(names) <= 6 else f"{', '.join(names[:5])}, …"
    say = option_or_keyword("--categories low,medium,high", 'categories=["low", "medium", "high"]')
    raise InvalidInputError(
        f"The labels {examples} are not numbers, so their order is not known, and {what} cannot be used without it. "
        f"Give the categories in their order, as in {say}."
    )


def metric_of(scale: str, categories: Sequence[str], *, period: float | None = None) -> Metric:
    """The metric of a scale."""
    if scale == "nominal":
        return Metric(kind="nominal", title="nominal metric")
    if scale == "ordinal":
        return Metric(kind="midranks", title="Krippendorff's ordinal metric")
    if scale == "interval":
        return Metric(kind="values", title="interval metric", values=as_numbers(categories, scale))
    if scale == "ratio":
        return Metric(kind="matrix", title="ratio metric", matrix=_ratio_distances(categories))
    return _circular(categories, period)


def metric_of_weights(weights: AgreementWeights) -> Metric:
    """The distances that agreement weights imply."""
    return Metric(kind="matrix", title=weights.title, matrix=1 - weights.matrix)


def named_weights(
    name: str, categories: Sequence[str], *, scale: str = "nominal", separator: str | None = None
) -> AgreementWeights:
    """Agreement weights by name; linear and quadratic go by the numbers of a numeric scale, else by ranks."""
    if name not in WEIGHTS:
        raise UnknownNameError("weighting", name, WEIGHTS)
    size = len(categories)
    if name in ("masi", "jaccard"):
        apart = _set_distances(name, label_sets(categories, separator))
        return AgreementWeights(title=f"{name.upper() if name == 'masi' else 'Jaccard'} distance", matrix=1 - apart)
    numeric = scale in ("interval", "ratio") and name != "ordinal"
    values = as_numbers(categories, scale) if numeric else np.arange(size, dtype=np.float64)
    title = "Gwet's ordinal weights" if name == "ordinal" else f"{name} weights on {'values' if numeric else 'ranks'}"
    if size > FEW_CATEGORIES:
        # Gwet's are 1 - d (d + 1) / (k (k - 1)) for ranks that are d apart, here as a share of k - 1
        falls = {"linear": (1, -1), "quadratic": (1, 0, -1), "ordinal": (1, -1 / size, -(size - 1) / size)}[name]
        return AgreementWeights(title=title, matrix=polynomial_table(values, falls))
    if name == "ordinal":
        return AgreementWeights(title=title, matrix=distances.ordinal_weights(size))
    make = distances.linear_weights if name == "linear" else distances.quadratic_weights
    return AgreementWeights(title=title, matrix=make(values))


def metric_of_matrix(matrix: Any, n_categories: int) -> Metric:
    """A metric from a square matrix of distances, or of agreement weights."""
    distance, _, how = _distances_and_weights(matrix, n_categories)
    return Metric(kind="matrix", title=f"distances {how}", matrix=distance)


def weights_of_matrix(matrix: Any, n_categories: int) -> AgreementWeights:
    """Agreement weights from a square matrix of weights, or of distances."""
    _, weights, how = _distances_and_weights(matrix, n_categories)
    return AgreementWeights(title=f"weights {how}", matrix=weights)


def as_numbers(categories: Sequence[str], scale: str) -> NDArray[np.float64]:
    """The categories as the numbers they are."""
    numbers = parse_numbers(categories)
    if numbers is not None:
        return numbers
    wrong = next(category for category in categories if parse_number(category) is None)
    raise InvalidInputError(
        f"The label {wrong!r} is not a number, but the {scale} scale needs numbers; "
        "choose another scale or declare such labels as missing."
    )


def label_sets(categories: Sequence[str], separator: str | None) -> list[frozenset[str]]:
    """The members of set-valued categories."""
    if not separator:
        say = option_or_keyword("--sets '+'", 'sets="+"')
        raise InvalidInputError(f"MASI and Jaccard compare sets; say what separates their members, as in {say}.")
    return [frozenset(member for member in category.split(separator) if member) for category in categories]


def _circular(categories: Sequence[str], period: float | None) -> Metric:
    numbers = parse_numbers(categories)
    values = np.arange(len(categories), dtype=np.float64) if numbers is None else numbers
    around = period if period is not None else _natural_period(values)
    if around <= 0:
        raise InvalidInputError(f"The period of a circular scale must be positive, not {around:g}.")
    title = f"circular metric, period {around:g}"
    make = distances.circular_distances if len(values) <= FEW_CATEGORIES else circular_table
    return Metric(kind="matrix", title=title, matrix=make(values, around))


def _natural_period(values: NDArray[np.float64]) -> float:
    """Once around: the range and one more of its smallest steps."""
    steps = np.diff(np.unique(values))
    return float(values.max() - values.min() + steps.min()) if len(steps) else 1.0


def _ratio_distances(categories: Sequence[str]) -> Matrix:
    """Krippendorff's ratio metric, which no sums or moments give: of many values a block at a time."""
    values = _positive(categories)
    if len(values) <= FEW_CATEGORIES:
        return distances.ratio_distances(values)
    if len(values) > MOST_VALUES:
        instead = option_or_keyword("--scale interval", 'scale="interval"')
        raise InvalidInputError(
            f"A ratio scale compares every two values, and there are {len(values):,} different ones; the limit is "
            f"{MOST_VALUES:,}. Round the values, or use {instead}."
        )
    return block_table(
        len(values),
        lambda one, two: distances.relative_difference(values[one], values[two]),
        lambda some: distances.relative_difference(values[:, None], values[None, some]),
    )


def _set_distances(name: str, sets: Sequence[frozenset[str]]) -> Matrix:
    if len(sets) <= FEW_CATEGORIES:
        return distances.masi_distances(sets) if name == "masi" else distances.jaccard_distances(sets)
    if len(sets) > MOST_SETS:
        raise InvalidInputError(
            f"Distances of sets compare every two sets, and there are {len(sets):,} different ones; the limit is "
            f"{MOST_SETS:,}."
        )
    between = distances.SetDistances(sets, masi=name == "masi")
    return block_table(len(sets), between.entries, between.columns)


def _positive(categories: Sequence[str]) -> NDArray[np.float64]:
    values = as_numbers(categories, "ratio")
    if (values < 0).any():
        wrong = categories[int(np.argmin(values))]
        raise InvalidInputError(f"The label {wrong!r} is negative, but a ratio scale starts at zero.")
    return values


def _distances_and_weights(matrix: Any, n_categories: int) -> tuple[Reals, Reals, str]:
    """Distances and weights of a matrix, and how they were taken: agreement has no direction, so both are averaged."""
    entries = np.asarray(matrix, dtype=np.float64)
    if entries.shape != (n_categories, n_categories):
        raise InvalidInputError(f"The weights must be a {n_categories} x {n_categories} matrix, one row per category.")
    if not np.isfinite(entries).all() or (entries < 0).any():
        raise InvalidInputError("Weights and distances must be numbers that are not negative.")
    how = "as given" if np.allclose(entries, entries.T) else "as given, made symmetric by averaging both directions"
    entries = (entries + entries.T) / 2
    diagonal = np.diagonal(entries)
    if (diagonal == 0).all() and entries.max(initial=0.0) > 0:
        return entries, 1 - entries / entries.max(), how
    if n_categories and (diagonal == diagonal[0]).all() and entries.max() <= diagonal[0] and diagonal[0] > 0:
        return 1 - entries / diagonal[0], entries / diagonal[0], how
    raise InvalidInputError(
        "Distances have 0 on the diagonal, weights one largest value there; this matrix has neither."
    )
