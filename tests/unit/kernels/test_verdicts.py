import polars as pl
import pytest

from concurrence.core.errors import InvalidInputError
from concurrence.kernels.verdicts import judgements_from_table

KEYS = pl.DataFrame({"l1": ["a", "b", "c"], "l2": ["x", "y", "z"]})


def gold(*rows, columns=("l1", "l2", "tp")):
    return pl.DataFrame(rows, schema=list(columns), orient="row")


def test_verdicts_are_aligned_with_the_list():
    found = judgements_from_table(gold(("c", "z", "Yes"), ("a", "x", "0")), KEYS)
    assert found.verdicts.tolist() == [0, -1, 1]


def test_an_empty_cell_is_no_judgement():
    assert judgements_from_table(gold(("c", "z", None), ("a", "x", "1")), KEYS).verdicts.tolist() == [1, -1, -1]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("q", "x", "1")], "'q x' is not in the candidate list"),
        ([("a", "x", "1"), ("a", "x", "0")], "'a x' is judged both true and false"),
        ([("a", "x", "maybe")], "tp = 'maybe', but a judgement is 1/0, yes/no or true/false"),
    ],
)
def test_judgements_that_cannot_be_used_are_refused(rows, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        judgements_from_table(gold(*rows), KEYS)


def test_a_place_counts_the_rows_without_a_judgement():
    rows = gold(("a", "x", None), ("b", "y", "maybe"))
    with pytest.raises(InvalidInputError, match=r"gold\.csv, line 3: tp = 'maybe'"):
        judgements_from_table(rows, KEYS, place=lambda row: f"gold.csv, line {row + 2}")


VOTES = [
    ("a", "x", "1", "ann"),
    ("a", "x", "1", "bob"),
    ("a", "x", "0", "cy"),
    ("b", "y", "0", "ann"),
    ("b", "y", "1", "bob"),
]


def votes(rows=VOTES):
    return gold(*rows, columns=("l1", "l2", "tp", "coder"))


def test_the_majority_decides_and_ties_must_be_decided():
    with pytest.raises(InvalidInputError, match="1 candidate with equal votes, the first is 'b y'"):
        judgements_from_table(votes(), KEYS)
    assert judgements_from_table(votes(), KEYS, ties="no").verdicts.tolist() == [1, 0, -1]
    assert judgements_from_table(votes(), KEYS, ties="yes").verdicts.tolist() == [1, 1, -1]


def test_one_coder_can_be_chosen():
    assert judgements_from_table(votes(), KEYS, coder="ann").verdicts.tolist() == [1, 0, -1]
    with pytest.raises(InvalidInputError, match="There is no coder 'dan'"):
        judgements_from_table(votes(), KEYS, coder="dan")


def test_a_coder_who_says_both_is_refused():
    with pytest.raises(InvalidInputError, match="'a x' is judged both true and false by the coder 'ann'"):
        judgements_from_table(votes([("a", "x", "1", "ann"), ("a", "x", "0", "ann")]), KEYS)


def test_kinds_of_true_positives():
    table = gold(("a", "x", "1", "svc"), ("b", "y", "1", "fig"), ("c", "z", "0", None), columns=("l1", "l2", "tp", "k"))
    found = judgements_from_table(table, KEYS, kinds="k")
    assert found.kind_names == ("fig", "svc")
    assert found.of_kind("svc").verdicts.tolist() == [1, 0, 0]
