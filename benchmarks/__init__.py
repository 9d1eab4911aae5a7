"""Speed, memory and coverage, measured as ratios against peers and floors."""

import sys
from pathlib import Path

# Servers under load and lists of known truth are those of the tests.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
