"""Rankings with all ranks and runs made at once: the slow twin of ``kernels.ranking``, and rankings of bare scores."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from concurrence.kernels.digits import round_scores
from concurrence.kernels.ranking import Ranking, TieBreak


def ranking_of(scores, *, seed=0):
    """A ranking of candidates that have scores and nothing else, ties dealt out in the order in which they stand."""
    scores = np.asarray(scores, dtype=np.float64)
    return Ranking(scores=scores, ties=TieBreak(keys=pl.DataFrame({"row": np.arange(len(scores))})), seed=seed)


def ranking_by_ranks(ranks):
    """A ranking without ties from the rank of each candidate."""
    return ranking_of(-np.asarray(ranks, dtype=np.float64))


def whole_ranks(scores, *, seed, order=None):
    """Ranks from 1 by a stable sort of the candidates in tie order; leading axes are a batch of measures."""
    values = round_scores(scores)
    size = values.shape[-1]
    ties = np.empty(size, dtype=np.int64)
    ties[np.arange(size) if order is None else order] = np.random.default_rng(seed).permutation(size)
    by_tie = np.argsort(ties)
    best_first = by_tie[np.argsort(-values[..., by_tie], axis=-1, kind="stable")]
    result = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(result, best_first, np.broadcast_to(np.arange(1, size + 1), values.shape), axis=-1)
    return result


def run_ends(scores):
    """For each rank from 1 on, the last rank of its run of equal scores; undefined scores are one run."""
    ordered = np.sort(-round_scores(scores) + 0.0, axis=-1)
    here, after = ordered[..., :-1], ordered[..., 1:]
    last = np.ones(ordered.shape, dtype=bool)
    last[..., :-1] = (here != after) & ~(np.isnan(here) & np.isnan(after))
    size = ordered.shape[-1]
    ends = np.where(last, np.arange(1, size + 1), size)
    return np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]


@dataclass
class WholeRanking:
    """What a ranking answers, from all ranks and all ends of runs."""

    ranks: np.ndarray
    run_ends: np.ndarray

    @classmethod
    def untied(cls, ranks):
        return cls(ranks=np.asarray(ranks), run_ends=np.arange(1, len(ranks) + 1))

    def runs(self, n):
        before, end = self.run_of(n)
        return np.where(end == n, n, before), end

    def run_of(self, ranks):
        end = self.run_ends[ranks - 1]
        return np.searchsorted(self.run_ends, end), end

    def levels(self, *sizes):
        return tuple(np.searchsorted(one, self.ranks) for one in sizes)
