"""Is something more frequent in one set of documents than in another? A test that shuffles whole documents.

Words of a document are not independent: one document may use a word all the time. Whoever counts tokens as if they were
finds differences everywhere (Lijffijt et al. 2016). Here every document is one observation, its relative frequency, and
what chance does is seen from dealing out the documents anew to the two sides.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.core.options import Progress

CELLS_AT_ONCE = 1 << 22
FEWEST_SPLITS = 20
"""With fewer ways to deal out the documents, no p-value can be .05 or less."""


def n_splits(n_a: int, n_b: int) -> int:
    """In how many ways the documents can be dealt out."""
    return comb(n_a + n_b, n_a)


def document_p_values(
    words: Integers,
    documents: Integers,
    f: Integers,
    sizes: Integers,
    is_a: Booleans,
    *,
    n_words: int,
    draws: int,
    seed: int,
    progress: Progress | None = None,
) -> Reals:
    r"""Two-sided p-values of the difference between two sides, by shuffling documents.

    ``words``, ``documents`` and ``f`` are entries: a word occurs so often in a document of ``sizes[document]`` tokens.
    The statistic is Welch's t of the relative frequencies :math:`r = f / size` of the documents,

    .. math:: t = \frac{\bar r_A - \bar r_B}{\sqrt{s_A^2 / n_A + s_B^2 / n_B}}

    since a shuffled t keeps its level also where the sides differ in how large and how variable their documents are,
    which the difference alone does not. Documents without tokens are left out; where a side has a single one, the
    difference of the means is taken. If there are no more than ``draws`` ways to deal out the documents, all are tried
    and p is exact; otherwise :math:`p = (1 + k) / (1 + n)`, where k of n random ways have a t at least as large. NaN
    where there are too few ways for any p-value of .05 or less.

    References: Lijffijt, Nevalainen, Säily, Papapetrou, Puolamäki and Mannila (2016) on t; Chung and Romano (2013) on
    shuffling it; Phipson and Smyth (2010) on the estimate.

    >>> halves = np.arange(8) < 4
    >>> entries = np.zeros(4, int), np.arange(4), np.full(4, 3)
    >>> float(document_p_values(*entries, np.full(8, 50), halves, n_words=1, draws=99, seed=0)[0].round(4))
    0.0286
    """
    from scipy.sparse import csr_array

    n_a, n_b = sides_of(sizes, is_a)
    splits = n_splits(n_a, n_b)
    if splits < FEWEST_SPLITS:
        return np.full(n_words, np.nan)
    filled, exact = sizes > 0, splits <= draws
    number = np.cumsum(filled) - 1
    cells = (words, number[documents])
    rates = csr_array((f / sizes[documents], cells), shape=(n_words, n_a + n_b))
    rates.sum_duplicates()
    # What a single document has gives t = 1 wherever the document goes, so that p is 1.
    tried = np.flatnonzero(np.diff(rates.indptr) >= (2 if min(n_a, n_b) > 1 else 0))
    rates = rates[tried]
    seen = _welch(rates, is_a[filled][:, None].astype(np.float64), n_a, n_b)[:, 0] * (1 - 1e-9)
    hits, done = np.zeros(len(tried)), 0
    for dealt in (_all_ways(n_a + n_b, n_a),) if exact else _random_ways(n_a + n_b, n_a, draws, seed):
        step = max(CELLS_AT_ONCE // dealt.shape[1], 1)
        for first in range(0, len(tried), step):
            rows = slice(first, first + step)
            hits[rows] += (_welch(rates[rows], dealt, n_a, n_b) >= seen[rows][:, None]).sum(axis=1)
            done += dealt.shape[1] * len(seen[rows])
            if progress is not None:
                progress(done, len(tried) * (splits if exact else draws))
    p_values = np.ones(n_words)
    p_values[tried] = hits / splits if exact else (1 + hits) / (1 + draws)
    return p_values


def sides_of(sizes: Integers, is_a: Booleans) -> tuple[int, int]:
    """How many documents with any tokens are on either side."""
    return int((is_a & (sizes > 0)).sum()), int((~is_a & (sizes > 0)).sum())


def _welch(rates: Any, dealt: Reals, n_a: int, n_b: int) -> Reals:
    """The size of t for every word and way: (words, ways)."""
    squares = rates * rates
    sum_a, square_a = rates @ dealt, squares @ dealt
    sum_b, square_b = rates.sum(axis=1)[:, None] - sum_a, squares.sum(axis=1)[:, None] - square_a
    difference = np.abs(sum_a / n_a - sum_b / n_b)
    # What is left of equal numbers after rounding is nothing.
    difference[difference <= 1e-9 * (sum_a / n_a + sum_b / n_b)] = 0
    if min(n_a, n_b) < 2:
        return np.asarray(difference)
    variance = np.zeros_like(difference)
    for total, square, n in ((sum_a, square_a, n_a), (sum_b, square_b, n_b)):
        around = square - total**2 / n
        variance += np.where(around > 1e-9 * square, around, 0) / (n * (n - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(difference > 0, difference / np.sqrt(variance), 0))


def _all_ways(n: int, n_a: int) -> Reals:
    chosen = np.array(list(combinations(range(n), n_a)), dtype=np.int64)
    dealt = np.zeros((n, len(chosen)))
    dealt[chosen.T, np.arange(len(chosen))] = 1
    return dealt


def _random_ways(n: int, n_a: int, draws: int, seed: int) -> Iterator[Reals]:
    """Documents by draws, as many draws at once as fit."""
    random = np.random.default_rng(seed)
    step = max(CELLS_AT_ONCE // n, 1)
    for first in range(0, draws, step):
        dealt = np.zeros((n, min(step, draws - first)))
        for draw in range(dealt.shape[1]):
            dealt[random.permutation(n)[:n_a], draw] = 1
        yield dealt
