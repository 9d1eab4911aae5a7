import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

import concurrence
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.estimates import StratumCounts, recall
from support.simulated_lists import simulated_list

SIZE = 1200
TRUTH, SCORES = simulated_list([1.6, 1.0, 0.0], size=SIZE, true=120, seed=3)
NAMES = ["good", "fair", "poor"]
TABLE = pl.DataFrame({"l1": [f"w{i:04d}" for i in range(SIZE)], "l2": "x"}).with_columns(
    pl.Series(name, row) for name, row in zip(NAMES, SCORES, strict=True)
)
GOLD = TABLE.select("l1", "l2", tp=pl.Series(TRUTH.astype(int)))
DRAWN = np.sort(np.random.default_rng(7).choice(SIZE, 300, replace=False))
PART = GOLD[DRAWN]


def asked(**options):
    return {"n": [50, 100, 200, 400], **options}


def texts(evaluation):
    return [sentence.text for sentence in evaluation.sentences]


def best(name, n):
    return set(np.argsort(-TABLE[name].to_numpy(), kind="stable")[:n].tolist())


def test_a_census_gives_the_precision_itself():
    found = concurrence.evaluate(TABLE, GOLD, measures=NAMES, n=[50, 400, SIZE])
    curve = found.measures["good"]
    expected = [TRUTH[list(best("good", n))].mean() for n in (50, 400, SIZE)]
    assert found.data.design == "census"
    assert curve.precision.tolist() == curve.low.tolist() == curve.high.tolist() == pytest.approx(expected)
    assert curve.recall == pytest.approx(np.array(expected) * [50, 400, SIZE] / 120)
    assert found.baseline.value == pytest.approx(0.1)
    assert found.baseline.interval == pytest.approx((0.1, 0.1))


def test_average_precision_of_a_census_is_the_usual_one():
    order = np.argsort(-TABLE["good"].to_numpy())
    hits = TRUTH[order]
    expected = np.mean((np.cumsum(hits) / np.arange(1, SIZE + 1))[hits])
    found = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[100])
    average = found.measures["good"].average_precision
    assert average.value == pytest.approx(expected)
    assert average.interval == (average.value, average.value)


def test_average_precision_of_a_sample_is_near_that_of_the_census():
    whole = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[100]).measures["good"].average_precision.value
    rng = np.random.default_rng(0)
    samples = [
        concurrence.evaluate(TABLE, GOLD[rng.choice(SIZE, 300, replace=False)], measures=["good"], n=[100])
        for _ in range(40)
    ]
    averages = [found.measures["good"].average_precision for found in samples]
    assert np.mean([average.value for average in averages]) == pytest.approx(whole, abs=0.03)
    covered = [average.interval[0] <= whole <= average.interval[1] for average in averages]
    assert np.mean(covered) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 40)
    assert np.median([average.interval[1] - average.interval[0] for average in averages]) < 0.5


def test_average_precision_of_few_true_positives_is_not_trusted():
    hits = PART.with_row_index().filter(pl.col("tp") == 1)["index"].to_list()
    most = concurrence.evaluate(TABLE, PART, measures=["good"], n=[100]).measures["good"].average_precision
    assert most.trusted == (len(hits) >= 40)
    few = PART[: hits[20]]
    average = concurrence.evaluate(TABLE, few, measures=["good"], n=[100]).measures["good"].average_precision
    assert average.interval is not None
    assert not average.trusted
    assert "may hold less often" in average.note
    whole = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[100]).measures["good"].average_precision
    assert whole.trusted
    assert whole.note is None


def test_average_precision_says_why_it_is_missing():
    sample = concurrence.draw_sample(TABLE, size=60, design="union", best=[100], measures=["good"], seed=2)
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, gold, measures=["good"], n=[100], sample=sample)
    assert "Only n-best lists were sampled" in found.measures["good"].average_precision.note
    strata = concurrence.draw_sample(TABLE, size=250, design="strata", best=[100, 200], measures=["good"], seed=2)
    drawn = strata.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, drawn, measures=["good"], n=[100], sample=strata)
    average = found.measures["good"].average_precision
    assert average.interval[0] < average.value < average.interval[1]
    assert average.note is None
    filtered = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[100], filters={"some": GOLD.head(90)})
    assert filtered.measures["some"].average_precision.note == "A filter has no order."
    few = pl.concat([GOLD.filter(pl.col("tp") == 1).head(2), GOLD.filter(pl.col("tp") == 0).head(50)])
    average = concurrence.evaluate(TABLE, few, measures=["good"], n=[100]).measures["good"].average_precision
    assert (average.interval, "too few for an interval" in average.note) == (None, True)


def test_recall_is_not_certain_where_a_thin_stratum_showed_no_true_positive():
    # 10 of 10 judged in the list; outside, none of 20 judged is true, but 980 are not judged.
    lists, whole = (
        StratumCounts(size=np.array([size]), sampled=np.array([sampled]), true=np.array([[5, 0]]))
        for size, sampled in (([10, 0], [10, 0]), ([10, 1000], [10, 20]))
    )
    value, low, high = (float(part[0]) for part in recall(lists, whole, level=0.95, method="design"))
    assert (value, high) == (1, 1)
    assert low < 0.2


def test_recall_by_strata_is_known_where_all_is_judged():
    lists, whole = (
        StratumCounts(size=np.array([counts]), sampled=np.array([counts]), true=np.array([true]))
        for counts, true in (([10, 5], [5, 1]), ([10, 100], [5, 7]))
    )
    assert [float(part[0]) for part in recall(lists, whole, level=0.95, method="design")] == pytest.approx([0.5] * 3)


def test_a_sample_counts_what_was_judged():
    found = concurrence.evaluate(TABLE, PART, measures=NAMES, n=[100, 400]).measures["fair"]
    for i, n in enumerate((100, 400)):
        judged = [row for row in best("fair", n) if row in set(DRAWN.tolist())]
        assert found.sampled[i] == len(judged)
        assert found.true_positives[i] == TRUTH[judged].sum()
        assert found.precision[i] == pytest.approx(TRUTH[judged].mean())
        assert found.low[i] <= found.precision[i] <= found.high[i]


def test_local_precision_looks_around_n():
    found = concurrence.evaluate(TABLE, GOLD, measures=["good"], **asked(n=[300], window=100))
    order = np.argsort(-TABLE["good"].to_numpy())
    assert found.measures["good"].local_precision[0] == pytest.approx(TRUTH[order[250:350]].mean())


def test_two_measures_are_compared_on_their_difference_sets():
    found = concurrence.evaluate(TABLE, PART, measures=["good", "fair"], n=[100, 400]).comparisons[0]
    for i, n in enumerate((100, 400)):
        one, two = best("good", n), best("fair", n)
        drawn = set(DRAWN.tolist())
        only_one, only_two = sorted((one - two) & drawn), sorted((two - one) & drawn)
        table = [
            [int(TRUTH[rows].sum()) for rows in (only_one, only_two)],
            [int((~TRUTH[rows]).sum()) for rows in (only_one, only_two)],
        ]
        assert found.overlap[i] == len(one & two)
        assert (found.sampled_a[i], found.sampled_b[i]) == (len(only_one), len(only_two))
        assert found.p[i] == pytest.approx(fisher_exact(table)[1], abs=1e-9)


def test_against_the_baseline_the_list_meets_the_rest():
    found = concurrence.evaluate(TABLE, PART, measures=["good"], n=[200])
    curve = found.measures["good"]
    k, n, total, true = int(curve.true_positives[0]), int(curve.sampled[0]), 300, int(TRUTH[DRAWN].sum())
    expected = fisher_exact([[k, true - k], [n - k, total - n - (true - k)]])[1]
    assert curve.p_baseline[0] == pytest.approx(expected, abs=1e-9)


def test_the_best_measure_and_those_the_test_cannot_tell_from_it():
    found = concurrence.evaluate(TABLE, GOLD, measures=NAMES, n=[100, 400])
    for row in found.best:
        precision = {name: TRUTH[list(best(name, row.n))].mean() for name in NAMES}
        assert row.measure == max(precision, key=precision.get)
        assert row.measure not in row.not_significantly_worse
        assert "poor" not in row.not_significantly_worse


UNSEEN = pl.DataFrame(
    {"l1": list("abcd"), "l2": "x", "seen": [4, 3, 2, 1], "unseen": [1, 2, 3, 4], "tied": [1, 1, 1, 0]}
)
SEEN = pl.DataFrame({"l1": ["a", "b"], "l2": "x", "tp": [1, 0]})


def test_a_list_without_judgements_is_not_called_worse():
    found = concurrence.evaluate(UNSEEN, SEEN, measures=["seen", "unseen"], n=[2])
    assert np.isnan(found.measures["unseen"].precision[0])
    assert [(row.measure, row.not_significantly_worse) for row in found.best] == [("seen", ("unseen",))]


def test_random_draws_of_ties_count_where_they_say_something():
    found = concurrence.evaluate(UNSEEN, SEEN, measures=["tied", "unseen"], n=[1], tie_draws=60)
    tied = found.measures["tied"]
    # One in three draws puts the true one first, one the false one, one the candidate that nobody judged.
    assert tied.precision[0] == pytest.approx(0.5)
    assert tied.tie_draws.precision[0] == pytest.approx(0.5, abs=0.2)
    assert tied.tie_draws.standard_deviation[0] == pytest.approx(0.5, abs=0.1)
    assert not any("nan" in sentence for sentence in texts(found))


def test_the_largest_list_above_a_value():
    found = concurrence.evaluate(TABLE, PART, measures=["good"], **asked(n=range(50, 1001, 50), above=[0.2]))
    curve, row = found.measures["good"], found.above[0]
    assert row.n == max(n for n, p in zip(curve.n, curve.precision, strict=True) if p >= 0.2)
    assert row.n_lower_bound == max(n for n, low in zip(curve.n, curve.low, strict=True) if low >= 0.2)
    assert row.n_lower_bound < row.n


def test_the_rule_of_thumb_warns_of_few_judgements():
    found = concurrence.evaluate(TABLE, PART, measures=["poor"], n=[200, 400])
    (warning,) = (sentence for sentence in found.warnings if sentence.code == "rule_of_thumb")
    assert warning.text.startswith(
        "Too few judgements for so low a precision: poor (every n). Rule of thumb: about 100"
    )


def test_a_filter_is_compared_at_its_size():
    chosen = GOLD.filter(pl.col("tp") == 1).head(90)
    found = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[50], filters={"dictionary": chosen})
    assert found.measures["dictionary"].n.tolist() == [90]
    assert found.measures["dictionary"].precision.tolist() == [1.0]
    assert found.measures["good"].n.tolist() == [50, 90]
    (only,) = found.comparisons
    assert only.n.tolist() == [90]
    assert only.better == ("dictionary",)


def test_a_column_can_be_a_filter_and_a_threshold_adds_its_size():
    table = TABLE.with_columns(listed=pl.Series(["yes", "no"] * (SIZE // 2)))
    found = concurrence.evaluate(
        table, GOLD, measures=["good"], filters={"listed": None}, **asked(thresholds={"good": 1.5})
    )
    passed = int((TABLE["good"] >= 1.5).sum())
    assert found.measures["listed"].n.tolist() == [SIZE // 2]
    assert passed in found.measures["good"].n


def test_a_ranking_from_a_table_ranks_like_a_column():
    other = TABLE.select("l1", "l2", score="good")
    found = concurrence.evaluate(TABLE, PART, measures=["good"], n=[100, 400], rankings={"file": other})
    assert found.measures["file"].precision.tolist() == found.measures["good"].precision.tolist()
    assert found.comparisons[0].overlap.tolist() == [100, 400]
    assert found.comparisons[0].p.tolist() == [1.0, 1.0]


def test_random_draws_of_ties_check_the_exact_average():
    table = TABLE.with_columns(tied=(pl.col("good") > 1).cast(pl.Int64))
    found = concurrence.evaluate(table, GOLD, measures=["good", "tied"], n=[50, 100], tie_draws=40)
    assert found.measures["good"].tie_draws.standard_deviation.max() == pytest.approx(0, abs=1e-12)
    tied, draws = found.measures["tied"], found.measures["tied"].tie_draws
    assert (draws.standard_deviation > 0).all()
    assert (np.abs(draws.precision - tied.precision) <= 4 * draws.standard_deviation / np.sqrt(40)).all()
    assert (draws.low <= tied.precision).all()
    assert (tied.precision <= draws.high).all()


def test_a_simulated_sample_knows_the_truth():
    found = concurrence.evaluate(TABLE, GOLD, measures=["good"], **asked(simulate=0.25))
    curve = found.measures["good"]
    assert found.data.judged == 300
    assert curve.true_precision == pytest.approx([TRUTH[list(best("good", n))].mean() for n in (50, 100, 200, 400)])
    with pytest.raises(InvalidInputError, match="900 are not"):
        concurrence.evaluate(TABLE, PART, measures=["good"], **asked(simulate=0.25))


@pytest.mark.parametrize(("error", "most"), [(0.02, 0.75), (0.5, 1.1)])
def test_a_proxy_gains_where_it_is_good_and_costs_nothing_where_it_is_not(error, most):
    model = TRUTH ^ (np.random.default_rng(1).random(SIZE) < error)
    table = TABLE.with_columns(model=pl.Series(model.astype(int)))
    found = concurrence.evaluate(table, PART, measures=["good"], **asked(n=[200, 400, 800], proxy="model"))
    proxy = found.measures["good"].proxy
    assert (proxy.width_ratio <= most).all()
    real = np.array([TRUTH[list(best("good", n))].mean() for n in (200, 400, 800)])
    assert ((proxy.low <= real) & (real <= proxy.high)).all()


def coders(rate):
    rng = np.random.default_rng(2)
    wrong = [(name, rng.random(len(PART)) < rate) for name in ("ann", "bob", "cy")]
    rows = [
        PART.with_columns(tp=pl.Series((PART["tp"].to_numpy() ^ flip).astype(int)), coder=pl.lit(name))
        for name, flip in wrong
    ]
    return pl.concat(rows)


def test_coders_who_disagree_widen_the_interval():
    plain = concurrence.evaluate(TABLE, coders(0.2), measures=["good"], **asked())
    wider = concurrence.evaluate(TABLE, coders(0.2), measures=["good"], **asked(coder_uncertainty="votes"))
    one, other = plain.measures["good"], wider.measures["good"]
    assert (other.low <= one.low).all()
    assert (one.high <= other.high).all()
    assert (other.coder_share_of_width > 0).any()
    assert any("the coders' disagreement causes" in sentence for sentence in texts(wider))


def test_coders_who_agree_change_nothing():
    found = concurrence.evaluate(TABLE, coders(0.0), measures=["good"], **asked(coder_uncertainty="votes"))
    assert found.measures["good"].coder_share_of_width == pytest.approx(0)


def test_simultaneous_bands_are_wider_than_pointwise_ones():
    sizes = list(range(50, 801, 25))
    pointwise = concurrence.evaluate(TABLE, PART, measures=["good"], n=sizes).measures["good"]
    whole = concurrence.evaluate(TABLE, PART, measures=["good"], **asked(n=sizes, band="simultaneous"))
    curve = whole.measures["good"]
    assert whole.method.band == "simultaneous"
    assert curve.pointwise_level > 0.95
    assert (curve.low <= pointwise.low).all()
    assert (pointwise.high <= curve.high).all()
    assert (curve.high - curve.low).sum() > (pointwise.high - pointwise.low).sum()


@pytest.mark.parametrize("correction", ["flips", "holm"])
def test_a_correction_never_makes_a_difference_clearer(correction):
    sizes = list(range(50, 801, 25))
    found = concurrence.evaluate(TABLE, PART, measures=["good", "poor"], **asked(n=sizes, correction=correction))
    (pair,) = found.comparisons
    assert pair.p_corrected.max() <= 1
    assert (pair.p_corrected >= pair.p).all()
    assert (pair.p_corrected <= 0.05).any()


@given(st.permutations(range(40)), st.integers(0, 3))
def test_the_order_of_the_list_does_not_matter(shuffle, seed):
    small = TABLE.head(40).with_columns(pl.col("good").round(0))
    one = concurrence.evaluate(small, GOLD.head(40), measures=["good"], n=[5, 10, 20], seed=seed)
    two = concurrence.evaluate(small[list(shuffle)], GOLD.head(40), measures=["good"], n=[5, 10, 20], seed=seed)
    assert one.measures["good"].precision.tolist() == two.measures["good"].precision.tolist()


def test_a_grid_is_chosen_where_no_sizes_are_named():
    n = concurrence.evaluate(TABLE, PART, measures=["good"]).measures["good"].n
    assert n[0] == 100
    assert n[-1] == SIZE
    assert len(n) <= 150


def test_with_replacement_the_binomial_interval_is_the_default():
    sample = concurrence.draw_sample(TABLE, size=400, replacement=True, seed=5)
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, gold, measures=["good"], n=[200, 400], sample=sample)
    assert found.method.interval == "clopper-pearson"
    assert found.measures["good"].sampled[-1] <= 400
    assert (
        concurrence.evaluate(TABLE, gold, measures=["good"], n=[SIZE], sample=sample).measures["good"].sampled[0] == 400
    )
    with pytest.raises(InvalidInputError, match="without replacement"):
        concurrence.evaluate(TABLE, gold, measures=["good"], n=[200], sample=sample, interval="hypergeometric")


@pytest.mark.parametrize(("design", "strata"), [("union", "cells"), ("strata", "cells"), ("strata", "bands")])
def test_union_and_strata_use_their_own_design(design, strata):
    measures = ["good", "fair"]
    sample = concurrence.draw_sample(
        TABLE, size=250, design=design, strata=strata, best=[50, 100, 200], measures=measures, seed=2
    )
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, gold, measures=measures, n=[50, 100, 200], sample=sample)
    real = np.array([TRUTH[list(best("good", n))].mean() for n in (50, 100, 200)])
    curve = found.measures["good"]
    assert found.method.interval == "design"
    assert ((curve.low <= real + 1e-9) & (real <= curve.high + 1e-9)).all()
    assert np.isnan(found.baseline.value) == (design == "union")
    with pytest.raises(InvalidInputError, match="n = 400 is beyond what the"):
        concurrence.evaluate(TABLE, gold, measures=measures, n=[400], sample=sample)
    with pytest.raises(InvalidInputError, match="one way of breaking ties"):
        concurrence.evaluate(TABLE, gold, measures=measures, n=[50], sample=sample, tie_draws=3)
    other = TABLE.with_columns(good=-pl.col("good"))
    with pytest.raises(InvalidInputError, match="use the list that was sampled"):
        concurrence.evaluate(other, gold, measures=measures, n=[50], sample=sample)


def test_exact_intervals_are_refused_for_strata():
    sample = concurrence.draw_sample(TABLE, size=250, design="strata", best=[100, 200], measures=["good"], seed=2)
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    with pytest.raises(InvalidInputError, match="does not hold in a stratified sample; use 'design'"):
        concurrence.evaluate(TABLE, gold, measures=["good"], n=[100], sample=sample, interval="blaker")


def test_a_sample_that_is_not_judged_in_full_is_used_and_told():
    sample = concurrence.draw_sample(TABLE, size=250, seed=2)
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"]).head(200)
    found = concurrence.evaluate(TABLE, gold, measures=["good"], n=[200], sample=sample)
    assert found.data.judged == 200
    assert any(sentence.startswith("50 sampled candidates are not judged yet") for sentence in texts(found))


def test_judgements_outside_of_the_sample_change_nothing_and_are_told():
    sample = concurrence.draw_sample(TABLE, size=250, seed=2)
    alone = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[200], sample=sample)
    expected = concurrence.evaluate(TABLE, alone, measures=["good"], n=[200], sample=sample)
    assert found.data == expected.data
    assert found.measures["good"].low.tolist() == expected.measures["good"].low.tolist()
    assert found.baseline == expected.baseline
    assert any("judged, but not in the sample" in sentence for sentence in texts(found))


def test_judgements_of_another_sample_are_refused():
    sample = concurrence.draw_sample(TABLE, size=50, seed=2)
    others = GOLD.join(sample.table.select("l1", "l2"), on=["l1", "l2"], how="anti")
    with pytest.raises(InvalidInputError, match="None of the sampled candidates is judged"):
        concurrence.evaluate(TABLE, others, measures=["good"], n=[200], sample=sample)


def test_triples_work_like_pairs():
    table = TABLE.with_columns(l3=pl.lit("z")).rename({"l1": "p", "l2": "v", "l3": "n"})
    gold = GOLD.with_columns(n=pl.lit("z")).rename({"l1": "p", "l2": "v"})
    found = concurrence.evaluate(table, gold, measures=["good"], key=["p", "n", "v"], n=[100])
    assert found.measures["good"].precision[0] == pytest.approx(TRUTH[list(best("good", 100))].mean())


def test_every_sentence_has_a_code_by_which_programs_decide():
    found = concurrence.evaluate(TABLE, PART, measures=["good", "poor"], **asked(above=[0.2], thresholds={"good": 1.5}))
    codes = {sentence.code for sentence in found.sentences}
    assert codes >= {"comparison", "many_tests", "against_baseline", "above", "threshold", "rule_of_thumb"}
    assert all(sentence.warning == (sentence.code == "rule_of_thumb") for sentence in found.sentences)
    assert found.warnings == tuple(sentence for sentence in found.sentences if sentence.warning)


def test_an_option_that_is_unknown_is_refused_wherever_it_comes_from():
    with pytest.raises(TypeError, match="options"):
        concurrence.evaluate(TABLE, GOLD, measures=["good"], n=[2], options=None)
