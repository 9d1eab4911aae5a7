import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core import Labels
from concurrence.merging.shuffles import shuffled_labels
from concurrence.merging.units import merging_items


def units(codes, n_categories, at_least=2):
    codes = np.asarray(codes, dtype=np.int32)
    labels = Labels(
        codes=codes,
        categories=tuple(str(k) for k in range(n_categories)),
        coders=tuple(str(k) for k in range(codes.shape[1])),
    )
    return merging_items(labels, np.arange(len(codes)), at_least=at_least)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25), st.integers(0, 99))
def test_two_coders_keep_their_habits_and_their_agreements(rows, seed):
    some = units(rows, 4)
    observed = some.labels.reshape(-1, 2)
    agree = observed[:, 0] == observed[:, 1]
    for made in shuffled_labels(some, two_coders=True, shuffles=5, seed=seed):
        shuffled = made.reshape(-1, 2)
        assert (shuffled[:, 0] == observed[:, 0]).all()
        assert sorted(shuffled[:, 1]) == sorted(observed[:, 1])
        assert (shuffled[agree] == observed[agree]).all()
        assert ((shuffled[:, 0] == shuffled[:, 1]) == agree).all()


@given(st.lists(st.lists(st.integers(-1, 3), min_size=5, max_size=5), min_size=2, max_size=15), st.integers(0, 99))
def test_a_crowd_keeps_the_agreement_within_every_item_and_all_totals(rows, seed):
    some = units(rows, 4)
    observed = some.counts()
    for made in shuffled_labels(some, two_coders=False, shuffles=3, seed=seed):
        width = len(some.categories)
        counts = np.bincount(some.item * width + made, minlength=observed.size).reshape(observed.shape)
        assert (counts.sum(axis=0) == observed.sum(axis=0)).all()
        assert (np.sort(counts, axis=1) == np.sort(observed, axis=1)).all()
        unanimous = observed.max(axis=1, initial=0) == some.sizes
        assert (counts[unanimous] == observed[unanimous]).all()


def test_three_in_a_circle_can_turn():
    """(1,2) (2,3) (3,1) allow no exchange of two labels, but all three may pass theirs on."""
    some = units([[0, 1], [1, 2], [2, 0]], 3)
    made = {tuple(row) for row in shuffled_labels(some, two_coders=True, shuffles=40, seed=0)}
    assert made == {(0, 1, 1, 2, 2, 0), (0, 2, 1, 0, 2, 1)}


def test_the_walk_visits_all_possible_permutations_equally_often():
    some = units([[0, 2], [0, 3], [1, 2], [1, 3]], 4)
    made = [tuple(row[1::2]) for row in shuffled_labels(some, two_coders=True, shuffles=6000, seed=1)]
    seen, counts = np.unique(made, axis=0, return_counts=True)
    assert len(seen) == 6
    assert (np.abs(counts - 1000) < 130).all()
