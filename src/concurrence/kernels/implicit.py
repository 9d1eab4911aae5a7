"""Symmetric tables of categories x categories that are never written out.

A million different numbers would need a table of a million times a million cells. What the coefficients need of it
are entries, and products with rows of shares: sums over the categories that moments or running sums give, or one
block of the table after the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from concurrence.core.arrays import Numbers, Reals

_BLOCK_CELLS = 1 << 22


@dataclass(frozen=True, kw_only=True, eq=False)
class ImplicitTable:
    """What a matrix answers to ``table[one, two]``, ``rows @ table``, ``table.sum()``, ``1 - table`` and ``table**2``.

    ``entries(one, two)`` are the cells at these places; ``times(rows, power)`` is the product of rows (..., size) with
    the table, each of its cells to the power.
    """

    size: int
    entries: Callable[[Numbers, Numbers], Reals]
    times: Callable[[Reals, int], Reals]
    power: int = 1

    __array_ufunc__ = None  # numpy leaves ``rows @ table`` to the table

    @property
    def T(self) -> "ImplicitTable":  # noqa: N802
        """Itself, since it is symmetric."""
        return self

    def __getitem__(self, places: tuple[Numbers, Numbers]) -> Reals:
        """The cells at these rows and columns."""
        return self.entries(*places) ** self.power

    def __rmatmul__(self, rows: Reals) -> Reals:
        return self.times(np.asarray(rows, dtype=np.float64), self.power)

    def __rsub__(self, one: float) -> "ImplicitTable":
        """``1 - table``: distances from weights, and weights from distances."""

        def times(rows: Reals, power: int) -> Reals:
            whole = one**power * rows.sum(axis=-1, keepdims=True)
            return np.asarray(
                whole + sum(comb(power, k) * (-1) ** k * self.times(rows, k) for k in range(1, power + 1))
            )

        return replace(self, entries=lambda first, second: one - self.entries(first, second), times=times)

    def __pow__(self, power: int) -> "ImplicitTable":
        return replace(self, power=self.power * power)

    def sum(self) -> float:
        """The sum of all cells."""
        return float((np.ones(self.size) @ self).sum())


Table = Reals | ImplicitTable
"""A square table of categories, written out or not."""


def polynomial_table(values: Reals, coefficients: Sequence[float]) -> ImplicitTable:
    """Cells ``Σ_j c_j d^j``, where d is the distance of two values as a share of their range.

    >>> table = polynomial_table(np.array([0.0, 1.0, 4.0]), (1, -1))
    >>> table[np.array([0]), np.array([1])].tolist(), (np.eye(3)[1] @ table).tolist()
    ([0.75], [0.75, 1.0, 0.25])
    """
    span = float(np.ptp(values)) if len(values) else 0.0
    scaled = (values - values.mean()) / span if span > 0 else np.zeros(len(values))
    order = np.argsort(scaled, kind="stable")
    polynomial = np.polynomial.Polynomial(coefficients)

    def times(rows: Reals, power: int) -> Reals:
        product = np.empty(rows.shape)
        product[..., order] = _polynomial_product(
            scaled[order], rows[..., order], np.asarray((polynomial**power).coef, dtype=np.float64)
        )
        return product

    return ImplicitTable(
        size=len(values),
        entries=lambda one, two: np.asarray(polynomial(np.abs(scaled[one] - scaled[two]))),
        times=times,
    )


def circular_table(values: Reals, period: float) -> ImplicitTable:
    """Krippendorff's circular metric, sin²(π (x - y) / period), around the middle of the values, where it is exact."""
    angles = np.pi * values / period
    angles = angles - np.angle(np.exp(2j * angles).mean()) / 2 if len(angles) else angles
    sine, cosine = np.sin(angles), np.cos(angles)
    return ImplicitTable(
        size=len(values),
        entries=lambda one, two: np.sin(angles[one] - angles[two]) ** 2,
        times=lambda rows, power: _even_power(sine, cosine, rows, 2 * power),
    )


def block_table(
    size: int, entries: Callable[[Numbers, Numbers], Reals], columns: Callable[[slice], Reals]
) -> ImplicitTable:
    """A table with no shorter way to its products than through all of its cells: some ``columns`` at a time."""

    def times(rows: Reals, power: int) -> Reals:
        product, step = np.empty(rows.shape), max(1, _BLOCK_CELLS // max(size, 1))
        for start in range(0, size, step):
            some = slice(start, min(start + step, size))
            product[..., some] = rows @ columns(some) ** power
        return product

    return ImplicitTable(size=size, entries=entries, times=times)


def _polynomial_product(values: Reals, rows: Reals, coefficients: Reals) -> Reals:
    """``Σ_l rows_l Σ_j c_j |v_k - v_l|^j`` for every k; the values in rising order.

    An even power of a difference is a sum of moments. So is an odd one, its sign turned where the other is larger.
    """
    product = np.zeros(rows.shape)
    for power, factor in enumerate(coefficients):
        if factor and power % 2 == 0:
            product += factor * _even_power(values, np.ones_like(values), rows, power)
        elif factor:
            product += factor * _odd_power(values, rows, power)
    return product


def _even_power(sine: Reals, cosine: Reals, rows: Reals, power: int) -> Reals:
    """``Σ_l rows_l (s_k c_l - c_k s_l)^power``: the binomial, each term a moment of the rows."""
    product = np.zeros(rows.shape)
    for k in range(power + 1):
        moment = rows @ (sine**k * cosine ** (power - k))
        product += comb(power, k) * (-1) ** k * moment[..., None] * (sine ** (power - k) * cosine**k)
    return product


def _odd_power(values: Reals, rows: Reals, power: int) -> Reals:
    """``Σ_l rows_l |v_k - v_l|^power``, the values in rising order."""
    product = np.zeros(rows.shape)
    for k in range(power + 1):
        below = np.cumsum(rows * values**k, axis=-1)
        product += comb(power, k) * (-1) ** k * (2 * below - below[..., -1:]) * values ** (power - k)
    return product
