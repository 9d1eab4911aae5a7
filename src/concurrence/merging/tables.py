"""Agreement and chance as two matrices that add up under merging.

A coefficient is ``1 - (D / T) / (C / S)``: the disagreement D of T weighted pairs of labels, and the
disagreement C of S that chance predicts. Both are what is left of a matrix beside its diagonal, and merging two
categories moves their cell onto it. So the coefficient after a merge costs one addition for each matrix.

All entries are whole numbers (weights such as 1 / (m - 1) are brought to a common denominator) as long as they
stay below 2**53, so that ties are decided exactly.
"""

from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import UnknownNameError
from concurrence.kernels.chance import ratio
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.merging.units import MergingItems

LARGEST_EXACT = 2.0**53


def coefficient_named(name: str) -> CoefficientRow:
    """A coefficient whose disagreement and chance add up under merging."""
    rows = {synonym: row for row in COEFFICIENTS.values() if _adds_up(row) for synonym in (row.name, *row.synonyms)}
    if name not in rows:
        raise UnknownNameError("coefficient for merging", name, rows)
    return rows[name]


def _adds_up(row: CoefficientRow) -> bool:
    between_two = row.pairs == "both" or row.chance.habits == "pooled"
    return between_two and not row.weighted and row.corrects_for_chance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tables:
    """Batches of a symmetric matrix of agreement and one of chance, their totals, and how chance is read.

    ``unused`` is how many categories exist beside the classes; ``exact`` tells whether all entries are whole
    numbers.
    """

    pairs: Reals
    total: Reals
    chance: Reals
    mass: Reals
    rule: str
    unused: int
    exact: bool

    def merged(self, classes: Integers) -> "Tables":
        """The same with categories replaced by classes."""
        pairs, chance = (_block_sums(matrix, classes) for matrix in (self.pairs, self.chance))
        return replace(self, pairs=pairs, chance=chance)

    def value(self) -> Reals:
        """The coefficient of each batch, NaN where there is one class or nothing to disagree on."""
        disagreement = self.total - np.trace(self.pairs, axis1=-2, axis2=-1)
        own = np.trace(self.chance, axis1=-2, axis2=-1)
        return coefficient_value(self, disagreement, own, self.pairs.shape[-1])


def _block_sums(matrix: Reals, classes: Integers) -> Reals:
    """Rows and columns of the same class added up."""
    if not len(classes):
        return matrix
    order = np.argsort(classes, kind="stable")
    begins = np.searchsorted(classes[order], np.arange(int(classes.max()) + 1))
    rows = np.add.reduceat(matrix[..., order, :], begins, axis=-2)
    sums: Reals = np.add.reduceat(rows[..., order], begins, axis=-1)
    return sums


def chance_disagreement(tables: Tables, own: Reals, n_classes: int) -> Reals:
    """The disagreement that chance predicts where chance agreement sums to ``own``; comparable at one size."""
    if tables.rule == "uniform":
        return np.ones_like(own)
    if tables.rule == "gwet":
        return tables.mass * (n_classes + tables.unused - 2) + own
    return tables.mass - own


def predicted_share(tables: Tables, own: Reals, n_classes: int) -> Reals:
    """The share of pairs of labels that chance lets disagree, with so many classes; 0 with one."""
    n_categories = n_classes + tables.unused
    if n_classes < 2:
        return np.zeros_like(own)
    predicted = chance_disagreement(tables, own, n_classes)
    if tables.rule == "uniform":
        return predicted * ((n_categories - 1) / n_categories)
    mass = tables.mass * (n_categories - 1 if tables.rule == "gwet" else 1)
    return ratio(predicted, mass, empty=0.0)


def coefficient_value(tables: Tables, disagreement: Reals, own: Reals, n_classes: int) -> Reals:
    """The coefficient from the disagreement and the diagonal of chance, NaN where chance leaves nothing open."""
    predicted = predicted_share(tables, own, n_classes)
    return 1 - ratio(disagreement, predicted * tables.total)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTally:
    """What adds up over items, for each part of them: weighted pairs, their total, and habits.

    ``habits`` are parts x sides x categories; there are two sides if each coder's habits count separately.
    """

    pairs: Reals
    total: Reals
    habits: Reals
    rule: str
    unused: int
    whole_numbers: bool

    def tables(self) -> Tables:
        """The matrices of each part."""
        chance, mass = _chance(self.habits, self.rule)
        small = bool((self.total < LARGEST_EXACT).all() and (mass < LARGEST_EXACT).all())
        return Tables(
            pairs=self.pairs, total=self.total, chance=chance, mass=mass,
            rule=self.rule, unused=self.unused, exact=self.whole_numbers and small,
        )  # fmt: skip

    def others(self) -> "PairTally":
        """For each part, all the other parts together."""
        return PairTally(
            pairs=self.pairs.sum(axis=0) - self.pairs,
            total=self.total.sum(axis=0) - self.total,
            habits=self.habits.sum(axis=0) - self.habits,
            rule=self.rule, unused=self.unused, whole_numbers=self.whole_numbers,
        )  # fmt: skip


def tables_of(units: MergingItems, coefficient: CoefficientRow) -> Tables:
    return tally_of(units, coefficient).tables()


def tally_of(units: MergingItems, coefficient: CoefficientRow, parts: Integers | None = None) -> PairTally:
    """Count the pairs of labels and the habits of the whole, or of each part of the items."""
    part = np.zeros(len(units.sizes), dtype=np.int64) if parts is None else parts
    n_parts = int(part.max(initial=0)) + 1
    pair_weight, whole_pairs = pair_weights(units.sizes, coefficient)
    habit_weight, whole_habits = _whole_weights(
        units.sizes if coefficient.pairs == "item" else np.ones_like(units.sizes)
    )
    if coefficient.pairs == "both":
        sums, habits = _confusions(units, part, n_parts), _habits_of_two(units, part, n_parts)
        habits = habits if coefficient.chance.habits == "coders" else habits.sum(axis=1, keepdims=True)
    else:
        counts = [(units.counts(part == p), part == p) for p in range(n_parts)]
        sums = np.stack([_pair_sums(table, pair_weight[rows]) for table, rows in counts])
        habits = np.stack([habit_weight[rows][None, :] @ table for table, rows in counts])
    return PairTally(
        pairs=sums,
        total=np.bincount(part, pair_weight * units.sizes * (units.sizes - 1), n_parts).astype(np.float64),
        habits=habits,
        rule=coefficient.chance.name,
        unused=units.n_categories - len(units.categories) if coefficient.counts_categories else 0,
        whole_numbers=whole_pairs and whole_habits,
    )


def pair_weights(sizes: Integers, coefficient: CoefficientRow) -> tuple[Reals, bool]:
    """How much a pair of labels counts, by the size of its item, and whether that is a whole number."""
    divisors = {
        "both": np.ones_like(sizes),
        "coincidence": sizes - 1,
        "item": sizes * (sizes - 1),
    }[coefficient.pairs]
    return _whole_weights(np.where(sizes >= 2, divisors, 0))


def _whole_weights(divisors: Integers) -> tuple[Reals, bool]:
    """``1 / divisor`` times a common denominator where that stays small, 0 where the divisor is 0."""
    common = lcm(*(int(d) for d in np.unique(divisors) if d))
    exact = common * max(len(divisors), 1) < LARGEST_EXACT
    weights = np.divide(float(common) if exact else 1.0, divisors, out=np.zeros(len(divisors)), where=divisors > 0)
    return weights, exact


def _confusions(units: MergingItems, part: Integers, n_parts: int) -> Reals:
    """The table of two coders and its mirror image, for each part."""
    width = len(units.categories)
    first, second = units.labels[0::2], units.labels[1::2]
    cells = np.bincount((part * width + first) * width + second, minlength=n_parts * width * width)
    tables = cells.reshape(n_parts, width, width).astype(np.float64)
    return tables + tables.transpose(0, 2, 1)


def _pair_sums(counts: Reals, weights: Reals) -> Reals:
    weighted = counts * weights[:, None]
    sums: Reals = counts.T @ weighted
    sums[np.diag_indices_from(sums)] -= weighted.sum(axis=0)
    return sums


def _habits_of_two(units: MergingItems, part: Integers, n_parts: int) -> Reals:
    """Parts x coders x categories: how often each used each."""
    width = len(units.categories)
    side = (part[units.item] * 2 + np.arange(len(units.labels)) % 2) * width + units.labels
    return np.bincount(side, minlength=n_parts * 2 * width).reshape(n_parts, 2, width).astype(np.float64)


def _chance(habits: Reals, rule: str) -> tuple[Reals, Reals]:
    """The matrix of chance agreement and its total, from the habits of each part."""
    left, right = habits[:, 0, :], habits[:, -1, :]
    chance = left[:, :, None] * right[:, None, :]
    mass = left.sum(axis=1) * right.sum(axis=1)
    if rule == "drawn":
        diagonal = np.arange(chance.shape[-1])
        chance[:, diagonal, diagonal] -= left
        mass = mass - left.sum(axis=1)
    return chance, mass
