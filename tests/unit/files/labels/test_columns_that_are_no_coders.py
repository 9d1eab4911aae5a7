"""Columns of wide tables that are no coders, labels that look missing, and tables with one coder per row."""

import random

import polars as pl
import pytest

import concurrence
from concurrence import read_labels
from concurrence.core import InvalidInputError

ITEMS = 60


def votes(seed, categories="abc"):
    """Labels of a coder who is right four times of five."""
    draw = random.Random(seed)
    return [categories[n % 3] if draw.random() < 0.8 else draw.choice(categories) for n in range(ITEMS)]


CODERS = {"ann": votes(1), "bob": votes(2), "cy": votes(3)}
NUMBERS = {name: ["123"["abc".index(label)] for label in own] for name, own in CODERS.items()}
DRAW = random.Random(7)
SIDE = {
    "seconds": [f"{DRAW.uniform(1, 40):.2f}" for _ in range(ITEMS)],
    "fold": [str(n % 5) for n in range(ITEMS)],
    "confidence": [f"{DRAW.random():.3f}" for _ in range(ITEMS)],
}


@pytest.fixture
def write(tmp_path):
    def written(columns, name="labels.csv"):
        path = tmp_path / name
        path.write_bytes(pl.DataFrame(columns).write_csv().encode())
        return path

    return written


def warnings_of(labels):
    return {one.code: one.text for one in labels.warnings}


@pytest.mark.parametrize("coders", [CODERS, NUMBERS], ids=["words", "numbers"])
@pytest.mark.parametrize("index", ["", "Unnamed: 0", "index"])
def test_what_stands_beside_the_labels_is_no_coder(write, concur, coders, index):
    rows = [str(n) for n in range(ITEMS)]
    path = write({index: rows, "item": [f"s{n}" for n in range(ITEMS)], **coders, **SIDE})
    found = concur("agree", path, "--wide", "--json").json
    clean = concur("agree", write({"item": rows, **coders}, "clean.csv"), "--wide", "--json").json
    assert found["data"]["coders"] == ["ann", "bob", "cy"]
    assert found["coefficients"] == clean["coefficients"]
    (warning,) = (one["text"] for one in found["warnings"] if one["code"] == "columns_left_out")
    assert "'seconds', 'fold' and 'confidence' were not taken for coders" in warning
    assert "columns_left_out" not in {one["code"] for one in clean["warnings"]}
    named = concur("agree", path, "--wide", "--coders", "ann,bob,fold", "--json").json
    assert named["data"]["coders"] == ["ann", "bob", "fold"]


def test_a_number_of_the_row_without_a_name_for_it(write):
    path = write({"item": [f"s{n}" for n in range(ITEMS)], "nr": [str(n) for n in range(1, ITEMS + 1)], **NUMBERS})
    assert read_labels(path, shape="wide").coders == ("ann", "bob", "cy")


def test_numbers_with_gaps_are_numbers(write):
    seconds = ["NA" if n % 9 == 0 else second for n, second in enumerate(SIDE["seconds"])]
    labels = read_labels(write({"item": [f"s{n}" for n in range(ITEMS)], **CODERS, "took": seconds}), shape="wide")
    assert labels.coders == ("ann", "bob", "cy")


def test_measurements_of_three_people_stay(write):
    """Values that hardly ever coincide are no reason to leave anybody out."""
    draw = random.Random(3)
    sizes = {name: [f"{n + draw.uniform(-1, 1):.2f}" for n in range(ITEMS)] for name in ("ann", "bob", "cy")}
    sizes["bob"][0] = sizes["ann"][0]
    labels = read_labels(write({"item": [f"s{n}" for n in range(ITEMS)], **sizes}), shape="wide")
    assert labels.n_coders == 3


def test_a_coder_who_counts_like_the_rows_stays(write):
    ratings = {"ann": list("123456"), "bob": list("123465"), "cy": list("223456")}
    assert read_labels(write({"item": list("uvwxyz"), **ratings}), shape="wide").n_coders == 3


def test_the_two_last_columns_are_never_left_out(write):
    labels = read_labels(write({"item": list("uvwxyz"), "fold": list("121212"), "time": list("454545")}), shape="wide")
    assert labels.coders == ("fold", "time")


@pytest.mark.parametrize("word", ["NA", "nan", "None", "N/A", "#N/A"])
def test_labels_that_look_missing_are_asked_about(write, concur, word):
    gaps = {name: [word if n % 7 == k else label for n, label in enumerate(own)] for k, (name, own) in
            enumerate(CODERS.items())}  # fmt: skip
    path = write({"item": [f"s{n}" for n in range(ITEMS)], **gaps})
    found = concur("agree", path, "--wide", "--json").json
    assert word in found["data"]["categories"]
    (warning,) = (one["text"] for one in found["warnings"] if one["code"] == "looks_missing")
    assert f"{word!r} (27)" in warning or f"{word!r} (26)" in warning
    asked = concur("agree", path, "--wide", "--missing", word, "--json").json
    assert "looks_missing" not in {one["code"] for one in asked["warnings"]}
    assert asked["coefficients"]["fleiss_kappa"]["value"] > found["coefficients"]["fleiss_kappa"]["value"]
    declared = read_labels(path, shape="wide", categories=["a", "b", "c", word])
    assert "looks_missing" not in warnings_of(declared)


def test_a_declared_none_and_a_lower_one_are_labels():
    assert "looks_missing" not in warnings_of(concurrence.read_labels(pl.DataFrame(
        {"item": ["1", "1"], "coder": ["a", "b"], "label": ["none", "x"]})))  # fmt: skip


def test_a_long_table_is_not_wide(write, concur):
    path = write({"item": list("1122"), "coder": ["ann", "bob"] * 2, "label": list("xyxx"), "note": list("abcd")})
    refused = concur("agree", path, "--wide")
    assert "or leave out --wide: the header is that of one label per row" in refused.err


# One coder per row


@pytest.fixture
def form(write):
    """What Google Forms writes into its sheet: a time stamp, the address, and a column per question."""
    answers = {f"Question {n}": [own[n] for own in CODERS.values()] for n in range(ITEMS)}
    return write({"Timestamp": ["1/5/2026 10:00:00"] * 3, "Email Address": [f"{n}@x" for n in CODERS], **answers})


def test_a_form_has_its_coders_in_rows(form, concur):
    found = concur("agree", form, "--transpose", "--json").json
    expected = concurrence.agree(CODERS)
    assert found["data"]["coders"] == ["ann@x", "bob@x", "cy@x"]
    assert found["coefficients"]["fleiss_kappa"]["value"] == expected["fleiss_kappa"].value
    assert "columns_left_out" in {one["code"] for one in found["warnings"]}
    assert concurrence.agree(form, transpose=True)["fleiss_kappa"].value == expected["fleiss_kappa"].value
    refused = concur("agree", form, "--wide")
    assert refused.code == 2
    assert "--transpose if each row is a coder" in refused.err


def test_more_coders_than_items_are_asked_about(write, concur):
    path = write({"name": list(CODERS), **{f"q{n}": [own[n] for own in CODERS.values()] for n in range(ITEMS)}})
    as_wide = concur("agree", path, "--wide", "--columns", "item=name", "--json").json
    (warning,) = (one["text"] for one in as_wide["warnings"] if one["code"] == "transposed")
    assert "more coders (60 columns) than items (3 rows)" in warning
    assert "--transpose" in warning
    assert concur("agree", path, "--transpose", "--json").json["data"]["coders"] == ["ann", "bob", "cy"]
    assert "transposed" not in warnings_of(read_labels(path, shape="wide", transpose=True))


def test_rows_without_a_name_are_numbered(write):
    path = write({f"q{n}": [own[n] for own in CODERS.values()] for n in range(ITEMS)})
    labels = read_labels(path, transpose=True)
    assert (labels.coders, labels.n_items) == (("1", "2", "3"), ITEMS)
    assert read_labels(path, transpose=True, coders=["2", "3"]).coders == ("2", "3")


def test_transposing_what_cannot_be(form, write):
    for options, says in (({"by": "x"}, "no column of groups"), ({"shape": "long"}, "one coder per row")):
        with pytest.raises(InvalidInputError, match=says):
            read_labels(form, transpose=True, **options)
    with pytest.raises(InvalidInputError, match="no column is left"):
        read_labels(write({"name": ["a", "b"]}, "two.csv"), transpose=True)
    with pytest.raises(InvalidInputError, match="transpose= says how a table is read"):
        concurrence.agree([["a"], ["a"]], transpose=True)


# Steps of a scale


def test_numbers_in_a_row_get_a_hint(concur, write):
    path = write({"item": [f"s{n}" for n in range(ITEMS)], **NUMBERS})
    shown = " ".join(concur("agree", path, "--wide").out.split())
    assert "The numbers 1 to 3 were compared as names. If they are steps of a scale, use --scale ordinal" in shown
    assert "compared as names" not in concur("agree", path, "--wide", "--scale", "ordinal").out
    hints = [one.code for one in concurrence.agree([list("013"), list("103")]).sentences]
    assert "numbers_as_names" not in hints
