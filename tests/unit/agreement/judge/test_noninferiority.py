"""The exact test behind the alternative-annotator test, and what may be said with few items."""

import numpy as np
import pytest
from scipy.stats import binomtest, multinomial

from concurrence import judge
from concurrence.agreement.judge.alternative_annotator import alternative_test, fewest_items
from concurrence.agreement.judge.noninferiority import noninferiority_p_values, score_statistic
from concurrence.core import Labels


def likeliest_rate(b, c, n, margin):
    """The rate of being ahead that makes the counts likeliest, by trying many."""
    rates = np.linspace(1e-9, (1 - margin) / 2 - 1e-9, 20_001)
    chances = np.stack([rates + margin, rates, 1 - margin - 2 * rates])
    return rates[np.argmax(np.array([b, c, n - b - c]) @ np.log(chances))]


def slow_p_value(b, c, n, margin):
    """Every study that is as extreme, at every one of many rates."""
    studies = [(x, y, n - x - y) for x in range(n + 1) for y in range(n + 1 - x)]
    limit = score_statistic(b, c, n, margin) + 1e-9
    extreme = [study for study in studies if score_statistic(study[0], study[1], n, margin) <= limit]
    rates = np.linspace(0, (1 - margin) / 2, 400)
    return max(multinomial(n, [rate + margin, rate, 1 - margin - 2 * rate]).pmf(extreme).sum() for rate in rates)


@pytest.mark.parametrize(("b", "c", "n", "margin"), [(3, 1, 20, 0.2), (0, 4, 12, 0.1), (7, 2, 25, 0.15)])
def test_the_statistic_is_the_difference_in_errors_at_the_likeliest_rate(b, c, n, margin):
    rate = likeliest_rate(b, c, n, margin)
    error = np.sqrt(n * (2 * rate + margin - margin**2))
    assert score_statistic(b, c, n, margin) == pytest.approx((b - c - n * margin) / error, abs=1e-3)


@pytest.mark.parametrize(
    ("b", "c", "n", "margin"), [(0, 0, 8, 0.2), (2, 1, 11, 0.2), (1, 3, 14, 0.1), (0, 5, 9, 0.0), (4, 4, 9, 0.3)]
)
def test_the_p_value_is_that_of_all_studies_as_extreme(b, c, n, margin):
    assert float(noninferiority_p_values(b, c, n, margin)) == pytest.approx(slow_p_value(b, c, n, margin), abs=2e-4)


@pytest.mark.parametrize("margin", [0.1, 0.2])
def test_a_hundred_items_lead_over_to_the_normal_distribution(margin):
    b, c = np.arange(8), np.full(8, 2)
    exact, normal = (noninferiority_p_values(b, c, n, margin) for n in (100, 101))
    assert exact == pytest.approx(normal, abs=0.02)


def against_unanimous_humans(errors, n=20, humans=3):
    """Humans who always agree, and a judge who errs on some items."""
    codes = np.tile(np.arange(n)[:, None] % 2, (1, humans + 1)).astype(np.int32)
    codes[:errors, -1] = 1 - codes[:errors, -1]
    return Labels(codes=codes, categories=("a", "b"), coders=(*(f"h{k}" for k in range(humans)), "model"))


def test_three_errors_of_twenty_are_no_evidence():
    report = judge(against_unanimous_humans(3), "model")
    exact = binomtest(3, 20, 0.2, alternative="less").pvalue
    assert exact == pytest.approx(0.411, abs=0.0005)
    assert list(report.alt_test.p_values.values()) == pytest.approx([exact] * 3)
    assert (report.alt_test.passed, report.alt_test.verdict, report.alt_test.winning_rate) == (False, False, 0)
    assert judge(against_unanimous_humans(0), "model").alt_test.verdict is True


def test_too_few_items_give_no_verdict():
    few = judge(against_unanimous_humans(0, n=17), "model")
    assert few.alt_test.verdict is None
    assert not few.alt_test.passed
    assert few.alt_test.note == "A verdict takes at least 18 items of each human; here a human has 17 at most."
    (text,) = (one.text for one in few.sentences if one.code == "alt_test")
    assert text.startswith("The alternative-annotator test (epsilon 0.2) gives no verdict on model. A verdict takes")
    enough = judge(against_unanimous_humans(0, n=18), "model")
    assert enough.alt_test.verdict is True
    assert enough.alt_test.note is None
    assert "no verdict" not in str(enough)


def test_without_an_allowance_no_number_of_items_is_too_few():
    found = judge(against_unanimous_humans(0, n=6), "model", epsilon=0.0).alt_test
    assert (found.verdict, found.note) == (False, None)


def test_a_t_test_that_an_exact_test_does_not_confirm_gives_no_verdict():
    """One error of 30 with an allowance of .1: the t-test says .027, and a judge at the boundary does so in 18%."""
    found = judge(against_unanimous_humans(1, n=30, humans=2), "model", epsilon=0.1, gate="winning_rate>=0.5")
    assert [human.won for human in found.alt_test.humans] == [True, True]
    assert [human.exact_p_value for human in found.alt_test.humans] == pytest.approx([0.184] * 2, abs=0.001)
    assert (found.alt_test.winning_rate, found.alt_test.exact_winning_rate) == (1, 0)
    assert (found.alt_test.verdict, found.alt_test.passed, found.gate.passed) == (None, False, False)
    more = judge(against_unanimous_humans(1, n=60, humans=2), "model", epsilon=0.1, gate="winning_rate>=0.5")
    assert (more.alt_test.verdict, more.gate.passed) == (True, True)


@pytest.mark.parametrize(("humans", "epsilon"), [(2, 0.2), (3, 0.2), (3, 0.1), (10, 0.15)])
def test_the_fewest_items_are_those_with_which_a_perfect_judge_passes(humans, epsilon):
    n = fewest_items(humans, epsilon)
    verdicts = [
        alternative_test(
            against_unanimous_humans(0, n=items, humans=humans), "model", epsilon=epsilon, min_items=2
        ).verdict
        for items in (n - 1, n)
    ]
    assert verdicts == [None, True]


def test_humans_with_too_few_items_are_left_out_of_a_small_test():
    labels = against_unanimous_humans(0, n=25)
    codes = labels.codes.copy()
    codes[5:, 2] = -1
    found = judge(Labels(codes=codes, categories=labels.categories, coders=labels.coders), "model").alt_test
    assert [human.coder for human in found.humans] == ["h0", "h1"]
    assert found.left_out == ("h2",)
    assert found.verdict is True
