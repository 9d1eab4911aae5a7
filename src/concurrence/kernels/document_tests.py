"""Is something more frequent in one set of documents than in another? A test that shuffles whole documents.

Words of a document are not independent: one document may use a word all the time. Whoever counts tokens as if they were
finds differences everywhere (Lijffijt et al. 2016). Here every document stays whole, and what chance does is seen from
how the difference changes when documents are dealt out anew to the two sides.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

CELLS_AT_ONCE = 1 << 22
FEWEST_SPLITS = 20
"""With fewer ways to deal out the documents, no p-value can be .05 or less."""

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Mask = NDArray[np.bool_]


def n_splits(n_a: int, n_b: int) -> int:
    """In how many ways the documents can be dealt out."""
    return comb(n_a + n_b, n_a)


def document_p_values(
    words: Integers,
    documents: Integers,
    f: Integers,
    sizes: Integers,
    is_a: Mask,
    *,
    n_words: int,
    draws: int,
    seed: int,
) -> Reals:
    r"""Two-sided p-values of the difference between relative frequencies, by shuffling documents.

    ``words``, ``documents`` and ``f`` are entries: a word occurs so often in a document of ``sizes[document]`` tokens.
    If there are no more than ``draws`` ways to deal out the documents, all are tried and p is exact; otherwise
    :math:`p = (1 + k) / (1 + n)`, where k of n random ways have a difference at least as large. NaN where there are too
    few ways for any p-value of .05 or less.

    References: Lijffijt, Nevalainen, Säily, Papapetrou, Puolamäki and Mannila (2016) on why; Phipson and Smyth (2010)
    on the estimate.

    >>> halves = np.arange(8) < 4
    >>> entries = np.zeros(4, int), np.arange(4), np.full(4, 3)
    >>> float(document_p_values(*entries, np.full(8, 50), halves, n_words=1, draws=99, seed=0)[0].round(4))
    0.0286
    """
    from scipy.sparse import csr_array

    n_a = int(is_a.sum())
    splits = n_splits(n_a, len(is_a) - n_a)
    if splits < FEWEST_SPLITS:
        return np.full(n_words, np.nan)
    exact = splits <= draws
    table = csr_array((f.astype(np.float64), (words, documents)), shape=(n_words, len(is_a)))
    total, whole = table.sum(axis=1), float(sizes.sum())
    own_a = float(sizes[is_a].sum())
    seen = np.abs(_difference(table @ is_a.astype(np.float64), total, own_a, whole)) * (1 - 1e-9)
    hits = np.zeros(n_words)
    for dealt in (_all_ways(len(is_a), n_a),) if exact else _random_ways(len(is_a), n_a, draws, seed):
        in_a = (sizes.astype(np.float64) @ dealt)[None]
        step = max(CELLS_AT_ONCE // dealt.shape[1], 1)
        for first in range(0, n_words, step):
            rows = slice(first, first + step)
            by_chance = np.abs(_difference(table[rows] @ dealt, total[rows][:, None], in_a, whole))
            hits[rows] += (by_chance >= seen[rows][:, None]).sum(axis=1)
    return hits / splits if exact else (1 + hits) / (1 + draws)


def _difference(f_a: Reals, total: Reals, n_a: Reals | float, whole: float) -> Reals:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(f_a / n_a) - np.nan_to_num((total - f_a) / (whole - n_a)))


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
