"""``concur report`` puts saved results together to one page."""

import json

import pytest

TABLE = ",yes,no\nyes,40,15\nno,20,25\n"
SCORED = "l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\n"
GOLD = "l1,l2,tp\na,b,1\nc,d,1\ne,f,0\ng,h,0\n"


@pytest.fixture
def saved(concur, tmp_path):
    """Run a command on files of the folder and keep what it prints as JSON."""
    for name, text in {"table.csv": TABLE, "scored.csv": SCORED, "gold.csv": GOLD}.items():
        (tmp_path / name).write_text(text, "utf-8")

    def save(name, *arguments):
        done = concur(*(tmp_path / word if str(word).endswith(".csv") else word for word in arguments), "--json")
        assert done.code == 0, done.err
        (tmp_path / name).write_text(done.out, "utf-8")
        return tmp_path / name

    return save


def test_several_results_become_one_page_with_the_methods_once(concur, saved, tmp_path):
    first = saved("agree.json", "agree", "table.csv", "--table")
    again = saved("again.json", "agree", "table.csv", "--table", "--level", "0.9")
    other = saved("evaluate.json", "evaluate", "scored.csv", "--gold", "gold.csv", "-m", "MI,f", "--n", "1,2,3")
    page = tmp_path / "study.html"
    assert concur("report", first, again, other, "-o", page, "--title", "My study").code == 0
    text = page.read_text("utf-8")
    assert text.index("candidates judged") < text.index("<article") < text.index("The coders agree on 65%")
    assert text.index("The coders agree on 65%") < text.index("<h3>Precision</h3>")
    assert text.count("Chance follows each coder's own habits.".replace("'", "&#x27;")) == 1
    assert "<h1 id='top'>My study</h1>" in text
    assert "What is said here holds for all pairs and list sizes together" in text
    assert "--correct" not in text
    assert "scored.csv" in text
    assert json.loads(other.read_text())["provenance"]["inputs"][str(tmp_path / "gold.csv")] in text


def test_a_result_read_back_says_what_the_command_said(concur, saved, tmp_path):
    result = saved("agree.json", "agree", "table.csv", "--table")
    for ending in (".md", ".tex"):
        assert concur("report", result, "-o", tmp_path / f"read{ending}").code == 0
        assert concur("agree", tmp_path / "table.csv", "--table", "-o", tmp_path / f"own{ending}").code == 0
        assert (tmp_path / f"read{ending}").read_text("utf-8") == (tmp_path / f"own{ending}").read_text("utf-8")


def test_tables_for_a_paper(concur, saved, tmp_path):
    one = saved("agree.json", "agree", "table.csv", "--table")
    concur("report", one, "-o", tmp_path / "table.tex")
    assert r"Cohen's kappa & .2857 & [.0974, .4740] &" in (tmp_path / "table.tex").read_text()
    concur("report", one, "-o", tmp_path / "table.md")
    assert "| Cohen's kappa | .2857 | [.0974, .4740] |" in (tmp_path / "table.md").read_text()


@pytest.mark.parametrize("content", ["", "[]", "{}", "no json", '{"document": {"title": 1}}', "3"])
def test_what_is_no_result_is_refused_in_a_sentence(concur, tmp_path, content):
    path = tmp_path / "wrong.json"
    path.write_text(content)
    done = concur("report", path, "-o", tmp_path / "page.html")
    assert done.code == 2
    assert "wrong.json is not a result of concur" in done.err
    assert not (tmp_path / "page.html").exists()


def test_a_result_that_is_not_there_is_said_to_be_missing(concur, tmp_path):
    done = concur("report", tmp_path / "gone.json", "-o", tmp_path / "page.html")
    assert (done.code, done.err) == (2, f"concur: {tmp_path / 'gone.json'} does not exist.\n")


def test_an_unknown_ending_is_refused(concur, saved, tmp_path):
    one = saved("agree.json", "agree", "table.csv", "--table")
    done = concur("report", one, "-o", tmp_path / "page.docx")
    assert done.code == 2
    assert ".html" in done.err


def test_a_result_without_a_chart_has_no_picture(concur, saved, tmp_path):
    done = concur("report", saved("measures.json", "measures"), "-o", tmp_path / "page.png")
    assert done.code == 2
    assert "has no chart" in done.err
    assert not (tmp_path / "page.png").exists()


def test_a_chart_of_a_result_is_written_by_name(concur, saved, tmp_path):
    result = saved("agree.json", "agree", "table.csv", "--table")
    assert concur("report", result, "-o", tmp_path / "first.svg").code == 0
    assert concur("report", result, "--chart", "True agreement", "-o", tmp_path / "divisions.svg").code == 0
    assert "almost perfect" in (tmp_path / "first.svg").read_text("utf-8")
    assert "any division (Fisher)" in (tmp_path / "divisions.svg").read_text("utf-8")


def test_an_unknown_chart_is_refused(concur, saved, tmp_path):
    result = saved("agree.json", "agree", "table.csv", "--table")
    refused = concur("report", result, "--chart", "true agremeent", "-o", tmp_path / "none.svg")
    assert (refused.code, "Did you mean 'true agreement'?" in refused.err) == (2, True)
    assert not (tmp_path / "none.svg").exists()
    assert "name one with -o" in concur("report", result, "--chart", "true agreement").err
