"""The rate from a stratified sample, and its interval if documents vary."""

from math import isnan, nan

import numpy as np

from concurrence.core.arrays import Integers, Numbers, Reals
from concurrence.core.errors import InvalidInputError
from concurrence.kernels import estimates
from concurrence.prevalence.study import RateStudy


def in_strata(study: RateStudy) -> tuple[float, float, float]:
    """The regression estimate: people's share, plus the slope times how much the judge's mean missed the list's.

    Its ends are those of people alone, drawn together by the share of the variance that the judge leaves unexplained.
    Where people said the same of all in each stratum, there is no variance to share, and the ends are the estimate.
    """
    design, cells = study.design, study.cells
    plain = estimates.stratified(study.people, replacement=design.replacement)
    level = study.options.level
    low, high = estimates.interval(study.people, method="design", level=level, replacement=design.replacement)
    score = cells.shares.mean(axis=0)  # what the judge said, as a number for each class
    of_list, of_sample = (
        (part * score).sum(axis=1) / np.maximum(part.sum(axis=1), 1) for part in (cells.size, cells.judged)
    )
    slope, left = _explained(study, score)
    value = float(plain.value[0] + (plain.weight[0] * slope * (of_list - of_sample)).sum())
    value = min(max(value, 0.0), 1.0)
    if isnan(left):
        return value, value, value
    n = len(design.rows)
    shrink = float(np.sqrt(min(1.0, left * n / max(n - 2, 1) + 2 / n)))
    down, up = (plain.value[0] - low[0]) * shrink, (high[0] - plain.value[0]) * shrink
    return value, max(value - float(down), 0.0), min(value + float(up), 1.0)


def _explained(study: RateStudy, score: Reals) -> tuple[float, float]:
    """The slope of people's verdicts on the judge's score within strata, and the share of their variance it leaves."""
    design = study.design
    x, y = score[study.classes.of[design.rows]], study.verdicts[design.rows]
    w, stratum = design.weights_of(design.rows), design.stratum[design.rows]
    x_centred, y_centred = (part - _stratum_means(part, stratum, design.n_strata)[stratum] for part in (x, y))
    spread, whole = (float((w * part**2).sum()) for part in (x_centred, y_centred))
    slope = float((w * x_centred * y_centred).sum()) / spread if spread > 1e-12 else 0.0
    left = float((w * (y_centred - slope * x_centred) ** 2).sum()) / whole if whole > 1e-12 else nan
    return slope, left


def _stratum_means(values: Reals, stratum: Numbers, n: int) -> Reals:
    counts = np.bincount(stratum, minlength=n)
    return np.asarray(np.bincount(stratum, weights=values, minlength=n) / np.maximum(counts, 1))


def by_cluster(
    study: RateStudy, clusters: Integers, value: float, ends: tuple[float, float], *, alone: bool = False
) -> tuple[float, float]:
    """The interval if documents vary instead of candidates, from the sum of residuals of each document.

    Residuals are from the shares of what the judge said, or of people ``alone``, of strata; it is no narrower than
    ``ends``.
    """
    rows = study.design.rows
    cluster = np.unique(clusters[rows], return_inverse=True)[1]
    m = int(cluster.max()) + 1
    if m < 2:
        raise InvalidInputError("All judged candidates are of one document, so documents cannot be compared.")
    stratum = study.design.stratum[rows]
    expected = (
        _stratum_means(study.verdicts[rows], stratum, study.design.n_strata)[stratum]
        if alone
        else study.cells.shares[stratum, study.classes.of[rows]]
    )
    weights = study.design.weights_of(rows)
    sums = np.bincount(cluster, weights=weights * (study.verdicts[rows] - expected), minlength=m) / weights.sum()
    variance = m / (m - 1) * float(((sums - sums.mean()) ** 2).sum())
    wide = estimates.effective(np.array([value]), np.array([variance]), study.options.level, freedom=float(m - 1))
    return min(ends[0], float(wide[0][0])), max(ends[1], float(wide[1][0]))
