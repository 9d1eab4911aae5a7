"""Which intervals are called trusted: those that held the true value often enough where it was known.

``calibration.csv`` is made by ``python -m benchmarks.trust.calibrate``: for every scale, number of labels per item,
categories and items of a grid, in which share of simulated studies the posterior interval of each coefficient held the
true value, at the worst level of agreement.
"""

import csv
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import product
from math import isnan, nan
from pathlib import Path

import numpy as np

from concurrence.agreement.labels.coefficients.posterior import POSTERIOR
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.kernels.coefficients import CoefficientRow

CALIBRATION = Path(__file__).with_name("calibration.csv")
LEAST_COVERED = 0.93
MANY_ITEMS = 200
"""From so many items on, an analytic interval without doubts is trusted whatever the table says of smaller studies."""

Cell = tuple[str, int, int, int]
"""Scale, labels per item, categories, items."""


def interval_holds(row: CoefficientRow, method: str, study: LabelStudy, *, doubts: bool) -> bool:
    """Whether an interval by this method, on data of this size, covers in at least 93 of 100 studies.

    On a graded scale without any disagreement nothing says how far apart labels would be.
    """
    if method == "exact":
        return True
    if method != POSTERIOR:  # its errors shrink with the items; below, it is no better than a posterior that fails
        return not doubts and (study.n_pairable >= MANY_ITEMS or not coverage(row, study) < LEAST_COVERED)
    graded = study.metric.kind != "nominal"
    return not (graded and _unanimous(study)) and coverage(row, study) >= LEAST_COVERED


def coverage(row: CoefficientRow, study: LabelStudy) -> float:
    """The lowest share of simulated studies around this one in which the posterior interval held; NaN outside of them.

    Studies with more items or labels per item than any in the grid count as the largest there.
    """
    pairable = np.where(study.pairable, study.weights, 0.0)
    labels = float(pairable @ study.sizes) / max(float(pairable.sum()), 1.0)
    scale = scale_of(row, study)
    by_labels, by_categories, by_items = axes(scale)
    if study.n_categories > by_categories[-1]:
        return nan
    sides = (
        _around(by_labels, labels),
        _around(by_categories, study.n_categories),
        _around(by_items, study.n_pairable),
    )
    cells = [(scale, *sizes) for sizes in product(*sides)]
    shares = [calibration().get(cell, {}).get(row.name, nan) for cell in cells]
    return nan if any(map(isnan, shares)) else min(shares, default=nan)


def scale_of(row: CoefficientRow, study: LabelStudy) -> str:
    """How the coefficient compares labels; credit for near ones counts as an ordinal scale."""
    credit = row.weighted and study.agreement_weights is not None
    if study.metric.kind == "nominal" or not (credit or row.measures == "disagreement"):
        return "ordinal" if credit else "nominal"
    return {"midranks": "ordinal", "values": "interval", "matrix": "distances"}[study.metric.kind]


@cache
def calibration() -> dict[Cell, dict[str, float]]:
    """Of every cell of the grid, what the interval of each coefficient covered."""
    with CALIBRATION.open(encoding="utf-8", newline="") as lines:
        return {
            (line.pop("scale"), int(line.pop("labels")), int(line.pop("categories")), int(line.pop("items"))): {
                name: float(share) for name, share in line.items() if share
            }
            for line in csv.DictReader(lines)
        }


@cache
def axes(scale: str) -> tuple[list[int], list[int], list[int]]:
    """The numbers of labels per item, of categories and of items that were simulated on a scale."""
    labels, categories, items = zip(*(cell[1:] for cell in calibration() if cell[0] == scale), strict=True)
    return sorted(set(labels)), sorted(set(categories)), sorted(set(items))


def _around(axis: list[int], number: float) -> list[int]:
    """The two numbers of an axis that a number lies between, or the one that it is; none below the lowest.

    >>> _around([10, 20, 50], 30), _around([10, 20, 50], 20), _around([10, 20, 50], 80), _around([10, 20, 50], 8)
    ([20, 50], [20], [50], [])
    """
    if number < axis[0]:
        return []
    return sorted({*axis[bisect_right(axis, number) - 1 :][:1], *axis[bisect_left(axis, number) :][:1]})


def _unanimous(study: LabelStudy) -> bool:
    codes = np.where(study.codes < 0, study.codes.max(axis=1, keepdims=True), study.codes)
    return bool((codes == codes[:, :1]).all())
