"""Exports of annotation tools; their forms as the tools' own documentation and tests show them."""

import json
import zipfile

import pytest

from concurrence import read_labels
from concurrence.core import InvalidInputError


def choice(name, *labels):
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": list(labels)}}


def annotation(coder, *results, **fields):
    return {"completed_by": coder, "result": list(results), **fields}


def lines(*records):
    return "\n".join(json.dumps(record) for record in records)


@pytest.fixture
def read(tmp_path):
    def write_and_read(text, name, **options):
        path = tmp_path / name
        path.write_text(text)
        return read_labels(path, **options)

    return write_and_read


def rows(labels):
    return [[labels.categories[c] if c >= 0 else None for c in row] for row in labels.codes.tolist()]


LABEL_STUDIO = [
    {
        "id": 7,
        "data": {"text": "a bank", "word": "bank"},
        "annotations": [
            annotation(1, choice("sense", "river")),
            annotation({"id": 2, "email": "b@example.org"}, choice("sense", "money")),
            annotation(3, choice("sense", "money"), was_cancelled=True),
        ],
    },
    {
        "id": 8,
        "data": {"text": "a bar", "word": "bar"},
        "annotations": [annotation(1), annotation({"id": 2, "email": "b@example.org"}, choice("sense", "river"))],
    },
]


def test_label_studio(read):
    labels = read(json.dumps(LABEL_STUDIO), "export.json", by="word")
    assert labels.coders == ("1", "b@example.org")
    assert labels.items.tolist() == ["7", "8"]
    assert labels.groups.tolist() == ["bank", "bar"]
    assert rows(labels) == [["river", "money"], [None, "river"]]


def test_a_label_studio_annotation_without_a_choice_is_a_blank(read):
    labels = read(json.dumps(LABEL_STUDIO), "export.json", unmarked="none")
    assert rows(labels) == [["river", "money"], ["none", "river"]]


def test_one_of_several_label_studio_questions_is_chosen(read):
    rating = {"from_name": "sure", "type": "rating", "value": {"rating": 4}}
    tasks = [{"id": 1, "data": {}, "annotations": [annotation(c, choice("sense", "x"), rating) for c in (1, 2)]}]
    with pytest.raises(InvalidInputError, match=r"the export has several questions \(sense, sure\)"):
        read(json.dumps(tasks), "export.json")
    assert read(json.dumps(tasks), "export.json", columns={"label": "sure"}).categories == ("4",)


def test_several_choices_need_sets(read):
    tasks = [{"id": 1, "data": {}, "annotations": [annotation(c, choice("sense", "y", "x")) for c in (1, 2)]}]
    with pytest.raises(InvalidInputError, match=r"entry 1: several labels \(y, x\). Use sets="):
        read(json.dumps(tasks), "export.json")
    assert read(json.dumps(tasks), "export.json", sets="+").categories == ("x+y",)


def test_taxonomies_are_paths(read):
    answer = {"from_name": "t", "type": "taxonomy", "value": {"taxonomy": [["animal", "dog"]]}}
    tasks = [{"id": 1, "data": {}, "annotations": [annotation(c, answer) for c in (1, 2)]}]
    assert read(json.dumps(tasks), "export.json").categories == ("animal/dog",)


def test_spans_are_not_labels_of_items(read):
    span = {"from_name": "ner", "type": "labels", "value": {"start": 0, "end": 3, "text": "the", "labels": ["X"]}}
    tasks = [{"id": 1, "data": {}, "annotations": [annotation(1, span)]}]
    with pytest.raises(InvalidInputError, match="entry 1: the labels are of parts of the item"):
        read(json.dumps(tasks), "export.json")


def prodigy(item, coder, *accept, answer="accept"):
    hashes = {"_input_hash": item, "_task_hash": item * 10, "_annotator_id": coder}
    return {"text": "…", **hashes, "options": [{"id": "x"}], "accept": list(accept), "answer": answer}


def test_prodigy_choices(read):
    records = (prodigy(-1, "ann", "x"), prodigy(-1, "bob", "y"), prodigy(2, "ann"), prodigy(2, "bob", answer="ignore"))
    labels = read(lines(*records), "export.jsonl", unmarked="none")
    assert labels.coders == ("ann", "bob")
    assert labels.items.tolist() == ["-1", "2"]
    assert rows(labels) == [["x", "y"], ["none", None]]


def test_prodigy_decisions(read):
    task = {"text": "…", "label": "TERM", "_input_hash": 1, "_task_hash": 5}
    records = [{**task, "_session_id": coder, "answer": answer} for coder, answer in (("a", "accept"), ("b", "reject"))]
    labels = read(lines(*records), "export.jsonl")
    assert labels.items.tolist() == ["5"]
    assert rows(labels) == [["accept", "reject"]]


def test_prodigy_without_a_coder_or_with_spans(read):
    with pytest.raises(InvalidInputError, match="line 1: the coder is missing"):
        read(lines({"_input_hash": 1, "accept": ["x"], "answer": "accept"}), "export.jsonl")
    with pytest.raises(InvalidInputError, match="parts of the item"):
        read(lines({"_input_hash": 1, "spans": [{"start": 0}], "answer": "accept"}), "export.jsonl")


def test_doccano_has_a_file_for_each_annotator(tmp_path):
    files = {"ann": ["x", "y"], "bob": ["x", None], "approver": [None, None]}
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for name, chosen in files.items():
            records = [{"id": n, "text": "…", "label": [c] if c else []} for n, c in enumerate(chosen, start=1)]
            archive.writestr(f"{name}.jsonl", lines(*records))
    labels = read_labels(tmp_path / "export.zip")
    assert labels.coders == ("ann", "bob")
    assert rows(labels) == [["x", "x"], ["y", None]]


def test_doccano_with_users_in_the_records(read):
    records = [
        {"id": n, "text": "…", "annotations": [{"label": 1, "user": 5}, {"label": n, "user": 6}]} for n in (1, 2)
    ]
    assert rows(read(lines(*records), "export.jsonl")) == [["1", "1"], ["1", "2"]]
    records = [{"id": 1, "text": "…", "label": [c], "annotator": c} for c in "ab"]
    assert rows(read(lines(*records), "export.jsonl")) == [["a", "b"]]


def test_doccano_of_nobody_in_particular(read):
    with pytest.raises(InvalidInputError, match=r"line 1: .* does not say who labelled. Give the \.zip"):
        read(lines({"id": 1, "text": "…", "label": ["x"]}), "export.jsonl")
    with pytest.raises(InvalidInputError, match="parts of the item"):
        read(lines({"id": 1, "text": "…", "label": [[0, 3, "X"]], "user": "a"}), "export.jsonl")


def test_an_export_must_be_json(tmp_path):
    (tmp_path / "a.csv").write_text("item,coder,label\n1,a,x\n")
    with pytest.raises(InvalidInputError, match="a prodigy export is JSON"):
        read_labels(tmp_path / "a.csv", shape="prodigy")
