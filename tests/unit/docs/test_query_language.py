"""Every example on the page of the query language finds what it says, on a corpus of three sentences."""

import re
from pathlib import Path

import pytest

from concurrence import count_pairs, kwic, read_corpus

PAGE = (Path(__file__).parents[3] / "docs" / "query-language.md").read_text("utf-8")
SENTENCES = (
    "He/he/PRON/nsubj took/take/VERB/root a/a/DET/det cup/cup/NOUN/obj of/of/ADP/case the/the/DET/det "
    "tea/tea/NOUN/nmod ,/,/PUNCT/punct of/of/ADP/case course/course/NOUN/obl ././PUNCT/punct",
    "Ann/Ann/PROPN/nsubj serves/serve/VERB/root strong/strong/ADJ/amod black/black/ADJ/amod tea/tea/NOUN/obj "
    "all/all/DET/det morning/morning/NOUN/obl ././PUNCT/punct",
    "Tea/tea/NOUN/root :/:/PUNCT/punct the/the/DET/det stronger/strong/ADJ/amod coffee/coffee/NOUN/appos "
    "and/and/CCONJ/cc 12/12/NUM/nummod strongly/strong/ADV/advmod drinking/drink/VERB/amod weak/weak/ADJ/amod "
    "tea/tea/NOUN/conj ././PUNCT/punct",
)
NOUNS = ["cup", "tea", "course", "tea", "morning", "Tea", "coffee", "tea"]
FINDS = {
    "tea": ["tea", "tea", "tea"],
    "strong*": ["strong", "stronger", "strongly"],
    "of course": ["of course"],
    '"tea"': ["tea", "tea", "tea"],
    '"tea"%c': ["tea", "tea", "Tea", "tea"],
    '[lower="tea"]': ["tea", "tea", "Tea", "tea"],
    '[lemma="take"]': ["took"],
    '[word="tea|coffee"]': ["tea", "tea", "coffee", "tea"],
    '[word=".*ing"]': ["morning", "drinking"],
    '[word="[0-9]+"]': ["12"],
    '[pos="NOUN"]': NOUNS,
    '[pos="N.*"]': [*NOUNS[:7], "12", "tea"],
    '[lemma="strong" & pos="ADJ"]': ["strong", "stronger"],
    '[lemma="strong" & pos!="ADJ"]': ["strongly"],
    '[pos="NOUN" | pos="PROPN"]': [*NOUNS[:3], "Ann", *NOUNS[3:]],
    '[lemma="take"] []{0,3} [pos="NOUN"]': ["took a cup"],
    '[pos="ADJ"]+ [pos="NOUN"]': ["strong black tea", "black tea", "stronger coffee", "weak tea"],
    '[pos="DET"]? [pos="ADJ"]* "tea"': ["the tea", "tea", "strong black tea", "black tea", "tea", "weak tea", "tea"],
    '("strong" | "weak") "tea"': ["weak tea"],
    '[pos="NOUN"] ("of" [pos="DET"]? [pos="NOUN"]){1,2}': ["cup of the tea"],
    '[rel="obj" & pos="NOUN"]': ["cup", "tea"],
    'a:[pos="ADJ"] b:[pos="NOUN"]': ["black tea", "stronger coffee", "weak tea"],
}
MARKS = '[!(pos="PUNCT")]'
PAIRS = {
    'pos:[pos="ADJ"] [pos="NOUN"]': {("black", "tea"), ("strong", "coffee"), ("weak", "tea")},
    'pos:[pos="VERB"] []{0,3} [pos="NOUN"]': {("take", "cup"), ("serve", "tea"), ("drink", "tea")},
    'pos:a:[pos="ADJ"] b:[pos="NOUN"] [word="[.,]"]': {("weak", "tea")},
    'pos:n:[pos="NOUN"] p:[pos="ADP"] [pos="DET"]? m:[pos="NOUN"] => n, p+m': {("cup", "of+tea")},
    "pos:ADJ NOUN": {("black", "tea"), ("strong", "coffee"), ("weak", "tea")},
    "pos:V .{0,3} N": {("take", "cup"), ("serve", "tea"), ("drink", "tea")},
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "tea.conllu"
    lines = []
    for sentence in SENTENCES:
        for number, word in enumerate(sentence.split(), start=1):
            form, lemma, pos, rel = word.split("/") if word[0] not in "./" else (".", ".", "PUNCT", "punct")
            lines.append(f"{number}\t{form}\t{lemma}\t{pos}\t_\t_\t{0 if rel == 'root' else 1}\t{rel}\t_\t_")
        lines.append("")
    path.write_text("\n".join([*lines, ""]))
    return read_corpus(path)


def examples(prefix=""):
    """What stands between the first backticks of each row of the page's tables."""
    cells = re.findall(r"^\| `((?:[^`])+)` \|", PAGE, flags=re.MULTILINE)
    return {cell.replace("\\|", "|") for cell in cells if cell.startswith(prefix)}


def test_the_page_has_these_examples_and_no_others():
    attributes = {"word", "lower", "lemma", "pos", "xpos", "rel"}
    assert examples() - attributes - examples("pos:") == {*FINDS, MARKS}
    assert examples("pos:") == set(PAIRS)
    assert len(FINDS) > 20


@pytest.mark.parametrize("query", FINDS)
def test_an_example_finds_what_it_says(query, corpus):
    assert [line.node for line in kwic(corpus, query).lines] == FINDS[query]


def test_anything_but_punctuation(corpus):
    found = [line.node for line in kwic(corpus, MARKS).lines]
    assert len(found) == corpus.n_tokens - 5
    assert not {".", ",", ":"} & set(found)


@pytest.mark.parametrize("rule", PAIRS)
def test_an_example_counts_what_it_says(rule, corpus):
    assert set(count_pairs(corpus, rule=rule, unit="lemma").table.select("l1", "l2").rows()) == PAIRS[rule]
