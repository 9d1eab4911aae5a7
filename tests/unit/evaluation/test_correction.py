"""Corrections for all pairs and list sizes: against flips one by one, and on rankings that are all alike."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

import concurrence
from concurrence.core.judgements import Judgements
from concurrence.evaluation import correction
from concurrence.evaluation.comparisons import compare_all
from concurrence.evaluation.correction import SignedLists
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.results import Method
from concurrence.kernels.strata import SampledList, judged_at_random
from concurrence.report.pages.evaluation import evaluation_document
from concurrence.report.pages.evaluation_brief import evaluation_brief
from support.ranking_twins import ranking_by_ranks, ranking_of, whole_ranks
from support.simulated_lists import equal_rankings, simulated_list

METHOD = Method(
    interval="hypergeometric", band="pointwise", level=0.95, test="Fisher's test", alternative="minlike",
    correction="flips", window=400,
)  # fmt: skip


def standardised(n1, k1, n2, k2):
    """The difference of two shares over its error under equality, with Yates' correction."""
    if not n1 or not n2:
        return 0.0
    pooled, both = (k1 + k2) / (n1 + n2), 1 / n1 + 1 / n2
    if not 0 < pooled < 1:
        return 0.0
    return max(abs(k1 / n1 - k2 / n2) - both / 2, 0.0) / np.sqrt(pooled * (1 - pooled) * both)


def flips_one_by_one(ranks, true, rows, sizes, draws):
    """Exchange the ranks of the flipped candidates, pair by pair, and count everything anew."""

    def distances(signs):
        found = {}
        for a, b in combinations(range(len(ranks)), 2):
            for n in sizes:
                counts = np.zeros(4)
                for i, row in enumerate(rows):
                    in_a, in_b = ranks[a][row] <= n, ranks[b][row] <= n
                    if signs[i] < 0:
                        in_a, in_b = in_b, in_a
                    if in_a != in_b:
                        counts += (in_a, in_a and true[row], in_b, in_b and true[row])
                found[a, b, n] = standardised(*counts)
        return found

    signs = np.random.default_rng(0).choice(np.array([-1, 1], dtype=np.float32), (draws, len(rows)))
    observed = distances(np.ones(len(rows)))
    largest = [max(distances(one).values()) for one in signs]
    return {cell: (1 + sum(one >= value - 1e-6 for one in largest)) / (draws + 1) for cell, value in observed.items()}


def test_flips_are_those_made_one_by_one(monkeypatch):
    monkeypatch.setattr(correction, "FLIPS", 30)
    truth, scores = simulated_list([1.5, 0.8, 0.2], size=120, true=40, seed=3)
    ranks, sizes = whole_ranks(scores, seed=0), np.array([10, 25, 60])
    rows = np.sort(np.random.default_rng(4).choice(120, 60, replace=False))
    verdicts = np.full(120, -1, dtype=np.int8)
    verdicts[rows] = truth[rows]
    judgements = Judgements(verdicts=verdicts)
    counter = Counter(n=sizes, design=judged_at_random(judgements), judgements=judgements)
    rankings = {str(m): ranking_by_ranks(one) for m, one in enumerate(ranks)}
    comparisons, _ = compare_all(SignedLists(rankings=rankings, counter=counter), METHOD, titles={})
    expected = flips_one_by_one(ranks, truth, rows, sizes, 30)
    for pair in comparisons:
        for n, p, corrected in zip(sizes, pair.p, pair.p_corrected, strict=True):
            assert corrected == pytest.approx(max(p, expected[int(pair.a), int(pair.b), n]))


def test_in_strata_the_signs_weigh_what_the_judgements_stand_for(monkeypatch):
    monkeypatch.setattr(correction, "FLIPS", 40)
    truth, scores = simulated_list([1.5, 0.8, 0.2], size=120, true=50, seed=3)
    ranks, sizes = whole_ranks(scores, seed=0), np.array([20, 60])
    stratum = (np.arange(120) >= 40).astype(np.int32)
    rows = np.sort(np.concatenate([np.arange(0, 40, 2), np.arange(40, 120, 5)]))
    times = np.isin(np.arange(120), rows).astype(np.int32)
    judgements = Judgements(verdicts=np.where(times, truth, -1).astype(np.int8))
    counter = Counter(n=sizes, design=SampledList(kind="strata", stratum=stratum, times=times), judgements=judgements)
    comparisons, _ = compare_all(
        SignedLists(rankings={str(m): ranking_by_ranks(one) for m, one in enumerate(ranks)}, counter=counter),
        METHOD,
        titles={},
    )
    weight = np.where(stratum == 0, 2 * np.sqrt(1 / 2), 5 * np.sqrt(4 / 5))[rows]
    signs = np.random.default_rng(0).choice(np.array([-1, 1], dtype=np.float32), (40, len(rows)))
    largest = np.zeros(40)
    for a, b in combinations(range(3), 2):
        for n in sizes:
            side = weight * ((ranks[a][rows] <= n).astype(float) - (ranks[b][rows] <= n))
            share = (np.abs(side) * truth[rows]).sum() / np.abs(side).sum()
            amount = side * (truth[rows] - share)
            largest = np.maximum(largest, np.abs(signs @ amount) / np.sqrt((amount**2).sum()))
    for pair in comparisons:
        expected = [(1 + (largest >= norm.isf(p / 2) - 1e-6).sum()) / 41 for p in pair.p]
        assert pair.p_corrected == pytest.approx(np.maximum(pair.p, expected))


@pytest.fixture(scope="module")
def ten_equal():
    """Ten rankings that all have the same precision at every n, and a sample on which some pair seems to differ."""
    truth, scores = equal_rankings(10, 1.4, size=3000, true=600)
    words = [f"{i:04d}" for i in range(len(truth))]
    table = pl.DataFrame({"l1": words, "l2": "x", **{f"m{i}": row for i, row in enumerate(scores)}})
    rows = np.sort(np.random.default_rng(0).choice(len(truth), 600, replace=False))
    return table, table.select("l1", "l2", tp=pl.Series(truth.astype(int)))[rows]


def test_no_headline_tells_equal_rankings_apart(ten_equal):
    table, gold = ten_equal
    found = concurrence.evaluate(table, gold, measures=[f"m{i}" for i in range(10)], n=list(range(100, 1501, 100)))
    assert min(pair.p.min() for pair in found.comparisons) < 0.05  # a single test would have accused
    assert not [one for one in found.findings if one.code == "better"]
    assert not any(pair.regions for pair in found.comparisons)
    assert all(len(best.not_significantly_worse) == 9 for best in found.best)
    for document in (evaluation_document(found), evaluation_brief(found)):
        words = " ".join(document.answer)
        assert "Shown to be worse" not in words
        assert "beats" not in words
        assert "highest precision" not in words
    assert any(one.code == "low_power" for one in found.warnings)
    assert found.comparisons[0].p_corrected is None


def test_the_headline_of_corrected_marks_is_the_same(ten_equal):
    table, gold = ten_equal
    asked = {"measures": ["m0", "m1", "m2"], "n": [100, 500, 1000]}
    plain = concurrence.evaluate(table, gold, **asked)
    flips = concurrence.evaluate(table, gold, correction="flips", **asked)
    assert plain.findings == flips.findings
    assert all((pair.p_corrected >= pair.p).all() for pair in flips.comparisons)


def test_what_is_clear_is_found_and_named(ten_equal):
    table, gold = ten_equal
    truth = pl.DataFrame({"l1": table["l1"], "sure": np.arange(len(table), dtype=float)})
    true = gold.filter(pl.col("tp") == 1)["l1"]
    table = table.with_columns(sure=pl.when(table["l1"].is_in(true.implode())).then(9.0).otherwise(truth["sure"] / 1e4))
    found = concurrence.evaluate(table, gold, measures=["m0", "sure"], n=[500, 1000])
    (better,) = (one for one in found.findings if one.code == "better")
    assert better.measures == ("sure", "m0")
    assert better.text == f"sure is significantly better than m0 for n = {better.sizes[0]:,} to {better.sizes[-1]:,}."
    assert found.best[0].not_significantly_worse == ()


def test_a_random_order_is_not_said_to_be_worse_than_the_baseline():
    """Some single test of 60 list sizes is below .05 here; none is after the correction."""
    random = np.random.default_rng(13)
    table = pl.DataFrame({"l1": [f"{i:04d}" for i in range(2000)], "l2": "x", "m": random.random(2000)})
    gold = table.select("l1", "l2", tp=pl.Series((random.random(2000) < 0.2).astype(int)))[::4]
    found = concurrence.evaluate(table, gold, measures=["m"], n=list(range(20, 1201, 20)))
    curve = found.measures["m"]
    assert (curve.p_baseline <= 0.05).any()
    (text,) = (one.text for one in found.sentences if one.code == "against_baseline")
    assert text.startswith("m was not shown to beat the baseline (random order) at any list size")
    assert "worse" not in text


def test_more_sizes_than_are_looked_at_change_little(monkeypatch, ten_equal):
    table, gold = ten_equal
    judged = dict(zip(gold["l1"], gold["tp"], strict=True))
    judgements = Judgements(verdicts=np.array([judged.get(word, -1) for word in table["l1"]], dtype=np.int8))
    rankings = {name: ranking_of(table[name].to_numpy()) for name in ("m0", "m1")}
    counter = Counter(n=np.arange(1, 1001), design=judged_at_random(judgements), judgements=judgements)
    some = compare_all(SignedLists(rankings=rankings, counter=counter), METHOD, titles={})[0][0].p_corrected
    monkeypatch.setattr(correction, "MOST_SIZES", 5000)
    every = compare_all(SignedLists(rankings=rankings, counter=counter), METHOD, titles={})[0][0].p_corrected
    assert (some <= every + 1e-9).all()
    assert (every - some).max() < 0.05
