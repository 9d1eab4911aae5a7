"""Each rule counts what an obvious query counts; and what must hold of any count."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.api.counting import count_pairs
from concurrence.core.corpus import Corpus
from concurrence.core.spill import Spill
from concurrence.counting.count import CountOptions, count_to_rows
from support.counting_twins import INSIDE_WINDOWS, PAIRS_BY_DISTANCE, SAME_SENTENCE, SENTENCES, count_by_sql

RULES = ("adjacent", "window:1", "window:3", "window-pairs:2", "window-pairs:5", "sentence")
SPANS = st.integers(1, 6)


def rows(sentences, rule, **options):
    return count_pairs(Corpus.from_sentences(sentences), rule=rule, **options).table.rows()


@given(SENTENCES)
def test_neighbours_are_those_of_the_obvious_query(sentences):
    assert rows(sentences, "adjacent") == count_by_sql(PAIRS_BY_DISTANCE, sentences, span=1)


@given(SENTENCES, SPANS)
def test_window_pairs_are_those_of_the_obvious_query(sentences, span):
    assert rows(sentences, f"window-pairs:{span}") == count_by_sql(PAIRS_BY_DISTANCE, sentences, span=span)


@given(SENTENCES, SPANS)
def test_surface_counts_are_those_of_the_obvious_query(sentences, span):
    assert rows(sentences, f"window:{span}") == count_by_sql(INSIDE_WINDOWS, sentences, span=span)


@given(SENTENCES)
def test_sentence_counts_are_those_of_the_obvious_query(sentences):
    assert rows(sentences, "sentence") == count_by_sql(SAME_SENTENCE, sentences)


@given(SENTENCES, st.sets(st.sampled_from(["a", "b", "zz"])), SPANS)
def test_a_stop_list_removes_tokens_and_keeps_positions(sentences, stop, span):
    for rule, query in (
        (f"window-pairs:{span}", PAIRS_BY_DISTANCE),
        (f"window:{span}", INSIDE_WINDOWS),
        ("sentence", SAME_SENTENCE),
    ):
        assert rows(sentences, rule, stop=stop) == count_by_sql(query, sentences, removed=stop, span=span)


@pytest.mark.parametrize("rule", RULES)
@given(sentences=SENTENCES, k=st.integers(2, 4))
def test_a_corpus_repeated_k_times_has_k_times_the_counts(rule, sentences, k):
    once, often = (count_pairs(Corpus.from_sentences(text), rule=rule).table for text in (sentences, sentences * k))
    assert once.with_columns(pl.selectors.numeric() * k).rows() == often.rows()


@pytest.mark.parametrize("rule", RULES)
@given(sentences=SENTENCES)
def test_no_pair_crosses_a_sentence(rule, sentences):
    marked = [[f"{word}{n}" for word in sentence] for n, sentence in enumerate(sentences)]
    assert all(l1.lstrip("abcdéZz\U0001f600") == l2.lstrip("abcdéZz\U0001f600") for l1, l2, *_ in rows(marked, rule))


@pytest.mark.parametrize("rule", RULES)
@given(sentences=SENTENCES, least=st.integers(1, 4))
def test_a_threshold_removes_rows_and_leaves_the_rest_untouched(rule, sentences, least):
    everything = rows(sentences, rule)
    assert rows(sentences, rule, min_freq=least) == [row for row in everything if row[2] >= least]


@pytest.mark.parametrize("rule", RULES)
@given(sentences=SENTENCES)
def test_the_spectrum_covers_all_pairs_before_the_threshold(rule, sentences):
    counts = count_to_rows(Corpus.from_sentences(sentences), CountOptions(rule=rule, min_freq=3))
    frequencies = [row[2] for row in rows(sentences, rule)]
    expected = {"1": frequencies.count(1), "2": frequencies.count(2), "3+": sum(f >= 3 for f in frequencies)}
    assert {level.f: level.pairs for level in counts.spectrum} == expected


@pytest.mark.parametrize("rule", RULES)
def test_spilling_and_partitioning_change_nothing(rule, tmp_path, monkeypatch):
    from concurrence.counting import local, runs

    monkeypatch.setattr(local, "_rows_at_once", lambda spill, cores: 7)
    monkeypatch.setattr(local, "_positions_at_once", lambda spill: 5)
    monkeypatch.setattr(runs, "CHUNK_ROWS", 3)
    tokens = Corpus.from_sentences([list("abcabcaab"), list("dcba"), list("aaab")] * 40)
    spilled = count_to_rows(tokens, CountOptions(rule=rule), spill=Spill(budget=8, folder=tmp_path))
    assert list(tmp_path.iterdir())
    table = pl.concat(list(spilled.chunks(rows=3)))
    monkeypatch.undo()
    assert table.rows() == count_pairs(tokens, rule=rule).table.rows()
