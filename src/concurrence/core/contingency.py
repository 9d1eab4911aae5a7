"""The 2x2 tables of word pairs, from their frequency signatures."""

import numpy as np
from numpy.typing import ArrayLike

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.results import Result
from concurrence.core.sentences import count_noun
from concurrence.core.values import value

SIGNATURE = ("f", "f1", "f2", "N")
"""The columns of a frequency signature."""
WORDS = ("n1", "n2")
"""The words' own frequencies, which pairs counted in windows carry beside their marginals."""


@value
class Contingency(Result):
    """Observed and expected frequencies of pairs; the last axis of the cells is 11, 12, 21, 22.

    Counts are kept as floating-point numbers, exact below 2**53, since products of margins overflow
    64-bit integers. ``n1`` and ``n2`` are the words' own frequencies, where they are known: in a window, the
    marginals are not.

    >>> t = Contingency.from_signature(f=110, f1=2552, f2=221, n=31777)
    >>> t.observed.tolist()
    [110.0, 2442.0, 111.0, 29114.0]
    """

    o11: Reals
    r1: Reals
    c1: Reals
    n: Reals
    n1: Reals | None = None
    n2: Reals | None = None

    @classmethod
    def from_signature(cls, *, f: ArrayLike, f1: ArrayLike, f2: ArrayLike, n: ArrayLike) -> "Contingency":
        """Tables from joint frequency, marginals and sample size."""
        arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (f, f1, f2, n)))
        check_signatures(*arrays)
        o11, r1, c1, size = arrays
        return cls(o11=o11, r1=r1, c1=c1, n=size)

    def __str__(self) -> str:
        return f"{count_noun(self.o11.size, 'table')} of observed and expected frequencies."

    @property
    def r2(self) -> Reals:
        return self.n - self.r1

    @property
    def c2(self) -> Reals:
        return self.n - self.c1

    @property
    def o12(self) -> Reals:
        """The first word without the second."""
        return self.r1 - self.o11

    @property
    def o21(self) -> Reals:
        """The second word without the first."""
        return self.c1 - self.o11

    @property
    def o22(self) -> Reals:
        """Neither word."""
        return self.n - self.r1 - self.c1 + self.o11

    @property
    def e11(self) -> Reals:
        """What independence predicts for the pair."""
        return self.r1 * self.c1 / self.n

    @property
    def observed(self) -> Reals:
        """All four observed cells."""
        return np.stack([self.o11, self.o12, self.o21, self.o22], axis=-1)

    @property
    def expected(self) -> Reals:
        """All four cells as independence predicts them."""
        rows, columns = np.stack([self.r1, self.r2], axis=-1), np.stack([self.c1, self.c2], axis=-1)
        cells = rows[..., :, None] * columns[..., None, :] / self.n[..., None, None]
        return cells.reshape((*cells.shape[:-2], 4))


def check_signatures(f: Reals, f1: Reals, f2: Reals, n: Reals) -> None:
    """Refuse counts that no table can have."""
    if (row := first_impossible(f, f1, f2, n)) is not None:
        values = tuple(float(np.ravel(array)[row]) for array in (f, f1, f2, n))
        raise InvalidInputError(f"row {row + 1}: {signature_error(*values)}")


def first_impossible(f: Reals, f1: Reals, f2: Reals, n: Reals) -> int | None:
    """The first row of counts that no table can have, if there is one."""
    possible = (f >= 0) & (f <= np.minimum(f1, f2)) & (f1 + f2 - f <= n) & (n > 0) & np.isfinite(n)
    for array in (f, f1, f2, n):
        possible &= array == np.floor(array)
    return None if possible.all() else int(np.argmin(np.ravel(possible)))


def signature_error(f: float, f1: float, f2: float, n: float) -> str:
    """What is wrong with one impossible signature, in words."""
    values = {"f": f, "f1": f1, "f2": f2, "N": n}
    signature = ", ".join(f"{name}={value:.15g}" for name, value in values.items())
    whole = "" if all(value == np.floor(value) for value in values.values()) else ", in whole numbers"
    return (
        f"{signature} is not a frequency signature. It must satisfy 0 <= f <= min(f1, f2) and f1 + f2 - f <= N{whole}."
    )
