"""Spans from tables, BIO columns, brat folders and exports, and what is refused."""

import json

import polars as pl
import pytest

import concurrence
from concurrence import InvalidInputError, read_spans

HEADER = "document,coder,start,end,label\n"


def found(spans):
    """The spans as rows, and who read what."""
    rows = zip(spans.document, spans.coder, spans.start, spans.end, spans.label, strict=True)
    return sorted((spans.documents[d], spans.coders[c], int(s), int(e), spans.labels[k]) for d, c, s, e, k in rows)


def written(tmp_path, text, name="spans.csv"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,bob,0,4,PER\nb,ann,1,2,LOC\n")
    spans = read_spans(path, length=10)
    assert found(spans) == [("a", "ann", 0, 5, "PER"), ("a", "bob", 0, 4, "PER"), ("b", "ann", 1, 2, "LOC")]
    assert spans.lengths.tolist() == [10, 10]
    assert spans.read.all()
    (warning,) = spans.warnings
    assert warning.code == "assumed_read"
    assert warning.text.startswith("bob marked nothing in 1 document. Every coder is taken to have read every document")


def test_other_names_of_columns(tmp_path):
    path = written(tmp_path, "doc_id,annotator,begin,stop,type\na,ann,0,5,PER\n")
    assert found(read_spans(path, length=10)) == [("a", "ann", 0, 5, "PER")]
    path = written(tmp_path, "text,who,von,bis,was\na,ann,0,5,PER\n")
    named = {"document": "text", "coder": "who", "start": "von", "end": "bis", "label": "was"}
    assert found(read_spans(path, columns=named, length=10)) == [("a", "ann", 0, 5, "PER")]


def test_a_row_without_a_span_says_that_the_document_was_read(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,bob,,,\nb,ann,1,2,LOC\n")
    assert not read_spans(path, length=10, partial=True).read[1, 1]
    assert read_spans(path, length=10, partial=True).read[0, 1]
    assert read_spans(path, length=10).read.all()


def test_touching_spans_stay_apart_and_labels_may_overlap(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,ann,5,7,PER\na,ann,3,6,LOC\na,bob,0,7,PER\n")
    assert len(read_spans(path, length=10)) == 4


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("a,bob,9,4,PER", "line 3: the span ends before it starts (start 9, end 4)"),
        ("a,bob,4,4,PER", "line 3: the span is empty (start 4, end 4). The end is exclusive"),
        ("a,bob,18,21,PER", "line 3: the span 18–21 goes past the end of document 'a', which is 20 positions long"),
        ("a,bob,-1,2,PER", "line 3: the span starts at -1. Positions are counted from 0"),
        ("a,bob,1.5,2,PER", "line 3: the start of a span is '1.5', not a whole number"),
        ("a,bob,1,,PER", "line 3: the end of a span is empty, not a whole number"),
        ("a,bob,1,2,", "line 3: the span has no label"),
        (",bob,1,2,PER", "line 3: the column 'document' is empty"),
        (
            "a,ann,4,9,PER",
            "line 3: ann marked 4–9 in document 'a', which overlaps their span 0–5 with the same label 'PER'",
        ),
    ],
)
def test_what_is_refused_is_named_with_its_line(tmp_path, row, says):
    path = written(tmp_path, f"{HEADER}a,ann,0,5,PER\n{row}\n")
    with pytest.raises(InvalidInputError) as error:
        read_spans(path, length=20)
    assert f"spans.csv, {says}" in str(error.value)


def test_lengths_of_documents(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,bob,0,5,PER\n")
    lengths = written(tmp_path, "document,length\na,30\nunmarked,40\n", "lengths.csv")
    spans = read_spans(path, lengths=lengths)
    assert (spans.documents, spans.lengths.tolist()) == (("a", "unmarked"), [30, 40])
    with pytest.raises(InvalidInputError, match=r"length= and lengths= say the same thing"):
        read_spans(path, lengths=lengths, length=4)
    short = written(tmp_path, "document,length\nb,30\n", "short.csv")
    with pytest.raises(InvalidInputError, match=r"has no length for document 'a'"):
        read_spans(path, lengths=short)
    assert read_spans(path, lengths={"a": 7}).lengths.tolist() == [7]


def test_without_a_length_the_last_span_ends_the_document(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,bob,0,8,PER\n")
    spans = read_spans(path)
    assert spans.lengths.tolist() == [8]
    assert [one.code for one in spans.warnings] == ["length_inferred"]


def test_texts(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,4,7,PER\na,bob,4,7,PER\n")
    written(tmp_path, "The cat sat.", "texts/a.txt")
    spans = read_spans(path, text=tmp_path / "texts")
    assert (spans.text(0, 4, 7), spans.lengths.tolist()) == ("cat", [12])
    assert read_spans(path, text=tmp_path / "texts" / "a.txt").text(0, 4, 7) == "cat"
    table = written(tmp_path, "document,text\na,The cat sat.\n", "texts.csv")
    assert read_spans(path, text=table).text(0, 4, 7) == "cat"
    with pytest.raises(InvalidInputError, match="has no text of document 'a'"):
        read_spans(path, text=tmp_path)


def test_frames():
    frame = pl.DataFrame({"coder": ["x", "y"], "start": [0, 1], "end": [2, 2], "label": ["P", "P"]})
    assert found(read_spans(frame, length=5)) == [("1", "x", 0, 2, "P"), ("1", "y", 1, 2, "P")]


def test_bio_columns(tmp_path):
    text = "# coders = ann bob\nEva B-PER B-PER\nBach I-PER O\nsaw O O\nRome B-LOC S-LOC\n\nNo O I-PER\none O I-PER\n"
    spans = read_spans(written(tmp_path, text, "x.conll"))
    assert found(spans) == [
        ("1", "ann", 0, 2, "PER"),
        ("1", "ann", 3, 4, "LOC"),
        ("1", "bob", 0, 1, "PER"),
        ("1", "bob", 3, 4, "LOC"),
        ("2", "bob", 0, 2, "PER"),
    ]
    assert (spans.lengths.tolist(), spans.text(0, 0, 2)) == ([4, 2], "Eva Bach")
    assert spans.read.all()


def test_bio_documents_and_neighbours(tmp_path):
    text = "# newdoc id = one\na\tB-X\tB-X\nb\tB-X\tI-X\n\nc\tO\tB-Y\n# newdoc id = two\nd\tO\tO\n"
    spans = read_spans(written(tmp_path, text, "x.bio"), coders=["u", "v"])
    assert found(spans) == [
        ("one", "u", 0, 1, "X"),
        ("one", "u", 1, 2, "X"),
        ("one", "v", 0, 2, "X"),
        ("one", "v", 2, 3, "Y"),
    ]
    assert spans.documents == ("one", "two")


def test_tokens_that_look_like_comments_or_ends_of_lines(tmp_path):
    text = "# coders = u v\n# text = see #Rome\nsee O O\n#Rome B-LOC O\n# O O\n\u2028 O O\n\u00a0 O O\n"
    spans = read_spans(written(tmp_path, text, "x.bio"))
    assert spans.texts == (("see", "#Rome", "#", "\u2028", "\u00a0"),)
    assert found(spans) == [("1", "u", 1, 2, "LOC")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a B-X\nb\n", "line 2: 1 column, but 2 in the first line"),
        ("a O O\n" * 5 + "b O BX\n", "line 6: 'BX' in column 3 is not a BIO tag"),
        ("# newdoc id = d\na O O\n# newdoc id = d\nb O O\n", "line 4: document 'd' begins a second time"),
        ("a NN\nb VV\n", "no column holds BIO tags"),
        ("\n\n", "holds no tokens"),
    ],
)
def test_bio_that_is_none(tmp_path, text, says):
    with pytest.raises(InvalidInputError, match=says):
        read_spans(written(tmp_path, text, "x.conll"))


def test_brat_folders(tmp_path):
    for coder, line in (("ann", "T1\tPER 0 4\tAda L\n#1\tNote\n"), ("bob", "T1\tPER 0 3\tAda\n")):
        written(tmp_path, line, f"brat/{coder}/doc1.ann")
        written(tmp_path, "Ada Lovelace", f"brat/{coder}/doc1.txt")
    spans = read_spans(tmp_path / "brat")
    assert found(spans) == [("doc1", "ann", 0, 4, "PER"), ("doc1", "bob", 0, 3, "PER")]
    assert spans.lengths.tolist() == [12]
    written(tmp_path, "T1\tPER 0 2;4 6\tA L\n", "brat/bob/doc1.ann")
    with pytest.raises(InvalidInputError, match=r"doc1.ann, line 1: a span in several pieces"):
        read_spans(tmp_path / "brat")
    with pytest.raises(InvalidInputError, match=r"holds no folder with \.ann files"):
        read_spans(tmp_path / "brat" / "ann")


def test_label_studio(tmp_path):
    def result(start, end, label):
        value = {"start": start, "end": end, "text": "", "labels": [label]}
        return {"from_name": "ner", "type": "labels", "value": value}

    tasks = [
        {
            "id": 7,
            "data": {"text": "Ada Lovelace"},
            "annotations": [
                {"completed_by": 1, "result": [result(0, 3, "PER")]},
                {"completed_by": {"email": "b@x"}, "result": []},
                {"completed_by": 3, "was_cancelled": True, "result": [result(0, 1, "PER")]},
            ],
            "predictions": [{"model_version": "m1", "result": [result(0, 12, "PER")]}],
        }
    ]
    export = written(tmp_path, json.dumps(tasks), "export.json")
    spans = read_spans(export)
    assert found(spans) == [("7", "1", 0, 3, "PER")]
    assert (spans.coders, spans.lengths.tolist(), spans.read.all()) == (("1", "b@x"), [12], True)
    assert "m1 (model) was left out, since it is not a person" in spans.warnings[0].text
    named = read_spans(export, coders=["1", "b@x", "m1"])
    assert found(named) == [("7", "1", 0, 3, "PER"), ("7", "m1", 0, 12, "PER")]
    assert (named.kinds["m1"], [one.code for one in named.warnings]) == ("model", ["annotations_left_out"])
    assert concurrence.spans(export, reference="m1").data.coders == ("1", "b@x", "m1")


@pytest.mark.parametrize("kind", ["hypertextlabels", "paragraphlabels"])
def test_label_studio_pages_and_dialogues(tmp_path, kind):
    """Positions are those of the shown text, whose length the export does not tell."""
    value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 3, kind: ["PER"]}
    tasks = [
        {"id": 1, "data": {"text": "<p>Ada</p>"}, "annotations": [{"completed_by": 5, "result": [{"value": value}]}]}
    ]
    with pytest.raises(InvalidInputError, match=r"entry 1: .* has no globalOffsets"):
        read_spans(written(tmp_path, json.dumps(tasks), "export.json"))
    value["globalOffsets"] = {"start": 2, "end": 5}
    spans = read_spans(written(tmp_path, json.dumps(tasks), "export.json"))
    assert found(spans) == [("1", "5", 2, 5, "PER")]
    assert (spans.texts, [one.code for one in spans.warnings]) == (None, ["length_inferred"])


def test_prodigy(tmp_path):
    lines = [
        {"text": "Ada L", "_input_hash": 1, "_task_hash": 2, "_annotator_id": "ann", "answer": "accept",
         "spans": [{"start": 0, "end": 3, "label": "PER"}]},
        {"text": "Ada L", "_input_hash": 1, "_task_hash": 2, "_annotator_id": "bob", "answer": "accept", "spans": []},
        {"text": "Ada L", "_input_hash": 1, "_task_hash": 2, "_annotator_id": "cy", "answer": "reject", "spans": []},
    ]  # fmt: skip
    spans = read_spans(written(tmp_path, "\n".join(map(json.dumps, lines)), "export.jsonl"))
    assert found(spans) == [("1", "ann", 0, 3, "PER")]
    assert (spans.coders, spans.lengths.tolist()) == (("ann", "bob"), [5])


@pytest.mark.parametrize(
    "labels", [{"label": [[0, 3, "PER"]]}, {"entities": [{"start_offset": 0, "end_offset": 3, "label": "PER"}]}]
)
def test_doccano(tmp_path, labels):
    lines = [{"id": 4, "text": "Ada L", "user": user, **labels} for user in ("ann", "bob")]
    spans = read_spans(written(tmp_path, "\n".join(map(json.dumps, lines)), "export.jsonl"))
    assert found(spans) == [("4", "ann", 0, 3, "PER"), ("4", "bob", 0, 3, "PER")]
    lines = [{"id": 4, "text": "Ada L", "user": "ann", "label": ["joy"]}]
    with pytest.raises(InvalidInputError, match="is not a span with start, end and label"):
        read_spans(written(tmp_path, "\n".join(map(json.dumps, lines)), "export.jsonl"))


def test_only_some_coders(tmp_path):
    path = written(tmp_path, HEADER + "a,ann,0,5,PER\na,bob,0,4,PER\na,cy,0,4,PER\n")
    assert read_spans(path, length=9, coders=["cy", "ann"]).coders == ("cy", "ann")
    with pytest.raises(InvalidInputError, match="no coder 'dan'"):
        read_spans(path, length=9, coders=["dan"])


# CoNLL-2003 has layers, not coders: token, part of speech, chunk, entity (Tjong Kim Sang & De Meulder 2003, section 2)

CONLL = """-DOCSTART- -X- -X- O

U.N. NNP B-NP B-ORG
official NN I-NP O
Ekeus NNP B-NP B-PER
heads VBZ B-VP O
for IN B-PP O
Baghdad NNP B-NP B-LOC
. . O O
"""


def test_layers_of_conll_2003_are_no_coders(tmp_path, concur):
    ann = written(tmp_path, CONLL, "ann.conll")
    done = concur("spans", ann)
    assert done.code == 2
    assert "columns 3 and 4 have no label in common (NP, PP, VP; LOC, ORG, PER)" in done.err
    bob = written(tmp_path, CONLL.replace("B-LOC", "O"), "bob.conll")
    both = concur("spans", ann, bob, "--bootstrap", "20", "--json").json
    assert both["data"]["coders"] == ["ann", "bob"]
    assert both["data"]["counts"] == {"ann": {"LOC": 1, "ORG": 1, "PER": 1}, "bob": {"LOC": 0, "ORG": 1, "PER": 1}}
    assert both["coefficients"]["f1_exact"]["value"] == pytest.approx(0.8)
    chunks = concurrence.spans([ann, bob], columns={"label": "3"}, bootstrap=20)
    assert chunks.data.labels == ("NP", "PP", "VP")
    with pytest.raises(InvalidInputError, match=r"column '2' is no column of BIO tags; those are 3, 4"):
        read_spans([ann, bob], columns={"label": "2"})


def test_columns_taken_for_coders_are_named(tmp_path):
    path = written(tmp_path, "Ada B-P B-P\ncame O O\n", "two.bio")
    (warning,) = read_spans(path).warnings
    assert (warning.code, warning.warning) == ("coders_inferred", True)
    assert "columns 2 and 3 were taken for coder_1 and coder_2" in warning.text
    assert not read_spans(path, coders=["ann", "bob"]).warnings
    named = written(tmp_path, "# coders = ann bob\nAda B-P B-L\ncame O O\n", "named.bio")
    assert read_spans(named).coders == ("ann", "bob")


def test_files_of_several_coders_hold_the_same_texts(tmp_path):
    ann = written(tmp_path, CONLL, "ann.conll")
    bob = written(tmp_path, CONLL.replace("heads", "head"), "bob.conll")
    with pytest.raises(InvalidInputError, match=r"bob.conll: token 4 of document '1' is 'head', but 'heads'"):
        read_spans([ann, bob])
    with pytest.raises(InvalidInputError, match=r"'ann' read document '1' in another file, too"):
        read_spans([ann, ann])
    wrong = written(tmp_path, HEADER + "a,cy,5,2,P\n", "cy.csv")
    with pytest.raises(InvalidInputError, match=r"cy.csv, line 2: the span ends before it starts"):
        read_spans([written(tmp_path, HEADER + "a,ann,0,5,PER\n", "ann.csv"), wrong], length=9)


@pytest.mark.parametrize(
    "record",
    [
        {"id": 1, "text": "Ada L", "annotations": [{"label": 3, "start_offset": 0, "end_offset": 3, "user": 1}]},
        {"id": 1, "text": "Ada L", "labels": [[0, 3, "PER"]], "user": "ann"},
        {"id": 1, "text": "Ada L", "entities": [{"label": "PER", "start_offset": 0, "end_offset": 3}], "user": "ann"},
    ],
)
def test_old_spans_of_doccano_are_no_labels_of_items(tmp_path, record):
    """doccano before 1.0 writes spans as annotations with offsets (its exporters of 2019)."""
    with pytest.raises(InvalidInputError, match="the labels are of parts of the item"):
        concurrence.agree(written(tmp_path, json.dumps(record) + "\n", "export.jsonl"))
