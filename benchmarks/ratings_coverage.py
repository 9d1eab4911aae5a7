"""How often 95 % intervals of agreement on ratings cover the true value.

Ratings are normal: the variances of items, coders and error are given, and new items and coders are drawn in every
replication. Every interval that is reported promises 93 %. Satterthwaite's of ICC(2,1) falls short with few coders who
rate at different levels, which is printed; there the generalized interval is reported in its place.
"""

from math import asin, pi

import numpy as np

from benchmarks.rows import Row
from concurrence.agreement.ratings.coefficients import assess_rating_coefficient
from concurrence.agreement.ratings.concordance import concordance_correlation
from concurrence.agreement.ratings.intraclass import correlation
from concurrence.agreement.ratings.limits import limits_of_any_two, limits_of_two
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.ranks import kendall_w, mean_spearman
from concurrence.agreement.ratings.study import RatingStudy
from concurrence.agreement.ratings.table import rating_coefficient
from concurrence.agreement.ratings.variance import Gaps, complete_mean_squares, gap_mean_squares, reml_components
from concurrence.kernels.resampling import acceleration_of, bca_interval, bootstrap, jackknife

LEVEL = 0.95
MANY_RUNS, REPORTED_RUNS, GAP_RUNS, RANK_RUNS = 2000, 600, 300, 500
QUICK = {"MANY_RUNS": 2, "REPORTED_RUNS": 2, "GAP_RUNS": 1, "RANK_RUNS": 1}
PROMISE = 0.93
Z = 1.959963984540054

# items, coders, variance of items, of coders, of error
FEW = [(30, 2, 1.0, 0.3, 0.7), (30, 3, 1.0, 1.0, 0.7), (50, 2, 1.0, 0.5, 0.5), (100, 3, 3.0, 0.3, 0.3)]
MANY = [(30, 12, 1.0, 0.3, 0.7), (50, 12, 1.0, 0.1, 0.5), (100, 4, 0.2, 0.05, 1.0)]
GAPS = [(60, 10, 1.0, 0.2, 0.8, 0.5), (60, 5, 1.0, 0.1, 0.9, 0.25)]


def simulate_ratings(random: np.random.Generator, setting: tuple) -> np.ndarray:
    n, k, items, coders, error, *missing = setting
    table = np.sqrt(items) * random.standard_normal((n, 1)) + np.sqrt(coders) * random.standard_normal((1, k))
    table = table + np.sqrt(error) * random.standard_normal((n, k))
    if missing:
        is_missing = random.random((n, k)) < missing[0]
        is_missing[np.arange(n), random.integers(0, k, n)] = False
        table[is_missing] = np.nan
    return table


def truth_of(setting: tuple, design: str) -> float:
    _, _, items, coders, error, *_ = setting
    return items / (items + error + (coders if design != "3" else 0.0))


def reported_coverage(setting: tuple, replications: int) -> float:
    """The interval of ICC(2,1) that is reported, whichever it is."""
    random, truth, hits = np.random.default_rng(1), truth_of(setting, "2"), 0
    row, options = rating_coefficient("icc_2_1"), RatingOptions(level=LEVEL)
    for _ in range(replications):
        table = simulate_ratings(random, setting)
        study = RatingStudy(ratings=table, coders=("c",) * table.shape[1], anonymous=False)
        low, high = assess_rating_coefficient(row, study, options).interval
        hits += bool(low <= truth <= high)
    return hits / replications


def intraclass_coverage(setting: tuple, design: str, replications: int) -> float:
    random, truth, hits = np.random.default_rng(1), truth_of(setting, design), 0
    for _ in range(replications):
        table = simulate_ratings(
            random, (*setting[:3], 0.0, setting[3] + setting[4], *setting[5:]) if design == "1" else setting
        )
        if np.isnan(table).any():
            gaps = Gaps.of(table)
            squares = gap_mean_squares(gaps, design, reml_components(gaps))
        else:
            squares = complete_mean_squares(table)
        interval = correlation(squares, design, table.shape[1], mean=False, level=LEVEL)
        hits += bool(interval.low <= truth <= interval.high)
    return hits / replications


def concordance_coverage(n: int, k: int, correlated: float, shift: float, replications: int) -> float:
    """Coders are fixed; the first rates higher by ``shift`` than the others."""
    random, hits = np.random.default_rng(2), 0
    levels = np.array([shift] + [0.0] * (k - 1))
    squared = np.mean([(levels[a] - levels[b]) ** 2 for a in range(k) for b in range(a)])
    truth = 1 - (2 * (1 - correlated) + squared) / (2 + squared)
    for _ in range(replications):
        table = np.sqrt(correlated) * random.standard_normal((n, 1)) + levels
        interval = concordance_correlation(
            table + np.sqrt(1 - correlated) * random.standard_normal((n, k)), level=LEVEL
        )
        hits += bool(interval.low <= truth <= interval.high)
    return hits / replications


def ranks_coverage(statistic, n: int, k: int, correlated: float, replications: int) -> float:
    random, hits = np.random.default_rng(3), 0
    rho = 6 / pi * asin(correlated / 2)
    truth = (1 + (k - 1) * rho) / k if statistic is kendall_w else rho
    for seed in range(replications):
        table = np.sqrt(correlated) * random.standard_normal((n, 1))
        table = table + np.sqrt(1 - correlated) * random.standard_normal((n, k))
        ones = np.ones(n)

        def of_weights(weights, table=table):
            return statistic(table, weights)

        replicates = bootstrap(of_weights, ones, draws=500, seed=seed)
        acceleration = acceleration_of(-jackknife(of_weights, ones), ones)
        low, high = bca_interval(replicates, float(of_weights(ones)), acceleration, LEVEL)
        hits += bool(low <= truth <= high)
    return hits / replications


def limits_coverage(n: int, k: int, replications: int) -> float:
    """The upper limit: two named coders, or any two of more."""
    random, hits = np.random.default_rng(4), 0
    truth = 0.4 + Z * np.sqrt(2 * 0.7) if k == 2 else Z * np.sqrt(2 * (0.7 + 0.2))
    for _ in range(replications):
        if k == 2:
            table = simulate_ratings(random, (n, 2, 1.0, 0.0, 0.7)) + np.array([[0.4, 0.0]])
            limits = limits_of_two(table, ("a", "b"), level=LEVEL)
        else:
            squares = complete_mean_squares(simulate_ratings(random, (n, k, 1.0, 0.2, 0.7)))
            limits = limits_of_any_two(squares, ("a",) * k, n, level=LEVEL)
        hits += bool(limits.high_interval.low <= truth <= limits.high_interval.high)
    return hits / replications


def run() -> list[Row]:
    rows = []
    for setting in (*FEW, *MANY):
        where = "{} items, {} coders, variances {:g} {:g} {:g}".format(*setting)
        rows += [_row(f"ICC({d},1), exact, {where}", intraclass_coverage(setting, d, MANY_RUNS), PROMISE) for d in "13"]
        promise = PROMISE if setting in MANY else None
        rows.append(_row(f"ICC(2,1), Satterthwaite, {where}", intraclass_coverage(setting, "2", MANY_RUNS), promise))
        rows.append(_row(f"ICC(2,1), as reported, {where}", reported_coverage(setting, REPORTED_RUNS), PROMISE))
    for setting in GAPS:
        where = "{} items, {} coders, variances {:g} {:g} {:g}, {:.0%} missing".format(*setting)
        rows += [_row(f"ICC({d},1), {where}", intraclass_coverage(setting, d, GAP_RUNS), PROMISE) for d in "123"]
    for n, k, correlated, shift in ((30, 2, 0.8, 0.3), (50, 2, 0.5, 0.0), (50, 4, 0.7, 0.5)):
        where = f"{n} items, {k} coders, correlation {correlated:g}, shift {shift:g}"
        rows.append(
            _row(f"Lin's concordance, {where}", concordance_coverage(n, k, correlated, shift, MANY_RUNS), PROMISE)
        )
    for n, k, correlated in ((30, 3, 0.8), (50, 4, 0.5)):
        where = f"{n} items, {k} coders, correlation {correlated:g}"
        for title, statistic in (("Kendall's W", kendall_w), ("mean rank correlation", mean_spearman)):
            rows.append(_row(f"{title}, {where}", ranks_coverage(statistic, n, k, correlated, RANK_RUNS), PROMISE))
    for n, k in ((12, 2), (40, 2), (40, 6)):
        rows.append(_row(f"upper limit of agreement, {n} items, {k} coders", limits_coverage(n, k, MANY_RUNS), PROMISE))
    return rows


def _row(work: str, value: float, limit: float | None) -> Row:
    return Row(
        area="ratings_coverage",
        work=work,
        quantity="share of replications",
        ours=value,
        peer="always",
        against=1.0,
        limit=limit,
        limit_is="at least",
    )
