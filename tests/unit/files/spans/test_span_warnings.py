"""What a file of spans leaves in doubt is said or refused, with its line."""

import json

import pytest

from concurrence import read_spans
from concurrence.core.errors import InvalidInputError

SPANS = "document,coder,start,end,label\na,x,0,5,P\na,y,0,5,P\nb,x,1,5,P\nb,y,1,5,P\n"


def codes(found):
    return [one.code for one in found.warnings]


@pytest.fixture
def table(tmp_path):
    (tmp_path / "spans.csv").write_text(SPANS, "utf-8")
    return tmp_path / "spans.csv"


def test_two_lengths_of_a_document_are_refused(table, tmp_path, concur):
    lengths = tmp_path / "lengths.csv"
    lengths.write_text("document,length\na,20\nb,20\na,30\n", "utf-8")
    done = concur("spans", table, "--lengths", lengths)
    assert (done.code, done.out) == (2, "")
    assert "lengths.csv, line 4: document 'a' has the length 30, but 20 further up" in done.err
    lengths.write_text("document,length\na,20\nb,20\na,20\n", "utf-8")
    assert read_spans(table, lengths=lengths).lengths.tolist() == [20, 20]


def test_two_texts_of_a_document_are_refused(table, tmp_path):
    texts = tmp_path / "texts.csv"
    texts.write_text("document,text\na,aaaaaaa\nb,bbbbbbb\na,ccccccc\n", "utf-8")
    with pytest.raises(InvalidInputError, match=r"texts.csv, line 4: document 'a' has another text further up"):
        read_spans(table, text=texts)
    texts.write_text("document,text\na,aaaaaaa\nb,bbbbbbb\na,aaaaaaa\n", "utf-8")
    assert read_spans(table, text=texts).texts == ("aaaaaaa", "bbbbbbb")


def prodigy(tmp_path, *answers):
    lines = [
        {"text": "Zoë met Bob", "_annotator_id": coder, "_input_hash": 1, "spans": [], "answer": answer}
        for coder, answer in zip("abc", answers, strict=True)
    ]
    path = tmp_path / "prodigy.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_rejected_answers_are_counted(tmp_path):
    found = read_spans(prodigy(tmp_path, "accept", "reject", "accept"))
    assert found.coders == ("a", "c")
    assert found.warnings[0].text == (
        "1 answer was left out, since it was rejected or ignored; its coder is not taken to have read the document."
    )
    two = read_spans(prodigy(tmp_path, "accept", "reject", "ignore"))
    assert two.warnings[0].text.startswith("2 answers were left out, since they were rejected or ignored; their coders")
    assert not read_spans(prodigy(tmp_path, "accept", "accept", "accept")).warnings


def label_studio(tmp_path, *cancelled):
    annotations = [
        {"completed_by": coder, "was_cancelled": gone, "result": []} for coder, gone in enumerate(cancelled, start=1)
    ]
    path = tmp_path / "studio.json"
    path.write_text(json.dumps([{"id": 1, "data": {"text": "Zoë met Bob"}, "annotations": annotations}]), "utf-8")
    return path


def test_cancelled_annotations_are_counted(tmp_path):
    found = read_spans(label_studio(tmp_path, False, True, False))
    assert found.coders == ("1", "3")
    assert "1 annotation was left out, since it was cancelled" in found.warnings[0].text
    assert not read_spans(label_studio(tmp_path, False, False)).warnings


def test_labels_that_look_alike_are_named(table):
    table.write_text(SPANS.replace(",P", ",PERSON").replace("b,y,1,5,PERSON", "b,y,1,5,person"), "utf-8")
    found = read_spans(table, length=20)
    assert codes(found) == ["near_duplicate_labels"]
    assert "'person' (1) and 'PERSON' (3)" in found.warnings[0].text
    assert "--recode" not in found.warnings[0].text
    table.write_text(SPANS.replace("b,y,1,5,P", "b,y,1,5,Q"), "utf-8")
    assert not codes(read_spans(table, length=20))


def test_a_wrong_tag_is_named_where_it_leaves_one_coder(tmp_path):
    path = tmp_path / "bad.bio"
    path.write_text("Anna X-PER B-PER\nis O O\n", "utf-8")
    with pytest.raises(InvalidInputError, match=r"bad.bio, line 1: 'X-PER' in column 2 is not a BIO tag"):
        read_spans(path)
    path.write_text("Anna NNP B-PER B-PER\nis O O O\n", "utf-8")
    assert read_spans(path).coders == ("coder_1", "coder_2")  # a column of parts of speech beside two of tags
    path.write_text("Anna NNP B-PER\nis VBZ O\n", "utf-8")
    assert read_spans(path).coders == ("coder_1",)
