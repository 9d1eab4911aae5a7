"""Exact tail probabilities of discrete distributions, in log space.

A tail is its first term times a sum of ratios. The first term is Loader's saddle-point form, which loses no
digits to the difference of large log-gammas; the ratios are a recurrence that runs away from the mode, so that
every term is smaller than the one before and nothing underflows. All logarithms are natural; arguments are whole
numbers in arrays that broadcast; impossible arguments answer NaN.

References: Loader (2000).
"""

from collections.abc import Callable
from math import exp, lgamma, log, log1p, pi
from typing import Any, TypeVar

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

Logs = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])

_HALF_LOG_TWO_PI = 0.5 * log(2 * pi)
_SMALL_ERRORS = np.array(
    [0.0] + [lgamma(n + 1.0) - (n + 0.5) * log(n) + n - _HALF_LOG_TWO_PI for n in range(1, 16)], dtype=np.float64
)
_ENOUGH = 1e-17  # a term below this share of the sum no longer changes it


def hypergeometric_log_point(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Logs:
    """The log probability of ``x`` marked among ``drawn`` out of ``total``, of which ``marked`` are marked.

    >>> hypergeometric_log_point([0, 1], 2, 3, 6).round(6)
    array([-1.609438, -0.510826])
    """
    return _over(_hypergeometric_points, x, drawn, marked, total)


def hypergeometric_log_upper(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Logs:
    """The log probability of ``x`` or more marked; Fisher's one-sided test for attraction."""
    return _over(_hypergeometric_uppers, x, drawn, marked, total)


def hypergeometric_log_lower(x: ArrayLike, drawn: ArrayLike, marked: ArrayLike, total: ArrayLike) -> Logs:
    """The log probability of ``x`` or fewer marked: as many or more unmarked among the drawn."""
    x, drawn, marked, total = (np.asarray(a, dtype=np.float64) for a in (x, drawn, marked, total))
    return _over(_hypergeometric_uppers, drawn - x, drawn, total - marked, total)


def binomial_log_point(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Logs:
    """The log probability of ``x`` successes in ``n`` trials."""
    return _over(_binomial_points, x, n, p)


def binomial_log_upper(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Logs:
    """The log probability of ``x`` or more successes in ``n`` trials."""
    return _over(_binomial_uppers, x, n, p)


def binomial_log_lower(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Logs:
    """The log probability of ``x`` or fewer successes in ``n`` trials."""
    return _over(_binomial_lowers, x, n, p)


def poisson_log_point(x: ArrayLike, mean: ArrayLike) -> Logs:
    """The log probability of ``x`` events where ``mean`` are expected."""
    return _over(_poisson_points, x, mean)


def poisson_log_upper(x: ArrayLike, mean: ArrayLike) -> Logs:
    """The log probability of ``x`` or more events where ``mean`` are expected."""
    return _over(_poisson_uppers, x, mean)


def multinomial_log_point(observed: ArrayLike, expected: ArrayLike) -> Logs:
    """The log probability of a table; cells are the last axis, and ``expected`` holds counts, not shares."""
    cells, means = np.broadcast_arrays(np.asarray(observed, float), np.asarray(expected, float))
    total = cells.sum(axis=-1)
    # Independent Poisson counts, given their total: Poisson(total) is what makes them one multinomial.
    points: Logs = poisson_log_point(cells, means).sum(axis=-1) - poisson_log_point(total, means.sum(axis=-1))
    return points


def _over(kernel: Callable[..., Logs], *arguments: ArrayLike) -> Logs:
    """Run a kernel over arrays that broadcast, as flat arrays of floating-point numbers."""
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in arguments))
    out: Logs = kernel(*(np.ascontiguousarray(array).reshape(-1) for array in arrays))
    return out.reshape(arrays[0].shape)


def _compiled(function: F) -> F:
    compiled: F = njit(cache=True, nogil=True)(function)
    return compiled


@_compiled
def _stirling_error(n: float) -> float:
    """The error of Stirling's formula for log n!."""
    if n <= 15.0:
        return float(_SMALL_ERRORS[int(n)])
    square = 1.0 / (n * n)
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - square / 1188) * square) * square) * square) / n


@_compiled
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


@_compiled
def _binomial_point(x: float, n: float, p: float) -> float:
    q = 1.0 - p
    if not (0.0 <= p <= 1.0) or n < 0 or np.isnan(x):
        return np.nan
    if x < 0 or x > n:
        return -np.inf
    if x == 0.0:
        return n * log1p(-p) if p < 1.0 else (0.0 if n == 0 else -np.inf)
    if x == n:
        return n * log(p) if p > 0.0 else -np.inf
    if p == 0.0 or p == 1.0:
        return -np.inf
    errors = _stirling_error(n) - _stirling_error(x) - _stirling_error(n - x)
    deviances = _deviance(x, n * p) + _deviance(n - x, n * q)
    return errors - deviances - _HALF_LOG_TWO_PI + 0.5 * log(n / (x * (n - x)))


@_compiled
def _poisson_point(x: float, mean: float) -> float:
    if not mean >= 0.0 or np.isnan(x):
        return np.nan
    if x < 0:
        return -np.inf
    if x == 0.0:
        return -mean
    if mean == 0.0:
        return -np.inf
    return -_stirling_error(x) - _deviance(x, mean) - _HALF_LOG_TWO_PI - 0.5 * log(x)


@_compiled
def _hypergeometric_point(x: float, drawn: float, marked: float, total: float) -> float:
    if not (0 <= drawn <= total and 0 <= marked <= total) or np.isnan(x):
        return np.nan
    if x < max(0.0, drawn + marked - total) or x > min(drawn, marked):
        return -np.inf
    if marked == 0.0 or marked == total:
        return 0.0
    p = marked / total
    first = _binomial_point(x, drawn, p)
    second = _binomial_point(marked - x, total - drawn, p)
    return first + second - _binomial_point(marked, total, p)


@_compiled
def _hypergeometric_upper(x: float, drawn: float, marked: float, total: float) -> float:
    if not (0 <= drawn <= total and 0 <= marked <= total) or np.isnan(x):
        return np.nan
    rest = total - drawn - marked
    if x <= max(0.0, -rest):
        return 0.0
    if x > min(drawn, marked):
        return -np.inf
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
    return log1p(-exp(min(0.0, below)))


@_compiled
def _binomial_upper(x: float, n: float, p: float, q: float) -> float:
    if not (0.0 <= p <= 1.0) or n < 0 or np.isnan(x):
        return np.nan
    if x <= 0 or x > n or p == 0.0 or p == 1.0:
        return 0.0 if x <= 0 or (p == 1.0 and x <= n) else -np.inf
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
    return log1p(-exp(min(0.0, _binomial_point(x - 1, n, p) + log(total_of_terms))))


@_compiled
def _poisson_upper(x: float, mean: float) -> float:
    if not mean >= 0.0 or np.isnan(x):
        return np.nan
    if x <= 0 or mean == 0.0:
        return 0.0 if x <= 0 else -np.inf
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
    return log1p(-exp(min(0.0, _poisson_point(x - 1, mean) + log(total_of_terms))))


@_compiled
def _hypergeometric_points(x: Logs, drawn: Logs, marked: Logs, total: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _hypergeometric_point(x[i], drawn[i], marked[i], total[i])
    return out


@_compiled
def _hypergeometric_uppers(x: Logs, drawn: Logs, marked: Logs, total: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _hypergeometric_upper(x[i], drawn[i], marked[i], total[i])
    return out


@_compiled
def _binomial_points(x: Logs, n: Logs, p: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _binomial_point(x[i], n[i], p[i])
    return out


@_compiled
def _binomial_uppers(x: Logs, n: Logs, p: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _binomial_upper(x[i], n[i], p[i], 1.0 - p[i])
    return out


@_compiled
def _binomial_lowers(x: Logs, n: Logs, p: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _binomial_upper(n[i] - x[i], n[i], 1.0 - p[i], p[i])
    return out


@_compiled
def _poisson_points(x: Logs, mean: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _poisson_point(x[i], mean[i])
    return out


@_compiled
def _poisson_uppers(x: Logs, mean: Logs) -> Logs:
    out = np.empty(x.size)
    for i in range(x.size):
        out[i] = _poisson_upper(x[i], mean[i])
    return out
