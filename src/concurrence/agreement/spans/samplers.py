"""Random documents in which coders mark as much as in the real ones, but elsewhere: chance for gamma.

``shuffle`` is the authors' (Mathet, Widlöcher & Métivier 2015, section 5.2): each random coder is a real one, drawn
with replacement, whose units are shifted by a random distance and wrapped at the end of the document; shifts differ by
at least half the mean length of a unit. ``statistical`` is that of pygamma-agreement (Titeux & Riad 2021): numbers,
gaps and lengths of units are drawn from normal distributions with the means and standard deviations of the document,
labels by their frequency.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from concurrence.agreement.spans.alignment import AlignmentUnits
from concurrence.core.arrays import Integers, Reals

MOST_TRIES = 100
SHORTEST = 1e-6

Drawn = tuple[Integers, Reals, Reals, Integers]
"""Coders, starts, ends and labels of a random document."""
Sampler = Callable[[AlignmentUnits, int, int, np.random.Generator], Drawn]


def shuffle(units: AlignmentUnits, length: int, n_coders: int, random: np.random.Generator) -> Drawn:
    """Shift the units of randomly drawn coders."""
    apart = float((units.end - units.start).mean()) / 2
    shifts: list[int] = []
    for _ in range(n_coders):
        shift = int(random.integers(length))
        for _ in range(MOST_TRIES):
            if all(abs(shift - other) >= apart for other in shifts):
                break
            shift = int(random.integers(length))
        shifts.append(shift)
    by_coder = [np.flatnonzero(units.coder == coder) for coder in range(n_coders)]
    who = random.integers(n_coders, size=n_coders)
    while not any(len(by_coder[coder]) for coder in who):
        who = random.integers(n_coders, size=n_coders)
    rows = np.concatenate([by_coder[coder] for coder in who])
    counts = [len(by_coder[coder]) for coder in who]
    start = (units.start[rows] + np.repeat(shifts, counts)) % length
    end = start + (units.end - units.start)[rows]
    return np.repeat(np.arange(n_coders), counts), start, end, units.label[rows]


def statistical(units: AlignmentUnits, length: int, n_coders: int, random: np.random.Generator) -> Drawn:  # noqa: ARG001
    """Draw numbers, gaps, lengths and labels of units."""
    sizes = np.bincount(units.coder, minlength=n_coders)
    lengths, gaps = units.end - units.start, _gaps(units)
    counts = np.abs(random.normal(sizes.mean(), sizes.std(), n_coders).astype(np.int64))
    if not counts.any():
        counts[0] = 1
    coder = np.repeat(np.arange(n_coders), counts)
    long = np.maximum(np.abs(random.normal(lengths.mean(), lengths.std(), len(coder))), SHORTEST)
    before = random.normal(gaps.mean(), gaps.std(), len(coder))
    end = np.cumsum(long + before)
    first = np.cumsum(counts) - counts
    end -= np.repeat(np.concatenate([[0.0], end])[first], counts)
    return coder, end - long, end, random.choice(units.label, len(coder))


def _gaps(units: AlignmentUnits) -> Reals:
    """What lies before each unit of a coder."""
    order = np.lexsort((units.end, units.start, units.coder))
    coder, start, end = units.coder[order], units.start[order], units.end[order]
    before = np.concatenate([[0.0], end[:-1]])
    before[np.concatenate([[True], np.diff(coder) != 0])] = 0.0
    return np.asarray(start - before)


SAMPLERS: dict[str, Sampler] = {"shuffle": shuffle, "statistical": statistical}


def draw(units: AlignmentUnits, lengths: Integers, sampler: str, times: int, seed: tuple[int, ...]) -> AlignmentUnits:
    """Random documents, ``times`` for each task; the tasks of a draw follow each other."""
    order, n_tasks = np.argsort(units.task, kind="stable"), len(units.n_coders)
    begins = np.searchsorted(units.task[order], np.arange(n_tasks + 1)).tolist()
    drawn: list[Drawn] = []
    tasks: list[int] = []
    for time in range(times):
        random = np.random.default_rng([*seed, time])
        for task, (begin, end) in enumerate(pairwise(begins)):
            if begin < end:
                some = units.only(order[begin:end])
                drawn.append(SAMPLERS[sampler](some, int(lengths[task]), int(units.n_coders[task]), random))
                tasks.append(time * n_tasks + task)
    columns = [np.concatenate(parts) for parts in zip(*drawn, strict=True)]
    of_unit = np.repeat(tasks, [len(one[0]) for one in drawn])
    names = dict(zip(("coder", "start", "end", "label"), columns, strict=True))
    return replace(units, task=of_unit, n_coders=np.tile(units.n_coders, times), **names)
