"""What commands write: all or nothing, in the formats they name; and what they were made of."""

import gzip
import hashlib
import io
import json
import subprocess
import sys

import pytest

from concurrence.cli.output import LONG_LIST, _texts_of

TABLE = ",yes,no\nyes,40,15\nno,20,25\n"
WIDE = "item,ann,bob,model\n1,y,y,y\n2,n,n,n\n3,y,n,y\n4,n,n,n\n5,y,y,y\n6,n,y,n\n"
SIDE = "id,text,word,label\n1,He ran home.,run,a\n"
SCORED = "l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\n"

# every command with more than one output, and its second one
TWO_OUTPUTS = {
    "agree": (("wide.csv", "--wide"), "--disagreements"),
    "judge": (("wide.csv", "--wide", "--judge", "model"), "--disagreements"),
    "match": (("left.csv", "left.csv"), "--labels"),
    "merge": (("wide.csv", "--wide", "--coders", "ann,bob", "--no-guards"), "--apply"),
}
BAD = {
    "x.docx": "the format follows the file extension",
    "no/x.csv": "does not exist; create it first",
    "folder": "is a folder",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"table.csv": TABLE, "wide.csv": WIDE, "left.csv": SIDE, "scored.csv": SCORED}.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("first_is_bad", [True, False])
@pytest.mark.parametrize("name", TWO_OUTPUTS)
def test_nothing_is_written_where_one_of_two_files_is_refused(name, first_is_bad, bad, concur, folder):
    arguments, second = TWO_OUTPUTS[name]
    before = sorted(folder.rglob("*"))
    places = (bad, "good.csv") if first_is_bad else ("good.csv", bad)
    done = concur(name, *arguments, "-o", places[0], second, places[1])
    assert done.code == 2
    assert BAD[bad] in done.err
    assert done.out == ""
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", TWO_OUTPUTS)
def test_both_files_are_written(name, concur, folder):
    arguments, second = TWO_OUTPUTS[name]
    assert concur(name, *arguments, "-o", "one.csv", second, "two.csv").code == 0
    assert (folder / "one.csv").is_file()
    assert (folder / "two.csv").is_file()


def test_labels_that_cannot_be_read_twice_leave_nothing_behind(concur, folder, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WIDE.encode())))
    done = concur("merge", "-", "--wide", "--coders", "ann,bob", "--no-guards", "-o", "x.csv", "--apply", "y.csv")
    assert (done.code, (folder / "x.csv").exists()) == (2, False)
    assert "cannot be standard input" in done.err


def test_one_file_is_not_two_outputs(concur, folder):
    done = concur("agree", "wide.csv", "--wide", "-o", "x.csv", "--disagreements", "x.csv")
    assert (done.code, (folder / "x.csv").exists()) == (2, False)
    assert "x.csv is used for two outputs" in done.err


def test_a_chart_that_cannot_be_drawn_leaves_nothing_behind(concur, folder):
    (folder / "uniform.csv").write_text("item,a,b\n1,y,\n2,,y\n", "utf-8")
    done = concur("agree", "uniform.csv", "--wide", "-o", "x.svg", "--disagreements", "d.csv")
    assert done.code == 2
    assert "no chart" in done.err
    assert not (folder / "d.csv").exists()


@pytest.mark.parametrize(
    ("call", "endings"),
    [
        (("agree", "table.csv", "--table"), ".csv, .tsv, .jsonl, .parquet, .html, .md, .tex, .svg, .png"),
        (("coders", "wide.csv", "--wide"), ".csv, .tsv, .jsonl, .parquet, .html, .md, .tex"),
        (("compare", "wide.csv", "--a", "ann", "--b", "bob"), ".csv, .tsv, .jsonl, .parquet, .html, .md, .tex"),
        (("score", "scored.csv"), ".csv, .tsv, .jsonl, .parquet, .ds, .html, .md, .tex"),
        (("sample", "scored.csv", "--size", "2"), ".csv, .tsv, .jsonl, .parquet, .html, .md, .tex"),
        (("plan", "precision"), ".csv, .tsv, .jsonl, .parquet, .html, .md, .tex, .svg, .png"),
        (("report", "x.json"), ".html, .md, .tex, .svg, .png"),
    ],
)  # fmt: skip
def test_a_refused_ending_names_all_that_the_command_writes(call, endings, concur, folder):
    done = concur(*call, "-o", "x.docx")
    assert (done.code, done.err) == (
        2,
        f"concur: x.docx: the format follows the file extension, which must be one of {endings}.\n",
    )


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet", ".html", ".md", ".tex", ".csv.gz"])
@pytest.mark.parametrize(
    "call",
    [
        ("merge", "wide.csv", "--wide", "--coders", "ann,bob", "--no-guards"),
        ("judge", "wide.csv", "--wide", "--judge", "model"),
        ("plan", "power", "--overlap", "300", "--precision-a", "0.4", "--precision-b", "0.3", "--draws", "100"),
    ],
    ids=lambda call: call[0],
)
def test_every_named_ending_is_written(call, ending, concur, folder):
    done = concur(*call, "-o", f"x{ending}")
    assert done.code == 0, done.err
    assert (folder / f"x{ending}").stat().st_size > 0


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("call", "text"), [(("agree", "-", "--table"), TABLE), (("pairs", "-"), "a red rose\nthe red rose\n")]
)
def test_standard_input_has_a_checksum(call, text, packed, concur, monkeypatch):
    data = gzip.compress(text.encode(), mtime=0) if packed else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    done = concur(*call, "--json").json
    assert done["provenance"]["inputs"] == {"-": hashlib.sha256(data).hexdigest()}


def test_standard_input_of_a_process_has_a_checksum():
    data = gzip.compress(TABLE.encode(), mtime=0)
    command = [sys.executable, "-m", "concurrence", "agree", "-", "--table", "--json"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    assert json.loads(done.stdout)["provenance"]["inputs"] == {"-": hashlib.sha256(data).hexdigest()}


def test_a_bad_judgement_is_told_with_file_and_line(concur, folder):
    (folder / "gold.csv").write_text("l1,l2,tp\na,b,1\nc,d,\ne,f,maybe\n", "utf-8")
    (folder / "drop.txt").write_text("l1: ^x$\n", "utf-8")
    (folder / "corpus.txt").write_text("a b\n", "utf-8")
    told = "concur: gold.csv, line 4: tp = 'maybe', but a judgement is 1/0, yes/no or true/false.\n"
    calls = (
        ("evaluate", "scored.csv", "--gold", "gold.csv", "-m", "MI"),
        ("plan", "power", "scored.csv", "--gold", "gold.csv", "-m", "MI,f", "--n", "2"),
        ("pairs", "corpus.txt", "--drop-pairs", "drop.txt", "--gold", "gold.csv"),
    )
    for call in calls:
        done = concur(*call)
        assert (done.code, done.err) == (2, told)


def test_pairs_understand_judgements_as_an_evaluation_does(concur, folder):
    rows = ("a,b,TRUE,ann", "a,b,yes,bob", "a,b,0,cy", "c,d,no,ann", "e,f,,ann")
    (folder / "gold.csv").write_text("l1,l2,tp,coder\n" + "".join(f"{row}\n" for row in rows), "utf-8")
    (folder / "drop.txt").write_text("^[ace]$\n", "utf-8")
    (folder / "corpus.txt").write_text("a b\nc d\ne f\ng h\n", "utf-8")
    done = concur("pairs", "corpus.txt", "--drop-pairs", "drop.txt", "--gold", "gold.csv", "--json")
    assert done.json["dropped"] == [{"pattern": "^[ace]$", "pairs": 3, "true_positives": 1}]


@pytest.mark.parametrize(("coefficient", "told"), [("scott_pi", "pooled kappa"), ("gwet_ac1", "Gwet")])
def test_the_page_of_merging_explains_the_coefficient_that_was_used(coefficient, told, concur, folder):
    call = ("merge", "wide.csv", "--wide", "--coders", "ann,bob", "--no-guards", "--coefficient", coefficient)
    assert concur(*call, "-o", "x.md").err.endswith("Written to x.md.\n")
    methods = (folder / "x.md").read_text("utf-8").partition("## Methods")[2]
    assert told in methods
    assert ("pooled kappa" in methods) == (coefficient == "scott_pi")
    assert "Chance p-value" not in methods


def test_the_answer_speaks_of_one_interval(concur, folder):
    (folder / "few.csv").write_text(",x,y\nx,10,2\ny,3,9\n", "utf-8")
    found = concur("agree", "few.csv", "--table", "--json").json
    kappa = found["coefficients"]["cohen_kappa"]
    assert kappa["interval_method"] == "posterior"
    low, high = kappa["interval"]
    answer = [sentence["text"] for sentence in found["sentences"]]
    assert f"(95% posterior interval {low:.3f} to {high:.3f})" in answer[-3]
    assert sum("interval" in text for text in answer) == 2  # kappa's, and those of true agreement


DRAWN = {
    "agree": ("wide.csv", "--wide"),
    "judge": ("wide.csv", "--wide", "--judge", "model"),
    "plan precision": ("scored.csv", "-m", "MI,f", "--n", "2"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_what_rests_on_random_draws_says_the_seed(name, concur, folder):
    found = concur(*name.split(), *DRAWN[name], "--seed", "7", "--json")
    assert (found.err, found.json["provenance"]["seed"]) == ("seed: 7\n", 7)


def test_posterior_intervals_follow_the_seed(concur, folder):
    few = [concur("agree", *DRAWN["agree"], "--json", "--seed", seed).json for seed in ("0", "0", "1")]
    first, again, other = (found["coefficients"]["fleiss_kappa"]["interval"] for found in few)
    assert first == again != other
    first, again, other = (
        concur("judge", *DRAWN["judge"], "--json", "--seed", seed).json["judge_human"]["interval"]
        for seed in ("0", "0", "1")
    )
    assert first == again != other


def test_what_is_not_drawn_has_no_seed(concur, folder):
    (folder / "many.csv").write_text(",yes,no\nyes,400,150\nno,200,250\n", "utf-8")
    found = concur("agree", "many.csv", "--table", "--json")
    assert (found.err, found.json["provenance"]["seed"]) == ("", None)


def test_a_concordance_is_written_as_a_table(concur, folder):
    (folder / "roses.txt").write_text("a red rose\nthe red , red rose\n", "utf-8")
    done = concur("kwic", "roses.txt", "red", "rose", "--rule", "adjacent", "-o", "lines.tsv", "--json")
    assert done.json["total"] == 2
    written = (folder / "lines.tsv").read_text("utf-8").splitlines()
    assert written[0].split("\t") == ["document", "sentence", "left", "node", "right"]
    assert [row.split("\t")[1:4] for row in written[1:]] == [["1", "a ", "red rose"], ["2", "the red , ", "red rose"]]
    assert concur("kwic", "roses.txt", "red", "thorn", "-o", "none.csv").out == ""
    assert (folder / "none.csv").read_text("utf-8").splitlines() == ["document,sentence,left,node,right"]


@pytest.mark.parametrize(
    "other", [("--design", "simple"), ("--best", "3"), ("-m", "MI"), ("--replacement",), ("--strata", "bands")]
)
def test_an_extension_refuses_another_design(other, concur, folder):
    assert (
        concur(
            "sample", "scored.csv", "--size", "2", "--design", "union", "--best", "2", "-m", "MI,f", "-o", "s.csv"
        ).code
        == 0
    )
    same = ("sample", "scored.csv", "--size", "3", "--extend", "s.csv", "-o", "t.csv")
    done = concur(*same, *other)
    assert (done.code, (folder / "t.csv").exists()) == (2, False)
    assert "does not match the design of s.csv" in done.err
    assert concur(*same, "--design", "union", "--best", "2", "-m", "MI,f").code == 0


CORPUS = "a red rose\nthe red , red rose\n"
PAIRS = "l1,l2,f,f1,f2,N\nthe,swiss,110,2552,221,31777\n"
PAGES = {  # what a page of the command must hold in a table
    "match": (("left.csv", "left.csv"), "left sentences without a match"),
    "pairs": (("roses.txt",), "rose"),
    "score": (("pairs.csv", "-m", "log_likelihood"), "swiss"),
    "sample": (("scored.csv", "--size", "2"), "simple"),
    "measures": (("dice",), "dice"),
    "kwic": (("roses.txt", "red", "rose"), "right"),
    "plan precision": (("--n", "500"), "judged in the list"),
}


@pytest.mark.parametrize("ending", [".html", ".md", ".tex"])
@pytest.mark.parametrize("name", PAGES)
def test_what_is_a_table_is_also_written_as_a_page(name, ending, concur, folder):
    (folder / "roses.txt").write_text(CORPUS, "utf-8")
    (folder / "pairs.csv").write_text(PAIRS, "utf-8")
    arguments, words = PAGES[name]
    done = concur(*name.split(), *arguments, "-o", f"page{ending}")
    assert done.code == 0, done.err
    page = (folder / f"page{ending}").read_text("utf-8")
    assert words in page
    assert f"concur {name}" in page  # how it was made
    assert not list(folder.glob("page*.meta.json"))


@pytest.mark.parametrize("length", [0, 1, LONG_LIST, LONG_LIST + 1, 2 * LONG_LIST])
def test_a_long_list_is_printed_in_parts_with_the_same_text(length):
    entries = [{"place": place, "text": "ä, ]"} for place in range(length)]
    assert "".join(_texts_of(entries)) == json.dumps(entries, ensure_ascii=False)
