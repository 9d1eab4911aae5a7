"""The shell examples of the tutorial and the guides run, and print what the page says."""

import re
from pathlib import Path

import pytest

from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.measures.table import MEASURES
from paste_outputs import paste
from support.console import BLOCK, Shell, console_blocks, same_words

DOCS = Path(__file__).parents[3] / "docs"
README = DOCS.parent / "README.md"
FIRST = ("index", "tutorial", "gallery")
GUIDES = [README, *(DOCS / f"{name}.md" for name in FIRST), *sorted((DOCS / "howto").glob("*.md"))]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_examples_run_and_print_what_the_guide_says(guide, tmp_path):
    shell = Shell(tmp_path)
    for block in console_blocks(guide.read_text("utf-8")):
        for shown in block:
            done = shell.run(shown.line)
            assert done.returncode == 0, f"{shown.line}\n{done.stderr}"
            if shown.compared:
                assert same_words(shown.output, done.stdout), f"{shown.line}\n{done.stdout}"


def test_the_readme_counts_right():
    text = README.read_text("utf-8")
    assert f"{len(MEASURES)} association measures" in text
    assert f"{len(MEASURES)} association measures" in (DOCS / "index.md").read_text("utf-8").replace("\n", " ")
    names = sum(1 + len(row.synonyms) for row in COEFFICIENTS.values())
    assert f"{len(COEFFICIENTS)} coefficients under {names} names" in text


def test_what_is_not_run_says_why():
    for guide in GUIDES:
        for match in BLOCK.finditer(guide.read_text("utf-8")):
            if match["mark"] and "not run" in match["mark"]:
                assert re.search(r"not run: \w+", match["mark"])


def test_what_is_no_longer_printed_is_pasted_anew_and_a_gap_that_fits_stays(tmp_path):
    guide = "Text.\n\n```console\n$ printf 'a\\nb\\n'\n{}\n```\n\n<!-- not run: why -->\n```console\n$ exit 1\n```\n"
    assert paste(guide.format("old"), tmp_path) == guide.format("a\nb")
    assert paste(guide.format("a\n..."), tmp_path) == guide.format("a\n...")
