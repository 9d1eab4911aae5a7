"""How many more judgements a width needs, and of which candidates.

Candidates with the same verdict of the judge are a class. Each class gets judgements in proportion to its size times
the spread of people's verdicts in it (Neyman's allocation), which is largest where the judge is in doubt.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import ndtri

from concurrence.core.arrays import Integers, Reals
from concurrence.core.errors import InvalidInputError
from concurrence.prevalence.cells import HALF, ClassCells
from concurrence.prevalence.options import RateOptions
from concurrence.prevalence.results import NextJudgements
from concurrence.prevalence.study import RateStudy

DRAW = 6  # a stream of its own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Doubt:
    """By class: its size, how many are judged, and the spread of one verdict as it is expected."""

    size: Reals
    judged: Reals
    spread: Reals

    @classmethod
    def of(cls, cells: ClassCells) -> "_Doubt":
        size, judged, true = (part.sum(axis=0).astype(np.float64) for part in (cells.size, cells.judged, cells.true))
        share = (true + HALF) / (judged + 2 * HALF)
        return cls(size=size, judged=judged, spread=np.sqrt(share * (1 - share)))

    def judgements_at(self, level: float) -> Reals:
        """The judgements of each class if the whole list had ``level``, between those there are and its size."""
        want = self.size * self.spread
        return np.asarray(np.clip(level * want / want.sum(), self.judged, self.size))

    def error(self, judgements: Reals) -> float:
        """The standard error of the rate with so many judgements in each class."""
        left = 1 - judgements / np.maximum(self.size, 1)
        return float(
            np.sqrt((self.size**2 * left * self.spread**2 / np.maximum(judgements, 1)).sum()) / self.size.sum()
        )


def next_judgements(cells: ClassCells, names: Sequence[str], options: RateOptions) -> NextJudgements:
    """The judgements that the width needs, divided by the size of each class and the judge's doubt in it."""
    doubt = _Doubt.of(cells)
    target = (options.width or 1.0) / (2 * float(ndtri((1 + options.level) / 2)))
    low, high = 0.0, float(doubt.size.sum())
    while high - low > 0.5:
        n = (low + high) / 2
        low, high = (low, n) if doubt.error(doubt.judgements_at(n)) <= target else (n, high)
    more = np.maximum(np.ceil(doubt.judgements_at(high)) - doubt.judged, 0)
    return NextJudgements(
        width=float(options.width or 1.0),
        judged=int(doubt.judged.sum()),
        more=int(more.sum()),
        shares={name: float(n) for name, n in zip(names, more, strict=True)},
    )


def next_items(study: RateStudy, keys: pl.DataFrame, number: int) -> NextJudgements:
    """The candidates to judge next, drawn at random from each class, and the width that is expected with them."""
    if study.design.n_strata > 1 or study.design.replacement:
        raise InvalidInputError(
            "What to judge next by the judge's doubt can be drawn only after a simple sample without replacement; "
            "draw more of this one with concur sample --extend."
        )
    doubt, names = _Doubt.of(study.cells), study.classes.names
    rest = int((doubt.size - doubt.judged).sum())
    if number > rest:
        raise InvalidInputError(f"Only {rest:,} candidates are not judged yet, so {number:,} cannot be judged next.")
    more = _divide(doubt, number)
    rng = np.random.default_rng((study.options.seed, DRAW))
    open_ = study.design.times == 0
    rows = [
        rng.choice(np.flatnonzero(open_ & (study.classes.of == place)), n, replace=False)
        for place, n in enumerate(more.tolist())
    ]
    drawn = rng.permutation(np.concatenate(rows)).astype(np.int64)
    columns = {name: tuple(keys[name].cast(pl.String).gather(drawn).to_list()) for name in keys.columns}
    z = float(ndtri((1 + study.options.level) / 2))
    return NextJudgements(
        width=2 * z * doubt.error(doubt.judged + more),
        judged=int(doubt.judged.sum()),
        more=number,
        shares={name: float(n) for name, n in zip(names, more.tolist(), strict=True)},
        items=columns,  # without what the judge said, which people must not see
    )


def _divide(doubt: _Doubt, number: int) -> Integers:
    """The further judgements of each class: the level of all rises until they add up; remainders go to the largest."""
    low, high = 0.0, float(doubt.size.sum()) / max(float(doubt.spread.min()), 1e-9) * 10
    for _ in range(200):
        level = (low + high) / 2
        enough = (doubt.judgements_at(level) - doubt.judged).sum() >= number
        low, high = (low, level) if enough else (level, high)
    exact = doubt.judgements_at(high) - doubt.judged
    more = np.floor(exact + 1e-9).astype(np.int64)
    room = (doubt.size - doubt.judged).astype(np.int64)
    while (left := number - int(more.sum())) > 0:
        takers = np.argsort(-np.where(more < room, exact - more, -np.inf), kind="stable")
        more[takers[: min(left, int((more < room).sum()))]] += 1
    while more.sum() > number:
        more[int(np.argmax(more))] -= 1
    return more
