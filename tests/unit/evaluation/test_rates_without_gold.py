"""Rates from judges alone: intervals of the profile likelihood, and no answer where the data cannot tell."""

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from concurrence import UndefinedError, rate_without_gold
from concurrence.evaluation.rates.verdicts import count_verdicts

PUBLISHED = [14, 4, 9, 528, 887, 31, 37, 367]  # Hui & Walter 1980
AT_AN_EDGE = [13, 36, 37, 114, 77, 33, 26, 64]  # drawn with rates of .1 and .6; the first is estimated as .009
LEVEL_RATIO = 3.8415  # the 95% point of chi-squared


def two_parts(counts):
    return pl.DataFrame({"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "part": ["A"] * 4 + ["B"] * 4, "count": counts})


def simulated(rates, size, seed):
    """Counts of two judges who find .87 and .81 of the true ones and reject .86 and .82 of the false ones."""
    rng = np.random.default_rng(seed)
    counts = []
    for rate in rates:
        true = rng.random(size) < rate
        a, b = (
            np.where(true, rng.random(size) < se, rng.random(size) >= sp) for se, sp in ((0.87, 0.86), (0.81, 0.82))
        )
        counts += [int(((a == x) & (b == y)).sum()) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))]
    return two_parts(counts)


@pytest.mark.parametrize(
    "counts",
    [
        [30, 32, 32, 106, 49, 22, 24, 105],  # drawn with a rate of .3 in both parts
        [43, 21, 36, 100, 41, 26, 34, 99],
        [30, 10, 10, 50, 60, 20, 20, 100],  # one part is twice the other
    ],
)
def test_parts_that_may_have_the_same_rate_tell_nothing(counts):
    with pytest.raises(UndefinedError, match=r"The data cannot tell: two judges need parts .* with different rates"):
        rate_without_gold(two_parts(counts), judges=["a", "b"], by="part")


def test_equal_rates_are_seldom_taken_for_different_ones():
    answers = []
    for seed in range(10):
        try:
            answers.append(rate_without_gold(simulated((0.3, 0.3), 200, seed), judges=["a", "b"], by="part"))
        except UndefinedError:
            continue
    assert len(answers) <= 2
    assert all(found.interval.low <= 0.3 <= found.interval.high for found in answers)


def test_different_rates_are_found():
    held = []
    for seed in range(4):
        found = rate_without_gold(simulated((0.1, 0.7), 600, seed), judges=["a", "b"], by="part")
        held.append(found.interval.low <= 0.4 <= found.interval.high)
        assert "data_cannot_tell" not in {sentence.code for sentence in found.sentences}
    assert sum(held) >= 3


def test_a_third_judge_who_guesses_is_not_enough():
    rng = np.random.default_rng(4)
    true = rng.random(400) < 0.3
    said = {name: np.where(true, rng.random(400) < 0.85, rng.random(400) < 0.15).astype(int) for name in "ab"}
    for third in (np.ones(400, dtype=int), rng.integers(0, 2, 400)):
        table = pl.DataFrame({**said, "c": third, "part": np.where(np.arange(400) < 200, "A", "B")})
        with pytest.raises(UndefinedError, match="nothing shows that c does better than guessing"):
            rate_without_gold(table, judges=["a", "b", "c"])
        with pytest.raises(UndefinedError, match="two judges need parts"):  # the others are two on equal parts
            rate_without_gold(table, judges=["a", "b", "c"], by="part")


def test_judges_who_all_guess_tell_nothing():
    rng = np.random.default_rng(0)
    table = pl.DataFrame({name: rng.integers(0, 2, 300) for name in "abcd"})
    with pytest.raises(UndefinedError, match="a, b, c and d do better than guessing, and it takes 3 judges"):
        rate_without_gold(table, judges=list("abcd"))


def test_a_handful_of_verdicts_is_not_enough():
    """Judges that agree on six candidates may do better than guessing, but their rate may lie anywhere."""
    table = pl.DataFrame({"a": [1, 1, 1, 0, 0, 0], "b": [1, 1, 1, 0, 0, 0], "c": [1, 1, 1, 0, 0, 0]})
    found = rate_without_gold(table, judges=["a", "b", "c"])
    assert "data_cannot_tell" in {warning.code for warning in found.warnings}
    more = rate_without_gold(table.with_columns(count=50), judges=["a", "b", "c"])
    assert "data_cannot_tell" not in {sentence.code for sentence in more.sentences}


def least_loss(held, fixed):
    """The smallest loss where one thing is fixed, from many starts inside, with judges right more often than not."""
    rng = np.random.default_rng(0)
    s, j = len(held.parts), len(held.judges)
    losses = []
    for _ in range(6):
        start = np.concatenate([rng.normal(0, 1.5, s), rng.normal(1.5, 1, 2 * j)])
        for weight in (1e3, 1e5, 1e7):

            def loss(at, weight=weight):
                value, slope = held.loss(at)
                missed, of_missed = fixed(at)
                return value + weight * missed**2, slope + 2 * weight * missed * of_missed

            start = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(-12, 12)] * len(start)).x
        if expit(start[s:]).sum() > j and abs(fixed(start)[0]) < 1e-3:
            losses.append(held.loss(start)[0])
    return min(losses)


@pytest.mark.parametrize("counts", [PUBLISHED, AT_AN_EDGE])
def test_the_ends_are_where_the_likelihood_ratio_reaches_its_limit(counts):
    table = two_parts(counts)
    found = rate_without_gold(table, judges=["a", "b"], by="part")
    held = count_verdicts(table, ["a", "b"], "part")
    best = held.loss(held.fitted(0))[0]

    def overall(share):
        def missed(at):
            rates, slope = expit(at[:2]), np.zeros(len(at))
            slope[:2] = held.weights * rates * (1 - rates)
            return float(held.weights @ rates) - share, slope

        return missed

    def one(place, share):
        return lambda at: (at[place] - logit(share), np.eye(len(at))[place])

    shares = [*found.parts.values(), *(judge.sensitivity for judge in found.judges.values())]
    sought = [overall(end) for end in found.interval]
    sought += [one(place, end) for place, share in enumerate(shares) for end in share.interval if 0.001 < end < 0.999]
    for fixed in sought:
        assert 2 * (least_loss(held, fixed) - best) == pytest.approx(LEVEL_RATIO, abs=0.02)


@pytest.mark.parametrize("counts", [PUBLISHED, AT_AN_EDGE])
def test_the_whole_does_not_contradict_its_parts(counts):
    found = rate_without_gold(two_parts(counts), judges=["a", "b"], by="part")
    weights = np.array(list(found.candidates.values())) / sum(found.candidates.values())
    parts = list(found.parts.values())
    assert found.rate == pytest.approx(weights @ [part.value for part in parts])
    assert found.interval.low >= weights @ [part.interval.low for part in parts] - 1e-4
    assert found.interval.high <= weights @ [part.interval.high for part in parts] + 1e-4
    for judge in found.judges.values():
        assert 0.5 < judge.sensitivity.interval.low <= judge.sensitivity.value <= judge.sensitivity.interval.high


def test_an_estimate_at_an_edge_is_told_with_its_interval():
    told = str(rate_without_gold(two_parts(AT_AN_EDGE), judges=["a", "b"], by="part"))
    assert "b finds 84% of the true ones (95% interval 70% to 100%)" in told
