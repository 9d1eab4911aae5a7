"""Uncertainty by resampling items, for every coefficient of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.coefficients import Coefficient, coefficient
from concurrence.agreement.study import Study
from concurrence.core import Interval, InvalidInputError
from concurrence.kernels.resampling import (
    Progress,
    acceleration_of,
    bca_interval,
    bootstrap,
    jackknife,
    jackknife_error,
    percentile_interval,
)

Array = NDArray[np.float64]

DIRECT_JACKKNIFE = 4096  # patterns; beyond, one item of many hardly differs from its influence


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """What resampling says of a coefficient; ``undefined`` draws had no value and are left out."""

    name: str
    value: float
    standard_error: float
    percentile: Interval
    bca: Interval
    jackknife_error: float
    draws: int
    undefined: int
    acceleration: float
    replicates: Array

    def bca_at(self, level: float) -> tuple[float, float]:
        """The BCa interval at any level."""
        return bca_interval(self.replicates, self.value, self.acceleration, level)

    def __str__(self) -> str:
        low, high = self.bca
        return f"{self.name} = {self.value:.3f} [{low:.3f}, {high:.3f}] ({self.bca.level:.0%} BCa, {self.draws} draws)"


def bootstrap_coefficients(
    study: Study,
    names: Sequence[str],
    *,
    draws: int,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Mapping[str, Resampled]:
    """Bootstrap and jackknife of the coefficients that have a value; the others are not in the answer.

    Where it does not matter who gave a label, patterns that differ only in that are drawn as one, which
    leaves the distribution as it is and makes a million labels a few hundred patterns.
    """
    if draws < 1:
        raise InvalidInputError(f"The number of bootstrap draws must be at least 1, not {draws}.")
    rows = [row for row in map(coefficient, names) if row.why_undefined(study) is None]
    free = [row for row in rows if row.coders == "any"]
    bound = [row for row in rows if row.coders != "any"]
    merged = without_order(study) if free else study
    found = [
        *_resampled(free, merged, draws, level, seed, progress),
        *_resampled(bound, study, draws, level, seed, progress),
    ]
    return {row.name: next(one for one in found if one.name == row.name) for row in rows}


def resample(row: Coefficient, study: Study, *, draws: int, level: float = 0.95, seed: int = 0) -> Resampled:
    """Bootstrap and jackknife of one coefficient that has a value."""
    return bootstrap_coefficients(study, [row.name], draws=draws, level=level, seed=seed)[row.name]


def _resampled(
    rows: Sequence[Coefficient], study: Study, draws: int, level: float, seed: int, progress: Progress | None
) -> tuple[Resampled, ...]:
    """All coefficients from the same draws."""
    if not rows:
        return ()

    def values(weights: Array) -> Array:
        return np.stack([row.values(study, weights) for row in rows], axis=-1)

    replicates = bootstrap(values, study.weights, draws=draws, seed=seed, progress=progress)
    return tuple(_summary(row, study, column, level) for row, column in zip(rows, replicates.T, strict=True))


def _summary(row: Coefficient, study: Study, replicates: Array, level: float) -> Resampled:
    value, counts = float(row.values(study, study.weights)), study.weights
    left_out = leave_one_out(row, study)
    known = replicates[np.isfinite(replicates)]
    acceleration = acceleration_of(-left_out, counts)
    bca = bca_interval(replicates, value, acceleration, level)
    percentile = percentile_interval(replicates, level)
    return Resampled(
        name=row.name,
        value=value,
        standard_error=float(known.std(ddof=1)) if len(known) > 1 else float("nan"),
        percentile=Interval(low=percentile[0], high=percentile[1], level=level, method="bootstrap_percentile"),
        bca=Interval(low=bca[0], high=bca[1], level=level, method="bootstrap_bca"),
        jackknife_error=jackknife_error(left_out, counts),
        draws=len(replicates),
        undefined=int(len(replicates) - len(known)),
        acceleration=acceleration,
        replicates=replicates,
    )


def leave_one_out(row: Coefficient, study: Study) -> Array:
    """The value without one item of each pattern.

    With thousands of patterns the influence of an item stands in for it: both differ by less than 1/n².
    """
    value = float(row.values(study, study.weights))
    if len(study.weights) <= DIRECT_JACKKNIFE:
        left_out = jackknife(lambda weights: row.values(study, weights), study.weights)
        return np.where(np.isfinite(left_out), left_out, value)
    n = row.sample_size(study)
    return value - row.influence(study) / max(n - 1, 1)


def without_order(study: Study) -> Study:
    """The study with patterns merged that differ only in who gave which label."""
    rows, index = np.unique(np.sort(study.codes, axis=1), axis=0, return_inverse=True)
    weights = np.bincount(np.ravel(index), weights=study.weights, minlength=len(rows))
    changed: dict[str, Any] = {"codes": rows, "weights": weights}
    return replace(study, **changed)
