from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import draw_sample, extend_sample, read_sample
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.ranking import rank_candidates
from concurrence.sampling.frame import allocate
from support.examples import examples


def candidates(size=400, seed=1):
    rng = np.random.default_rng(seed)
    shared = rng.standard_normal(size)
    return pl.DataFrame(
        {
            "l1": [f"w{i:03}" for i in range(size)],
            "l2": "x",
            "A": shared + rng.standard_normal(size),
            "B": (shared + rng.standard_normal(size)).round(),  # many ties
        }
    )


FRAME = candidates()
DESIGNS = {
    "simple": {"design": "simple"},
    "union": {"design": "union", "best": (50, 100), "measures": ("A", "B")},
    "cells": {"design": "strata", "best": (25, 50, 100), "measures": ("A", "B")},
    "bands": {"design": "strata", "best": (25, 50, 100), "measures": ("A", "B"), "strata": "bands"},
    "difference": {"design": "difference", "best": (100,), "measures": ("A", "B")},
}
every_design = pytest.mark.parametrize("options", DESIGNS.values(), ids=DESIGNS)


@every_design
def test_rows_carry_their_probability(options):
    sample = draw_sample(FRAME, size=80, seed=3, **options)
    assert len(sample) == sample.size == 80
    for row in sample.table.iter_rows(named=True):
        assert row["probability"] == sample.strata[row["stratum"]].rate
        assert row["weight"] == 1 / row["probability"]
    assert sample.table.columns == ["l1", "l2", "part", "stratum", "probability", "weight"]


@every_design
def test_the_order_of_the_file_does_not_matter(options):
    shuffled = FRAME.sample(fraction=1, shuffle=True, seed=5)
    one, other = (draw_sample(frame, size=60, seed=4, **options).table for frame in (FRAME, shuffled))
    assert one.equals(other)
    assert not one.equals(draw_sample(FRAME, size=60, seed=5, **options).table)


@every_design
def test_every_candidate_is_drawn_as_often_as_its_probability_says(options):
    counts, chances = Counter(), {}
    for seed in range(60):
        table = draw_sample(FRAME.with_columns(B=-pl.col("A")), size=80, seed=seed, **options).table
        counts.update(table["l1"].to_list())
        chances.update(zip(table["l1"].to_list(), table["probability"].to_list(), strict=True))
    for word, chance in chances.items():
        spread = (chance * (1 - chance) / 60) ** 0.5
        assert abs(counts[word] / 60 - chance) <= 5 * spread + 1e-12


def test_union_draws_from_the_lists_alone():
    sample = draw_sample(FRAME, size=80, seed=9, **DESIGNS["union"])
    ranks = [ranking.ranks for ranking in rank_candidates(FRAME, ["A", "B"], seed=9).values()]
    lists = set(FRAME.filter(pl.Series((np.array(ranks) <= 100).any(axis=0)))["l1"])
    assert set(sample.table["l1"]) <= lists
    assert sample.strata["union"].size == len(lists)


def test_small_lists_are_judged_nearly_in_full_and_the_rest_thinly():
    sample = draw_sample(FRAME, size=120, seed=0, **DESIGNS["bands"])
    rates = {name: stratum.rate for name, stratum in sample.strata.items()}
    assert rates["25"] == 1
    assert rates["25"] >= rates["50"] >= rates["100"] > rates["-"] > 0


def test_presentation_order_is_random():
    words = draw_sample(FRAME, size=100).table["l1"].to_list()
    assert words != sorted(words)


@pytest.mark.parametrize(("parts", "overlap", "common"), [(4, 0.2, 20), (3, 0.0, 0), (1, 1.0, 100), (7, 0.13, 13)])
def test_parts_are_equal_and_the_overlap_goes_to_everybody(parts, overlap, common):
    labels = Counter(draw_sample(FRAME, size=100, parts=parts, overlap=overlap).table["part"].to_list())
    assert labels.pop("all", 0) == common
    assert sum(labels.values()) == 100 - common
    if labels:
        assert set(labels) == {str(part) for part in range(1, parts + 1)}
        assert max(labels.values()) - min(labels.values()) <= 1


def test_with_replacement_a_candidate_is_shown_once():
    sample = draw_sample(FRAME, size=300, replacement=True)
    assert sample.table["multiplicity"].sum() == sample.size == 300
    assert len(sample) < 300
    assert sample.table["probability"][0] == pytest.approx(1 - (1 - 1 / 400) ** 300)
    with pytest.raises(InvalidInputError, match="needs the design 'simple'"):
        draw_sample(FRAME, size=30, replacement=True, **DESIGNS["union"])


@every_design
def test_an_extended_sample_keeps_what_was_drawn_and_stays_a_sample(options):
    first = draw_sample(FRAME, size=60, seed=2, parts=3, **options)
    shuffled = FRAME.sample(fraction=1, shuffle=True, seed=5)
    more = extend_sample(first, shuffled, size=90, seed=8)
    assert len(more) == 90
    assert more.table.head(60).select("l1", "part").equals(first.table.select("l1", "part"))
    assert all(more.strata[name].sampled >= stratum.sampled for name, stratum in first.strata.items())
    assert set(more.table["part"]) == {"1", "2", "3"}


def test_extending_draws_every_candidate_of_the_list_equally_often():
    counts = Counter()
    for seed in range(60):
        first = draw_sample(FRAME.head(20), size=5, seed=seed)
        counts.update(extend_sample(first, FRAME.head(20), size=10, seed=seed).table["l1"].to_list())
    assert all(abs(count / 60 - 0.5) < 5 * (0.25 / 60) ** 0.5 for count in counts.values())


def test_a_sample_with_replacement_can_be_extended():
    first = draw_sample(FRAME, size=100, replacement=True)
    more = extend_sample(first, FRAME, size=150)
    assert more.table["multiplicity"].sum() == 150


def test_extending_from_other_candidates_is_refused():
    first = draw_sample(FRAME, size=60, **DESIGNS["bands"])
    for other in (FRAME.head(399), FRAME.with_columns(A=-pl.col("A"))):
        with pytest.raises(InvalidInputError, match=r"other candidates|another stratum"):
            extend_sample(first, other, size=90)
    with pytest.raises(InvalidInputError, match="already has 60"):
        extend_sample(first, FRAME, size=60)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "either a size or a rate"),
        ({"size": 5, "rate": 0.1}, "either a size or a rate"),
        ({"rate": 0.0}, "above 0"),
        ({"size": 401}, "Cannot draw 401 candidates: there are only 400 in the list"),
        ({"size": 5, "design": "union"}, "needs measures"),
        ({"size": 5, "design": "onion", "measures": ["A"]}, "Did you mean 'union'"),
        ({"size": 5, "measures": ["C"]}, "'C'"),
        ({"size": 5, "design": "union", "measures": ["A"], "best": [500]}, "List sizes must lie between 1 and 400"),
        ({"size": 5, "design": "strata", "measures": ["A", "B"], "best": [25, 50, 100]}, "--strata bands"),
        ({"size": 5, "parts": 0}, "at least one part"),
        ({"size": 5, "overlap": 1.5}, "overlap"),
        ({"size": 5, "key": ["l3"]}, "no column 'l3'"),
        ({"size": 5, "key": ["l2"]}, "occurs twice"),
    ],
)
def test_impossible_draws_are_refused_in_a_sentence(options, words):
    with pytest.raises(InvalidInputError, match=words):
        draw_sample(FRAME, **options)


@given(st.lists(st.tuples(st.integers(1, 200), st.floats(0.01, 100)), min_size=1, max_size=12), st.data())
@examples(100)
def test_allocation_spends_the_budget_within_bounds_and_follows_importance(strata, data):
    sizes, importance = np.array([s for s, _ in strata]), np.array([w for _, w in strata])
    least = np.minimum(sizes, 2)
    total = data.draw(st.integers(int(least.sum()), int(sizes.sum())))
    given_ = allocate(sizes, importance, total, least=least)
    assert given_.sum() == total
    assert (least <= given_).all()
    assert (given_ <= sizes).all()
    inner = (given_ > least) & (given_ < sizes)
    if inner.sum() > 1:
        levels = given_[inner] / importance[inner]
        assert (levels.max() - levels.min()) <= 2 / importance[inner].min() + 1e-9


@pytest.fixture
def scored(tmp_path):
    FRAME.write_csv(tmp_path / "scored.csv")
    return tmp_path / "scored.csv"


def test_the_command_writes_the_sample_and_says_what_it_buys(concur, scored, tmp_path):
    out = tmp_path / "sample.csv"
    options = (
        "--size",
        "120",
        "--design",
        "strata",
        "--best",
        "25,50,100",
        "-m",
        "A,B",
        "--parts",
        "2",
        "--overlap",
        "10%",
    )
    done = concur("sample", scored, *options, "-o", out, "--json")
    payload = done.json
    assert (done.code, done.err) == (0, f"seed: 0\nWritten to {out}.\n")
    assert payload["design"] == "strata"
    designs = {(row["design"], row["strata_by"]) for row in payload["expected"]}
    assert designs == {("simple", None), ("union", None), ("strata", "bands"), ("strata", "cells")}
    widths = {(row["design"], row["strata_by"]): row["width"] for row in payload["expected"] if row["n"] == 25}
    assert widths["strata", "bands"] == 0 < widths["union", None] < widths["simple", None]
    assert all(row["candidates"] == 2 * (row["n"] - row["overlap"]) for row in payload["difference_sets"])
    sample = read_sample(out)
    assert sample.table.columns == ["l1", "l2", "part", "stratum", "probability", "weight"]
    assert len(sample) == 120 == len(payload["sample"])
    more = concur("sample", scored, "--size", "150", "--extend", out, "-o", tmp_path / "more.csv")
    assert more.code == 0
    assert "150 of 400 candidates, design strata" in more.out
    assert len(read_sample(tmp_path / "more.csv")) == 150


def test_difference_sets_that_fit_are_offered(concur, scored):
    out = concur("sample", scored, "--size", "115", "--design", "union", "--best", "100", "-m", "A,B").out
    assert "judging both difference sets in full" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "either a size or a rate"),
        (["--rate", "110%"], "a share must lie between"),
        (["--rate", "ten"], "a share must lie between"),
        (["--size", "5", "-m", "t_scor"], "no column of scores 't_scor'"),
        (["--size", "5", "--best", "a"], "whole numbers above 0"),
        (["--size", "5", "--strata", "bands"], "need the design 'strata', not 'simple'"),
        (["--size", "5", "--extend", "nowhere.csv"], "nowhere.csv does not exist"),
        (["--size", "50", "--design", "union", "-m", "l2"], "l2"),
    ],
)
def test_bad_calls_are_one_sentence(concur, scored, tmp_path, arguments, words):
    out = tmp_path / "out.csv"
    done = concur("sample", scored, *arguments, "-o", out)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not out.exists()
