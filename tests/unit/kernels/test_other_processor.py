"""What pretends to be another processor moves results by one bit, and does so itself, not only in name."""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
SCRIPT = """
import numpy as np
from support.other_processor import pretend

x = np.linspace(0.1, 9, 1000)
before = np.log(x)
pretend()
after = np.log(x)
assert 0.6 < (before != after).mean() < 0.75
assert np.abs(after / before - 1).max() < 2.3e-16
assert [float(np.log(one)) for one in x] == after.tolist()
assert (np.log(x) == after).all()
assert np.log2([1.0, 8.0, 0.0625]).tolist() == [0, 3, -4]
assert np.isneginf(np.log(x, out=np.full(1000, -np.inf), where=x < 0)).all()
"""


def test_a_third_goes_up_and_a_third_goes_down():
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=TESTS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
