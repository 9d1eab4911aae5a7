"""Soft labels: shares, entropy and the interval of the entropy, which is never less sure than its level."""

import json
from itertools import product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from concurrence import InvalidInputError, Labels, read_table, soft_labels
from concurrence.agreement.labels.soft import entropy_interval
from concurrence.files.provenance import read_provenance
from concurrence.kernels.intervals import clopper_pearson

ROWS = [["y", "y", "n", "n"], ["n", "n", "n", None], [None] * 4, ["y", "y", "y", "n"]]


def entropy(shares):
    return -sum(p * log2(p) for p in shares if p > 0)


def outcomes(n, k):
    return np.array([counts for counts in product(range(n + 1), repeat=k) if sum(counts) == n])


def test_shares_and_entropy_are_those_of_the_loop():
    found = soft_labels(Labels.from_rows(ROWS))
    for row, shares, bits in zip(ROWS, found.shares, found.entropy, strict=True):
        given_ = [label for label in row if label is not None]
        if not given_:
            assert np.isnan([*shares, bits]).all()
            continue
        expected = [given_.count(label) / len(given_) for label in ("n", "y")]
        assert shares.tolist() == expected
        assert bits == pytest.approx(entropy(expected))
    assert found.majority == [None, "n", None, "y"]


@given(st.lists(st.floats(0.001, 1), min_size=2, max_size=4), st.integers(1, 6))
def test_the_interval_of_the_entropy_holds_its_level(weights, n):
    """Exactly, by going through all outcomes: the shares are the truth, the labels a draw from them."""
    shares = np.array(weights) / sum(weights)
    counts = outcomes(n, len(shares))
    low, high = entropy_interval(counts)
    covered = (low <= entropy(shares) + 1e-9) & (entropy(shares) <= high + 1e-9)
    assert multinomial.pmf(counts, n, shares)[covered].sum() >= 0.95 - 1e-9


@given(st.lists(st.integers(0, 12), min_size=3, max_size=3).filter(any), st.integers(0, 2**32))
def test_no_shares_within_the_bounds_have_an_entropy_outside(counts, seed):
    """The slow twin: draw shares, keep those whose every share is within its own interval."""
    low, high = clopper_pearson(counts, sum(counts), level=1 - 0.05 / 3)
    drawn = np.random.default_rng(seed).dirichlet(np.array(counts) + 0.5, size=400)
    inside = drawn[((low <= drawn) & (drawn <= high)).all(axis=1)]
    ends = entropy_interval(np.array([counts]))
    for shares in inside:
        assert ends[0][0] - 1e-9 <= entropy(shares) <= ends[1][0] + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), st.randoms())
def test_the_interval_holds_the_estimate_and_not_the_order(counts, random):
    low, high = entropy_interval(np.array([counts]))
    assert low[0] - 1e-9 <= entropy(np.array(counts) / sum(counts)) <= high[0] + 1e-9
    random.shuffle(counts)
    assert np.array(entropy_interval(np.array([counts]))) == pytest.approx(np.array((low, high)))


def test_more_labels_make_a_narrower_interval():
    low, high = entropy_interval(np.array([[3, 1], [30, 10], [300, 100]]))
    assert (np.diff(high - low) < 0).all()


def test_the_table_has_a_row_per_item_and_nothing_where_nothing_is_known():
    table = soft_labels(Labels.from_rows(ROWS)).to_frame()
    names = ["item", "labels", "majority", "p_n", "p_y", "entropy", "entropy_low", "entropy_high", "verdict"]
    assert table.columns == names
    assert table.row(2) == ("3", 0, None, None, None, None, None, None, None)


def test_a_level_outside_0_and_1_is_refused():
    with pytest.raises(InvalidInputError, match="level"):
        soft_labels(Labels.from_rows(ROWS), level=95)


def test_counts_without_coders_have_labels_without_names():
    codes = np.array([[0, 0, 1], [1, 1, 1]])
    labels = Labels(codes=codes, categories=("a", "b"), coders=("1", "2", "3"), anonymous=True)
    entry = soft_labels(labels).as_lewidi()["1"]
    assert (entry["annotators"], entry["number of annotators"]) == (None, None)
    assert entry["annotations"] == ["a", "a", "b"]


def test_the_command_writes_a_table_or_json(concur, tmp_path):
    labels, table, entries = (tmp_path / name for name in ("labels.csv", "soft.csv", "soft.json"))
    labels.write_text("item,word,coder,label\n1,w,a,x\n1,w,b,y\n1,v,a,x\n1,v,b,x\n")
    done = concur("agree", labels, "--by", "word", "--soft", table)
    assert done.code == 0
    assert f"Written to {table}." in done.err
    assert read_table(table)["p_x"].to_list() == ["0.5", "1.0"]
    assert concur("agree", labels, "--by", "word", "--soft", entries).code == 0
    assert list(json.loads(entries.read_text("utf-8"))) == ["w:1", "v:1"]
    made = [read_provenance(path) for path in (table, entries)]
    assert made[0] == made[1]
    assert list(made[0]["inputs"]) == [str(labels)]


def test_another_ending_is_refused_before_anything_is_written(concur, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("item,coder,label\n1,a,x\n1,b,y\n")
    done = concur("agree", labels, "--soft", tmp_path / "soft.html")
    assert done.code == 2
    assert ".json" in done.err
    assert list(tmp_path.iterdir()) == [labels]
