import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core.judgements import Judgements
from concurrence.evaluation.lists import Counter
from concurrence.kernels.strata import SampledList
from support.ranking_twins import ranking_by_ranks


@st.composite
def studies(draw):
    size = draw(st.integers(1, 25))
    first, second = draw(st.permutations(range(1, size + 1))), draw(st.permutations(range(1, size + 1)))
    verdicts = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=size, max_size=size))
    strata = draw(st.lists(st.integers(-1, 2), min_size=size, max_size=size))
    times = [0 if v < 0 else draw(st.integers(1, 2)) for v in verdicts]
    n = sorted(draw(st.sets(st.integers(1, size), min_size=1)))
    counter = Counter(
        n=np.array(n),
        design=SampledList(kind="strata", stratum=np.array(strata), times=np.array(times)),
        judgements=Judgements(verdicts=np.array(verdicts, dtype=np.int8)),
    )
    return np.array(first), np.array(second), counter


def slow(members, counter):
    """Counts per stratum of a set of candidates, one candidate at a time."""
    rows = np.zeros((3, counter.design.n_strata), dtype=int)
    for i in members:
        h = counter.design.stratum[i]
        if h >= 0:
            drawn = counter.design.times[i]
            rows[:, h] += [1, drawn, drawn * (counter.judgements.verdicts[i] == 1)]
    return rows.tolist()


@given(studies())
def test_counts_are_those_of_the_sets_themselves(study):
    first, second, counter = study
    one, two = ranking_by_ranks(first), ranking_by_ranks(second)
    best, only = counter.best(one), counter.difference(one, two)
    for g, n in enumerate(counter.n):
        one, two = set(np.flatnonzero(first <= n)), set(np.flatnonzero(second <= n))
        assert [part[g].tolist() for part in (best.size, best.sampled, best.true)] == slow(one, counter)
        assert [part[g].tolist() for part in (only.size, only.sampled, only.true)] == slow(one - two, counter)
