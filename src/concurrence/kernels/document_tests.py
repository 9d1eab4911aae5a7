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
COMPARABLE = 1.2
"""Up to this ratio of their (harmonic) mean lengths, documents of both sides are dealt out as equals."""


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

    Documents are alike under the null hypothesis only if they are equally long. Where those of one side are more than a
    fifth longer, p is the largest of three: this one; that of a t whose variance is what documents of such lengths
    would have, :math:`s^2 + \bar r / size` with one s for both sides; and that of the exact test of all tokens, since
    documents cannot tell more than independent tokens would.

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
    inverse = None if comparable(sizes, is_a) else 1 / sizes[filled]
    seen = _statistics(rates, is_a[filled][:, None].astype(np.float64), inverse, n_a, n_b) * (1 - 1e-9)
    hits, done = np.zeros(seen.shape[:2]), 0
    for dealt in (_all_ways(n_a + n_b, n_a),) if exact else _random_ways(n_a + n_b, n_a, draws, seed):
        step = max(CELLS_AT_ONCE // dealt.shape[1], 1)
        for first in range(0, len(tried), step):
            rows = slice(first, first + step)
            hits[:, rows] += (_statistics(rates[rows], dealt, inverse, n_a, n_b) >= seen[:, rows]).sum(axis=-1)
            done += dealt.shape[1] * seen[:, rows].shape[1]
            if progress is not None:
                progress(done, len(tried) * (splits if exact else draws))
    p_values = np.ones(n_words)
    p_values[tried] = (hits / splits if exact else (1 + hits) / (1 + draws)).max(axis=0)
    return (
        p_values if inverse is None else np.maximum(p_values, token_p_values(words, documents, f, sizes, is_a, n_words))
    )


def comparable(sizes: Integers, is_a: Booleans) -> bool:
    """Whether the documents of both sides are about equally long."""
    inverse = [float((1 / sizes[(is_a == side) & (sizes > 0)]).mean()) for side in (True, False)]
    return max(inverse) <= COMPARABLE * min(inverse)


def token_p_values(
    words: Integers, documents: Integers, f: Integers, sizes: Integers, is_a: Booleans, n_words: int
) -> Reals:
    """Two-sided p-values where every token is a draw of its own: the share of side A among a word's tokens."""
    from scipy.stats import binom

    total = np.bincount(words, weights=f, minlength=n_words)
    f_a = np.bincount(words, weights=f * is_a[documents], minlength=n_words)
    share = sizes[is_a].sum() / sizes.sum()
    tail = np.minimum(binom.cdf(f_a, total, share), binom.sf(f_a - 1, total, share))
    return np.asarray(np.minimum(2 * tail, 1.0))


def mean_rate_differences(
    words: Integers, documents: Integers, f: Integers, sizes: Integers, is_a: Booleans, n_words: int
) -> Reals:
    """Mean relative frequency of the documents of side A less that of side B, which is what the p-values are about.

    >>> entries = np.zeros(3, int), np.arange(3), np.array([90, 3, 3])
    >>> mean_rate_differences(*entries, np.array([1000, 10, 10, 1000]), np.arange(4) % 2 == 0, 1).round(3)
    array([0.045])
    """
    n_a, n_b = sides_of(sizes, is_a)
    weight = np.where(is_a, 1 / max(n_a, 1), -1 / max(n_b, 1))[documents]
    rates = f / sizes[documents]
    difference = np.bincount(words, weights=rates * weight, minlength=n_words)
    scale = np.bincount(words, weights=rates * np.abs(weight), minlength=n_words)
    return np.asarray(np.where(np.abs(difference) > 1e-9 * scale, difference, 0.0))


def sides_of(sizes: Integers, is_a: Booleans) -> tuple[int, int]:
    """How many documents with any tokens are on either side."""
    return int((is_a & (sizes > 0)).sum()), int((~is_a & (sizes > 0)).sum())


def _statistics(rates: Any, dealt: Reals, inverse: Reals | None, n_a: int, n_b: int) -> Reals:
    """The sizes of the statistics for every word and way: (statistics, words, ways).

    The first is Welch's t, the second, where ``inverse`` lengths are given, the t of such lengths.
    """
    squares = rates * rates
    sum_a, square_a = rates @ dealt, squares @ dealt
    sum_b, square_b = rates.sum(axis=1)[:, None] - sum_a, squares.sum(axis=1)[:, None] - square_a
    difference = np.abs(sum_a / n_a - sum_b / n_b)
    # What is left of equal numbers after rounding is nothing.
    difference[difference <= 1e-9 * (sum_a / n_a + sum_b / n_b)] = 0
    around = [
        np.where((rest := square - total**2 / n) > 1e-9 * square, rest, 0)
        for total, square, n in ((sum_a, square_a, n_a), (sum_b, square_b, n_b))
    ]
    if min(n_a, n_b) < 2:
        variances = [np.ones_like(difference)]
    else:
        variances = [around[0] / (n_a * (n_a - 1)) + around[1] / (n_b * (n_b - 1))]
    if inverse is not None:
        variances.append(_variance_of_lengths(sum_a + sum_b, around[0] + around[1], inverse, dealt, n_a, n_b))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([np.where(difference > 0, difference / np.sqrt(variance), 0) for variance in variances])


def _variance_of_lengths(total: Reals, around: Reals, inverse: Reals, dealt: Reals, n_a: int, n_b: int) -> Reals:
    """The variance of the difference where words come in bursts of one strength and documents have these lengths."""
    mean = total / (n_a + n_b)
    inverse_a = inverse @ dealt
    inverse_b = inverse.sum() - inverse_a
    free = max(n_a + n_b - 2, 1)
    poisson = mean * (inverse_a * (n_a - 1) / n_a + inverse_b * (n_b - 1) / n_b)
    bursts = np.maximum(around - poisson, 0) / free
    variance: Reals = bursts * (1 / n_a + 1 / n_b) + mean * (inverse_a / n_a**2 + inverse_b / n_b**2)
    return variance


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
