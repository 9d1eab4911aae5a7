"""The same labels in every shape, and no file at all that ends in a traceback."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import read_labels
from concurrence.core import ConcurrenceError, Labels
from concurrence.files.labels.codes import encode
from support.examples import examples

LABELS = st.one_of(st.none(), st.sampled_from(["a", "b", "10", "9", "NA", "é", 'q"u', "c;d", "x,y", " z "]))


@st.composite
def tables(draw):
    """Rows of texts with at least one label, some of them missing."""
    n_coders = draw(st.integers(2, 5))
    rows = draw(st.lists(st.lists(LABELS, min_size=n_coders, max_size=n_coders), min_size=1, max_size=12))
    rows[0][0] = rows[0][0] or "a"
    return rows


def as_texts(labels):
    return [[labels.categories[c] if c >= 0 else None for c in row] for row in labels.codes.tolist()]


def wide_frame(rows):
    columns = {f"c{c}": [row[c] for row in rows] for c in range(len(rows[0]))}
    return pl.DataFrame({"item": [f"i{n}" for n in range(len(rows))], **columns}, strict=False).cast(pl.String)


def long_frame(rows):
    return wide_frame(rows).unpivot(index="item", variable_name="coder", value_name="label")


def counts_frame(rows):
    return long_frame(rows).drop_nulls().group_by("item", "label").len("count").sort("item", "label")


def through_csv(frame, tmp_path, mark):
    path = tmp_path / "labels.csv"
    frame.write_csv(path, separator=mark)
    return path


@given(tables())
def test_long_and_wide_are_the_same_labels(rows):
    coders = [f"c{c}" for c in range(len(rows[0]))]
    wide, long = read_labels(wide_frame(rows), shape="wide", coders=coders), read_labels(long_frame(rows))
    assert as_texts(wide) == as_texts(long) == rows
    assert (wide.coders, wide.items.tolist()) == (long.coders, long.items.tolist())


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_a_long_file_does_not_matter(rows, random):
    records = long_frame(rows).rows()
    random.shuffle(records)
    shuffled = read_labels(pl.DataFrame(records, schema=["item", "coder", "label"], orient="row"))
    found = {
        (item, coder): text
        for item, row in zip(shuffled.items, as_texts(shuffled), strict=True)
        for coder, text in zip(shuffled.coders, row, strict=True)
    }
    assert found == {(f"i{n}", f"c{c}"): text for n, row in enumerate(rows) for c, text in enumerate(row)}


@given(tables(), st.sampled_from(",;"))
def test_files_hold_what_frames_hold(tmp_path_factory, rows, mark):
    path = through_csv(long_frame(rows), tmp_path_factory.mktemp("csv"), mark)
    assert as_texts(read_labels(path)) == rows
    lines = "\n".join(json.dumps(record) for record in long_frame(rows).to_dicts())
    jsonl = path.with_suffix(".jsonl")
    jsonl.write_text(lines)
    assert as_texts(read_labels(jsonl)) == rows


@given(tables())
def test_counts_hold_how_often_each_label_was_given(rows):
    given_labels = [sorted(text for text in row if text is not None) for row in rows]
    kept = [labels for labels in given_labels if labels]
    if max(map(len, kept)) < 2:
        with pytest.raises(ConcurrenceError):
            read_labels(counts_frame(rows))
        return
    counted = read_labels(counts_frame(rows))
    found = {
        i: sorted(t for t in row if t is not None) for i, row in zip(counted.items, as_texts(counted), strict=True)
    }
    assert found == {f"i{n}": labels for n, labels in enumerate(given_labels) if labels}


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_contingency_table_is_its_long_form(counts):
    names = ["x", "y", "z"]
    frame = pl.DataFrame({"": names, **{n: [str(row[k]) for row in counts] for k, n in enumerate(names)}})
    if sum(map(sum, counts)) == 0:
        with pytest.raises(ConcurrenceError):
            read_labels(frame, shape="table")
        return
    labels = read_labels(frame, shape="table")
    again = np.zeros((3, 3), dtype=int)
    np.add.at(again, tuple(labels.codes.T), 1)
    assert again.tolist() == counts
    assert (labels.codes == Labels.from_table(counts).codes).all()


@given(st.lists(st.one_of(st.none(), st.text(max_size=3))))
def test_encoding_numbers_texts_by_first_appearance(texts):
    encoded = encode(pl.Series(texts, dtype=pl.String))
    assert [encoded.names[c] if c >= 0 else None for c in encoded.codes.tolist()] == [text or None for text in texts]
    used = list(dict.fromkeys(text for text in texts if text is not None))
    assert encoded.names == used


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "shape": st.sampled_from(["long", "wide", "table", "counts", "label-studio", "prodigy", "doccano"]),
        "by": st.sampled_from(["item", "word", "text"]),
        "unmarked": st.just("no"),
        "sets": st.sampled_from(["+", ","]),
        "repeats": st.sampled_from(["first", "last"]),
        "missing": st.just(["a"]),
        "coders": st.just(["a", "b"]),
    },
)


def read_or_refuse(path, options):
    """Labels or one sentence; anything else fails the test."""
    try:
        assert isinstance(read_labels(path, **options), Labels)
    except ConcurrenceError:
        return


HEADERS = st.sampled_from([b"", b"item,coder,label\n", b"item;coder;label\n", b"item,label,count\n", b",a,b\n", b'"'])
ENDINGS = st.sampled_from(["csv", "tsv", "jsonl", "json", "parquet", "xlsx", "zip", "csv.gz", "ds"])
PIECES = [b"1", b"a", b"b", b",", b";", b"\n", b'"', b"\r", b"\t", b"0", b"-1", b"\xe9", b"\0"]
SCRAPS = st.lists(st.sampled_from(PIECES))


@examples(150)
@given(HEADERS, st.one_of(st.binary(max_size=60), SCRAPS.map(b"".join)), ENDINGS, OPTIONS)
def test_no_bytes_end_in_a_traceback(tmp_path_factory, header, body, ending, options):
    path = tmp_path_factory.mktemp("bytes") / f"labels.{ending}"
    path.write_bytes(header + body)
    read_or_refuse(path, options)


FIELDS = """
id text label labels annotations completions result from_name value choices completed_by was_cancelled user accept
answer options spans _input_hash _task_hash _annotator_id data meta item coder count rating a b start email
"""
WORDS = st.sampled_from(FIELDS.split())
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["a", "b", "accept", "ignore", ""])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=5)),
    max_leaves=12,
)


@examples(150)
@given(st.lists(st.dictionaries(WORDS, JSON, max_size=7), max_size=4), st.booleans(), OPTIONS)
def test_no_json_ends_in_a_traceback(tmp_path_factory, records, as_lines, options):
    path = tmp_path_factory.mktemp("json") / ("labels.jsonl" if as_lines else "labels.json")
    path.write_text("\n".join(map(json.dumps, records)) if as_lines else json.dumps(records))
    read_or_refuse(path, options)


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(0, 3), st.floats(), st.text(max_size=2)), max_size=4)))
def test_no_frame_ends_in_a_traceback(columns):
    height = min((len(column) for column in columns), default=0)
    names = ["item", "coder", "label", "count", "word"]
    data = {name: column[:height] for name, column in zip(names, columns, strict=False)}
    frame = pl.DataFrame(data, strict=False)
    for shape in ("auto", "wide", "table", "counts"):
        read_or_refuse(frame, {"shape": shape})
