"""Files as tools write them today: compressed logs, scorers of several types, Parquet, titles, blank rows."""

import json
import sys
from zipfile import ZipFile

import polars as pl
import pytest

import concurrence
from concurrence import read_labels
from concurrence.core import InvalidInputError
from concurrence.files.tables.row_filter import parse_condition
from support.lazy_modules import LazyModule

openpyxl = LazyModule("openpyxl")


@pytest.fixture
def write(tmp_path):
    def written(content, name="labels.csv"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return written


def table(labels):
    """The labels by coder and item."""
    rows = labels.to_frame().select("coder", "item", "label").iter_rows()
    whole = {}
    for coder, item, label in rows:
        whole.setdefault(coder, {})[item] = label
    return whole


# Inspect: samples have scores by scorer; a value is text, a number, a truth value or an object (inspect_ai.scorer)

SCORES = [
    {"qa": "C", "rubric": 4, "match": True, "both": {"style": 1, "fact": 0}},
    {"qa": "I", "rubric": 2, "match": False, "both": {"style": 0, "fact": 1}},
    {"qa": "C", "rubric": 5, "match": True, "both": {"style": 1, "fact": 1}},
]
LOG = {
    "version": 2,
    "status": "success",
    "eval": {"model": "m", "task": "t"},
    "samples": [
        {"id": n, "epoch": 1, "scores": {name: {"value": value} for name, value in scores.items()}}
        for n, scores in enumerate(SCORES, start=1)
    ],
}
PEOPLE = "item,ann,bob\n1,C,C\n2,I,C\n3,C,C\n"


def test_scorers_of_several_types_stand_beside_each_other(write, concur):
    people, log = write(PEOPLE), write(LOG, "log.json")
    found = concur("judge", people, log, "--wide", "--judge", "qa", "--json").json
    assert {name for name, one in found["coders"].items() if one["role"] == "human"} == {"ann", "bob"}
    assert set(found["base_rates"]["ann"]) == {"C", "I"}
    labels = read_labels(log, coders=["rubric", "match"])
    assert table(labels) == {
        "rubric": {"1": "4", "2": "2", "3": "5"},
        "match": {"1": "true", "2": "false", "3": "true"},
    }
    with pytest.raises(InvalidInputError, match=r"the score both has several values \(style, fact\)"):
        read_labels(log)
    assert table(read_labels(log, coders=["both", "qa"], columns={"label": "style"}))["both"]["2"] == "0"
    named = concur("judge", people, log, "--wide", "--judge", "both")
    assert "the score both has several values" in named.err


def test_a_log_that_is_compressed_by_zstandard(write, tmp_path):
    """Inspect writes such logs since its setting for it; Python reads them from 3.14 on."""
    if sys.version_info >= (3, 14):
        from zipfile import ZIP_ZSTANDARD, ZipFile as Archive  # noqa: I001
    else:
        from backports.zstd.zipfile import ZIP_ZSTANDARD, ZipFile as Archive  # noqa: I001
    path = tmp_path / "log.eval"
    with Archive(path, "w", ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", json.dumps({key: part for key, part in LOG.items() if key != "samples"}))
        for sample in LOG["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    expected = read_labels(write(LOG, "log.json"), coders=["qa", "rubric"])
    assert table(read_labels(path, coders=["qa", "rubric"])) == table(expected)
    damaged = bytearray(path.read_bytes())
    damaged[60:90] = b"\xff" * 30
    (tmp_path / "damaged.eval").write_bytes(damaged)
    with pytest.raises(InvalidInputError, match=r"damaged.eval"):
        read_labels(tmp_path / "damaged.eval")


def test_without_the_package_the_way_out_is_named(tmp_path, monkeypatch):
    if sys.version_info >= (3, 14):
        pytest.skip("the standard library reads it")
    from backports.zstd.zipfile import ZIP_ZSTANDARD
    from backports.zstd.zipfile import ZipFile as Archive

    with Archive(tmp_path / "log.eval", "w", ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", "{}")
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(concurrence.ConcurrenceError, match=r"concurrence\[logs\]"):
        read_labels(tmp_path / "log.eval")


# Argilla's Parquet: version 2 by records.to_datasets(), version 1 by FeedbackDataset.format_as("datasets")

ARGILLA_2 = {
    "id": ["r1", "r2"],
    "status": ["completed", "pending"],
    "_server_id": ["s1", "s2"],
    "text": ["Hi", "Go"],
    "tone.responses": [["polite", "rude"], ["rude"]],
    "tone.responses.users": [["u1", "u2"], ["u1"]],
    "tone.responses.status": [["submitted", "submitted"], ["submitted"]],
    "tone.suggestion": ["polite", None],
    "tone.suggestion.score": [0.9, None],
    "tone.suggestion.agent": ["gpt", None],
}
ARGILLA_1 = {
    "id": ["r1", "r2"],
    "text": ["Hi", "Go"],
    "tone": [
        [
            {"user_id": "u1", "value": "polite", "status": "submitted"},
            {"user_id": "u2", "value": "rude", "status": "submitted"},
        ],
        [
            {"user_id": "u1", "value": "rude", "status": "submitted"},
            {"user_id": "u2", "value": "rude", "status": "discarded"},
        ],
    ],
    "tone-suggestion": ["polite", None],
    "tone-suggestion-metadata": [{"type": "model", "score": 0.9, "agent": "gpt"}, None],
    "external_id": [None, None],
    "metadata": ["{}", "{}"],
}


@pytest.mark.parametrize("columns", [ARGILLA_2, ARGILLA_1], ids=["argilla 2", "argilla 1"])
def test_argilla_in_parquet(tmp_path, columns):
    path = tmp_path / "records.parquet"
    pl.DataFrame(columns).write_parquet(path)
    labels = read_labels(path)
    assert table(labels) == {"u1": {"r1": "polite", "r2": "rude"}, "u2": {"r1": "rude"}, "gpt": {"r1": "polite"}}
    assert labels.kinds["gpt"] == "model"
    assert read_labels(pl.DataFrame(columns)).coders == ("u1", "u2", "gpt")


def test_one_model_of_alttest(write):
    """What its function takes as ``llm_annotations``: items with a label each (nitaytech/AltTest)."""
    people = write({"ann": {"i1": "A", "i2": "B"}, "bob": {"i1": "A", "i2": "A"}}, "human_annotations.json")
    for text in ('{"i1": "A", "i2": "B"}', '{\n  "i1": "A",\n  "i2": "B"\n}'):
        model = write(text, "gpt-4o.json")
        labels = read_labels([people, model])
        assert table(labels)["gpt-4o"] == {"i1": "A", "i2": "B"}
        assert labels.kinds["gpt-4o"] == "model"


def test_one_row_is_no_model(write):
    with pytest.raises(InvalidInputError, match="only one coder"):
        read_labels(write('{"item": "1", "coder": "a", "label": "x"}', "row.json"))


# Spreadsheets


def test_a_title_two_header_rows_and_blank_rows(tmp_path, concur):
    path = tmp_path / "sheet.xlsx"
    book = openpyxl.Workbook()
    for row in (
        ["Sentiment, round 2", None, None],
        ["", "coders", "coders"],
        ["item", "ann", "bob"],
        ["s1", "pos", "pos"],
        [None, None, None],
        ["s2", "neg", "pos"],
        ["s3", "neg", "neg"],
        [" ", None, None],
    ):
        book.active.append(row)
    book.save(path)
    labels = read_labels(path, shape="wide", skip_rows=2)
    assert table(labels) == {
        "ann": {"s1": "pos", "s2": "neg", "s3": "neg"},
        "bob": {"s1": "pos", "s2": "pos", "s3": "neg"},
    }
    assert concur("agree", path, "--wide", "--skip-rows", "2", "--json").json["data"]["items"] == 3


def test_rows_above_the_header_of_a_text_and_where_an_error_stands(write):
    text = "Sentiment\n\nitem,coder,label\n1,ann,a\n,,\n1,bob,b\n2,,a\n"
    with pytest.raises(InvalidInputError, match=r"labels.csv, line 7: the column 'coder' is empty"):
        read_labels(write(text), skip_rows=2)
    labels = read_labels(write(text.replace("2,,a", "2,cy,a")), skip_rows=2)
    assert labels.coders == ("ann", "bob", "cy")
    with pytest.raises(InvalidInputError, match="no more than 9 lines"):
        read_labels(write(text), skip_rows=9)
    with pytest.raises(InvalidInputError, match=r"only \.csv, \.tsv and \.xlsx files may"):
        read_labels(write([{"item": 1}], "x.json"), skip_rows=1)


RESULTS = """HITId,WorkerId,label,status,seconds
1,w1,a,Approved,12
1,w2,a,Approved,3
1,w3,b,Rejected,1
2,w1,b,Approved,9
2,w2,b,Submitted,30
"""


def test_only_the_rows_that_were_approved(write, concur):
    path = write(RESULTS)
    arguments = ("agree", path, "--columns", "item=HITId,coder=WorkerId,label=label", "--json")
    assert concur(*arguments).json["data"]["labels"] == 5
    approved = concur(*arguments, "--rows", 'status = "Approved"').json
    assert (approved["data"]["labels"], approved["data"]["coders"]) == (3, ["w1", "w2"])
    refused = concur(*arguments, "--rows", 'state = "Approved"')
    assert refused.code == 2
    assert "has no column 'state' (--rows)" in refused.err
    assert "no row is one of those with" in concur(*arguments, "--rows", "status = approved").err


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ('status = "Approved"', [0, 1, 3]),
        ("status != 'Approved'", [2, 4]),
        ("seconds >= 9 and seconds < 20", [0, 3]),
        ('seconds = "9"', [3]),
        ("seconds = 9.0", [3]),
        ("label in (a, c) or WorkerId = w3", [0, 1, 2]),
        ("not (label = a or seconds > 20)", [2, 3]),
        ('status like "%ed" and not status like "Sub%"', [0, 1, 2, 3]),
        ("`label` = b", [2, 3, 4]),
    ],
)
def test_conditions(condition, rows):
    frame = pl.read_csv(RESULTS.encode(), infer_schema=False)
    assert parse_condition(condition)(frame.get_column).arg_true().to_list() == rows


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("status =", "it ends too early"),
        ("status Approved", "'approved' is no comparison"),
        ("(a = 1", "it ends too early"),
        ("a in 1", "the values after in stand in brackets"),
        ("a = 1 b", "'b' is one word too many"),
        ("= 1", "'=' is not the name of a column"),
        ('a = "1', "cannot be read"),
        ("", "it ends too early"),
    ],
)
def test_conditions_that_are_none(condition, says):
    with pytest.raises(InvalidInputError, match=says):
        parse_condition(condition)


def test_pass_and_fail_beside_numbers(write, concur):
    labels = read_labels(write("item,coder,label\n1,ann,1\n1,judge,pass\n2,ann,0\n2,judge,fail\n"))
    assert labels.categories == ("0", "1")
    gold = write("l1,l2,tp\na,b,pass\nc,d,fail\n", "gold.csv")
    scored = write("l1,l2,MI\na,b,2\nc,d,1\n", "list.csv")
    found = concur("evaluate", scored, "--gold", gold, "-m", "MI", "--n", "1", "--json").json
    assert found["measures"]["MI"]["precision"] == [1.0]


def test_an_archive_in_a_way_that_nobody_reads(tmp_path):
    path = tmp_path / "log.eval"
    with ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{}")
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = data.index(mark) + offset
        data[place : place + 2] = (97).to_bytes(2, "little")
    path.write_bytes(data)
    with pytest.raises(InvalidInputError, match=r"inspect log convert|is compressed in a way|not a valid"):
        read_labels(path)
