"""``concur report`` puts saved results together to one page."""

import json

import pytest

from concurrence.core.values import plain
from concurrence.report.document import Chart, Document, Formula, Paragraph, Section, Table

KAPPA = Formula(name="kappa", words="Chance follows each coder's own habits.", latex="A_e", reference="Cohen (1960)")
LINE = {"mark": "line", "data": {"values": [{"n": 1}]}, "encoding": {"x": {"field": "n", "type": "quantitative"}}}


@pytest.fixture
def saved(tmp_path):
    def save(name, answer, *blocks):
        sections = (Section(title="Evidence", blocks=blocks), Section(title="Methods", blocks=(KAPPA,)))
        document = Document(title=name, question=f"What of {name}?", answer=(answer,), sections=sections)
        made = {"command": "concur agree", "version": "1", "seed": 7, "inputs": {f"{name}.csv": "ab12"}}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"schema": 1, "provenance": made, "document": plain(document)}))
        return path

    return save


def test_several_results_become_one_page_with_the_methods_once(concur, saved, tmp_path):
    first = saved("Agreement", "They agree.", Table.of("Values", ["a", "b"], [["x", 0.5], ["y", None]]))
    chart = Chart(specification=LINE, caption="Precision")
    second = saved("Evaluation", "MI is best.", chart, Paragraph(text="Mind this.", warning=True))
    page = tmp_path / "study.html"
    assert concur("report", first, second, "-o", page, "--title", "My study").code == 0
    text = page.read_text("utf-8")
    assert text.index("They agree.") < text.index("MI is best.") < text.index("Agreement: Evidence")
    assert text.count("Chance follows each coder") == 1
    assert "Agreement.csv" in text
    assert "ab12" in text


def test_tables_for_a_paper(concur, saved, tmp_path):
    one = saved("Agreement", "They agree.", Table.of("Values", ["a", "b"], [["x", 0.5]]))
    concur("report", one, "-o", tmp_path / "table.tex")
    assert r"x & .5000 \\" in (tmp_path / "table.tex").read_text()
    concur("report", one, "-o", tmp_path / "table.md")
    assert "| x | .5000 |" in (tmp_path / "table.md").read_text()


@pytest.mark.parametrize("content", ["", "[]", "{}", "no json", '{"document": {"title": 1}}', "3"])
def test_what_is_no_result_is_refused_in_a_sentence(concur, tmp_path, content):
    path = tmp_path / "wrong.json"
    path.write_text(content)
    done = concur("report", path, "-o", tmp_path / "page.html")
    assert done.code == 2
    assert "wrong.json is not the result of a command" in done.err
    assert not (tmp_path / "page.html").exists()


def test_a_result_that_is_not_there_is_said_to_be_missing(concur, tmp_path):
    done = concur("report", tmp_path / "gone.json", "-o", tmp_path / "page.html")
    assert (done.code, done.err) == (2, f"concur: {tmp_path / 'gone.json'} does not exist.\n")


def test_an_unknown_ending_is_refused(concur, saved, tmp_path):
    one = saved("Agreement", "They agree.")
    done = concur("report", one, "-o", tmp_path / "page.docx")
    assert done.code == 2
    assert ".html" in done.err
    assert concur("report", one, "-o", tmp_path / "page.png").code == 2
