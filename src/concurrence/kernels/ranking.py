"""Ranking with random tie-breaking under a recorded seed, n-best lists, and strata made of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from concurrence.core.errors import InvalidInputError
from concurrence.core.rankings import Ranking, Rankings, Ranks
from concurrence.kernels.digits import round_scores
from concurrence.kernels.dispersion import is_smallest_first
from concurrence.kernels.orders import TieBreak, key_order

OUTSIDE = "-"

__all__ = [
    "bands_of_best_rank",
    "key_order",
    "membership_cells",
    "rank_candidates",
    "ranked_column",
    "ranking",
    "ranks",
    "require_candidate_columns",
    "rounded_column",
    "run_ends",
    "score_column",
    "smallest_lists",
    "strata_of",
    "top_ranks",
    "union_of_best",
]


def ranks(scores: ArrayLike, *, seed: int | Sequence[int], order: NDArray[Any] | None = None) -> Ranks:
    """Ranks from 1, the highest score first, infinity before all, NaN after all.

    Ties are broken by one random permutation that the seed alone decides. It is dealt out to the
    candidates in ``order`` (the positions that sort them by their key), so that the order of a file
    does not matter, and it is the same for every measure, so that measures which rank alike get the
    same lists. Leading axes are a batch of measures. Here as everywhere, scores are equal if they are so to 12 digits.

    >>> ranks([2.0, np.inf, np.nan, 3.0], seed=0).tolist()
    [3, 1, 4, 2]
    >>> ranks([0.3, 0.1 + 0.2], seed=0).tolist() == ranks([0.3, 0.3], seed=0).tolist()
    True
    """
    values = round_scores(scores)
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
    ordered = np.sort(-round_scores(scores) + 0.0, axis=-1)
    here, after = ordered[..., :-1], ordered[..., 1:]
    last = np.ones(ordered.shape, dtype=bool)
    last[..., :-1] = (here != after) & ~(np.isnan(here) & np.isnan(after))
    size = ordered.shape[-1]
    ends = np.where(last, np.arange(1, size + 1), size)
    return np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]


def ranking(scores: ArrayLike, *, seed: int | Sequence[int], order: NDArray[Any] | None = None) -> Ranking:
    """One measure's ranks and runs of equal scores."""
    return Ranking(ranks=ranks(scores, seed=seed, order=order), run_ends=run_ends(scores))


def rank_candidates(
    table: pl.DataFrame,
    names: Sequence[str],
    *,
    key: Sequence[str] = ("l1", "l2"),
    seed: int | Sequence[int] = 0,
    within: int | None = None,
    ties: TieBreak | None = None,
) -> Rankings:
    """Rank the candidates of a table by columns of scores; with ``within``, only those of the lists up to that size.

    >>> table = pl.DataFrame({"l1": ["a", "b"], "l2": ["x", "y"], "f": [3, 7]})
    >>> rank_candidates(table, ["f"]).of("f").tolist()
    [2, 1]
    """
    require_candidate_columns(table, (*key, *names))
    keys = table.select(key) if ties is None else ties.keys
    recorded = seed if isinstance(seed, int) else seed[0]
    size = len(table)
    if within is not None and within < size:
        broken = (ties or TieBreak(keys=keys)).broken(seed) if names else np.empty(0, dtype=np.int32)
        best = [top_ranks(ranked_column(table, name), within, broken) for name in names]
        ranked = np.array(best, dtype=np.int32).reshape(len(names), size)
        return Rankings(keys=keys, names=tuple(names), ranks=ranked, seed=recorded, within=within)
    scores = np.array([ranked_column(table, name) for name in names]).reshape(len(names), size)
    return Rankings(
        keys=keys,
        names=tuple(names),
        ranks=ranks(scores, seed=seed, order=(ties or TieBreak(keys=keys)).order),
        seed=recorded,
        run_ends=run_ends(scores),
    )


def require_candidate_columns(table: pl.DataFrame, names: Sequence[str]) -> None:
    """Refuse candidates that lack a column."""
    for name in names:
        if name not in table.columns:
            columns = ", ".join(table.columns)
            raise InvalidInputError(f"There is no column {name!r} among the candidates; their columns are {columns}.")


def top_ranks(scores: NDArray[np.float64], within: int, ties: NDArray[np.int32]) -> NDArray[np.int32]:
    """The ranks of the best, as :func:`ranks` gives them; all others have the rank after the last of these.

    >>> top_ranks(np.array([2.0, np.inf, np.nan, 2.0]), 2, np.array([3, 0, 1, 2], dtype=np.int32)).tolist()
    [3, 1, 3, 2]
    """
    falling = -round_scores(scores) + 0.0
    edge = np.partition(falling, within - 1)[within - 1]
    rows = np.arange(len(falling)) if np.isnan(edge) else np.flatnonzero(falling <= edge)
    rows = rows[np.lexsort((ties[rows], falling[rows]))[:within]]
    result = np.full(len(falling), within + 1, dtype=np.int32)
    result[rows] = np.arange(1, within + 1, dtype=np.int32)
    return result


def ranked_column(table: pl.DataFrame, name: str) -> NDArray[np.float64]:
    """A column as numbers of which the highest ranks first: those of measures that are best at 0 are turned round.

    >>> ranked_column(pl.DataFrame({"dp": [0.2, 0.9]}), "dp").tolist()
    [-0.2, -0.9]
    """
    scores = score_column(table, name)
    return -scores if is_smallest_first(name) else scores


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


def rounded_column(table: pl.DataFrame, name: str) -> pl.Series:
    """A column as it is compared: scores to 12 digits, nothing where they are undefined.

    >>> rounded_column(pl.DataFrame({"f": [0.1 + 0.2, float("nan"), None]}), "f").to_list()
    [0.3, None, None]
    """
    return pl.Series(name, round_scores(score_column(table, name)), nan_to_null=True)


def union_of_best(all_ranks: Ranks, n: int) -> NDArray[np.bool_]:
    """Which candidates stand in the n-best list of at least one measure."""
    return np.asarray((all_ranks <= n).any(axis=-2))


def smallest_lists(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.int64]:
    """The smallest list of ``cuts`` that holds each rank: 0 for the first, ``len(cuts)`` outside of all.

    >>> smallest_lists(np.array([1, 500, 501, 9999]), [500, 1000]).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(np.sort(np.asarray(cuts)), all_ranks, side="left").astype(np.int64)


def bands_of_best_rank(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the best rank that any measure gives: ``500``, ``1000``, …, and ``-`` outside of all lists.

    >>> bands_of_best_rank(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500', '1000', '-']
    """
    return _names(cuts)[smallest_lists(all_ranks.min(axis=-2), cuts)]


def membership_cells(all_ranks: Ranks, cuts: Sequence[int]) -> NDArray[np.str_]:
    """Strata by the smallest list of each measure that holds a candidate, such as ``500/-``.

    >>> membership_cells(np.array([[1, 700, 3000], [900, 600, 2500]]), [500, 1000]).tolist()
    ['500/1000', '1000/1000', '-/-']
    """
    # Few of the possible cells are there; each is named once.
    by_measure, numbers = smallest_lists(all_ranks, cuts), np.zeros(all_ranks.shape[-1], dtype=np.int64)
    for level in by_measure:
        numbers = np.unique(numbers * (len(cuts) + 1) + level, return_inverse=True)[1]
    _, first, cell = np.unique(numbers, return_index=True, return_inverse=True)
    names = _names(cuts)[by_measure[:, first]]
    return np.array(["/".join(column) for column in names.T.tolist()], dtype=np.str_)[cell]


def strata_of(
    all_ranks: Ranks, *, design: str, sizes: Sequence[int], by: str | None
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The strata of a sampling design by name, sorted, and the number of each candidate's; -1 outside of all.

    >>> strata_of(np.array([[1, 3, 2], [1, 2, 3]]), design="strata", sizes=[1, 2], by="cells")
    (('-/2', '1/1', '2/-'), array([1, 0, 2], dtype=int32))
    >>> strata_of(np.array([[1, 3, 2], [1, 2, 3]]), design="difference", sizes=[2], by=None)
    (('-/2', '2/-'), array([-1,  0,  1], dtype=int32))
    """
    size = all_ranks.shape[-1]
    if design == "simple":
        return ("all",), np.zeros(size, dtype=np.int32)
    if design == "difference":
        return _difference_sets(all_ranks, max(sizes))
    listed = union_of_best(all_ranks, max(sizes))
    rows, found = np.flatnonzero(listed), np.full(size, -1, dtype=np.int32)
    if design == "union":
        found[rows] = 0
        return ("union",), found
    inside, rest = all_ranks[:, rows], rows.size < size
    held = (bands_of_best_rank if by == "bands" else membership_cells)(inside, sizes)
    outside = OUTSIDE if by == "bands" else "/".join([OUTSIDE] * len(all_ranks))
    names = sorted({*np.unique(held).tolist(), *([outside] if rest else [])})
    found[:] = names.index(outside) if rest else -1
    found[rows] = np.searchsorted(names, held)
    return tuple(names), found


def _difference_sets(all_ranks: Ranks, n: int) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """What only the second and only the first of two n-best lists has, under the names of the cells they are."""
    in_first, in_second = all_ranks <= n
    found = np.full(all_ranks.shape[-1], -1, dtype=np.int32)
    found[in_second & ~in_first] = 0
    found[in_first & ~in_second] = 1
    return (f"{OUTSIDE}/{n}", f"{n}/{OUTSIDE}"), found


def _names(cuts: Sequence[int]) -> NDArray[np.str_]:
    return np.array([*(str(cut) for cut in sorted(cuts)), OUTSIDE])
