"""Our value beside the published one, for every comparison that the tests of published figures make."""

import ast
import hashlib
import json
import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

from pages.markdown import page, table
from support import expect

ROOT = Path(__file__).parents[2]
OPENING = """
Every published figure that the tests compare with, recomputed in this build: coefficients, errors, intervals, tests and
scores from papers, books and the documentation of other packages. The tests are in `tests/published/`, one file per
source; figures are compared to within half a unit of their last digit, unless the test says why not.
*Number* is what the test calls the figure; *no. 2* is the second of several.
""".strip()

NOT_CHECKED = "not checked: data absent"


def conformance(folder: Path) -> str:
    """The page; the tests run anew where code, tests or data have changed."""
    cases = _cases(folder)
    by_file = groupby(sorted(cases, key=lambda case: case["file"]), key=lambda case: case["file"])
    return page("Conformance", OPENING, counts(cases), *(_source(file, list(group)) for file, group in by_file))


def counts(cases: list[dict[str, Any]]) -> str:
    """How many comparisons were equal and how many were not, and which tests were not made since their data are absent.

    >>> cases = [{"file": "test_a.py", "figures": [["kappa", ".50", "0.5", True]]}]
    >>> counts([*cases, {"file": "test_b.py", "case": "test_b", "figures": [], "skipped": "labels/b.csv"}])
    '**1 comparison: 1 equal, 0 different.** Not checked: data absent (1 test): `test_b.py` (b).'
    """
    equal = [figure[-1] for case in cases for figure in case["figures"]]
    what = "1 comparison" if len(equal) == 1 else f"{len(equal)} comparisons"
    count = f"**{what}: {sum(equal)} equal, {len(equal) - sum(equal)} different.**"
    absent = [case for case in cases if "skipped" in case]
    if not absent:
        return count
    tests = "1 test" if len(absent) == 1 else f"{len(absent)} tests"
    by_file: dict[str, list[str]] = {}
    for case in absent:
        by_file.setdefault(case["file"], []).append(_words(case["case"]))
    names = "; ".join(f"`{Path(file).as_posix()}` ({', '.join(dict.fromkeys(of))})" for file, of in by_file.items())
    return f"{count} {NOT_CHECKED.capitalize()} ({tests}): {names}."


def _source(file: str, cases: list[dict[str, Any]]) -> str:
    title = next((case["source"] for case in cases if case["source"]), "") or _first_line(ROOT / file)
    rows = [
        [_words(case["case"]) if place == 0 else "", name, published, ours, "yes" if equal else "NO"]
        for case in cases
        for place, (name, published, ours, equal) in enumerate(case["figures"])
    ]
    rows += [[_words(case["case"]), "–", "–", case["skipped"], NOT_CHECKED] for case in cases if "skipped" in case]
    body = (
        table(["case", "number", "published", "ours", "equal"], rows)
        if rows
        else "Its tests compare only orders and counts."
    )
    return f"## {title.rstrip('.')}\n\n`{Path(file).as_posix()}`\n\n{body}"


def _first_line(file: Path) -> str:
    """The source that a file of tests names first."""
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or file.stem).splitlines()[0]


def _words(name: str) -> str:
    """A test's name as words.

    >>> _words("test_artstein_and_poesio[scott_pi-0.88-0.4014-0.7995]")
    'artstein and poesio: scott_pi'
    """
    words, _, parameters = name.removeprefix("test_").partition("[")
    case = parameters.rstrip("]").split("-0.")[0][:70]
    return words.replace("_", " ") + (f": {case}" if case else "")


def _cases(folder: Path) -> list[dict[str, Any]]:
    cache = folder / f"conformance-{_checksum()}.json"
    if not cache.is_file():
        for old in folder.glob("conformance-*.json"):
            old.unlink()
        _run_tests(cache)
    return json.loads(cache.read_text("utf-8"))


def _run_tests(result: Path) -> None:
    result.parent.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(str(ROOT / name) for name in ("src", "tests", "docs"))
    process = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "pages.comparison_plugin",
            "tests/published",
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "CONFORMANCE": str(result)},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        result.unlink(missing_ok=True)
        raise RuntimeError(f"tests/published failed:\n{process.stdout[-3000:]}{process.stderr[-2000:]}")


def _checksum() -> str:
    published = ROOT / "tests" / "published"
    folder = Path(__file__).parent
    files = [
        *(ROOT / "src").rglob("*.py"),
        *published.glob("*.py"),
        *published.glob("data/*"),
        *(Path(expect.__file__), folder / "figure_names.py", folder / "comparison_plugin.py"),
    ]
    data_sets = [name for name in expect.DATA_SETS if (expect.BESIDE / name).is_file()]
    digest = hashlib.sha256(" ".join(data_sets).encode())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
