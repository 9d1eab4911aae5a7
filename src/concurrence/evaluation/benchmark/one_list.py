"""All measures on one list in which every candidate is judged, as a sample of the lists that might have been.

Candidates with the same word, such as the same verb, are not independent: whoever marks *take a walk* marks *take a
look*. Errors are therefore those of whole groups of candidates, if the groups are named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtr

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import YES, Judgements
from concurrence.evaluation.benchmark.options import BenchmarkOptions
from concurrence.evaluation.benchmark.results import SIZES, BenchmarkData, MeasureFigures, TableBenchmark
from concurrence.evaluation.curves import influence_of, local_precision
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import AveragePrecision, BestMeasure
from concurrence.kernels import differences, estimates
from concurrence.kernels.digits import round_scores
from concurrence.kernels.holm import holm
from concurrence.kernels.intervals import clopper_pearson
from concurrence.kernels.ranking import Ranking, rank_candidates
from concurrence.kernels.strata import judged_at_random

FEWEST_TRUE = 5
WINDOW = 100
NORMAL_DRAWS = 4000
DRAWS_AT_ONCE = 250
NOISE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedList:
    """A list in which every candidate is judged, with its rankings; ``group`` numbers what was drawn together."""

    rankings: dict[str, Ranking]
    counter: Counter
    group: Integers
    options: BenchmarkOptions

    @cached_property
    def true(self) -> Booleans:
        return np.asarray(self.counter.judgements.verdicts == YES)

    @cached_property
    def n_groups(self) -> int:
        return int(self.group.max()) + 1

    @property
    def n(self) -> Integers:
        return self.counter.n

    def by_group(self, amount: Reals) -> Reals:
        """The sums of amounts (candidates x anything) over each group."""
        order = np.argsort(self.group, kind="stable")
        starts = np.searchsorted(self.group[order], np.arange(self.n_groups))
        return np.asarray(np.add.reduceat(amount[order], starts, axis=0))


def benchmark_list(
    table: pl.DataFrame,
    judgements: Judgements,
    measures: Sequence[str],
    options: BenchmarkOptions,
    *,
    key: Sequence[str],
    once: int | None = None,
) -> TableBenchmark:
    """All measures on one list; ``once`` tells how many of its candidates occur only once."""
    data = _judged_list(table, judgements, measures, options, key)
    twins = _same_rankings(data)
    firsts = [names[0] for names in twins]
    hits = np.stack([data.by_group(data.true[:, None] * memberships(data.n, data.rankings[m])) for m in firsts])
    totals = hits.sum(axis=1)
    p, needed = flip_test_all_pairs(hits, draws=options.draws, level=options.level, seed=options.seed)
    order = np.argsort(-round_scores(totals), axis=0, kind="stable")[0]
    chance = _chance(data, firsts)
    figures = {}
    for i, names in enumerate(twins):
        better = ((p[:, i] <= 1 - options.level) & (totals > totals[i] + NOISE)).sum(axis=0)
        p_best = np.where(order == i, np.nan, p[order, i, np.arange(len(data.n))])
        for name in names:
            others = tuple(other for other in names if other != name)
            figures[name] = _figures(data, names[0], p_best, better, chance[i], others)
    return TableBenchmark(
        data=BenchmarkData(
            candidates=len(data.true), true_positives=int(data.true.sum()), clusters=data.n_groups, once=once
        ),
        baseline=float(data.true.mean()),
        n=data.n,
        headline=int(min(data.n.tolist(), key=lambda size: abs(size - data.true.sum()))),
        measures={name: figures[name] for name in measures},
        best=_best(data, twins, order, figures, measures),
        detectable=_detectable(needed, order, data.n),
    )


def memberships(n: Integers, ranking: Ranking) -> Reals:
    """How much each candidate belongs to each n-best list: the share of the orders of its ties in which it is there."""
    at = ranking.cuts(n)
    ranks = ranking.ranks_of(np.arange(len(ranking)))[:, None]
    inside = (ranks <= at.inner).astype(np.float64)
    return np.asarray(inside + ((ranks <= at.outer) - inside) * at.share)


def flip_test_all_pairs(hits: Reals, *, draws: int, level: float, seed: int) -> tuple[Reals, Reals]:
    """p-values for all pairs of rankings and all list sizes together, and the differences that would be shown.

    ``hits`` are true positives in n-best lists (rankings x groups x sizes). Where neither of two rankings is better,
    each group might as well have its two counts the other way round. Exchanging them at random shows how large the
    largest standardised difference over all pairs and sizes gets by chance alone. The p-values and the differences, in
    true positives, are given as rankings x rankings x sizes.
    """
    count, _, sizes = hits.shape
    p, needed = np.ones((count, count, sizes)), np.full((count, count, sizes), np.nan)
    some = hits[:, (hits != hits[:1]).any(axis=(0, 2))].astype(np.float32)
    pairs = np.array(list(combinations(range(count), 2)), dtype=np.int64).reshape(-1, 2)
    gaps = (some[pairs[:, 0]] - some[pairs[:, 1]]).transpose(1, 0, 2).reshape(some.shape[1], len(pairs) * sizes)
    spread = np.sqrt((gaps**2).sum(axis=0))
    differ = spread > NOISE
    if not differ.any():
        return p, needed
    gaps = gaps[:, differ] / spread[differ]
    largest = _largest_by_chance(gaps, draws=draws, seed=seed)
    statistic = np.abs(gaps.sum(axis=0))
    as_large = draws - np.searchsorted(np.sort(largest), statistic - 1e-5)
    flat_p, flat_needed = np.ones(len(differ)), np.full(len(differ), np.nan)
    flat_p[differ] = (1 + as_large) / (draws + 1)
    flat_needed[differ] = np.quantile(largest, level, method="higher") * spread[differ]
    first, second = pairs.T
    for whole, flat in ((p, flat_p), (needed, flat_needed)):
        whole[first, second] = whole[second, first] = flat.reshape(len(pairs), sizes)
    return p, needed


def _largest_by_chance(gaps: NDArray[np.float32], *, draws: int, seed: int) -> Reals:
    random = np.random.default_rng(seed)
    signs = np.array([-1, 1], dtype=np.float32)
    largest = [
        np.abs(random.choice(signs, (min(DRAWS_AT_ONCE, draws - start), len(gaps))) @ gaps).max(axis=1)
        for start in range(0, draws, DRAWS_AT_ONCE)
    ]
    return np.concatenate(largest).astype(np.float64)


def _judged_list(
    table: pl.DataFrame,
    judgements: Judgements,
    measures: Sequence[str],
    options: BenchmarkOptions,
    key: Sequence[str],
) -> JudgedList:
    true = int((judgements.verdicts == YES).sum())
    if not judgements.judged.all():
        missing = int((~judgements.judged).sum())
        raise InvalidInputError(f"Every candidate must be judged; {missing:,} of {len(table):,} are not.")
    if true < FEWEST_TRUE:
        raise InvalidInputError(f"A benchmark needs at least {FEWEST_TRUE} true positives; there are {true}.")
    sizes = [size for size in (options.n or (*SIZES, true)) if size < len(table)]
    if not sizes:
        raise InvalidInputError(f"No list size is below the number of candidates, {len(table):,}.")
    rankings = rank_candidates(table, measures, key=key, seed=options.seed)
    counter = Counter(n=np.unique(np.array(sizes)), design=judged_at_random(judgements), judgements=judgements)
    return JudgedList(rankings=rankings, counter=counter, group=_groups(table, options.clusters), options=options)


def _groups(table: pl.DataFrame, column: str | None) -> Integers:
    if column is None:
        return np.arange(len(table))
    if column not in table.columns:
        columns = ", ".join(table.columns)
        raise InvalidInputError(f"There is no column {column!r} to group candidates by; the columns are {columns}.")
    return np.unique(table[column].cast(pl.String).fill_null("").to_numpy(), return_inverse=True)[1].astype(np.int64)


def _same_rankings(data: JudgedList) -> list[list[str]]:
    """The measures, those together that order the candidates in the same way, ties included."""
    by_order: dict[bytes, list[str]] = {}
    rows = np.arange(len(data.true))
    for name in data.rankings:
        ranking = data.rankings[name]
        by_order.setdefault(ranking.run_of(ranking.ranks_of(rows))[1].tobytes(), []).append(name)
    return list(by_order.values())


def _figures(
    data: JudgedList, name: str, p_best: Reals, better: Integers, p_chance: Reals, others: tuple[str, ...]
) -> MeasureFigures:
    ranking, level = data.rankings[name], data.options.level
    cells = data.counter.best(ranking)
    value, influence = influence_of(ranking, data.counter)
    low, high = _between(np.array([value]), data.by_group(influence[:, None]), level)
    precision, band_low, band_high = _band(data, ranking)
    return MeasureFigures(
        average_precision=AveragePrecision(value=value, interval=(float(low[0]), float(high[0]))),
        precision=precision,
        low=band_low,
        high=band_high,
        true_positives=np.asarray(cells.totals[2], dtype=np.float64),
        p_best=p_best,
        better=better,
        p_chance=p_chance,
        same_ranking_as=others,
    )


def _band(data: JudgedList, ranking: Ranking) -> tuple[Reals, Reals, Reals]:
    """Precision with a band that holds for all list sizes at once, never narrower than for independent candidates."""
    share, precision = data.n / len(data.true), estimates.shares(data.counter.best(ranking))
    local = np.nan_to_num(local_precision(ranking, data.counter, window=WINDOW))
    # What lies at the end of the list moves in or out with every candidate above it.
    member = memberships(data.n, ranking)
    amount = ((data.true[:, None] - local) * member - share * (precision - local)) / data.n
    errors = data.by_group(amount)
    level = _simultaneous(errors, data.options.level)
    low, high = _between(precision, errors, level)
    # Ties make counts that are not whole; rounded outwards, they keep the interval wide enough.
    hits = np.round(precision * data.n, 9)
    alone_low = clopper_pearson(np.floor(hits), data.n, level=level)[0]
    alone_high = clopper_pearson(np.ceil(hits), data.n, level=level)[1]
    some = hits >= 1  # less than one true positive has no spread between groups
    low, high = np.where(some, low, alone_low), np.where(some, high, alone_high)
    return precision, np.minimum(low, alone_low), np.maximum(high, alone_high)


def _between(value: Reals, errors: Reals, level: float) -> tuple[Reals, Reals]:
    """An interval from the errors of groups (groups x values); few groups that matter make it wider."""
    variance = (errors**2).sum(axis=0)
    fourth = np.divide((errors**4).sum(axis=0), variance**2, out=np.ones(len(value)), where=variance > 0)
    freedom = 2 / np.maximum(fourth - 1 / len(errors), 1e-6)
    return estimates.effective(value, variance, level, freedom=np.maximum(freedom, 2.0))


def _simultaneous(errors: Reals, level: float) -> float:
    """The pointwise level at which a band over all columns of errors holds at ``level``."""
    covariance = errors.T @ errors
    scale = np.sqrt(np.diag(covariance))
    some = scale > 0
    if not some.any():
        return level
    correlation = covariance[np.ix_(some, some)] / np.outer(scale[some], scale[some])
    draws = np.random.default_rng(0).multivariate_normal(
        np.zeros(len(correlation)), correlation, size=NORMAL_DRAWS, method="eigh"
    )
    return float(1 - 2 * ndtr(-np.quantile(np.abs(draws).max(axis=1), level)))


def _chance(data: JudgedList, names: Sequence[str]) -> Reals:
    """Fisher's test of each list against the rest of the table, corrected by Holm over all of them."""
    whole = data.counter.whole()
    p = [
        differences.difference_test(lists, whole - lists, alternative="minlike")
        for lists in (data.counter.best(data.rankings[name]) for name in names)
    ]
    return holm(np.concatenate(p)).reshape(len(names), -1)


def _best(
    data: JudgedList,
    twins: Sequence[Sequence[str]],
    order: Integers,
    figures: dict[str, MeasureFigures],
    measures: Sequence[str],
) -> tuple[BestMeasure, ...]:
    best = []
    for place, (n, first) in enumerate(zip(data.n.tolist(), order.tolist(), strict=True)):
        unbeaten = tuple(name for name in measures if figures[name].better[place] == 0 and name not in twins[first][:1])
        best.append(BestMeasure(n=n, measure=twins[first][0], not_significantly_worse=unbeaten))
    return tuple(best)


def _detectable(needed: Reals, order: Integers, n: Integers) -> Reals:
    """The median difference from the best list that would be shown, as a share of n; NaN where all lists agree.

    The median is over the other rankings, near and far ones; a share that no list can reach is given as 1.
    """
    at = needed[order, :, np.arange(len(n))]
    medians = np.array([np.nanmedian(row) if np.isfinite(row).any() else np.nan for row in at]) / n
    return np.minimum(medians, 1.0)
