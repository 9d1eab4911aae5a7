"""What a reader needs in order not to be misled by a coefficient: indices, tests, confusions, outsiders."""

from dataclasses import replace
from itertools import combinations, groupby
from operator import itemgetter

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, stdtrit

from concurrence.agreement.labels.coefficients.parts import coefficient_parts, sharing_pairs, value_of
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.diagnosis.categories import (
    Confusion,
    HomogeneityTest,
    confusions,
    homogeneity_tests,
    mcnemar,
)
from concurrence.agreement.labels.diagnosis.outsiders import outsider_p_values
from concurrence.core import Interval, Labels
from concurrence.core.arrays import Reals
from concurrence.core.numerals import parse_numbers
from concurrence.core.sentences import Sentence
from concurrence.core.values import value
from concurrence.kernels.chance import corrected, ratio
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.cross_table import CrossTable
from concurrence.kernels.digits import round_score

ENOUGH_DISAGREEMENTS = 10
MOST_PAIRS = 500
MOST_CODERS = 40
FEWEST_SHARED = 30
"""Fewer items that a coder shares with two others give no interval, and accuse nobody."""
FEWEST_RARE = 10
"""Nor do fewer of them with a label besides the most common one."""
ALPHA = 0.05
FEW_GRADES = 10
FEW_LEANING = 0.1


@value
class ThreeNumbers:
    """The three values that Di Eugenio and Glass ask for."""

    cohen_kappa: float
    siegel_castellan_kappa: float
    prevalence_adjusted_kappa: float


@value
class TwoCoderIndices:
    """What prevalence and bias do to kappa, for two coders; NaN where there is nothing to divide by.

    ``prevalence_index`` and the positive and negative agreement are for two categories; ``bias_index`` is half
    the sum of the differences between the coders' shares, which is Byrt's for two categories.
    """

    prevalence_index: float | None
    bias_index: float
    kappa_max: float
    positive_agreement: float | None
    negative_agreement: float | None
    three_numbers: ThreeNumbers


@value
class OneSidedConfusion:
    """Two categories between which two coders disagree in one direction.

    ``categories`` is ``None`` on a finely graded scale, where the first coder rates higher than the second.
    """

    coders: tuple[str, str]
    categories: tuple[str, str] | None
    this_way: int
    other_way: int
    p_value: float


@value
class LeftOut:
    """A coefficient without one coder, and how it differs from that with the coder *on the same items*.

    These are the ``items`` that the coder and at least two others labelled. ``interval`` is that of the change, where
    there are 30 of them, 10 with a label besides the most common one; the intervals of all coders hold together
    (Bonferroni). ``p_value`` is that of the coder disagreeing with the others no more than coders who are alike,
    corrected for all coders, where an interval is above 0.
    """

    coder: str
    coefficient: str
    value: float
    change: float
    items: int = 0
    interval: Interval | None = None
    p_value: float | None = None


@value
class PairCorrelation:
    """The rank correlation of two coders on the items both rated."""

    coders: tuple[str, str]
    items: int
    value: float


@value
class RankCorrelation:
    """Rank correlation between coders on a numeric scale, the simple mean over pairs."""

    mean: float
    pairs: tuple[PairCorrelation, ...]


@value
class Diagnosis:
    """Why agreement is as it is. ``pattern`` is ``systematic``, ``unsystematic`` or ``undecided``.

    The indices are those of two coders, ``None`` for more. ``interval_trusted`` tells whether there are data enough
    for analytic intervals to deserve their level.
    """

    prevalence_index: float | None
    bias_index: float | None
    kappa_max: float | None
    positive_agreement: float | None
    negative_agreement: float | None
    three_numbers: ThreeNumbers | None
    homogeneity: tuple[HomogeneityTest, ...]
    pattern: str
    leans: tuple[OneSidedConfusion, ...]
    tested_pairs: int
    confused: tuple[Confusion, ...]
    interval_trusted: bool
    sentences: tuple[Sentence, ...] = ()


def two_coder_indices(table: CrossTable | ArrayLike) -> TwoCoderIndices:
    r"""The three numbers of Di Eugenio and Glass, and the indices behind their differences.

    .. math:: \kappa_{max} = \frac{\sum_k \min(p_{k\cdot}, p_{\cdot k}) - p_e}{1 - p_e}

    References: Di Eugenio and Glass (2004); Byrt et al. (1993); Cohen (1960); Cicchetti and Feinstein (1990).

    >>> indices = two_coder_indices([[80, 10], [5, 5]])
    >>> round(indices.prevalence_index, 2), round(indices.bias_index, 2), round(indices.positive_agreement, 4)
    (0.75, 0.05, 0.9143)
    """
    cells = CrossTable.of(table)
    size, alike = cells.size, ratio(cells.diagonal, cells.n)
    rows, columns = ratio(cells.totals, cells.n)
    observed, chance = float(alike.sum()), float(rows @ columns)
    specific = ratio(2 * alike, rows + columns) if size == 2 else (None, None)
    pooled = float((((rows + columns) / 2) ** 2).sum())
    return TwoCoderIndices(
        prevalence_index=float(abs(alike[0] - alike[1])) if size == 2 else None,
        bias_index=float(np.abs(rows - columns).sum() / 2),
        kappa_max=float(corrected(np.minimum(rows, columns).sum(), chance)),
        positive_agreement=None if specific[0] is None else float(specific[0]),
        negative_agreement=None if specific[1] is None else float(specific[1]),
        three_numbers=ThreeNumbers(
            cohen_kappa=float(corrected(observed, chance)),
            siegel_castellan_kappa=float(corrected(observed, pooled)),
            prevalence_adjusted_kappa=float(corrected(observed, 1 / size)) if size > 1 else float("nan"),
        ),
    )


def diagnose(labels: Labels, study: LabelStudy, *, finely_graded: bool, interval_trusted: bool) -> Diagnosis:
    """All that can be said of the labels but the sentences."""
    two = labels.n_coders == 2 and not labels.anonymous
    table = study.cross_table() if two else None
    indices = None if table is None else two_coder_indices(table)
    leans, tested = leaning_pairs(labels, study, finely_graded=finely_graded)
    systematic = len(leans) > FEW_LEANING * tested
    return Diagnosis(
        prevalence_index=None if indices is None else indices.prevalence_index,
        bias_index=None if indices is None else indices.bias_index,
        kappa_max=None if indices is None else indices.kappa_max,
        positive_agreement=None if indices is None else indices.positive_agreement,
        negative_agreement=None if indices is None else indices.negative_agreement,
        three_numbers=None if indices is None else indices.three_numbers,
        homogeneity=() if table is None or not table.n else homogeneity_tests(table),
        pattern="undecided" if tested == 0 else "systematic" if systematic else "unsystematic",
        leans=leans,
        tested_pairs=tested,
        confused=confusions(study, labels.categories),
        interval_trusted=interval_trusted,
    )


def leaning_pairs(
    labels: Labels, study: LabelStudy, *, finely_graded: bool = False
) -> tuple[tuple[OneSidedConfusion, ...], int]:
    """Pairs of coders whose disagreements lean to one side (Bowker, corrected by Holm), and how many were tested.

    Only pairs with ten disagreements or more are tested, of the first five hundred that share an item. On a finely
    graded scale the question is who rates higher, and the test McNemar's.
    """
    if labels.anonymous:
        return (), 0
    leans = []
    items_of, holders, given = study.cells
    by_coder = np.argsort(holders.astype(np.min_scalar_type(study.n_coders)), kind="stable")
    items_of, given = items_of[by_coder], given[by_coder]
    begins = np.concatenate([[0], np.cumsum(np.bincount(holders, minlength=study.n_coders))])
    for first, together in groupby(sharing_pairs(study, MOST_PAIRS), key=itemgetter(0)):
        own = study.codes[:, first].copy()
        for _, second in together:
            part = slice(begins[second], begins[second + 1])
            one, two, rows = own[items_of[part]], given[part], items_of[part]
            apart = (one >= 0) & (one != two)
            if (items := study.weights[rows[apart]]).sum() < ENOUGH_DISAGREEMENTS:
                continue
            coders, codes = (labels.coders[first], labels.coders[second]), (one[apart], two[apart])
            lean = _rates_higher(codes, items, coders) if finely_graded else _most_skewed(codes, items, labels, coders)
            leans.append(lean)
    leans.sort(key=lambda lean: round_score(lean.p_value))
    passed = [lean.p_value * (len(leans) - place) <= ALPHA for place, lean in enumerate(leans)]
    return tuple(leans[: (*passed, False).index(False)]), len(leans)


def left_out_values(labels: Labels, study: LabelStudy, row: CoefficientRow, *, level: float) -> tuple[LeftOut, ...]:
    """The coefficient without each coder in turn, on the items that the coder and at least two others labelled."""
    without = tuple(_without(labels, study, row, k, level) for k in range(labels.n_coders))
    if not any(one.interval is not None and one.interval.low > 0 for one in without):
        return without
    numbers = None if study.metric.kind in ("nominal", "circular") else parse_numbers(labels.categories)
    p_values = outsider_p_values(study, numbers).tolist()
    return tuple(replace(one, p_value=p_value) for one, p_value in zip(without, p_values, strict=True))


def _without(labels: Labels, study: LabelStudy, row: CoefficientRow, coder: int, level: float) -> LeftOut:
    """Both coefficients are sums over the same items, so the error of the change comes from the items' differences."""
    shared = (study.codes[:, coder] >= 0) & (study.sizes >= 3)
    whole = study.with_patterns(study.codes[shared], study.weights[shared])
    others = whole.only(*(other for other in range(study.n_coders) if other != coder))
    before, after = (coefficient_parts(row, part, part.weights) for part in (whole, others))
    value = float(value_of(row, after))
    change, n = value - float(value_of(row, before)), whole.n_items
    interval = None
    enough = n >= FEWEST_SHARED and _rare_items(whole) >= FEWEST_RARE
    if np.isfinite(change) and enough and before.influence is not None and after.influence is not None:
        error = float(np.sqrt(whole.weights @ (after.influence - before.influence) ** 2 / (n * (n - 1))))
        reach = float(stdtrit(n - 1, 1 - (1 - level) / (2 * study.n_coders))) * error
        interval = Interval(low=change - reach, high=change + reach, level=level, method="gwet_t")
    return LeftOut(
        coder=labels.coders[coder],
        coefficient=row.name,
        value=value,
        change=change,
        items=int(n),
        interval=interval,
    )


def _rare_items(study: LabelStudy) -> float:
    """How many items have a label besides the most common one."""
    common = np.arange(study.n_categories) == np.argmax(study.weights @ study.counts)
    return float(study.weights @ (np.asarray(study.counts @ common.astype(np.float64)) < study.sizes))


def mean_rank_correlation(labels: Labels) -> RankCorrelation | None:
    """Spearman's rank correlation of every two coders on the items both rated, and its simple mean.

    Pairs with fewer than three items, or where a coder gave one value only, have none and are left out. There is
    none where labels are no numbers.
    """
    numbers = parse_numbers(labels.categories)
    if numbers is None:
        return None
    pairs = []
    for a, b in combinations(range(labels.n_coders), 2):
        both = (labels.codes[:, a] >= 0) & (labels.codes[:, b] >= 0)
        x, y = numbers[labels.codes[both, a]], numbers[labels.codes[both, b]]
        if len(x) >= 3 and x.min() < x.max() and y.min() < y.max():
            correlation = float(np.corrcoef(_ranks(x), _ranks(y))[0, 1])
            pairs.append(PairCorrelation(coders=(labels.coders[a], labels.coders[b]), items=len(x), value=correlation))
    mean = float(np.mean([pair.value for pair in pairs])) if pairs else float("nan")
    return RankCorrelation(mean=mean, pairs=tuple(pairs))


def _ranks(numbers: Reals) -> Reals:
    """Ranks; ties share the mean of theirs."""
    _, where, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[where])


def _most_skewed(
    codes: tuple[Reals, Reals], items: Reals, labels: Labels, coders: tuple[str, str]
) -> OneSidedConfusion:
    """How two coders lean, and between which categories most of all: Bowker's test of the labels that differ."""
    size = len(labels.categories)
    first, second = (side.astype(np.int64) for side in codes)
    pairs, place = np.unique(np.minimum(first, second) * size + np.maximum(first, second), return_inverse=True)
    one = np.bincount(place, weights=items * (first < second), minlength=len(pairs))
    other = np.bincount(place, weights=items * (first > second), minlength=len(pairs))
    skew = (one - other) ** 2 / (one + other)
    most = int(np.argmax(skew))
    categories = labels.categories[int(pairs[most] // size)], labels.categories[int(pairs[most] % size)]
    this_way, other_way = int(one[most]), int(other[most])
    if this_way < other_way:
        categories, this_way, other_way = categories[::-1], other_way, this_way
    return OneSidedConfusion(
        coders=coders,
        categories=categories,
        this_way=this_way,
        other_way=other_way,
        p_value=float(chdtrc(len(pairs), skew.sum())),
    )


def _rates_higher(codes: tuple[Reals, Reals], items: Reals, coders: tuple[str, str]) -> OneSidedConfusion:
    """Which of two coders gives the higher rating more often."""
    higher, lower = (int(items[side].sum()) for side in (codes[0] > codes[1], codes[0] < codes[1]))
    if higher < lower:
        coders, higher, lower = (coders[1], coders[0]), lower, higher
    p_value = mcnemar([[0, higher], [lower, 0]], exact=True).p_value
    return OneSidedConfusion(coders=coders, categories=None, this_way=higher, other_way=lower, p_value=p_value or 0.0)
