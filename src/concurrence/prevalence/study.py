"""A list with the verdicts of judges on all candidates and of people on a sample, as arrays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.judgements import YES, Judgements
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.strata import SampledList
from concurrence.kernels.verdicts import draw_verdicts
from concurrence.prevalence.cells import ClassCells, count_cells, drawn_totals, lean_of, total_chances
from concurrence.prevalence.judges import MOST_CLASSES, Classes, JudgeColumn, classes_of
from concurrence.prevalence.options import RateOptions


@dataclass(frozen=True, kw_only=True, eq=False)
class RateStudy:
    """The verdicts of judges on all candidates, those of people on a sample, and the design of the sample."""

    judges: tuple[JudgeColumn, ...]
    judgements: Judgements
    design: SampledList
    options: RateOptions
    clusters: Integers | None = None

    @cached_property
    def verdicts(self) -> Reals:
        """What people said, 0 where nobody judged."""
        return np.asarray(self.judgements.verdicts == YES, dtype=np.float64)

    @cached_property
    def classes(self) -> Classes:
        most = 2 if self.options.anytime else MOST_CLASSES  # every class costs width where one may look often
        return classes_of(self.judges, self.design.times > 0, most=most)

    @cached_property
    def cells(self) -> ClassCells:
        return count_cells(self.classes, self.design, self.verdicts)

    @cached_property
    def people(self) -> StratumCounts:
        """The strata alone, as evaluation counts them."""
        size, judged, true = (part.sum(axis=1) for part in (self.cells.size, self.cells.judged, self.cells.true))
        return StratumCounts(size=size[None, :], sampled=judged[None, :], true=np.rint(true).astype(np.int64)[None, :])

    def ends_of_total(self) -> tuple[float, float]:
        """The smallest and the largest number of true ones in the interval: exact, or by draws where coders may err."""
        lean = lean_of(self.cells)
        at = self._quantiles((1 - self.options.level) / 2)
        by_lean = {each: at(each) for each in {-lean, lean}}  # a single one without a lean
        return by_lean[-lean][0], by_lean[lean][1]

    def _quantiles(self, tail: float) -> Callable[[float], tuple[float, float]]:
        """The numbers of true ones with this share of the posterior below and above them, for any lean of its prior."""
        source, replacement, seed = self.options.coder_uncertainty, self.design.replacement, self.options.seed
        if source is None:

            def exact(lean: float) -> tuple[float, float]:
                whole = total_chances(self.cells, replacement=replacement, lean=lean).cumsum()
                low, high = np.searchsorted(whole / whole[-1], [tail, 1 - tail])
                return float(low), float(high)

            return exact
        ways = draw_verdicts(self.judgements, source, seed=seed)
        cells = [count_cells(self.classes, self.design, way.astype(np.float64)) for way in ways]

        def drawn(lean: float) -> tuple[float, float]:
            low, high = np.quantile(
                drawn_totals(cells, replacement=replacement, seed=seed, lean=lean), [tail, 1 - tail]
            )
            return float(low), float(high)

        return drawn
