"""Estimates from counts in strata: shares, their variance and their intervals.

With one stratum (simple and union samples, a census) everything is exact: given how many of a list were
judged, which ones they are is a random draw from that list. With several strata the share of a list is
the sum of the shares in its cells (list and stratum), weighted by their known sizes. Its limits are the outer ones of
two intervals: that of Clopper and Pearson on the effective sample size (Korn & Graubard 1998), and that which combines
Wilson's limits of the cells (Zou & Donner 2008). The second knows that a cell without a true positive among few
judgements may still hold many.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import ndtri, stdtrit

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.kernels.anytime import anytime_bounds
from concurrence.kernels.chance import ratio
from concurrence.kernels.exact_tests import mean_over_whole
from concurrence.kernels.intervals import Bounds, blaker, clopper_pearson, hypergeometric
from concurrence.kernels.runs import runs

ANYTIME = "anytime"
"""The interval that holds at every look; it stands beside one of the others, not among them."""
PRIOR = 2.0  # a cell's variance leans on the whole as if by this many judgements, so that no cell is certain


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StratumCounts:
    """Counts in sets of candidates: the last axis is the stratum, the one before is the list size."""

    size: Numbers
    sampled: Numbers
    true: Numbers

    def __getitem__(self, rows: slice) -> "StratumCounts":
        return StratumCounts(size=self.size[rows], sampled=self.sampled[rows], true=self.true[rows])

    def __sub__(self, other: "StratumCounts") -> "StratumCounts":
        return StratumCounts(
            size=self.size - other.size, sampled=self.sampled - other.sampled, true=self.true - other.true
        )

    def __add__(self, other: "StratumCounts") -> "StratumCounts":
        return StratumCounts(
            size=self.size + other.size, sampled=self.sampled + other.sampled, true=self.true + other.true
        )

    def times(self, share: Reals) -> "StratumCounts":
        """The counts of each list, multiplied by its share."""
        by = share[:, None]
        return StratumCounts(size=self.size * by, sampled=self.sampled * by, true=self.true * by)

    @property
    def pooled(self) -> "StratumCounts":
        """The same without strata, for sets of which each lies in one."""
        size, sampled, true = (part[..., None] for part in self.totals)
        return StratumCounts(size=size, sampled=sampled, true=true)

    @property
    def totals(self) -> tuple[Numbers, Numbers, Numbers]:
        """Size, judged and true over all strata."""
        return self.size.sum(axis=-1), self.sampled.sum(axis=-1), self.true.sum(axis=-1)


def shares(cells: StratumCounts) -> Reals:
    """The estimated share of true positives of each set, NaN where nothing was judged."""
    if cells.size.shape[-1] == 1:
        return ratio(cells.true[..., 0], cells.sampled[..., 0])
    return np.where(cells.sampled.sum(axis=-1) > 0, stratified(cells, replacement=False).value, np.nan)


def interval(cells: StratumCounts, *, method: str, level: float | Reals, replacement: bool = False) -> Bounds:
    """The interval of each share; everything is possible where nothing was judged. Several strata need ``design``."""
    if cells.size.shape[-1] > 1:
        return _design_interval(cells, level=level, replacement=replacement)
    exact = partial(_exact_interval, method=method, level=level, replacement=replacement)
    low, high = mean_over_whole(exact, [part[..., 0] for part in (cells.size, cells.sampled, cells.true)])
    return low, high


def _exact_interval(
    size: Numbers, sampled: Numbers, true: Numbers, *, method: str, level: float | Reals, replacement: bool
) -> Bounds:
    """The interval of each share in one stratum, from whole counts."""
    if method == "design":
        cells = StratumCounts(size=size[..., None], sampled=sampled[..., None], true=true[..., None])
        return _design_interval(cells, level=level, replacement=replacement)
    if method in (ANYTIME, "hypergeometric"):
        low, high = (
            anytime_bounds(size, sampled, true, level=float(np.max(level)))
            if method == ANYTIME
            else hypergeometric(true, sampled, size, level=level)
        )
        return ratio(low, size), ratio(high, size)
    return _once(blaker if method == "blaker" else clopper_pearson, true, sampled, level)


def variance_of_total(cells: StratumCounts, *, replacement: bool = False) -> Reals:
    """The variance of the estimated number of true positives in each set."""
    variance = stratified(cells, replacement=replacement).variance
    return np.asarray(variance * cells.size.sum(axis=-1).astype(np.float64) ** 2)


def recall(
    lists: StratumCounts, whole: StratumCounts, *, level: float, method: str, replacement: bool = False
) -> tuple[Reals, Reals, Reals]:
    """The share of all true positives that each list holds, with its interval.

    Which of all true positives were judged is a random draw, too, so that with one stratum the exact
    interval is that of the judged true positives inside the list among all judged ones; how many there
    are in all is taken at the upper end of its own interval.
    """
    if lists.size.shape[-1] > 1:
        return _recall_in_strata(lists, whole, level=level, replacement=replacement)
    hits = whole.true[..., 0]
    most = hypergeometric(hits, whole.sampled[..., 0], whole.size[..., 0], level=level)[1]
    exact = partial(_recall_bounds, all_judged=hits, most=most, level=level, method=method, replacement=replacement)
    low, high = mean_over_whole(exact, [lists.true[..., 0]])
    return ratio(lists.true[..., 0], hits), low, high


def _recall_bounds(
    inside: Numbers, *, all_judged: Numbers, most: Numbers, level: float, method: str, replacement: bool
) -> Bounds:
    hits = np.broadcast_to(all_judged, inside.shape)
    if method in ("clopper-pearson", "blaker") or replacement:
        return _once(blaker if method == "blaker" else clopper_pearson, inside, hits, level)
    fewest, largest = hypergeometric(inside, hits, np.broadcast_to(most, inside.shape), level=level)
    return ratio(fewest, most), ratio(largest, most)


def _recall_in_strata(
    lists: StratumCounts, whole: StratumCounts, *, level: float, replacement: bool
) -> tuple[Reals, Reals, Reals]:
    """Recall from the true positives inside and outside of each list.

    Each number has its own limits, and what either changes in the recall is added in squares (Zou & Donner 2008). The
    variance of the ratio alone would call a stratum certain in which no judged candidate is true.
    """
    rest = whole - lists
    per_draw = ratio(whole.size, whole.sampled, empty=0.0)
    inside, outside = ((per_draw * cells.true).sum(axis=-1) for cells in (lists, rest))
    limits = [_design_interval(cells, level=level, replacement=replacement) for cells in (lists, rest)]
    sizes = [cells.size.sum(axis=-1) for cells in (lists, rest)]
    (in_low, in_high), (out_low, out_high) = (
        tuple(np.nan_to_num(end) * size for end in ends) for ends, size in zip(limits, sizes, strict=True)
    )
    value = ratio(inside, inside + outside)

    def to(fewer: Reals, more: Reals) -> Reals:
        return np.asarray(value - ratio(fewer, fewer + more, empty=0.0))

    low = value - np.hypot(to(np.minimum(in_low, inside), outside), to(inside, np.maximum(out_high, outside)))
    high = value + np.hypot(to(np.maximum(in_high, inside), outside), to(inside, np.minimum(out_low, outside)))
    return value, np.maximum(low, 0.0), np.minimum(high, 1.0)


def _design_interval(cells: StratumCounts, *, level: float | Reals, replacement: bool) -> Bounds:
    level = np.broadcast_to(np.asarray(level, dtype=np.float64), cells.size.shape[:-1])
    open_ = cells.size > (0 if replacement else cells.sampled)
    settled = np.where(open_, 0, cells.true).sum(axis=-1)
    whole = cells.size.sum(axis=-1)
    rest = StratumCounts(size=cells.size * open_, sampled=cells.sampled * open_, true=cells.true * open_)
    low, high = _one_open_cell(rest, level, replacement=replacement)
    several = open_.sum(axis=-1) > 1
    if several.any():
        guess = stratified(rest, replacement=replacement)
        wide_low, wide_high = effective(guess.value, guess.variance, level, freedom=guess.freedom)
        cell_low, cell_high = combined_limits(rest, guess, level, replacement=replacement)
        wide_low, wide_high = np.minimum(wide_low, cell_low), np.maximum(wide_high, cell_high)
        size = rest.size.sum(axis=-1)
        sure, at_most = rest.true.sum(axis=-1), size - (rest.sampled - rest.true).sum(axis=-1)
        if not replacement:
            wide_low = np.maximum(wide_low * size, sure)
            wide_high = np.minimum(wide_high * size, at_most)
        else:
            wide_low, wide_high = wide_low * size, wide_high * size
        low, high = np.where(several, wide_low, low), np.where(several, wide_high, high)
    return ratio(settled + low, whole), ratio(settled + high, whole)


def combined_limits(cells: StratumCounts, guess: "Weighted", level: Reals, *, replacement: bool) -> Bounds:
    """The distances from the shares of the cells to their own limits, added in squares (Zou & Donner 2008)."""
    share = np.where(cells.sampled > 0, ratio(cells.true, cells.sampled, empty=0.0), guess.pooled)
    left = 1.0 if replacement else (cells.size - cells.sampled) / np.maximum(cells.size - 1, 1)
    # Wilson's limits of each cell: the variance shrinks as a finite cell is judged, and without judgements all is open.
    per_judged = ndtri((1 + level[..., None]) / 2) ** 2 * np.asarray(left) / np.maximum(cells.sampled, 1)
    middle, half = share + per_judged / 2, np.sqrt(per_judged * share * (1 - share) + per_judged**2 / 4)
    low = np.where(cells.sampled > 0, (middle - half) / (1 + per_judged), 0.0)
    high = np.where(cells.sampled > 0, (middle + half) / (1 + per_judged), 1.0)
    below, above = (np.sqrt(((guess.weight * (share - end)) ** 2).sum(axis=-1)) for end in (low, high))
    return np.maximum(guess.value - below, 0.0), np.minimum(guess.value + above, 1.0)


def _one_open_cell(rest: StratumCounts, level: Reals, *, replacement: bool) -> Bounds:
    """The exact interval of the number of true positives where a single cell is left open."""
    size, sampled, true = rest.totals
    if replacement:
        low, high = clopper_pearson(true, sampled, level=level)
        return low * size, high * size
    fewest, most = hypergeometric(true, sampled, size, level=level)
    return fewest.astype(np.float64), most.astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighted:
    """A weighted share, its variance with finite-population correction, and how well that variance is known."""

    weight: Reals
    value: Reals
    variance: Reals
    freedom: Reals
    pooled: Reals


def stratified(cells: StratumCounts, *, replacement: bool) -> Weighted:
    """The share of each set as the sum over its cells; degrees of freedom by Satterthwaite."""
    weight = ratio(cells.size, cells.size.sum(axis=-1, keepdims=True), empty=0.0)
    judged = cells.sampled > 0
    share = ratio(cells.true, cells.sampled, empty=0.0)
    covered = (weight * judged).sum(axis=-1, keepdims=True)
    pooled = np.divide(
        (weight * share).sum(axis=-1, keepdims=True), covered, out=np.zeros_like(covered), where=covered > 0
    )
    n = cells.sampled.sum(axis=-1, keepdims=True)
    lean = (pooled * n + 0.5) / (n + 1)
    smooth = (cells.true + PRIOR * lean) / (cells.sampled + PRIOR)
    left = 1.0 if replacement else 1 - ratio(cells.sampled, cells.size, empty=0.0)
    value = (weight * np.where(judged, share, pooled)).sum(axis=-1)
    # Nothing is known of a cell in which nobody judged anything.
    spread = np.where(judged, smooth * (1 - smooth), 0.25)
    part = weight**2 * left * spread / np.maximum(cells.sampled, 1)
    variance, squares = part.sum(axis=-1), (part**2 / (cells.sampled + PRIOR)).sum(axis=-1)
    freedom = ratio(variance**2, squares, empty=np.inf)
    return Weighted(weight=weight, value=value, variance=variance, freedom=freedom, pooled=pooled)


def effective(value: Reals, variance: Reals, level: float | Reals, *, freedom: Reals | float = np.inf) -> Bounds:
    """Clopper and Pearson's interval for the sample size that would have had this variance."""
    value = np.clip(value, 0.0, 1.0)
    tail = (1 - np.asarray(level)) / 2
    at_most = np.minimum(freedom, 1e6)
    variance = variance * (stdtrit(at_most, tail) / stdtrit(1e6, tail)) ** 2
    # At the ends the observed spread is nothing; a share of half a judgement keeps the size finite.
    spread = np.maximum(value * (1 - value), np.minimum(variance, 0.25))
    size = np.divide(spread, variance, out=np.full(np.shape(spread), np.inf), where=variance > 0)
    finite = np.isfinite(size)
    n = np.where(finite, size, 1.0)
    low, high = clopper_pearson(value * n, n, level=level)
    return np.where(finite, low, value), np.where(finite, high, value)


def _once(method: Callable[..., Bounds], true: Integers, sampled: Integers, level: float | Reals) -> Bounds:
    """Compute each pair of counts once: along a list most sizes share theirs with the one before."""
    levels = np.broadcast_to(np.asarray(level, dtype=np.float64), true.shape)
    columns = [true.ravel(), sampled.ravel(), levels.ravel()]
    first, back = runs(*columns)
    low, high = method(columns[0][first], columns[1][first], level=columns[2][first])
    return low[back].reshape(true.shape), high[back].reshape(true.shape)
