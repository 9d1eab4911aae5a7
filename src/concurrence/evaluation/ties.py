"""Ties broken at random, many times: a check of the averages over all orders, and how much one order decides."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.evaluation.results import TieDraws


def tie_draws(precisions: Sequence[Reals]) -> TieDraws:
    """Mean and spread of the precision over draws that differ only in how ties were broken."""
    known = _known(precisions)
    return TieDraws(
        draws=len(precisions),
        precision=known.mean(axis=0).filled(np.nan),
        standard_deviation=known.std(axis=0, ddof=1).filled(np.nan),
        low=known.min(axis=0).filled(np.nan),
        high=known.max(axis=0).filled(np.nan),
    )


def _known(precisions: Sequence[Reals]) -> Any:
    """The draws as rows; one in which nothing of a list was judged says nothing about its precision."""
    return np.ma.masked_invalid(np.array(precisions, dtype=np.float64), copy=False)
