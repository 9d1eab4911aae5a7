"""Whether a coefficient differs from what chance would give: exact where items are few, else on the null error.

Coefficients whose chance comes from the coders' own habits are 0 where coders label independently of each other. With
few items that is tested exactly (Fisher, two coders and two categories) or by exchanging labels between items; the
observed agreement is compared, so that coefficients of the same agreement have the same p-value.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from math import erfc, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, stdtr

from concurrence.agreement.labels.coefficients.inference import agreements
from concurrence.agreement.labels.coefficients.metrics import metric_of_weights
from concurrence.agreement.labels.coefficients.parts import (
    category_shares,
    coefficient_parts,
    credit_matrix,
    item_disagreements,
    pair_counts,
)
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Reals
from concurrence.core.values import value
from concurrence.kernels import chance
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.kernels.exact_tests import fisher

FEW_ITEMS = 100
FEW_EXPECTED = 5.0
PERMUTATIONS, FEWEST_PERMUTATIONS = 4_999, 999
MOST_EXCHANGED = 20_000_000
"""Labels that are exchanged in all; with more, there are fewer permutations, and in the end none."""
AT_ONCE = 250_000
FISHER, PERMUTATION = "fisher_exact", "permutation"
OWN_ERROR = ("gwet_t", "jackknife")
"""Tests on the error that holds whatever the true value is: not to be read beside tests on the null error."""


@value
class NullTest:
    """A two-sided test that the true value is 0, and the error it rests on, where it rests on one."""

    method: str
    standard_error: float
    statistic: float
    p_value: float


def null_tests(
    row: CoefficientRow, study: LabelStudy, estimate: float, error: float, *, seed: int = 0
) -> tuple[NullTest, ...]:
    """The tests of the row that exist for this study, the default first; with few items an exact one."""
    names = row.null_tests
    if study.n_coders == 2 and row.of_two:
        names = tuple(dict.fromkeys((*COEFFICIENTS[row.of_two].null_tests, *names)))
    tests = (NULL_TESTS[name](name, row, study, estimate, error) for name in names)
    exact = independence_test(row, study, seed=seed) if row.tests_independence else None
    return tuple(test for test in (exact, *tests) if test is not None)


def independence_test(row: CoefficientRow, study: LabelStudy, *, seed: int) -> NullTest | None:
    """Whether coders agree as if they labelled independently: exact, or by permutation.

    ``None`` where an approximation serves: from 100 items on, if two coders are expected to meet in every cell of their
    table five times.
    """
    if not few_items(study):
        return None
    if study.n_coders == 2 and (table := _two_by_two(study)):
        both, first, second, neither = table
        p_value = float(fisher(both, both + first, second, second + neither))
        return NullTest(method=FISHER, standard_error=nan, statistic=nan, p_value=p_value)
    if row.pairs == "mean" and study.many_coders:
        return None
    key = ("independence", row.measures, row.weighted, row.pairs == "mean" and study.n_coders > 2, seed)
    if key not in study.cache:
        study.cache[key] = _permutation_test(row, study, seed)
    test: NullTest | None = study.cache[key]
    return test


def _two_by_two(study: LabelStudy) -> tuple[int, int, int, int] | None:
    """The four cells of two coders who use two categories between them."""
    shared = np.where(study.complete, study.weights, 0.0)
    used = np.flatnonzero(study.coder_totals(shared).sum(axis=0))
    if len(used) != 2 or study.anonymous:
        return None
    first, second = (study.codes[:, coder] == used[0] for coder in (0, 1))
    cells = (first & second, first & ~second, ~first & second, ~first & ~second)
    both, one, other, neither = (round(float(shared[cell].sum())) for cell in cells)
    return both, one, other, neither


def few_items(study: LabelStudy) -> bool:
    """Whether tests on a normal distribution are not to be relied on."""
    if study.n_pairable < FEW_ITEMS:
        return True
    if study.n_coders != 2:
        return False
    totals = study.coder_totals(np.where(study.complete, study.weights, 0.0))
    least = [side[side > 0].min(initial=np.inf) for side in totals]
    return bool(least[0] * least[1] < FEW_EXPECTED * study.n_complete)


def _permutation_test(row: CoefficientRow, study: LabelStudy, seed: int) -> NullTest | None:
    """How often labels that are exchanged between the items of a coder agree as much or as little.

    Every coder keeps their own labels and the items they labelled. Two-sided by the distance from the mean of all
    permutations, the data among them.
    """
    if study.n_pairable * study.n_coders > MOST_EXCHANGED / FEWEST_PERMUTATIONS or (study.weights % 1).any():
        return None
    study = study.in_fixed_order()
    codes = np.repeat(study.codes, study.weights.astype(np.int64), axis=0)
    codes = codes[(codes >= 0).sum(axis=1) >= 2]
    draws = min(PERMUTATIONS, MOST_EXCHANGED // max(codes.size, 1))
    measure = _kappa_sums if row.pairs == "mean" and study.n_coders > 2 else _agreement_sums
    movable = _exchangeable(codes, anonymous=study.anonymous)
    exchanged = _exchanged(codes, movable, draws, np.random.default_rng(seed))
    sums = np.concatenate([measure(row, study, some) for some in (*exchanged, codes[None])])
    apart = np.abs(sums - sums.mean())
    p_value = float(np.mean(apart >= apart[-1] * (1 - 1e-9) - 1e-12))
    spread = float(sums.std())
    statistic = float(sums[-1] - sums.mean()) / spread if spread > 0 else nan
    return NullTest(method=PERMUTATION, standard_error=nan, statistic=statistic, p_value=p_value)


def _exchangeable(codes: NDArray[np.integer], *, anonymous: bool) -> list[NDArray[np.bool_]]:
    """Which labels change places with each other: those of one coder, or all where nobody knows whose they are.

    The labels of the first coder may stay where they are.
    """
    given = codes >= 0
    if anonymous:
        return [given]
    return [given & (np.arange(codes.shape[1]) == coder) for coder in range(1, codes.shape[1])]


def _exchanged(
    codes: NDArray[np.integer], movable: list[NDArray[np.bool_]], draws: int, random: np.random.Generator
) -> Iterator[NDArray[np.integer]]:
    """Draws x items x coders, some draws at a time."""
    step = max(1, AT_ONCE // codes.size)
    for start in range(0, draws, step):
        some = np.repeat(codes[None], min(step, draws - start), axis=0)
        for group in movable:
            some[:, group] = random.permuted(some[:, group], axis=1)
        yield some


def _agreement_sums(row: CoefficientRow, study: LabelStudy, exchanged: NDArray[np.integer]) -> Reals:
    """Of every draw, agreement (or disagreement) by the coefficient's own comparison, over all items."""
    patterns, places = _patterns(exchanged, study.n_categories)
    items = study.with_patterns(patterns, np.ones(len(patterns)))
    if row.measures == "disagreement":
        given = study.agreement_weights
        metric = metric_of_weights(given) if row.weighted and given is not None else study.metric
        per_item = item_disagreements(items, metric, among=study)
    else:
        per_item = pair_counts(items, credit_matrix(row, items))[0]
    return np.asarray(per_item[places].sum(axis=1))


def _patterns(exchanged: NDArray[np.integer], n_categories: int) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """The labels that an item can have, and which of them each item of each draw has.

    They are all possible ones where those are fewer than the items of all draws, so that each is measured once.
    """
    draws, n_items, n_coders = exchanged.shape
    choices = n_categories + 1  # one is no label
    if choices**n_coders > draws * n_items:
        return exchanged.reshape(-1, n_coders), np.arange(draws * n_items).reshape(draws, n_items)
    places = np.zeros((draws, n_items), dtype=np.int64)
    for coder in range(n_coders):
        places = places * choices + (exchanged[..., coder] + 1)
    every = np.indices((choices,) * n_coders).reshape(n_coders, -1).T - 1
    return every.astype(exchanged.dtype), places


def _kappa_sums(_: CoefficientRow, study: LabelStudy, exchanged: NDArray[np.integer]) -> Reals:
    """Of every draw, the agreement of every two coders, over the room that their habits leave."""
    sums = np.zeros(len(exchanged))
    for one, two in combinations(range(exchanged.shape[2]), 2):
        first, second = exchanged[..., one], exchanged[..., two]
        shared = ((first >= 0) & (second >= 0)).sum(axis=1)
        parts = coefficient_parts(COEFFICIENTS["cohen_kappa"], pair := study.only(one, two), pair.weights)
        room = 1 - float(parts.expected)
        if room > 0 and shared[0]:
            sums += ((first == second) & (first >= 0)).sum(axis=1) / shared / room
    return sums


def _z_test(name: str, row: CoefficientRow, study: LabelStudy, estimate: float, _: float) -> NullTest | None:
    """The value over its error where the true value is 0, by the normal distribution.

    The errors of two coders come from the habits of both; those of Fleiss's kappa need the same number of labels on
    every item.
    """
    if study.n_coders == 2 and (row.pairs == "both" or row.of_two):
        shared = np.where(study.complete, study.weights, 0.0)
        n, labels = float(shared.sum()), 2
        first, second = study.coder_totals(shared) / n
        shares = (first + second) / 2
        if row.chance.habits == "pooled":
            first = second = shares
    elif row.pairs == "both":
        return None
    else:
        sizes = study.sizes[study.sizes > 0]
        if not len(sizes) or sizes.min() != sizes.max():
            return None
        first = second = shares = category_shares(study, study.weights)
        n, labels = study.labelled, int(sizes[0])
    error = {
        "fleiss_cohen_everitt": lambda: chance.fleiss_cohen_everitt_null_error(
            first, second, credit_matrix(row, study), n
        ),
        "cohen_1960": lambda: float(chance.cohen_null_error(chance.bilinear(first, None, second), n)),
        "siegel_castellan_1988": lambda: chance.siegel_castellan_null_error(shares, labels, n),
        "fleiss_nee_landis_1979": lambda: chance.fleiss_nee_landis_null_error(shares, labels, n),
    }[name]()
    statistic = estimate / error if error > 0 else float("nan")
    return NullTest(method=name, standard_error=error, statistic=statistic, p_value=erfc(abs(statistic) / sqrt(2)))


def _t_test(name: str, row: CoefficientRow, study: LabelStudy, estimate: float, error: float) -> NullTest | None:
    """The value over its own error, by Student's t."""
    if row.error == "fleiss_cohen_everitt" and study.n_coders == 2:
        return None
    free = study.labelled - 1
    statistic = estimate / error if error > 0 else float("nan")
    p_value = 2 * float(stdtr(free, -abs(statistic))) if free > 0 else float("nan")
    return NullTest(method=name, standard_error=error, statistic=statistic, p_value=p_value)


def _exact_test(name: str, _: CoefficientRow, study: LabelStudy, estimate: float, __: float) -> NullTest | None:
    """Whether coders agree as often as equal categories would by chance; the doubled smaller tail."""
    if study.n_coders != 2:
        return None
    agreed, n = agreements(study)
    p = 1 / study.n_categories
    lower = 1.0 if agreed == n else float(betaincc(agreed + 1, n - agreed, p))
    upper = 1.0 if agreed == 0 else float(betainc(agreed, n - agreed + 1, p))
    null_error = sqrt(p * (1 - p) / n) / (1 - p)
    p_value = min(1.0, 2 * min(lower, upper))
    return NullTest(method=name, standard_error=null_error, statistic=estimate / null_error, p_value=p_value)


NULL_TESTS: Mapping[str, Callable[[str, CoefficientRow, LabelStudy, float, float], NullTest | None]] = {
    "fleiss_cohen_everitt": _z_test,
    "cohen_1960": _z_test,
    "siegel_castellan_1988": _z_test,
    "fleiss_nee_landis_1979": _z_test,
    "gwet_t": _t_test,
    "jackknife": _t_test,
    "exact": _exact_test,
}
