"""Every shape of label file, and every way to get one wrong."""

import gzip
import io

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from concurrence import read_labels
from concurrence.core import InvalidInputError, UnknownNameError
from support.expect import PUBLISHED
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")

LONG = "item,coder,label\n1,a,yes\n1,b,no\n2,a,no\n2,b,no\n"


@pytest.fixture
def given(tmp_path):
    """Write a file and say where it is."""

    def write(text, name="labels.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def rows(labels):
    return [[labels.categories[c] if c >= 0 else None for c in row] for row in labels.codes.tolist()]


def test_long(given):
    labels = read_labels(given(LONG))
    assert labels.coders == ("a", "b")
    assert labels.items.tolist() == ["1", "2"]
    assert rows(labels) == [["yes", "no"], ["no", "no"]]
    assert not labels.categories_declared
    assert not labels.anonymous
    assert (labels.n_items, labels.n_coders, labels.n_labels, labels.n_missing) == (2, 2, 4, 0)


@pytest.mark.parametrize(
    "text",
    [
        LONG.replace("\n", "\r\n"),
        LONG.replace(",", ";"),
        "\ufeff" + LONG,
        LONG + "\n\n",
        LONG.rstrip("\n"),
        LONG.replace("yes", '"yes"'),
        LONG.replace("item,coder,label", "Task,Worker ID,Category"),
        LONG.replace("item,coder,label", "unit,rater,value"),
        LONG.replace("item,coder,label", "id,annotator,annotation"),
        "note,label,coder,item\n,yes,a,1\n,no,b,1\n,no,a,2\n,no,b,2\n",
    ],
)
def test_the_same_labels_in_other_dress(given, text):
    assert rows(read_labels(given(text))) == [["yes", "no"], ["no", "no"]]


def test_endings_tell_the_format(given, tmp_path):
    expected = [["yes", "no"], ["no", "no"]]
    frame = pl.read_csv(io.StringIO(LONG), infer_schema=False)
    frame.write_parquet(tmp_path / "labels.parquet")
    frame.write_ndjson(tmp_path / "labels.jsonl")
    frame.to_pandas().to_excel(tmp_path / "labels.xlsx", index=False)
    given(frame.write_json(), "labels.json")
    given(LONG.replace(",", "\t"), "labels.tsv")
    given(gzip.compress(LONG.encode()), "labels.csv.gz")
    for ending in ("parquet", "jsonl", "xlsx", "json", "tsv", "csv.gz"):
        assert rows(read_labels(tmp_path / f"labels.{ending}")) == expected


@pytest.mark.parametrize("text", [LONG, LONG.replace(",", "\t"), '{"item":1,"coder":"a","label":"x"}'])
def test_standard_input(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    if text.startswith("{"):
        with pytest.raises(InvalidInputError, match="standard input has only one coder"):
            read_labels("-")
    else:
        assert read_labels("-").n_labels == 4


@pytest.mark.parametrize(
    "make", [pl.DataFrame, lambda table: pd.DataFrame(table), pa.table], ids=["polars", "pandas", "arrow"]
)
def test_frames_that_speak_arrow(make):
    data = {"item": ["x", "x"], "coder": ["a", "b"], "label": [1, 2], "word": ["w", "w"]}
    labels = read_labels(make(data), by="word")
    assert labels.categories == ("1", "2")
    assert labels.groups.tolist() == ["w"]


def test_other_things_are_not_frames():
    with pytest.raises(InvalidInputError, match="not from a dict"):
        read_labels({"item": ["x"]})


def test_a_frame_with_words_among_numbers_is_read_as_its_csv():
    frame = pd.DataFrame({"item": ["x", "x"], "coder": ["a", "b"], "label": [1, "b"]}, dtype=object)
    assert rows(read_labels(frame)) == [["1", "b"]]


def test_a_frame_that_another_library_cannot_convert_is_refused():
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("no stream")

    with pytest.raises(InvalidInputError, match="Arrow interface"):
        read_labels(Broken())


def test_not_a_number_in_a_frame_is_missing():
    labels = read_labels(pl.DataFrame({"item": [1, 1, 2], "coder": [1, 2, 1], "label": [1.5, float("nan"), 2]}))
    assert rows(labels) == [["1.5", None], ["2.0", None]]


def test_text_stays_text(given):
    labels = read_labels(given("item,coder,label\n01,a,01\n1,a,1\n1.0,a,1.0\n01,b,NA\n1,b,null\n1.0,b,nan\n"))
    assert labels.items.tolist() == ["01", "1", "1.0"]
    assert rows(labels) == [["01", "NA"], ["1", "null"], ["1.0", "nan"]]
    missing = read_labels(given("item,coder,label\n1,a,NA\n1,b,null\n2,a,x\n"), missing=["NA"])
    assert rows(missing) == [[None, "null"], ["x", None]]


def test_json_numbers_stay_as_they_are_written(given):
    lines = '{"item": 1, "coder": 1, "label": 1.50}\n{"item": 1, "coder": 2, "label": 1e400}\n'
    labels = read_labels(given(lines, "labels.jsonl"))
    assert set(labels.categories) == {"1.50", "1e400"}


def test_inferred_categories_are_in_numerical_order_or_by_code_point(given):
    assert read_labels(given("item,coder,label\n1,a,10\n1,b,9\n")).categories == ("9", "10")
    assert read_labels(given("item,coder,label\n1,a,10\n1,b,9x\n")).categories == ("10", "9x")


def test_declared_categories_keep_their_order(given):
    labels = read_labels(given(LONG), categories=["yes", "maybe", "no"])
    assert labels.categories == ("yes", "maybe", "no")
    assert labels.categories_declared
    with pytest.raises(InvalidInputError, match=r"line 3: the label 'no' is not among .* yes, maybe"):
        read_labels(given(LONG), categories=["yes", "maybe"])
    assert read_labels(given(LONG), categories=["yes"], missing=["no"]).n_labels == 1


def test_wide(given):
    labels = read_labels(given("item,a,b\n1,yes,no\n2,,no\n"), shape="wide")
    assert labels.coders == ("a", "b")
    assert rows(labels) == [["yes", "no"], [None, "no"]]


@pytest.mark.parametrize(
    ("text", "options", "coders"),
    [
        ("a,b\nyes,no\nyes,yes\n", {}, ("a", "b")),
        ("a,item,b\nyes,1,no\nyes,2,yes\n", {}, ("a", "b")),
        ("headword,a,b\nbank,yes,no\nbar,yes,yes\n", {}, ("a", "b")),
        (",a,b\n0,yes,no\n1,yes,yes\n", {}, ("a", "b")),
        ("Subject,a,b\n1,1,2\n2,1,1\n", {}, ("a", "b")),
        ("x,a,b\nyes,no,p\nno,yes,q\n", {"coders": ["x", "b", "a"]}, ("x", "b", "a")),
        ("a,b,where\nyes,no,p\nno,yes,q\n", {"columns": {"item": "where"}}, ("a", "b")),
        ("word,nr,a,b\nw,1,yes,no\nw,2,no,no\n", {"by": "word"}, ("a", "b")),
        ("item,a,b,remark\n1,yes,no,odd\n", {"coders": ["b", "a"]}, ("b", "a")),
    ],
)
def test_which_columns_of_a_wide_table_are_coders(given, text, options, coders):
    assert read_labels(given(text), shape="wide", **options).coders == coders


@pytest.mark.parametrize("text", ["x,a,b\nw,yes,no\nw,no,no\n", "x,a,b\n1,1,2\n2,2,1\n"])
def test_a_first_column_that_may_be_both_is_asked_about(given, text):
    with pytest.raises(
        InvalidInputError,
        match=r"first column 'x' may contain item names or be a coder.*columns={\"item\": \"…\"}.*coders=",
    ):
        read_labels(given(text), shape="wide")


def test_contingency_table(given):
    labels = read_labels(given("anything,yes,no\nyes,40,15\nno,20,25\n"), shape="table")
    assert labels.categories == ("yes", "no")
    assert labels.categories_declared
    counts = np.zeros((2, 2), dtype=int)
    np.add.at(counts, tuple(labels.codes.T), 1)
    assert counts.tolist() == [[40, 15], [20, 25]]


def test_rows_of_a_contingency_table_are_known_by_their_names(given):
    labels = read_labels(given(",yes,no\nno,0,1\nyes,2,0\n"), shape="table")
    assert rows(labels) == [["yes", "yes"], ["yes", "yes"], ["no", "no"]]


def test_an_unused_category_of_a_table_is_declared(given):
    assert read_labels(given(",a,b,c\na,1,0,0\nb,0,1,0\nc,0,0,0\n"), shape="table").categories == ("a", "b", "c")


def test_a_category_of_a_table_may_mean_missing(given):
    labels = read_labels(given(",a,b,?\na,1,0,2\nb,0,1,0\n?,0,0,1\n"), shape="table", missing=["?"])
    assert labels.categories == ("a", "b")
    assert sum(len(given) < 2 for given in (row[row >= 0] for row in labels.codes)) == 3


def test_counts(given):
    labels = read_labels(given("item,label,count\n1,a,2\n1,b,0\n2,c,3\n2,a,1\n"))
    assert labels.anonymous
    assert labels.categories == ("a", "b", "c")
    assert labels.categories_declared
    assert labels.codes.tolist() == [[0, 0, -1, -1], [0, 2, 2, 2]]


def test_repeated_counts_are_refused_or_chosen(given):
    path = given("item,label,count\n1,a,2\n1,a,3\n1,b,1\n")
    with pytest.raises(InvalidInputError, match="line 3: this label was already counted for this item"):
        read_labels(path)
    assert read_labels(path, repeats="first").n_labels == 3
    assert read_labels(path, repeats="last").n_labels == 4


def test_sets(given):
    text = "item,coder,label\n1,a,x+y\n1,b,y+x\n2,a,x\n2,b,x+x\n"
    labels = read_labels(given(text), sets="+")
    assert labels.categories == ("x", "x+y")
    assert labels.set_separator == "+"
    assert (labels.codes[:, 0] == labels.codes[:, 1]).all()
    with pytest.raises(InvalidInputError, match="line 2: the label 'x\\+y' is not among"):
        read_labels(given(text), sets="+", categories=["x"])
    assert read_labels(given(text), sets="+", categories=["x", "y", "z"]).categories == ("x", "x+y")


def test_sets_as_lists(given):
    lines = '{"item":1,"coder":"a","label":["x","y"]}\n{"item":1,"coder":"b","label":["y","x"]}\n'
    assert read_labels(given(lines, "l.jsonl"), sets="|").categories == ("x|y",)
    frame = pl.DataFrame({"item": [1, 1], "coder": ["a", "b"], "label": [["x", "y"], ["z"]]})
    assert read_labels(frame, sets="|").categories == ("x|y", "z")
    for source in (given(lines, "l.jsonl"), frame):
        with pytest.raises(InvalidInputError, match="sets="):
            read_labels(source)


def test_groups(given):
    text = "item,coder,label,word\n1,a,x,bank\n1,b,y,bank\n2,a,x,bar\n2,b,x,bar\n"
    labels = read_labels(given(text), by="word")
    assert labels.groups.tolist() == ["bank", "bar"]


def test_items_may_be_numbered_anew_in_each_group(given):
    text = "item,coder,label,word\n1,a,x,bar\n1,a,z,bank\n1,b,y,bar\n1,b,z,bank\n"
    labels = read_labels(given(text), by="word")
    assert labels.items.tolist() == ["1", "1"]
    assert labels.groups.tolist() == ["bar", "bank"]
    assert rows(labels) == [["x", "y"], ["z", "z"]]


def test_selected_coders_are_read_as_if_there_were_no_others(given):
    text = "item,coder,label\n1,a,x\n1,b,y\n1,c,z\n2,c,z\n"
    labels = read_labels(given(text), coders=["b", "a"])
    assert labels.coders == ("b", "a")
    assert labels.categories == ("x", "y")
    assert rows(labels) == [["y", "x"]]
    with pytest.raises(UnknownNameError, match="There is no coder 'd'"):
        read_labels(given(text), coders=["a", "d"])
    with pytest.raises(InvalidInputError, match="named twice"):
        read_labels(given(text), coders=["a", "a"])


def test_a_blank_means_the_unmarked_label(given):
    wide = given("item,a,b\n1,yes,\n2,,-\n")
    assert rows(read_labels(wide, shape="wide", unmarked="no", missing=["-"])) == [["yes", "no"], ["no", None]]
    long = given("item,coder,label\n1,a,yes\n1,b,\n2,a,yes\n")
    assert rows(read_labels(long, unmarked="no")) == [["yes", "no"], ["yes", None]]
    assert rows(read_labels(long)) == [["yes", None], ["yes", None]]


def test_repeats(given):
    path = given("item,coder,label\n1,a,x\n1,b,y\n1,a,z\n2,b,x\n2,b,x\n1,a,\n")
    with pytest.raises(
        InvalidInputError, match=r"in 2 cases, first coder 'a' on item '1' \(line 2 and line 4\); coder"
    ):
        read_labels(path)
    assert rows(read_labels(path, repeats="first")) == [["x", "y"], [None, "x"]]
    assert rows(read_labels(path, repeats="last")) == [["z", "y"], [None, "x"]]


def test_repeats_of_a_crowd_are_reported(data_set):
    path = data_set("labels/crowdscale_googlekg.csv")
    with pytest.raises(InvalidInputError, match="more than once in 1,810 cases"):
        read_labels(path)
    labels = read_labels(path, repeats="first")
    assert (labels.n_items, labels.n_coders, labels.n_labels) == (42_624, 57, 216_725 - 1_810)


def test_a_large_file_is_read_whole(data_set):
    labels = read_labels(data_set("labels/pandalm.csv"))
    assert (labels.n_items, labels.n_coders, labels.n_labels) == (999, 3, 2997)


@pytest.mark.parametrize(
    ("name", "n_items", "n_coders", "n_labels"),
    [
        ("fleiss1971_diagnoses", 30, 6, 180),
        ("carcinoma_pathologists", 118, 7, 826),
        ("dawidskene_anesthesia", 45, 7, 315),
        ("artstein_poesio_example", 100, 2, 200),
        ("MSPatients_winnipeg", 149, 2, 298),
    ],
)
def test_textbook_files(name, n_items, n_coders, n_labels):
    labels = read_labels(PUBLISHED / f"{name}.csv")
    assert (labels.n_items, labels.n_coders, labels.n_labels) == (n_items, n_coders, n_labels)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", {}, "is empty"),
        (" \n\n", {}, "is empty"),
        ("item,coder,label\n", {}, "has a header but no rows"),
        ("1,a,yes\n1,b,no\n", {}, r"columns are 1, a, yes.*columns={.*shape=.wide..*shape=.table."),
        (",A,B\nx,1,2\n", {}, r"columns are \(no name\), A, B"),
        ("word,A,B\nx,1,2\n", {}, r"columns are word, A, B.*columns={.*shape=.wide.*shape=.table"),
        ("id,task,coder,label\n1,1,a,x\n", {}, r"id.*could each be the item.*columns={.item"),
        (
            LONG,
            {"columns": {"label": "lable"}},
            r"no column 'lable' \(columns={.label.: .….}\); its columns are item, coder, label",
        ),
        (LONG, {"columns": {"lable": "label"}}, "no role of a column 'lable'. Did you mean 'label'"),
        (LONG, {"by": "word"}, r"no column 'word' \(by=\)"),
        (LONG, {"shape": "square"}, "no shape of labels 'square'"),
        (LONG, {"repeats": "never"}, "no way to treat repeats 'never'"),
        (LONG, {"categories": ["yes", "no", "yes"]}, "category 'yes' is named twice"),
        (LONG, {"sets": ""}, "must not be empty"),
        (LONG, {"coders": ["a"]}, "only one coder, 'a'"),
        (LONG, {"missing": ["yes", "no"]}, "contains no labels"),
        (LONG, {"shape": "counts"}, "no column 'count'"),
        ("item,coder,label\n1,a,x\n2,a,y\n", {}, "only one coder, 'a'"),
        ("item,a\n1,x\n", {"shape": "wide"}, "only one coder, 'a'"),
        ("item\n1\n", {"shape": "wide"}, "no coder"),
        (LONG + "3,a\n", {}, r"line 6: 2 fields, but the header names 3"),
        (LONG + "3,a,x,y\n", {}, r"line 6: 4 fields"),
        ("item,coder,label\n1,a\n1,b,x,y\n", {}, "line 2: 2 fields"),
        ("item,coder,label\n1,a,x\n\n1,b,x\n", {}, "line 3: an empty line"),
        ('item,coder,label\n1,a,"x\n1,b,x\n', {}, "line"),
        (LONG + ",a,x\n", {}, "line 6: the column 'item' is empty"),
        (LONG + "3,,x\n", {}, "line 6: the column 'coder' is empty"),
        ('item,coder,label\n1,a,"x\ny"\n1,,x\n', {}, "line 4: the column 'coder' is empty"),
        ("item,coder,label,w\n1,a,x,\n", {"by": "w"}, "line 2: the column 'w' is empty"),
        (LONG.encode() + b"3,a,\xff\n", {}, "line 6: not valid UTF-8"),
        (LONG.encode() + b"3,a,\0\n", {}, "line 6: a NUL byte"),
        ("item,item,label\n1,a,x\n", {}, "two columns are named 'item'"),
        ("item,,label\n1,a,x\n", {}, "a column has no name"),
        (",a,b\na,1,2\nc,1,2\n", {"shape": "table"}, "the same categories"),
        (",a,b\na,1,2\n", {"shape": "table"}, "the same categories"),
        (",a,b\na,1,2\nb,1,x\n", {"shape": "table"}, "line 3: the count in column 'b' is 'x'"),
        (",a,b\na,1,2\nb,1,\n", {"shape": "table"}, "line 3: the count in column 'b' is empty"),
        (",a,b\na,1,2\nb,1,-1\n", {"shape": "table"}, "line 3: the count in column 'b' is '-1'"),
        (",a,b\na,0,0\nb,0,0\n", {"shape": "table"}, "all counts are 0"),
        (",a,b\na,0,0\nb,0,9e15\n", {"shape": "table"}, "more than fits in memory"),
        (",a,b\na,1,2\nb,1,1\n", {"shape": "table", "by": "a"}, "by= cannot be used"),
        ("item,label,count\n1,a,1.5\n", {}, "line 2: the count in column 'count' is '1.5'"),
        ("item,label,count\n1,a,1\n", {}, "no item has two labels"),
        ("item,label,count\n1,a,2\n", {"coders": ["a", "b"]}, "coders= cannot be used"),
        ("item,a,b\n1,x,y\n1,x,y\n", {"shape": "wide"}, r"in 2 cases.*line 2, column a and line 3, column a"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, text, options, words):
    path = given(text)
    with pytest.raises(InvalidInputError, match=words) as said:
        read_labels(path, **options)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"item":1,"coder":"a","label":"x"}\n\n{"item":1,"coder":"b","label":2}',
            "line 3: 'label' is a number, but a text",
        ),
        ('{"item":1,"coder":"a","label":{"x":1}}', "line 1: 'label' is an object"),
        ('{"item":1,"coder":"a","label":["x"]}', "line 1: 'label' is a list.*sets="),
        ('{"item":1,"coder":"a","label":NaN}', "line 1: not valid JSON"),
        ('{"item":1,"coder":"a","label":"\\ud800"}', "line 1: not valid JSON"),
        ('{"item":1', "line 1: not valid JSON"),
        ("[1, 2]", "entry 1: expected a JSON object"),
        ("[]", "."),
        ("7", "line 1: expected a JSON object"),
        ('{"a":1}', "its columns are a"),
    ],
)
def test_what_is_wrong_with_json_is_said(given, text, words):
    with pytest.raises(InvalidInputError, match=words):
        read_labels(given(text, "labels.jsonl"))


def test_files_that_are_not_what_they_say(given, tmp_path):
    for name in ("a.parquet", "a.xlsx", "a.zip", "a.csv.gz"):
        with pytest.raises(InvalidInputError):
            read_labels(given(b"\x1f\x8bnot at all", name))
    with pytest.raises(InvalidInputError, match="does not exist"):
        read_labels(tmp_path / "nowhere.csv")
    with pytest.raises(InvalidInputError, match="is a folder"):
        read_labels(tmp_path)
    with pytest.raises(InvalidInputError, match="the format comes from the file extension"):
        read_labels(given("x", "labels.doc"))


def test_a_table_that_would_eat_all_memory_is_refused(given, monkeypatch):
    monkeypatch.setattr("concurrence.files.labels.codes.LARGEST_TABLE", 3)
    with pytest.raises(InvalidInputError, match=r"2 items x 2 coders would take .* GB; select coders"):
        read_labels(given(LONG))


def test_an_export_with_several_questions_is_sent_to_by_question(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text("item,coder,question,label\n1,a,term,yes\n1,a,kind,role\n1,b,term,no\n")
    with pytest.raises(InvalidInputError, match=r"by=.question"):
        read_labels(path)
    assert set(read_labels(path, by="question").groups) == {"term", "kind"}
