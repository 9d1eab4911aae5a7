"""What tests compare with: printed numbers, and the published data beside the project."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"

needs_shared_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the published data are not beside the project")

# What was compared, as (published, ours, equal), while a list is here: the conformance page is made of it.
record: list[tuple[str, str, bool]] | None = None


class Printed:
    """A number as printed somewhere; equal to what has its digits."""

    __array_ufunc__ = None  # let numpy ask us, not compare element by element
    __hash__ = None

    def __init__(self, text: str, within: float) -> None:
        self.text, self.abs = text, within

    def __eq__(self, found: Any) -> bool:
        equal = found is not None and bool(abs(float(found) - float(self.text)) <= self.abs)
        if record is not None:
            record.append((self.text, "none" if found is None else f"{float(found):.7g}", equal))
        return equal

    def __repr__(self) -> str:
        return f"{self.text} ± {self.abs:.2g}"


def printed(text: str, *, within: float = 0.0) -> Printed:
    """Expect a printed number, to half a unit of its own last digit, or to a tolerance that has a reason."""
    decimals = len(text.partition(".")[2])
    return Printed(text, max(within, 0.5 * 10**-decimals + 1e-12))


def all_close(ours: Any, published: Any, *, rtol: float) -> None:
    """Expect many published numbers at once."""
    np.testing.assert_allclose(ours, published, rtol=rtol, atol=0)
    if record is not None:
        a, b = np.asarray(ours, dtype=float), np.asarray(published, dtype=float)
        finite = np.isfinite(b) & (b != 0)
        worst = np.max(np.abs(a[finite] / b[finite] - 1), initial=0.0)
        record.append((f"{a.size} values", f"largest relative difference {worst:.1e}", True))
