"""What annotators use: crowd platforms, Potato, spaCy, forms, and datasets with lists; a small file of each by hand."""

import json
import zipfile

import polars as pl
import pytest

import concurrence
from concurrence import read_labels, read_spans
from concurrence.core import ConcurrenceError, InvalidInputError
from support.lazy_modules import LazyModule

spacy = LazyModule("spacy")


@pytest.fixture
def write(tmp_path):
    def written(content, name):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return written


def table(labels):
    """The labels by coder and item."""
    whole = {}
    for coder, item, label in labels.to_frame().select("coder", "item", "label").iter_rows():
        whole.setdefault(coder, {})[item] = label
    return whole


EXPECTED = {"w1": {"h1": "polite", "h2": "rude"}, "w2": {"h1": "polite"}}


# Mechanical Turk: the columns of a batch's results (docs.aws.amazon.com/AWSMechTurk, "Reviewing results")

TURK = "HITId,Title,WorkerId,AssignmentId,AssignmentStatus,Input.text,{answers}\n"
TURK_ROWS = (("h1", "w1", "Approved"), ("h2", "w1", "Submitted"), ("h1", "w2", "Approved"), ("h2", "w2", "Rejected"))
TONES = ("polite", "rude", "polite", "rude")


def turk(columns, cells):
    rows = [f"{hit},Tone,{who},a{n},{status},Hi,{cells[n]}" for n, (hit, who, status) in enumerate(TURK_ROWS)]
    return TURK.format(answers=columns) + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("columns", "cells"),
    [
        ("Answer.tone", TONES),
        (
            "Answer.tone.polite,Answer.tone.rude",
            [f"{str(tone == 'polite').lower()},{str(tone == 'rude').lower()}" for tone in TONES],
        ),
        ("Answer.taskAnswers", [f'"[{{""tone"":{{""label"":""{tone}""}}}}]"' for tone in TONES]),
        ("Answer.taskAnswers", [
            f'"[{{""tone"":{{""polite"":{str(tone == "polite").lower()},""rude"":{str(tone == "rude").lower()}}}}}]"'
            for tone in TONES
        ]),
    ],
    ids=["plain", "options", "json label", "json options"],
)  # fmt: skip
def test_mechanical_turk(write, columns, cells):
    labels = read_labels(write(turk(columns, cells), "batch.csv"))
    assert table(labels) == EXPECTED
    (warning,) = [one for one in labels.warnings if one.code == "annotations_left_out"]
    assert warning.text.startswith("1 assignment was left out")


def test_mechanical_turk_asks_which_answer(write):
    path = write(turk("Answer.tone,Answer.age", [f"{tone},30" for tone in TONES]), "batch.csv")
    with pytest.raises(InvalidInputError, match=r"answered several questions \(tone, age\)"):
        read_labels(path)
    assert table(read_labels(path, columns={"label": "tone"})) == EXPECTED
    assert table(read_labels(path, columns={"label": "Answer.tone"})) == EXPECTED
    with pytest.raises(InvalidInputError, match="has no answer 'mood'"):
        read_labels(path, columns={"label": "mood"})
    both = write(turk("Answer.tone.polite,Answer.tone.rude", ["true,true"] * 4), "both.csv")
    with pytest.raises(InvalidInputError, match=r"line 2: several options of 'tone' were chosen \(polite, rude\)"):
        read_labels(both)
    broken = write(turk("Answer.taskAnswers", ['"[{"'] * 4), "broken.csv")
    with pytest.raises(InvalidInputError, match=r"line 2: Answer\.taskAnswers is not valid JSON"):
        read_labels(broken)


# Toloka: assignments as toloka-kit's GetAssignmentsTsvParameters names their columns


def test_toloka(write):
    head = "INPUT:text\tOUTPUT:result\tGOLDEN:result\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status\n"
    rows = "Hi\tpolite\t\th1\tw1\tAPPROVED\n\t\t\t\t\t\nGo\trude\t\th2\tw1\tAPPROVED\n"
    rows += "Hi\tpolite\t\th1\tw2\tSUBMITTED\nGo\tpolite\t\th2\tw2\tREJECTED\n"
    labels = read_labels(write(head + rows, "assignments.tsv"))
    assert table(labels) == EXPECTED
    assert "annotations_left_out" in {one.code for one in labels.warnings}
    by_text = read_labels(write(head + rows, "assignments.tsv"), columns={"item": "INPUT:text"})
    assert by_text.items.tolist() == ["Hi", "Go"]


def test_prolific_has_no_answers(write):
    """The columns of Prolific's demographic export (researcher-help.prolific.com)."""
    path = write("Submission id,Participant id,Status,Time taken,Age\ns1,p1,APPROVED,60,30\n", "prolific.csv")
    with pytest.raises(InvalidInputError, match=r"holds no answers\. Export the answers from the tool"):
        read_labels(path)


def test_a_form_without_a_word_is_asked_about(write):
    path = write("Timestamp,Email Address,Q1,Q2\n1/1/2026,a@x,y,n\n1/1/2026,b@x,y,y\n", "form.csv")
    with pytest.raises(InvalidInputError, match="holds the answers of a form, one respondent per row"):
        read_labels(path)
    assert read_labels(path, transpose=True).coders == ("a@x", "b@x")


# Potato: annotated_instances.jsonl, as its server writes it (davidjurgens/potato, potato/flask_server.py)


def potato(user, item, tone, *spans, **keys):
    return {
        **keys,
        **({"user_id": user} if user else {}),
        ("instance_id" if user else "id"): item,
        "displayed_text": "Hello you",
        "label_annotations": {"tone": {tone: "1"}, "note": {"text_box": "x"}},
        "span_annotations": [{"start": a, "end": b, "annotation": name, "span": "…"} for a, b, name in spans],
        "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 3s"},
    }


POTATO = [
    potato("w1", "h1", "polite", (0, 5, "greeting")),
    potato("w1", "h2", "rude"),
    potato("w2", "h1", "polite", (0, 9, "greeting")),
]


def lines(records):
    return "\n".join(map(json.dumps, records)) + "\n"


def test_potato(write, concur):
    path = write(lines(POTATO), "annotated_instances.jsonl")
    with pytest.raises(InvalidInputError, match=r"several questions \(tone, note\)"):
        read_labels(path)
    assert table(read_labels(path, columns={"label": "tone"})) == EXPECTED
    assert table(read_labels(path, columns={"label": "note"}))["w1"] == {"h1": "x", "h2": "x"}
    spans = read_spans(path)
    assert sorted(zip(spans.start.tolist(), spans.end.tolist(), strict=True)) == [(0, 5), (0, 9)]
    assert (spans.lengths.tolist(), spans.read.tolist()) == ([9, 9], [[True, True], [True, False]])


def test_potato_s_folders_of_users(write, tmp_path, concur):
    """A folder for each user, with a file of the same name in it."""
    files = []
    for user in ("w1", "w2"):
        own = [
            potato(None, one["instance_id"], *one["label_annotations"]["tone"])
            for one in POTATO
            if one["user_id"] == user
        ]
        files.append(write(lines(own), f"out/{user}/annotated_instances.jsonl"))
    found = concur("agree", *files, "--columns", "label=tone", "--json").json
    assert (found["data"]["coders"], found["data"]["labels"]) == (["w1", "w2"], 3)
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        for path in files:
            archive.write(path, f"{path.parent.name}/{path.name}")
    assert table(read_labels(tmp_path / "out.zip", columns={"label": "tone"})) == EXPECTED


# spaCy's DocBin


def doc_bin(path, docs):
    from spacy.tokens import Doc, DocBin, Span
    from spacy.vocab import Vocab

    vocab, whole = Vocab(), DocBin()
    for words, spans, group, cats in docs:
        doc = Doc(vocab, words=words)
        marks = [Span(doc, start, end, label=label) for start, end, label in spans]
        if group is None:
            doc.ents = marks
        else:
            doc.spans[group] = marks
        doc.cats = cats
        whole.add(doc)
    path.write_bytes(whole.to_bytes())
    return path


WORDS = ["Ada", "Lovelace", "met", "Babbage"]


def test_spacy(tmp_path, concur):
    pytest.importorskip("spacy")
    ann = doc_bin(tmp_path / "ann.spacy", [(WORDS, [(0, 2, "PER"), (3, 4, "PER")], None, {"x": 1.0, "y": 0.0})])
    bob = doc_bin(tmp_path / "bob.spacy", [(WORDS, [(0, 2, "PER")], None, {"x": 0.0, "y": 1.0})])
    spans = read_spans([ann, bob])
    assert spans.coders == ("ann", "bob")
    assert list(zip(spans.start.tolist(), spans.end.tolist(), strict=True)) == [(0, 2), (3, 4), (0, 2)]
    assert spans.texts == (tuple(WORDS),)
    assert table(read_labels([ann, bob])) == {"ann": {"1": "x"}, "bob": {"1": "y"}}
    grouped = doc_bin(tmp_path / "cy.spacy", [(WORDS, [(0, 1, "A"), (0, 2, "B")], "sc", {})])
    assert len(read_spans(grouped)) == 2
    with pytest.raises(InvalidInputError, match="holds no categories of documents"):
        read_labels(grouped)
    (tmp_path / "bad.spacy").write_bytes(b"nothing")
    with pytest.raises(InvalidInputError, match=r"is not a \.spacy file"):
        read_spans(tmp_path / "bad.spacy")


def test_without_spacy_the_way_out_is_named(tmp_path, monkeypatch):
    import sys

    (tmp_path / "x.spacy").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)
    with pytest.raises(ConcurrenceError, match="needs spaCy"):
        read_spans(tmp_path / "x.spacy")


# Datasets with lists: one row per item, annotators and labels beside each other (as in huggingface.co/datasets)

LISTS = {"id": ["h1", "h2"], "annotators": [["w1", "w2"], ["w1"]], "labels": [["polite", "polite"], ["rude"]]}


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "frame"])
def test_lists_in_columns(write, tmp_path, ending):
    frame = pl.DataFrame(LISTS)
    source = frame
    if ending == "parquet":
        source = tmp_path / "data.parquet"
        frame.write_parquet(source)
    elif ending == "jsonl":
        source = write(lines(frame.to_dicts()), "data.jsonl")
    assert table(read_labels(source)) == EXPECTED
    other = frame.rename({"annotators": "who", "labels": "tone"})
    assert table(read_labels(other, columns={"coder": "who", "label": "tone", "item": "id"})) == EXPECTED


def test_a_dataset_of_hugging_face_is_its_arrow_table():
    """A stand-in: ``datasets.Dataset`` gives its Arrow table by ``with_format("arrow")[:]``."""

    class Dataset:
        def with_format(self, name):
            assert name == "arrow"
            return Whole(pl.DataFrame(LISTS).to_arrow())

    Dataset.__module__ = "datasets.arrow_dataset"
    assert concurrence.agree(Dataset()).data.coders == ("w1", "w2")


class Whole:
    """What ``with_format`` gives: all rows as one table."""

    def __init__(self, table):
        self.table = table

    def __getitem__(self, rows):
        assert rows == slice(None)
        return self.table


def test_lists_of_different_lengths(write):
    with pytest.raises(InvalidInputError, match=r"line 1: 'annotators' has 1 entries, but 'labels' has 2"):
        read_labels(write(lines([{"id": 1, "annotators": ["a"], "labels": ["x", "y"]}]), "data.jsonl"))


# Files that are for something else


@pytest.mark.parametrize("name", ["ann.conll", "doc.ann", "doc.xmi"])
def test_files_of_spans_are_for_spans(write, name):
    with pytest.raises(InvalidInputError, match=r"concurrence\.spans compares those"):
        read_labels(write("Ada B-P\n", name))


def test_a_place_in_one_of_several_files(write, concur):
    ann = write("item,coder,label\n1,ann,1\n2,ann,2\n", "ann.csv")
    bob = write("item,coder,label\n1,bob,1\n2,bob,x\n", "bob.csv")
    done = concur("agree", ann, bob, "--scale", "interval")
    assert done.code == 2
    assert "bob.csv, line 3: the label 'x' is not a number" in done.err
    assert concurrence.agree([ann, bob]).data.coders == ("ann", "bob")
