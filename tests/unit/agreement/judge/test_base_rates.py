import numpy as np
import pytest
from scipy.stats import binomtest

from concurrence import judge
from concurrence.agreement.judge.base_rates import base_rates
from concurrence.agreement.judge.judge import JudgeComparison
from concurrence.core import Labels
from concurrence.core.values import from_json, to_json
from concurrence.report.pages.judge import MOST_RATES, judgement_document

FOUR = Labels.from_rows([["y", "n"], ["y", "n"], ["n", None], ["y", "n"]], coders=("ann", "gpt"), categories=("n", "y"))


def of_coders(categories=3, n=80, seed=4):
    random = np.random.default_rng(seed)
    names = [str(k) for k in range(categories)]
    codes = random.integers(-1, categories, (n, 4)).astype(np.int32)
    return Labels(codes=codes, categories=tuple(names), coders=("ann", "bob", "cy", "gpt"))


def rates_table(result):
    sections = judgement_document(result).sections
    (section,) = (one for one in sections if one.title == "How often each coder gives each category")
    return section.blocks[0]


def test_rates_of_four_labels_by_hand():
    """The binomial tails of 3 of 4 and of 3 of 3 can be solved on paper for the upper and the lower end."""
    rates = base_rates(FOUR, 0.95)
    three = rates["ann"]["y"]
    assert (three.share, three.items) == (0.75, 4)
    assert three.interval.high == pytest.approx(0.975 ** (1 / 4))
    low = three.interval.low
    assert 4 * low**3 * (1 - low) + low**4 == pytest.approx(0.025)
    every = rates["gpt"]["n"]
    assert (every.share, every.items) == (1.0, 3)
    assert tuple(every.interval) == pytest.approx((0.025 ** (1 / 3), 1.0))
    assert tuple(rates["gpt"]["y"].interval) == pytest.approx((0.0, 1 - 0.025 ** (1 / 3)))


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_the_intervals_are_the_exact_ones_of_scipy(level):
    labels = of_coders()
    result = judge(labels, "gpt", level=level)
    for k, coder in enumerate(labels.coders):
        codes = labels.codes[:, k]
        for code, category in enumerate(labels.categories):
            exact = binomtest(int((codes == code).sum()), int((codes >= 0).sum()))
            ends = exact.proportion_ci(confidence_level=level, method="exact")
            rate = result.base_rate_intervals[coder][category]
            assert tuple(rate.interval) == pytest.approx((ends.low, ends.high), rel=1e-9)
            assert (rate.interval.level, rate.items) == (level, exact.n)
            assert rate.share == result.base_rates[coder][category]


def test_every_rate_stands_in_the_report_with_its_interval():
    result = judge(of_coders(), "gpt")
    table = rates_table(result)
    assert table.columns == ("coder", "category", "items", "share", "interval")
    rate = result.base_rate_intervals["gpt"]["2"]
    assert table.rows[-1] == ("gpt", "2", rate.items, rate.share, rate.interval)
    assert len(table.rows) == 12


def test_a_long_list_of_rates_says_how_many_there_are():
    table = rates_table(judge(of_coders(categories=20), "gpt"))
    assert (len(table.rows), table.caption) == (MOST_RATES, "Base rates, the first 60 of 80")


def test_a_result_that_was_kept_without_intervals_is_still_shown():
    kept = to_json(judge(of_coders(), "gpt"))
    assert list(kept).index("base_rate_intervals") == list(kept).index("base_rates") + 1
    del kept["base_rate_intervals"]
    table = rates_table(from_json(JudgeComparison, kept))
    assert {row[2:] for row in table.rows if row[0] == "ann"} == {
        (None, share, None) for share in kept["base_rates"]["ann"].values()
    }


def test_the_command_prints_the_intervals(concur, tmp_path):
    path = tmp_path / "four.csv"
    path.write_text("item,ann,gpt\n1,y,n\n2,y,n\n3,n,\n4,y,y\n", encoding="utf-8")
    assert "ann     y              4    .750   [.194, .994]" in concur("judge", path, "--wide", "--judge", "gpt").out
    rates = concur("judge", path, "--wide", "--judge", "gpt", "--json").json
    assert rates["base_rates"]["ann"] == {"n": 0.25, "y": 0.75}
    assert rates["base_rate_intervals"]["ann"]["y"] == {
        "share": 0.75,
        "interval": pytest.approx([0.1941, 0.9937], abs=5e-5),
        "items": 4,
    }
    page = tmp_path / "judge.html"
    assert concur("judge", path, "--wide", "--judge", "gpt", "-o", page).code == 0
    assert "[.1941, .9937]" in page.read_text("utf-8")
