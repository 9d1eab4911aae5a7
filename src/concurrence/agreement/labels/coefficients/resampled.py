"""Uncertainty by resampling items, for every coefficient of the table."""

from collections.abc import Mapping, Sequence

import numpy as np

from concurrence.agreement.labels.coefficients.inference import items_in_error, unmet_need
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import Interval, InvalidInputError
from concurrence.core.arrays import Reals
from concurrence.core.options import Progress
from concurrence.core.values import value
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.resampling import (
    acceleration_of,
    bca_interval,
    bootstrap,
    jackknife,
    jackknife_error,
    percentile_interval,
)

DIRECT_JACKKNIFE = 4096  # patterns; beyond, one item of many hardly differs from its influence


@value
class Bootstrap:
    """What resampling says of a coefficient; ``undefined`` draws had no value and are left out."""

    draws: int
    undefined: int
    standard_error: float
    percentile: Interval
    bca: Interval
    jackknife_error: float


def bootstrap_coefficients(
    study: LabelStudy,
    rows: Sequence[CoefficientRow],
    *,
    draws: int,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Mapping[str, Bootstrap]:
    """Bootstrap and jackknife of the coefficients that have a value; the others are not in the answer.

    Where it does not matter who gave a label, patterns that differ only in that are drawn as one, which
    leaves the distribution as it is and makes a million labels a few hundred patterns.
    """
    if draws < 1:
        raise InvalidInputError(f"The number of bootstrap draws must be at least 1, not {draws}.")
    defined = [row for row in rows if unmet_need(row, study) is None]
    defined = [row for row in defined if np.isfinite(values(row, study, study.weights))]
    free = [row for row in defined if row.coders == "any"]
    bound = [row for row in defined if row.coders != "any"]
    merged = without_order(study) if free else study
    return {
        **_bootstrap_rows(free, merged, draws, level, seed, progress),
        **_bootstrap_rows(bound, study, draws, level, seed, progress),
    }


def _bootstrap_rows(
    rows: Sequence[CoefficientRow], study: LabelStudy, draws: int, level: float, seed: int, progress: Progress | None
) -> dict[str, Bootstrap]:
    """All coefficients from the same draws."""
    if not rows:
        return {}
    drawn = replicates(rows, study, draws=draws, seed=seed, progress=progress)
    return {row.name: _summary(row, study, column, level) for row, column in zip(rows, drawn.T, strict=True)}


def replicates(
    rows: Sequence[CoefficientRow], study: LabelStudy, *, draws: int, seed: int = 0, progress: Progress | None = None
) -> Reals:
    """Coefficients of resampled items: (draws, rows), NaN where a draw has no value."""

    def all_values(weights: Reals) -> Reals:
        return np.stack([values(row, study, weights) for row in rows], axis=-1)

    return bootstrap(all_values, study.weights, draws=draws, seed=seed, progress=progress)


def _summary(row: CoefficientRow, study: LabelStudy, drawn: Reals, level: float) -> Bootstrap:
    estimate, counts = float(values(row, study, study.weights)), study.weights
    left_out = leave_one_out(row, study)
    finite = drawn[np.isfinite(drawn)]
    bca = bca_interval(drawn, estimate, acceleration_of(-left_out, counts), level)
    percentile = percentile_interval(drawn, level)
    return Bootstrap(
        draws=len(drawn),
        undefined=int(len(drawn) - len(finite)),
        standard_error=float(finite.std(ddof=1)) if len(finite) > 1 else float("nan"),
        percentile=Interval(low=percentile[0], high=percentile[1], level=level, method="bootstrap_percentile"),
        bca=Interval(low=bca[0], high=bca[1], level=level, method="bootstrap_bca"),
        jackknife_error=jackknife_error(left_out, counts),
    )


def leave_one_out(row: CoefficientRow, study: LabelStudy) -> Reals:
    """The value without one item of each pattern.

    With thousands of patterns the influence of an item stands in for it: both differ by less than 1/n².
    """
    parts = coefficient_parts(row, study, study.weights)
    estimate = float(values(row, study, study.weights))
    if len(study.weights) <= DIRECT_JACKKNIFE or parts.influence is None:
        left_out = jackknife(lambda weights: values(row, study, weights), study.weights)
        return np.where(np.isfinite(left_out), left_out, estimate)
    return estimate - parts.influence / max(items_in_error(row, study) - 1, 1)


def without_order(study: LabelStudy) -> LabelStudy:
    """The study with patterns merged that differ only in who gave which label."""
    rows, index = np.unique(np.sort(study.codes, axis=1), axis=0, return_inverse=True)
    return study.with_patterns(rows, np.bincount(np.ravel(index), weights=study.weights, minlength=len(rows)))
