"""Patterns count what obvious queries and plain loops count."""

import gzip
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import count_pairs, read_corpus
from concurrence.core.query import parse_query
from support.query_twins import ends
from support.treebanks import TREEBANKS, dependents, phrase_verb_pairs, phrases, read_conllu, signatures, table_of

PHRASE_VERB = "dep:V >obl N >case P => P+N, V"

BY_QUERY = {
    "dep:obj": """
        SELECT h.lemma, d.lemma FROM token h JOIN token d ON d.sentence = h.sentence AND d.head = h.position
        WHERE d.deprel = 'obj'
    """,
    PHRASE_VERB: """
        SELECT p.lemma || '+' || n.lemma, v.lemma FROM token v
        JOIN token n ON n.sentence = v.sentence AND n.head = v.position AND n.deprel = 'obl' AND n.pos = 'NOUN'
        JOIN token p ON p.sentence = n.sentence AND p.head = n.position AND p.deprel = 'case' AND p.pos = 'ADP'
        WHERE v.pos = 'VERB'
    """,
    "dep:V[lemma=x|y] > n1; V >obl|obj n2 => n1, n2": """
        SELECT a.lemma, b.lemma FROM token v
        JOIN token a ON a.sentence = v.sentence AND a.head = v.position
        JOIN token b ON b.sentence = v.sentence AND b.head = v.position AND b.deprel IN ('obl', 'obj')
        WHERE v.pos = 'VERB' AND v.lemma IN ('x', 'y')
    """,
    "pos:ADJ NOUN": """
        SELECT a.lemma, b.lemma FROM token a JOIN token b ON b.sentence = a.sentence AND b.position = a.position + 1
        WHERE a.pos = 'ADJ' AND b.pos = 'NOUN'
    """,
    "pos:V .{0,2} N": """
        SELECT a.lemma, b.lemma FROM token a
        JOIN token b ON b.sentence = a.sentence AND b.position - a.position BETWEEN 1 AND 3
        WHERE a.pos = 'VERB' AND b.pos = 'NOUN'
    """,
    "pos:P DET? A{0,2} N => P, N": """
        SELECT a.lemma, b.lemma FROM token a JOIN token b ON b.sentence = a.sentence AND b.position > a.position
        WHERE a.pos = 'ADP' AND b.pos = 'NOUN' AND (
            SELECT coalesce(group_concat(pos, ' '), '') FROM (
                SELECT pos FROM token m WHERE m.sentence = a.sentence
                AND m.position > a.position AND m.position < b.position ORDER BY m.position
            )
        ) IN ('', 'DET', 'ADJ', 'ADJ ADJ', 'DET ADJ', 'DET ADJ ADJ')
    """,
    "pos:N1 P N2 => N1, P+N2": """
        SELECT a.lemma, p.lemma || '+' || b.lemma FROM token a
        JOIN token p ON p.sentence = a.sentence AND p.position = a.position + 1
        JOIN token b ON b.sentence = a.sentence AND b.position = a.position + 2
        WHERE a.pos = 'NOUN' AND p.pos = 'ADP' AND b.pos = 'NOUN'
    """,
    "within:s: A & V": """
        SELECT a.lemma, v.lemma FROM token a JOIN token v ON v.sentence = a.sentence
        WHERE a.pos = 'ADJ' AND v.pos = 'VERB'
    """,
}


def query(treebank, text):
    store = sqlite3.connect(":memory:")
    store.execute("CREATE TABLE token (sentence INT, position INT, form, lemma, pos, deprel, head INT)")
    rows = [
        (s, k + 1, *(word[name] for name in ("form", "lemma", "pos", "deprel", "head")))
        for s, words in enumerate(treebank)
        for k, word in enumerate(words)
    ]
    store.executemany("INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    found = store.execute(text).fetchall()
    store.close()
    return found


def rows(treebank, rule):
    return count_pairs(read_corpus(table_of(treebank)), rule=rule, unit="lemma").table.rows()


@pytest.mark.parametrize("rule", BY_QUERY)
@given(treebank=TREEBANKS)
def test_patterns_count_what_the_obvious_query_counts(rule, treebank):
    assert rows(treebank, rule) == signatures(query(treebank, BY_QUERY[rule]))


TESTS = ('[pos="NOUN"]', '[lemma="x|y"]', '[pos!="DET" & lemma="x"]', '[rel="ob.*"]', '"a"', '[lower="b"]', '"A"%c')
TIMES = ("", "?", "*", "+", "{2}", "{0,2}", "{,2}")


@st.composite
def patterns(draw, depth=1):
    parts = []
    for _ in range(draw(st.integers(0, 2))):
        if depth and draw(st.booleans()):
            parts.append(f"({draw(patterns(0))} | {draw(patterns(0))}){draw(st.sampled_from(TIMES))}")
        else:
            parts.append(draw(st.sampled_from((*TESTS, "[]"))) + draw(st.sampled_from(TIMES)))
    return " ".join((draw(st.sampled_from(TESTS)), *parts, draw(st.sampled_from(TESTS))))


@given(pattern=patterns(), treebank=TREEBANKS)
def test_patterns_of_tokens_count_what_trying_everything_counts(pattern, treebank):
    parsed = parse_query(pattern).pattern
    found = [
        (words[at]["lemma"], words[end - 1]["lemma"])
        for words in treebank
        for at in range(len(words))
        for end in sorted(ends(parsed, words, at))
    ]
    assert rows(treebank, f"pos:{pattern}") == signatures(found)
    assert rows(treebank, f"pos:{pattern} within s") == signatures(found)


@pytest.mark.parametrize(
    ("short", "pattern"),
    [
        ("ADJ NOUN", '[pos="ADJ"] [pos="NOUN"]'),
        ("A N", 'a:[pos="ADJ"] b:[pos="NOUN|PROPN"]'),
        ("V .{0,2} N", '[pos="VERB"] []{0,2} [pos="NOUN" | pos="PROPN"]'),
        ("V[lemma=x|y] DET? N", '[pos="VERB" & lemma="x|y"] [pos="DET"]? [pos="NOUN|PROPN"]'),
        ("P DET? A{0,2} N => P, N", 'p:[pos="ADP"] [pos="DET"]? [pos="ADJ"]{0,2} n:[pos="NOUN|PROPN"] => p, n'),
        ("P DET? N V => P+N, V", 'p:[pos="ADP"] [pos="DET"]? n:[pos="N.*|PROPN"] v:[pos="VERB"] => p+n, v'),
        ("V N T? => T~V, N", 'v:[pos="VERB"] n:[pos="NOUN|PROPN"] t:[]? => t~v, n'),
        ("x[pos=ADP] y[lemma!=x]", '[pos="ADP"] [lemma!="x"]'),
    ],
)
@given(treebank=TREEBANKS)
def test_the_short_spelling_means_the_same(short, pattern, treebank):
    assert rows(treebank, f"pos:{short}") == rows(treebank, f"pos:{pattern}")


@given(TREEBANKS)
def test_within_counts_every_phrase_with_every_verb_of_sentence_or_clause(treebank):
    assert rows(treebank, "within:s") == signatures(phrase_verb_pairs(treebank))
    assert rows(treebank, "within:clause") == signatures(phrase_verb_pairs(treebank, by_clause=True))


@given(TREEBANKS)
def test_optional_parts_are_folded_in_where_they_are(treebank):
    rule = "dep:V >obj O; V >compound:prt? T => T~V, O"
    expected = [
        (
            (words[prt[0]]["lemma"] if (prt := dependents(words, v, "compound:prt")) else "") + verb["lemma"],
            words[o]["lemma"],
        )
        for words in treebank
        for v, verb in enumerate(words)
        if verb["pos"] == "VERB"
        for o in dependents(words, v, "obj")
    ]
    assert rows(treebank, rule) == signatures(expected)


@pytest.mark.parametrize("name", ["de_gsd-ud-dev.conllu", "de_gsd-ud-test.conllu", "en_ewt.conllu.gz"])
def test_treebanks_have_as_many_phrase_verb_pairs_as_an_independent_count(name, data_set):
    path = data_set(f"corpora/{name}")
    text = (gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()).decode()
    treebank, tokens = read_conllu(text), read_corpus(path)
    by_dependency = [
        (phrase, words[words[n]["head"] - 1]["lemma"])
        for words in treebank
        for n, phrase in phrases(words, comparing=())
        if words[n]["deprel"] == "obl" and words[n]["head"] and words[words[n]["head"] - 1]["pos"] == "VERB"
    ]
    for rule, expected in (
        (PHRASE_VERB, by_dependency),
        ("within:s", phrase_verb_pairs(treebank)),
        ("within:clause", phrase_verb_pairs(treebank, by_clause=True)),
    ):
        table = count_pairs(tokens, rule=rule, unit="lemma").table
        assert table["f"].sum() == len(expected)
        assert set(table["N"]) == {len(expected)}
        pair = table.row(0, named=True)
        assert pair["f"] == expected.count((pair["l1"], pair["l2"]))
        assert pair["f1"] == sum(l1 == pair["l1"] for l1, _ in expected)
        assert pair["f2"] == sum(l2 == pair["l2"] for _, l2 in expected)
