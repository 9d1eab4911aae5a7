"""A list with what judges said of all of it and people of a sample, ready for arithmetic."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concurrence.evaluation.coders import drawn_verdicts
from concurrence.evaluation.design import Design
from concurrence.evaluation.judgements import YES, Judgements
from concurrence.evaluation.lists import Cells
from concurrence.evaluation.rates.cells import ClassCells, count_cells, drawn_totals
from concurrence.evaluation.rates.judges import MOST_CLASSES, Classes, JudgeColumn, classes_of
from concurrence.evaluation.rates.options import RateOptions

Reals = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class RateStudy:
    """A list, what judges said of all of it, what people said of a sample, and how that was drawn."""

    judges: tuple[JudgeColumn, ...]
    judgements: Judgements
    design: Design
    options: RateOptions
    clusters: NDArray[np.int64] | None = None

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
    def people(self) -> Cells:
        """The strata alone, as evaluation counts them."""
        size, judged, true = (part.sum(axis=1) for part in (self.cells.size, self.cells.judged, self.cells.true))
        return Cells(size=size[None, :], sampled=judged[None, :], true=np.rint(true).astype(np.int64)[None, :])

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """True ones of each cell as they may be, coders' errors carried where that is wished."""
        source = self.options.coder_uncertainty
        if source is None:
            drawn = [self.cells]
        else:
            ways = drawn_verdicts(self.judgements, source, seed=self.options.seed)
            drawn = [count_cells(self.classes, self.design, way.astype(np.float64)) for way in ways]
        return drawn_totals(drawn, replacement=self.design.replacement, seed=self.options.seed)
