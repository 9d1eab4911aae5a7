"""Dispersion by its definitions, slowly."""

import numpy as np


def slow(counts, sizes):
    """Every measure of something that occurs so often in parts of these sizes."""
    n, total = len(sizes), sum(counts)
    o, s, r = (
        [c / total for c in counts],
        [z / sum(sizes) for z in sizes],
        [c / z for c, z in zip(counts, sizes, strict=True)],
    )
    mean = sum(r) / n
    deviation = (sum((x - mean) ** 2 for x in r) / n) ** 0.5
    p = [x / sum(r) for x in r]
    dp = sum(abs(a - b) for a, b in zip(o, s, strict=True)) / 2
    pairs = [abs(r[i] - r[j]) for i in range(n) for j in range(i)]
    return {
        "range": sum(c > 0 for c in counts) / n,
        "juilland_d": 1 - deviation / mean / (n - 1) ** 0.5,
        "carroll_d2": -sum(x * np.log2(x) for x in p if x) / np.log2(n),
        "rosengren_s": sum((a * b) ** 0.5 for a, b in zip(s, o, strict=True)) ** 2,
        "dp": dp,
        "dp_norm": dp / (1 - min(s)),
        "da": 1 - sum(pairs) / len(pairs) / (2 * mean),
        "dkl": 1 / (1 + sum(a * np.log2(a / b) for a, b in zip(o, s, strict=True) if a)),
    }


def slow_arf(places, n):
    """The average reduced frequency of what occurs at these places, of n on a ring."""
    places = sorted(places)
    v = n / len(places)
    gaps = [later - place for place, later in zip(places, [*places[1:], places[0] + n], strict=True)]
    return sum(min(gap, v) for gap in gaps) / v
