"""What stood between two tokens, so that a line can be shown as it was written."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concurrence.kernels.machine_code import machine_code

if TYPE_CHECKING:
    from concurrence.corpus.builder import Gathering

SPACE, NONE, OTHER = 0, 1, 255
GLUE = 11
"""A vertical tab between two tokens of running text says that nothing stood between them."""

Gaps = NDArray[np.uint8]


def gaps_between(
    data: NDArray[np.uint8], starts: NDArray[np.int32], ends: NDArray[np.int32], into: "Gathering"
) -> Gaps:
    """The number of the text before each word; a word that begins its line has nothing before it."""
    gaps = np.empty(len(starts), dtype=np.uint8)
    _find_gaps(data, starts, ends, gaps)
    for k in np.flatnonzero(gaps == OTHER).tolist():
        gaps[k] = into.gap_code(bytes(data[ends[k - 1] : starts[k]]).decode("utf-8"))
    return gaps


@machine_code
def _find_gaps(data: Any, starts: Any, ends: Any, gaps: Any) -> None:
    for k in range(len(starts)):
        if starts[k] < 0 or k == 0 or starts[k - 1] < 0:
            gaps[k] = NONE
            continue
        begin, length = ends[k - 1], starts[k] - ends[k - 1]
        if length == 1 and data[begin] == 32:
            gaps[k] = SPACE
        elif length == 0 or (length == 1 and data[begin] == GLUE):
            gaps[k] = NONE
        else:
            gaps[k] = OTHER
