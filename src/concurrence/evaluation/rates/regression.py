"""The rate where people judged a stratified sample, and where documents vary."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.evaluation import estimates
from concurrence.evaluation.rates.study import RateStudy

Reals = NDArray[np.float64]


def in_strata(study: RateStudy) -> float:
    """The regression estimate: people's share, plus the slope times how much the judge's mean missed the list's."""
    design, cells = study.design, study.cells
    plain = estimates.stratified(study.people, replacement=design.replacement)
    score = cells.shares.mean(axis=0)  # what the judge said, as a number for each class
    of_list, of_sample = (
        (part * score).sum(axis=1) / np.maximum(part.sum(axis=1), 1) for part in (cells.size, cells.judged)
    )
    x = score[study.classes.of[design.rows]]
    y, w = study.verdicts[design.rows], design.weights_of(design.rows)
    stratum = design.stratum[design.rows]
    x_centred, y_centred = (part - _stratum_means(part, stratum, design.n_strata)[stratum] for part in (x, y))
    spread = float((w * x_centred**2).sum())
    slope = float((w * x_centred * y_centred).sum()) / spread if spread > 1e-12 else 0.0
    value = float(plain.value[0] + (plain.weight[0] * slope * (of_list - of_sample)).sum())
    return min(max(value, 0.0), 1.0)


def _stratum_means(values: Reals, stratum: NDArray[Any], n: int) -> Reals:
    counts = np.bincount(stratum, minlength=n)
    return np.asarray(np.bincount(stratum, weights=values, minlength=n) / np.maximum(counts, 1))


def by_cluster(
    study: RateStudy, clusters: NDArray[np.int64], value: float, low: float, high: float
) -> tuple[float, float]:
    """The interval where documents, not candidates, are what varies: by the sums of residuals of each document."""
    rows = study.design.rows
    cluster = np.unique(clusters[rows], return_inverse=True)[1]
    m = int(cluster.max()) + 1
    if m < 2:
        raise InvalidInputError("All judged candidates are of one document, so documents cannot be compared.")
    expected = study.cells.shares[study.design.stratum[rows], study.classes.of[rows]]
    weights = study.design.weights_of(rows)
    sums = np.bincount(cluster, weights=weights * (study.verdicts[rows] - expected), minlength=m) / weights.sum()
    variance = m / (m - 1) * float(((sums - sums.mean()) ** 2).sum())
    ends = estimates.effective(np.array([value]), np.array([variance]), study.options.level, freedom=float(m - 1))
    return min(low, float(ends[0][0])), max(high, float(ends[1][0]))
