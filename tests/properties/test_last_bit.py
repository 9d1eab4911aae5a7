"""Scores that differ in the last bit only change nothing that a person sees: no rank, sample, evaluation or order."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concurrence
from concurrence.api.contrast import _ordered as contrast_order
from concurrence.core.corpus import Corpus
from concurrence.core.judgements import Judgements
from concurrence.core.values import to_json
from concurrence.evaluation.benchmark.one_list import benchmark_list
from concurrence.evaluation.benchmark.options import BenchmarkOptions
from concurrence.kernels.ranking import rank_candidates
from concurrence.lookup.words import ordered as word_order
from concurrence.measures.scoring import best_first
from support.ranking_twins import ranking_of
from support.treebanks import table_of

SIZE = 300
KEYS = {"l1": [f"w{i:03d}" for i in range(SIZE)], "l2": [f"x{i:03d}" for i in range(SIZE)]}
UNDEFINED = (np.nan, np.inf, -np.inf, 0.0)
# Sevenths and thirds, of which many are equal, none near half a unit of the twelfth digit.
SCORES = st.lists(
    st.builds(lambda a, b: a / b, st.integers(-30, 30), st.sampled_from([3, 7, 8])) | st.sampled_from(UNDEFINED),
    min_size=2,
    max_size=40,
).map(np.array)


def shaken(scores, seed):
    """Each score as it is, or the next one above or below it."""
    scores = np.asarray(scores, dtype=np.float64)
    toward = np.random.default_rng(seed).choice([-np.inf, 0.0, np.inf], scores.shape)
    moved = np.where(toward == 0, scores, np.nextafter(scores, toward))
    return np.where(np.isfinite(scores) & (scores != 0), moved, scores)


def columns(seed):
    """Two measures with many ties, and verdicts."""
    rng = np.random.default_rng(seed)
    true = rng.random(SIZE) < 0.3
    one = np.round(10 * (rng.standard_normal(SIZE) + true)) / 7
    two = np.round(5 * (rng.standard_normal(SIZE) + 0.5 * true)) / 3
    return one, two, true.astype(int)


ONE, TWO, TRUE = columns(1)
TABLE = pl.DataFrame({**KEYS, "one": ONE, "two": TWO})
SHAKEN = [pl.DataFrame({**KEYS, "one": shaken(ONE, k), "two": shaken(TWO, k + 9)}) for k in range(3)]
GOLD = pl.DataFrame({**KEYS, "tp": TRUE})
each_time = pytest.mark.parametrize("table", SHAKEN)


def test_the_scores_were_really_shaken():
    for table in SHAKEN:
        assert table["one"].n_unique() > 1.5 * TABLE["one"].n_unique()
        assert table["one"].to_numpy() == pytest.approx(ONE, rel=1e-15)


@given(SCORES, st.integers(0, 5))
def test_ranks_and_runs_stay(scores, seed):
    before, after = ranking_of(scores, seed=seed), ranking_of(shaken(scores, seed), seed=seed)
    assert after.best_first.tolist() == before.best_first.tolist()
    for within in range(1, len(scores)):
        assert replace(after, within=within).ranks.tolist() == replace(before, within=within).ranks.tolist()


@given(SCORES, st.integers(0, 5), st.booleans())
def test_an_order_stays(scores, seed, averaged):
    rows = np.arange(len(scores))
    before, after = (
        replace(ranking_of(values, seed=seed), averaged=averaged) for values in (scores, shaken(scores, seed))
    )
    assert before.ranks_of(rows).tolist() == after.ranks_of(rows).tolist()
    for one, other in zip(before.run_of(rows + 1), after.run_of(rows + 1), strict=True):
        assert one.tolist() == other.tolist()
    ends = np.unique(before.run_of(rows + 1)[1])
    assert before.levels(ends)[0].tolist() == after.levels(ends)[0].tolist()


@pytest.mark.parametrize("within", [None, 40])
@each_time
def test_rankings_of_a_table_stay(table, within):
    before, after = (rank_candidates(frame, ["one", "two"], within=within) for frame in (TABLE, table))
    for name in before:
        assert (before[name].ranks == after[name].ranks).all()


@pytest.mark.parametrize(
    "design",
    [
        {"design": "union", "best": (20, 50)},
        {"design": "strata", "best": (20, 50, 100)},
        {"design": "strata", "best": (20, 50), "strata": "bands"},
        {"design": "difference", "best": (50,)},
    ],
)
@each_time
def test_samples_stay(table, design):
    before, after = (
        concurrence.draw_sample(frame, size=60, seed=2, measures=("one", "two"), **design) for frame in (TABLE, table)
    )
    assert after.table.rows() == before.table.rows()
    assert to_json(after.strata) == to_json(before.strata)


@each_time
def test_evaluations_stay(table):
    options = {"measures": ["one", "two"], "n": [20, 50, 100, 200]}
    before, after = (concurrence.evaluate(frame, GOLD, **options) for frame in (TABLE, table))
    assert any(curve.ties for curve in before.measures.values())
    assert to_json(after) == to_json(before)


@each_time
def test_evaluations_of_a_sample_stay(table):
    sample = concurrence.draw_sample(TABLE, size=150, seed=2, measures=("one", "two"), design="strata", best=(50, 100))
    some = GOLD.join(sample.table.select("l1", "l2"), on=["l1", "l2"], how="semi")
    before, after = (
        concurrence.evaluate(frame, some, measures=["one", "two"], sample=sample) for frame in (TABLE, table)
    )
    assert to_json(after) == to_json(before)


@each_time
def test_a_learned_ranking_stays(table):
    before, after = (concurrence.evaluate(frame, GOLD, measures=["one", "two"], learn=True) for frame in (TABLE, table))
    assert to_json(after.learned) == to_json(before.learned)
    assert after.measures["learned"].precision.tolist() == before.measures["learned"].precision.tolist()


@each_time
def test_benchmarks_stay(table):
    judgements = Judgements(verdicts=TRUE.astype(np.int8))
    options = BenchmarkOptions(n=(20, 50, 100), clusters=None, level=0.95, draws=99, seed=0)
    before, after = (
        benchmark_list(frame, judgements, ["one", "two"], options, key=("l1", "l2")) for frame in (TABLE, table)
    )
    assert to_json(after) == to_json(before)


@each_time
def test_tables_in_the_order_of_a_score_stay(table):
    words = KEYS["l1"]
    for frame in (TABLE, table):
        assert best_first(frame, "one")["l1"].to_list() == best_first(TABLE, "one")["l1"].to_list()
    contrasts = [
        contrast_order(pl.DataFrame({"word": words, "f_a": 5, "f_b": 5, "log_ratio": frame["one"]}), "log_ratio", 50, 0)
        for frame in (TABLE, table)
    ]
    assert contrasts[0]["word"].to_list() == contrasts[1]["word"].to_list()
    listed = [
        word_order({"f": np.arange(SIZE) // 9, "dp": np.abs(frame["one"].to_numpy())}, words, "dp", 50, 0)
        for frame in (TABLE, table)
    ]
    assert listed[0].tolist() == listed[1].tolist()


# What is 1 to a mathematician is 1 or a bit less or more than 1 to a computer.
ONES = "ones = (O11 * 0.1 * 3) / (O11 * 0.3)"
SENTENCES = [["a", word] for k, word in enumerate("bcdefghi", start=1) for _ in range(k * k % 11)]


def test_the_formula_is_noise():
    pairs = concurrence.score(concurrence.count_pairs(Corpus.from_sentences(SENTENCES)), [], define=[ONES])
    values = pairs.table["ones"]
    assert values.n_unique() > 1
    assert values.to_numpy() == pytest.approx(1)


def by_frequency(rows):
    return sorted(rows, key=lambda row: (-row.f, row.word))


def test_collocates_with_equal_scores_stand_by_frequency():
    found = concurrence.collocates(Corpus.from_sentences(SENTENCES), "a", measures=[], define=[ONES]).collocates
    assert len({row.scores["ones"] for row in found}) > 1
    assert list(found) == by_frequency(found)


def test_the_words_of_a_sketch_with_equal_scores_stand_by_frequency():
    word = {"pos": "X", "form": "a"}
    trees = [
        [
            {**word, "lemma": first, "head": 0, "deprel": "root"},
            {**word, "form": second, "lemma": second, "head": 1, "deprel": "obj"},
        ]
        for first, second in SENTENCES
    ]
    result = concurrence.sketch(concurrence.read_corpus(table_of(trees)), "a", measures=[], define=[ONES])
    (rows,) = result.relations.values()
    assert len({row.scores["ones"] for row in rows}) > 1
    assert list(rows) == by_frequency(rows)
