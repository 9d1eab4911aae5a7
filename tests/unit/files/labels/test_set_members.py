"""Set-valued labels as they are written: what is between the marks, and what only looks like it."""

import shlex

import polars as pl
import pytest

from concurrence import agree, read_labels

ROWS = ["1,a,x+", "1,b,x", "2,a,y", "2,b,y", "3,a,x", "3,b,x", "4,a,x++y", "4,b,x+y"]


def labels_of(rows, **how):
    parts = [row.split(",") for row in rows]
    return read_labels(pl.DataFrame(parts, schema=["item", "coder", "label"], orient="row"), sets="+", **how)


def doubts(labels):
    return {sentence.code: sentence.text for sentence in labels.warnings}


def test_a_mark_too_many_makes_no_other_set():
    labels = labels_of(ROWS)
    assert labels.categories == ("x", "x+y", "y")
    report = agree(labels)
    assert report["cohen_kappa"].value == report["krippendorff_alpha"].value == 1
    assert report.sets.differing == 0
    assert not any(sentence.code == "omissions" for sentence in report.sets.sentences)


def test_spaces_around_members_mean_nothing():
    assert labels_of(["1,a,x + y", "1,b, y+x ", "2,a,x", "2,b, x "]).categories == ("x", "x+y")


def test_marks_without_members_are_no_label():
    labels = labels_of([*ROWS, "5,a,+", "5,b, + "])
    assert labels.categories == ("x", "x+y", "y")
    assert labels.n_missing == 2


def test_a_word_for_no_label_may_hold_the_mark():
    assert labels_of([*ROWS, "5,a,n+a", "5,b,x"], missing=["n+a"]).categories == ("x", "x+y", "y")


def test_a_member_may_be_recoded_to_several_or_none():
    assert labels_of(["1,a,both+a", "1,b,z+a+w"], recode={"both": "z+c"}).categories == ("a+c+z", "a+w+z")
    assert labels_of(["1,a,x+noise", "1,b,x"], recode={"noise": ""}).categories == ("x",)


LOOKALIKES = [f"{n},{coder},{'person+place' if n % 2 else 'thing'}" for n in range(30) for coder in "ab"]


@pytest.mark.parametrize("odd", ["Person+thing", "thing+preson+persn"])
def test_members_are_compared_and_the_way_out_works(odd, concur, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["item,coder,label", *LOOKALIKES, f"30,a,{odd}", "30,b,thing+person"]), encoding="utf-8")
    done = concur("agree", path, "--sets", "+", "--json")
    text = next(one["text"] for one in done.json["warnings"] if one["code"] == "near_duplicate_labels")
    option = shlex.split(text[text.index("--recode") :].removesuffix("."))
    again = concur("agree", path, "--sets", "+", "--json", *option)
    assert again.code == 0
    codes = {one["code"] for one in again.json["warnings"]}
    assert not codes & {"near_duplicate_labels", "recode_unused"}


def test_members_that_differ_only_in_spaces_need_no_way_out():
    labels = labels_of([*LOOKALIKES, "30,a, place+person ", "30,b,person + place"])
    assert labels.categories == ("person+place", "thing")
    assert "near_duplicate_labels" not in doubts(labels)


def test_sets_of_alike_members_are_no_two_spellings():
    labels = labels_of([*LOOKALIKES, "30,a,person", "30,b,persona+place"])
    assert "'persona' (1) and 'person' (31)" in doubts(labels)["near_duplicate_labels"]
    assert "+" not in doubts(labels)["near_duplicate_labels"]


def test_a_member_that_is_recoded_as_written_is_not_called_unused():
    for old in ("x", " x", "x+"):
        assert "recode_unused" not in doubts(labels_of(["1,a, x+y", "1,b,z", "2,a,x+", "2,b,z"], recode={old: "z"}))
    assert "recode_unused" in doubts(labels_of(["1,a,x", "1,b,z"], recode={"y": "z"}))
