"""Whether two judges agree more with each other than their agreement with the humans explains."""

from collections.abc import Sequence
from itertools import combinations
from math import nan

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from concurrence.core import Labels
from concurrence.core.arrays import Reals
from concurrence.core.sentences import Sentence, format_p
from concurrence.core.values import value
from concurrence.kernels.holm import holm

FEWEST_ITEMS = 30
MOST_CELLS = 1 << 26


@value
class SharedMistakes:
    """Two judges on the items that they and at least two humans labelled.

    Agreement is beyond chance, as in the numerator of kappa. ``expected`` is that of judges who err independently of
    each other and agree with the humans as these two do. ``p_value`` is one-sided and corrected for all pairs of judges
    (Holm); it is NaN with fewer than 30 items, or if humans do not agree beyond chance.
    """

    judges: tuple[str, str]
    items: int
    agreement: float
    expected: float
    p_value: float


def shared_mistakes(labels: Labels, judges: Sequence[str]) -> tuple[SharedMistakes, ...]:
    r"""Every two judges; nothing without two humans.

    If coders err independently given what an item truly is, and know it or guess, agreement beyond chance is a product
    of a factor of either coder. So two judges agree by :math:`A_{1h} A_{2h} / A_{hh}`, where :math:`A_{1h}` is the mean
    agreement of the first with the humans, and :math:`A_{hh}` that of the humans with each other. The test takes
    :math:`A_{12} A_{hh} - A_{1h} A_{2h}` over its error, by Student's t; humans of different skill make it smaller.

    References: Spearman (1904) for differences of products.
    """
    humans = [k for k, name in enumerate(labels.coders) if name not in judges]
    if len(humans) < 2 or labels.n_items * len(labels.categories) > MOST_CELLS:
        return ()
    pairs = list(combinations(judges, 2))
    tests = [_test(labels, labels.coder_index(a), labels.coder_index(b), humans) for a, b in pairs]
    p_values = np.array([test[-1] for test in tests])
    defined = np.isfinite(p_values)
    p_values[defined] = holm(p_values[defined])
    return tuple(
        SharedMistakes(judges=pair, items=n, agreement=agreement, expected=expected, p_value=float(p_value))
        for pair, (n, agreement, expected, _), p_value in zip(pairs, tests, p_values, strict=True)
    )


def _test(labels: Labels, first: int, second: int, humans: Sequence[int]) -> tuple[int, float, float, float]:
    """Items, agreement, expected agreement and the p-value of two judges."""
    codes = labels.codes
    rows = (codes[:, [first, second]] >= 0).all(axis=1) & ((codes[:, humans] >= 0).sum(axis=1) >= 2)
    codes, n = codes[rows], int(rows.sum())
    if n < 2:
        return n, nan, nan, nan
    size = len(labels.categories)
    one, other = (_centred(codes[:, [k]], size)[0] for k in (first, second))
    sums, squares = _centred(codes[:, humans], size)
    given = (codes[:, humans] >= 0).sum(axis=1)
    means = sums / given[:, None]
    products = (
        (one * other).sum(axis=1),
        ((sums**2).sum(axis=1) - squares) / (given * (given - 1)),
        (one * means).sum(axis=1),
        (other * means).sum(axis=1),
    )
    judges, among, with_one, with_other = (float(each.sum()) / (n - 1) for each in products)
    expected = with_one * with_other / among if among > 0 else nan
    added = products[0] * among + products[1] * judges - products[2] * with_other - products[3] * with_one
    error = float(added.std(ddof=1)) / np.sqrt(n)
    if n < FEWEST_ITEMS or not among > 0 or not error > 0:
        return n, judges, expected, nan
    return n, judges, expected, float(stdtr(n - 1, -(judges * among - with_one * with_other) / error))


def _centred(codes: NDArray[np.signedinteger], size: int) -> tuple[Reals, Reals]:
    """For each item the sum over coders of labels less the coder's rates (items x categories), and of their squares."""
    sums, squares = np.zeros((len(codes), size)), np.zeros(len(codes))
    for column in codes.T:
        rows = np.flatnonzero(column >= 0)
        rates = np.bincount(column[rows], minlength=size) / max(len(rows), 1)
        sums[rows] -= rates
        sums[rows, column[rows]] += 1
        squares[rows] += 1 - 2 * rates[column[rows]] + float(rates @ rates)
    return sums, squares


def same_mistakes_sentences(tests: Sequence[SharedMistakes], alpha: float) -> tuple[Sentence, ...]:
    """A warning for every two judges that were shown to agree more than expected."""
    return tuple(
        Sentence(
            code="same_mistakes",
            text=f"{test.judges[0]} and {test.judges[1]} give the same label more often than their agreement with the "
            f"humans explains ({format_p(test.p_value)}): they make the same mistakes and count for less than two "
            "judges.",
            warning=True,
        )
        for test in tests
        if test.p_value <= alpha
    )
