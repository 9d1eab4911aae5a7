"""Whether a judge gives every category as often as before, and by how much more or less often."""

from collections.abc import Sequence

import numpy as np

from concurrence.agreement.judge.bounds import mean_shift_bounds, share_change_interval
from concurrence.agreement.labels.diagnosis.categories import HomogeneityTest, mcnemar, stuart_maxwell
from concurrence.agreement.labels.one_more_item import METHOD
from concurrence.agreement.labels.shifts import SCORE, MeanShift
from concurrence.core import Interval, Labels
from concurrence.core.arrays import Reals
from concurrence.core.numerals import parse_numbers
from concurrence.kernels.cross_table import CrossTable

DRAWS = 9999
NAME = "stuart_maxwell_permutation"


def category_shifts(
    differences: Reals, names: Sequence[str], labels: Labels, level: float, seed: int
) -> dict[str, MeanShift]:
    """How much one side leans from another: items x names, each category's share or the score.

    Where each side is one label, the interval of a share leaves out 0 just where McNemar's exact test of that category
    is significant.
    """
    if not np.isin(differences, (-1, 0, 1)).all() or list(names) == [SCORE]:
        scores = parse_numbers(labels.categories) if list(names) == [SCORE] else None
        reach = 1.0 if scores is None else float(np.ptp(scores))
        return mean_shift_bounds(differences, names, reach, level=level, seed=seed)
    more, less = (differences > 0).sum(axis=0), (differences < 0).sum(axis=0)
    ends = np.stack(share_change_interval(more, less, len(differences), level), axis=1).tolist()
    intervals = [Interval(low=low, high=high, level=level, method=METHOD) for low, high in ends]
    changes = zip(names, differences.mean(axis=0).tolist(), intervals, strict=True)
    return {name: MeanShift(value=mean, interval=interval) for name, mean, interval in changes}


def homogeneity_of_runs(table: CrossTable, seed: int) -> HomogeneityTest:
    """A test that both runs give every category equally often, which holds with few changes.

    If only two categories are exchanged, McNemar's exact test. Otherwise the statistic is Stuart and Maxwell's, and its
    p-value the share of 9,999 random swaps of the two labels of each item in which it is as large.

    References: Stuart (1955); Maxwell (1970); McNemar (1947).
    """
    asymptotic = stuart_maxwell(table)
    if asymptotic.statistic is None:
        return asymptotic
    first, second, one, other = table.directions()
    if len(first) == 1:
        return mcnemar([[0, float(one[0])], [float(other[0]), 0]], exact=True)
    confused, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    sides = np.zeros((len(first), len(confused)))
    rows = np.arange(len(first))
    sides[rows, places[: len(first)]], sides[rows, places[len(first) :]] = 1, -1
    items = np.rint(one + other).astype(np.int64)
    inverse = np.linalg.pinv(sides.T @ (items[:, None] * sides), hermitian=True)
    random = np.random.default_rng(seed)
    swapped = (2 * random.binomial(items, 0.5, size=(DRAWS, len(items))) - items) @ sides
    drawn = np.einsum("dk,kl,dl->d", swapped, inverse, swapped)
    as_large = int(np.sum(drawn >= asymptotic.statistic * (1 - 1e-9)))
    return HomogeneityTest(
        name=NAME,
        statistic=asymptotic.statistic,
        degrees_of_freedom=asymptotic.degrees_of_freedom,
        p_value=(1 + as_large) / (DRAWS + 1),
    )
