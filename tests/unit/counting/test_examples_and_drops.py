"""Example sentences, dropped pairs, concordances."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import count_pairs
from concurrence.api.words import kwic
from concurrence.core.corpus import Corpus
from support.counting_twins import SENTENCES

RULES = ("adjacent", "window:2", "window-pairs:3", "sentence")


def together(words, l1, l2, rule):
    """Whether a sentence has the pair, by a loop."""
    name, _, span = rule.partition(":")
    reach = {"adjacent": 1, "sentence": 10**6}.get(name) or int(span)
    for i, a in enumerate(words):
        for j, b in enumerate(words):
            if {a, b} != {l1, l2} or i == j or abs(i - j) > reach:
                continue
            if name in ("window", "sentence") or (i < j and (a, b) == (l1, l2)):
                return True
    return False


@pytest.mark.parametrize("rule", RULES)
@given(sentences=SENTENCES, seed=st.integers(0, 3))
def test_examples_are_the_sentences_with_the_smallest_hashes(rule, sentences, seed):
    table = count_pairs(Corpus.from_sentences(sentences), rule=rule, examples=2, seed=seed).table
    for l1, l2, *_, examples in table.rows():
        texts = {" ".join(words) for words in sentences if together(words, l1, l2, rule)}
        ordered = sorted(texts, key=lambda text: hashlib.md5(f"{seed}\t{text}".encode()).hexdigest()[:15])
        assert examples == ordered[:2]


def test_patterns_drop_pairs_and_tell_how_many(concur, tmp_path):
    corpus, drop, gold = tmp_path / "c.txt", tmp_path / "drop.txt", tmp_path / "gold.csv"
    corpus.write_text("am Montag kommen\nam Dienstag gehen\nin Frage stellen\n")
    drop.write_text("# weekdays\nl2: tag$\n\n^Montag$\nl1: ^tag\n")
    gold.write_text("l1,l2,tp\nam,Montag,1\nMontag,kommen,0\nam,Dienstag,yes\n")
    options = ("--drop-pairs", drop, "--gold", gold, "--json", "-o", tmp_path / "p.csv")
    found = concur("pairs", corpus, *options).json
    assert found["dropped"] == [
        {"pattern": "l2: tag$", "pairs": 2, "true_positives": 2},
        {"pattern": "^Montag$", "pairs": 1, "true_positives": 0},
        {"pattern": "l1: ^tag", "pairs": 0, "true_positives": 0},
    ]
    assert found["pairs"] == 3
    assert (tmp_path / "p.csv").read_text().splitlines()[1] == "Dienstag,gehen,1,1,1,6"
    drop.write_text("ok\n(\n")
    refused = concur("pairs", corpus, "--drop-pairs", drop)
    assert (refused.code, "line 2" in refused.err) == (2, True)


def test_a_concordance_shows_each_occurrence(concur, tmp_path):
    corpus = tmp_path / "c.txt"
    corpus.write_text("a red rose\nrose , red\nred red x rose rose\nno\n")
    by_rule = {"adjacent": 1, "window:2": 3, "window-pairs:3": 4, "sentence": 3}
    for rule, expected in by_rule.items():
        found = concur("kwic", corpus, "red", "rose", "--rule", rule, "--json").json
        assert (rule, found["total"], len(found["lines"])) == (rule, expected, expected)
    first = concur("kwic", corpus, "red", "rose", "--rule", "adjacent", "--json").json["lines"][0]
    assert first == {"document": "c.txt", "sentence": 1, "left": "a ", "node": "red rose", "right": ""}
    shown = concur("kwic", corpus, "red", "rose", "--lines", "1").out
    assert "1 shown" in shown
    assert "red rose" in shown
    assert concur("kwic", corpus, "red", "nothing").out.startswith("red and nothing never occur together")


def test_concordance_totals_are_the_counted_frequencies():
    tokens = Corpus.from_sentences([list("abcabca"), list("cab"), list("bbaa")])
    for rule in RULES:
        for l1, l2, f, *_ in count_pairs(tokens, rule=rule).table.rows():
            assert kwic(tokens, l1, l2, rule=rule).total == f
