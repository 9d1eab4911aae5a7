import csv

import pytest

CHANGE = """,1,2,3,4,6,5,8
1,40,4,8,10,0,0,0
2,4,0,1,1,0,0,0
3,19,0,0,1,0,0,0
4,12,2,3,0,0,0,0
6,1,1,1,0,1,0,0
5,0,0,0,0,0,1,0
8,0,0,0,0,0,1,0
"""


def long_rows():
    """Three words: *good* confuses a with b and c with d, *same* used one category, *lone* had one coder."""
    rows = ["item,coder,label,word,pos"]
    cells = {"aa": 9, "ab": 9, "ba": 9, "bb": 9, "cc": 9, "cd": 9, "dc": 9, "dd": 9}
    pairs = [cell for cell, n in cells.items() for _ in range(n)]
    for n, (first, second) in enumerate(pairs):
        rows += [f"g{n},x,{first},good,noun", f"g{n},y,{second},good,noun"]
    for n in range(5):
        rows += [f"s{n},x,a,same,verb", f"s{n},y,a,same,verb", f"l{n},x,{'ab'[n % 2]},lone,verb"]
    return "\n".join(rows) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "change.csv").write_text(CHANGE)
    (tmp_path / "labels.csv").write_text(long_rows())
    return tmp_path


def rows(path):
    with path.open() as source:
        return list(csv.DictReader(source))


def test_the_json_has_what_scripts_rely_on(folder, concur):
    done = concur("merge", "change.csv", "--table", "--json")
    group = done.json["groups"]["all"]
    assert done.code == 0
    assert group["before"].items() >= {"categories": 7, "items": 111, "agreed": 42}.items()
    assert group["after"] == {"categories": 2, "items": 111, "agreed": 111, "percent_agreement": 1.0, "kappa": 1.0}
    assert group["classes"] == [["1", "2", "3", "4", "6"], ["5", "8"]]
    assert group["steps"][1]["merged"] == [["1", "3"], ["4"]]
    assert group["collapsed"] is False
    assert group["chance_p_value"] < 0.05
    assert "holds 98%" in group["note"]
    assert done.json["summary"]["collapsed"] == 0
    assert done.json["summary"]["after"]["kappa"] == 1.0
    assert done.err == "seed: 0\n"


def test_groups_and_their_sums(folder, concur):
    found = concur("merge", "labels.csv", "--by", "word", "--summary-by", "pos", "--json").json
    assert found["groups"]["good"]["classes"] == [["a", "b"], ["c", "d"]]
    assert found["groups"]["same"]["before"]["kappa"] is None
    assert "Only one category" in found["groups"]["same"]["note"]
    assert "Only one coder" in found["groups"]["lone"]["note"]
    assert found["summary_by"]["noun"]["after"] == {
        "groups": 1, "categories": 2.0, "agreed": 72.0, "items": 72,
        "percent_agreement": 1.0, "kappa": 1.0, "undefined": 0,
    }  # fmt: skip
    assert found["summary"]["raw"]["undefined"] == 2


def test_classes_go_out_to_a_person_and_come_back(folder, concur):
    concur("merge", "labels.csv", "--by", "word", "-o", "classes.csv", "--no-guards")
    written = rows(folder / "classes.csv")
    assert written[0] == {"group": "good", "category": "a", "class": "1", "name": "a+b", "verified": ""}
    edited = "group,category,class,name,verified\n"
    edited += "good,a,1,animal,yes\ngood,b,1,animal,yes\ngood,c,2,plant,no\ngood,d,2,plant,no\n"
    (folder / "edited.csv").write_text(edited)
    options = ("--classes", "edited.csv", "--apply", "applied.csv", "--json")
    group = concur("merge", "labels.csv", "--by", "word", *options).json["groups"]["good"]
    assert group["classes"] == [["a", "b"], ["c"], ["d"]]
    assert {row["label"] for row in rows(folder / "applied.csv") if row["word"] == "good"} == {"animal", "c", "d"}


def test_classes_keep_the_names_that_a_person_gave(folder, concur):
    (folder / "mine.csv").write_text("category,class\na,animal\nb,animal\nc,plant\nd,plant\n")
    options = ("--by", "word", "--classes", "mine.csv", "--apply", "applied.csv", "-o", "classes.csv")
    group = concur("merge", "labels.csv", *options, "--json").json["groups"]["good"]
    assert group["names"] == ["animal", "plant"]
    assert {row["label"] for row in rows(folder / "applied.csv") if row["word"] == "good"} == {"animal", "plant"}
    assert {row["name"] for row in rows(folder / "classes.csv") if row["group"] == "good"} == {"animal", "plant"}
    assert (
        "good: animal: a b | plant: c d" in concur("merge", "labels.csv", "--by", "word", "--classes", "mine.csv").out
    )


def test_names_that_no_longer_fit_the_classes_are_made_anew(folder, concur):
    stale = "category,class,name\na,1,a+b\nb,2,a+b\nc,2,c\nd,3,d\n"
    (folder / "stale.csv").write_text(stale)
    found = concur("merge", "labels.csv", "--by", "word", "--classes", "stale.csv", "--json").json["groups"]["good"]
    assert found["classes"] == [["a"], ["b", "c"], ["d"]]
    assert found["names"] == ["a", "b+c", "d"]


def test_latex_names_every_group(folder, concur):
    assert concur("merge", "labels.csv", "--by", "word", "-o", "groups.tex", "--no-guards").code == 0
    text = (folder / "groups.tex").read_text()
    for word in ("good", "same", "lone"):
        assert f"\\caption{{{word}: before and after merging}}" in text


def test_relabelled_files_have_the_agreement_that_was_promised(folder, concur):
    concur("merge", "labels.csv", "--by", "word", "--apply", "applied.csv", "--no-guards")
    found = concur("merge", "applied.csv", "--by", "word", "--no-guards", "--json").json["groups"]["good"]
    assert found["before"]["kappa"] == 1.0
    assert found["classes"] == [["a+b"], ["c+d"]]


def test_the_terminal_shows_trees_glosses_and_a_reference(folder, concur):
    (folder / "glosses.csv").write_text("category,gloss\n5,balance of money\n8,coins\n")
    (folder / "reference.csv").write_text("category,class\n5,money\n8,money\n")
    options = ("--steps", "--glosses", "glosses.csv", "--reference", "reference.csv")
    shown = concur("merge", "change.csv", "--table", *options).out
    assert "5 8  1.000" in shown
    assert "balance of money" in shown
    assert "adjusted Rand index" in shown


@pytest.mark.parametrize(
    ("name", "start"), [("tree.svg", b"<svg"), ("tree.png", b"\x89PNG"), ("page.html", b"<!doctype")]
)
def test_pictures_and_pages(folder, concur, name, start):
    assert concur("merge", "change.csv", "--table", "-o", name, "--no-guards").code == 0
    assert (folder / name).read_bytes().startswith(start)


def test_the_example_in_the_help_works(folder, concur):
    (folder / "example.csv").write_text("a,b\ncat,cat\nlion,cat\ncat,lion\ndog,dog\nlion,cat\ndog,dog\n")
    done = concur("merge", "example.csv", "--wide", "--coders", "a,b", "--min-kappa", "0.7", "--steps")
    assert done.code == 0
    assert "cat lion" in done.out


def test_constraints_and_stopping(folder, concur):
    done = concur("merge", "change.csv", "--table", "--keep", "6", "--together", "1,2", "--no-guards", "--json")
    group = done.json["groups"]["all"]
    assert ["6"] in group["classes"]
    assert group["steps"][0] == {
        "merged": [["1"], ["2"]],
        "kappa": pytest.approx(group["steps"][0]["kappa"]),
        "given": True,
    }
    assert concur("merge", "change.csv", "--table", "--stop", "heldout", "--json").code == 0
    assert concur("merge", "change.csv", "--table", "--faithful", "--no-guards", "--json").code == 0


@pytest.mark.parametrize(
    ("files", "options", "sentence"),
    [
        ({"tree.csv": "child,parent\n1,a\na,b\nb,a\n"}, ("--tree", "tree.csv"), "tree.csv has a cycle: a → b → a"),
        ({"tree.csv": "child,parent\n1,a\n1,b\n"}, ("--tree", "tree.csv"), "'1' has two entries"),
        ({"tree.csv": "a,b\n1,a\n"}, ("--tree", "tree.csv"), "no column 'child'"),
        ({}, ("--coefficient", "kapa"), "no coefficient for merging 'kapa'"),
        ({}, ("--keep", "9"), "no category '9'"),
        ({}, ("--min-kappa", "8"), "between -1 and 1"),
        ({}, ("--summary-by", "pos"), "--summary-by needs --by"),
        ({}, ("--classes", "nowhere.csv"), "nowhere.csv does not exist"),
        ({}, ("--apply", "nowhere/applied.csv"), "the folder nowhere does not exist"),
        ({}, ("--apply", "applied.doc"), "the format follows the file extension"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(folder, concur, files, options, sentence):
    for name, text in files.items():
        (folder / name).write_text(text)
    before = sorted(folder.iterdir())
    done = concur("merge", "change.csv", "--table", "--no-guards", "-o", "out.csv", "--apply", "applied.csv", *options)
    assert done.code == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_a_picture_of_several_groups_is_refused_in_one_sentence(folder, concur):
    done = concur("merge", "labels.csv", "--by", "word", "-o", "tree.svg")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "a chart shows one group" in done.err
