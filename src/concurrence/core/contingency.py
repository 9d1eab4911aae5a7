"""The 2x2 tables of word pairs, from their frequency signatures."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concurrence.core.errors import InvalidInputError

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contingency:
    """Observed and expected frequencies of pairs; the last axis of the cells is 11, 12, 21, 22.

    Counts are kept as floating-point numbers, exact below 2**53, since products of margins overflow
    64-bit integers.

    >>> t = Contingency.from_signature(f=110, f1=2552, f2=221, n=31777)
    >>> t.observed.tolist()
    [110.0, 2442.0, 111.0, 29114.0]
    """

    o11: Counts
    r1: Counts
    c1: Counts
    n: Counts

    @classmethod
    def from_signature(cls, *, f: ArrayLike, f1: ArrayLike, f2: ArrayLike, n: ArrayLike) -> "Contingency":
        """Tables from joint frequency, marginals and sample size."""
        arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (f, f1, f2, n)))
        check_signatures(*arrays)
        o11, r1, c1, size = arrays
        return cls(o11=o11, r1=r1, c1=c1, n=size)

    @property
    def r2(self) -> Counts:
        """The second row sum."""
        return self.n - self.r1

    @property
    def c2(self) -> Counts:
        """The second column sum."""
        return self.n - self.c1

    @property
    def o12(self) -> Counts:
        """The first word without the second."""
        return self.r1 - self.o11

    @property
    def o21(self) -> Counts:
        """The second word without the first."""
        return self.c1 - self.o11

    @property
    def o22(self) -> Counts:
        """Neither word."""
        return self.n - self.r1 - self.c1 + self.o11

    @property
    def e11(self) -> Counts:
        """What independence predicts for the pair."""
        return self.r1 * self.c1 / self.n

    @property
    def observed(self) -> Counts:
        """All four observed cells."""
        return np.stack([self.o11, self.o12, self.o21, self.o22], axis=-1)

    @property
    def expected(self) -> Counts:
        """All four cells as independence predicts them."""
        rows, columns = np.stack([self.r1, self.r2], axis=-1), np.stack([self.c1, self.c2], axis=-1)
        cells = rows[..., :, None] * columns[..., None, :] / self.n[..., None, None]
        return cells.reshape((*cells.shape[:-2], 4))


def check_signatures(f: Counts, f1: Counts, f2: Counts, n: Counts, *, where: str = "row {row}") -> None:
    """Refuse counts that no table can have; ``where`` says how a bad row is called."""
    possible = (f >= 0) & (f <= np.minimum(f1, f2)) & (f1 + f2 - f <= n) & (n > 0)
    possible &= np.isfinite(n) & (f == np.floor(f)) & (f1 == np.floor(f1)) & (f2 == np.floor(f2))
    if possible.all():
        return
    row = int(np.argmin(np.ravel(possible)))
    values: list[Any] = [np.ravel(array)[row] for array in (f, f1, f2, n)]
    shown = ", ".join(f"{name}={value:.15g}" for name, value in zip(("f", "f1", "f2", "N"), values, strict=True))
    raise InvalidInputError(
        f"{where.format(row=row + 1)}: {shown} is not a frequency signature. "
        "It must hold that 0 <= f <= min(f1, f2) and f1 + f2 - f <= N, in whole numbers."
    )
