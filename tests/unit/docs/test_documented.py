"""Every command and every row of a table is documented with words, a formula and a reference that exists."""

from pathlib import Path

import click
import pytest

from concurrence.agreement.labels.diagnosis.scales import SCALES
from concurrence.agreement.ratings.table import RATING_COEFFICIENTS
from concurrence.agreement.spans.table import SPAN_MEASURES
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.measures.table import MEASURES
from concurrence.report.pages.methods import citation, explained, references
from write_references import TARGET, references_json

DOCS = Path(__file__).parents[3] / "docs"
ROWS = {
    **{name: (row.words, row.formula, row.reference) for name, row in COEFFICIENTS.items()},
    **{name: (row.words, row.formula, row.reference) for name, row in RATING_COEFFICIENTS.items()},
    **{name: (*explained(row.function), row.reference) for name, row in MEASURES.items()},
    **{name: (*explained(row.function), row.reference) for name, row in SPAN_MEASURES.items()},
}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_has_words_a_formula_and_a_reference(name):
    from latex2mathml.converter import convert

    words, latex, reference = ROWS[name]
    assert words[0].isupper()
    assert words.endswith(".")
    assert not words.endswith("..")
    assert "<math" in convert(latex)
    assert latex
    assert reference in references()


@pytest.mark.parametrize("scale", SCALES.values(), ids=lambda scale: scale.name)
def test_a_scale_has_bands_and_a_reference(scale):
    assert scale.reference in references()
    assert all(band.name for band in scale.bands)


def test_the_references_of_the_package_are_those_of_the_bibtex_file():
    pytest.importorskip("pybtex")
    assert TARGET.read_text("utf-8") == references_json(), "run python docs/write_references.py"


def test_every_reference_is_read_and_none_is_mixed_with_its_neighbour():
    text = (DOCS / "references.bib").read_text("utf-8")
    keys = [line.split("{")[1].split(",")[0] for line in text.splitlines() if line.startswith("@")]
    assert list(references()) == keys
    assert all({"author", "title", "year"} <= set(entry) for entry in references().values())
    assert citation("yates1934").startswith("Yates (1934). Contingency tables")
    assert citation("dunning1993").endswith("Computational Linguistics 19(1), 61–74.")


def test_the_pages_name_every_row():
    from pages.tables import coefficients, measures, scales, span_coefficients

    assert all(f"`{name}`" in coefficients() for name in RATING_COEFFICIENTS)
    spans = (span_coefficients(), SPAN_MEASURES)
    for page, names in ((coefficients(), COEFFICIENTS), (measures(), MEASURES), (scales(), SCALES), spans):
        assert all(f"`{name}`" in page for name in names)


def test_every_command_is_on_the_page_and_has_an_example():
    from pages.commands import command_line, commands
    from support.console import commands_of_help

    page = command_line()
    for name, command, text in commands():
        assert f"## `{name}`\n" in page
        assert text in page
        assert any(line.startswith(name) for line in commands_of_help(command)), f"{name} has no example"
        assert all(option.help for option in command.params if isinstance(option, click.Option)), name


def test_every_public_name_is_documented():
    import concurrence
    from pages.python import CHAPTERS, python

    page = python()
    for name in concurrence.__all__:
        if not name.startswith("_"):
            assert f":: concurrence.{name}\n" in page
            assert getattr(concurrence, name).__doc__
    placed = [name for names in CHAPTERS.values() for name in names]
    assert sorted([*placed, "__version__"]) == sorted(concurrence.__all__)


def test_every_page_of_the_folder_is_reached():
    from pages.decisions import decisions

    listed = decisions(DOCS / "decisions")
    assert all(f"({file.relative_to(DOCS)})" in listed.replace("../", "") for file in (DOCS / "decisions").glob("*.md"))
    home = (DOCS / "index.md").read_text("utf-8").splitlines()
    pages = [file.relative_to(DOCS).with_suffix("") for place in (DOCS, DOCS / "howto") for file in place.glob("*.md")]
    assert [str(page) for page in pages if str(page) not in home] == ["index"]


def test_the_documented_completion_works(concur_process, monkeypatch):
    monkeypatch.setenv("_CONCUR_COMPLETE", "bash_complete")
    for words, place, expected in (("concur eval", "1", "evaluate"), ("concur agree x --sca", "3", "--scale")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", place)
        assert f"plain,{expected}" in concur_process().out
    monkeypatch.setenv("COMP_WORDS", "concur agre x")
    assert concur_process().err == ""
