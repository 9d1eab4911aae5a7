"""A document is shown as a page, as Markdown and as LaTeX, and nothing in it escapes its place."""

import re

import pytest

from concurrence.core.shown import shown
from concurrence.report.document import Chart, Document, Formula, Paragraph, Section, Table
from concurrence.report.html import render_html
from concurrence.report.plain import render_latex, render_markdown

BARS = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "data": {"values": [{"n": 1, "p": 0.5}, {"n": 2, "p": 0.4}]},
    "mark": "line",
    "encoding": {"x": {"field": "n", "type": "quantitative"}, "y": {"field": "p", "type": "quantitative"}},
}


@pytest.fixture
def document():
    return Document(
        title="Do they agree? <script>alert(1)</script>",
        question="Two coders & one manual",
        answer=("They do.",),
        sections=(
            Section(
                title="Evidence",
                blocks=(
                    Table.of("Agreement by coder", ["coder", "kappa"], [["a_1 | <b>", 0.67251], ["b", None]]),
                    Chart(specification=BARS, caption="Precision"),
                    Paragraph(text="Mind the prevalence.", warning=True),
                ),
            ),
            Section(title="Methods", blocks=(Formula(name="kappa", words="Cohen", latex=r"\\frac{a}{b}"),)),
        ),
    )


def test_the_page_needs_nothing_but_itself(document):
    page = render_html(document)
    markup = re.sub(r"<script[^>]*>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"(?:src|href)=", markup.replace("xmlns:xlink", ""))
    assert not re.search(r"<script[^>]+src=", page)
    assert len(page) < 3_000_000
    assert "<math" in page
    assert "<svg" in page


def test_text_never_becomes_markup(document):
    page = render_html(document)
    assert "<script>alert(1)" not in page
    assert "a_1 | &lt;b&gt;" in page


def test_a_page_without_charts_carries_no_script(document):
    plain = Document(title="t", question="", answer=(), sections=document.sections[1:])
    assert "<script" not in render_html(plain)


def test_markdown_and_latex_escape_their_own_marks(document):
    assert "a_1 \\| <b>" in render_markdown(document)
    assert r"a\_1 | $<$b$>$ & .6725 \\" in render_latex(document)


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.05263, "-.0526"), (0.99999, "1.0000"), (12.3456, "12.35"), (True, "yes"), (0.0, "0"), (1.0, "1")],
)
def test_numbers_are_rounded_only_when_shown(value, text):
    assert shown(value) == text
