"""Where a list size cuts a run of equal scores, everything is an average over all orders of the run."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concurrence
from concurrence.core.judgements import Judgements
from concurrence.evaluation.lists import Counter
from concurrence.kernels.exact_tests import whole_tables
from concurrence.kernels.strata import judged_at_random
from support.ranking_twins import ranking_by_ranks, ranking_of, run_ends

SIZE = 400
RNG = np.random.default_rng(11)
TRUTH = RNG.random(SIZE) < 0.2
COARSE = np.round(RNG.standard_normal(SIZE) + 1.2 * TRUTH)
OTHER = np.round(2 * (RNG.standard_normal(SIZE) + 0.6 * TRUTH)) / 2
TABLE = pl.DataFrame({"l1": [f"w{i:03d}" for i in range(SIZE)], "l2": "x", "coarse": COARSE, "other": OTHER})
GOLD = TABLE.select("l1", "l2", tp=pl.Series(TRUTH.astype(int)))
PART = GOLD[np.sort(RNG.choice(SIZE, 150, replace=False))]
NUMBERS = ("precision", "low", "high", "sampled", "true_positives", "recall", "recall_low", "recall_high", "p_baseline")


@pytest.mark.parametrize("gold", [GOLD, PART], ids=["census", "sample"])
def test_no_number_and_no_sentence_depends_on_the_seed(gold):
    found = [
        concurrence.evaluate(TABLE, gold, measures=["coarse", "other"], n=[20, 50, 100, 250], seed=seed)
        for seed in range(8)
    ]
    first = found[0]
    for other in found[1:]:
        assert other.sentences == first.sentences
        assert other.baseline == first.baseline
        for name in first.measures:
            one, two = first.measures[name], other.measures[name]
            for key in (*NUMBERS, "local_precision"):
                assert getattr(one, key) == pytest.approx(getattr(two, key), nan_ok=True), key
            assert one.average_precision.value == pytest.approx(two.average_precision.value)
            assert one.average_precision.interval == pytest.approx(two.average_precision.interval)
            assert one.ties == two.ties
        (one,), (two,) = first.comparisons, other.comparisons
        for key in ("overlap", "sampled_a", "sampled_b", "true_a", "true_b", "p", "detectable"):
            assert getattr(one, key) == pytest.approx(getattr(two, key), nan_ok=True), key
        assert one.better == two.better


def test_no_corrected_p_depends_on_how_ties_were_broken():
    small = [
        concurrence.draw_sample(TABLE, size=400, seed=1),
        concurrence.draw_sample(TABLE, size=400, seed=2),
    ]
    p = [
        concurrence.evaluate(
            TABLE, GOLD, measures=["coarse", "other"], n=[20, 50, 100], sample=sample, correction="flips"
        )
        .comparisons[0]
        .p_corrected
        for sample in small
    ]
    assert p[0].tolist() == p[1].tolist()


@st.composite
def small_lists(draw):
    size = draw(st.integers(2, 6))
    scores = draw(st.lists(st.sampled_from([1.0, 2.0, 3.0, np.nan]), min_size=size, max_size=size))
    verdicts = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=size, max_size=size))
    return np.array(scores), np.array(verdicts, dtype=np.int8), draw(st.integers(1, size))


def orders(scores):
    """Every order of the candidates that the scores allow, each once for every way of breaking ties."""
    worth = np.nan_to_num(scores, nan=-1.0)
    for tie in permutations(range(len(scores))):
        order = sorted(range(len(scores)), key=lambda i: (-worth[i], tie[i]))
        ranks = np.empty(len(scores), dtype=np.int64)
        ranks[order] = np.arange(1, len(scores) + 1)
        yield ranks


@given(small_lists())
def test_counts_are_the_means_over_all_orders(study):
    scores, verdicts, n = study
    judgements = Judgements(verdicts=verdicts)
    counter = Counter(n=np.array([n]), design=judged_at_random(judgements), judgements=judgements)
    exact = counter.best(ranking_of(scores))
    every = [counter.best(ranking_by_ranks(ranks)) for ranks in orders(scores)]
    for key in ("size", "sampled", "true"):
        assert getattr(exact, key) == pytest.approx(np.mean([getattr(one, key) for one in every], axis=0)), key


@given(small_lists())
def test_precision_recall_and_average_precision_of_a_census_are_the_means_over_all_orders(study):
    scores, verdicts, n = study
    truth = verdicts == 1
    table = pl.DataFrame({"l1": [f"w{i}" for i in range(len(scores))], "l2": "x", "score": scores})
    gold = table.select("l1", "l2", tp=pl.Series(truth.astype(int)))
    curve = concurrence.evaluate(table, gold, measures=["score"], n=[n]).measures["score"]
    every = list(orders(scores))
    assert curve.precision[0] == pytest.approx(np.mean([truth[ranks <= n].mean() for ranks in every]))
    if truth.any():
        assert curve.recall[0] == pytest.approx(np.mean([truth[ranks <= n].sum() / truth.sum() for ranks in every]))
        averages = []
        for ranks in every:
            hits = truth[np.argsort(ranks)]
            averages.append((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())
        assert curve.average_precision.value == pytest.approx(np.mean(averages))


@given(small_lists(), st.data())
def test_difference_sets_have_the_mean_difference_of_all_orders(study, data):
    scores, verdicts, n = study
    others = np.array(data.draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=len(scores), max_size=len(scores))))
    judgements = Judgements(verdicts=verdicts)
    counter = Counter(n=np.array([n]), design=judged_at_random(judgements), judgements=judgements)
    one, two = ranking_of(scores), ranking_of(others)
    only_a, only_b = counter.difference(one, two), counter.difference(two, one)
    # Each candidate counts for as much as it is in the one list more often than in the other.
    share_a, share_b = (np.mean([ranks <= n for ranks in orders(values)], axis=0) for values in (scores, others))
    for cells, more in ((only_a, share_a - share_b), (only_b, share_b - share_a)):
        weight = np.maximum(more, 0)
        assert cells.size[0, 0] == pytest.approx(weight.sum())
        assert cells.sampled[0, 0] == pytest.approx(weight[verdicts >= 0].sum())
        assert cells.true[0, 0] == pytest.approx(weight[verdicts == 1].sum())


def test_measures_that_rank_alike_have_the_same_lists():
    table = TABLE.with_columns(double=2 * pl.col("coarse"))
    (pair,) = concurrence.evaluate(table, PART, measures=["coarse", "double"], n=[20, 50, 100]).comparisons
    assert pair.overlap.tolist() == [20, 50, 100]
    assert pair.p.tolist() == [1.0, 1.0, 1.0]


def test_the_size_of_a_tie_is_that_of_the_run_of_equal_scores():
    curve = concurrence.evaluate(TABLE, PART, measures=["coarse"], n=list(range(1, SIZE + 1))).measures["coarse"]
    ordered = np.sort(COARSE)[::-1]
    expected = {n: int((ordered[n - 1] == COARSE).sum()) for n in range(1, SIZE) if ordered[n - 1] == ordered[n]}
    assert {tie.n: tie.size for tie in curve.ties} == expected


def test_a_list_without_ties_has_none_and_no_warning():
    table = TABLE.with_columns(fine=pl.Series(np.arange(SIZE)))
    found = concurrence.evaluate(table, PART, measures=["fine"], n=[50, 100])
    assert found.measures["fine"].ties == ()
    assert not any(sentence.code == "ties" for sentence in found.sentences)


def test_ties_are_a_warning_that_names_measure_and_list_size():
    found = concurrence.evaluate(TABLE, PART, measures=["coarse", "other"], n=[50, 100])
    (warning,) = (sentence for sentence in found.warnings if sentence.code == "ties")
    assert warning.text.startswith("Ties: n falls inside a run of equal scores (up to 118 candidates) for ")
    assert "for coarse (n = 100) and other (every n); the figures are averages over all orders" in warning.text


def test_a_union_sample_keeps_the_order_it_was_drawn_for_and_says_so():
    sample = concurrence.draw_sample(TABLE, size=100, design="union", best=[50, 100], measures=["coarse"], seed=3)
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, gold, measures=["coarse"], n=[50, 100], sample=sample)
    curve = found.measures["coarse"]
    assert curve.ties
    assert curve.sampled.tolist() == [int(count) for count in curve.sampled.tolist()]
    (warning,) = (sentence for sentence in found.warnings if sentence.code == "ties")
    assert "the sample's tie-breaking seed decides" in warning.text


@given(st.lists(st.floats(0, 20), min_size=1, max_size=4), st.lists(st.floats(0, 20), max_size=2))
def test_whole_tables_keep_the_mean_of_every_count(up, down):
    tables = list(whole_tables([np.array([x]) for x in up], [np.array([x]) for x in down]))
    assert sum(float(weight[0]) for weight, _ in tables) == pytest.approx(1)
    for place, expected in enumerate([*up, *down]):
        counts = [(float(weight[0]), int(counts[place][0])) for weight, counts in tables if weight[0] > 0]
        assert sum(weight * count for weight, count in counts) == pytest.approx(expected, abs=1e-6)
        assert all(abs(count - expected) < 1 for _, count in counts)


def test_intervals_and_tests_of_averaged_lists_keep_their_level():
    """Half of the list is tied: the interval covers the average precision, the test finds equal halves equal."""
    scores = np.concatenate([np.arange(40, 0, -1), np.zeros(160)])
    truth = np.zeros(200, dtype=bool)
    truth[::5] = True
    tied, n, rng = ranking_of(scores), np.array([90]), np.random.default_rng(5)
    real, covered, rejected, rounds = 0.2, 0, 0, 100
    table = pl.DataFrame({"l1": [f"w{i:03d}" for i in range(200)], "l2": "x", "score": scores})
    assert tied.run_of(n)[1].tolist() == [200]
    for _ in range(rounds):
        rows = rng.choice(200, 60, replace=False)
        gold = table[rows].select("l1", "l2", tp=pl.Series(truth[rows].astype(int)))
        curve = concurrence.evaluate(table, gold, measures=["score"], n=[90]).measures["score"]
        covered += curve.low[0] <= real <= curve.high[0]
        rejected += curve.p_baseline[0] <= 0.05
    assert covered / rounds >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / rounds)
    assert rejected / rounds <= 0.05 + 3 * np.sqrt(0.95 * 0.05 / rounds)


def test_runs_of_equal_scores_end_where_the_score_changes():
    assert run_ends([[3.0, 3.0, 1.0], [np.inf, -0.0, 0.0]]).tolist() == [[2, 2, 3], [1, 3, 3]]
