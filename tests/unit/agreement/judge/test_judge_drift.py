from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binomtest

from concurrence import judge
from concurrence.agreement.judge.bounds import mean_shift_bounds, share_change_interval
from concurrence.agreement.judge.category_change import homogeneity_of_runs
from concurrence.agreement.judge.options import JudgeOptions
from concurrence.agreement.judge.several import judge_each
from concurrence.agreement.labels.diagnosis.categories import stuart_maxwell
from concurrence.agreement.labels.one_more_item import interval_of_bounds
from concurrence.core import InvalidInputError, Labels, UnknownNameError
from concurrence.core.values import from_json, to_json
from concurrence.kernels.cross_table import CrossTable


def runs(now=0.1, then=0.1, n=200, seed=1, lean=0.0):
    """Two humans and two runs of a judge; ``lean`` is how often the later run says 'c' out of nowhere."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    slips = np.array([0.1, 0.1, then, now])
    codes = np.where(random.random((n, 4)) < slips, random.integers(0, 3, (n, 4)), truth[:, None])
    codes[:, 3] = np.where(random.random(n) < lean, 2, codes[:, 3])
    return Labels(codes=codes.astype(np.int32), categories=("a", "b", "c"), coders=("ann", "bob", "may", "june"))


def said(found, code):
    return next(sentence.text for sentence in found.sentences if sentence.code == code)


def test_the_earlier_run_is_no_human():
    labels = runs()
    found, alone = judge(labels, "june", before="may"), judge(labels.select_coders(["ann", "bob", "june"]), "june")
    assert found.judge_human == alone.judge_human
    assert found.alt_test == alone.alt_test
    assert list(found.base_rates) == ["ann", "bob", "june"]
    assert alone.drift is None


def test_the_figures_are_those_of_the_obvious_loop():
    labels = runs(lean=0.2)
    drift = judge(labels, "june", before="may").drift
    now, then = labels.codes[:, 3].tolist(), labels.codes[:, 2].tolist()
    assert drift.items == 200
    assert drift.same == sum(a == b for a, b in zip(now, then, strict=True)) / 200
    for k, name in enumerate(labels.categories):
        gaps = [int(a == k) - int(b == k) for a, b in zip(now, then, strict=True)]
        assert drift.leans[name].value == pytest.approx(np.mean(gaps))
    older = judge(labels.select_coders(["ann", "bob", "may"]), "may").judge_human.value
    newer = judge(labels.select_coders(["ann", "bob", "june"]), "june").judge_human.value
    assert (drift.agreement.before, drift.agreement.now) == (pytest.approx(older), pytest.approx(newer))


def test_a_change_is_told_and_no_change_is_not():
    worse = judge(runs(now=0.7), "june", before="may")
    assert worse.drift.agreement.difference < 0
    assert said(worse, "drift_agreement").startswith("june agrees less with the humans than before")
    leaning = judge(runs(lean=0.5), "june", before="may")
    assert "'c'" in said(leaning, "drift_categories")
    assert "does not give every category as often" in said(leaning, "drift_categories")
    still = judge(runs(), "june", before="may")
    assert said(still, "drift_agreement").startswith("No change was shown")
    assert said(still, "drift_categories").startswith("No change was shown")


def test_the_same_labels_twice():
    labels = runs()
    same = Labels(codes=labels.codes[:, [0, 1, 2, 2]], categories=labels.categories, coders=labels.coders)
    found = judge(same, "june", before="may")
    assert found.drift.same == 1
    assert found.drift.agreement.difference == 0
    assert found.drift.homogeneity.p_value is None
    for lean in found.drift.leans.values():
        assert tuple(lean.interval) == pytest.approx((0.025 ** (1 / 200) - 1, 1 - 0.025 ** (1 / 200)))
    assert not [sentence for sentence in found.sentences if sentence.code == "drift_categories"]


def test_scores_drift_by_points():
    random = np.random.default_rng(4)
    truth = random.integers(2, 5, 150)
    rows = [[str(x), str(x), str(x), str(x + int(random.random() < 0.6))] for x in truth]
    labels = Labels.from_rows(rows, coders=("ann", "bob", "may", "june"))
    found = judge(labels, "june", before="may", scale="interval")
    assert list(found.drift.leans) == ["score"]
    assert found.drift.leans["score"].value == pytest.approx(0.6, abs=0.1)
    assert "points higher" in said(found, "drift_categories")


# Few changes


def with_changes(better, worse, n=20):
    """A human, and two runs of a judge who is right but on some items: first earlier, then later."""
    codes = np.tile(np.arange(n)[:, None] % 2, (1, 3)).astype(np.int32)
    codes[:better, 1] = 1 - codes[:better, 1]
    codes[better : better + worse, 2] = 1 - codes[better : better + worse, 2]
    return Labels(codes=codes, categories=("a", "b"), coders=("ann", "may", "june"))


def test_four_changes_for_the_better_show_nothing():
    drift = judge(with_changes(4, 0), "june", before="may").drift
    assert drift.agreement.p_value == pytest.approx(0.125, abs=0.03)  # McNemar's exact test
    assert drift.agreement.interval.low < 0 < drift.agreement.interval.high
    found = judge(with_changes(8, 0), "june", before="may")
    assert found.drift.agreement.p_value == pytest.approx(0.0078, abs=0.006)
    assert found.drift.agreement.interval.low > 0
    assert said(found, "drift_agreement").startswith("june agrees better with the humans than before")


def test_four_changes_to_one_category_show_nothing():
    codes = np.zeros((20, 3), dtype=np.int32)
    codes[10:] = 1
    codes[:4, 2] = 1
    labels = Labels(codes=codes, categories=("a", "b"), coders=("ann", "may", "june"))
    found = judge(labels, "june", before="may")
    assert (found.drift.homogeneity.name, found.drift.homogeneity.p_value) == ("mcnemar_exact", 0.125)
    assert found.drift.leans["b"].interval.low < 0 < found.drift.leans["b"].interval.high
    assert said(found, "drift_categories").startswith("No change was shown in how often june gives each category")


@pytest.mark.parametrize("n", [1, 7, 25])
def test_an_interval_of_a_share_leaves_out_0_where_the_exact_test_does(n):
    for more in range(n + 1):
        less = np.arange(n + 1 - more)
        low, high = share_change_interval(np.full(len(less), more), less, n, 0.95)
        p_values = [binomtest(more, more + int(c)).pvalue if more + c else 1.0 for c in less]
        assert ((low > 0) | (high < 0)).tolist() == [p <= 0.05 for p in p_values]
        assert np.all((low <= (more - less) / n) & ((more - less) / n <= high))


@pytest.mark.parametrize(("more", "less", "n"), [(4, 0, 20), (0, 0, 12), (9, 3, 30), (5, 5, 10)])
def test_the_interval_of_a_share_is_that_of_random_weights(more, less, n):
    random, tiny = np.random.default_rng(1), 1e-9
    kinds = np.array([more, less, n - more - less], dtype=float) + tiny
    lower, upper = (random.dirichlet(kinds + extra, 100_000) @ [1, -1, 0] for extra in ([0, 1, 0], [1, 0, 0]))
    ends = share_change_interval(more, less, n, 0.95)
    assert np.quantile(lower, 0.025) == pytest.approx(float(ends[0]), abs=0.01)
    assert np.quantile(upper, 0.975) == pytest.approx(float(ends[1]), abs=0.01)
    gaps = np.repeat([1.0, -1.0, 0.0], [more, less, n - more - less])[:, None]
    shift = mean_shift_bounds(gaps, ["a"], 1.0, level=0.95, seed=0)["a"]
    assert shift.value == pytest.approx((more - less) / n)
    assert tuple(shift.interval) == pytest.approx(tuple(map(float, ends)), abs=0.03)


@pytest.mark.parametrize("draws", [1, 39, 2000])
@pytest.mark.parametrize("shift", [-1.5, 0.0, 1.9, 2.1, 4.0])
def test_interval_and_p_value_agree(draws, shift):
    random = np.random.default_rng(3)
    lower, upper = random.normal(shift - 0.1, 1, draws), random.normal(shift + 0.1, 1, draws)
    interval, p_value = interval_of_bounds(lower, upper, 0.95)
    if draws >= 39:
        assert (p_value <= 0.05) == (interval.low > 0 or interval.high < 0)
    else:
        assert p_value == 1


def test_swaps_are_those_of_every_item():
    table = np.array([[5, 4, 1], [0, 6, 3], [2, 0, 4]])
    exchanged = [(i, j) for i in range(3) for j in range(3) for _ in range(table[i, j]) if i != j]
    found = homogeneity_of_runs(CrossTable.of(table), seed=0)
    observed = stuart_maxwell(table).statistic
    as_large = []
    for swap in product((False, True), repeat=len(exchanged)):
        swapped = np.diag(np.diag(table))
        for (i, j), is_swapped in zip(exchanged, swap, strict=True):
            swapped[(j, i) if is_swapped else (i, j)] += 1
        as_large.append(stuart_maxwell(swapped).statistic >= observed - 1e-9)
    assert found.p_value == pytest.approx(np.mean(as_large), abs=0.02)
    assert found.statistic == observed


def test_what_cannot_be_compared():
    labels = runs()
    with pytest.raises(InvalidInputError, match="its earlier run as well"):
        judge(labels, "june", before="june")
    with pytest.raises(UnknownNameError):
        judge(labels, "june", before="april")
    with pytest.raises(InvalidInputError, match="one judge"):
        judge_each(labels, ["june", "bob"], JudgeOptions(before="may"))
    apart = labels.codes.copy()
    apart[:100, 2], apart[100:, 3] = -1, -1
    with pytest.raises(InvalidInputError, match="no change can be seen"):
        judge(Labels(codes=apart, categories=labels.categories, coders=labels.coders), "june", before="may")


# Groups


def grouped(lean=0.0, slips=(0.1, 0.1), n=120, seed=2):
    """Two humans and a judge on two groups of items; in the second, the judge says 'b' out of nowhere."""
    random = np.random.default_rng(seed)
    groups = np.array(["law"] * n + ["art"] * n, dtype=object)
    truth = random.integers(0, 2, 2 * n)
    chances = np.stack([np.full(2 * n, 0.1), np.full(2 * n, 0.1), np.repeat(slips, n)], axis=1)
    codes = np.where(random.random((2 * n, 3)) < chances, random.integers(0, 2, (2 * n, 3)), truth[:, None])
    codes[:, 2] = np.where((groups == "art") & (random.random(2 * n) < lean), 1, codes[:, 2])
    return Labels(codes=codes.astype(np.int32), categories=("a", "b"), coders=("ann", "bob", "model"), groups=groups)


def test_groups_are_those_of_the_obvious_loop():
    labels = grouped(lean=0.4)
    bias = judge(labels, "model").bias
    assert list(bias.groups) == ["law", "art"]
    for name, group in bias.groups.items():
        rows = labels.codes[labels.groups == name].tolist()
        assert group.items == len(rows)
        assert group.same == pytest.approx(np.mean([np.mean([h == m for h in (a, b)]) for a, b, m in rows]))
        leans = [int(m == 1) - np.mean([h == 1 for h in (a, b)]) for a, b, m in rows]
        assert group.leans["b"].value == pytest.approx(np.mean(leans))
        part = labels.select_items(np.flatnonzero(labels.groups == name))
        alone = judge(Labels(codes=part.codes, categories=part.categories, coders=part.coders), "model")
        assert group.judge_human.value == pytest.approx(alone.judge_human.value)


def test_a_lean_in_one_group_is_found_and_none_is_not():
    leaning = judge(grouped(lean=0.5), "model")
    assert leaning.bias.lean.p_value < 0.01
    assert "the groups differ (permutation test" in said(leaning, "group_lean")
    assert "'art'" in said(leaning, "group_lean")
    fair = judge(grouped(), "model")
    assert fair.bias.lean.p_value > 0.05
    assert said(fair, "group_lean").startswith("No difference between the groups was shown")
    assert said(fair, "group_agreement").startswith("No difference between the groups was shown")
    worse = judge(grouped(slips=(0.05, 0.7)), "model")
    assert worse.bias.same.p_value < 0.01
    assert said(worse, "group_agreement").startswith("model gives the same label as a human more often in some groups")


def in_groups(*leans):
    """A human who always says 'a', and a judge who leans as told in the items of two equal groups."""
    codes = np.stack([np.zeros(len(leans), dtype=np.int32), np.array(leans, dtype=np.int32)], axis=1)
    groups = np.repeat(np.array(["law", "art"], dtype=object), len(leans) // 2)
    return Labels(codes=codes, categories=("a", "b"), coders=("ann", "model"), groups=groups)


def test_the_permutation_test_is_that_of_every_division():
    """Its level on groups drawn alike is measured in ``benchmarks/trust/judge.py``."""
    alike = judge(in_groups(0, 1, 0, 1, 1, 0, 0, 1, 1, 0), "model").bias.lean
    assert alike.p_value == 1  # the groups are the same, so that every division differs as much or more
    leans = (0, 0, 0, 0, 1, 1, 1, 1, 1, 0)
    found = judge(in_groups(*leans), "model").bias.lean
    ones = np.array([sum(leans[place] for place in half) for half in combinations(range(10), 5)])
    exact = np.mean(np.abs(ones - 2.5) >= 1.5)
    assert found.p_value == pytest.approx(exact, abs=3 * np.sqrt(exact * (1 - exact) / found.draws))


def test_one_group_is_a_warning():
    labels = grouped()
    one = judge(labels.select_items(np.flatnonzero(labels.groups == "law")), "model")
    assert [warning.code for warning in one.warnings if warning.code == "one_group"] == ["one_group"]
    assert not [warning for warning in judge(labels, "model").warnings if warning.code == "one_group"]
    assert np.isnan(one.bias.lean.p_value)


def test_without_groups_nothing_is_said_of_them():
    labels = grouped()
    plainly = Labels(codes=labels.codes, categories=labels.categories, coders=labels.coders)
    found = judge(plainly, "model")
    assert found.bias is None
    assert not [sentence for sentence in found.sentences if sentence.code.startswith("group")]


def test_the_result_comes_back_from_its_json():
    found = judge(grouped(), "model")
    assert to_json(from_json(type(found), to_json(found))) == to_json(found)
    drifted = judge(runs(), "june", before="may")
    assert to_json(from_json(type(drifted), to_json(drifted))) == to_json(drifted)


def test_the_command_shows_change_and_groups(concur, tmp_path):
    labels = runs()
    names = np.array(labels.categories)
    lines = ["item,topic,ann,bob,may,june"]
    for item, row in enumerate(names[labels.codes].tolist()):
        lines.append(",".join([str(item), "law" if item % 2 else "art", *row]))
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(lines) + "\n")
    done = concur("judge", path, "--wide", "--judge", "june", "--before", "may", "--by", "topic")
    assert done.code == 0
    assert "june now and before (may)" in done.out
    assert "Groups of items" in done.out
    found = concur("judge", path, "--wide", "--judge", "june", "--before", "may", "--by", "topic", "--json").json
    assert set(found["bias"]["groups"]) == {"law", "art"}
    assert found["drift"]["before"] == "may"
    page = tmp_path / "page.html"
    assert concur("judge", path, "--wide", "--judge", "june,may", "--by", "topic", "-o", page).code == 0
    assert "same label as a human" in page.read_text()
