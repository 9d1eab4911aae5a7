"""Judges of whom little or nothing can be said: what is refused, and what is not claimed."""

import json
from itertools import product

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence import judge
from concurrence.agreement.judge.options import JudgeOptions
from concurrence.agreement.judge.several import judge_each
from concurrence.core import InvalidInputError, Labels, UndefinedError
from support.lazy_modules import LazyModule

pd = LazyModule("pandas")

APART = [["y", "n", None], ["n", "n", None], [None, None, "y"], [None, None, "n"]]
EMPTY = [["y", "n", None], ["n", "n", None]]
ONE = [["y", "n", "y"]]


def labels_of(rows, coders=("a", "b", "m")):
    return Labels.from_rows(rows, coders=coders)


def codes(found):
    return {sentence.code for sentence in (*found.sentences, *found.warnings)}


@pytest.fixture
def written(tmp_path):
    def write(rows, coders=("a", "b", "m"), name="labels.csv"):
        lines = [",".join(["item", *coders])]
        lines += [",".join([str(n), *(label or "" for label in row)]) for n, row in enumerate(rows, start=1)]
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    ("rows", "why"), [(APART, "'m' labelled no item that a human labelled"), (EMPTY, "'m' has no label, so")]
)
def test_a_judge_without_an_item_in_common_is_refused(rows, why, concur, written):
    with pytest.raises(UndefinedError, match=why):
        judge(labels_of(rows), "m")
    done = concur("judge", written(rows), "--wide", "--judge", "m")
    assert done.code == 2
    assert why in done.err
    assert "nan%" not in done.out + done.err


def test_one_of_several_judges_without_an_item_in_common_has_nulls(concur, written):
    rows = [[*row, other] for row, other in zip(APART, ["y", "n", "y", None], strict=True)]
    done = concur("judge", written(rows, ("a", "b", "m", "k")), "--wide", "--judge", "m,k", "--json")
    assert done.code == 0
    assert "nan%" not in done.out
    apart, fine = done.json["judges"]["m"], done.json["judges"]["k"]
    assert apart["judge_human"]["value"] is None
    assert set(apart["constant_guess"].values()) == {None}
    assert [one["code"] for one in apart["sentences"]] == ["humans", "caveat"]
    assert "no_common_items" in {one["code"] for one in apart["warnings"]}
    assert "no_common_items" not in {one["code"] for one in fine["warnings"]}
    assert fine["constant_guess"]["judge"] == 0.75
    with pytest.raises(UndefinedError, match="'m' labelled no item"):
        judge_each(labels_of([[*row, row[2]] for row in APART], ("a", "b", "m", "k")), ["m", "k"], JudgeOptions())


def test_one_of_several_judges_apart_is_in_no_group(concur, written):
    rows = [[*row, *more] for row, more in zip(APART, [("y", "u"), ("n", "v"), ("y", "u"), ("", "v")], strict=True)]
    path = written(rows, ("a", "b", "m", "k", "g"))
    done = concur("judge", path, "--wide", "--judge", "m,k", "--by", "g")
    assert done.code == 0
    assert "m labelled no item that a human labelled" in " ".join(done.out.split())


def test_a_coder_without_labels_has_no_rates():
    found = judge(labels_of([[*row, "y"] for row in EMPTY], ("a", "b", "c", "m")), "m")
    assert np.isnan(list(found.base_rates["c"].values())).all()
    assert sum(found.base_rates["a"].values()) == 1
    assert {(rate.interval, rate.items) for rate in found.base_rate_intervals["c"].values()} == {(None, 0)}


def test_one_common_item_is_counted_where_kappa_is_undefined():
    found = judge(labels_of(ONE), "m")
    assert [pair.items for pair in found.judge_human.pairs] == [1, 1]
    assert np.isnan(found.judge_human.pairs[0].value)
    (told,) = (warning.text for warning in found.warnings if warning.code == "no_alt_test")
    assert "nobody has more than one" in told
    nothing = judge(labels_of([["y", None, "y"], [None, "n", "n"]]), "m")
    (told,) = (warning.text for warning in nothing.warnings if warning.code == "no_alt_test")
    assert told == "The alternative-annotator test needs items that the judge and two humans labelled."
    assert "no_alt_test" not in codes(judge(labels_of([["y", "n", "y"], ["y", "y", "y"]]), "m"))


def sure_humans(n=60, humans=5, seed=4):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, n)
    slips = random.random((n, humans)) < 0.2
    return [["ab"[(one + slip) % 2] for slip in row] for one, row in zip(truth, slips, strict=True)]


@pytest.mark.parametrize("humans", [5, 12])
def test_one_item_of_the_judge_beside_many_of_the_humans_is_no_certainty(humans):
    names = (*(f"h{k}" for k in range(humans)), "m")
    rows = [[*row, None] for row in sure_humans(humans=humans)]
    rows.append([*["b"] * humans, "a"])
    found = judge(labels_of(rows, names), "m")
    low, high = found.judge_human.interval
    assert found.judge_human.value == 0
    assert low < -0.3
    assert high > 0.1
    assert -1 <= low < high <= 1


def test_items_that_tell_nothing_of_the_judge_change_nothing():
    rows = [[*row, row[0]] for row in sure_humans(n=40, humans=3)]
    more = [*rows, *([*row, None] for row in sure_humans(n=200, humans=3, seed=5))]
    names = ("h0", "h1", "h2", "m")
    alone, beside = (judge(labels_of(each, names), "m").judge_human for each in (rows, more))
    assert tuple(alone.interval) == pytest.approx(tuple(beside.interval))
    assert alone.interval_method == beside.interval_method


@pytest.mark.parametrize("epsilon", [-1.0, float("nan"), 1.0])
def test_an_allowance_that_is_no_share_is_refused(epsilon, concur, written):
    rows = [list(row) for row in product("ab", repeat=3)]
    with pytest.raises(InvalidInputError, match="Epsilon must be at least 0 and below 1"):
        judge(labels_of(rows), "m", epsilon=epsilon)
    done = concur("judge", written(rows), "--wide", "--judge", "m", "--epsilon", epsilon)
    planned = concur("plan", "judge", "--epsilon", epsilon)
    assert (done.code, planned.code) == (2, 2)
    assert done.err == planned.err
    assert judge(labels_of(rows), "m", epsilon=0.0).alt_test.epsilon == 0


def test_the_verb_takes_any_frame():
    rows = sure_humans(humans=3)
    wide = pl.DataFrame(rows, schema=["ann", "bob", "model"], orient="row").with_row_index("item")
    expected = judge(Labels.from_rows(rows, coders=("ann", "bob", "model")), "model").judge_human
    for frame in (wide, pd.DataFrame(wide.to_dict(as_series=False))):
        assert concurrence.judge(frame, "model", shape="wide").judge_human.value == expected.value
    long = wide.unpivot(index="item", variable_name="coder", value_name="label")
    assert tuple(concurrence.judge(long, "model").judge_human.interval) == tuple(expected.interval)
    with pytest.raises(InvalidInputError, match="One list of labels is one coder"):
        concurrence.judge(["a", "b"], "model")


def test_chosen_coders_of_a_wide_file_beside_a_log(concur, written, tmp_path):
    rows = [[*row, "x" if n < 30 else "z"] for n, row in enumerate(sure_humans(humans=4))]
    path = written(rows, ("ann", "bob", "cy", "bad", "topic"))
    log = tmp_path / "gpt.json"
    log.write_text(json.dumps({"gpt": {str(n): row[0] for n, row in enumerate(rows, start=1)}}), encoding="utf-8")
    done = concur("judge", path, log, "--wide", "--coders", "ann,bob,cy,gpt", "--judge", "gpt", "--json")
    assert done.code == 0
    assert list(done.json["base_rates"]) == ["ann", "bob", "cy", "gpt"]
    unknown = concur("judge", path, log, "--wide", "--coders", "ann,bob,cyy,gpt", "--judge", "gpt")
    assert unknown.code == 2
    assert "'cyy'" in unknown.err
    assert concur("judge", path, log, "--wide", "--judge", "gpt").code == 2  # nobody said that topic is no coder


def test_judges_without_a_human(concur, written):
    rows = [list(row) for row in product("ab", repeat=2)]
    done = concur("judge", written(rows, ("ann", "model")), "--wide", "--judge", "ann,model")
    assert done.code == 2
    assert "Every coder is a judge (ann, model), so no human is left" in done.err
    assert "only coder" not in done.err
    with pytest.raises(UndefinedError, match="'model' and 'ann' are the only coders"):
        judge(labels_of(rows, ("ann", "model")), "model", before="ann")
