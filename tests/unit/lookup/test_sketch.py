"""Sketches: the counts of dependency pairs, patterns against a plain loop, and the way to a campaign."""

import gzip
import json
import shutil

import polars as pl
import pytest
from hypothesis import given

from concurrence import count_pairs, read_corpus, score, sketch, write_index
from concurrence.api.sketch import sketch_source
from concurrence.core import InvalidInputError
from concurrence.core.corpus import Corpus
from concurrence.lookup import relations
from concurrence.lookup.grammar import GRAMMARS, grammar_of, parse_grammar
from support.treebanks import TREEBANKS, table_of

SIGNATURE = ("f", "f1", "f2", "N")


def table(result):
    return {
        name: {row.word: tuple(getattr(row, column) for column in SIGNATURE) for row in words}
        for name, words in result.relations.items()
    }


def from_pairs(tokens, lemma):
    """The same from counting every relation."""
    found = {}
    for relation in set(tokens.layers["deprel"].words) - {"root"}:
        rows = count_pairs(tokens, rule=f"dep:{relation}", unit="lemma").table
        own = rows.filter(pl.col("l1") == lemma)
        other = rows.filter(pl.col("l2") == lemma)
        found[relation] = {r["l2"]: (r["f"], r["f1"], r["f2"], r["N"]) for r in own.iter_rows(named=True)}
        found[f"{relation} of"] = {r["l1"]: (r["f"], r["f2"], r["f1"], r["N"]) for r in other.iter_rows(named=True)}
    return {name: words for name, words in found.items() if words}


@given(TREEBANKS)
def test_relations_are_the_rows_of_dependency_pairs(treebank):
    tokens = read_corpus(table_of(treebank))
    for lemma in "xyz":
        assert table(sketch(tokens, lemma)) == from_pairs(tokens, lemma)


def plain_relations(treebank, lemma):
    """A slow look at every sentence."""
    found: dict[str, dict[str, int]] = {}
    for words in treebank:
        for word in words:
            if word["head"]:
                head = words[word["head"] - 1]
                for own, other, name in ((head, word, word["deprel"]), (word, head, f"{word['deprel']} of")):
                    if own["lemma"] == lemma:
                        counts = found.setdefault(name, {})
                        counts[other["lemma"]] = counts.get(other["lemma"], 0) + 1
    return found


@given(TREEBANKS)
def test_relations_are_those_of_a_plain_loop(treebank):
    result = sketch(read_corpus(table_of(treebank)), "x")
    assert {name: {row.word: row.f for row in words} for name, words in result.relations.items()} == plain_relations(
        treebank, "x"
    )


@given(TREEBANKS)
def test_patterns_are_those_of_a_plain_loop(treebank):
    lines = ['modifier = 2:[pos="ADJ"] [pos="ADJ"]{0,1} 1:[pos="NOUN"]', 'modifier = 1:[pos="NOUN"] 2:[pos="ADJ"]']
    result = sketch(read_corpus(table_of(treebank)), "x", patterns=lines)
    pairs = set()
    for number, words in enumerate(treebank):
        tags = [word["pos"] for word in words]
        for i in range(len(words)):
            if tags[i : i + 2] == ["ADJ", "NOUN"]:
                pairs.add((number, i + 1, i))
            elif tags[i : i + 3] == ["ADJ", "ADJ", "NOUN"]:
                pairs.add((number, i + 2, i))
            if tags[i : i + 2] == ["NOUN", "ADJ"]:
                pairs.add((number, i, i + 1))
    lemmas = [(treebank[n][head]["lemma"], treebank[n][dependent]["lemma"]) for n, head, dependent in pairs]
    expected = {}
    for name, own in (("modifier", 0), ("modifier of", 1)):
        others = [pair[1 - own] for pair in lemmas if pair[own] == "x"]
        if others:
            expected[name] = {
                word: (others.count(word), len(others), sum(pair[1 - own] == word for pair in lemmas), len(lemmas))
                for word in others
            }
    assert table(result) == expected
    assert result.source == "patterns"


@pytest.mark.parametrize("patterns", [None, ['modifier = 2:[pos="ADJ"] 1:[pos="NOUN"]']])
@given(TREEBANKS)
def test_sketches_that_share_what_was_counted_are_those_of_single_ones(patterns, treebank):
    tokens = read_corpus(table_of(treebank))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(relations, "AT_ONCE", 3)  # a few sentences at a time
        ground = sketch_source(tokens, patterns)
        ground.relations.count()
        shared = [sketch(ground, lemma) for lemma in "xyz"]
    assert shared == [sketch(tokens, lemma, patterns=patterns) for lemma in "xyz"]


def test_a_relation_may_be_called_like_the_other_side_of_another():
    lines = ['x = 2:[pos="ADJ"] 1:[pos="NOUN"]', 'y of = 1:[pos="NOUN"] 2:[pos="ADJ"]']
    words = [
        {"form": form, "lemma": form, "pos": pos, "head": 0, "deprel": "root"}
        for form, pos in (("a", "ADJ"), ("n", "NOUN"), ("b", "ADJ"))
    ]
    found = table(sketch(read_corpus(table_of([words])), "n", patterns=lines))
    assert found == {"x": {"a": (1, 1, 1, 1)}, "y of": {"b": (1, 1, 1, 1)}}


def test_a_real_treebank_from_an_index(data_set, tmp_path):
    path = tmp_path / "ewt.conllu"
    with gzip.open(data_set("corpora/en_ewt.conllu.gz")) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)
    tokens = read_corpus(path)
    write_index(tokens, tmp_path / "index")
    verbs = sketch(tmp_path / "index", "take", pos=["VERB"], relations=["obj", "nsubj"])
    rows = score(count_pairs(tokens, rule="dep:obj", unit="lemma"), "logDice").table.filter(pl.col("l1") == "take")
    every = sketch(tokens, "take")
    scores = {row.word: row.scores["logDice"] for row in every.relations["obj"]}
    assert scores == pytest.approx({row["l2"]: row["logDice"] for row in rows.iter_rows(named=True)})
    best = [row.scores["logDice"] for row in every.relations["obj"]]
    assert best == sorted(best, reverse=True)
    assert list(verbs.relations) == ["obj", "nsubj"]
    assert {"place", "care"} <= {row.word for row in verbs.relations["obj"][:10]}


TAGGED = "<s>\nshe\tPRP\tshe\ndrinks\tVBZ\tdrink\nstrong\tJJ\tstrong\ntea\tNN\ttea\n</s>\n" * 2


def test_english_and_german_patterns_find_what_they_say(tmp_path):
    (tmp_path / "en.vrt").write_text(TAGGED)
    found = sketch(read_corpus(tmp_path / "en.vrt"), "tea", examples=1)
    assert {name: [row.word for row in words] for name, words in found.relations.items()} == {
        "modifier": ["strong"],
        "object of": ["drink"],
    }
    assert found.relations["modifier"][0].examples == ("she drinks strong tea",)
    german = "<s>\nsie\tPPER\tsie\ntrinkt\tVVFIN\ttrinken\nstarken\tADJA\tstark\nTee\tNN\tTee\n</s>\n"
    (tmp_path / "de.vrt").write_text(german)
    found = sketch(read_corpus(tmp_path / "de.vrt"), "Tee", language="de")
    assert {name: [row.word for row in words] for name, words in found.relations.items()} == {
        "modifier": ["stark"],
        "noun after verb of": ["trinken"],
    }
    assert all(grammar_of(language) for language in GRAMMARS)


@pytest.mark.parametrize(
    "line",
    [
        "modifier",
        '2:[pos="ADJ"] 1:[pos="NOUN"]',
        'modifier = [pos="ADJ"] [pos="NOUN"]',
        'modifier = 2:[pos="ADJ"] 1:[pos="NOUN"] [pos="VERB"]',
        'modifier = [pos="DET"] 2:[pos="ADJ"] 1:[pos="NOUN"]',
        'modifier = 2:[pos="ADJ"]+ 1:[pos="NOUN"]',
        'modifier = 2:[pos="ADJ"] 1:[pos="NOUN"]+',
        'modifier = 2:[pos="ADJ"] 2:[pos="NOUN"]',
        'modifier = 2:[pos="ADJ" 1:[pos="NOUN"]',
        "",
    ],
)
def test_a_pattern_that_is_none_is_one_sentence(line):
    with pytest.raises(InvalidInputError, match=r"^own(, line 1:| has no patterns)"):
        parse_grammar([line], "own")


def test_what_cannot_be_sketched_is_one_sentence(tmp_path, concur):
    with pytest.raises(InvalidInputError, match="neither"):
        sketch(Corpus.from_sentences([["a", "b"]]), "a")
    (tmp_path / "en.vrt").write_text(TAGGED)
    for options, word in (
        (("--language", "fr"), "'fr'"),
        (("--relations", "beauty"), "relation"),
        (("--sort", "beauty"), "order"),
        (("--coders", "anna"), "--to-campaign"),
        (("--to-campaign", "tea"), "--coders"),
    ):
        refused = concur("sketch", tmp_path / "en.vrt", "tea", *options)
        assert (refused.code, refused.err.count("\n")) == (2, 1), refused.err
        assert word in refused.err
    nothing = concur("sketch", tmp_path / "en.vrt", "coffee", "--json").json
    assert nothing["relations"] == {}
    assert concur("sketch", tmp_path / "en.vrt", "coffee").out == "coffee never occurs.\n"
    refused = concur("sketch", tmp_path / "en.vrt", '[pos="JJ"] "tea"')
    assert (refused.code, "A sketch is that of a single word" in refused.err) == (2, True)


def test_a_relation_that_the_word_does_not_have_is_empty(tmp_path, concur):
    (tmp_path / "en.vrt").write_text(TAGGED)
    options = ("--relations", "genitive of,modifier", "--patterns", tmp_path / "own.txt")
    (tmp_path / "own.txt").write_text(
        'modifier = 2:[pos="JJ"] 1:[pos="NN"]\ngenitive = 1:[pos="NN"] "of" 2:[pos="NN"]\n'
    )
    found = concur("sketch", tmp_path / "en.vrt", "tea", *options, "--json").json
    assert found["relations"]["genitive of"] == []
    assert found["relations"]["modifier"]
    assert "; 1 relation from patterns." in concur("sketch", tmp_path / "en.vrt", "tea", *options).out
    assert concur("sketch", tmp_path / "en.vrt", "tea", *options, "-o", tmp_path / "page.html").code == 0
    nothing = tmp_path / "nothing.csv"
    concur("sketch", tmp_path / "en.vrt", "coffee", *options, "-m", "MI", "-o", nothing)
    assert nothing.read_text() == "l1,l2,relation,f,f1,f2,N,range,MI\n"


def test_forms_stand_for_lemmas_only_where_there_are_none(tmp_path, concur):
    (tmp_path / "en.vrt").write_text(TAGGED)
    (tmp_path / "bare.vrt").write_text("<s>\nstrong\tJJ\ntea\tNN\n</s>\n")
    with_lemmas = concur("sketch", tmp_path / "en.vrt", "tea", "--json").json
    bare = concur("sketch", tmp_path / "bare.vrt", "tea", "--attributes", "form,pos", "--json").json
    other = concur("sketch", tmp_path / "en.vrt", "tea", "-m", "MI", "--json").json
    assert [(one["unit"], [said["code"] for said in one["sentences"]]) for one in (with_lemmas, bare, other)] == [
        ("lemma", ["marginals_for_words"]),
        ("form", ["forms_for_lemmas", "marginals_for_words"]),
        ("lemma", []),
    ]


def test_from_a_sketch_to_a_campaign_and_an_evaluation(tmp_path, concur):
    text = TAGGED + TAGGED.replace("strong", "weak").replace("drinks\tVBZ\tdrink", "likes\tVBZ\tlike")
    (tmp_path / "en.vrt").write_text(text)
    made = concur(
        "sketch", tmp_path / "en.vrt", "tea", "--to-campaign", "tea", "--coders", "anna",
        "--db", tmp_path / "c.db", "-o", tmp_path / "tea.csv",
    )  # fmt: skip
    assert made.code == 0, made.err
    assert "Campaign tea: 4 items." in made.err
    (tmp_path / "labels.csv").write_text(
        "item,label\nmodifier: strong,yes\nmodifier: weak,no\nobject of: drink,yes\nobject of: like,no\n"
    )
    done = concur(
        "campaign", "import", "tea", tmp_path / "labels.csv", "--as", "labels", "--coder", "model",
        "--db", tmp_path / "c.db",
    )  # fmt: skip
    assert done.code == 0, done.err
    concur(
        "campaign", "export", "tea", "--gold", "collocation=yes", "--by", "model", "--db", tmp_path / "c.db",
        "-o", tmp_path / "gold.csv",
    )  # fmt: skip
    assert sorted((tmp_path / "gold.csv").read_text().splitlines()) == [
        "l1,l2,relation,tp",
        "tea,drink,object of,1",
        "tea,like,object of,0",
        "tea,strong,modifier,1",
        "tea,weak,modifier,0",
    ]
    found = concur(
        "evaluate", tmp_path / "tea.csv", "--gold", tmp_path / "gold.csv", "-m", "logDice", "--n", "2", "--json"
    )
    assert found.code == 0, found.err
    details = json.loads((tmp_path / "tea.csv.meta.json").read_text())["details"]
    assert details["key"] == ["l1", "l2", "relation"]
    assert found.json["data"]["judged"] == 4


def test_relations_that_nobody_looked_for_are_found_by_patterns(tmp_path):
    lines = [f"{n}\t{word}\t{word}\t{pos}\t_\t_\t_\t_\t_\t_" for n, (word, pos) in enumerate(
        [("strong", "ADJ"), ("tea", "NOUN")], start=1
    )]  # fmt: skip
    path = tmp_path / "tagged.conllu"
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    write_index(read_corpus(path), tmp_path / "index")
    for corpus in (path, tmp_path / "index"):
        result = sketch(corpus, "tea")
        assert result.source == "patterns"
        assert [row.word for row in result.relations["modifier"]] == ["strong"]
