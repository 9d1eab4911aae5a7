"""Rates from judges alone: intervals of the profile likelihood, and no answer where the data cannot tell."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import chdtrc, expit, logit
from scipy.stats import fisher_exact

from concurrence import UndefinedError, rate_without_gold
from concurrence.prevalence.verdict_tests import (
    SHUFFLES,
    chance_of_fit,
    chance_of_guessing,
    chance_of_independence,
    random_tables,
)
from concurrence.prevalence.verdicts import count_verdicts, fitted_near

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
    """How often chance misleads is measured in ``benchmarks/trust/rates_without_gold.py``."""
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
    """Six candidates on which judges agree do not show that these do better than guessing; of twelve, hardly a rate."""
    table = pl.DataFrame({"a": [1, 1, 1, 0, 0, 0], "b": [1, 1, 1, 0, 0, 0], "c": [1, 1, 1, 0, 0, 0]})
    with pytest.raises(UndefinedError, match="a, b and c do better than guessing"):
        rate_without_gold(table, judges=["a", "b", "c"])
    twelve = rate_without_gold(table.with_columns(count=2), judges=["a", "b", "c"])
    assert "data_cannot_tell" in {warning.code for warning in twelve.warnings}
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


def least_loss_where(held, place, value, loss):
    """The smallest loss where one number is given."""
    ends = []
    for start in starts(held, 6):
        bounds = [(-12, 12)] * len(start)
        start[place], bounds[place] = value, (value, value)
        ends.append(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x)
    return min(loss(end)[0] for end in ends if sensible(held, end))


def least_loss_of_rate(held, share, loss_of):
    """The smallest loss where the rate of all parts together is given: a penalty on other rates grows."""

    def loss(at, weight):
        value, slope = loss_of(at)
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
            losses.append(loss_of(end)[0])
    return min(losses)


def least_losses(held, found, loss):
    """The smallest loss at each printed end that is not at an edge."""
    shares = [*found.parts.values(), *(judge.sensitivity for judge in found.judges.values())]
    return [least_loss_of_rate(held, end, loss) for end in found.interval] + [
        least_loss_where(held, place, logit(end), loss)
        for place, share in enumerate(shares)
        for end in share.interval
        if 0.001 < end < 0.999
    ]


@pytest.mark.parametrize("counts", [PUBLISHED, AT_AN_EDGE])
def test_the_ends_are_where_the_further_of_two_likelihood_ratios_reaches_its_limit(counts):
    table = two_parts(counts)
    found = rate_without_gold(table, judges=["a", "b"], by="part")
    held = count_verdicts(table, ["a", "b"], "part")
    ratios = [
        2 * (np.array(least_losses(held, found, loss)) - loss(fitted_near(loss, held.fitted(0)))[0])
        for loss in (held.loss, held.cautious_loss)
    ]
    assert np.min(ratios, axis=0) == pytest.approx(np.full(len(ratios[0]), LEVEL_RATIO), abs=0.02)


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
    assert "b finds 84% of the true ones (95% interval 68% to 100%)" in told


@pytest.mark.parametrize(
    "counts",
    [
        [[11, 7, 10, 22], [13, 7, 3, 27], [17, 4, 3, 26], [18, 7, 11, 14]],  # a rate of .3 in all four parts
        [[12, 4, 4, 30], [6, 13, 7, 24], [16, 4, 5, 25], [12, 8, 7, 23]],
    ],
)
def test_several_parts_with_the_same_rate_tell_nothing(counts):
    """The errors of judges are free where rates are equal, so that the likelihood ratio is larger than chi-squared."""
    table = pl.DataFrame(
        {"a": [1, 1, 0, 0] * 4, "b": [1, 0, 1, 0] * 4, "part": np.repeat(list("ABCD"), 4), "count": np.ravel(counts)}
    )
    with pytest.raises(UndefinedError, match="two judges need parts"):
        rate_without_gold(table, judges=["a", "b"], by="part")


def test_a_judge_who_guesses_on_few_candidates_is_not_taken_for_one_who_knows():
    counts = [2, 2, 2, 2, 0, 4, 8, 10, 7, 2, 2, 0, 0, 3, 9, 7]  # the third of three judges tosses a coin
    verdicts = np.array(list(product((1, 0), repeat=3)) * 2)
    table = pl.DataFrame(
        {**{name: verdicts[:, n] for n, name in enumerate("abc")}, "part": np.repeat(["A", "B"], 8), "count": counts}
    )
    assert chance_of_guessing(count_verdicts(table, list("abc"), "part"), 2, seed=0) > 0.05


def test_random_tables_have_the_margins_and_the_chances_of_shuffled_ones():
    table = np.array([[6, 1, 3], [2, 5, 1], [4, 4, 4]])
    drawn = random_tables(table, 4000, np.random.default_rng(0))
    assert (drawn >= 0).all()
    assert (drawn.sum(axis=1) == table.sum(axis=0)).all()
    assert (drawn.sum(axis=2) == table.sum(axis=1)).all()
    rows, columns = (np.repeat(np.arange(3), table.sum(axis=axis)) for axis in (1, 0))
    random = np.random.default_rng(1)
    shuffled = [np.bincount(3 * rows + random.permutation(columns), minlength=9).reshape(3, 3) for _ in range(4000)]
    assert drawn.mean(axis=0) == pytest.approx(np.mean(shuffled, axis=0), abs=0.1)
    assert drawn.std(axis=0) == pytest.approx(np.std(shuffled, axis=0), abs=0.06)


def test_independence_of_a_fourfold_table_is_fishers_test():
    table = np.array([[12.0, 4.0], [7.0, 13.0]])
    p = chance_of_independence(table, np.random.default_rng(0))
    assert p == pytest.approx(fisher_exact(table).pvalue, abs=0.02)
    more_than_can_be_shuffled = table * 1e12
    assert chance_of_independence(more_than_can_be_shuffled, np.random.default_rng(0)) == 1 / (1 + SHUFFLES)
    assert chance_of_independence(np.array([[12.0, 4.0], [0.0, 0.0]]), np.random.default_rng(0)) == 1.0


def test_a_judge_without_errors_among_few_is_not_said_to_be_nearly_always_right():
    """A judge who is right in 95% makes no error among 42 in every ninth study."""
    table = pl.DataFrame({name: [1, 0] for name in "abc"}).with_columns(count=pl.Series([18, 42]))
    found = rate_without_gold(table, judges=["a", "b", "c"])
    for judge in found.judges.values():
        assert judge.specificity.value == pytest.approx(1, abs=1e-4)
        assert 0.90 < judge.specificity.interval.low < 0.95
        assert judge.specificity.interval.high == pytest.approx(1, abs=1e-3)


def test_a_model_that_holds_fits_though_many_patterns_are_rare():
    """Five judges who find 85% and reject 90%, 10% true: chi-squared gives p = .03 for the deviance."""
    counts = [563, 54, 68, 1, 56, 10, 5, 1, 42, 5, 5, 3, 5, 3, 2, 9,
              57, 7, 4, 4, 11, 0, 2, 6, 10, 0, 3, 5, 0, 7, 6, 46]  # fmt: skip
    verdicts = np.array(list(product((0, 1), repeat=5)))
    table = pl.DataFrame({**{name: verdicts[:, n] for n, name in enumerate("abcde")}, "count": counts})
    held = count_verdicts(table, list("abcde"), None)
    best = held.fitted(0)
    assert chdtrc(held.freedom, held.deviance(best)) < 0.04
    assert chance_of_fit(held, best, seed=0) > 0.05
