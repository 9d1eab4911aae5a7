"""Exact tail probabilities of discrete distributions, in log space.

A tail is its first term times a sum of ratios. The first term is Loader's saddle-point form, which loses no
digits to the difference of large log-gammas; the ratios are a recurrence that runs away from the mode, so that
every term is smaller than the one before and nothing underflows. All logarithms are natural; arguments are whole
numbers in arrays that broadcast; impossible arguments answer NaN.

The formulas are plain Python. A short work is done by them as they stand, since loading a compiler would take
longer; a long one by the same formulas compiled, which take the same steps and give the same digits.

References: Loader (2000).
"""

from collections.abc import Callable
from functools import cache
from math import exp, inf, isnan, lgamma, log, log1p, nan, pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from concurrence.core.arrays import Reals
from concurrence.kernels.machine_code import elementwise_machine_code

Formula = Callable[..., float]

_HALF_LOG_TWO_PI = 0.5 * log(2 * pi)
_SMALL_ERRORS = (0.0, *(lgamma(n + 1.0) - (n + 0.5) * log(n) + n - _HALF_LOG_TWO_PI for n in range(1, 16)))
_ENOUGH = 1e-17  # a term below this share of the sum no longer changes it


def hypergeometric_log_point(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Reals:
    """The log probability of ``x`` marked among ``drawn`` out of ``total``, of which ``marked`` are marked.

    >>> hypergeometric_log_point([0, 1], 2, 3, 6).round(6)
    array([-1.609438, -0.510826])
    """
    return _over(_hypergeometric_point, x, drawn, marked, total)


def hypergeometric_log_upper(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Reals:
    """The log probability of ``x`` or more marked; Fisher's one-sided test for attraction."""
    return _over(_hypergeometric_upper, x, drawn, marked, total)


def hypergeometric_log_lower(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Reals:
    """The log probability of ``x`` or fewer marked: as many or more unmarked among the drawn."""
    x, drawn, marked, total = (np.asarray(a, dtype=np.float64) for a in (x, drawn, marked, total))
    return _over(_hypergeometric_upper, drawn - x, drawn, total - marked, total)


def binomial_log_point(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Reals:
    return _over(_binomial_point, x, n, p)


def binomial_log_upper(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Reals:
    """The log probability of ``x`` or more successes in ``n`` trials."""
    p = np.asarray(p, dtype=np.float64)
    return _over(_binomial_upper, x, n, p, 1.0 - p)


def poisson_log_point(x: ArrayLike, mean: ArrayLike) -> Reals:
    return _over(_poisson_point, x, mean)


def poisson_log_upper(x: ArrayLike, mean: ArrayLike) -> Reals:
    """The log probability of ``x`` or more events where ``mean`` are expected."""
    return _over(_poisson_upper, x, mean)


def multinomial_log_point(observed: ArrayLike, expected: ArrayLike) -> Reals:
    """The log probability of a table; cells are the last axis, and ``expected`` holds counts, not shares."""
    cells, means = np.broadcast_arrays(np.asarray(observed, float), np.asarray(expected, float))
    total = cells.sum(axis=-1)
    # Independent Poisson counts, given their total: Poisson(total) is what makes them one multinomial.
    points: Reals = poisson_log_point(cells, means).sum(axis=-1) - poisson_log_point(total, means.sum(axis=-1))
    return points


def _over(formula: Formula, *arguments: ArrayLike) -> Reals:
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in arguments))
    if _PATIENCE.lasts_for(arrays):
        rows = zip(*(array.ravel().tolist() for array in arrays), strict=True)
        return np.array([formula(*row) for row in rows], dtype=np.float64).reshape(arrays[0].shape)
    with np.errstate(all="ignore"):
        return np.asarray(_compiled(formula)(*arrays))


class _Patience:
    """How many steps are taken in Python until the compiler is worth its loading."""

    def __init__(self, steps: float) -> None:
        self.steps = steps

    def lasts_for(self, arrays: tuple[Reals, ...]) -> bool:
        """Whether this work is still short, all work before it included."""
        if self.steps > 0:
            trials = np.fmax(arrays[1], 0.0)  # or the mean: its root is no less than the standard deviation
            self.steps -= 32 * trials.size + 4 * float(np.sqrt(trials).sum())
        return self.steps > 0


_PATIENCE = _Patience(steps=1e6)


@cache
def _compiled(formula: Formula) -> Callable[..., Any]:
    """A formula as machine code that runs over arrays."""
    _let_compiled_formulas_call()
    return elementwise_machine_code(formula)


@cache
def _let_compiled_formulas_call() -> None:
    """Make known to the compiler which of the functions below are called by others."""
    from numba.extending import register_jitable

    points = (_binomial_point, _poisson_point, _hypergeometric_point)
    for function in (_stirling_error, _deviance, _log_complement, *points):
        register_jitable(function)


def _stirling_error(n: float) -> float:
    """The error of Stirling's formula for log n!."""
    if n <= 15.0:
        return _SMALL_ERRORS[int(n)]
    square = 1.0 / (n * n)
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - square / 1188) * square) * square) * square) / n


def _deviance(x: float, mean: float) -> float:
    """The value of x log(x / mean) + mean - x, precise also where x is near the mean."""
    if x == 0.0:
        return mean
    difference = x - mean
    if abs(difference) >= 0.1 * (x + mean):
        return x * log(x / mean) - difference
    v = difference / (x + mean)
    total = difference * v
    term = 2 * x * v
    for j in range(1, 1000):
        term *= v * v
        following = total + term / (2 * j + 1)
        if following == total:
            break
        total = following
    return total


def _log_complement(log_share: float) -> float:
    """The logarithm of what a share leaves of one."""
    return log1p(-exp(log_share)) if log_share < 0.0 else -inf


def _binomial_point(x: float, n: float, p: float) -> float:
    q = 1.0 - p
    if not (0.0 <= p <= 1.0) or n < 0 or isnan(x):
        return nan
    if x < 0 or x > n:
        return -inf
    if x == 0.0:
        return n * log1p(-p) if p < 1.0 else (0.0 if n == 0 else -inf)
    if x == n:
        return n * log(p) if p > 0.0 else -inf
    if p == 0.0 or p == 1.0:
        return -inf
    errors = _stirling_error(n) - _stirling_error(x) - _stirling_error(n - x)
    deviances = _deviance(x, n * p) + _deviance(n - x, n * q)
    return errors - deviances - _HALF_LOG_TWO_PI + 0.5 * log(n / (x * (n - x)))


def _poisson_point(x: float, mean: float) -> float:
    if not 0.0 <= mean < inf or isnan(x):
        return nan
    if x < 0:
        return -inf
    if x == 0.0:
        return -mean
    if mean == 0.0:
        return -inf
    return -_stirling_error(x) - _deviance(x, mean) - _HALF_LOG_TWO_PI - 0.5 * log(x)


def _hypergeometric_point(x: float, drawn: float, marked: float, total: float) -> float:
    if not (0 <= drawn <= total and 0 <= marked <= total) or isnan(x):
        return nan
    if x < max(0.0, drawn + marked - total) or x > min(drawn, marked):
        return -inf
    if marked == 0.0 or marked == total:
        return 0.0
    p = marked / total
    first = _binomial_point(x, drawn, p)
    second = _binomial_point(marked - x, total - drawn, p)
    return first + second - _binomial_point(marked, total, p)


def _hypergeometric_upper(x: float, drawn: float, marked: float, total: float) -> float:
    if not (0 <= drawn <= total and 0 <= marked <= total) or isnan(x):
        return nan
    rest = total - drawn - marked
    if x <= max(0.0, -rest):
        return 0.0
    if x > min(drawn, marked):
        return -inf
    total_of_terms, term = 1.0, 1.0
    if x * total > drawn * marked:
        k = x
        while term > _ENOUGH * total_of_terms:
            term *= (drawn - k) * (marked - k) / ((k + 1) * (rest + k + 1))
            total_of_terms += term
            k += 1
        return min(0.0, _hypergeometric_point(x, drawn, marked, total) + log(total_of_terms))
    k = x - 1
    while term > _ENOUGH * total_of_terms:
        term *= k * (rest + k) / ((drawn - k + 1) * (marked - k + 1))
        total_of_terms += term
        k -= 1
    below = _hypergeometric_point(x - 1, drawn, marked, total) + log(total_of_terms)
    return _log_complement(below)


def _binomial_upper(x: float, n: float, p: float, q: float) -> float:
    if not (0.0 <= p <= 1.0) or n < 0 or isnan(x):
        return nan
    if x <= 0 or x > n or p == 0.0 or p == 1.0:
        return 0.0 if x <= 0 or (p == 1.0 and x <= n) else -inf
    total_of_terms, term = 1.0, 1.0
    if x > n * p:
        k = x
        while term > _ENOUGH * total_of_terms:
            term *= (n - k) / (k + 1) * (p / q)
            total_of_terms += term
            k += 1
        return min(0.0, _binomial_point(x, n, p) + log(total_of_terms))
    k = x - 1
    while term > _ENOUGH * total_of_terms:
        term *= k / (n - k + 1) * (q / p)
        total_of_terms += term
        k -= 1
    return _log_complement(_binomial_point(x - 1, n, p) + log(total_of_terms))


def _poisson_upper(x: float, mean: float) -> float:
    if not 0.0 <= mean < inf or isnan(x):
        return nan
    if x <= 0 or mean == 0.0:
        return 0.0 if x <= 0 else -inf
    total_of_terms, term = 1.0, 1.0
    if x > mean:
        k = x
        while term > _ENOUGH * total_of_terms:
            term *= mean / (k + 1)
            total_of_terms += term
            k += 1
        return min(0.0, _poisson_point(x, mean) + log(total_of_terms))
    k = x - 1
    while term > _ENOUGH * total_of_terms:
        term *= k / mean
        total_of_terms += term
        k -= 1
    return _log_complement(_poisson_point(x - 1, mean) + log(total_of_terms))
