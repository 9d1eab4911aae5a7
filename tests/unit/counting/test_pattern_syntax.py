"""Patterns that mean something, and those that are refused with a sentence."""

import polars as pl
import pytest

from concurrence import count_pairs, read_corpus
from concurrence.core.errors import InvalidInputError

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
        ("pos:A N", "no token attribute 'pos'"),
        ("dep:obj", "no dependencies"),
        ("within:s", "within:s needs heads"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            count_pairs(bare, rule=rule)
