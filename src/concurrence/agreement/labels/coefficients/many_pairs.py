"""All pairs of very many coders in one pass over the items.

Two hundred coders are twenty thousand pairs, each sharing few items: going through the pairs would read
every item twenty thousand times, going through the items meets each shared label once.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Reals
from concurrence.kernels.chance import corrected

if TYPE_CHECKING:
    from concurrence.agreement.labels.coefficients.study import LabelStudy

_MEETINGS = 1 << 17
_CELLS = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTotals:
    """Of every two coders who share an item: who they are, shared items, agreements, expected agreement.

    Pairs stand in the order of ``itertools.combinations``; ``expected`` is Cohen's and Scott's.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    items: Reals
    agreed: Reals
    cohen_expected: Reals
    scott_expected: Reals

    @property
    def observed(self) -> Reals:
        """Percent agreement."""
        return np.divide(self.agreed, self.items, out=np.full_like(self.items, np.nan), where=self.items > 0)

    @property
    def kappas(self) -> Reals:
        """Cohen's kappa, NaN where undefined."""
        return corrected(self.observed, self.cohen_expected)

    @property
    def scott(self) -> Reals:
        """Scott's pi, NaN where undefined."""
        return corrected(self.observed, self.scott_expected)


def many_pairs(study: "LabelStudy", weights: Reals) -> PairTotals:
    """The totals of all pairs that share an item: (..., pairs)."""
    rows = [_count_pairs(study, draw) for draw in _draws(study, weights)]
    first, second = rows[0][:2]
    shape = (*weights.shape[:-1], len(first))
    columns = zip(*(row[2:6] for row in rows), strict=True)
    items, agreed, cohen, scott = (np.array(part).reshape(shape) for part in columns)
    return PairTotals(
        first=first, second=second, items=items, agreed=agreed, cohen_expected=cohen, scott_expected=scott
    )


def pair_confusions(study: "LabelStudy") -> NDArray[np.int64]:
    """The confusion tables of all pairs that share an item: (pairs, categories, categories), by neighbours at distance.

    The labels of an item stand one after the other in the order of the coders, so two of them are some places apart.
    """
    first, second = _count_pairs(study, study.weights)[:2]
    keys, k = first * study.n_coders + second, study.n_categories
    rows, coders, labels = study.cells
    tables = np.zeros(len(keys) * k * k)
    for apart in range(1, int(study.sizes.max(initial=0))):
        one = np.flatnonzero(rows[:-apart] == rows[apart:])
        two = one + apart
        pair = np.searchsorted(keys, coders[one] * study.n_coders + coders[two])
        cells = (pair * k + labels[one]) * k + labels[two]
        tables += np.bincount(cells, weights=study.weights[rows[one]], minlength=len(tables))
    return tables.astype(np.int64).reshape(-1, k, k)


def many_pairs_influence(study: "LabelStudy") -> Reals:
    """What an item of each pattern adds to the mean of the pairwise kappas."""
    added: Reals = _count_pairs(study, study.weights)[6]
    defined = int(np.isfinite(many_pairs(study, study.weights).kappas).sum())
    return added * study.n_items / defined if defined else np.full(len(study.codes), np.nan)


def _draws(study: "LabelStudy", weights: Reals) -> list[Reals]:
    """One vector of weights after the other; the study's own stays itself."""
    return [weights] if weights is study.weights else list(weights.reshape(-1, weights.shape[-1]))


def _count_pairs(study: "LabelStudy", weights: Reals) -> tuple[Any, ...]:
    """Both coders, shared items, agreements, expected agreements, influence; once for the study itself."""
    own = weights is study.weights
    if own and "pairs" in study.cache:
        cached: tuple[Any, ...] = study.cache["pairs"]
        return cached
    totals = _all_pairs(study, weights, influence=own)
    if own:
        study.cache["pairs"] = totals
    return totals


def _all_pairs(study: "LabelStudy", weights: Reals, *, influence: bool) -> tuple[Any, ...]:
    """Some coders after the other against all who come later, so that what is counted stays small."""
    rows, coders, labels = study.cells
    narrow = coders.astype(np.min_scalar_type(study.n_coders)), labels.astype(np.min_scalar_type(study.n_categories))
    later = np.cumsum(study.sizes).astype(np.int64)[rows] - np.arange(len(rows)) - 1
    places = np.argsort(narrow[0], kind="stable")
    meetings = np.bincount(coders, weights=later, minlength=study.n_coders)
    blocks = np.floor(np.cumsum(meetings / _MEETINGS + study.n_coders / _CELLS))[coders[places]]
    kept = later[places] > 0
    places, blocks = places[kept], blocks[kept]
    added, parts, flat = np.zeros(len(study.codes)), [np.empty((6, 0))], bool((weights == 1).all())
    for own in np.split(places, np.flatnonzero(np.diff(blocks)) + 1) if len(places) else ():
        weight = None if flat else np.repeat(weights[rows[own]], later[own])
        figures, each = _later_pairs(study, narrow, own, later[own], weight, influence=influence)
        parts.append(figures)
        np.add.at(added, rows[own], each)
    first, second, *totals = np.hstack(parts)
    return first.astype(np.int64), second.astype(np.int64), *totals, added


def _later_pairs(
    study: "LabelStudy",
    narrow: tuple[NDArray[Any], NDArray[Any]],
    own: NDArray[np.intp],
    later: NDArray[np.int64],
    weight: Reals | None,
    *,
    influence: bool,
) -> tuple[Reals, Reals]:
    """Coders, whose labels are the cells ``own``, with each of so many ``later`` cells of the same item.

    The pairs' figures, and what each of the labels adds to the kappas of all pairs, per shared item of the pair.
    ``narrow`` holds the coder and the label of every cell in few bytes: they are read here and there, from the cache.
    """
    coders, labels = narrow
    k, ends, lowest = study.n_categories, np.cumsum(later), int(coders[own[0]]) * study.n_coders
    cells = np.repeat(own + 1 - (ends - later), later) + np.arange(ends[-1])
    whose = np.repeat(coders[own].astype(np.int64) * study.n_coders - lowest, later) + coders.take(cells)
    met = np.bincount(whose) > 0
    pairs, pair = np.flatnonzero(met) + lowest, (np.cumsum(met) - 1).take(whose)
    size, given, theirs = len(pairs), np.repeat(labels[own], later), labels.take(cells)
    outcome = 2 * pair + (given == theirs)
    owners, mine, other = _label_places(pair * k + given, pair * k + theirs, size, k)
    apart, agreed = np.bincount(outcome, weight, minlength=2 * size).reshape(size, 2).astype(np.float64).T
    one, two = (np.bincount(places, weight, minlength=len(owners)) for places in (mine, other))
    items, both = apart + agreed, np.bincount(owners, one * two, minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        cohen = both / items**2
        scott = np.bincount(owners, (one + two) ** 2, minlength=size) / (4 * items**2)
    added = np.zeros(len(own))
    if influence:
        # An item adds (credit - observed - missed * (both - 2 * chance)) / ((1 - chance) * n), where missed is
        # (1 - observed) / (1 - chance), and both is how many of the pair's n items carry the item's labels, over n.
        scale = np.divide(1, (1 - cohen) * items, out=np.zeros(size), where=1 - cohen >= 1e-13)
        missed = apart * scale
        least = scale * (2 * missed * cohen - agreed / items)
        each = np.column_stack([least, least + scale]).ravel().take(outcome)
        each -= (scale * missed / items).take(pair) * (two.take(mine) + one.take(other))
        added = np.add.reduceat(each, ends - later)
    return np.vstack([*np.divmod(pairs, study.n_coders), items, agreed, cohen, scott]), added


def _label_places(
    mine: NDArray[np.int64], other: NDArray[np.int64], size: int, k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where the labels of a pair are counted: the pair of each place, and the places of both labels.

    Every category has a place, unless that would be far more places than labels.
    """
    if size * k <= max(_MEETINGS, 4 * len(mine)):
        return np.repeat(np.arange(size), k), mine, other
    places, where = np.unique(np.concatenate([mine, other]), return_inverse=True)
    return places // k, where[: len(mine)], where[len(mine) :]
