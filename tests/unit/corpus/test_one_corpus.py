"""A corpus is the same value whether it was read or opened, and every function takes either."""

import dataclasses

import pytest

import concurrence
from concurrence import Corpus, collocates, contrast, count_pairs, kwic, open_index, read_corpus, words, write_index
from concurrence.api.sketch import sketch

TEXT = """<text id="d1" year="1990">
<s>
<clause>
<pp head="on">
on\tADP\ton
tables\tNOUN\ttable
</pp>
<vc head="put">
puts\tVERB\tput
</vc>
</clause>
</s>
</text>
<text id="d2" year="2000">
<s>
<clause>
<pp head="in">
in\tADP\tin
Boxes\tNOUN\tbox
</pp>
<vc head="put">
put\tVERB\tput
</vc>
</clause>
</s>
</text>
"""
FORESTS = """# newdoc id = d1
1\tShe\tshe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\ttakes\ttake\tVERB\t_\t_\t0\troot\t_\t_
3\twalks\twalk\tNOUN\t_\t_\t2\tobj\t_\t_

# newdoc id = d2
1\ttake\ttake\tVERB\t_\t_\t0\troot\t_\t_
2\tcare\tcare\tNOUN\t_\t_\t1\tobj\t_\t_

"""
RULES = (
    "adjacent",
    "window:2",
    "window-pairs:2",
    "sentence",
    "ngram:3",
    "pos:NOUN VERB",
    'pos:[pos="ADP"] [] [lower="put.*"]',
)
REGIONS = (
    "within:clause: <pp head> & <vc head>",
    'pos:[pos="ADP"] "tables" within clause',
    "within:s: <pp head> & <vc>",
)
TREES = ("dep:obj", "dep:V >obj N", "within:clause: V & N")


def both(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    corpus = read_corpus(tmp_path / name, keeps_text=True)
    write_index(corpus, tmp_path / "index")
    return corpus, open_index(tmp_path / "index")


@pytest.mark.parametrize("rule", [*RULES, *REGIONS])
def test_pairs_of_an_opened_index_are_those_of_its_text(tmp_path, rule):
    read, opened = both(tmp_path, "a.vrt", TEXT)
    for options in ({}, {"unit": "lemma", "lower": True}, {"stop": ["put"], "examples": 1}):
        assert count_pairs(opened, rule=rule, **options).table.equals(count_pairs(read, rule=rule, **options).table)


@pytest.mark.parametrize("rule", TREES)
def test_pairs_by_dependencies(tmp_path, rule):
    read, opened = both(tmp_path, "a.conllu", FORESTS)
    assert len(count_pairs(opened, rule=rule).table)
    assert count_pairs(opened, rule=rule).table.equals(count_pairs(read, rule=rule).table)


def test_questions_about_words(tmp_path):
    read, opened = both(tmp_path, "a.conllu", FORESTS)
    for ask in (
        lambda corpus: kwic(corpus, "takes", "walks"),
        lambda corpus: kwic(corpus, "take", "walk", rule="dep:obj", unit="lemma"),
        lambda corpus: kwic(corpus, "take", "She", rule="adjacent"),
        lambda corpus: collocates(corpus, "take", unit="lemma"),
        lambda corpus: words(corpus, unit="lemma_pos", lower=True).words.to_dict(as_series=False),
        lambda corpus: sketch(corpus, "take"),
        lambda corpus: contrast(corpus, read, draws=0).words.to_dict(as_series=False),
        lambda corpus: contrast(corpus, read, rule="dep:obj", draws=0).words.to_dict(as_series=False),
    ):
        assert ask(opened) == ask(read) == ask(tmp_path / "index")


def test_an_opened_index_is_equal_to_what_it_was_made_of(tmp_path):
    read, opened = both(tmp_path, "a.vrt", TEXT)
    plain = {name: dataclasses.replace(layer, postings=None, begins=None) for name, layer in opened.layers.items()}
    assert dataclasses.replace(opened, layers=plain) == read


def test_a_token_with_a_line_break_is_counted_and_found_but_not_kept(tmp_path):
    corpus = Corpus.from_sentences([["a\nb", "c", "a"], ["C", "a\nb"]])
    assert corpus.form.vocabulary.words == ["a\nb", "c", "a", "C"]
    assert corpus.lower.vocabulary.words == ["a\nb", "c", "a"]
    assert count_pairs(corpus).table.rows()[0][:2] == ("C", "a\nb")
    assert kwic(corpus, '[word="a.*"]', lines=None).total == 1
    with pytest.raises(concurrence.InvalidInputError, match="line break"):
        write_index(corpus, tmp_path / "index")
