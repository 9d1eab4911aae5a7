import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core.candidates import check_keys
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.ranking import key_order, rank_candidates
from concurrence.kernels.strata import bands_of_best_rank, membership_cells
from support.ranking_twins import ranking_of, whole_ranks

scores = st.lists(st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 2.5]), min_size=1, max_size=30)


def slow_ranks(values, ties):
    def place(i):
        value = values[i]
        return (1, 0.0, ties[i]) if np.isnan(value) else (0, -value, ties[i])

    order = sorted(range(len(values)), key=place)
    return [order.index(i) + 1 for i in range(len(values))]


@given(scores, st.integers(0, 5))
def test_ranks_are_those_of_a_plain_sort(values, seed):
    ties = np.random.default_rng(seed).permutation(len(values))
    assert ranking_of(values, seed=seed).ranks.tolist() == slow_ranks(values, ties)
    assert whole_ranks(values, seed=seed).tolist() == slow_ranks(values, ties)


@given(st.permutations(range(12)), st.integers(0, 3))
def test_the_order_of_the_file_does_not_matter(shuffle, seed):
    table = pl.DataFrame(
        {"l1": list("aabbccddeeff"), "l2": list("xyxyxyxyxyxy"), "f": [1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 1]}
    )
    shuffled = table[list(shuffle)]
    before = dict(
        zip(table.select("l1", "l2").rows(), rank_candidates(table, ["f"], seed=seed)["f"].ranks, strict=True)
    )
    after = rank_candidates(shuffled, ["f"], seed=seed)["f"].ranks
    assert dict(zip(shuffled.select("l1", "l2").rows(), after, strict=True)) == before


def test_another_seed_breaks_ties_otherwise_but_never_moves_a_better_candidate():
    values = [5.0] + [1.0] * 50
    first, second = ranking_of(values, seed=0).ranks, ranking_of(values, seed=1).ranks
    assert first[0] == second[0] == 1
    assert (first != second).any()


def test_measures_share_the_tie_breaking():
    table = pl.DataFrame({"l1": list("abcd"), "one": [1.0, 1.0, 2.0, np.nan], "two": [10.0, 10.0, 20.0, np.nan]})
    one, two = rank_candidates(table, ["one", "two"], key=["l1"], seed=3).values()
    assert (one.ranks == two.ranks).all()


def test_key_order_goes_by_code_point():
    assert key_order(pl.DataFrame({"l1": ["ä", "z", "B", "a"]})).tolist() == [2, 3, 1, 0]


def test_strata_of_lists():
    both = np.array([[1, 2, 3, 4], [4, 3, 2, 1]])
    assert bands_of_best_rank(both, [1, 2]).tolist() == ["1", "2", "2", "1"]
    assert membership_cells(both, [1, 3]).tolist() == ["1/-", "3/3", "3/3", "-/1"]


def test_text_that_is_no_number_is_refused():
    table = pl.DataFrame({"l1": ["a", "b"], "l2": ["x", "y"], "s": ["1.5", "high"]})
    with pytest.raises(InvalidInputError, match="Row 2: s = 'high' is not a number"):
        rank_candidates(table, ["s"])


def test_a_candidate_that_stands_there_twice_is_refused():
    table = pl.DataFrame({"l1": ["a", "a"], "l2": ["x", "x"], "s": [1, 2]})
    with pytest.raises(InvalidInputError, match="l1='a', l2='x' occurs twice"):
        rank_candidates(table, ["s"])


def test_what_was_refused_once_is_refused_again():
    doubled, single = pl.DataFrame({"l1": ["a", "a"]}), pl.DataFrame({"l1": ["a", "b"]})
    for _ in range(2):
        check_keys(single)
        with pytest.raises(InvalidInputError, match="l1='a' occurs twice"):
            check_keys(doubled)


def test_a_measure_that_is_named_twice_is_refused():
    table = pl.DataFrame({"l1": ["a", "b"], "s": [1, 2]})
    with pytest.raises(InvalidInputError, match="The measure 's' is named twice"):
        rank_candidates(table, ["s", "s"], key=["l1"])
