from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concurrence.kernels.votes import NOBODY, TIE, majority


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=8))
def test_the_majority_is_what_counting_by_hand_gives(ballots):
    counts = np.array([[votes.count(category) for votes in ballots] for category in range(4)])
    for winner, votes in zip(majority(counts), ballots, strict=True):
        first = Counter(votes).most_common(2)
        if not first:
            assert winner == NOBODY
        elif len(first) > 1 and first[0][1] == first[1][1]:
            assert winner == TIE
        else:
            assert winner == first[0][0]
