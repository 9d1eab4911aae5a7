"""Where the posterior interval of ``agree`` holds: the table that the program reads to call it trusted.

``python -m benchmarks.trust.calibrate`` simulates studies of every scale, number of labels per item, of categories and
of items in a grid, with close and with loose agreement and with even and uneven categories, and writes for every
coefficient in how many of them its posterior interval held the true value: the lowest of these shares is the cell.
Cells that are in the table already are kept, so that a run may end at any time. The worlds are not those of the page on
coverage, so that the table is tried there on data that did not make it.
"""

import csv
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from multiprocessing import get_context
from zlib import crc32

import numpy as np

from benchmarks.trust.labels import DRAWS, World, draw_study, true_value
from benchmarks.trust.settings import holds
from concurrence.agreement.labels.coefficients.inference import unmet_need
from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.posterior import posterior_interval, posterior_weights
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.coefficients.trust import CALIBRATION, Cell, calibration, scale_of
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow

FIRST, LAST = 200, 400
"""Studies of a world; the later ones only where the first leave it open whether .93 is reached."""
CLEAR = (0.88, 0.965)
ITEMS = (10, 20, 50)
KEYS = ("scale", "labels", "categories", "items")


def grid() -> Iterator[Cell]:
    """All cells. Many coders with many categories are left out: a study of theirs takes a quarter of a second."""
    yield from product(["nominal"], (2, 4, 10), (2, 3, 6), ITEMS)
    yield from product(["nominal"], (2, 4), (12,), (20, 50))
    for scale in ("ordinal", "interval"):
        yield from product([scale], (2, 4), (3, 5, 10), ITEMS)
        yield from product([scale], (10,), (3, 5), ITEMS)
    yield from product(["distances"], (2, 4), (5, 10), (20, 50))


def worlds(cell: Cell) -> list[World]:
    """Close and loose agreement, even and uneven categories."""
    scale, coders, categories, _ = cell
    if scale == "nominal":
        uneven = "rare" if categories == 2 else "skewed"
        kinds = [("nominal", 0.08, "even"), ("nominal", 0.15, uneven), ("nominal", 0.45, uneven)]
    else:
        names = ["ratio", "circular"] if scale == "distances" else [scale]
        wide = max(categories / 6, 1.0)
        near = [(0.35, "even"), (0.6 * wide, "skewed"), (1.0 * wide, "even")]
        kinds = [(name, noise, shares) for name in names for noise, shares in near]
    return [
        World(scale=name, coders=coders, categories=categories, noise=noise, shares=shares)
        for name, noise, shares in kinds
    ]


def coverage(cell: Cell) -> dict[str, float]:
    """Of every coefficient, the lowest share of studies whose interval held the truth; none where it has no value."""
    shares = [_shares(world, cell[-1]) for world in worlds(cell)]
    return {
        name: min(one[name] for one in shares if name in one)
        for name in COEFFICIENTS
        if any(name in one for one in shares)
    }


def _shares(world: World, n: int) -> dict[str, float]:
    """Of every coefficient that has a value in half of the studies."""
    random = np.random.default_rng(crc32(f"calibrate {world} {n}".encode()))
    held: dict[str, list[bool]] = {}
    for number in range(1, LAST + 1):
        study = draw_study(world, n, random)
        for name, inside in _held(study, world).items():
            held.setdefault(name, []).append(inside)
        if number == FIRST and all(_clear(one) for one in held.values()):
            break
    return {name: float(np.mean(one)) for name, one in held.items() if len(one) >= number / 2}


def _clear(held: list[bool]) -> bool:
    share = float(np.mean(held))
    return share >= CLEAR[1] or share <= CLEAR[0]


def _held(study: LabelStudy, world: World) -> dict[str, bool]:
    """Whether the posterior interval of every coefficient that has one holds the true value."""
    posterior = posterior_weights(study, draws=DRAWS)
    if posterior is None:
        return {}
    return {
        row.name: bool(
            holds(posterior_interval(study, values(row, *posterior), value, 0.95), true_value(row.name, world))
        )
        for row in _rows(study)
        if np.isfinite(value := float(values(row, study, study.weights)))
    }


def _rows(study: LabelStudy) -> list[CoefficientRow]:
    """The coefficients that have a value, and that compare labels by the scale of the study.

    Some have an exact interval where all items have two labels, but not where some have three.
    """
    graded = study.metric.kind != "nominal"
    return [
        row
        for row in COEFFICIENTS.values()
        if not unmet_need(row, study) and (scale_of(row, study) != "nominal") == graded
    ]


def write(cells: dict[Cell, dict[str, float]]) -> None:
    """Store all cells, in their order."""
    with CALIBRATION.open("w", encoding="utf-8", newline="") as lines:
        table = csv.writer(lines, lineterminator="\n")
        table.writerow([*KEYS, *COEFFICIENTS])
        for cell in sorted(cells):
            shares = (cells[cell].get(name) for name in COEFFICIENTS)
            table.writerow([*cell, *("" if share is None else f"{share:.3f}" for share in shares)])


def main() -> None:
    """Simulate the cells that are missing, and store each as it is done."""
    cells = dict(calibration()) if CALIBRATION.is_file() else {}
    missing = [cell for cell in grid() if cell not in cells]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        works = {pool.submit(coverage, cell): cell for cell in missing}
        for work in as_completed(works):
            cells[works[work]] = work.result()
            write(cells)
            print(works[work], work.result(), flush=True)


if __name__ == "__main__":
    main()
