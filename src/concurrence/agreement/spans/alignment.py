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

from concurrence.agreement.spans._alignment_loops import groups, neighbours
from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import UndefinedError

FEW_STEPS = 1000
MOST_STEPS = 100_000
MOST_COLUMNS = 30_000
MOST_NODES = 10_000
FIRST_GAP = 0.1
TOO_MANY = (
    "Gamma was not computed: so many coders marked overlapping spans that the best alignment could not be found. "
    "Compare fewer coders at a time."
)
CLOSE = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissimilarity:
    """Weights of position and category; an empty unit costs ``empty``, and both others are in its units."""

    alpha: float = 1.0
    beta: float = 1.0
    empty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlignmentUnits:
    """Units of tasks (documents, or draws of documents); ``n_coders`` is by task."""

    task: Integers
    coder: Integers
    start: Reals
    end: Reals
    label: Integers
    n_coders: Integers

    def only(self, rows: NDArray[np.bool_] | Integers) -> "AlignmentUnits":
        """Some of the units; tasks keep their numbers."""
        columns = {name: getattr(self, name)[rows] for name in ("task", "coder", "start", "end", "label")}
        return replace(self, **columns)

    def __len__(self) -> int:
        return len(self.task)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """Unitary alignments of at least two units: ``members`` in groups that begin at ``bounds``."""

    members: Integers
    bounds: Integers

    def pairs(self) -> tuple[Integers, Integers, Integers]:
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


def align(units: AlignmentUnits, how: Dissimilarity) -> Alignment:
    """The best alignment of every task."""
    parts = [_align_two(units, how, np.flatnonzero(units.n_coders[units.task] == 2))]
    n_coders = units.n_coders[units.task]
    parts += [
        _align_many(units, how, rows) for rows in _batches(units, np.flatnonzero((n_coders > 2) & (n_coders < 5)), 800)
    ]
    parts += [_align_many(units, how, rows) for rows in _batches(units, np.flatnonzero(n_coders > 4), 1)]
    members = np.concatenate([one.members for one in parts])
    sizes = np.concatenate([np.diff(one.bounds) for one in parts])
    return Alignment(members=members, bounds=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def _batches(units: AlignmentUnits, rows: Integers, most: int) -> list[Integers]:
    """Batches of whole tasks with at most ``most`` units each, or a single task."""
    if not len(rows):
        return []
    rows = rows[np.argsort(units.task[rows], kind="stable")]
    begins = np.concatenate([[0], np.flatnonzero(np.diff(units.task[rows])) + 1, [len(rows)]])
    cuts, last = [0], 0
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        if begin > last and end - last > most:
            cuts.append(begin)
            last = begin
    return np.split(rows, cuts[1:])


def _near(units: AlignmentUnits, how: Dissimilarity) -> tuple[Integers, Integers, Reals]:
    """Pairs that a best alignment may hold: a unit leaves its group where its pairs cost more than standing alone."""
    n = units.n_coders.astype(float)
    near = n * (n - 1) / 2 + n - 1
    order = np.lexsort((units.start, units.task))
    longest = np.zeros(len(n))
    np.maximum.at(longest, units.task, units.end - units.start)
    pairs: tuple[Integers, Integers, Reals] = neighbours(
        order, units.task, units.coder, units.start, units.end, units.label, longest, near, how.alpha, how.beta
    )
    return pairs


def _align_two(units: AlignmentUnits, how: Dissimilarity, rows: Integers) -> Alignment:
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

    members: Integers
    bounds: Integers
    cost: Reals

    def with_more(self, more: "_Columns") -> "_Columns":
        """The groups of both."""
        bounds = np.concatenate([self.bounds, self.bounds[-1] + more.bounds[1:]])
        members = np.concatenate([self.members, more.members])
        return _Columns(members=members, bounds=bounds, cost=np.concatenate([self.cost, more.cost]))

    def matrix(self, n_units: int) -> csc_array:
        """Which units (rows) are in which groups (columns)."""
        return csc_array((np.ones(len(self.members)), self.members, self.bounds), shape=(n_units, len(self.cost)))

    def excess(self, price: Reals) -> Reals:
        """By how much the disorder of each group exceeds the prices of its units."""
        whole = np.concatenate([[0.0], np.cumsum(price[self.members])])
        return np.asarray(self.cost - (whole[self.bounds[1:]] - whole[self.bounds[:-1]]))

    def __getitem__(self, kept: NDArray[np.bool_]) -> Alignment:
        sizes = np.diff(self.bounds)
        members = self.members[np.repeat(kept, sizes)]
        return Alignment(members=members, bounds=np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64))


class _GroupPricing:
    """The groups of a batch of tasks, and the prices at which each is worth taking."""

    def __init__(self, units: AlignmentUnits, how: Dissimilarity) -> None:
        self.units, self.how = units, how
        first, second, apart = _near(units, how)
        order = np.lexsort((apart, units.coder[second], first))
        self.anchors, self.begins = np.unique(first[order], return_index=True)
        self.begins = np.append(self.begins, len(order))
        self.partner = second[order]
        n = units.n_coders[units.task].astype(float)
        self.pairs = n * (n - 1) / 2

    def worth(self, price: Reals, limit: float, most: int = MOST_STEPS) -> tuple[_Columns, bool]:
        """Groups whose disorder exceeds the price of their units by at most ``limit``, and whether these are all."""
        u = self.units
        shape = (self.anchors, self.begins, self.partner, u.coder, u.start, u.end, u.label, self.pairs)
        members, bounds, cost, complete = groups(*shape, price, limit, most, self.how.alpha, self.how.beta)
        return _Columns(members=members, bounds=bounds, cost=cost), complete

    def all_worth(self, price: Reals, limit: float) -> _Columns:
        """All such groups; an error where there are too many to look at."""
        columns, complete = self.worth(price, limit)
        if not complete:
            raise UndefinedError(TOO_MANY)
        return columns

    def improving(self, price: Reals) -> _Columns:
        """Groups that are worth more than their units: some, if they are soon found, and none only if there is none."""
        some, complete = self.worth(price, -CLOSE, FEW_STEPS)
        return some if len(some.cost) or complete else self.all_worth(price, -CLOSE)

    def start(self) -> _Columns:
        """Units alone, and groups that cost less than their units alone: all of them, if they are few."""
        n = len(self.units)
        alone = _Columns(members=np.arange(n), bounds=np.arange(n + 1), cost=np.ones(n))
        return alone.with_more(self.worth(np.ones(n), 0.0, FEW_STEPS)[0])


def _align_many(units: AlignmentUnits, how: Dissimilarity, rows: Integers) -> Alignment:
    """More than two coders: prices and groups in turn until no group is worth more than its units."""
    some = units.only(rows)
    pricing, n = _GroupPricing(some, how), len(some)
    columns = pricing.start()
    while len(columns.cost) <= MOST_COLUMNS:
        solved = linprog(columns.cost, A_eq=columns.matrix(n), b_eq=np.ones(n), bounds=(0, None), method="highs")
        price = solved.eqlin.marginals
        more = pricing.improving(price)
        if not len(more.cost):
            break
        columns = columns.with_more(more)
    else:
        raise UndefinedError(TOO_MANY)
    share = solved.x
    if (np.abs(share - np.round(share)) > CLOSE).any():
        columns, share = _whole_groups(pricing, columns, share, price)
    taken = columns[(share > 0.5) & (np.diff(columns.bounds) > 1)]
    return Alignment(members=rows[taken.members], bounds=taken.bounds)


def _whole_groups(pricing: _GroupPricing, columns: _Columns, share: Reals, price: Reals) -> tuple[_Columns, Reals]:
    """Whole groups by integer programming, where the linear program took parts of them.

    A better alignment of a task can only hold groups that exceed their prices by no more than the alignment at hand
    does. Among these, only units that such groups link to a part are open.
    """
    units, n, gap = pricing.units, len(pricing.units), FIRST_GAP
    while True:
        columns = columns.with_more(pricing.all_worth(price, gap))
        share = np.concatenate([share, np.zeros(len(columns.cost) - len(share))])
        matrix = columns.matrix(n)
        near = columns.excess(price) <= gap + CLOSE
        open_ = _linked(matrix, near, np.abs(share - np.round(share)) > CLOSE)
        rows = np.unique(columns.members[np.repeat(open_, np.diff(columns.bounds))])
        open_[rows] = True  # units alone are the first columns; with them there is always an alignment
        part = matrix[rows][:, np.flatnonzero(open_)]
        solved = milp(
            columns.cost[open_],
            constraints=LinearConstraint(part, 1, 1),
            integrality=1,
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0, "node_limit": MOST_NODES},
        )
        if not solved.success:
            raise UndefinedError(TOO_MANY)
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
