"""Does one coder disagree with the others more than coders who are alike would? A test that shuffles labels.

If coders are alike, the labels of an item could have been given by its coders in any order. The test deals them out
anew within each item, and asks of the coder who disagrees most whether shuffled coders ever disagree as much.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Reals

DRAWS = 999
MOST_SHUFFLED = 300
"""With more items that differ in their labels, the sums are as good as normal."""
CELLS_AT_ONCE = 1 << 21


def outsider_p_values(study: LabelStudy, numbers: Reals | None, *, seed: int = 0) -> Reals:
    """One-sided p-values that coders disagree more than the others, corrected for all coders; a coder each.

    The statistic is a coder's disagreement with the others on the items with three labels or more, summed and
    standardized by its mean and error under shuffling; p-values are those of the largest of all coders, from
    shuffled labels, or by Bonferroni from the normal distribution where more than 300 items have labels that differ.
    ``numbers`` are those of the categories on a numeric scale, where disagreement is the squared difference.
    """
    patterns = study.sizes >= 3
    dissent = disagreements(study.codes[patterns], numbers)
    varied = np.nanmax(dissent, axis=1, initial=0) > np.nanmin(dissent, axis=1, initial=np.inf) + 1e-12
    dissent, items = dissent[varied], study.weights[patterns][varied]
    centred = dissent - np.nanmean(dissent, axis=1, keepdims=True) if len(dissent) else dissent
    spread = np.nanmean(centred**2, axis=1) if len(dissent) else np.empty(0)
    error = np.sqrt((items * spread) @ np.isfinite(centred))
    with np.errstate(invalid="ignore", divide="ignore"):
        seen = (items @ np.nan_to_num(centred)) / error
    seen = np.where(error > 0, seen, -np.inf)
    if items.sum() > MOST_SHUFFLED:
        return np.asarray(np.minimum((1 - ndtr(seen)) * len(seen), 1.0))
    rows = np.repeat(centred, items.astype(np.int64), axis=0)
    largest = [largest_sum for sums in shuffled_sums(rows, DRAWS, seed) for largest_sum in _largest(sums, error)]
    hits = (np.array(largest)[:, None] >= seen * (1 - 1e-9) - 1e-12).sum(axis=0)
    return np.asarray((1 + hits) / (1 + DRAWS))


def disagreements(codes: NDArray[np.signedinteger], numbers: Reals | None) -> Reals:
    """How far each label is from the others of its item, on average (items x coders); NaN where there is none.

    >>> disagreements(np.array([[0, 0, 1, -1]]), None)
    array([[0.5, 0.5, 1. , nan]])
    """
    present = codes >= 0
    others = np.maximum(present.sum(axis=1, keepdims=True) - 1, 1)
    if numbers is None:
        alike = np.stack([((codes == codes[:, [k]]) & present).sum(axis=1) for k in range(codes.shape[1])], axis=1)
        total = present.sum(axis=1, keepdims=True) - alike
    else:
        rating = np.where(present, numbers[codes], 0.0)
        sums, squares = rating.sum(axis=1, keepdims=True), (rating**2).sum(axis=1, keepdims=True)
        total = present.sum(axis=1, keepdims=True) * rating**2 - 2 * rating * sums + squares
    return np.where(present, total / others, np.nan)


def shuffled_sums(rows: Reals, draws: int, seed: int) -> Iterator[Reals]:
    """Sums over items by coder, of rows whose cells are dealt out anew to the coders who have one: (draws, coders)."""
    random = np.random.default_rng(seed)
    absent = np.isnan(rows)
    cells, places = np.nan_to_num(rows), np.argsort(absent, axis=1, kind="stable")
    step = max(CELLS_AT_ONCE // max(rows.size, 1), 1)
    for first in range(0, draws, step):
        keys = random.random((min(step, draws - first), *rows.shape))
        order = np.argsort(np.where(absent, np.inf, keys), axis=-1)
        dealt = np.empty_like(keys)
        shuffled = np.take_along_axis(np.broadcast_to(cells, keys.shape), order, axis=-1)
        np.put_along_axis(dealt, np.broadcast_to(places, keys.shape), shuffled, axis=-1)
        yield dealt.sum(axis=1)


def _largest(sums: Reals, error: Reals) -> list[float]:
    """The largest standardized sum of each draw."""
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = np.where(error > 0, sums / error, -np.inf)
    largest: list[float] = scaled.max(axis=1).tolist()
    return largest
