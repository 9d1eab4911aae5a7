"""Benchmarks against slow twins: every exchange, every rank, and what may and may not be said."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

import concurrence
from concurrence.core import InvalidInputError
from concurrence.evaluation.benchmark.one_list import flip_test_all_pairs, memberships
from support.ranking_twins import ranking_of

COLUMNS = ["l1", "l2", "f", "f1", "f2", "N", "tp"]


def table(size=200, *, strength=0.0, seed=0, verbs=40):
    """Candidates whose frequency says as much of their truth as ``strength``."""
    random = np.random.default_rng(seed)
    f = 1 + random.poisson(4, size)
    true = random.random(size) < 1 / (1 + np.exp(1.5 - strength * (f - 5)))
    words = random.integers(0, verbs, size)
    margins = f[:, None] + random.integers(1, 50, (size, 2))
    rows = [(f"v{word}", f"n{i}", *map(int, (f[i], *margins[i])), 5000, int(true[i])) for i, word in enumerate(words)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def slow_p(hits):
    """The share of all exchanges whose largest standardised difference is as large, for each pair and size."""
    count, groups, sizes = hits.shape
    cells = {(i, j, n): hits[i, :, n] - hits[j, :, n] for i in range(count) for j in range(i) for n in range(sizes)}
    cells = {place: gap / np.sqrt((gap**2).sum()) for place, gap in cells.items() if gap.any()}
    largest = [max(abs(gap @ signs) for gap in cells.values()) for signs in product((-1, 1), repeat=groups)]
    return {place: np.mean([one >= abs(gap.sum()) - 1e-9 for one in largest]) for place, gap in cells.items()}


@given(st.integers(0, 1000))
def test_the_p_values_are_those_of_all_exchanges(seed):
    hits = np.random.default_rng(seed).integers(0, 4, (3, 7, 2)).astype(float)
    p, _ = flip_test_all_pairs(hits, draws=2000, level=0.95, seed=1)
    for (i, j, n), exact in slow_p(hits).items():
        assert p[i, j, n] == p[j, i, n] == pytest.approx(exact, abs=0.05)


def test_rankings_that_find_the_same_are_never_told_apart():
    hits = np.tile(np.arange(6.0).reshape(1, 3, 2), (2, 1, 1))
    p, needed = flip_test_all_pairs(hits, draws=99, level=0.95, seed=0)
    assert (p == 1).all()
    assert np.isnan(needed).all()


def test_equal_measures_are_told_apart_in_no_more_than_five_of_a_hundred_studies():
    random, wrong = np.random.default_rng(3), 0
    for _ in range(200):
        groups = np.minimum((random.pareto(1.2, 300) * 10).astype(int), 59)  # some verbs have most of the candidates
        truth = random.standard_normal(60)[groups] + random.standard_normal(300)
        true = truth + random.standard_normal(300) > 1.5
        hits = np.zeros((4, 60, 2))
        for m in range(4):
            score = truth + random.standard_normal(60)[groups] + random.standard_normal(300)
            rank = np.argsort(np.argsort(-score))
            for k, n in enumerate((30, 80)):
                hits[m, :, k] = np.bincount(groups, weights=true & (rank < n), minlength=60)
        wrong += (flip_test_all_pairs(hits, draws=199, level=0.95, seed=0)[0] <= 0.05).any()
    assert wrong <= 16  # 10 are expected at most; 16 or fewer in 97% of the cases


@given(st.lists(st.integers(0, 4), min_size=3, max_size=9))
def test_who_belongs_to_a_list_with_ties(scores):
    ranking = ranking_of(scores)
    sizes = np.arange(1, len(scores))
    found = memberships(sizes, ranking)
    for n, column in zip(sizes, found.T, strict=True):
        assert column.sum() == pytest.approx(n)
        for score, share in zip(scores, column, strict=True):
            above, equal = sum(s > score for s in scores), scores.count(score)
            assert share == pytest.approx(np.clip((n - above) / equal, 0, 1))


def test_figures_are_those_of_the_lists():
    frame = table(strength=0.4)
    scored = concurrence.score(frame, "t_score").table.sort("t_score", descending=True)
    true = scored["tp"].to_list()
    found = concurrence.benchmark({"toy": frame}, measures="t_score,MI", n=[10, 50]).tables["toy"]
    figures = found.measures["t_score"]
    assert figures.precision.tolist() == [sum(true[:10]) / 10, sum(true[:50]) / 50]
    at_hits = [sum(true[: rank + 1]) / (rank + 1) for rank in range(len(true)) if true[rank]]
    assert figures.average_precision.value == pytest.approx(np.mean(at_hits), abs=0.002)  # but for ties
    assert (
        figures.average_precision.interval[0] < figures.average_precision.value < figures.average_precision.interval[1]
    )


def test_they_are_those_of_an_evaluation_too():
    frame = table(strength=0.4, seed=2)
    scored = concurrence.score(frame, "frequency,dice")
    gold = frame.select("l1", "l2", "tp")
    other = concurrence.evaluate(scored, gold, measures=["frequency", "dice"], n=[20, 60])
    found = concurrence.benchmark({"toy": frame}, measures="frequency,dice", n=[20, 60]).tables["toy"]
    for name, curve in other.measures.items():
        np.testing.assert_allclose(found.measures[name].precision, curve.precision)
        assert found.measures[name].average_precision.value == pytest.approx(curve.average_precision.value)


def test_a_band_is_never_narrower_than_for_independent_candidates():
    found = concurrence.benchmark({"toy": table()}, measures="frequency,MI", n=[10, 50]).tables["toy"]
    for figures in found.measures.values():
        k = figures.precision * found.n
        assert (figures.low <= beta.ppf(0.025, k, found.n - k + 1) + 1e-9).all()
        assert (figures.high >= beta.ppf(0.975, k + 1, found.n - k) - 1e-9).all()


def test_a_list_without_true_positives_has_the_band_of_independent_candidates():
    frame = table().with_columns(tp=(pl.col("f") <= 2).cast(pl.Int64))
    figures = concurrence.benchmark({"toy": frame}, measures="frequency", n=[20]).tables["toy"].measures["frequency"]
    assert (figures.precision[0], figures.low[0]) == (0, 0)
    assert figures.high[0] == pytest.approx(beta.ppf(0.975, 1, 20))


def test_the_band_holds_for_all_sizes_in_most_lists():
    everybody, inside = table(20_000, strength=0.3, seed=5, verbs=2000), []
    sizes, whole = [20, 60, 120], 400
    truth = concurrence.benchmark({"all": everybody}, measures="frequency", n=[size * 50 for size in sizes])
    expected = truth.tables["all"].measures["frequency"].precision
    for seed in range(40):
        some = everybody.sample(whole, seed=seed)
        figures = concurrence.benchmark({"some": some}, measures="frequency", n=sizes).tables["some"].measures
        inside.append(((figures["frequency"].low <= expected) & (expected <= figures["frequency"].high)).all())
    assert np.mean(inside) >= 0.9


def test_measures_that_rank_alike_say_so_and_share_their_figures():
    found = concurrence.benchmark(
        {"toy": table(strength=0.5)}, measures="dice,jaccard,MI,MI10,average_MI,log_likelihood"
    )
    figures = found.tables["toy"].measures
    assert figures["dice"].same_ranking_as == ("jaccard",)
    assert figures["MI"].same_ranking_as == ("MI10",)
    assert figures["average_MI"].same_ranking_as == ("log_likelihood",)
    assert figures["MI"].average_precision == figures["MI10"].average_precision


def test_what_can_be_told_apart_is_told():
    found = concurrence.benchmark({"clear": table(600, strength=1.5)}, measures="frequency,MI", n=[100])
    told = found.tables["clear"]
    assert told.best[0].measure == "frequency"
    assert told.best[0].not_significantly_worse == ()
    assert told.measures["MI"].better.tolist() == [1]
    assert told.measures["MI"].p_best[0] <= 0.05
    assert np.isnan(told.measures["frequency"].p_best[0])
    assert "all other rankings are shown to be worse" in str(found)
    assert not found.warnings


def test_where_the_data_cannot_tell_nothing_is_claimed():
    found = concurrence.benchmark({"dim": table(60)}, measures="frequency,MI,dice", n=[10])
    assert {one.code for one in found.warnings} == {"low_power"}
    assert all(not figures.better.any() for figures in found.tables["dim"].measures.values())
    assert "no measure is shown to be worse" in str(found)


ALL_TRUE = [(w, x, f, f1, f2, 200, 1) for w, x, f, f1, f2 in zip(
    ["take", "take", "have", "see", "have", "eat", "give", "buy", "make", "see"],
    ["walk", "look", "look", "dog", "dog", "soup", "talk", "bread", "plan", "house"],
    [9, 8, 3, 2, 2, 4, 3, 3, 5, 1], [20, 20, 30, 25, 30, 9, 11, 8, 15, 25], [12, 9, 9, 8, 8, 5, 6, 5, 7, 9],
    strict=True,
)]  # fmt: skip


def test_a_difference_that_no_list_can_have_is_not_asked_for():
    frame = pl.DataFrame(ALL_TRUE, schema=COLUMNS, orient="row")
    found = concurrence.benchmark({"true": frame}, measures="frequency,MI", n=[3])
    assert found.tables["true"].detectable.tolist() == [1.0]
    assert "even one without true positives would hardly have been shown to be worse" in str(found)
    assert "percentage points" not in str(found)
    fine = concurrence.benchmark({"dim": table(200)}, measures="frequency,MI,dice", n=[50])
    assert 0 < fine.tables["dim"].detectable[0] < fine.tables["dim"].measures["frequency"].precision[0]
    assert "percentage points, the median over the rankings with another list." in str(fine)
    assert "even one" not in str(fine)


@pytest.mark.parametrize("measures", ["MI", "dice,jaccard"])
def test_one_ranking_is_compared_with_no_other(measures):
    found = concurrence.benchmark({"a": table(), "b": table(seed=3)}, measures=measures, n=[20])
    text = str(found)
    assert not found.warnings
    assert "true" in text
    for claim in ("all other rankings", "told apart", "the highest share", "no measure is shown"):
        assert claim not in text
    assert ("no measure ranks them in another way" in text) == ("," in measures)


def test_a_table_given_twice_is_refused(tmp_path, concur, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table().write_csv(tmp_path / "a.csv")
    (tmp_path / "other").mkdir()
    table(seed=5).write_csv(tmp_path / "other" / "a.csv")
    for again in ("a.csv", "other/../a.csv", tmp_path / "a.csv"):
        refused = concur("benchmark", "a.csv", again, "-m", "frequency")
        assert refused.code == 2
        assert "is given twice" in refused.err
    both = concur("benchmark", "a.csv", "other/a.csv", "-m", "frequency", "--draws", "99", "--json")
    assert list(both.json["tables"]) == ["a.csv", "other/a.csv"]


def test_a_list_size_that_a_table_has_not_is_told():
    found = concurrence.benchmark({"small": table(60), "large": table(300)}, measures="frequency,MI", n=[10, 80, 90])
    told = [one.text for one in found.warnings if one.code == "sizes_left_out"]
    assert told == ["small: n = 80 and 90 were left out, since the table has 60 candidates."]
    assert found.tables["large"].n.tolist() == [10, 80, 90]


def test_worse_than_a_random_choice_is_said_only_where_shown():
    upside_down = table(600, strength=-1.5)
    codes = {one.code for one in concurrence.benchmark({"x": upside_down}, measures="frequency").sentences}
    assert "below_chance" in codes
    codes = {one.code for one in concurrence.benchmark({"x": table(600)}, measures="frequency").sentences}
    assert "below_chance" not in codes


def test_tables_are_counted_and_never_averaged():
    tables = {"clear": table(600, strength=1.5), "other": table(600, strength=1.5, seed=7), "dim": table(60)}
    found = concurrence.benchmark(tables, measures="frequency,MI", n=[50])
    rows = {row.measure: row for row in found.summary}
    assert rows["frequency"].among_best_in == ("clear", "other", "dim")
    assert rows["MI"].worse_in == ("clear", "other")
    assert "frequency is among those that no measure is shown to beat in all 3 tables." in str(found)
    alone = concurrence.benchmark({"clear": tables["clear"]}, measures="frequency,MI", n=[50])
    assert alone.tables["clear"] == found.tables["clear"]


def test_candidates_of_one_verb_are_less_than_as_many_independent_ones():
    frame = table(600, strength=1.0, verbs=8)
    together = concurrence.benchmark({"x": frame}, measures="frequency,MI", n=[100]).tables["x"]
    alone = concurrence.benchmark({"x": frame}, measures="frequency,MI", n=[100], clusters=None).tables["x"]
    assert (together.data.clusters, alone.data.clusters) == (8, 600)
    assert alone.measures["MI"].p_best[0] < together.measures["MI"].p_best[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (pl.lit(None).alias("tp"), "Every candidate must be judged; 200 of 200 are not."),
        (pl.lit(0).alias("tp"), "at least 5 true positives; there are 0"),
        (pl.lit("x").alias("l2"), "toy: "),
    ],
)
def test_what_cannot_be_ranked_is_refused(change, words):
    with pytest.raises(InvalidInputError, match=words):
        concurrence.benchmark({"toy": table().with_columns(change)}, measures="frequency")


@pytest.mark.parametrize(
    "options", [{"n": [500]}, {"clusters": "verb"}, {"min_freq": 99}, {"level": 1.0}, {"draws": 9}]
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(InvalidInputError):
        concurrence.benchmark({"toy": table()}, measures="frequency", **options)


def test_the_command(tmp_path, concur):
    table(strength=1.0).write_csv(tmp_path / "a.csv")
    table(strength=0.5, seed=4).write_csv(tmp_path / "b.csv")
    files = (tmp_path / "a.csv", tmp_path / "b.csv")
    found = concur("benchmark", *files, "-m", "frequency,MI,dice", "--json").json
    assert set(found) >= {"tables", "summary", "method", "titles", "sentences", "warnings"}
    one = found["tables"]["a"]
    assert set(one["measures"]["MI"]) >= {"average_precision", "precision", "low", "high", "p_best", "p_chance"}
    assert one["headline"] == one["data"]["true_positives"]
    shown = concur("benchmark", *files, "-m", "frequency,MI,dice").out
    assert "random choice" in shown
    for ending in ("csv", "html", "svg"):
        assert (
            concur("benchmark", *files, "-m", "frequency,MI", "--draws", "99", "-o", tmp_path / f"r.{ending}").code == 0
        )
    assert "p_best" in (tmp_path / "r.csv").read_text().splitlines()[0]
    assert "Fisher" in (tmp_path / "r.html").read_text()


def test_the_command_refuses_in_one_sentence(tmp_path, concur):
    table().drop("tp").write_csv(tmp_path / "a.csv")
    refused = concur("benchmark", tmp_path / "a.csv")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "a: " in refused.err


@pytest.mark.parametrize(("language", "size", "true"), [("eu", 1765, 138), ("en", 11483, 182), ("fa", 8121, 849)])
def test_the_tables_of_parseme(language, size, true, data_set):
    pairs = concurrence.read_pairs(data_set(f"mwe/{language}.csv"))
    found = concurrence.benchmark({language: pairs}, measures="frequency,t_score", draws=99).tables[language]
    assert (found.data.candidates, found.data.true_positives) == (size, true)
    assert found.baseline == pytest.approx(true / size)
