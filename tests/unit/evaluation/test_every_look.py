"""Evaluations that hold at every look."""

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence import InvalidInputError


def lists(size=400, seed=1):
    rng = np.random.default_rng(seed)
    true = rng.random(size) < 0.3
    good, poor = true + rng.normal(0, 0.4, size), rng.normal(0, 1, size)
    table = pl.DataFrame({"l1": [f"w{i}" for i in range(size)], "l2": "x", "good": good, "poor": poor})
    return table, true


def judged(table, true, n, seed=2):
    rows = np.sort(np.random.default_rng(seed).choice(len(true), n, replace=False))
    return table[rows].select("l1", "l2").with_columns(tp=pl.Series(true[rows]))


def codes(evaluation):
    return {sentence.code for sentence in evaluation.sentences}


def test_intervals_are_wider_and_those_of_one_look_stand_beside_them():
    table, true = lists()
    gold = judged(table, true, 150)
    once, always = (
        concurrence.evaluate(table, gold, measures=["good", "poor"], n=[50, 100, 200], anytime=way)
        for way in (False, True)
    )
    for name, curve in always.measures.items():
        one = once.measures[name]
        assert (curve.low < one.low).all()
        assert (curve.high >= one.high).all()
        assert np.array_equal(curve.fixed.low, one.low)
        assert np.array_equal(curve.fixed.high, one.high)
        assert one.fixed is None
    assert always.baseline.interval[0] < once.baseline.interval[0]
    assert "anytime" in codes(always) - codes(once)


def test_what_is_for_a_single_look_is_said_to_be():
    table, true = lists()
    gold = judged(table, true, 150)
    asked = {"measures": ["good", "poor"], "n": [50, 100]}
    once, always = (concurrence.evaluate(table, gold, anytime=way, **asked) for way in (False, True))
    text = next(one.text for one in always.sentences if one.code == "anytime")
    assert "those of recall and average precision are for a single look" in text
    for name, curve in always.measures.items():
        assert np.array_equal(curve.recall_low, once.measures[name].recall_low)
        assert curve.average_precision.interval == once.measures[name].average_precision.interval
    pair = concurrence.draw_sample(table, design="difference", measures=("good", "poor"), best=[50], size=60)
    of_pair = concurrence.evaluate(
        table, judged(table, true, len(true)), sample=pair, measures=["good", "poor"], anytime=True
    )
    text = next(one.text for one in of_pair.sentences if one.code == "anytime")
    assert "the interval of the difference and the tests between measures hold at every look." in text
    assert "recall" not in text


def test_a_clear_difference_is_found_and_none_is_not():
    table, true = lists()
    clear = concurrence.evaluate(table, judged(table, true, 300), measures=["good", "poor"], n=[100], anytime=True)
    assert clear.comparisons[0].p[0] < 0.01
    assert "low_power" not in codes(clear)
    same = table.with_columns(good=pl.Series(np.random.default_rng(9).normal(size=len(true))))
    open_ = concurrence.evaluate(same, judged(same, true, 100), measures=["good", "poor"], n=[100], anytime=True)
    warning = next(one for one in open_.warnings if one.code == "low_power")
    assert "yet" in warning.text
    assert "could have been" not in " ".join(map(str, open_.sentences))


def test_all_judged_leaves_no_doubt():
    table, true = lists()
    whole = concurrence.evaluate(table, judged(table, true, len(true)), measures=["good"], n=[50, 400], anytime=True)
    curve = whole.measures["good"]
    assert np.allclose(curve.low, curve.precision)
    assert np.allclose(curve.high, curve.precision)


def test_looking_fifty_times_misses_in_few_lists():
    missed, runs = 0, 8
    for seed in range(runs):
        table, true = lists(300, seed)
        order = np.random.default_rng((seed, 1)).permutation(300)
        best = np.argsort(-table["good"].to_numpy())[:100]
        truth = true[best].mean()
        for n in range(20, 201, 20):
            gold = table[order[:n]].select("l1", "l2").with_columns(tp=pl.Series(true[order[:n]]))
            curve = concurrence.evaluate(table, gold, measures=["good"], n=[100], anytime=True).measures["good"]
            if not curve.low[0] - 1e-9 <= truth <= curve.high[0] + 1e-9:
                missed += 1
                break
    assert missed <= 1


@pytest.mark.parametrize("more", [{"band": "simultaneous"}, {"correction": "holm"}])
def test_what_cannot_be_promised_at_every_look_is_refused(more):
    table, true = lists()
    with pytest.raises(InvalidInputError, match="every look"):
        concurrence.evaluate(table, judged(table, true, 100), measures=["good"], anytime=True, **more)


def test_a_stratified_sample_is_refused():
    table, true = lists()
    sample = concurrence.draw_sample(table, size=100, design="strata", best=[50, 150], measures=["good"])
    rows = np.array([int(name[1:]) for name in sample.table["l1"]])
    gold = table[rows].select("l1", "l2").with_columns(tp=pl.Series(true[rows]))
    with pytest.raises(InvalidInputError, match="stratified"):
        concurrence.evaluate(table, gold, measures=["good"], sample=sample, anytime=True)


def test_the_command_has_both_limits(tmp_path, concur):
    table, true = lists()
    table.write_csv(tmp_path / "scored.csv")
    judged(table, true, 100).write_csv(tmp_path / "gold.csv")
    told = concur(
        "evaluate",
        tmp_path / "scored.csv",
        "--gold",
        tmp_path / "gold.csv",
        "-m",
        "good,poor",
        "--n",
        "50,100",
        "--anytime",
        "--json",
    )
    curve = told.json["measures"]["good"]
    assert set(curve["fixed"]) == {"low", "high"}
    assert curve["low"][0] < curve["fixed"]["low"][0]


def test_each_pair_is_said_to_be_decided_or_open_with_how_far_apart_it_is():
    table, true = lists()
    clear = concurrence.evaluate(table, judged(table, true, 300), measures=["good", "poor"], n=[100], anytime=True)
    assert "may_stop" in codes(clear)
    assert "go_on" not in codes(clear)
    assert clear.comparisons[0].difference.low[0] > 0
    text = next(one.text for one in clear.sentences if one.code == "may_stop")
    assert "good is ahead by" in text
    other_way = concurrence.evaluate(table, judged(table, true, 300), measures=["poor", "good"], n=[100], anytime=True)
    swapped = next(one.text for one in other_way.sentences if one.code == "may_stop")
    assert swapped.partition("good is ahead by")[2] == text.partition("good is ahead by")[2] != ""
    early = concurrence.evaluate(table, judged(table, true, 20), measures=["good", "poor"], n=[100], anytime=True)
    assert "go_on" in codes(early)
    once = concurrence.evaluate(table, judged(table, true, 300), measures=["good", "poor"], n=[100])
    assert not {"may_stop", "go_on"} & codes(once)
