"""Rankings that make ranks only where they are needed, against rankings of the whole list."""

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from concurrence.core.candidates import find_places
from concurrence.kernels.ranking import Ranking, TieBreak, key_order, rank_candidates
from concurrence.kernels.strata import bands_of_best_rank, membership_cells, strata_of
from support.ranking_twins import WholeRanking, ranking_of, run_ends, whole_ranks

VALUES = st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 2.5, 3.0])
SCORES = st.lists(VALUES, min_size=1, max_size=30)
WORDS = st.text(st.characters(codec="utf-8"), max_size=3)


def keys_of(size):
    return pl.DataFrame({"l1": [f"w{(7 * i) % 31:02d}" for i in range(size)]})


def both(values, seed):
    """The same order, with all its ranks and without."""
    ties = TieBreak(keys=keys_of(len(values)))
    whole = WholeRanking(ranks=whole_ranks(values, seed=seed, order=ties.order), run_ends=run_ends(values))
    return whole, Ranking(scores=np.array(values), ties=ties, seed=seed)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_keys_are_sorted_by_code_point(rows):
    keys = pl.DataFrame(rows, schema=["l1", "l2"], orient="row")
    obvious = sorted(range(len(rows)), key=lambda i: tuple(word.encode() for word in rows[i]))
    assert [rows[i] for i in key_order(keys)] == [rows[i] for i in obvious]


def test_keys_that_are_no_text_are_sorted_as_polars_sorts_them():
    assert key_order(pl.DataFrame({"a": [10, 9, None]})).tolist() == [2, 1, 0]
    assert key_order(pl.DataFrame({"a": ["b", None, "a"]})).tolist() == [1, 2, 0]


@given(SCORES, st.integers(0, 3))
def test_an_order_that_is_averaged_has_the_runs_and_lists_of_the_ranking(values, seed):
    whole, order = both(values, seed)
    n = np.arange(1, len(values) + 1)
    inner, outer = whole.runs(n)
    cuts = order.cuts(n)
    assert [cuts.inner.tolist(), cuts.outer.tolist()] == [inner.tolist(), outer.tolist()]
    assert [part.tolist() for part in order.run_of(n)] == [part.tolist() for part in whole.run_of(n)]
    assert [part.tolist() for part in order.levels(inner, outer)] == [p.tolist() for p in whole.levels(inner, outer)]
    assert order.ranks_of(n - 1).tolist() == whole.run_ends[whole.ranks - 1].tolist()


@given(SCORES, st.integers(0, 3), st.data())
def test_an_order_with_broken_ties_has_the_ranks_of_the_ranking(values, seed, data):
    whole, order = both(values, seed)
    untied, broken = WholeRanking.untied(whole.ranks), order.as_broken()
    rows = np.array(data.draw(st.lists(st.integers(0, len(values) - 1), unique=True)), dtype=np.int64)
    assert broken.ranks_of(rows).tolist() == whole.ranks[rows].tolist()
    sizes = np.unique(data.draw(st.lists(st.integers(1, len(values)), min_size=1)))
    assert broken.levels(sizes)[0].tolist() == untied.levels(sizes)[0].tolist()
    chosen = np.zeros(len(values), dtype=bool)
    chosen[rows] = True
    first = min(whole.ranks[rows].tolist(), default=len(values) + 1)
    assert broken.first_rank(chosen) == first


@given(SCORES, st.integers(0, 3), st.data())
def test_top_ranks_are_those_of_the_whole_list(values, seed, data):
    within = data.draw(st.integers(1, len(values)))
    expected = np.minimum(whole_ranks(values, seed=seed), within + 1)
    best = replace(ranking_of(values, seed=seed), within=within)
    assert best.ranks.tolist() == expected.tolist()
    assert best.best_first.tolist() == np.argsort(whole_ranks(values, seed=seed))[:within].tolist()


@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=25), st.data())
def test_rankings_within_a_list_size_agree_with_whole_ones(rows, data):
    table = keys_of(len(rows)).with_columns(a=pl.Series([a for a, _ in rows]), b=pl.Series([b for _, b in rows]))
    within = data.draw(st.integers(1, len(rows) - 1))
    whole, part = (
        np.array([one.ranks for one in rank_candidates(table, ["a", "b"], key=["l1"], seed=2, within=most).values()])
        for most in (None, within)
    )
    assert part.tolist() == np.minimum(whole, within + 1).tolist()
    sizes = sorted({data.draw(st.integers(1, within)), within})
    obvious = {
        ("strata", "cells"): membership_cells(whole, sizes),
        ("strata", "bands"): bands_of_best_rank(whole, sizes),
        ("union", "cells"): np.where((whole <= within).any(axis=0), "union", ""),
        ("simple", "cells"): np.full(len(rows), "all"),
    }
    for (design, by), expected in obvious.items():
        names, stratum = strata_of(part, population=len(rows), design=design, sizes=sizes, by=by)
        assert [names[number] if number >= 0 else "" for number in stratum] == expected.tolist()
        assert list(names) == sorted(set(expected.tolist()) - {""})


def test_places_of_a_short_table_in_a_long_one():
    keys = pl.DataFrame({"l1": list("abcd"), "l2": "x"})
    places = find_places(pl.DataFrame({"l1": ["d", "e", "a", "d"], "l2": "x"}), keys)
    assert places.to_list() == [3, None, 0, 3]
