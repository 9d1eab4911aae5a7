import csv
import json

import pytest

LEFT = "id,text,word,label\n1,He ran home.,run,1\n2,They run a shop in the old town,run,2\n3,A run of luck,run,0\n"
RIGHT = "id,text,word,label\na,He ran home,run,1\nb,They run a shop in the town,run,3\nc,Nothing alike,run,1\n"


@pytest.fixture
def corpora(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "left.csv").write_text(LEFT)
    (tmp_path / "right.csv").write_text(RIGHT)
    return tmp_path


def rows(path):
    with path.open() as source:
        return list(csv.DictReader(source))


def test_counts_and_files(corpora, concur):
    done = concur("match", "left.csv", "right.csv", "--json", "-o", "matches.csv", "--labels", "labels.csv")
    assert done.code == 0
    counts = {k: done.json[k] for k in ("exact", "close", "unmatched_left", "unmatched_right")}
    assert counts == {"exact": 1, "close": 1, "unmatched_left": 1, "unmatched_right": 1}
    close = rows(corpora / "matches.csv")[1]
    assert (close["left_id"], close["right_id"], close["kind"], close["verified"]) == ("2", "b", "close", "")
    assert float(close["similarity"]) == 7 / 8
    assert rows(corpora / "labels.csv") == [
        {"item": "1", "coder": "left", "label": "1", "word": "run"},
        {"item": "1", "coder": "right", "label": "1", "word": "run"},
    ]
    meta = json.loads((corpora / "matches.csv.meta.json").read_text())
    assert set(meta["inputs"]) == {"left.csv", "right.csv"}


def test_decisions_come_back(corpora, concur):
    concur("match", "left.csv", "right.csv", "-o", "matches.csv")
    text = (corpora / "matches.csv").read_text().rstrip("\n")
    (corpora / "decided.csv").write_text(text + "yes\n")
    done = concur("match", "left.csv", "right.csv", "--verified", "decided.csv", "--labels", "labels.csv")
    assert done.code == 0
    assert len(rows(corpora / "labels.csv")) == 4


def test_labels_are_mapped_and_dropped(corpora, concur):
    (corpora / "map.csv").write_text("old,new\n1,I\n2,II\n")
    options = ("--map-left", "map.csv", "--drop-labels", "0,-1", "--accept-close", "--labels", "labels.csv", "--json")
    done = concur("match", "left.csv", "right.csv", *options)
    assert (done.code, done.json["dropped_left"], done.json["left"]) == (0, 1, 2)
    assert [row["label"] for row in rows(corpora / "labels.csv")] == ["I", "1", "II", "3"]


@pytest.mark.parametrize(
    ("files", "options", "sentence"),
    [
        ({"map.csv": "old,new\n1,I\n2,II\n"}, ("--map-left", "map.csv"), "row 3: the map has no entry for the label"),
        ({"map.csv": "old,new\n1,I\n1,II\n"}, ("--map-left", "map.csv"), "'1' is mapped twice"),
        ({"left.csv": LEFT + "1,again,run,2\n"}, (), "left.csv, row 4: row 1 has the same id '1'"),
        ({}, ("--columns", "text"), "--columns takes ROLE=NAME"),
        ({}, ("--columns", "sentence=text"), "There is no column role 'sentence'"),
        ({}, ("--similarity", "0"), "must be above 0"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_writes_nothing(corpora, concur, files, options, sentence):
    for name, text in files.items():
        (corpora / name).write_text(text)
    before = sorted(corpora.iterdir())
    done = concur("match", "left.csv", "right.csv", "-o", "matches.csv", "--labels", "labels.csv", *options)
    assert done.code == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert sorted(corpora.iterdir()) == before


def test_labels_keep_the_other_columns(corpora, concur):
    left, right = (text.splitlines() for text in (LEFT, RIGHT))
    (corpora / "left.csv").write_text(
        "\n".join(f"{row},{'genre,coder' if n == 0 else f'g{n},L'}" for n, row in enumerate(left))
    )
    (corpora / "right.csv").write_text(
        "\n".join(f"{row},{'date,coder' if n == 0 else f'd{n},R'}" for n, row in enumerate(right))
    )
    options = ("--accept-close", "--labels", "labels.csv")
    assert concur("match", "left.csv", "right.csv", *options).code == 0
    kept = [
        {name: row[name] for name in ("item", "coder", "genre", "date", "coder_")}
        for row in rows(corpora / "labels.csv")
    ]
    assert kept == [
        {"item": "1", "coder": "left", "genre": "g1", "date": "d1", "coder_": "L"},
        {"item": "1", "coder": "right", "genre": "g1", "date": "d1", "coder_": "R"},
        {"item": "2", "coder": "left", "genre": "g2", "date": "d2", "coder_": "L"},
        {"item": "2", "coder": "right", "genre": "g2", "date": "d2", "coder_": "R"},
    ]
