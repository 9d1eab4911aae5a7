"""Distances between sets against their definitions, and against what NLTK prints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.kernels.distances import jaccard_distances, masi_distances


def jaccard(a, b):
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def masi(a, b):
    """Passonneau (2006): the weight falls from equal sets to a set in the other, to an overlap, to nothing shared."""
    weight = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - weight * (1 - jaccard(a, b))


@pytest.mark.parametrize(("ours", "definition"), [(jaccard_distances, jaccard), (masi_distances, masi)])
@given(st.lists(st.frozensets(st.sampled_from("abcd")), min_size=1, max_size=8))
def test_sets_are_as_far_apart_as_the_definition_says(ours, definition, sets):
    assert ours(sets) == pytest.approx(np.array([[definition(a, b) for b in sets] for a in sets]))


def test_the_example_of_nltk():
    """``masi_distance({1, 2}, {1, 2, 3, 4})`` is .665 in the documentation of NLTK 3.9, which has .67 for 2/3."""
    assert masi_distances([frozenset("ab"), frozenset("abcd")])[0, 1] == pytest.approx(0.665, abs=0.01 / 3)
