"""From a row of the table and a study to observed and expected agreement, and what one item adds to the value.

All functions take weights over the patterns of a study (..., patterns): the study's own, or a batch of resampled
ones. The influence of an item (times n, mean zero) belongs to the study's own weights; it is Fleiss, Cohen &
Everitt's for two coders and Gwet's linearisation otherwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from scipy import sparse

from concurrence.agreement.labels.coefficients.many_pairs import many_pairs, many_pairs_influence
from concurrence.agreement.labels.coefficients.metrics import Matrix, Metric, metric_of_weights
from concurrence.agreement.labels.coefficients.study import LabelStudy, total
from concurrence.core.arrays import Reals
from concurrence.kernels.chance import corrected, ratio
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow

FEW_CELLS = 4096  # of the tables of all pairs; with so few, a batch of draws is one product


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Observed and expected agreement (or disagreement); ``influence`` where the weights are the study's own."""

    observed: Reals
    expected: Reals
    influence: Reals | None = None


def coefficient_parts(row: CoefficientRow, study: LabelStudy, weights: Reals) -> Parts:
    """The parts of a coefficient, NaN where there is nothing to compare."""
    if len(study.codes) == 0:
        nothing = np.full(weights.shape[:-1], np.nan)
        return Parts(nothing, nothing, np.empty(0))
    if row.pairs == "coincidence":
        return Parts(*alpha_disagreements(study, weights, weighted=row.weighted))
    if row.pairs == "mean":
        return _mean_over_pairs(study, weights)
    if row.measures == "area":
        return _areas(study, weights)
    if row.pairs == "both" and study.n_coders == 2:
        return _on_both(row, study, weights)
    return _on_items(row, study, weights)


def value_of(row: CoefficientRow, parts: Parts) -> Reals:
    """The coefficient from its parts, NaN where undefined."""
    if row.measures == "agreement":
        return corrected(parts.observed, parts.expected)
    if row.measures == "area":
        return ratio(parts.observed, parts.expected)
    return 1 - ratio(parts.observed, np.where(parts.expected < 1e-13, 0.0, parts.expected))


def values(row: CoefficientRow, study: LabelStudy, weights: Reals) -> Reals:
    """The coefficient for each vector of pattern weights, NaN where undefined."""
    return value_of(row, coefficient_parts(row, study, weights))


def _on_both(row: CoefficientRow, study: LabelStudy, weights: Reals) -> Parts:
    """Two coders on the items that both labelled."""
    matrix = credit_matrix(row, study)
    one, two = study.codes[:, 0], study.codes[:, 1]
    credit = np.where(study.complete, one == two if matrix is None else matrix[one, two], 0.0)
    shared = np.where(study.complete, weights, 0.0)
    habits = ratio(study.coder_totals(shared), (n := shared.sum(axis=-1))[..., None, None])
    pooled = row.chance.habits == "pooled"
    expected, slope = row.chance.expect(habits.mean(axis=-2) if pooled else habits, matrix)
    observed = ratio(total(shared, credit), n)
    if weights is not study.weights:
        return Parts(observed, expected)
    # the marginal of the *other* coder belongs to each label
    left, right = (slope / 2, slope / 2) if pooled else slope
    both = left[one] + right[two] - (habits[0] @ left + habits[1] @ right)
    added = credit - observed - (1 - corrected(observed, expected)) * both
    return Parts(observed, expected, np.where(study.complete, added / (1 - expected), 0.0))


def _areas(study: LabelStudy, weights: Reals) -> Parts:
    """Two coders on the items that both labelled: the squares of agreement, and the rectangles around them."""
    one, two = study.codes[:, 0], study.codes[:, 1]
    shared = np.where(study.complete, weights, 0.0)
    n = shared.sum(axis=-1)[..., None]
    alike = study.complete & (one == two)
    rows = np.flatnonzero(alike)
    both = sparse.csr_array((np.ones(len(rows)), (rows, one[rows])), shape=(len(one), study.n_categories))
    agreed, habits = ratio(shared @ both, n), ratio(study.coder_totals(shared), n[..., None])
    observed, expected = (agreed**2).sum(axis=-1), habits.prod(axis=-2).sum(axis=-1)
    if weights is not study.weights:
        return Parts(observed, expected)
    square = np.where(alike, 2 * agreed[one], 0.0)
    added = ratio(square - ratio(observed, expected) * (habits[1][one] + habits[0][two]), expected)
    return Parts(observed, expected, np.where(study.complete, added, 0.0))


def _on_items(row: CoefficientRow, study: LabelStudy, weights: Reals) -> Parts:
    """Every item with two labels; items weigh alike, or pairs of labels where the convention says so."""
    matrix = credit_matrix(row, study)
    agreeing, possible = pair_counts(study, matrix)
    base = total(weights, possible)
    observed = ratio(total(weights, agreeing), base)
    chance = _chance_of_coders if row.chance.habits == "coders" else _chance_of_all
    expected, chance_added = chance(row, study, weights, matrix)
    if chance_added is None:
        return Parts(observed, expected)
    # Gwet takes the number of items with two labels as given; where pairs weigh alike the ratio is linearised in full
    if study.convention == "pairs":
        added = study.labelled * ratio(agreeing - observed * possible, base)
    else:
        added = study.labelled * ratio(agreeing - expected * possible, base) - (observed - expected)
    added = added - (1 - corrected(observed, expected)) * chance_added
    return Parts(observed, expected, np.where(study.sizes >= 1, added / (1 - expected), 0.0))


def _chance_of_all(
    row: CoefficientRow, study: LabelStudy, weights: Reals, matrix: Matrix | None
) -> tuple[Reals, Reals | None]:
    """Chance from the habits of all coders together, and what an item adds to it."""
    shares = category_shares(study, weights)
    expected, slope = row.chance.expect(shares, matrix)
    if weights is not study.weights or row.chance.fixed:
        return expected, np.zeros(len(study.codes)) if weights is study.weights else None
    scale = study.label_scale
    along = scale * (study.along(slope) - float(shares @ slope) * study.sizes)
    return expected, study.labelled * ratio(along, total(weights, scale * study.sizes))


def _chance_of_coders(
    row: CoefficientRow, study: LabelStudy, weights: Reals, matrix: Matrix | None
) -> tuple[Reals, Reals | None]:
    """Chance from the habits of each coder, and what an item adds to it."""
    totals = study.coder_totals(weights)
    own = totals.sum(axis=-1, keepdims=True)
    if study.convention == "items":
        habits = ratio(totals, own)
        expected, slope = row.chance.expect(habits, matrix)
        centred = slope - (slope * np.nan_to_num(habits)).sum(axis=-1, keepdims=True)
        slope = np.divide(centred, own, out=np.zeros_like(totals), where=own > 0)
    else:
        others = totals.sum(axis=-2, keepdims=True) - totals
        others = others if matrix is None else others @ matrix.T
        pairs = own.sum(axis=(-2, -1)) ** 2 - (own**2).sum(axis=(-2, -1))
        expected = ratio((totals * others).sum(axis=(-2, -1)), pairs)
        if weights is study.weights:
            slope = 2 * (others - expected * (own.sum() - own)) / pairs
    if weights is not study.weights:
        return expected, None
    return expected, study.labelled * np.asarray(study.coder_labels @ slope.ravel())


def _mean_over_pairs(study: LabelStudy, weights: Reals) -> Parts:
    """The mean of the pairwise kappas; no single chance belongs to it."""
    kappas = pairwise_kappas(study, weights)
    finite = np.isfinite(kappas)
    mean = ratio(np.where(finite, kappas, 0.0).sum(axis=-1), finite.sum(axis=-1))
    if weights is not study.weights:
        return Parts(mean, np.zeros_like(mean))
    if study.many_coders:
        return Parts(mean, np.zeros_like(mean), many_pairs_influence(study))
    added, n_pairs = np.zeros(len(study.codes)), 0
    for pair in combinations(range(study.n_coders), 2):
        two = study.only(*pair)
        influence, n = _on_both(COEFFICIENTS["cohen_kappa"], two, two.weights).influence, two.n_complete
        if influence is not None and np.isfinite(influence).all() and n:
            added, n_pairs = added + influence * (study.n_items / n), n_pairs + 1
    return Parts(mean, np.zeros_like(mean), added / n_pairs if n_pairs else np.full(len(study.codes), np.nan))


def pairwise_kappas(study: LabelStudy, weights: Reals) -> Reals:
    """Cohen's kappa of every two coders, in the order of ``itertools.combinations``: (..., pairs).

    Of very many coders, only pairs that share an item are there.
    """
    if study.many_coders:
        return many_pairs(study, weights).kappas
    pairs = list(combinations(range(study.n_coders), 2))
    k = study.n_categories
    if weights.ndim == 1 or len(pairs) * k**2 > FEW_CELLS:
        row = COEFFICIENTS["cohen_kappa"]
        each = [values(row, study.only(*pair), weights) for pair in pairs]
        return np.stack(each, axis=-1) if each else np.empty((*weights.shape[:-1], 0))
    tables = np.asarray(weights @ study.pair_cells).reshape((*weights.shape[:-1], -1, k, k))
    n = tables.sum(axis=(-2, -1))
    chance = ratio((tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1), n * n)
    return corrected(ratio(np.einsum("...kk->...", tables), n), chance)


def sharing_pairs(study: LabelStudy, most: int | None = None) -> list[tuple[int, int]]:
    """Every two coders who share an item, or the first so many of them."""
    if most is not None and study.many_coders and "sharing" not in study.cache:
        return list(islice(_pairs_in_turn(study), most))  # counting all would take much longer
    if study.many_coders:
        if "sharing" not in study.cache:
            totals = many_pairs(study, study.weights)
            study.cache["sharing"] = list(zip(totals.first.tolist(), totals.second.tolist(), strict=True))
        pairs: list[tuple[int, int]] = study.cache["sharing"]
        return pairs[:most]
    has_label = study.codes >= 0
    every_two = combinations(range(study.n_coders), 2)
    return [(a, b) for a, b in every_two if (has_label[:, a] & has_label[:, b]).any()][:most]


def _pairs_in_turn(study: LabelStudy) -> Iterator[tuple[int, int]]:
    for first in range(study.n_coders):
        shared = study.codes[study.codes[:, first] >= 0, first + 1 :]
        yield from ((first, first + 1 + int(k)) for k in np.flatnonzero((shared >= 0).any(axis=0)))


def category_shares(study: LabelStudy, weights: Reals) -> Reals:
    """How labels fall on the categories: (..., categories); once for the study itself."""
    own = weights is study.weights
    if own and "shares" in study.cache:
        cached: Reals = study.cache["shares"]
        return cached
    scale = study.label_scale
    shares = ratio(total(weights * scale, study.counts), total(weights, scale * study.sizes)[..., None])
    if own:
        study.cache["shares"] = shares
    return shares


def pair_counts(study: LabelStudy, matrix: Matrix | None) -> tuple[Reals, Reals]:
    """Agreeing pairs of labels of an item, and all; as shares where items weigh alike."""
    sizes = study.sizes
    squares = study.squares if matrix is None else study.quadratic_form(matrix)
    agreeing, possible = squares - sizes, sizes * (sizes - 1)
    if study.convention == "pairs":
        return agreeing, possible
    return np.divide(agreeing, possible, out=np.zeros_like(possible), where=possible > 0), (possible > 0).astype(float)


def credit_matrix(row: CoefficientRow, study: LabelStudy) -> Matrix | None:
    """What credit pairs of labels get; ``None`` where only equal ones do."""
    return study.agreement_weights.matrix if row.weighted and study.agreement_weights is not None else None


def alpha_disagreements(study: LabelStudy, weights: Reals, *, weighted: bool) -> tuple[Reals, Reals, Reals | None]:
    """Observed and expected disagreement, and what an item adds to alpha, the metric taken as given."""
    given = study.agreement_weights
    metric = metric_of_weights(given) if weighted and given is not None else study.metric
    totals = np.asarray(total(np.where(study.pairable, weights, 0.0), study.counts))
    n = totals.sum(axis=-1)
    numbers = _numbers(metric, totals)
    within = _within(study, metric, numbers)
    summed = total(weights, within) if within.ndim == 1 else np.einsum("...p,...p->...", weights, within)
    to_others = _distance_to(metric, totals, numbers)
    observed, between = ratio(summed, n), (totals * to_others).sum(axis=-1)
    influence = None
    if weights is study.weights:
        influence = _influence(study, within, float(observed), ratio(to_others, n), float(ratio(between, n**2)))
    return observed, ratio(between, n * (n - 1)), influence


def item_disagreements(study: LabelStudy, metric: Metric, *, among: LabelStudy | None = None) -> Reals:
    """How far apart the labels of each pattern are by the metric; mid-ranks are those ``among`` another study."""
    ranked = among or study
    totals = np.asarray(total(np.where(ranked.pairable, ranked.weights, 0.0), ranked.counts))
    return _within(study, metric, _numbers(metric, totals))


def _numbers(metric: Metric, totals: Reals) -> Reals | None:
    """The numbers whose squared difference is the metric, where there are such numbers; centred."""
    if metric.kind == "values" and metric.values is not None:
        return metric.values - metric.values.mean() if len(metric.values) else metric.values
    if metric.kind == "midranks":
        ranks: Reals = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray(ranks - totals.sum(axis=-1, keepdims=True) / 2)
    return None


def _within(study: LabelStudy, metric: Metric, numbers: Reals | None) -> Reals:
    """Disagreement among the labels of each pattern: (..., patterns), or (patterns,) for all draws."""
    sizes = study.sizes
    if numbers is not None:
        # all ordered pairs of labels of a pattern: the first two moments tell the sum of squared differences
        first, second = _item_sums(study, numbers), _item_sums(study, numbers**2)
        apart = np.maximum(2 * (sizes * second - first**2), 0.0)
    elif metric.matrix is not None:
        apart = study.quadratic_form(metric.matrix)
    else:
        apart = sizes**2 - study.squares
    return np.divide(apart, sizes - 1, out=np.zeros_like(apart), where=study.pairable)


def _item_sums(study: LabelStudy, numbers: Reals) -> Reals:
    """The sum of the labels' numbers of each pattern."""
    if numbers.ndim > 1:
        return np.moveaxis(np.asarray(study.counts @ np.moveaxis(numbers, -1, 0)), 0, -1)
    return study.along(numbers)


def _distance_to(metric: Metric, totals: Reals, numbers: Reals | None) -> Reals:
    """The distance of each category to all labels, summed: (..., categories)."""
    n = totals.sum(axis=-1, keepdims=True)
    if numbers is not None:
        first, second = (totals * power for power in (numbers, numbers**2))
        moments = first.sum(axis=-1, keepdims=True), second.sum(axis=-1, keepdims=True)
        return np.asarray(n * numbers**2 - 2 * numbers * moments[0] + moments[1])
    return totals @ metric.matrix if metric.matrix is not None else n - totals


def _influence(study: LabelStudy, within: Reals, observed: float, to_others: Reals, expected: float) -> Reals:
    """Linearised 1 - D_o / D_e, both as ratios of sums over items."""
    n = float(total(study.weights, np.where(study.pairable, study.sizes, 0.0)))
    items = study.n_pairable
    own = within - observed * np.where(study.pairable, study.sizes, 0.0)
    chance = 2 * (study.along(to_others) - expected * study.sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        added = -(own - observed / expected * chance) * (items / n) / expected if n and expected else own * np.nan
    return np.where(study.pairable, added, 0.0)
