"""The greedy search of Ng, Lim & Foo (1999), Figure 1, on matrices instead of labels.

Every array has a leading axis of studies that are searched side by side: one study, or its 99 shuffles.
Classes stand in the order of their first category, and of several merges that give the same value the first in
that order is taken, as in the figure's loop.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.merging.tables import Tables, chance_disagreement, coefficient_value
from concurrence.merging.units import MergingItems

ROUNDING = 1e-12
NOWHERE = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MergeScope:
    """Which classes may be merged: those in the same place, until they fill it and move up.

    ``place`` is where each category stands; ``leaves`` and ``parent`` belong to the places. Place 0 is nowhere:
    nothing there is ever merged.
    """

    place: Integers
    leaves: Integers
    parent: Integers

    def move_up(self, place: Integers, size: Integers) -> Integers:
        """Classes of this size move up from every place they fill."""
        for _ in range(len(self.parent)):
            full = (place != NOWHERE) & (size == self.leaves[place])
            if not full.any():
                break
            place = np.where(full, self.parent[place], place)
        return place


def unrestricted_scope(n_categories: int) -> MergeScope:
    """No restriction: all categories stand in one place."""
    return MergeScope(
        place=np.ones(n_categories, dtype=np.int64),
        leaves=np.array([-1, n_categories]),
        parent=np.array([NOWHERE, NOWHERE]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """When a search ends: at a value, or after a number of merges; ``faithful`` merges before it tests."""

    threshold: float = np.inf
    most: int | None = None
    faithful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchSetup:
    """The items of a group, and how its categories are merged; held-out values and shuffles repeat it.

    ``start`` is the class of each category before the first merge.
    """

    units: MergingItems
    coefficient: CoefficientRow
    start: Integers
    scope: MergeScope
    stop: Stop
    seed: int

    def run(self, tables: Tables) -> "Paths":
        """Search in these tables."""
        return search(tables, self.start, self.scope, self.stop)


@dataclass(slots=True, kw_only=True)
class Paths:
    """What was merged in each study, and the value after each merge; ``n_classes`` and ``value`` at the end."""

    first: list[list[int]]
    second: list[list[int]]
    values: list[list[float]]
    n_classes: Integers
    value: Reals


@dataclass(slots=True, kw_only=True, eq=False)
class _State:
    """Studies still searched: matrices, and for each class its first category, size and place."""

    study: Integers
    pairs: Reals
    chance: Reals
    total: Reals
    mass: Reals
    first: Integers
    size: Integers
    place: Integers
    rounds: int = field(default=0)

    def take(self, keep: Booleans) -> None:
        for name in ("study", "pairs", "chance", "total", "mass", "first", "size", "place"):
            setattr(self, name, getattr(self, name)[keep])


def search(tables: Tables, start: Integers, scope: MergeScope, stop: Stop) -> Paths:
    """Merge in every study until it has the value, or nothing may be merged any more.

    ``start`` gives the class of each category before the first merge; ``scope`` refers to those classes.
    """
    coarse = tables.merged(start)
    state = _initial(coarse, start, scope)
    n_studies = len(state.study)
    paths = Paths(
        first=[[] for _ in range(n_studies)],
        second=[[] for _ in range(n_studies)],
        values=[[] for _ in range(n_studies)],
        n_classes=np.full(n_studies, state.pairs.shape[-1]),
        value=coarse.value(),
    )
    while len(state.study):
        allowed = _allowed(state)
        ended = (paths.value[state.study] >= stop.threshold - ROUNDING) if state.rounds or not stop.faithful else False
        going = allowed.any(axis=(1, 2)) & ~np.asarray(ended)
        if (stop.most is not None and state.rounds >= stop.most) or not going.any():
            break
        state.take(going)
        _merge_best(state, allowed[going], tables, scope, paths)
    return paths


def _initial(coarse: Tables, start: Integers, scope: MergeScope) -> _State:
    n_studies, n_classes = coarse.pairs.shape[:2]
    first = np.array([int(np.argmax(start == k)) for k in range(n_classes)], dtype=np.int64)
    size = np.bincount(start, minlength=n_classes)
    place = scope.move_up(scope.place[first], size)
    return _State(
        study=np.arange(n_studies),
        pairs=coarse.pairs,
        chance=coarse.chance,
        total=coarse.total,
        mass=coarse.mass,
        first=np.tile(first, (n_studies, 1)),
        size=np.tile(size, (n_studies, 1)),
        place=np.tile(place, (n_studies, 1)),
    )


def _allowed(state: _State) -> Booleans:
    """Pairs of classes i < j in the same place."""
    n_classes = state.place.shape[1]
    same = (state.place[:, :, None] == state.place[:, None, :]) & (state.place != NOWHERE)[:, :, None]
    ordered: Booleans = same & np.triu(np.ones((n_classes, n_classes), dtype=bool), k=1)
    return ordered


def _merge_best(state: _State, allowed: Booleans, tables: Tables, scope: MergeScope, paths: Paths) -> None:
    n_studies, n_classes = state.pairs.shape[:2]
    disagreement = state.total - np.trace(state.pairs, axis1=1, axis2=2)
    own = np.trace(state.chance, axis1=1, axis2=2)
    after = disagreement[:, None, None] - 2 * state.pairs
    own_after = own[:, None, None] + state.chance + state.chance.transpose(0, 2, 1)
    now = replace(tables, pairs=state.pairs, total=state.total, chance=state.chance, mass=state.mass)
    each = replace(now, total=state.total[:, None, None], mass=state.mass[:, None, None])
    chosen = _best(after, chance_disagreement(each, own_after, n_classes - 1), allowed, exact=tables.exact)
    i, j = np.divmod(chosen, n_classes)
    rows = np.arange(n_studies)
    value = coefficient_value(now, after[rows, i, j], own_after[rows, i, j], n_classes - 1)
    _record(paths, state, i, j, value)
    _join(state, i, j, scope)


def _best(after: Reals, predicted: Reals, allowed: Booleans, *, exact: bool) -> Integers:
    """The first of the best merges: the least share of the disagreement that chance predicts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(predicted > 0, after / predicted, 0.0)
    share = np.where(allowed, share, np.inf).reshape(len(share), -1)
    least = share.min(axis=1, keepdims=True)
    slack = 4 * np.finfo(np.float64).eps if exact and len(share) == 1 else 0.0 if exact else ROUNDING
    near = share <= least + slack * np.abs(least)
    if exact and len(share) == 1 and near.sum() > 1:
        return np.array([_exactly_best(np.flatnonzero(near[0]), after.ravel(), predicted.ravel())])
    first: Integers = near.argmax(axis=1)
    return first


def _exactly_best(candidates: Integers, after: Reals, predicted: Reals) -> int:
    """Decide between merges that floating point cannot tell apart, in whole numbers."""
    best = int(candidates[0])
    for other in map(int, candidates[1:]):
        if int(after[other]) * int(predicted[best]) < int(after[best]) * int(predicted[other]):
            best = other
    return best


def _record(paths: Paths, state: _State, i: Integers, j: Integers, value: Reals) -> None:
    rows = np.arange(len(i))
    for study, first, second, reached in zip(
        state.study, state.first[rows, i], state.first[rows, j], value, strict=True
    ):
        paths.first[study].append(int(first))
        paths.second[study].append(int(second))
        paths.values[study].append(float(reached))
    paths.value[state.study] = value
    paths.n_classes[state.study] -= 1


def _join(state: _State, i: Integers, j: Integers, scope: MergeScope) -> None:
    """Let class j become part of class i; the order of the others stays."""
    rows = np.arange(len(i))
    for matrix in (state.pairs, state.chance):
        matrix[rows, i, :] += matrix[rows, j, :]
        matrix[rows, :, i] += matrix[rows, :, j]
    state.size[rows, i] += state.size[rows, j]
    state.place[rows, i] = scope.move_up(state.place[rows, i], state.size[rows, i])
    n_left = state.pairs.shape[1] - 1
    kept = np.arange(n_left)[None, :] + (np.arange(n_left)[None, :] >= j[:, None])
    for name in ("pairs", "chance"):
        matrix = getattr(state, name)
        setattr(state, name, matrix[rows[:, None, None], kept[:, :, None], kept[:, None, :]])
    for name in ("first", "size", "place"):
        setattr(state, name, getattr(state, name)[rows[:, None], kept])
    state.rounds += 1


def classes_after(start: Integers, first: list[int], second: list[int]) -> Integers:
    """The class of each category after these merges, classes numbered by their first category."""
    classes = start.copy()
    for a, b in zip(first, second, strict=True):
        classes[classes == classes[b]] = classes[a]
    return renumber(classes)


def renumber(classes: Integers) -> Integers:
    """Classes numbered from 0 in the order of their first category.

    >>> renumber(np.array([5, 2, 5, 9])).tolist()
    [0, 1, 0, 2]
    """
    _, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].astype(np.int64)
