"""What a reader needs in order not to be misled by a coefficient: indices, tests, confusions, sentences."""

from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concurrence.agreement.categories import Confusion, confusions
from concurrence.agreement.coefficients import COEFFICIENTS
from concurrence.agreement.homogeneity import HomogeneityTest, bowker, homogeneity_tests, mcnemar_exact
from concurrence.agreement.small_samples import Trust, trust_analytic
from concurrence.agreement.study import Study
from concurrence.core import InvalidInputError, Labels

Array = NDArray[np.float64]

ENOUGH_DISAGREEMENTS = 10
MOST_PAIRS = 500
MOST_CODERS = 40
ALPHA = 0.05
FEW_GRADES = 10
FEW_LEANING = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoCoderIndices:
    """What prevalence and bias do to kappa, for two coders; NaN where there is nothing to divide by.

    ``prevalence_index`` and the positive and negative agreement are for two categories; ``bias_index`` is half
    the sum of the differences between the coders' shares, which is Byrt's for two categories.
    """

    cohen_kappa: float
    siegel_castellan_kappa: float
    prevalence_adjusted_kappa: float
    prevalence_index: float | None
    bias_index: float
    kappa_max: float
    positive_agreement: float | None
    negative_agreement: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lean:
    """Two categories between which two coders disagree in one direction.

    ``categories`` is ``None`` on a finely graded scale, where the first coder rates higher than the second.
    """

    coders: tuple[str, str]
    categories: tuple[str, str] | None
    this_way: int
    other_way: int
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A coefficient without one coder."""

    coder: str
    coefficient: str
    value: float
    change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Rank correlation between coders on a numeric scale, the simple mean over pairs."""

    mean: float
    pairs: tuple[tuple[str, str, int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagnosis:
    """Why agreement is as it is. ``pattern`` is ``systematic``, ``unsystematic`` or ``undecided``.

    The first ``opening`` of the sentences tell how much agreement there is, the others where it comes from.
    """

    indices: TwoCoderIndices | None
    homogeneity: tuple[HomogeneityTest, ...]
    pattern: str
    leans: tuple[Lean, ...]
    tested_pairs: int
    confused: tuple[Confusion, ...]
    leave_one_out: tuple[LeftOut, ...]
    spearman: Correlation | None
    trust: Trust
    sentences: tuple[str, ...] = ()
    opening: int = 0


def two_coder_indices(table: ArrayLike) -> TwoCoderIndices:
    r"""The three numbers of Di Eugenio and Glass, and the indices behind their differences.

    .. math:: \kappa_{max} = \frac{\sum_k \min(p_{k\cdot}, p_{\cdot k}) - p_e}{1 - p_e}

    References: Di Eugenio and Glass (2004); Byrt et al. (1993); Cohen (1960); Cicchetti and Feinstein (1990).

    >>> indices = two_coder_indices([[80, 10], [5, 5]])
    >>> round(indices.prevalence_index, 2), round(indices.bias_index, 2), round(indices.positive_agreement, 4)
    (0.75, 0.05, 0.9143)
    """
    counts = np.asarray(table, dtype=np.float64)
    n, size = counts.sum(), len(counts)
    p = counts / n if n else np.full_like(counts, np.nan)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, chance = float(np.trace(p)), float(rows @ columns)
    binary = size == 2
    return TwoCoderIndices(
        cohen_kappa=_beyond(observed, chance),
        siegel_castellan_kappa=_beyond(observed, float((((rows + columns) / 2) ** 2).sum())),
        prevalence_adjusted_kappa=_beyond(observed, 1 / size) if size > 1 else float("nan"),
        prevalence_index=float(abs(p[0, 0] - p[1, 1])) if binary else None,
        bias_index=float(np.abs(rows - columns).sum() / 2),
        kappa_max=_beyond(float(np.minimum(rows, columns).sum()), chance),
        positive_agreement=_share(2 * p[0, 0], rows[0] + columns[0]) if binary else None,
        negative_agreement=_share(2 * p[1, 1], rows[1] + columns[1]) if binary else None,
    )


def diagnose(labels: Labels, study: Study, *, main: str, finely_graded: bool = False) -> Diagnosis:
    """All that can be said of the labels but the sentences; ``main`` is the coefficient left out coders change."""
    two = labels.n_coders == 2 and not labels.anonymous
    table = study.confusion() if two else None
    leans, tested = leaning_pairs(labels, study, finely_graded=finely_graded)
    systematic = len(leans) > FEW_LEANING * tested
    pattern = "undecided" if tested == 0 else "systematic" if systematic else "unsystematic"
    return Diagnosis(
        indices=None if table is None else two_coder_indices(table),
        homogeneity=() if table is None or not table.any() else homogeneity_tests(table),
        pattern=pattern,
        leans=leans,
        tested_pairs=tested,
        confused=confusions(study, labels.categories),
        leave_one_out=left_out_values(labels, study, main),
        spearman=None,
        trust=trust_analytic(study),
    )


def leaning_pairs(labels: Labels, study: Study, *, finely_graded: bool = False) -> tuple[tuple[Lean, ...], int]:
    """Pairs of coders whose disagreements lean to one side (Bowker, corrected by Holm), and how many were tested.

    Only pairs with ten disagreements or more are tested, of the first five hundred pairs. On a finely graded scale
    the question is who rates higher, and the test McNemar's.
    """
    if labels.anonymous:
        return (), 0
    found = []
    for first, second in islice(combinations(range(labels.n_coders), 2), MOST_PAIRS):
        table = study.confusion(first, second)
        if table.sum() - np.trace(table) >= ENOUGH_DISAGREEMENTS:
            coders = labels.coders[first], labels.coders[second]
            found.append(_rates_higher(table, coders) if finely_graded else _most_skewed(table, labels, coders))
    found.sort(key=lambda lean: lean.p_value)
    passed = [lean.p_value * (len(found) - place) <= ALPHA for place, lean in enumerate(found)]
    return tuple(found[: (*passed, False).index(False)]), len(found)


def left_out_values(labels: Labels, study: Study, main: str) -> tuple[LeftOut, ...]:
    """The coefficient without each coder in turn; empty for two coders, and for more than forty."""
    if labels.anonymous or not 3 <= labels.n_coders <= MOST_CODERS:
        return ()
    row = COEFFICIENTS[main]
    whole = float(row.values(study, study.weights))
    values = [float(row.values(one := _without(study, k), one.weights)) for k in range(labels.n_coders)]
    return tuple(
        LeftOut(coder=coder, coefficient=main, value=value, change=value - whole)
        for coder, value in zip(labels.coders, values, strict=True)
    )


def mean_spearman(labels: Labels) -> Correlation:
    """Spearman's rank correlation of every two coders on the items both rated, and its simple mean.

    Pairs with fewer than three items, or where a coder gave one value only, have none and are left out.
    """
    values = _numbers(labels)
    rows = []
    for a, b in combinations(range(labels.n_coders), 2):
        both = (labels.codes[:, a] >= 0) & (labels.codes[:, b] >= 0)
        x, y = values[labels.codes[both, a]], values[labels.codes[both, b]]
        if len(x) >= 3 and x.min() < x.max() and y.min() < y.max():
            rows.append((labels.coders[a], labels.coders[b], len(x), _spearman(x, y)))
    mean = float(np.mean([row[3] for row in rows])) if rows else float("nan")
    return Correlation(mean=mean, pairs=tuple(rows))


def _spearman(x: Array, y: Array) -> float:
    """Pearson's correlation of the ranks, ties sharing the mean of theirs."""
    first, second = _ranks(x), _ranks(y)
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Array) -> Array:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[where])


def _numbers(labels: Labels) -> Array:
    try:
        return np.array([float(category) for category in labels.categories])
    except ValueError as error:
        raise InvalidInputError(f"A rank correlation needs numbers as labels: {error}.") from error


def _most_skewed(table: NDArray[np.int64], labels: Labels, coders: tuple[str, str]) -> Lean:
    """How two coders lean, and between which categories most of all."""
    skew = (table - table.T) ** 2 / np.maximum(table + table.T, 1)
    i, j = np.unravel_index(int(np.argmax(skew)), skew.shape)
    if table[i, j] < table[j, i]:
        i, j = j, i
    names = labels.categories[i], labels.categories[j]
    p_value = bowker(table).p_value
    return Lean(
        coders=coders,
        categories=names,
        this_way=int(table[i, j]),
        other_way=int(table[j, i]),
        p_value=1.0 if p_value is None else p_value,
    )


def _rates_higher(table: NDArray[np.int64], coders: tuple[str, str]) -> Lean:
    """Which of two coders gives the higher rating more often."""
    higher, lower = int(np.tril(table, -1).sum()), int(np.triu(table, 1).sum())
    if higher < lower:
        coders, higher, lower = (coders[1], coders[0]), lower, higher
    p_value = mcnemar_exact([[0, higher], [lower, 0]]).p_value
    return Lean(coders=coders, categories=None, this_way=higher, other_way=lower, p_value=p_value or 0.0)


def _without(study: Study, coder: int) -> Study:
    return study.only(*(k for k in range(study.n_coders) if k != coder))


def _beyond(observed: float, chance: float) -> float:
    return (observed - chance) / (1 - chance) if chance < 1 else float("nan")


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")
