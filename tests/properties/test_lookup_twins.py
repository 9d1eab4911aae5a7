"""Collocates and concordances against loops over made corpora with documents, and against counting on treebanks."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.api.counting import count_pairs
from concurrence.api.words import collocates, kwic
from concurrence.core.corpus import Corpus, Documents
from concurrence.core.layers import Layer
from concurrence.core.query import parse_query
from concurrence.corpus.reader import read_corpus
from support.query_twins import ends, passes

FORMS = {"a": ("A", "a"), "b": ("b",), "c": ("c", "C"), "d": ("d",)}
"""The forms of each lemma."""

WORDS = st.sampled_from(
    [{"form": form, "lemma": lemma, "pos": tag} for lemma, forms in FORMS.items() for form in forms for tag in "NV"]
)
DOCUMENTS = st.lists(st.lists(st.lists(WORDS, min_size=1, max_size=7), min_size=1, max_size=3), min_size=1, max_size=4)
QUERIES = ('[lemma="a"]', '[lemma="a" & pos="N"]', '"b" "c"', '[pos="V"] []{0,2} [lemma="a"]', '"a" | "b" []? "d"')
SPANS = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any)
SIGNATURE = ("f", "f1", "f2", "N", "n1", "n2")


def tokens_of(documents):
    """The documents as tokens with forms, lemmas and tags; their names are d0, d1 …"""
    sentences = [sentence for document in documents for sentence in document]
    layers = {name: Layer.of([[word[name] for word in sentence] for sentence in sentences]) for name in sentences[0][0]}
    sizes = [sum(len(sentence) + 1 for sentence in document) for document in documents]
    names = tuple(f"d{number}" for number in range(len(documents)))
    documents = Documents(starts=np.cumsum(sizes) - sizes, names=names)
    return Corpus(layers=layers, documents=documents)


def matches_in(query, words):
    """The shortest match at every start of a sentence."""
    found = []
    for start in range(len(words)):
        reached = [end for end in ends(query.pattern, words, start) if end > start]
        found += [(start, min(reached))] if reached else []
    return found


def slow_collocates(documents, query, left, right, unit, tags):
    """The counts of every collocate, position by position."""
    counts, totals, seen = {}, {}, {}
    near_all = nodes = outside = 0
    for number, document in enumerate(documents):
        for words in document:
            matches = matches_in(query, words)
            nodes += len(matches)
            inside = {place for start, end in matches for place in range(start, end)}
            near = {
                place
                for start, end in matches
                for place in (*range(start - left, start), *range(end, end + right))
                if 0 <= place < len(words)
            } - inside
            for place, word in enumerate(words):
                if tags and word["pos"] not in tags:
                    continue
                own = word[unit]
                everywhere, free = totals.get(own, (0, 0))
                totals[own] = (everywhere + 1, free + (place not in inside))
                outside += place not in inside
                if place in near:
                    near_all += 1
                    counts[own] = counts.get(own, 0) + 1
                    seen.setdefault(own, set()).add(number)
    return {
        word: (f, near_all, totals[word][1], outside, nodes, totals[word][0], len(seen[word]))
        for word, f in counts.items()
    }


@given(DOCUMENTS, st.sampled_from(QUERIES), SPANS, st.sampled_from(["form", "lemma"]), st.sampled_from([(), ("N",)]))
def test_collocates_are_those_of_a_loop_over_positions(documents, query, span, unit, tags):
    found = collocates(tokens_of(documents), query, span=span, unit=unit, pos=tags)
    expected = slow_collocates(documents, parse_query(query, attribute=unit), *span, unit, tags)
    assert {row.word: (row.f, row.f1, row.f2, row.N, row.n1, row.n2, row.range) for row in found.collocates} == expected


@given(DOCUMENTS, st.sampled_from((*QUERIES, "a", "b c", "*")))
def test_lines_are_those_of_a_loop_over_sentences(documents, query):
    found = kwic(tokens_of(documents), query, lines=None)
    expected, number = [], 0
    for name, document in enumerate(documents):
        for words in document:
            number += 1
            forms = [word["form"] for word in words]
            expected += [
                (f"d{name}", number, " ".join(forms[:start]), " ".join(forms[start:end]), " ".join(forms[end:]))
                for start, end in matches_in(parse_query(query), words)
            ]
    lines = [(line.document, line.sentence, line.left.strip(), line.node, line.right.strip()) for line in found.lines]
    assert lines == expected
    assert found.total == len(expected)


def slow_pairs(words, first, second, rule):
    """Where two tests hold together in a sentence: pairs of places, or for a window the collocate with its node."""
    name, _, span = rule.partition(":")
    ones, twos = ([place for place, word in enumerate(words) if passes(test, word)] for test in (first, second))
    pairs = [(i, j) for i in ones for j in twos]
    if name in ("adjacent", "window-pairs"):
        return [(i, j) for i, j in pairs if 1 <= j - i <= int(span or 1)]
    other = [(i, j) for i, j in pairs if words[i]["form"] != words[j]["form"]]
    if name == "sentence":
        return other[:1]
    near = [(abs(i - j), i, j) for i, j in other if abs(i - j) <= int(span)]
    return [min(entry for entry in near if entry[2] == j)[1:] for j in {j for _, _, j in near}]


RULES = ("adjacent", "window:1", "window:3", "window-pairs:2", "sentence")
TOKENS = ('[lemma="a"]', '[pos="N"]', '[word="a|b"]', "a", "*", '[lemma!="c"]')


@given(DOCUMENTS, st.sampled_from(TOKENS), st.sampled_from(TOKENS), st.sampled_from(RULES))
def test_pairs_of_queries_are_those_of_a_loop_over_pairs(documents, first, second, rule):
    found = kwic(tokens_of(documents), first, second, rule=rule, lines=None)
    tests = [parse_query(query).single for query in (first, second)]
    expected, number = [], 0
    for document in documents:
        for words in document:
            number += 1
            places = slow_pairs(words, *tests, rule)
            if rule == "sentence":
                assert sum(line.sentence == number for line in found.lines) == len(places)
            expected += [(number, *sorted(pair)) for pair in places]
    assert found.total == len(expected)
    if rule != "sentence":
        spans = [
            (line.sentence, len(line.left.split()), len((line.left + line.node).split()) - 1) for line in found.lines
        ]
        assert spans == sorted(expected)


@pytest.mark.parametrize(
    ("corpus", "unit", "nodes"),
    [
        ("corpora/en_ewt.conllu.gz", "form", ("strong", "the", "I")),
        ("corpora/en_ewt.conllu.gz", "lemma", ("take", "coffee")),
        ("corpora/de_gsd-ud-test.conllu", "lemma", ("Jahr", "der", "groß")),
        ("corpora/de_gsd-ud-dev.conllu", "lemma_pos", ("sein_AUX", "Jahr_NOUN")),
    ],
)
def test_on_treebanks_collocates_and_lines_are_what_pairs_counts(data_set, corpus, unit, nodes):
    tokens = read_corpus(data_set(corpus))
    for rule in ("window:2", "window:5"):
        table = count_pairs(tokens, rule=rule, unit=unit).table
        for node in nodes:
            rows = {row["l2"]: tuple(row[name] for name in SIGNATURE)
                    for row in table.filter(pl.col("l1") == node).iter_rows(named=True)}  # fmt: skip
            found = collocates(tokens, node, unit=unit, span=int(rule[7:]), measures="frequency").collocates
            assert rows
            assert {row.word: tuple(getattr(row, name) for name in SIGNATURE) for row in found} == rows
            word = found[0].word
            assert kwic(tokens, node, word, rule=rule, unit=unit, lines=1).total == found[0].f
