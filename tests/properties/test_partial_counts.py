"""Counts of parts, merged, are the counts of the whole."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import read_corpus
from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.counting import partial as partial_module
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.drop_patterns import parse_patterns
from concurrence.counting.partial import SCHEMA, PartialCounts, merge_parts, partial_chunks, partial_details
from concurrence.counting.stream import Filters
from support.counting_twins import SENTENCES
from support.examples import examples
from support.treebanks import TREEBANKS, table_of

RULES = ("adjacent", "window:1", "window:3", "window-pairs:2", "sentence")
FEWER = examples(25)  # each counts several times
PATTERNS = ("pos:NOUN VERB", "pos:ADJ NOUN", "dep:obj", "dep:obl", "within:s", "within:clause")


def part_of(counts, name):
    rows = pl.concat([pl.DataFrame(schema=SCHEMA), *partial_chunks(counts)])
    details = partial_details(counts)
    return PartialCounts(name=name, rows=rows.lazy(), counted=counts.counted, **details)


def same_counts(one, other):
    assert one.pairs().table.rows() == other.pairs().table.rows()
    assert one.schema == other.schema
    assert one.sample_size == other.sample_size
    assert one.spectrum == other.spectrum
    assert replace(one.counted, corpus=()) == replace(other.counted, corpus=())
    assert one.dropped == other.dropped


def check(corpora, whole, how, least, *, patterns=()):
    """Count each corpus, merge the counts, and compare them with those of the whole."""
    parts = [part_of(count_to_rows(tokens, how), str(k)) for k, tokens in enumerate(corpora)]
    final = CountOptions(rule=how.rule, unit=how.unit, filters=how.filters, min_freq=least, patterns=patterns)
    same_counts(merge_parts(parts, min_freq=least, patterns=patterns), count_to_rows(whole, final))
    first = merge_parts(parts[:1])
    again = [part_of(first, "first"), *parts[1:]]
    same_counts(merge_parts(again, min_freq=least, patterns=patterns), count_to_rows(whole, final))


@pytest.mark.parametrize("rule", RULES)
@FEWER
@given(first=SENTENCES, second=SENTENCES, least=st.integers(1, 3), stop=st.sets(st.sampled_from(["a", "zz"])))
def test_two_halves_merged_are_the_whole(rule, first, second, least, stop):
    how = CountOptions(rule=rule, filters=Filters(stop=frozenset(stop)))
    corpora = [Corpus.from_sentences(text) for text in (first, second)]
    check(corpora, Corpus.from_sentences(first + second), how, least, patterns=parse_patterns(["l1: ^b$"]))


@pytest.mark.parametrize("rule", PATTERNS)
@FEWER
@given(first=TREEBANKS, second=TREEBANKS, least=st.integers(1, 2))
def test_two_halves_of_a_treebank_merged_are_the_whole(rule, first, second, least):
    corpora = [read_corpus(table_of(half)) for half in (first, second)]
    how = CountOptions(rule=rule, unit="lemma")
    check(corpora, read_corpus(table_of(first + second)), how, least)


@pytest.mark.parametrize("rule", RULES)
@FEWER
@given(first=SENTENCES, second=SENTENCES)
def test_short_stretches_give_the_same(rule, first, second):
    parts = [
        part_of(count_to_rows(Corpus.from_sentences(text), CountOptions(rule=rule)), str(k))
        for k, text in enumerate((first, second))
    ]
    usual, rows = merge_parts(parts), partial_module.ROWS_AT_ONCE
    partial_module.ROWS_AT_ONCE = 2
    try:
        same_counts(merge_parts(parts), usual)
    finally:
        partial_module.ROWS_AT_ONCE = rows


def test_parts_that_were_counted_otherwise_are_refused():
    text = [["a", "b"]]
    one, two = (
        part_of(count_to_rows(Corpus.from_sentences(text), CountOptions(rule=rule)), rule)
        for rule in ("adjacent", "sentence")
    )
    with pytest.raises(InvalidInputError, match=r"different ways \(rule: adjacent and sentence\)"):
        merge_parts([one, two])
