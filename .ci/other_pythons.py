"""The demo and the quick tests on the oldest and the newest Python of this machine, with and without constraints.txt.

Each runs in an environment of its own, which stays for the next time; a table at the end says what was tried.
"""

import subprocess
import sys
from pathlib import Path
from time import monotonic

from pythons import ends

ROOT = Path(__file__).parents[1]
PACKAGES = ("numpy", "polars", "numba", "scipy", "pandas")


def main() -> None:
    """Try every combination, also after one has failed."""
    rows = [("Python", "versions", *PACKAGES, "demo and quick tests", "minutes")]
    for version, python in ends().items():
        for constraints in ("constraints.txt", ""):
            rows.append(_row(version, python, constraints))
            print(f"Python {rows[-1][0]}, {rows[-1][1]}: {rows[-1][-2]}", flush=True)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if any(row[-2] == "failed" for row in rows):
        sys.exit(1)


def _row(version: tuple[int, ...], python: str, constraints: str) -> tuple[str, ...]:
    number = ".".join(map(str, version))
    venv = f".venv-{number}{'' if constraints else '-newest'}"
    if not constraints:
        (ROOT / venv / ".quick").unlink(missing_ok=True)  # what is newest changes without a file that changes
    begin = monotonic()
    line = ["make", "quick", "demo", f"PYTHON={python}", f"VENV={venv}", f"CONSTRAINTS={constraints}"]
    done = subprocess.run(line, cwd=ROOT, check=False)
    end = "failed" if done.returncode else "passed"
    minutes = f"{(monotonic() - begin) / 60:.1f}"
    return (number, constraints or "newest", *_releases(ROOT / venv / "bin" / "python"), end, minutes)


def _releases(python: Path) -> list[str]:
    """The versions of the packages that matter most, as they are installed there."""
    look = f"from importlib.metadata import version\nfor name in {PACKAGES}: print(version(name))"
    done = subprocess.run([python, "-c", look], capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else ["–"] * len(PACKAGES)


if __name__ == "__main__":
    main()
