"""p-values corrected for all that a sentence looks at: every pair of measures, and every list size, together.

Where no measure is better, a judged candidate might as well have its ranks by two measures the other way round.
Exchanging them at random, for all pairs with the same draw, shows how large the largest standardised difference over
all pairs and sizes gets by chance alone. Nested lists, and pairs that share a measure, are so alike that this costs far
less power than a correction by the number of tests.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.judgements import YES
from concurrence.evaluation.lists import Counter
from concurrence.kernels.chance import ratio
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.holm import holm
from concurrence.kernels.ranking import Ranking

FLIPS = 999
SIGNS_AT_ONCE = 4_000_000
MOST_SIZES = 200
"""List sizes under the flips; neighbours among more of them are all but the same list."""
WORST = -38.0  # the normal quantile of the smallest p that a float holds

Draws = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCells:
    """The difference sets of two measures along the list sizes at ``places``, and the p-values of each alone."""

    a: str
    b: str
    places: Integers
    only_a: StratumCounts
    only_b: StratumCounts
    p: Reals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sums:
    """What the judged and the true candidates of each n-best list add up to under random signs: draws x sizes."""

    judged: Draws
    true: Draws

    def minus(self, other: "_Sums", share: Reals) -> Draws:
        """The difference of the true ones beyond that ``share`` of the difference of the judged ones."""
        return (self.true - other.true) - share.astype(np.float32) * (self.judged - other.judged)

    def at(self, places: Integers) -> "_Sums":
        """Those of some lists."""
        return _Sums(judged=self.judged[:, places], true=self.true[:, places])


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedLists:
    """Rankings whose judged candidates get random signs, each worth what its judgement stands for.

    The signs are always the same, so that no statement depends on a seed; they are drawn when first needed.
    """

    rankings: Mapping[str, Ranking]
    counter: Counter

    @cached_property
    def sizes(self) -> Integers:
        """The places of the list sizes that are looked at."""
        count = len(self.counter.n)
        if count <= MOST_SIZES:
            return np.arange(count)
        return np.unique(np.geomspace(1, count, MOST_SIZES).astype(np.int64)) - 1

    @cached_property
    def draws(self) -> list[tuple[dict[str, _Sums], _Sums]]:
        """The sums of every ranking, and those of the whole list, some draws at a time."""
        return list(self._draw())

    def _draw(self) -> Iterator[tuple[dict[str, _Sums], _Sums]]:
        design = self.counter.design
        rows = design.rows[design.stratum[design.rows] >= 0]
        worth = (design.times * spread_weights(self.counter)[design.stratum])[rows].astype(np.float32)
        true = self.counter.judgements.verdicts[rows] == YES
        random, signs = np.random.default_rng(0), np.array([-1, 1], dtype=np.float32)
        at_once = max(1, SIGNS_AT_ONCE // max(len(rows), 1))
        for start in range(0, FLIPS, at_once):
            amount = random.choice(signs, (min(at_once, FLIPS - start), len(rows))) * worth
            by_row = np.ascontiguousarray(amount.T)
            parts = ((by_row, rows), (by_row[true], rows[true]))
            sums = {name: self._sums(ranking, parts) for name, ranking in self.rankings.items()}
            whole = _Sums(judged=amount.sum(axis=1)[:, None], true=amount[:, true].sum(axis=1)[:, None])
            yield sums, whole

    def where(self, places: Integers) -> tuple[NDArray[np.bool_], Integers]:
        """Which list sizes are looked at, and where their sums stand."""
        sizes = self.sizes
        inside = np.isin(places, sizes)
        return inside, np.searchsorted(sizes, places[inside])

    def largest(self, distances: Callable[[Mapping[str, _Sums], _Sums], Iterator[Reals]]) -> Reals:
        """The largest of all distances in each draw."""
        draws = []
        for sums, whole in self.draws:
            most = np.zeros(len(whole.judged))
            for distance in distances(sums, whole):
                np.maximum(most, distance.max(axis=1, initial=0.0), out=most)
            draws.append(most)
        return np.concatenate(draws)

    def _sums(self, ranking: Ranking, parts: Iterable[tuple[Draws, Integers]]) -> _Sums:
        """The sums of all judged candidates and of the true ones, which come with their rows, one row each."""
        lists, sizes = self.counter.lists(ranking), self.sizes
        share = lists.at.share[sizes].astype(np.float32)
        sums = []
        for part, members in parts:
            inner = _sums_upto(np.searchsorted(sizes, lists.inner[members]), part, len(sizes))
            if lists.at.some:
                outer = _sums_upto(np.searchsorted(sizes, lists.outer[members]), part, len(sizes))
                inner = inner + share * (outer - inner)
            sums.append(inner)
        return _Sums(judged=sums[0], true=sums[1])


def _sums_upto(levels: Numbers, amount: Draws, lists: int) -> Draws:
    """For every draw and list, the sum over the candidates that enter it or an earlier one; candidates x draws."""
    order = np.argsort(levels, kind="stable")
    ends = np.searchsorted(levels[order], np.arange(lists), side="right").tolist()
    entering = [amount[order[begin:end]].sum(axis=0) for begin, end in pairwise([0, *ends])]
    return np.ascontiguousarray(np.cumsum(entering, axis=0).T)


def spread_weights(counter: Counter) -> Reals:
    """What a judgement of each stratum weighs in the spread of an estimate; 1 where there is one stratum.

    It is the stratum's size over the number judged, less for a stratum that is judged nearly in full.
    """
    design = counter.design
    if design.n_strata == 1:
        return np.ones(2)
    inside = design.stratum >= 0
    sizes, judged = (
        np.bincount(design.stratum[inside], weights=part[inside], minlength=design.n_strata)
        for part in (np.ones(len(inside)), design.times)
    )
    share = ratio(judged, sizes, empty=1.0)
    left = np.ones(len(sizes)) if design.replacement else 1 - np.minimum(share, 1)
    return np.append(ratio(np.sqrt(left), share, empty=0.0), 0.0)


def correct_pairs(pairs: Sequence[PairCells], lists: SignedLists, *, by_count: bool) -> list[Reals]:
    """The p-values of all pairs and sizes, corrected for all of them: by flips, or by their number alone (Holm)."""
    if by_count or _count(pair.p for pair in pairs) < 2:
        return _holm([pair.p for pair in pairs])
    exact, weights = lists.counter.design.n_strata == 1, spread_weights(lists.counter)
    cells = [_FlipCells.of(pair, weights) for pair in pairs]

    def distances(sums: Mapping[str, _Sums], _: _Sums) -> Iterator[Reals]:
        for pair, one in zip(pairs, cells, strict=True):
            inside, at = lists.where(pair.places)
            yield one.part(inside).standardised(sums[pair.a].at(at), sums[pair.b].at(at), yates=exact)

    reference = lists.largest(distances)
    observed = [one.observed() if exact else _normal(pair.p) for pair, one in zip(pairs, cells, strict=True)]
    return [np.maximum(pair.p, _exceeded(reference, own)) for pair, own in zip(pairs, observed, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListCells:
    """The n-best lists of a measure at ``places``, and the p-value of each against the rest of the whole list."""

    name: str
    places: Integers
    lists: StratumCounts
    p: Reals


def correct_against_rest(
    measures: Sequence[ListCells],
    whole: StratumCounts,
    lists: SignedLists,
    *,
    by_count: bool,
) -> list[Reals]:
    """The p-values of all lists against the rest of the whole one, corrected for all measures and sizes together."""
    if by_count or _count(one.p for one in measures) < 2:
        return _holm([one.p for one in measures])
    weights = spread_weights(lists.counter)
    share = ratio((whole.true * weights[: whole.true.shape[-1]]).sum(axis=-1),
                  (whole.sampled * weights[: whole.true.shape[-1]]).sum(axis=-1), empty=0.0)  # fmt: skip
    shares = [np.broadcast_to(share, one.p.shape) for one in measures]
    part = [ratio(one.lists.size.sum(axis=-1), whole.size.sum()) for one in measures]
    spreads = [
        np.hypot((1 - g) * spread_of(one.lists, p, weights), g * spread_of(whole - one.lists, p, weights))
        for one, p, g in zip(measures, shares, part, strict=True)
    ]

    def distances(sums: Mapping[str, _Sums], every: _Sums) -> Iterator[Reals]:
        none = _Sums(judged=np.zeros((1, 1), np.float32), true=np.zeros((1, 1), np.float32))
        for one, p, g, spread in zip(measures, shares, part, spreads, strict=True):
            inside, at = lists.where(one.places)
            own = sums[one.name].at(at).minus(none, p[inside])
            yield _over(np.abs(own - g[inside] * every.minus(none, share)), spread[inside])

    reference = lists.largest(distances)
    return [np.maximum(one.p, _exceeded(reference, _normal(one.p))) for one in measures]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FlipCells:
    """Two difference sets along n: how many are judged in both, the share of true ones, and the spread under flips."""

    judged: Reals
    share: Reals
    spread: Reals
    gap_judged: Reals
    gap_true: Reals

    @classmethod
    def of(cls, pair: PairCells, weights: Reals) -> "_FlipCells":
        both = pair.only_a + pair.only_b
        share = ratio((both.true * weights[: both.true.shape[-1]]).sum(axis=-1),
                      (both.sampled * weights[: both.true.shape[-1]]).sum(axis=-1), empty=0.0)  # fmt: skip
        gap = pair.only_a - pair.only_b
        return cls(
            judged=both.sampled.sum(axis=-1).astype(np.float64),
            share=share,
            spread=spread_of(both, share, weights),
            gap_judged=gap.sampled.sum(axis=-1).astype(np.float64),
            gap_true=gap.true.sum(axis=-1).astype(np.float64),
        )

    def part(self, inside: NDArray[np.bool_]) -> "_FlipCells":
        return _FlipCells(
            judged=self.judged[inside], share=self.share[inside], spread=self.spread[inside],
            gap_judged=self.gap_judged[inside], gap_true=self.gap_true[inside],
        )  # fmt: skip

    def standardised(self, first: _Sums, second: _Sums, *, yates: bool) -> Reals:
        """How far apart the flips put the two sets, over the spread; with Yates' correction where counts are whole."""
        gap = np.abs(first.minus(second, self.share))
        if not yates:
            return _over(gap, self.spread)
        return self._with_yates(gap, first.judged - second.judged)

    def observed(self) -> Reals:
        """The same of the two sets as they are, with Yates' correction."""
        return self._with_yates(np.abs(self.gap_true - self.share * self.gap_judged), self.gap_judged)

    def _with_yates(self, gap: Numbers, gap_judged: Numbers) -> Reals:
        # The spread is that of the difference of two shares of k hits among n1 + n2, for the n1 and n2 of this draw.
        balance = np.maximum(1 - (gap_judged / np.maximum(self.judged, 1)) ** 2, 0)
        return _over(np.maximum(gap - 1, 0), self.spread * np.sqrt(balance))


def spread_of(cells: StratumCounts, share: Reals, weights: Reals) -> Reals:
    """The spread of the weighted sum of what each judged candidate is above or below the share, under random signs."""
    at, squares = share[..., None], weights[: cells.true.shape[-1]] ** 2
    parts = cells.true * (1 - at) ** 2 + (cells.sampled - cells.true) * at**2
    return np.asarray(np.sqrt((squares * parts).sum(axis=-1)))


def _over(gap: Numbers, spread: Numbers) -> Reals:
    return np.divide(gap, spread, out=np.zeros(np.broadcast_shapes(np.shape(gap), np.shape(spread))), where=spread > 0)


def _normal(p: Reals) -> Reals:
    """p-values as the absolute normal deviates that have them."""
    return np.asarray(-np.maximum(ndtri(np.maximum(p, 0.0) / 2), WORST))


def _exceeded(reference: Reals, observed: Reals) -> Reals:
    """The share of the draws, and what was observed, in which the largest is at least as large."""
    as_large = len(reference) - np.searchsorted(np.sort(reference), observed - 1e-6)
    return np.asarray((1.0 + as_large) / (len(reference) + 1.0))


def _count(parts: Iterable[Reals]) -> int:
    return sum(len(part) for part in parts)


def _holm(parts: Sequence[Reals]) -> list[Reals]:
    corrected = holm(np.concatenate([np.empty(0), *parts]))
    ends = np.cumsum([len(part) for part in parts])
    return [corrected[end - len(part) : end] for part, end in zip(parts, ends, strict=True)]
