"""Merging: speed against recomputing, and whether the guards do what they promise.

A simulated word has two coders (or three) who share a true category on some items. *Unstructured* disagreement is
a guess by the coders' common habits; *structured* disagreement stays inside pairs of categories; *chance* is
guessing alone. A word is reported as reliable where the search reaches .8 with two or more classes and
``chance_p_value`` is below .05.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

import numpy as np

from benchmarks.rows import Row, best_times
from concurrence.api.labels import merge
from concurrence.core import Labels
from concurrence.merging.search import Stop, search, unrestricted_scope
from concurrence.merging.tables import COEFFICIENTS, tables_of
from concurrence.merging.units import merging_items

WORDS = 300
CATEGORIES = 200
GROUPS, GROUP_ITEMS = 45, 4800
QUICK = {"WORDS": 2, "CATEGORIES": 12, "GROUPS": 2, "GROUP_ITEMS": 30}

Draw = Callable[[np.random.Generator, int, int], np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Rates:
    """What became of the simulated words."""

    kappa: float
    reached: float
    after: float
    heldout: float
    reliable: float


def run() -> list[Row]:
    return [*speed_rows(), large_row(), *guard_rows()]


def speed_rows() -> list[Row]:
    """The first merges of 200 categories, against kappa computed anew for every pair."""
    rng = np.random.default_rng(0)
    k = CATEGORIES
    first = rng.integers(0, k, 4000)
    codes = np.stack([first, np.where(rng.random(4000) < 0.5, first, rng.integers(0, k, 4000))], axis=1)
    labels = labels_of(codes, k)
    tables = tables_of(merging_items(labels, np.arange(4000), at_least=2), COEFFICIENTS["scott_pi"])
    table = np.bincount(codes[:, 0] * k + codes[:, 1], minlength=k * k).reshape(k, k).astype(float)

    def ours() -> list[tuple[int, int]]:
        path = search(tables, np.arange(k), unrestricted_scope(k), Stop(most=2))
        return list(zip(path.first[0], path.second[0], strict=True))

    def anew() -> list[tuple[int, int]]:
        return merge_by_recomputing(table, merges=2)

    if ours() != anew():
        raise AssertionError("the quick search and the recomputing one merged different categories")
    quick, slow = best_times(ours, anew, rounds=2)
    work, peer = f"merge {k} categories, the first two steps", "kappa computed anew for every pair"
    return [Row(area="merging", work=work, quantity="CPU s", ours=quick, peer=peer, against=slow, limit=0.01)]


def merge_by_recomputing(table: np.ndarray, *, merges: int) -> list[tuple[int, int]]:
    """Merge two categories, compute kappa, for every pair; take the best."""
    first = list(range(len(table)))
    merged_pairs = []
    for _ in range(merges):
        best = (-np.inf, 0, 0)
        for i, j in combinations(range(len(table)), 2):
            value = pooled_kappa(merge_categories(table, i, j))
            if value > best[0]:
                best = (value, i, j)
        _, i, j = best
        merged_pairs.append((first[i], first[j]))
        table = merge_categories(table, i, j)
        first.pop(j)
    return merged_pairs


def merge_categories(table: np.ndarray, i: int, j: int) -> np.ndarray:
    merged = table.copy()
    merged[i] += merged[j]
    merged[:, i] += merged[:, j]
    return np.delete(np.delete(merged, j, axis=0), j, axis=1)


def pooled_kappa(table: np.ndarray) -> float:
    n = table.sum()
    expected = (((table.sum(axis=0) + table.sum(axis=1)) / (2 * n)) ** 2).sum()
    return float((np.trace(table) / n - expected) / (1 - expected))


def large_row() -> Row:
    """45 words, 1.08 million labels of 228 coders, by Krippendorff's alpha."""
    rng = np.random.default_rng(0)
    n_items = GROUPS * GROUP_ITEMS
    truth = rng.integers(0, 12, (n_items, 1))
    labels_given = np.where(rng.random((n_items, 5)) < 0.5, truth, truth // 2 * 2)
    codes = np.full((n_items, 228), -1, dtype=np.int32)
    start = rng.integers(0, 224, (n_items, 1))
    np.put_along_axis(codes, start + np.arange(5), labels_given.astype(np.int32), axis=1)
    labels = labels_of(codes, 12, groups=np.repeat(np.arange(GROUPS).astype(str).astype(object), GROUP_ITEMS))
    begin = perf_counter()
    merge(labels, coefficient="krippendorff_alpha", guards=False)
    work = f"merge {GROUPS} words, {5 * n_items:,} labels of 228 coders, alpha, no guards"
    seconds = perf_counter() - begin
    return Row(area="merging", work=work, quantity="wall s", ours=seconds, peer="promise", against=10.0, limit=1)


def guard_rows() -> list[Row]:
    """How often words are reported as reliable, against the rates that are promised."""
    cases = [
        ("unstructured disagreement, N = 50, M = 8", unstructured, 50, 8, 0.06, "at most"),
        ("unstructured disagreement, N = 100, M = 8", unstructured, 100, 8, 0.02, "at most"),
        ("structured disagreement, N = 50, M = 8", structured, 50, 8, 0.95, "at least"),
        ("structured disagreement, N = 100, M = 8", structured, 100, 8, 0.95, "at least"),
        ("chance, N = 100, M = 7", chance, 100, 7, 0.05, "at most"),
        ("three coders, unstructured, N = 50, M = 8", unstructured_three, 50, 8, 0.06, "at most"),
        ("three coders, structured, N = 50, M = 8", structured_three, 50, 8, 0.95, "at least"),
    ]
    rows = []
    for work, draw, n, m, promise, side in cases:
        rate = simulate(draw, n, m, words=WORDS).reliable
        work = f"words reported as reliable: {work}"
        rows.append(
            Row(
                area="merging", work=work, quantity="rate", ours=rate, peer="promise", against=promise,
                limit=1, limit_is=side,
            )
        )  # fmt: skip
    return rows


def simulate(draw: Draw, n_items: int, n_categories: int, *, words: int, seed: int = 0) -> Rates:
    """Merge as many words, each a group of its own."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([draw(rng, n_items, n_categories) for _ in range(words)])
    groups = np.repeat(np.array([f"word {k}" for k in range(words)], dtype=object), n_items)
    merged_groups = list(merge(labels_of(codes, n_categories, groups=groups)).groups.values())
    reached = [group for group in merged_groups if not group.collapsed and group.reached]
    heldout_kappas = [group.heldout.kappa for group in reached if group.heldout is not None]
    return Rates(
        kappa=float(np.mean([group.before.kappa for group in merged_groups])),
        reached=len(reached) / words,
        after=float(np.mean([group.after.kappa for group in reached])) if reached else float("nan"),
        heldout=float(np.nanmean(heldout_kappas)) if heldout_kappas else float("nan"),
        reliable=sum(group.reliable is True for group in merged_groups) / words,
    )


def unstructured(rng: np.random.Generator, n: int, m: int, coders: int = 2) -> np.ndarray:
    """Every coder knows the truth with probability .68 and otherwise follows the common habits: kappa about .46."""
    habits = rng.dirichlet(np.full(m, 2.0))
    truth = rng.choice(m, n, p=habits)
    guesses = rng.choice(m, (n, coders), p=habits)
    return np.where(rng.random((n, coders)) < 0.68, truth[:, None], guesses)


def structured(rng: np.random.Generator, n: int, m: int, coders: int = 2) -> np.ndarray:
    """Coders cannot tell the two categories of a pair apart, and err beyond it once in fifty labels."""
    truth = rng.choice(m, n, p=rng.dirichlet(np.full(m, 5.0)))
    inside = truth[:, None] // 2 * 2 + rng.integers(0, 2, (n, coders))
    return np.where(rng.random((n, coders)) < 0.02, rng.integers(0, m, (n, coders)), inside)


def chance(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Nobody knows anything."""
    return rng.integers(0, m, (n, 2))


def unstructured_three(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """As above, with three coders."""
    return unstructured(rng, n, m, coders=3)


def structured_three(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """As above, with three coders."""
    return structured(rng, n, m, coders=3)


def labels_of(codes: np.ndarray, n_categories: int, groups: np.ndarray | None = None) -> Labels:
    """Labels from codes, with numbers for names."""
    return Labels(
        codes=codes.astype(np.int32),
        categories=tuple(str(k) for k in range(n_categories)),
        coders=tuple(str(k) for k in range(codes.shape[1])),
        groups=groups,
    )
