"""The types of arrays, under one name each in the whole tree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Codes = NDArray[np.signedinteger[Any]]
"""Numbers that stand for words, categories or rows, in whatever width holds them."""
Numbers = NDArray[Any]
"""Numbers of any kind, such as counts that are whole or means of counts."""
