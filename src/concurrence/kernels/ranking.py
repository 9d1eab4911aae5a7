"""Ranking with random tie-breaking under a recorded seed, n-best lists, and strata made of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.rankings import Ranking, Rankings, Ranks, check_keys

OUTSIDE = "-"


def ranks(scores: ArrayLike, *, seed: int | Sequence[int], order: NDArray[Any] | None = None) -> Ranks:
    """Ranks from 1, the highest score first, infinity before all, NaN after all.

    Ties are broken by one random permutation that the seed alone decides. It is dealt out to the
    candidates in ``order`` (the positions that sort them by their key), so that the order of a file
    does not matter, and it is the same for every measure, so that measures which rank alike get the
    same lists. Leading axes are a batch of measures.

    >>> ranks([2.0, np.inf, np.nan, 3.0], seed=0).tolist()
    [3, 1, 4, 2]
    """
    values = np.asarray(scores, dtype=np.float64)
    size = values.shape[-1]
    ties = np.empty(size, dtype=np.int64)
    ties[np.arange(size) if order is None else order] = np.random.default_rng(seed).permutation(size)
    by_tie = np.argsort(ties)
    # A stable sort of candidates that already stand in tie order; numpy puts NaN last by itself.
    best_first = by_tie[np.argsort(-values[..., by_tie], axis=-1, kind="stable")]
    result = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(result, best_first, np.broadcast_to(np.arange(1, size + 1), values.shape), axis=-1)
    return result


def run_ends(scores: ArrayLike) -> Ranks:
    """For each rank from 1 on, the last rank of its run of equal scores; undefined scores are one run.

    >>> run_ends([7.0, 5.0, 5.0, np.nan, 5.0, np.nan]).tolist()
    [1, 4, 4, 4, 6, 6]
    """
    # Adding zero turns -0.0 into 0.0; sorted downwards, numpy leaves NaN at the end.
    ordered = np.sort(-np.asarray(scores, dtype=np.float64) + 0.0, axis=-1)
    here, after = ordered[..., :-1], ordered[..., 1:]
    last = np.ones(ordered.shape, dtype=bool)
    last[..., :-1] = (here != after) & ~(np.isnan(here) & np.isnan(after))
    size = ordered.shape[-1]
    ends = np.where(last, np.arange(1, size + 1), size)
    return np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]


def ranking(scores: ArrayLike, *, seed: int | Sequence[int], order: NDArray[Any] | None = None) -> Ranking:
    """One measure's ranks and runs of equal scores."""
    return Ranking(ranks=ranks(scores, seed=seed, order=order), run_ends=run_ends(scores))


def key_order(keys: pl.DataFrame) -> NDArray[np.int64]:
    """The positions that sort candidates by their key, text by code point."""
    return keys.select(pl.arg_sort_by(keys.columns)).to_series().to_numpy().astype(np.int64)


def rank_candidates(
    table: pl.DataFrame, names: Sequence[str], *, key: Sequence[str] = ("l1", "l2"), seed: int | Sequence[int] = 0
) -> Rankings:
    """Rank the candidates of a table by columns of scores.

    >>> table = pl.DataFrame({"l1": ["a", "b"], "l2": ["x", "y"], "f": [3, 7]})
    >>> rank_candidates(table, ["f"]).of("f").tolist()
    [2, 1]
    """
    for name in (*key, *names):
        if name not in table.columns:
            columns = ", ".join(table.columns)
            raise InvalidInputError(f"There is no column {name!r} among the candidates; their columns are {columns}.")
    keys = table.select(key)
    check_keys(keys)
    scores = np.array([score_column(table, name) for name in names]).reshape(len(names), len(table))
    recorded = seed if isinstance(seed, int) else seed[0]
    return Rankings(
        keys=keys,
        names=tuple(names),
        ranks=ranks(scores, seed=seed, order=key_order(keys)),
        seed=recorded,
        run_ends=run_ends(scores),
    )


def score_column(table: pl.DataFrame, name: str) -> NDArray[np.float64]:
    """A column as numbers, NaN where there is none; text that is no number is refused."""
    column = table[name]
    if column.dtype == pl.String:
        numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
        wrong = column.is_not_null() & numbers.is_null()
        if wrong.any():
            row = wrong.arg_max() or 0
            raise InvalidInputError(f"Row {row + 1}: {name} = {column[row]!r} is not a number, so it cannot be ranked.")
        column = numbers
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def union_of_best(all_ranks: Ranks, n: int) -> NDArray[np.bool_]:
    """Which candidates stand in the n-best list of at least one measure."""
    return np.asarray((all_ranks <= n).any(axis=-2))


def levels(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.int64]:
    """The smallest list of ``cuts`` that holds each rank: 0 for the first, ``len(cuts)`` outside of all.

    >>> levels(np.array([1, 500, 501, 9999]), [500, 1000]).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(np.sort(np.asarray(cuts)), all_ranks, side="left").astype(np.int64)


def bands_of_best_rank(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the best rank that any measure gives: ``500``, ``1000``, …, and ``-`` outside of all lists.

    >>> bands_of_best_rank(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500', '1000', '-']
    """
    return _names(cuts)[levels(all_ranks.min(axis=-2), cuts)]


def membership_cells(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the smallest list of each measure that holds a candidate, such as ``500/-``.

    >>> membership_cells(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500/1000', '1000/1000', '-/-']
    """
    names = _names(cuts)[levels(all_ranks, cuts)]
    cells: NDArray[np.str_] = np.array(["/".join(column) for column in names.T.tolist()])
    return cells


def stratum_names(all_ranks: Ranks, *, design: str, sizes: Sequence[int], by: str | None) -> NDArray[np.str_]:
    """The stratum of each candidate in a sampling design, an empty name outside of what it draws from."""
    if design == "simple":
        return np.full(all_ranks.shape[-1], "all")
    if design == "union":
        return np.where(union_of_best(all_ranks, max(sizes)), "union", "")
    return (bands_of_best_rank if by == "bands" else membership_cells)(all_ranks, sizes)


def _names(cuts: Sequence[int]) -> NDArray[np.str_]:
    return np.array([*(str(cut) for cut in sorted(cuts)), OUTSIDE])
