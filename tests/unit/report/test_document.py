"""A document is shown as a page, as Markdown and as LaTeX, and nothing in it escapes its place."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from markdown_it import MarkdownIt

import concurrence
from concurrence.core.sentences import format_cell
from concurrence.report.pages.agreement_chart import interval_chart
from concurrence.report.render.charts import DASHES, PALETTE
from concurrence.report.render.document import (
    Chart,
    Document,
    Estimate,
    Formula,
    Paragraph,
    Section,
    Table,
    named_charts,
)
from concurrence.report.render.html import render_html
from concurrence.report.render.markup import render_latex, render_markdown

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
    assert not re.search(r"(?:src|href)=(?!'#)", markup.replace("xmlns:xlink", ""))
    assert not re.search(r"<script[^>]+src=", page)
    assert len(page) < 3_000_000
    assert "<math" in page
    assert "<svg" in page


def test_text_never_becomes_markup(document):
    page = render_html(document)
    assert "<script>alert(1)" not in page
    assert "a_1 | &lt;b&gt;" in page


def test_a_page_without_charts_carries_no_library(document):
    plain = Document(title="t", question="", answer=(), sections=document.sections[1:])
    assert len(render_html(plain)) < 20_000 < len(render_html(document))


def test_a_study_has_contents_an_overview_with_a_picture_and_every_answer_in_its_place(document):
    other = Document(title="Other", question="And?", answer=("Yes.",), sections=(), warnings=("Mind the gap.",))
    study = Document(title="Study", question="", answer=(), sections=document.sections[1:], parts=(document, other))
    page = render_html(study)
    opening, rest = page.split("<article", maxsplit=1)
    assert re.search(r"<section class='finding'>.*<svg", opening)
    assert "They do." in opening
    assert "Mind the gap." not in opening
    assert re.findall(r"href='#(p\d)'>1 warning</a>", opening) == ["p2"]
    assert "Mind the gap." in rest
    links = re.findall(r"href='#(\w+)'", page)
    assert {"p1", "p2", "p1s0", "s0"} <= set(links)
    assert all(f"id='{place}'" in page for place in links)
    assert render_markdown(study).index("## Other") < render_markdown(study).index("> **Mind the gap.**")
    assert r"\label{tab:study-agreement-by-coder}" in render_latex(study)


def test_a_study_opens_with_the_agreement_of_all_its_results_on_one_axis(document):
    def about(name, value):
        one = Estimate(name="Fleiss's kappa", value=value, low=value - 0.1, high=value + 0.05, level=0.95)
        return replace(document, title=f"Agreement ({name})", agreement=one)

    study = Document(
        title="Study", question="", answer=(), sections=(), parts=(about("term", 0.94), about("name", 0.42))
    )
    opening = render_html(study).split("<article", maxsplit=1)[0]
    assert opening.count("<figure") == 1
    (drawn,) = re.findall(r"application/json'>(.*?)</script>", opening)
    rows = json.loads(drawn)["layer"][-1]["data"]["values"]
    assert [(row["label"], row["value"]) for row in rows] == [("term", 0.94), ("name", 0.42)]
    assert "almost perfect" in drawn
    assert "name</a>: Fleiss&#x27;s kappa 0.420 (95% interval 0.320 to 0.470)" in opening


def test_a_short_first_table_stands_open_and_the_others_are_folded(document):
    tables = tuple(Table.of(f"Table {n}", ["a"], [[1]] * n) for n in (1, 2, 30))
    for first, opened in ((tables, 1), (tables[::-1], 0)):
        page = render_html(Document(title="t", question="", answer=(), sections=(Section(title="s", blocks=first),)))
        assert page.count("<details open>") == opened
        assert page.count("<details") == 3


def test_lines_and_their_names_can_be_read_on_paper():
    def luminance(colour):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    paper = luminance("#fffefb")
    assert all((paper + 0.05) / (luminance(colour) + 0.05) >= 4.5 for colour in PALETTE)
    assert len({str(dash) for dash in DASHES}) == len(DASHES) == len(PALETTE)


def test_markdown_and_latex_escape_their_own_marks(document):
    assert "a_1 \\| \\<b>" in render_markdown(document)
    assert r"a\_1 | $<$b$>$ & .6725 \\" in render_latex(document)


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.05263, "-.0526"), (0.99999, "1.0000"), (12.3456, "12.35"), (True, "yes"), (0.0, "0"), (1.0, "1")],
)
def test_numbers_are_rounded_only_when_shown(value, text):
    assert format_cell(value) == text


def test_a_chart_is_found_by_its_heading(document):
    study = Document(title="Study", question="", answer=(), sections=(), parts=(document,))
    assert list(named_charts(document)) == list(named_charts(study))
    assert all(chart in document.charts for chart in named_charts(study).values())


def test_a_word_of_a_table_is_not_read_as_markup():
    words = ["<script>alert(1)</script>", "*a*", "a|b", "p<0.001", "\\*"]
    table = Table.of("Words", ["word", "f"], [[word, 1] for word in words])
    page = render_markdown(
        Document(title="Words", question="", answer=(), sections=(Section(title="Table", blocks=(table,)),))
    )
    shown = MarkdownIt("commonmark").enable("table").render(page)
    cells = re.findall(r"<td>(.*?)</td>", shown)
    assert [unescape(cell) for cell in cells] == words


def test_only_what_chance_leaves_at_zero_stands_on_the_scale_of_kappa():
    report = concurrence.agree(list("yyynnyyn"), list("yynnnyyn"))
    (chart,) = interval_chart(report)
    shown = json.dumps(chart.specification)
    assert "Cohen's kappa" in shown
    assert report["percent_agreement"].title not in shown
    assert report["bangdiwala_b"].title not in shown
