"""How many more judgements a wished width needs, and of which candidates."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from concurrence.evaluation.rates.cells import HALF, ClassCells
from concurrence.evaluation.rates.options import RateOptions
from concurrence.evaluation.rates.results import NextJudgements


def next_judgements(cells: ClassCells, names: Sequence[str], options: RateOptions) -> NextJudgements:
    """Judgements in all for the wished width, shared out by the size of a class and by the judge's doubt in it.

    A class has as many as its size times the spread of people's verdicts in it (Neyman's allocation), which is largest
    where the judge is in doubt.
    """
    size, judged, true = (part.sum(axis=0).astype(np.float64) for part in (cells.size, cells.judged, cells.true))
    share = (true + HALF) / (judged + 2 * HALF)
    spread = np.sqrt(share * (1 - share))
    want = size * spread
    whole, z = size.sum(), float(ndtri((1 + (options.level)) / 2))
    target = (options.width or 1.0) / (2 * z)
    low, high = 0.0, whole
    while high - low > 0.5:
        n = (low + high) / 2
        given = np.clip(n * want / want.sum(), judged, size)
        error = (
            float(np.sqrt((size**2 * (1 - given / np.maximum(size, 1)) * spread**2 / np.maximum(given, 1)).sum()))
            / whole
        )
        low, high = (low, n) if error <= target else (n, high)
    given = np.clip(high * want / want.sum(), judged, size)
    more = np.maximum(np.ceil(given) - judged, 0)
    return NextJudgements(
        width=float(options.width or 1.0),
        judged=int(judged.sum()),
        more=int(more.sum()),
        shares={name: float(n) for name, n in zip(names, more, strict=True)},
    )
