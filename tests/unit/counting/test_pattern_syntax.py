"""Patterns that mean something, and those that are refused with a sentence."""

import re

import polars as pl
import pytest

from concurrence import count_pairs, kwic, read_corpus, score
from concurrence.core.errors import InvalidInputError
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.result import summarise_counts

TABLE = pl.DataFrame(
    {
        "sentence": [1] * 6,
        "form": ["Er", "stellt", "das", "in", "Frage", "dar"],
        "lemma": ["er", "stellen", "das", "in", "Frage", "dar"],
        "pos": ["PRON", "VERB", "PRON", "ADP", "NOUN", "ADP"],
        "xpos": ["PPER", "VVFIN", "PDS", "APPR", "NN", "PTKVZ"],
        "deprel": ["nsubj", "root", "obj", "case", "obl:arg", "compound:prt"],
        "head": [2, 0, 2, 5, 2, 2],
    }
)
CHUNKED = """<s>
<clause>
<pp head="in+Frage">
in\tAPPR
Frage\tNN
</pp>
<vc head="darstellen">
stellen\tVVINF
</vc>
</clause>
<clause>
<vc head="sein">
ist\tVAFIN
</vc>
</clause>
</s>
"""


def pairs(rule, **options):
    return count_pairs(read_corpus(TABLE), rule=rule, **{"unit": "lemma", **options}).table.select("l1", "l2").rows()


def test_the_german_phrase_verb_case_is_one_line():
    by_dependency = "dep:V >obl* N >case P; V >compound:prt? T => P+N, T~V"
    assert pairs(by_dependency) == pairs("within:s") == pairs("within:clause") == [("in+Frage", "darstellen")]
    assert pairs("within:s", unit="form") == [("in+Frage", "darstellt")]


def test_als_and_wie_head_no_prepositional_phrase():
    for word in ("als", "wie"):
        compared = TABLE.with_columns(pl.col("lemma", "form").replace("in", word))
        assert count_pairs(read_corpus(compared), rule="within:s", unit="lemma").table.is_empty()
    assert pairs("dep:V >obl* N >case P[lemma!=in] => P+N, V") == []
    assert pairs("dep:V >obl* N >case P[lemma!=an|auf] => P+N, V") == [("in+Frage", "stellen")]


def test_relations_are_meant_as_written():
    assert pairs("dep:V >obl N") == []
    assert pairs("dep:V >obl:arg N") == pairs("dep:N <obl:arg V => V, N") == [("stellen", "Frage")]
    assert pairs("dep:obj|nsubj") == [("stellen", "das"), ("stellen", "er")]


def test_tags_of_the_corpus_and_conditions_work():
    assert pairs("pos:APPR NN") == pairs("pos:x[pos=ADP] y[lemma=Frage]") == [("in", "Frage")]
    assert pairs("pos:PRON|VERB VERB|PRON") == [("er", "stellen"), ("stellen", "das")]
    assert pairs("pos:P N", unit="lemma_pos") == [("in_ADP", "Frage_NOUN")]


def test_filters_take_tokens_out_of_patterns():
    assert pairs("within:s", stop=["Frage"]) == []
    assert pairs("dep:obj|nsubj", drop_pos=["PRON"]) == []


def test_heads_and_regions_of_vertical_text(tmp_path):
    path = tmp_path / "a.vrt"
    path.write_text(CHUNKED)
    tokens = read_corpus(path)
    both = [("in+Frage", "darstellen"), ("in+Frage", "sein")]
    assert count_pairs(tokens, rule="within:s").table.select("l1", "l2").rows() == both
    assert count_pairs(tokens, rule="within:clause").table.select("l1", "l2").rows() == both[:1]
    named = count_pairs(tokens, rule="within:s: <vc head> & <pp>").table.select("l1", "l2").rows()
    assert named == [(b, a) for a, b in both]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("dep:V >obl", "not understood"),
        ("dep:V >obl N >case P", "must say which nodes"),
        ("dep:V >obl N => P+N, V", "no node in the pattern 'P'"),
        ("dep:V >obl N => V", "2 members"),
        ("dep:V >obl N => V, N+", "not a member"),
        ("dep:V >a N; A >b N => V, N", "not a tree"),
        ("dep:V >a N; N >b V => V, N", "not a tree"),
        ("dep:VREB >obj N", "no part of speech 'VREB'"),
        ("dep:V[lemme=x] >obj N", "no token attribute 'lemme'"),
        ("dep:V[lemma] >obj N", "attribute=value"),
        ("pos:NOUN", "at least two"),
        ("pos:A? NOUN", "begin and end with a plain node"),
        ("pos:A {2 N", "not understood"),
        ("pos:A .{3,1} N", "smaller number first"),
        ("pos:N P N => N, P+N", "names a node twice"),
        ('pos:[pos="NOUN"]', "begin and end with one token"),
        ('pos:[pos="A"]? [pos="NOUN"]', "begin and end with one token"),
        ('pos:("a" | "b") "c"', "begin and end with one token"),
        ('pos:"a" "b" | "c" "d"', "has alternatives"),
        ('pos:a:"a" (b:"b")', "inside parentheses"),
        ('pos:a:"a" a:"b"', "names two tokens alike"),
        ('pos:a:"a" "b"', "names 1 tokens"),
        ('pos:a:"a" b:"b"? => a, b', "may be missing"),
        ('pos:a:"a" b:"b"+ => a, b', "no node in the pattern 'b'"),
        ('pos:a:"a" b:"b" => a', "2 members"),
        ('pos:"a" [colour="b"]', "no token attribute 'colour'"),
        ('pos:"a" "b" within np', "no region 'np'"),
        ('pos:"a" "b', "not understood"),
        ("within:chapter", "no region 'chapter'"),
        ("within:s: V", "KIND & KIND"),
        ("within:s: <np> & V", "no structure 'np'"),
    ],
)
def test_mistakes_in_patterns_are_sentences(rule, words):
    with pytest.raises(InvalidInputError) as refused:
        pairs(rule)
    assert words in str(refused.value)


def test_patterns_need_what_they_look_at():
    bare = read_corpus(pl.DataFrame({"sentence": [1, 1], "form": ["a", "b"]}))
    for rule, words in (
        ("pos:A N", "no token attribute 'pos'.*concur tag adds"),
        ('pos:[lemma="a"] "b"', "no token attribute 'lemma'.*concur tag adds"),
        ("dep:obj", "no dependencies"),
        ("within:s", "within:s needs heads"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            count_pairs(bare, rule=rule)


def test_a_pattern_within_a_region_does_not_leave_it(tmp_path):
    path = tmp_path / "a.vrt"
    path.write_text(CHUNKED)
    tokens = read_corpus(path)
    for within, found in (("", 3), (" within s", 3), (" within clause", 1), (" within pp", 0)):
        rule = f'pos:[pos="V.*|NN"] []? [pos="V.*"]{within}'
        assert len(count_pairs(tokens, rule=rule).table) == found


def test_filters_leave_gaps_as_they_are():
    rule = 'pos:[pos="VERB"] []{2} [pos="NOUN"]'
    assert pairs(rule, stop=["das"]) == [("stellen", "Frage")]
    assert pairs('pos:[pos="VERB"] [pos="PRON"] [] [pos="NOUN"]', stop=["das"]) == []
    assert pairs(rule, stop=["Frage"]) == []


TAKEN = TABLE.with_columns(pos=pl.Series(["NOUN", "VERB", "NOUN", "ADP", "NOUN", "NOUN"]))


@pytest.mark.parametrize(
    ("rule", "fixed"),
    [
        ('pos:[lemma="stellen"] []{0,3} [pos="NOUN"]', "l1 is always 'stellen' (f1 = N)"),
        ('pos:[pos="NOUN"] []{0,4} [lemma="dar"]', "l2 is always 'dar' (f2 = N)"),
        ("pos:V .{0,3} N", "l1 is always 'stellen'"),
        ("pos:N .{0,4} N", None),
        ("dep:V > N", "l1 is always 'stellen'"),
        ("adjacent", None),
        ("window-pairs:3", None),
    ],
)
def test_a_member_without_a_choice_gets_no_scores(rule, fixed):
    tokens = read_corpus(TAKEN)
    warnings = summarise_counts(count_to_rows(tokens, CountOptions(rule=rule, unit="lemma"))).warnings
    counted = count_pairs(tokens, rule=rule, unit="lemma")
    assert [warning.code for warning in warnings] == (["no_margins"] if fixed else [])
    assert score(counted, "frequency").table["frequency"].to_list() == counted.table["f"].to_list()
    if fixed is None:
        assert score(counted, "log_likelihood").table["log_likelihood"].is_not_null().all()
        return
    with pytest.raises(InvalidInputError, match=re.escape(fixed)):
        score(counted, "log_likelihood")


def test_one_pair_token_is_no_pattern_without_margins():
    only = TABLE.head(2)
    counted = count_pairs(read_corpus(only), rule="pos:PRON VERB", unit="lemma")
    assert score(counted, "log_likelihood").table["log_likelihood"].to_list() == [0]


def test_a_concordance_finds_what_a_pattern_counts():
    rule = 'pos:v:[pos="VERB"] [] p:[pos="ADP"] n:[pos="NOUN"] => p+n, v'
    lines = kwic(read_corpus(TABLE), "in+Frage", "stellen", rule=rule, unit="lemma").lines
    assert [line.node for line in lines] == ["stellt das in Frage"]
