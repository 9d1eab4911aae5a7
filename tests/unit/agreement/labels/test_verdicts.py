"""Verdicts on items: an opinion, one coder or noise, and none where the data do not tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from concurrence import Labels, soft_labels
from concurrence.agreement.labels.item_diagnosis import _division, coders_apart, item_verdicts, lone_dissenters
from support.examples import examples

TWELVE = tuple("abcdefghijkl")
HALVES = {coder: "one" if coder in "abcdef" else "two" for coder in TWELVE}
SPLIT = ["x"] * 6 + ["y"] * 6
ALIKE = ["x"] * 12


def labels_of(rows, coders=TWELVE):
    return Labels.from_rows(rows, coders=coders[: len(rows[0])])


def alone(size, place):
    return ["y" if coder == place else "x" for coder in range(size)]


def test_items_that_divide_the_groups_are_opinions():
    verdicts = item_verdicts(labels_of([SPLIT, ALIKE, SPLIT, ALIKE]), coder_groups=HALVES)
    assert verdicts == ["opinion", None, "opinion", None]


def test_no_item_is_an_opinion_without_groups_or_with_groups_that_cut_across():
    rows = [SPLIT, ALIKE, SPLIT, ALIKE]
    across = {coder: str(place % 2) for place, coder in enumerate(TWELVE)}
    assert item_verdicts(labels_of(rows)) == [None] * 4
    assert item_verdicts(labels_of(rows), coder_groups=across) == [None] * 4


def test_few_coders_carry_no_opinion():
    rows = [["x", "x", "y", "y"]] * 10
    assert item_verdicts(labels_of(rows), coder_groups={"a": "1", "b": "1", "c": "2", "d": "2"}) == [None] * 10


def test_a_coder_who_dissents_alone_again_and_again_is_named():
    rows = [alone(6, 2)] * 12 + [alone(6, 4)] + [["x"] * 6] * 5
    assert item_verdicts(labels_of(rows)) == ["coder"] * 12 + [None] * 6


def test_dissent_that_goes_round_is_no_coder_and_noise_only_where_the_majority_is_clear():
    assert item_verdicts(labels_of([alone(6, k % 6) for k in range(24)])) == [None] * 24
    assert item_verdicts(labels_of([alone(12, k) for k in range(12)])) == ["noise"] * 12


def test_counts_without_coders_and_empty_items_have_no_verdict():
    codes = np.array([[0] * 11 + [1], [-1] * 12])
    known = Labels(codes=codes, categories=("x", "y"), coders=TWELVE)
    unknown = Labels(codes=codes, categories=("x", "y"), coders=TWELVE, anonymous=True)
    assert item_verdicts(known) == ["noise", None]
    assert item_verdicts(unknown) == [None, None]


def test_lone_dissenters_need_three_others_who_agree():
    rows = [["x", "x", "y", "x"], ["x", "y", None, "x"], ["x", "y", "z", "x"], ["x"] * 4, ["x", "x", "y", "y"]]
    assert lone_dissenters(labels_of(rows).codes).tolist() == [2, -1, -1, -1, -1]


def test_coders_who_are_all_alike_are_seldom_called_apart():
    random = np.random.default_rng(4)
    called = [
        len(coders_apart(labels_of([alone(6, place) for place in random.integers(0, 6, size=40)]))) > 0
        for _ in range(400)
    ]
    assert np.mean(called) <= 0.05


@examples(40)
@given(st.lists(st.integers(0, 1), min_size=8, max_size=8).filter(lambda codes: 0 < sum(codes) < 8))
def test_the_test_of_an_item_is_fishers(codes):
    """With groups of one size and two labels, agreement within groups orders tables as their probability does."""
    given_, places = np.array(codes, dtype=np.int8), np.array([0] * 4 + [1] * 4)
    table = [[int(((places == g) & (given_ == k)).sum()) for k in (0, 1)] for g in (0, 1)]
    assert _division(given_, places, 0) == pytest.approx(fisher_exact(table).pvalue)


def test_names_and_order_do_not_matter():
    rows = [SPLIT, ALIKE, SPLIT, ALIKE, alone(12, 3)]
    renamed = [[{"x": "q", "y": "p"}[cell] for cell in row[::-1]] for row in rows[::-1]]
    ours = item_verdicts(labels_of(rows), coder_groups=HALVES)
    assert item_verdicts(labels_of(renamed, TWELVE[::-1]), coder_groups=HALVES) == ours[::-1]
    assert ours == ["opinion", None, "opinion", None, "noise"]


def test_soft_labels_hold_the_verdicts():
    found = soft_labels(labels_of([SPLIT, ALIKE, SPLIT, ALIKE]), coder_groups=HALVES)
    assert found.to_frame()["verdict"].to_list() == ["opinion", None, "opinion", None]
    assert found.as_lewidi()["1"]["other_info"]["verdict"] == "opinion"
