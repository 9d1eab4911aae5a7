"""Lists, arrays and frames give what a CSV file with the same content gives."""

import csv
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence.core import InvalidInputError
from concurrence.core.numerals import parse_number
from concurrence.core.values import to_json
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")
NAN = float("nan")
YES_NO = [[1, 0, 1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 0, 1, 1, 0], [1, 1, 1, 1, 0, 0, 1, 0]]
CODERS = ("ann", "bob", "eve")


def columns(of_one, of_zero, *, first=None):
    """The labels of three coders, with other words for 1 and 0; the first coder may have words of their own."""
    words = [first or (of_one, of_zero), (of_one, of_zero), (of_one, of_zero)]
    return {
        coder: [one if cell else zero for cell in cells]
        for coder, cells, (one, zero) in zip(CODERS, YES_NO, words, strict=True)
    }


def with_gaps(lists, missing):
    """The same with a label missing of the first two coders."""
    ann, bob, eve = lists.values()
    return {"ann": [missing, *ann[1:]], "bob": [*bob[:-1], missing], "eve": eve}


def absent(name):
    """The missing value of a library, made where the test runs."""
    return {"NA": lambda: pd.NA, "NaT": lambda: pd.NaT, "NaN": lambda: np.float64("nan")}[name]()


KINDS = {
    "texts": lambda: columns("yes", "no"),
    "numbers as texts": lambda: columns("1", "0"),
    "two spellings of a number": lambda: columns("1", "0", first=("1.0", "0.0")),
    "integers": lambda: columns(1, 0),
    "floats": lambda: columns(1.0, 0.0),
    "floats and integers": lambda: columns(1, 0, first=(1.0, 0.0)),
    "large floats": lambda: columns(20240101.0, 20240102.0),
    "large ratings": lambda: columns(100000.5, 100001.25),
    "tiny floats": lambda: columns(1.23456789e-9, 1.23456780e-9),
    "truth values": lambda: columns(True, False),
    "truth values and numbers": lambda: columns(1, 0, first=(True, False)),
    "truth values and floats": lambda: columns(1.0, 0.0, first=(True, False)),
    "words among numbers": lambda: columns(1, "none"),
    "decimals": lambda: columns(Decimal("1.50"), Decimal("2.5")),
    "numpy integers": lambda: columns(np.int8(1), np.int8(0)),
    "numpy floats": lambda: columns(np.float64(0.1), np.float64(20240101.0)),
    "short floats": lambda: columns(np.float32(0.1), np.float32(0.7)),
    "numpy truth values": lambda: columns(1, 0, first=(np.True_, np.False_)),
    "numpy texts": lambda: columns(np.str_("yes"), np.str_("no")),
    "None": lambda: with_gaps(columns("yes", "no"), None),
    "NaN among floats": lambda: with_gaps(columns(1.0, 0.0), NAN),
    "NaN among texts": lambda: with_gaps(columns("yes", "no"), NAN),
    "numpy's NaN": lambda: with_gaps(columns("yes", "no"), absent("NaN")),
    "pandas' NA": lambda: with_gaps(columns("yes", "no"), absent("NA")),
    "pandas' NA among integers": lambda: with_gaps(columns(1, 0), absent("NA")),
    "pandas' NaT": lambda: with_gaps(columns("yes", "no"), absent("NaT")),
    "empty texts": lambda: with_gaps(columns("yes", "no"), ""),
    "words that look missing": lambda: with_gaps(columns("yes", "no"), "NA"),
}
FORMS = {
    "lists": lambda lists: lists,
    "tuples": lambda lists: {coder: tuple(cells) for coder, cells in lists.items()},
    "generators": lambda lists: {coder: iter(cells) for coder, cells in lists.items()},
    "arrays": lambda lists: {coder: np.array(cells, dtype=object) for coder, cells in lists.items()},
    "columns of pandas": lambda lists: {coder: pd.Series(cells, dtype=object) for coder, cells in lists.items()},
    "columns of numpy types": lambda lists: {coder: typed_array(cells) for coder, cells in lists.items()},
    "frame of pandas": lambda lists: pd.DataFrame(lists),
    "frame of pandas, objects": lambda lists: pd.DataFrame(lists, dtype=object),
}


def typed_array(cells):
    """An array of one numpy type where numpy makes one without changing a cell."""
    kinds = {type(cell) for cell in cells}
    return np.array(cells) if len(kinds) == 1 and kinds <= {int, float, bool, str, np.int8, np.float32} else cells


def csv_text(cell):
    """What a person writes into a file."""
    missing = cell is None or cell is absent("NA") or (not isinstance(cell, str) and cell != cell)
    return "" if missing else str(cell).lower() if isinstance(cell, bool | np.bool_) else str(cell)


def csv_of(lists, path):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(lists)
        writer.writerows([csv_text(cell) for cell in row] for row in zip(*lists.values(), strict=True))
    return concurrence.read_labels(path, shape="wide", coders=CODERS)


def reading_of(form):
    return {"shape": "wide", "coders": CODERS} if hasattr(form, "columns") else {}


def same_numbers(labels):
    """What is the same where a library wrote 1.0 for 1: all but the spelling, and what is said of it."""
    numbers = [category if (number := parse_number(category)) is None else number for category in labels.categories]
    codes = {warning.code for warning in labels.warnings} - {"same_number"}
    return labels.codes.tolist(), numbers, labels.coders, labels.items.tolist(), codes


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_those_of_the_file(kind, form, tmp_path):
    lists = KINDS[kind]()
    expected = csv_of(lists, tmp_path / "labels.csv")
    source = FORMS[form](lists)
    labels = concurrence.soft_labels(source, **reading_of(source)).labels
    assert same_numbers(labels) == same_numbers(expected)
    if "frame" not in form:  # pandas makes floats of integers with gaps
        assert to_json(labels) == to_json(expected)


VERBS = {
    "agree": lambda labels: concurrence.agree(labels),
    "ratings": lambda labels: concurrence.ratings(labels, bootstrap=50),
    "compare": lambda labels: concurrence.compare(labels, a=["ann", "bob"], b="ann,eve", bootstrap=50),
    "judge": lambda labels: concurrence.judge(labels, "eve"),
    "merge": lambda labels: concurrence.merge(labels, shuffles=5),
    "soft_labels": lambda labels: concurrence.soft_labels(labels),
    "coders": lambda labels: concurrence.fit_coder_model(labels),
    "latent_classes": lambda labels: concurrence.latent_classes(labels, 2, starts=2),
}


def answer(verb, labels):
    """The result of a verb, or the sentence that refuses."""
    try:
        return to_json(VERBS[verb](labels))
    except InvalidInputError as error:
        return str(error)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "kind", ["floats", "large ratings", "two spellings of a number", "numpy truth values", "pandas' NA among integers"]
)
def test_verbs_answer_as_of_the_file(kind, verb, tmp_path):
    lists = KINDS[kind]()
    assert answer(verb, lists) == answer(verb, csv_of(lists, tmp_path / "labels.csv"))


def test_dates_written_as_numbers_stay_apart():
    report = concurrence.agree([20240101.0, 20240103.0], [20240102.0, 20240104.0])
    assert report["percent_agreement"].value == 0


def test_large_ratings_keep_their_digits():
    near = [[1.25, 2.5, 3.75, 5.0, 2.25, 4.5], [1.5, 2.0, 3.25, 5.25, 2.75, 4.0]]
    far = [[100_000 + rating for rating in ratings] for ratings in near]
    expected = concurrence.ratings(*near)["icc_2_1"].value
    assert concurrence.ratings(*far)["icc_2_1"].value == pytest.approx(expected, abs=1e-6)


def test_two_spellings_of_a_number_are_one_with_a_warning():
    report = concurrence.agree(["1.0", "2", "2"], ["1", "2", "2"])
    assert report["percent_agreement"].value == 1
    assert "same_number" in {warning.code for warning in report.warnings}
    apart = concurrence.agree(["1.0", "2", "2"], ["1", "2", "2"], as_text=True)
    assert apart["percent_agreement"].value == pytest.approx(2 / 3)


def test_truth_values_beside_other_words_stay_words():
    labels = concurrence.soft_labels([["true", "false", "2"], ["1", "0", "2"]]).labels
    assert labels.categories == ("0", "1", "2", "false", "true")
    declared = concurrence.soft_labels([[True, False], [True, True]], categories=["true", "false"]).labels
    assert declared.codes.tolist() == [[0, 0], [1, 0]]


def test_options_of_reading_hold_for_lists():
    lists = {"ann": ["y", "NA", "n"], "bob": ["yes", "n", "n"], "eve": ["n", "n", "n"]}
    report = concurrence.agree(lists, missing=["NA"], recode={"yes": "y"}, coders=["ann", "bob"])
    assert report["percent_agreement"].value == 1
    with pytest.raises(InvalidInputError, match="by= says how a table is read"):
        concurrence.agree(lists, by="word")
    with pytest.raises(InvalidInputError, match="The input, item 1 of ann: the label 'y' is not among the declared"):
        concurrence.agree(lists, categories=["n"])


def test_rows_of_an_array_and_columns_of_frames_are_coders():
    expected = to_json(concurrence.agree(YES_NO))
    assert to_json(concurrence.agree(np.array(YES_NO))) == expected
    assert to_json(concurrence.agree([pl.Series(cells) for cells in YES_NO])) == expected
    assert to_json(concurrence.agree([pd.Series(cells) for cells in YES_NO])) == expected
    with pytest.raises(InvalidInputError, match="One list of labels is one coder"):
        concurrence.agree(np.array(YES_NO[0]))


def test_sets_in_lists():
    labels = concurrence.soft_labels([[["a", "b"], ["a"]], [["b", "a"], {"b"}]], sets="+").labels
    assert labels.categories == ("a", "a+b", "b")
    with pytest.raises(InvalidInputError, match="If labels are sets"):
        concurrence.agree([["a", "b"], ["a"]], [["b", "a"], ["b"]])


def test_rows_of_comparisons_and_spans_are_read_as_their_file(tmp_path):
    wins = [(1, 2, 1, "ann"), (2, 3, "tie", "ann"), (1, 3, None, "bob"), (3, 1, "b", "bob"), (2, 1, 2, "bob")]
    frame = pl.DataFrame(
        [[None if cell is None else str(cell) for cell in row] for row in wins],
        schema=["a", "b", "winner", "coder"],
        orient="row",
    )
    frame.write_csv(tmp_path / "wins.csv")
    expected = to_json(concurrence.preferences(tmp_path / "wins.csv"))
    assert to_json(concurrence.preferences(wins)) == expected
    assert to_json(concurrence.preferences([dict(zip(frame.columns, row, strict=True)) for row in wins])) == expected
    marks = [(1, "ann", 0, 4, 7), (1, "bob", 0, 4, "7"), ("b", "ann", 6, 8, "Q"), ("b", "bob", 6.0, 9, "Q")]
    text = "\n".join(["document,coder,start,end,label", *(",".join(map(str, mark)) for mark in marks)])
    (tmp_path / "spans.csv").write_text(text)
    expected = to_json(concurrence.spans(tmp_path / "spans.csv", length=10, bootstrap=50))
    assert to_json(concurrence.spans(marks, length=10, bootstrap=50)) == expected


@pytest.mark.parametrize("verdicts", [[True, False], [1, 0], [1.0, 0.0], ["1", "0"], ["yes", "no"]], ids=str)
def test_verdicts_in_frames_and_rows(verdicts):
    table = pl.DataFrame({"l1": list("abcdef"), "l2": ["x"] * 6, "f": range(1, 7), "MI": range(6)})
    gold = [{"l1": word, "l2": "x", "tp": verdicts[place % 2]} for place, word in enumerate("abcde")]
    gold.append({"l1": "f", "l2": "x", "tp": None})
    results = [
        concurrence.evaluate(table, form, measures=["MI"], n=[4])
        for form in (gold, pl.DataFrame(gold), pd.DataFrame(gold))
    ]
    values = {result.measures["MI"].precision.tolist()[0] for result in results}
    assert len(values) == 1
