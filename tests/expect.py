"""What tests compare with: printed numbers, and the published data beside the project."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"

needs_shared_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the published data are not beside the project")


def printed(text):
    """Expect a printed number, to half a unit of its own last digit."""
    decimals = len(text.partition(".")[2])
    return pytest.approx(float(text), abs=0.5 * 10**-decimals + 1e-12)
