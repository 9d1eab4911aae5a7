"""Tests of verdicts: a judge does better than guessing, parts of the corpus differ, and the model fits.

The first two shuffle the candidates, so that their level holds however few candidates there are and whatever the errors
of the judges, which equal parts do not determine. The last one draws verdicts by the model: in a table with few
candidates in most patterns, or with an error rate near 0, the deviance does not follow chi-squared.
"""

from dataclasses import replace
from math import nan

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.prevalence.verdicts import VerdictPatterns, fitted_near

SHUFFLES = 4999
MOST = 10**8
"""More candidates are scaled down to so many before they are shuffled."""
SAME = 1e-9  # statistics that are equal on paper may differ by rounding
GUESSING, EQUAL_PARTS, FIT = 8, 9, 10  # streams of their own
DRAWS, ENOUGH = 199, 10
"""How many draws of verdicts are fitted at most, and how many that fit no better are enough (Besag & Clifford 1991)."""


def chance_of_guessing(patterns: VerdictPatterns, place: int, seed: int) -> float:
    """The p-value of a judge whose verdicts depend neither on the part nor on what the others say."""
    cube = patterns.counts.reshape(-1, *(2,) * len(patterns.judges))
    table = np.moveaxis(cube, place + 1, 0).reshape(2, -1)
    return chance_of_independence(table, np.random.default_rng((seed, GUESSING, place)))


def chance_of_equal_parts(patterns: VerdictPatterns, seed: int) -> float:
    """The p-value of parts that all have the same frequencies of patterns, as with equal rates."""
    return chance_of_independence(patterns.counts, np.random.default_rng((seed, EQUAL_PARTS)))


def chance_of_fit(patterns: VerdictPatterns, best: Reals, seed: int) -> float:
    """The p-value of the model, from the deviance of verdicts that are drawn by it; NaN where it fits every count."""
    if not patterns.freedom:
        return nan
    random, limit = np.random.default_rng((seed, FIT)), patterns.deviance(best) * (1 - SAME)
    sizes, chances = patterns.counts.sum(axis=1), patterns.chances(best)[0]
    chances, worse = chances / chances.sum(axis=1, keepdims=True), 0
    for draw in range(1, DRAWS + 1):
        counts = random.multinomial(np.rint(sizes).astype(np.int64), chances).astype(np.float64)
        drawn = replace(patterns, counts=counts)
        worse += drawn.deviance(fitted_near(drawn.loss, best)) >= limit
        if worse == ENOUGH:
            return worse / draw
    return (1 + worse) / (1 + DRAWS)


def chance_of_independence(table: Reals, random: np.random.Generator) -> float:
    """The p-value of rows and columns that are independent, against differences in a single direction.

    The statistic is the largest root of Pearson's residuals. Parts whose judges have the same errors differ in one
    direction alone, that from false to true candidates; with two rows it is Pearson's chi-squared.

    >>> chance_of_independence(np.array([[30.0, 10], [10, 30]]), np.random.default_rng(0))
    0.0002
    """
    whole = np.rint(table * min(1.0, MOST / max(table.sum(), 1.0))).astype(np.int64)
    whole = whole[whole.sum(axis=1) > 0][:, whole.sum(axis=0) > 0]
    if min(whole.shape) < 2:
        return 1.0
    seen, shuffled = _largest_root(whole), _largest_root(random_tables(whole, SHUFFLES, random))
    return float((1 + (shuffled >= seen * (1 - SAME)).sum()) / (1 + SHUFFLES))


def random_tables(table: Integers, draws: int, random: np.random.Generator) -> Integers:
    """Tables (draws x rows x columns) with the margins of this one, as by shuffling what it counts.

    >>> random_tables(np.array([[3, 0], [1, 2]]), 50, np.random.default_rng(0)).sum(axis=1).tolist() == [[4, 2]] * 50
    True
    """
    open_columns = np.tile(table.sum(axis=0), (draws, 1))
    tables = np.zeros((draws, *table.shape), dtype=np.int64)
    for row, size in enumerate(table.sum(axis=1)[:-1].tolist()):
        left, behind = np.full(draws, size), open_columns.sum(axis=1)
        for column in range(table.shape[1] - 1):
            column_total = open_columns[:, column]
            behind = behind - column_total
            tables[:, row, column] = random.hypergeometric(column_total, behind, left)
            left = left - tables[:, row, column]
        tables[:, row, -1] = left
        open_columns = open_columns - tables[:, row]
    tables[:, -1] = open_columns
    return tables


def _largest_root(tables: Integers) -> Reals:
    """Of each table, the largest squared singular value of Pearson's residuals."""
    rows, columns = tables.sum(axis=-1, keepdims=True), tables.sum(axis=-2, keepdims=True)
    expected = rows * (columns / tables.sum(axis=(-2, -1), keepdims=True))
    roots = np.linalg.svd((tables - expected) / np.sqrt(expected), compute_uv=False)
    return np.asarray(roots[..., 0] ** 2)
