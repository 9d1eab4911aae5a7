"""How evenly words are spread over the parts of a corpus: all measures of the literature in one pass.

A word is given by how often it occurs in each part where it does (sparse); parts where it does not occur count as well.
"""

import numpy as np

from concurrence.core.arrays import Integers, Reals

NAMES = ("range", "juilland_d", "carroll_d2", "rosengren_s", "dp", "dp_norm", "da", "dkl")
TITLES = {
    "range": "range",
    "juilland_d": "Juilland's D",
    "carroll_d2": "Carroll's D2",
    "rosengren_s": "Rosengren's S",
    "dp": "DP",
    "dp_norm": "DP norm.",
    "da": "DA",
    "dkl": "DKL",
    "arf": "ARF",
}
"""Every measure with the name that people read."""

COLUMNS = tuple(TITLES)
SMALLEST_FIRST = frozenset({"dp", "dp_norm"})
"""Measures that are 0 where something is spread evenly; of all others, more is more even."""


def dispersion(words: Integers, parts: Integers, f: Integers, sizes: Integers, *, n_words: int) -> dict[str, Reals]:
    r"""Every measure of every word, NaN where there is none (a word that never occurs, or a corpus of one part).

    ``words``, ``parts`` and ``f`` are entries: a word occurs so often in a part of ``sizes[part]`` tokens. With
    :math:`o_i` the share of the word's occurrences in part i, :math:`s_i` the share of the corpus, and :math:`r_i` the
    relative frequency in the part:

    .. math::
        D = 1 - \frac{\sigma_r / \bar r}{\sqrt{n - 1}}, \quad
        D_2 = \frac{-\sum_i p_i \log_2 p_i}{\log_2 n},\ p_i = \frac{r_i}{\sum_j r_j}, \quad
        S = \Bigl(\sum_i \sqrt{s_i o_i}\Bigr)^2, \quad
        DP = \tfrac12 \sum_i |o_i - s_i|

    0 is even for ``dp`` and ``dp_norm``; 1 is even for all others. ``dp_norm`` divides by 1 minus the smallest part.

    References: Juilland and Chang-Rodríguez (1964); Carroll (1970); Rosengren (1971); Gries (2008); Lijffijt and Gries
    (2012); Burch, Egbert and Biber (2017); Gries (2021).

    >>> columns = dispersion(np.array([0, 0]), np.array([0, 1]), np.array([3, 3]), np.array([50, 50, 100]), n_words=1)
    >>> round(float(columns["dp"][0]), 3), round(float(columns["range"][0]), 3)
    (0.5, 0.667)
    """
    n = len(sizes)
    share = sizes / sizes.sum()
    total = np.bincount(words, weights=f, minlength=n_words)
    o, s, r = f / total[words], share[parts], f / sizes[parts]
    per_word = np.bincount(words, minlength=n_words)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = _sum(words, r, n_words) / n
        absent = (n - per_word) * mean**2
        deviation = np.sqrt((_sum(words, (r - mean[words]) ** 2, n_words) + absent) / n)
        dp = (_sum(words, np.abs(o - s), n_words) + 1 - _sum(words, s, n_words)) / 2
        kl = _sum(words, o * np.log2(o / s), n_words)
        columns = {
            "range": per_word / n,
            "juilland_d": 1 - deviation / mean / np.sqrt(n - 1),
            "carroll_d2": (np.log2(n * mean) - _sum(words, r * np.log2(r), n_words) / (n * mean)) / np.log2(n),
            "rosengren_s": _sum(words, np.sqrt(s * o), n_words) ** 2,
            "dp": dp,
            "dp_norm": dp / (1 - share.min()),
            "da": 1 - _mean_difference(words, r, per_word, n) / (2 * mean),
            "dkl": 1 / (1 + kl),
        }
    one_part = ("juilland_d", "carroll_d2", "dp_norm", "da") if n == 1 else ()
    return {
        name: np.where(total > 0, np.nan if name in one_part else column, np.nan) for name, column in columns.items()
    }


def _sum(words: Integers, entries: Reals, n_words: int) -> Reals:
    return np.asarray(np.bincount(words, weights=entries, minlength=n_words), dtype=np.float64)


def _mean_difference(words: Integers, r: Reals, per_word: Integers, n: int) -> Reals:
    """The mean difference between the relative frequencies of two parts: sorted, each counts by its rank."""
    order = np.lexsort((r, words))
    begins = np.cumsum(per_word) - per_word
    rank = np.arange(len(order)) - begins[words[order]] + n - per_word[words[order]] + 1
    return _sum(words[order], r[order] * (2 * rank - n - 1), len(per_word)) / (n * (n - 1) / 2)


def average_reduced_frequency(words: Integers, places: Integers, tokens: int, *, n_words: int) -> Reals:
    r"""Savický and Hlaváčová's ARF: the frequency, reduced where occurrences stand close together.

    ``places`` are the occurrences of each word in turn, in order, counted from 0 among ``tokens``; the last one is
    followed by the first, as on a ring. With :math:`v = N / f`, :math:`ARF = \frac1v \sum_i \min(d_i, v)`.

    References: Savický and Hlaváčová (2002).

    >>> average_reduced_frequency(np.zeros(2, int), np.array([0, 5]), 10, n_words=1).tolist()
    [2.0]
    """
    f = np.bincount(words, minlength=n_words)
    gaps = np.diff(places, append=0)
    last = np.cumsum(f) - 1
    there = f > 0
    first = (np.cumsum(f) - f)[there]
    gaps[last[there]] = places[first] + tokens - places[last[there]]
    with np.errstate(divide="ignore", invalid="ignore"):
        v = tokens / f
        reduced = np.bincount(words, weights=np.minimum(gaps, v[words]), minlength=n_words) / v
    return np.where(there, reduced, np.nan)
