"""What people said of the candidates: true positive, false positive, or not judged."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Numbers, Reals
from concurrence.core.errors import UnknownNameError
from concurrence.core.values import value

YES, NO, UNJUDGED = 1, 0, -1
VERDICTS = {
    "1": YES,
    "yes": YES,
    "true": YES,
    "1.0": YES,
    "0": NO,
    "no": NO,
    "false": NO,
    "0.0": NO,
    "pass": YES,
    "fail": NO,
}
"""How files write verdicts."""


@value
class Judgements:
    """One verdict per candidate of a list: 1, 0, or -1 where nobody judged it.

    ``votes`` holds each coder's verdict where there were several (coders x candidates), ``posterior`` a
    coder model's probability that a candidate is a true positive, ``kinds`` what kind of true positive
    it is; all are aligned with the verdicts.
    """

    verdicts: NDArray[np.int8]
    votes: NDArray[np.int8] | None = None
    posterior: Reals | None = None
    kinds: Numbers | None = None

    @property
    def judged(self) -> Booleans:
        return np.asarray(self.verdicts != UNJUDGED)

    @property
    def kind_names(self) -> tuple[str, ...]:
        """The kinds of true positives, sorted."""
        if self.kinds is None:
            return ()
        return tuple(sorted({str(kind) for kind in self.kinds[self.verdicts == YES] if kind is not None}))

    def of_kind(self, kind: str) -> "Judgements":
        """The same with true positives of this kind alone; all others count as false."""
        if self.kinds is None or kind not in self.kind_names:
            raise UnknownNameError("kind of true positive", kind, self.kind_names)
        other = (self.verdicts == YES) & (self.kinds != kind)
        return replace(self, verdicts=np.where(other, NO, self.verdicts).astype(np.int8), votes=None, posterior=None)

    def restricted(self, rows: Booleans) -> "Judgements":
        """The same with all other candidates counted as not judged."""
        return replace(self, verdicts=np.where(rows, self.verdicts, UNJUDGED).astype(np.int8))
