"""The best alignment of the units of several coders (Mathet, Widlöcher & Métivier 2015), found exactly.

A unitary alignment holds at most one unit of each coder; its disorder is the mean dissimilarity of its pairs, where a
pair with an empty unit counts 1. The best alignment puts every unit into exactly one unitary alignment at the least
total disorder. Two coders are a bipartite matching. For more, groups of units enter a linear program as their prices
ask for them, until none could improve it; where its solution is not whole, an integer program over every group that
could still matter decides. Many documents (tasks) are aligned at once, since no group crosses their borders.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from concurrence.core.errors import UndefinedError
from concurrence.unitizing._alignment_loops import groups, neighbours
from concurrence.unitizing.study import Array, Whole

UNITS_AT_ONCE = 800
MOST_STEPS = 200_000_000
FIRST_PRICES = (1.0, 0.5, 0.3)
STEPS_PER_UNIT = 300
FIRST_GAP = 0.1
CLOSE = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissimilarity:
    """Weights of position and category; an empty unit costs ``empty``, and both others are in its units."""

    alpha: float = 1.0
    beta: float = 1.0
    empty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Units:
    """Units of tasks (documents, or draws of documents); ``n_coders`` is by task."""

    task: Whole
    coder: Whole
    start: Array
    end: Array
    label: Whole
    n_coders: Whole

    def only(self, rows: NDArray[np.bool_] | Whole) -> "Units":
        """Some of the units; tasks keep their numbers."""
        columns = {name: getattr(self, name)[rows] for name in ("task", "coder", "start", "end", "label")}
        return replace(self, **columns)

    def __len__(self) -> int:
        return len(self.task)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """Unitary alignments of at least two units: ``members`` in groups that begin at ``bounds``."""

    members: Whole
    bounds: Whole

    def pairs(self) -> tuple[Whole, Whole, Whole]:
        """Every two units of a group, and the size of their group."""
        sizes = np.diff(self.bounds)
        first, second, size = [], [], []
        for count in np.unique(sizes):
            rows = self.bounds[:-1][sizes == count][:, None] + np.arange(count)
            i, j = np.triu_indices(int(count), 1)
            first.append(self.members[rows[:, i]].ravel())
            second.append(self.members[rows[:, j]].ravel())
            size.append(np.full(first[-1].size, count))
        empty = np.zeros(0, dtype=np.int64)
        return tuple(np.concatenate([empty, *parts]) for parts in (first, second, size))  # type: ignore[return-value]


def align(units: Units, how: Dissimilarity) -> Alignment:
    """The best alignment of every task."""
    found = [_matched(units, how, np.flatnonzero(units.n_coders[units.task] == 2))]
    many = np.flatnonzero(units.n_coders[units.task] > 2)
    found += [_grouped(units, how, rows) for rows in _batches(units, many)]
    members = np.concatenate([one.members for one in found])
    sizes = np.concatenate([np.diff(one.bounds) for one in found])
    return Alignment(members=members, bounds=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def _batches(units: Units, rows: Whole) -> list[Whole]:
    """Rows of whole tasks, so many units at once."""
    if not len(rows):
        return []
    rows = rows[np.argsort(units.task[rows], kind="stable")]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(units.task[rows])) + 1, [len(rows)]])
    cuts, last = [0], 0
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        if begin > last and end - last > UNITS_AT_ONCE:
            cuts.append(begin)
            last = begin
    return np.split(rows, cuts[1:])


def _near(units: Units, how: Dissimilarity) -> tuple[Whole, Whole, Array]:
    """Pairs that a best alignment may hold: a unit leaves its group where its pairs cost more than standing alone."""
    n = units.n_coders.astype(float)
    near = n * (n - 1) / 2 + n - 1
    order = np.lexsort((units.start, units.task))
    longest = np.zeros(len(n))
    np.maximum.at(longest, units.task, units.end - units.start)
    found: tuple[Whole, Whole, Array] = neighbours(
        order, units.task, units.coder, units.start, units.end, units.label, longest, near, how.alpha, how.beta
    )
    return found


def _matched(units: Units, how: Dissimilarity, rows: Whole) -> Alignment:
    """Two coders each: the cheapest matching, where a unit may also be matched with nothing."""
    some = units.only(rows)
    first, second, apart = _near(some, how) if len(rows) else (rows, rows, np.zeros(0))
    if not len(first):
        return Alignment(members=np.zeros(0, dtype=np.int64), bounds=np.zeros(1, dtype=np.int64))
    left, a = np.unique(first, return_inverse=True)
    right, b = np.unique(second, return_inverse=True)
    n, m = len(left), len(right)
    # every unit has a double to be matched with; doubles are matched for free. All costs are raised by 1: 0 is no edge
    i = np.concatenate([a, np.arange(n), n + np.arange(m), n + b])
    j = np.concatenate([b, m + np.arange(n), np.arange(m), m + a])
    cost = np.concatenate([apart + 1, np.full(n + m, 2.0), np.ones(len(a))])
    one, other = min_weight_full_bipartite_matching(csr_array((cost, (i, j)), shape=(n + m, n + m)))
    real = (one < n) & (other < m)
    members = np.stack([left[one[real]], right[other[real]]], axis=1).ravel()
    return Alignment(members=rows[members], bounds=np.arange(0, len(members) + 1, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Columns:
    """Groups of units with their disorder, in units of an empty one."""

    members: Whole
    bounds: Whole
    cost: Array

    def and_(self, more: "_Columns") -> "_Columns":
        """These and others."""
        bounds = np.concatenate([self.bounds, self.bounds[-1] + more.bounds[1:]])
        members = np.concatenate([self.members, more.members])
        return _Columns(members=members, bounds=bounds, cost=np.concatenate([self.cost, more.cost]))

    def matrix(self, n_units: int) -> csc_array:
        """Which units (rows) are in which groups (columns)."""
        return csc_array((np.ones(len(self.members)), self.members, self.bounds), shape=(n_units, len(self.cost)))

    def __getitem__(self, kept: NDArray[np.bool_]) -> Alignment:
        sizes = np.diff(self.bounds)
        members = self.members[np.repeat(kept, sizes)]
        return Alignment(members=members, bounds=np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64))


class _Market:
    """The groups of a batch of tasks, and the prices at which each is worth taking."""

    def __init__(self, units: Units, how: Dissimilarity) -> None:
        self.units, self.how = units, how
        first, second, _ = _near(units, how)
        order = np.lexsort((units.start[second], units.coder[second], first))
        self.anchors, self.begins = np.unique(first[order], return_index=True)
        self.begins = np.append(self.begins, len(order))
        self.partner = second[order]
        n = units.n_coders[units.task].astype(float)
        self.pairs = n * (n - 1) / 2

    def worth(self, price: Array, limit: float, most: int = MOST_STEPS) -> _Columns | None:
        """The groups whose disorder exceeds the price of their units by at most ``limit``, if it takes few steps."""
        u = self.units
        shape = (self.anchors, self.begins, self.partner, u.coder, u.start, u.end, u.label, self.pairs)
        members, bounds, cost, broke = groups(*shape, price, limit, most, self.how.alpha, self.how.beta)
        if broke and most == MOST_STEPS:
            raise UndefinedError("The spans overlap in too many ways for the best alignment to be found.")
        return None if broke else _Columns(members=members, bounds=bounds, cost=cost)

    def start(self) -> _Columns:
        """Units alone, and groups that look good before the first prices are known: all of them, if they are few."""
        n = len(self.units)
        alone = _Columns(members=np.arange(n), bounds=np.arange(n + 1), cost=np.ones(n))
        tried = (self.worth(np.full(n, first), 0.0, STEPS_PER_UNIT * n) for first in FIRST_PRICES)
        few = next((found for found in tried if found is not None), None)
        return alone if few is None else alone.and_(few)


def _grouped(units: Units, how: Dissimilarity, rows: Whole) -> Alignment:
    """More than two coders: prices and groups in turn until no group is worth more than its units."""
    some = units.only(rows)
    market, n = _Market(some, how), len(some)
    columns = market.start()
    while True:
        solved = linprog(columns.cost, A_eq=columns.matrix(n), b_eq=np.ones(n), bounds=(0, None), method="highs")
        more = market.worth(solved.eqlin.marginals, -CLOSE)
        if more is None or not len(more.cost):
            break
        columns = columns.and_(more)
    share = solved.x
    if (np.abs(share - np.round(share)) > CLOSE).any():
        columns, share = _whole(market, columns, share, solved.eqlin.marginals)
    taken = columns[(share > 0.5) & (np.diff(columns.bounds) > 1)]
    return Alignment(members=rows[taken.members], bounds=taken.bounds)


def _whole(market: _Market, columns: _Columns, share: Array, price: Array) -> tuple[_Columns, Array]:
    """Whole groups by integer programming, where the linear program took parts of them.

    A better alignment of a task can only hold groups that exceed their prices by no more than the alignment at hand
    does. Among these, only units that such groups link to a part are open.
    """
    units, n, gap = market.units, len(market.units), FIRST_GAP
    while True:
        more = market.worth(price, gap)
        columns = columns if more is None else columns.and_(more)
        share = np.concatenate([share, np.zeros(len(columns.cost) - len(share))])
        matrix = columns.matrix(n)
        near = columns.cost - matrix.T @ price <= gap + CLOSE
        open_ = _linked(matrix, near, np.abs(share - np.round(share)) > CLOSE)
        rows = np.unique(columns.members[np.repeat(open_, np.diff(columns.bounds))])
        open_[rows] = True  # units alone are the first columns; with them there is always an alignment
        part = matrix[rows][:, np.flatnonzero(open_)]
        solved = milp(
            columns.cost[open_],
            constraints=LinearConstraint(part, 1, 1),
            integrality=1,
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0},
        )
        decided = share.copy()
        decided[open_] = solved.x
        paid = np.bincount(units.task[columns.members[columns.bounds[:-1]]], weights=decided * columns.cost)
        beyond = float((paid - np.bincount(units.task, weights=price, minlength=len(paid))).max())
        if beyond <= gap + CLOSE:
            return columns, decided
        gap = beyond


def _linked(matrix: csc_array, near: NDArray[np.bool_], split: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The near groups that are linked by shared units to a group of which a part was taken."""
    some = matrix[:, np.flatnonzero(near)]
    _, piece = connected_components(some @ some.T, directed=False)
    unit_of_group = matrix.indices[matrix.indptr[:-1]]
    return near & np.isin(piece[unit_of_group], piece[unit_of_group[split]])
