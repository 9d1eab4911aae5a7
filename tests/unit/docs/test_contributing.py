"""The contributors' page names files that are there, and at most three for each change."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
LINES = (ROOT / "docs" / "contributing.md").read_text("utf-8").splitlines()
ROWS = [line.split(" | ") for line in LINES if line.startswith("| ")][1:]
CHANGES = (
    *("a coefficient of agreement", "an association measure", "a label format", "a table format", "a chart"),
    *("a JSON field", "an option of `agree`", "a sampling design", "a question type", "a warning"),
    "a page for leaders",
)


def test_every_change_is_named():
    assert set(CHANGES) <= {row[0].strip("| ") for row in ROWS}


def test_each_needs_at_most_three_files_and_they_are_there():
    for change, files, _ in ROWS:
        named = re.findall(r"`((?:src|docs)/[^`]+)`", files)
        assert 1 <= len(named) <= 3, change
        assert [name for name in named if "NAME" not in name and not (ROOT / name).exists()] == []
