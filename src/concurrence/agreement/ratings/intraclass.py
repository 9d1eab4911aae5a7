"""The six intraclass correlations of Shrout and Fleiss (1979) with their intervals.

The first figure of a name is the design: 1, each item has coders of its own; 2, the same coders, a sample of coders;
3, the same coders, and no others are meant. The second is what is used: the rating of one coder, or the mean of all.
"""

from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
from scipy.special import fdtrc, fdtri

from concurrence.agreement.ratings.variance import MeanSquares

PIVOTS = 20_000  # draws of a generalized interval


@dataclass(frozen=True, slots=True, kw_only=True)
class IntraclassCorrelation:
    """One intraclass correlation: its value, error and interval, and the F test that it is 0."""

    value: float
    standard_error: float
    low: float
    high: float
    statistic: float
    degrees_of_freedom: tuple[float, float]
    p_value: float


def correlation(squares: MeanSquares, kind: str, coders: int, *, mean: bool, level: float) -> IntraclassCorrelation:
    """The intraclass correlation of a design, of one coder or of the ``mean`` of so many coders."""
    rest = squares.within if kind == "1" else squares.error
    free = squares.free_within if kind == "1" else squares.free_error
    single = _value(squares, kind, squares.between, squares.coders, rest)
    statistic = _ratio(squares.between, rest)
    ends = _ends(squares, kind, rest, free, single, level)
    error = _error(squares, kind, rest, free)
    if mean:
        error *= _slope(single, coders)
        single, ends = (
            spearman_brown(single, coders),
            (spearman_brown(ends[0], coders), spearman_brown(ends[1], coders)),
        )
    p_value = 0.0 if statistic == inf else float(fdtrc(squares.free_between, free, statistic))
    return IntraclassCorrelation(
        value=single,
        standard_error=error,
        low=ends[0],
        high=ends[1],
        statistic=statistic,
        degrees_of_freedom=(squares.free_between, free),
        p_value=p_value,
    )


def _value(squares: MeanSquares, kind: str, between: float, coders: float, rest: float) -> float:
    r"""The share of the variance that lies between items.

    .. math:: \frac{BMS - EMS}{BMS + (k - 1) EMS + k (JMS - EMS) / n}

    The last term, the coders' own, is there in design 2 alone.
    """
    k = squares.per_item
    shift = k * (coders - rest) / squares.per_coder if kind == "2" else 0.0
    return _ratio(between - rest, between + (k - 1) * rest + shift)


def _ends(squares: MeanSquares, kind: str, rest: float, free: float, value: float, level: float) -> tuple[float, float]:
    """The ends by the F distribution: exact for designs 1 and 3, by Satterthwaite's degrees of freedom for 2.

    The item mean square is held against k r (JMS/n + EMS (n - 1)/n) + EMS, which it estimates where the ratio of true
    variance to all other is r = ICC / (1 - ICC); McGraw and Wong (1996) print the same for complete tables. There are
    none where the items do not differ at all in their mean.
    """
    k, tail = squares.per_item, (1 + level) / 2
    if squares.between <= 0:
        return nan, nan
    if rest <= 0 and (kind != "2" or squares.coders <= 0):
        return 1.0, 1.0
    other, n = rest, squares.per_coder
    if kind == "2":
        other = squares.coders / n + rest * (1 - 1 / n)
        free = _satterthwaite(squares, value)
    upper, lower = float(fdtri(squares.free_between, free, tail)), float(fdtri(free, squares.free_between, tail))
    ends = (squares.between / upper, squares.between * lower)
    # k ratings correlate with -1 / (k - 1) at least, but the estimate may be lower
    least = min(-1 / k, value / (1 - value)) if value < 0 else -1 / k
    odds = [max((end - rest) / (k * other), least) for end in ends]
    return odds[0] / (1 + odds[0]), odds[1] / (1 + odds[1])


def _satterthwaite(squares: MeanSquares, value: float) -> float:
    """Degrees of freedom of the two mean squares that the item mean square is compared with."""
    k, n = squares.per_item, squares.per_coder
    odds = max(value, 0.0) / max(1 - value, 1e-12)
    of_coders, of_error = k * odds / n * squares.coders, (1 + k * odds * (1 - 1 / n)) * squares.error
    spread = of_coders**2 / squares.free_coders + of_error**2 / squares.free_error
    return (of_coders + of_error) ** 2 / spread


def generalized_interval(
    squares: MeanSquares, coders: int, *, mean: bool, level: float, seed: int
) -> tuple[float, float]:
    """The ends for design 2 by generalized pivots, which keep the level even if few coders differ a lot.

    Every mean square is divided by a draw of its own chi-squared distribution; the middle of what the drawn mean
    squares give is the interval (Weerahandi 1993; for this correlation Ionan et al. 2014).
    """
    random = np.random.default_rng(seed)
    parts = (
        (squares.between, squares.free_between),
        (squares.coders, squares.free_coders),
        (squares.error, squares.free_error),
    )
    between, between_coders, error = (square * degrees / random.chisquare(degrees, PIVOTS) for square, degrees in parts)
    k, n = squares.per_item, squares.per_coder
    whole = between + (k - 1) * error + k * (between_coders - error) / n
    single = (between - error) / np.where(whole > 0, whole, np.nan)
    low, high = (float(end) for end in np.nanquantile(single, [(1 - level) / 2, (1 + level) / 2]))
    return (spearman_brown(low, coders), spearman_brown(high, coders)) if mean else (low, high)


def _error(squares: MeanSquares, kind: str, rest: float, free: float) -> float:
    """The standard error of the single form: independent mean squares, each with variance 2 MS² / df (delta method)."""
    parts = [(squares.between, squares.free_between), (squares.coders, squares.free_coders), (rest, free)]
    values = [one for one, _ in parts]
    variance = 0.0
    for place, (square, degrees) in enumerate(parts):
        if not square > 0 or (place == 1 and kind != "2"):
            continue
        ahead, behind = list(values), list(values)
        ahead[place], behind[place] = square * (1 + 1e-5), square * (1 - 1e-5)
        slope = (_value(squares, kind, *ahead) - _value(squares, kind, *behind)) / (2e-5 * square)
        variance += slope**2 * 2 * square**2 / degrees
    return sqrt(variance)


def spearman_brown(single: float, coders: float) -> float:
    """The correlation of a mean of coders from that of one (Spearman and Brown).

    >>> round(spearman_brown(0.5, 2), 4), spearman_brown(-1.0, 2)
    (0.6667, -inf)
    """
    whole = 1 + (coders - 1) * single
    return -inf if whole <= 0 else coders * single / whole


def _slope(single: float, coders: float) -> float:
    return _ratio(coders, (1 + (coders - 1) * single) ** 2)


def _ratio(part: float, whole: float) -> float:
    if whole == 0 or np.isnan(whole):
        return nan if not part > 0 else inf
    return part / whole
