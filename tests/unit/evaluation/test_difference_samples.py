"""Samples of difference sets alone: drawn, evaluated, and refused for what they do not show."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concurrence
from concurrence import InvalidInputError
from concurrence.kernels import differences
from concurrence.kernels.anytime import anytime_difference, log_prior_posterior_ratio
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.exact_tests import fisher
from concurrence.kernels.ranking import rank_candidates
from concurrence.sampling.budget import sample_budget
from concurrence.sampling.options import SampleOptions
from support.examples import examples

N = 40


def lists(size=300, seed=1):
    rng = np.random.default_rng(seed)
    true = rng.random(size) < 0.3
    table = pl.DataFrame(
        {
            "l1": [f"w{i:03}" for i in range(size)],
            "l2": "x",
            "good": true + rng.normal(0, 0.8, size),
            "poor": (true + rng.normal(0, 1.6, size)).round(1),  # many ties
            "third": rng.normal(size=size),
        }
    )
    return table, table.select("l1", "l2", tp=pl.Series(true.astype(int)))


TABLE, GOLD = lists()
BETWEEN = {"design": "difference", "measures": ("good", "poor"), "best": [N]}


def judged(sample):
    return sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])


def evaluated(sample, gold=None, **options):
    gold = judged(sample) if gold is None else gold
    return concurrence.evaluate(TABLE, gold, measures=["good", "poor"], sample=sample, **options)


def codes(found):
    return {sentence.code for sentence in found.sentences}


def test_without_a_size_both_sets_are_drawn_in_full():
    whole = concurrence.draw_sample(TABLE, **BETWEEN)
    ranked = rank_candidates(TABLE, ["good", "poor"], seed=0)
    only_good = (ranked["good"].ranks <= N) & (ranked["poor"].ranks > N)
    only_poor = (ranked["poor"].ranks <= N) & (ranked["good"].ranks > N)
    strata = dict(zip(whole.table["l1"], whole.table["stratum"], strict=True))
    obvious = dict.fromkeys(TABLE["l1"].filter(pl.Series(only_good)), f"{N}/-")
    obvious |= dict.fromkeys(TABLE["l1"].filter(pl.Series(only_poor)), f"-/{N}")
    assert strata == obvious
    assert whole.table["probability"].unique().to_list() == [1.0]


def test_both_sets_get_the_same_number_and_more_can_be_drawn():
    part = concurrence.draw_sample(TABLE, size=20, **BETWEEN)
    assert [one.sampled for one in part.strata.values()] == [10, 10]
    more = concurrence.extend_sample(part, TABLE, size=26)
    assert [one.sampled for one in more.strata.values()] == [13, 13]
    assert set(part.table["l1"]) < set(more.table["l1"])


def test_judged_in_full_the_difference_is_that_of_the_lists():
    whole = concurrence.draw_sample(TABLE, **BETWEEN)
    found = evaluated(whole)
    (pair,) = found.comparisons
    # The lists as the sample's seed broke their ties, both judged in full.
    ranked = rank_candidates(TABLE, ["good", "poor"], seed=0)
    good, poor = (GOLD["tp"].to_numpy()[ranked[name].ranks <= N].mean() for name in ("good", "poor"))
    assert pair.difference.value[0] == pytest.approx(good - poor)
    assert pair.difference.low[0] == pytest.approx(good - poor)
    assert pair.difference.high[0] == pytest.approx(good - poor)
    assert "difference_in_full" in codes(found)
    assert found.best[0].measure == "good"


def test_the_test_is_fishers_on_the_counts_of_both_sets():
    part = concurrence.draw_sample(TABLE, size=30, seed=4, **BETWEEN)
    (pair,) = evaluated(part).comparisons
    k1, n1, k2, n2 = (int(x[0]) for x in (pair.true_a, pair.sampled_a, pair.true_b, pair.sampled_b))
    assert (n1, n2) == (15, 15)
    assert pair.p[0] == pytest.approx(float(fisher(k1, n1, k2, n2)))
    assert pair.difference.low[0] < pair.difference.value[0] < pair.difference.high[0]


def test_nothing_is_said_of_lists_baseline_recall_and_average_precision():
    found = evaluated(concurrence.draw_sample(TABLE, size=30, **BETWEEN))
    for curve in found.measures.values():
        assert np.isnan(curve.precision).all()
        assert np.isnan(curve.recall).all()
        assert np.isnan(curve.average_precision.value)
    assert np.isnan(found.baseline.value)
    assert {"difference", "no_baseline"} <= codes(found)
    assert "difference_in_full" not in codes(found)


def test_a_set_without_a_judgement_is_said_to_be_unknown():
    part = concurrence.draw_sample(TABLE, size=20, **BETWEEN)
    one_side = part.table.filter(pl.col("stratum") == f"{N}/-").select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = evaluated(part, gold=one_side)
    assert "difference_unknown" in {warning.code for warning in found.warnings}
    assert np.isnan(found.comparisons[0].difference.value[0])


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"measures": ["good", "third"]}, "third"),
        ({"measures": ["good", "poor"], "n": [10, N]}, "n = 10"),
        ({"measures": ["good", "poor"], "above": [0.5]}, "list sizes above"),
        ({"measures": ["good", "poor"], "thresholds": {"good": 1.0}}, "thresholds"),
        ({"measures": ["good", "poor"], "filters": {"third": None}}, "third"),
    ],
)
def test_what_the_sample_does_not_show_is_refused(asked, named):
    sample = concurrence.draw_sample(TABLE, size=30, **BETWEEN)
    with pytest.raises(InvalidInputError, match=named):
        concurrence.evaluate(TABLE, judged(sample), sample=sample, **asked)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"best": None}, "one list size"),
        ({"best": [10, 20]}, "one list size"),
        ({"measures": ("good",)}, "two measures, not 1"),
        ({"measures": ("good", "poor", "third")}, "two measures, not 3"),
        ({"measures": ()}, "needs measures"),
        ({"best": [300]}, "same 300 best"),
        ({"size": 1000}, "only .* in the difference sets"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong, named):
    with pytest.raises(InvalidInputError, match=named):
        concurrence.draw_sample(TABLE, **(BETWEEN | wrong))


def test_the_budget_says_what_the_sample_shows():
    whole, part = (concurrence.draw_sample(TABLE, size=size, **BETWEEN) for size in (None, 20))
    assert [one.code for one in sample_budget(whole, TABLE, SampleOptions()).sentences] == [
        "difference_in_full",
        "ties",
    ]
    assert [one.code for one in sample_budget(part, TABLE, SampleOptions()).sentences] == ["difference_in_part"]
    assert sample_budget(part, TABLE, SampleOptions()).expected == ()


def obvious_size(names, n):
    """The largest list size up to n whose last score differs from the next one, for every measure."""
    held = [sorted(TABLE[name], reverse=True) for name in names]
    return max(size for size in range(1, n + 1) if all(scores[size - 1] != scores[size] for scores in held))


def test_a_run_of_equal_scores_at_the_cut_is_told_with_a_size_that_cuts_none():
    whole = concurrence.draw_sample(TABLE, **BETWEEN)
    (warning,) = (one for one in sample_budget(whole, TABLE, SampleOptions()).sentences if one.warning)
    below, last = obvious_size(("good", "poor"), N), sorted(TABLE["poor"], reverse=True)[N - 1]
    assert f"inside a run of {(TABLE['poor'] == last).sum()} equal scores of poor, and the seed decides" in warning.text
    assert warning.text.endswith(f"At n = {below}, no run is cut.")
    text = next(one.text for one in evaluated(whole).sentences if one.code == "difference_in_full")
    assert "with equal scores in the order that the sample's seed gave them" in text

    without = concurrence.draw_sample(TABLE, **(BETWEEN | {"best": [below]}))
    assert [one.code for one in sample_budget(without, TABLE, SampleOptions()).sentences] == ["difference_in_full"]
    found = concurrence.evaluate(TABLE, GOLD, sample=without, measures=["good", "poor"])
    text = next(one.text for one in found.sentences if one.code == "difference_in_full")
    assert "equal scores" not in text
    (pair,) = concurrence.evaluate(TABLE, GOLD, measures=["good", "poor"], n=[below]).comparisons
    exact = (pair.true_a[0] - pair.true_b[0]) / below
    assert found.comparisons[0].difference.value[0] == pytest.approx(float(exact))


def test_newcombe_1998():
    """56 of 70 against 48 of 80, Statistics in Medicine 17, 873-890, Table II, method 10: .0524 to .3339."""
    endless = 10**12
    one, two = (
        StratumCounts(size=np.array([[endless]]), sampled=np.array([[n]]), true=np.array([[k]]))
        for k, n in ((56, 70), (48, 80))
    )
    value, low, high = (float(part[0]) for part in differences.difference_interval(one, two, level=0.95))
    assert (value, low, high) == (pytest.approx(0.2), pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))


@examples(60)
@given(st.integers(1, 25), st.data())
def test_the_difference_for_every_look_is_that_of_the_obvious_search(size, data):
    sides = []
    for _ in range(2):
        n = data.draw(st.integers(0, size))
        sides.append((size, n, data.draw(st.integers(0, n))))
    possible = [range(k, size - n + k + 1) for _, n, k in sides]
    open_ = [
        one - two
        for one, two in product(*possible)
        if sum(float(log_prior_posterior_ratio(t, *side)) for t, side in zip((one, two), np.array(sides), strict=True))
        < -np.log(0.05)
    ]
    low, high = (int(end) for end in anytime_difference(*sides))
    assert min(open_) - 1 <= low <= min(open_)
    assert max(open_) <= high <= max(open_) + 1


def test_the_difference_at_every_look_is_wider_than_at_one():
    part = concurrence.draw_sample(TABLE, size=40, **BETWEEN)
    once, always = (evaluated(part, anytime=way).comparisons[0].difference for way in (False, True))
    assert always.low[0] < once.low[0]
    assert once.high[0] < always.high[0]


def test_the_commands_draw_evaluate_and_refuse(tmp_path, concur):
    scored, gold, sample = tmp_path / "scored.csv", tmp_path / "gold.csv", tmp_path / "sample.csv"
    TABLE.write_csv(scored)
    GOLD.write_csv(gold)
    drawn = concur("sample", scored, "--design", "difference", "--between", "good,poor", "--best", N, "-o", sample)
    assert "in full" in drawn.out
    found = concur("evaluate", scored, "--gold", gold, "--sample", sample, "--json").json
    assert found["comparisons"][0]["difference"]["low"] == found["comparisons"][0]["difference"]["value"]
    assert found["measures"]["good"]["precision"] == [None]
    concur("evaluate", scored, "--gold", gold, "--sample", sample, "-o", tmp_path / "table.csv")
    (row,) = pl.read_csv(tmp_path / "table.csv").rows(named=True)
    assert (row["a"], row["b"], row["n"]) == ("good", "poor", N)
    assert row["difference"] == row["low"] == row["high"] == found["comparisons"][0]["difference"]["value"][0]
    told = concur("evaluate", scored, "--gold", gold, "--sample", sample).out
    assert "exactly" in told
    assert "Difference in precision" in told
    refused = concur("sample", scored, "--design", "difference", "-m", "good,poor", "--best", N)
    assert "--between" in refused.err
    refused = concur("sample", scored, "--between", "good,poor", "--size", 10)
    assert "leave out --between" in refused.err


def test_a_plan_names_the_command_that_draws_it(concur, tmp_path):
    scored = tmp_path / "scored.csv"
    TABLE.write_csv(scored)
    told = concur("plan", "power", scored, "-m", "good,poor", "--n", N, "--precision-a", ".7", "--precision-b", ".4")
    assert f"--design difference --between good,poor --best {N}" in " ".join(told.out.split())
