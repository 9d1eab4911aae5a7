"""Judged pairs (``l1,l2,coder,tp``) are labels: the item is the pair."""

import json
import random

import polars as pl
import pytest

import concurrence
from concurrence import read_labels
from concurrence.core import InvalidInputError

DRAW = random.Random(5)
PAIRS = [(f"v{n % 6}", f"n{n // 6}") for n in range(36)]
CODERS = {who: [int(DRAW.random() < (0.9 if n % 3 else 0.2)) for n in range(36)] for who in ("ann", "bob", "cy")}


def judged(coders=CODERS, values=("0", "1")):
    rows = [f"{a},{b},{who},{values[own[n]]}" for who, own in coders.items() for n, (a, b) in enumerate(PAIRS)]
    return "l1,l2,coder,tp\n" + "\n".join(rows) + "\n"


@pytest.fixture
def write(tmp_path):
    def written(text, name="judged.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def test_the_item_is_the_pair(write, concur):
    path = write(judged())
    labels = read_labels(path)
    assert (labels.n_items, labels.coders, labels.categories) == (36, ("ann", "bob", "cy"), ("0", "1"))
    assert labels.items[:2].tolist() == ["v0 n0", "v1 n0"]
    found = concur("agree", path, "--json").json
    assert found["coefficients"]["fleiss_kappa"]["value"] == concurrence.agree(CODERS)["fleiss_kappa"].value
    frame = pl.read_csv(path)
    assert read_labels(frame).codes.tolist() == labels.codes.tolist()
    lines = "\n".join(json.dumps(row) for row in frame.to_dicts())
    assert read_labels(write(lines, "judged.jsonl")).items.tolist() == labels.items.tolist()


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--a", "ann,bob", "--b", "ann,cy", "--bootstrap", "50"),
        ("judge", "--judge", "cy"),
        ("merge",),
        ("coders",),
    ],
)
def test_every_command_takes_them(write, concur, command):
    name, *options = command
    done = concur(name, write(judged()), *options, "--json")
    assert (done.code, done.err.replace("seed: 0\n", "")) == (0, "")


def test_what_sample_wrote_stays_beside_them(write):
    """A sample with a column for each coder, as spreadsheets have it; sizes and weights are no coders."""
    head = "l1,l2,part,stratum,probability,weight,f,f1,f2,N,ann,bob\n"
    rows = [
        f"{a},{b},{n % 2},1,0.5,2,3,9,9,100,{CODERS['ann'][n]},{CODERS['bob'][n]}" for n, (a, b) in enumerate(PAIRS)
    ]
    labels = read_labels(write(head + "\n".join(rows) + "\n"), shape="wide")
    assert (labels.coders, labels.items[0]) == (("ann", "bob"), "v0 n0")


def test_verdicts_in_two_spellings(write):
    text = judged() + judged({"dee": CODERS["ann"]}, ("no", "yes")).partition("\n")[2]
    labels = read_labels(write(text))
    assert labels.categories == ("0", "1")
    assert (labels.codes[:, 3] == labels.codes[:, 0]).all()
    assert "truth_values" in {one.code for one in labels.warnings}
    assert read_labels(write(judged(values=("no", "yes")), "words.csv")).categories == ("no", "yes")


def test_sequences_and_columns_of_one_s_own(write):
    text = judged().replace("l1,l2", "l1,l2,l3").replace(",n", ",x,n")
    assert read_labels(write(text)).items[0] == "v0 x n0"
    own = write(judged().replace("l1,l2", "verb,noun"), "own.csv")
    assert read_labels(own, columns={"item": "verb+noun", "label": "tp"}).items[0] == "v0 n0"
    grouped = read_labels(write(judged(), "by.csv"), by="l1")
    assert sorted(set(grouped.groups)) == [f"v{n}" for n in range(6)]
    assert concurrence.agree_by_group(write(judged(), "by.csv"), by="l1").groups.keys() == set(grouped.groups)


def test_an_item_of_one_s_own_is_taken(write):
    text = judged().replace("l1,l2", "id,l2")
    with pytest.raises(InvalidInputError, match=r"columns are id, l2, coder, tp"):
        read_labels(write(text))
    assert read_labels(write("item," + judged()[:-1].replace("\n", "\n7,")), repeats="last").n_items == 1


def test_a_model_in_a_wide_file_beside_judged_pairs(write, concur):
    """Long and wide files are read together: people's judgements, and the list with a model's."""
    model = write(
        "l1,l2,model\n" + "".join(f"{a},{b},{CODERS['ann'][n]}\n" for n, (a, b) in enumerate(PAIRS)), "list.csv"
    )
    found = concur("judge", write(judged()), model, "--wide", "--judge", "model", "--json").json
    assert {pair["items"] for pair in found["judge_human"]["pairs"]} == {36}


def test_two_pairs_that_look_alike_are_refused(write):
    text = "l1,l2,coder,tp\na b,c,ann,1\na,b c,ann,0\na,b c,bob,0\n"
    with pytest.raises(InvalidInputError, match=r"line 3: the item 'a b c' is made of l1 and l2 in two ways"):
        read_labels(write(text))


def test_advice_does_not_drop_labels(write, concur):
    done = concur("agree", write(judged()), "--columns", "item=l1,label=tp")
    assert done.code == 2
    assert "The column 'l2' tells these rows apart; if it belongs to the item, use --columns item=l1+l2" in done.err
    assert "--repeats first or --repeats last keeps one label of each and leaves out 90 labels" in done.err
    advised = concur("agree", write(judged()), "--columns", "item=l1+l2,label=tp", "--json").json
    assert advised["data"]["labels"] == 108
    some = concur("agree", write(judged()), "--columns", "item=l1,label=tp", "--coders", "bob,cy")
    assert "The column 'l2' tells these rows apart" in some.err
    plain = concur("agree", write("item,coder,label\n1,a,x\n1,a,y\n1,b,x\n", "plain.csv"))
    assert "tells these rows apart" not in plain.err
