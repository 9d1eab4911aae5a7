"""Rates from judges alone: intervals of the profile likelihood, and no answer where the data cannot tell."""

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from concurrence import UndefinedError, rate_without_gold
from concurrence.prevalence.verdicts import count_verdicts

PUBLISHED = [14, 4, 9, 528, 887, 31, 37, 367]  # Hui & Walter 1980
AT_AN_EDGE = [13, 36, 37, 114, 77, 33, 26, 64]  # drawn with rates of .1 and .6; the first is estimated as .009
LEVEL_RATIO = 3.8415  # the 95% point of chi-squared


def two_parts(counts):
    return pl.DataFrame({"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "part": ["A"] * 4 + ["B"] * 4, "count": counts})


def expected(rates, size):
    """What two judges who find .87 and .81 of the true ones and reject .86 and .82 of the false ones say on average."""
    (se, sp), (se2, sp2) = (0.87, 0.86), (0.81, 0.82)
    true = np.array([se * se2, se * (1 - se2), (1 - se) * se2, (1 - se) * (1 - se2)])
    false = np.array([(1 - sp) * (1 - sp2), (1 - sp) * sp2, sp * (1 - sp2), sp * sp2])
    return two_parts([int(n) for rate in rates for n in np.rint(size * (rate * true + (1 - rate) * false))])


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


def test_equal_rates_tell_nothing_and_different_rates_are_found():
    """How often chance misleads is measured in ``benchmarks/rates_level.py``."""
    with pytest.raises(UndefinedError, match="The data cannot tell"):
        rate_without_gold(expected((0.3, 0.3), 200), judges=["a", "b"], by="part")
    found = rate_without_gold(expected((0.1, 0.7), 600), judges=["a", "b"], by="part")
    assert found.rate == pytest.approx(0.4, abs=0.005)
    assert found.interval.low < 0.4 < found.interval.high
    assert "data_cannot_tell" not in {sentence.code for sentence in found.sentences}


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


def starts(held, number):
    """Places inside to search from."""
    rng = np.random.default_rng(0)
    s, j = len(held.parts), len(held.judges)
    return [np.concatenate([rng.normal(0, 1.5, s), rng.normal(1.5, 1, 2 * j)]) for _ in range(number)]


def sensible(held, at):
    """Judges are right more often than not."""
    return expit(at[len(held.parts) :]).sum() > len(held.judges)


def least_loss_where(held, place, value):
    """The smallest loss where one number is given."""
    ends = []
    for start in starts(held, 6):
        bounds = [(-12, 12)] * len(start)
        start[place], bounds[place] = value, (value, value)
        ends.append(minimize(held.loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x)
    return min(held.loss(end)[0] for end in ends if sensible(held, end))


def least_loss_of_rate(held, share):
    """The smallest loss where the rate of all parts together is given: a penalty on other rates grows."""

    def loss(at, weight):
        value, slope = held.loss(at)
        rates = expit(at[:2])
        missed = float(held.weights @ rates) - share
        slope = slope.copy()
        slope[:2] += 2 * weight * missed * held.weights * rates * (1 - rates)
        return value + weight * missed**2, slope

    losses = []
    for end in starts(held, 3):
        for weight in (1e3, 1e5, 1e7):
            end = minimize(loss, end, args=(weight,), jac=True, method="L-BFGS-B", bounds=[(-12, 12)] * len(end)).x
        if sensible(held, end) and abs(held.weights @ expit(end[:2]) - share) < 1e-3:
            losses.append(held.loss(end)[0])
    return min(losses)


@pytest.mark.parametrize("counts", [PUBLISHED, AT_AN_EDGE])
def test_the_ends_are_where_the_likelihood_ratio_reaches_its_limit(counts):
    table = two_parts(counts)
    found = rate_without_gold(table, judges=["a", "b"], by="part")
    held = count_verdicts(table, ["a", "b"], "part")
    best = held.loss(held.fitted(0))[0]

    shares = [*found.parts.values(), *(judge.sensitivity for judge in found.judges.values())]
    losses = [least_loss_of_rate(held, end) for end in found.interval] + [
        least_loss_where(held, place, logit(end))
        for place, share in enumerate(shares)
        for end in share.interval
        if 0.001 < end < 0.999
    ]
    assert 2 * (np.array(losses) - best) == pytest.approx(np.full(len(losses), LEVEL_RATIO), abs=0.02)


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
