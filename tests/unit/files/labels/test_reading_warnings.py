"""Input that is not believed blindly: what reading warns about, and what it refuses with the way out."""

import json

import numpy as np
import polars as pl
import pytest

from concurrence import agree, read_labels, read_table
from concurrence.agreement.labels.coefficients.metrics import require_order
from concurrence.core import InvalidInputError
from concurrence.files.labels.reading_warnings import find_near_duplicates
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")


def codes(labels):
    return [sentence.code for sentence in labels.warnings]


def text_of(labels, code):
    return next(sentence.text for sentence in labels.warnings if sentence.code == code)


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Write a file here and say what it is called."""
    monkeypatch.chdir(tmp_path)

    def write(text, name="labels.csv", **how):
        (tmp_path / name).write_text(text, **{"encoding": "utf-8", **how})
        return name

    return write


def wide(*rows, header="item,ann,bob"):
    return header + "\n" + "".join(f"{n},{row}\n" for n, row in enumerate(rows, start=1))


# Numbers


ONE_NAN = {"item": range(1, 12), "ann": [1, 2] * 5 + [1], "bob": [1, 2] * 4 + [1, 1, None]}


def test_one_nan_in_a_column_of_a_frame_is_a_missing_label_and_no_category():
    labels = read_labels(pd.DataFrame(ONE_NAN), shape="wide")
    assert labels.categories == ("1", "2")
    assert labels.n_missing == 1
    assert agree(labels, coefficients=["cohen_kappa"]).coefficients["cohen_kappa"].value == pytest.approx(0.8)
    assert "'1.0' as '1', '2.0' as '2'" in text_of(labels, "same_number")
    assert "as_text=True" in text_of(labels, "same_number")


def test_spellings_of_a_number_are_one_category_in_the_shortest_spelling(given, concur):
    path = given("item,coder,label\n1,a,01\n1,b,1.0\n2,a,2\n2,b,2.50\n3,a,1e0\n3,b,2.5\n")
    labels = read_labels(path)
    assert labels.categories == ("01", "2", "2.5")
    assert "same_number" in codes(labels)
    apart = read_labels(path, as_text=True)
    assert len(apart.categories) == 6
    assert "same_number" not in codes(apart)
    assert len(concur("agree", path, "--as-text", "--json").json["data"]["categories"]) == 6


def test_long_numbers_that_only_look_the_same_to_a_computer_stay_apart(given):
    labels = read_labels(given("item,coder,label\n1,a,12345678901234567890\n1,b,12345678901234567891\n"))
    assert len(labels.categories) == 2


def test_one_word_among_the_labels_keeps_all_of_them_as_text(given):
    labels = read_labels(given("item,coder,label\n1,a,01\n1,b,1\n2,a,NA\n2,b,1.0\n"))
    assert labels.categories == ("01", "1", "1.0", "NA")
    numbers = read_labels(given("item,coder,label\n1,a,01\n1,b,1\n2,a,NA\n2,b,1.0\n"), missing=["NA"])
    assert numbers.categories == ("1",)


def test_declared_categories_and_missing_labels_are_meant_in_every_spelling():
    labels = read_labels(pd.DataFrame(ONE_NAN), shape="wide", categories=["1", "2", "3"])
    assert labels.categories == ("1", "2", "3")
    labels = read_labels(pd.DataFrame(ONE_NAN).assign(ann=[9] + [1, 2] * 5), shape="wide", missing=["9.0"])
    assert labels.categories == ("1", "2")
    assert labels.n_missing == 2


# Look-alikes


@pytest.mark.parametrize(
    ("counts", "rare"),
    [
        ({"positive": 118, "postive": 2}, ["postive"]),
        ({"positive": 118, "positve": 2, "negative": 100, "negatve": 1}, ["positve", "negatve"]),
        ({"positive": 118, "pozitive": 11}, ["pozitive"]),
        ({"positive": 118, "pozitive": 12}, []),
        ({"yes": 50, "Yes": 50}, ["Yes"]),
        ({"yes": 50, " yes": 40}, [" yes"]),
        ({"A": 100, "a": 1}, []),
        ({"sense1": 100, "sense2": 1}, []),
        ({"type A": 100, "type B": 1}, []),
        ({"noun": 100, "nour": 1}, []),
        ({"1": 100, "1.0": 1, "x": 1}, []),
        ({"agree": 100, "disagree": 1}, []),
        ({"casual": 100, "causal": 1}, []),
    ],
)
def test_which_labels_look_like_another(counts, rare):
    assert [pair[0] for pair in find_near_duplicates(counts)] == rare


def test_two_typos_among_240_labels_are_named_with_the_way_out(given, concur):
    judged = ["positive,positive"] * 58 + ["negative,negative"] * 40 + ["positive,negative"] * 20
    path = given(wide(*judged, "postive,positive", "positive,postive"))
    done = concur("agree", path, "--wide", "--json").json
    labels = read_labels(path, shape="wide")
    told = text_of(labels, "near_duplicate_labels")
    assert "'postive' (2)" in told
    assert "'positive' (138)" in told
    assert "recode={'postive': 'positive'}" in told
    assert len(done["data"]["categories"]) == 3
    recoded = concur("agree", path, "--wide", "--recode", "postive=positive", "--json").json
    assert recoded["data"]["categories"] == ["negative", "positive"]
    given("old,new\npostive,positive\n", "map.csv")
    again = concur("agree", path, "--wide", "--recode", "map.csv", "--json").json
    assert again["coefficients"] == recoded["coefficients"]
    assert codes(read_labels(path, shape="wide", recode={"postive": "positive"})) == ["categories_inferred"]


def test_declared_categories_are_taken_at_their_word(given):
    path = given(wide("yes,Yes", "no,no"))
    assert codes(read_labels(path, shape="wide", categories=["yes", "Yes", "no"])) == []


def test_a_recode_that_meets_no_label_is_told(given):
    labels = read_labels(given(wide("a,b", "b,b")), shape="wide", recode={"x": "a", "b": "c"})
    assert labels.categories == ("a", "c")
    assert "The label 'x' does not occur" in text_of(labels, "recode_unused")


def test_a_recode_to_nothing_is_no_label(given, concur):
    labels = read_labels(given(wide("a,b", "b,?")), shape="wide", recode={"?": ""})
    assert labels.categories == ("a", "b")
    done = concur("agree", given(wide("a,b", "b,b")), "--wide", "--recode", "a")
    assert done.code == 2
    assert "old=new" in done.err


def test_a_table_can_be_recoded(given):
    path = given(",yes,Yes,no\nyes,10,1,2\nYes,0,1,0\nno,3,0,9\n")
    labels = read_labels(path, shape="table", recode={"Yes": "yes"})
    assert labels.categories == ("yes", "no")


# Categories and groups


def test_inferred_categories_are_named(given):
    labels = read_labels(given(wide("a,b", "b,b")), shape="wide")
    assert codes(labels) == ["categories_inferred"]
    assert "inferred from the labels: a, b." in text_of(labels, "categories_inferred")
    assert codes(read_labels(given(wide("a,b", "b,b")), shape="wide", categories=["a", "b"])) == []
    assert codes(read_labels(given(",a,b\na,3,1\nb,1,3\n"), shape="table")) == []
    assert codes(read_labels(given("item,label,count\n1,a,2\n2,b,2\n"))) == ["categories_inferred"]
    assert codes(read_labels(given("item,label,count\n1,a,2\n2,b,0\n"))) == []


SENSES = "".join(
    f"{word} {n},{coder},{word}{1 + (n + (coder == 'b') * (n == 3)) % 2},{word},note {n}\n"
    for word in ("bank", "bar")
    for n in range(4)
    for coder in "ab"
)


def test_groups_without_a_common_category_are_sent_to_by(given):
    path = given("item,coder,label,word,note\n" + SENSES)
    told = text_of(read_labels(path), "pooled_groups")
    assert "'word'" in told
    assert "by='word'" in told
    assert "pooled_groups" not in codes(read_labels(path, by="word"))
    shared = given("item,coder,label,word,note\n" + SENSES.replace("bar1", "bank1"), "shared.csv")
    assert "pooled_groups" not in codes(read_labels(shared))


def test_a_column_that_repeats_the_label_is_no_group(given):
    rows = "".join(f"{n},{c},{'xyzw'[n % 4]},{'xyzw'[n % 4]}\n" for n in range(8) for c in "ab")
    assert "pooled_groups" not in codes(read_labels(given("item,coder,label,gold\n" + rows)))


# Columns of text


TEXTS = [f"Satz Nummer {n}" for n in range(12)]
CODES = ["ja,ja", "nein,nein", "ja,nein"] * 4


def test_columns_of_text_are_refused_with_the_coders_to_name(given, concur):
    remarks = [f"siehe {n // 2}" if n % 3 else "" for n in range(12)]
    rows = [f"{text},{label},{remark}" for text, label, remark in zip(TEXTS, CODES, remarks, strict=True)]
    path = given(wide(*rows, header="id,Text,ann,bob,Kommentar"))
    done = concur("agree", path, "--wide")
    assert done.code == 2
    assert done.err.startswith("concur: labels.csv: the columns 'Text' and 'Kommentar' hold text, not labels")
    assert "--coders ann,bob" in done.err
    assert concur("agree", path, "--wide", "--coders", "ann,bob").code == 0
    with pytest.raises(InvalidInputError, match=r"coders=\['ann', 'bob'\]"):
        read_labels(path, shape="wide")


@pytest.mark.parametrize(
    "third",
    [
        ["vielleicht"] * 12,  # a coder who always says the same
        ["ja", "nein", "vielleicht"] * 4,
        ["ja"] + [""] * 11,
    ],
)
def test_columns_that_are_no_text(given, third):
    rows = [f"{label},{other}" for label, other in zip(CODES, third, strict=True)]
    assert read_labels(given(wide(*rows, header="item,ann,bob,cy")), shape="wide").n_coders == 3


def test_many_categories_are_no_text(given):
    rows = [f"c{n},c{n},c{(n + 1) % 9}" for n in range(9)]
    assert read_labels(given(wide(*rows, header="item,ann,bob,cy")), shape="wide").n_coders == 3


def test_sets_have_members_in_common(given):
    path = given(wide("a+b,a", "b+c,c", "c,a+b+c"))
    assert read_labels(path, shape="wide", sets="+").n_coders == 2
    with pytest.raises(InvalidInputError, match="hold"):
        read_labels(given(wide("x,a", "y,b", "z,c")), shape="wide")


# Order


LEVELS = wide(*["low,low", "medium,medium", "high,high", "low,medium", "high,medium", "medium,low"] * 4)


@pytest.mark.parametrize("options", [("--scale", "ordinal"), ("--weights", "linear"), ("--weights", "quadratic")])
def test_words_have_no_order_of_their_own(given, concur, options):
    path = given(LEVELS)
    done = concur("agree", path, "--wide", *options)
    assert done.code == 2
    assert "The labels 'high', 'low' and 'medium' are not numbers" in done.err
    assert "--categories low,medium,high" in done.err
    ordered = concur("agree", path, "--wide", *options, "--categories", "low,medium,high", "--json")
    assert ordered.code == 0
    numbers = given(LEVELS.replace("low", "1").replace("medium", "2").replace("high", "3"), "numbers.csv")
    same = concur("agree", numbers, "--wide", *options, "--json").json["coefficients"]["weighted_kappa"]["value"]
    assert ordered.json["coefficients"]["weighted_kappa"]["value"] == same
    compared = ("compare", path, path, "--wide", "--bootstrap", "20", "--coefficient", "weighted_kappa", *options)
    assert "are not numbers" in concur(*compared).err


def test_a_table_declares_its_order_and_sets_need_none(given, concur):
    path = given(",low,high\nlow,10,2\nhigh,3,10\n")
    assert concur("agree", path, "--table", "--scale", "ordinal", "--json").code == 0
    with pytest.raises(InvalidInputError, match=r'categories=\["low", "medium", "high"\]'):
        require_order(read_labels(given(LEVELS), shape="wide"), scale="ordinal")
    require_order(read_labels(given(LEVELS), shape="wide"), weights=np.eye(3))


# Files


def test_windows_text_is_read_by_its_encoding(given, concur):
    path = given(wide("schön,schön", "übel,schön"), encoding="cp1252")
    done = concur("agree", path, "--wide")
    assert done.code == 2
    assert "labels.csv, line 2: not valid UTF-8" in done.err
    assert "--encoding cp1252" in done.err
    assert read_labels(path, shape="wide", encoding="cp1252").categories == ("schön", "übel")
    read = concur("agree", path, "--wide", "--encoding", "cp1252", "--json").json
    assert read["data"]["categories"] == ["schön", "übel"]
    assert "Unknown encoding 'cp12'" in concur("agree", path, "--wide", "--encoding", "cp12").err
    sixteen = given(wide("a,b", "b,b"), "wide.csv", encoding="utf-16")
    assert "--encoding utf-16" in concur("agree", sixteen, "--wide").err
    assert read_labels(sixteen, shape="wide", encoding="utf-16").categories == ("a", "b")


def test_a_sheet_is_chosen_by_its_name(tmp_path, monkeypatch, concur):
    monkeypatch.chdir(tmp_path)
    with pd.ExcelWriter("book.xlsx") as book:
        pd.DataFrame({"note": ["read me"]}).to_excel(book, sheet_name="About", index=False)
        pd.DataFrame({"item": [1, 2], "ann": ["a", "b"], "bob": ["a", "a"]}).to_excel(
            book, sheet_name="Round 1", index=False
        )
    done = concur("agree", "book.xlsx", "--wide", "--sheet", "Round 2")
    assert done.code == 2
    assert done.err == "concur: book.xlsx has no sheet 'Round 2'; its sheets are About, Round 1.\n"
    assert concur("agree", "book.xlsx", "--wide", "--sheet", "Round 1", "--json").json["data"]["coders"] == [
        "ann",
        "bob",
    ]
    assert "the first of its sheets About, Round 1" in concur("agree", "book.xlsx").err
    (tmp_path / "x.csv").write_text("item,coder,label\n")
    with pytest.raises(InvalidInputError, match="has no sheets"):
        read_labels("x.csv", sheet="Round 1")


def test_missing_labels_may_be_named_in_several_options(given, concur):
    path = given(wide("a,b", "NA,b", "b,?", "a,-"))
    done = concur("agree", path, "--wide", "--missing", "NA,?", "--missing", "-", "--json").json
    assert done["data"]["categories"] == ["a", "b"]
    assert done["data"]["missing"] == 3


def test_blanks_around_the_names_of_columns_are_not_there(given, concur):
    path = given("item, coder ,label \n1,a,x\n1,b,y\n")
    assert concur("agree", path, "--columns", "coder=coder,label=label", "--json").code == 0
    assert read_table(path).columns == ["item", "coder", "label"]
    assert read_labels(pd.DataFrame({"item ": [1, 1], " coder": ["a", "b"], "label": ["x", "y"]})).n_coders == 2
    with pytest.raises(InvalidInputError, match="two columns are named 'coder'"):
        read_labels(given("item,coder,coder ,label\n1,a,b,x\n"))
    with pytest.raises(InvalidInputError, match="two columns are named 'coder'"):
        read_labels(pl.DataFrame({"item": [1], "coder": ["a"], "coder ": ["a"], "label": ["x"]}))


def test_a_table_is_read_by_a_plain_string(given):
    assert read_table(given("a,b\n1,2\n", "x.csv")).rows() == [("1", "2")]


def test_errors_speak_python_in_python_and_options_on_the_command_line(given, concur):
    path = given(wide("a,b"))
    with pytest.raises(InvalidInputError, match=r'shape="wide"'):
        read_labels(path)
    said = concur("agree", path).err
    assert "--wide" in said
    assert "shape=" not in said


# Label Studio


def annotated(*rows):
    names = ("id", "text", "sentiment", "annotator", "annotation_id", "created_at", "lead_time")
    return [dict(zip(names, row, strict=True)) for row in rows]


MINIMAL = annotated(
    (1, "good", "pos", 7, 11, "2026", 1.5),
    (1, "good", "pos", 9, 12, "2026", 1.5),
    (2, "bad", "neg", 7, 13, "2026", 1.5),
    (2, "bad", "pos", 9, 14, "2026", 1.5),
)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_label_studio_csv_and_json_min(given, ending):
    frame = pl.DataFrame(MINIMAL)
    path = given(frame.write_csv() if ending == "csv" else json.dumps(MINIMAL), f"min.{ending}")
    labels = read_labels(path)
    assert labels.coders == ("7", "9")
    assert labels.items.tolist() == ["1", "2"]
    assert labels.categories == ("neg", "pos")


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_label_studio_asks_which_column_is_the_label(given, concur, ending):
    rows = [{**row, "topic": "film"} for row in MINIMAL]
    path = given(pl.DataFrame(rows).write_csv() if ending == "csv" else json.dumps(rows), f"min.{ending}")
    done = concur("agree", path)
    assert done.code == 2
    assert "the item is id, the coder annotator. Which column is the label?" in done.err
    assert "sentiment, topic" in done.err
    assert "--columns label=sentiment" in done.err
    chosen = concur("agree", path, "--columns", "label=sentiment", "--json")
    assert chosen.json["data"]["items"] == 2


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_several_choices_of_label_studio_are_sets(given, ending):
    several = {"choices": ["pos", "ironic"]}
    rows = [{**row, "sentiment": several if n == 0 else row["sentiment"]} for n, row in enumerate(MINIMAL)]
    cells = [{**row, "sentiment": json.dumps(several) if n == 0 else row["sentiment"]} for n, row in enumerate(MINIMAL)]
    path = given(pl.DataFrame(cells).write_csv() if ending == "csv" else json.dumps(rows), f"min.{ending}")
    assert "ironic+pos" in read_labels(path, sets="+").categories
    with pytest.raises(InvalidInputError, match="sets="):
        read_labels(path)


def test_predictions_of_label_studio_are_coders(given):
    def chosen(label):
        return [{"from_name": "s", "type": "choices", "value": {"choices": [label]}}]

    tasks = [
        {
            "id": n,
            "data": {"text": "x"},
            "annotations": [{"completed_by": 7, "result": chosen("pos")}],
            "predictions": [{"model_version": "bert-2", "result": chosen(label)}, {"model_version": "x", "result": []}],
        }
        for n, label in enumerate(("pos", "neg"), start=1)
    ]
    labels = read_labels(given(json.dumps(tasks), "export.json"))
    assert labels.coders == ("7", "bert-2")
    assert labels.codes.tolist() == [[1, 1], [1, 0]]
