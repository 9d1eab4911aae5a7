"""Plain text to CoNLL-U: HanTa as it is, spaCy with a pipeline built here, Stanza behind a stand-in.

No model of spaCy or Stanza is there to be tested; what they would say is made up, how it is written is not.
"""

import json
import sys
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import kwic, read_corpus
from concurrence.corpus.tag import conllu, tag_texts, text_files
from concurrence.corpus.taggers import FEW, TaggedWord, find_tagger

TEXT = "Sie trank starken Tee, obwohl er (noch) heiß war.\nDer Tee war gut.\n\nSo war das.\n"


@pytest.fixture
def tea(tmp_path):
    path = tmp_path / "tee.txt"
    path.write_text(TEXT)
    return path


def test_hanta_tags_german_and_the_text_stays(concur, tea, tmp_path):
    pytest.importorskip("HanTa")
    found = concur("tag", tea, "--with", "hanta:de", "-o", tmp_path / "tee.conllu", "--json").json
    assert {name: found[name] for name in ("documents", "sentences", "tokens", "tagger")} == {
        "documents": 1,
        "sentences": 3,
        "tokens": 22,
        "tagger": "hanta:de",
    }
    assert json.loads((tmp_path / "tee.conllu.meta.json").read_text())["details"]["tagger"] == "hanta:de"
    lines = (tmp_path / "tee.conllu").read_text().splitlines()
    assert lines[:3] == [
        "# newdoc id = tee.txt",
        "# sent_id = tee.txt-1",
        "# text = Sie trank starken Tee, obwohl er (noch) heiß war.",
    ]
    assert "3\tstarken\tstark\tADJ\tADJ(A)\t_\t_\t_\t_\t_" in lines
    assert "4\tTee\tTee\tNOUN\tNN\t_\t_\t_\t_\tSpaceAfter=No" in lines
    assert [line for line in lines if line.startswith("#")].count("# newdoc id = tee.txt") == 1
    tokens = read_corpus(tmp_path / "tee.conllu", keeps_text=True)
    assert kwic(tokens, '[pos="ADJ"] [pos="NOUN"]').lines[0].right == ", obwohl er (noch) heiß war."
    pairs = concur("pairs", tmp_path / "tee.conllu", "--rule", "pos:ADJ NOUN", "--unit", "lemma", "--json").json
    assert [(row["l1"], row["l2"]) for row in pairs["top"]] == [("stark", "Tee")]


@pytest.mark.parametrize(
    ("language", "text", "tags"),
    [
        ("en", "The cats sat here.", ["DET", "NOUN", "VERB", "ADV", "PUNCT"]),
        ("nl", "De kat zat hier.", ["DET", "NOUN", "VERB", "ADV", "PUNCT"]),
        ("de", "Die Katze saß hier.", ["DET", "NOUN", "VERB", "ADV", "PUNCT"]),
    ],
)
def test_every_model_of_hanta_gives_universal_parts_of_speech(language, text, tags):
    pytest.importorskip("HanTa")
    (paragraph,) = find_tagger(f"hanta:{language}")([text])
    assert [word.pos for word in paragraph[0]] == tags


def test_several_processes_give_the_same_in_the_same_order(tmp_path):
    pytest.importorskip("HanTa")
    paragraphs = [f"Der Tee Nummer {number} war gut." for number in range(FEW + 3)]
    tagger = find_tagger("hanta:de")
    one_by_one = [sentences for text in paragraphs for sentences in tagger([text])]
    assert list(tagger(paragraphs)) == one_by_one


def test_documents_are_files_even_if_one_has_no_words(tmp_path):
    for name, text in (("a.txt", "One. Two."), ("b.txt", " \n"), ("c.txt", "Three.")):
        (tmp_path / name).write_text(text)
    parts = list(tag_texts(text_files([tmp_path]), lambda texts: ([[TaggedWord(form=text)]] for text in texts)))
    assert [part.begins_document for part in parts] == [True, True]
    assert [line for part in parts for line in part.text.splitlines() if "newdoc" in line] == [
        "# newdoc id = a.txt",
        "# newdoc id = c.txt",
    ]


def test_files_of_the_same_name_are_different_documents(tmp_path):
    for folder in ("1", "2"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text("One.")
    parts = list(tag_texts(text_files([tmp_path]), lambda texts: ([[TaggedWord(form=text)]] for text in texts)))
    assert [part.begins_document for part in parts] == [True, True]


def test_lines_that_are_not_text_are_refused_or_left_out(tmp_path, concur):
    pytest.importorskip("HanTa")
    (tmp_path / "a.txt").write_bytes(b"Guter Tee.\n\nNoch ein Caf\xe9.\n\nEnde.\n")
    options = ("tag", tmp_path / "a.txt", "--with", "hanta:de", "-o", tmp_path / "a.conllu")
    refused = concur(*options)
    assert (refused.code, "a.txt, line 3: not valid utf-8" in refused.err) == (2, True)
    assert not (tmp_path / "a.conllu").exists()
    kept = concur(*options, "--skip-broken", "--json").json
    assert (kept["sentences"], kept["broken"], kept["warnings"]) == (2, 1, [])
    assert "1 broken line left out" in concur(*options, "--skip-broken").out


def test_broken_lines_behind_the_last_paragraph_count_too(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"Tee.\n\nCaf\xe9\n")
    parts = tag_texts(
        text_files([tmp_path]), lambda texts: ([[TaggedWord(form=text)]] for text in texts), skip_broken=True
    )
    assert sum(part.broken for part in parts) == 1


def test_a_text_without_words_is_tagged_as_nothing(tmp_path, concur):
    pytest.importorskip("HanTa")
    (tmp_path / "a.txt").write_text(" \n", "utf-8")
    found = concur("tag", tmp_path / "a.txt", "--with", "hanta:de", "-o", tmp_path / "a.conllu", "--json").json
    counts = {name: found[name] for name in ("documents", "sentences", "tokens", "tagged", "broken")}
    assert (set(counts.values()), found["warnings"]) == ({0}, [])


def test_a_model_without_a_tagger_is_told(tea, tmp_path, concur):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("de")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "blank")
    options = ("tag", tea, "--with", f"spacy:{tmp_path / 'blank'}", "-o", tmp_path / "tee.conllu")
    told = concur(*options, "--json").json
    assert (told["tagged"], [one["code"] for one in told["warnings"]]) == (0, ["no_parts_of_speech"])
    assert "gave no parts of speech" in concur(*options).out.replace("\n", " ")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    """A blank pipeline of spaCy with rules of its own for tags, lemmas and sentences."""
    spacy = pytest.importorskip("spacy")
    path = tmp_path_factory.mktemp("spacy") / "blank"
    nlp = spacy.blank("de")
    nlp.add_pipe("sentencizer")
    ruler = nlp.add_pipe("attribute_ruler")
    for form, tag, pos, lemma in (("Tee", "NN", "NOUN", "Tee"), ("starken", "ADJA", "ADJ", "stark")):
        ruler.add([[{"ORTH": form}]], {"TAG": tag, "POS": pos, "LEMMA": lemma})
    nlp.to_disk(path)
    return path


def test_spacy_uses_the_pipeline_that_is_named(pipeline, tea, tmp_path, concur):
    out = tmp_path / "tee.conllu"
    found = concur("tag", tea, "--with", f"spacy:{pipeline}", "-o", out, "--json").json
    assert (found["sentences"], found["documents"]) == (3, 1)
    lines = out.read_text().splitlines()
    assert "# text = Sie trank starken Tee, obwohl er (noch) heiß war." in lines
    assert "3\tstarken\tstark\tADJ\tADJA\t_\t_\t_\t_\t_" in lines
    assert "4\tTee\tTee\tNOUN\tNN\t_\t_\t_\t_\tSpaceAfter=No" in lines


def test_a_model_that_is_not_there_is_a_sentence(tea, tmp_path, concur):
    pytest.importorskip("spacy")
    said = concur("tag", tea, "--with", "spacy:no_such_model", "-o", tmp_path / "x.conllu")
    assert said.code == 2
    assert "python -m spacy download no_such_model" in said.err
    assert not (tmp_path / "x.conllu").exists()


class StandIn(ModuleType):
    """Stanza, as far as it is called: a pipeline that knows one language and splits *im* into two words."""

    def Pipeline(self, language, **_):  # noqa: N802
        if language != "de":
            raise FileNotFoundError(language)
        return self.tagged

    def tagged(self, text):
        words, at, number = [], 0, 0
        for token in text.split():
            end = at + len(token)
            inner = ("in", "dem") if token == "im" else (token,)
            entries = []
            for form in inner:
                number += 1
                entries.append(
                    SimpleNamespace(text=form, lemma=form, upos="X", xpos=None, head=number - 1, deprel="dep")
                )
            words.append(SimpleNamespace(text=token, words=entries, end_char=end))
            at = end + 1
        return SimpleNamespace(sentences=[SimpleNamespace(tokens=words)])


def test_stanza_writes_words_and_the_tokens_that_cover_them(monkeypatch, tmp_path, concur):
    monkeypatch.setitem(sys.modules, "stanza", StandIn("stanza"))
    (tmp_path / "a.txt").write_text("Tee im Garten")
    concur("tag", tmp_path / "a.txt", "--with", "stanza:de", "-o", tmp_path / "a.conllu")
    assert (tmp_path / "a.conllu").read_text().splitlines()[2:] == [
        "# text = Tee im Garten",
        "1\tTee\tTee\tX\t_\t_\t0\tdep\t_\t_",
        "2-3\tim\t_\t_\t_\t_\t_\t_\t_\t_",
        "2\tin\tin\tX\t_\t_\t1\tdep\t_\t_",
        "3\tdem\tdem\tX\t_\t_\t2\tdep\t_\t_",
        "4\tGarten\tGarten\tX\t_\t_\t3\tdep\t_\t_",
        "",
    ]
    said = concur("tag", tmp_path / "a.txt", "--with", "stanza:xx", "-o", tmp_path / "b.conllu")
    assert said.code == 2
    assert "Stanza has no models for 'xx' here" in said.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hanta", "must be written as hanta:de"),
        ("hanta:fr", "no HanTa model 'fr'"),
        ("treetagger:de", "no tagger 'treetagger'"),
    ],
)
def test_a_tagger_that_is_none_is_refused(name, words, tea, tmp_path, concur):
    said = concur("tag", tea, "--with", name, "-o", tmp_path / "x.conllu")
    assert said.code == 2
    assert words in said.err


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        ("HanTa.HanoverTagger", "hanta:de", "pip install 'concurrence[tag]'"),
        ("spacy", "spacy:x", "pip install spacy"),
        ("stanza", "stanza:de", "pip install stanza"),
    ],
)
def test_a_tagger_that_is_not_installed_is_a_sentence(module, name, words, tea, tmp_path, concur, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    said = concur("tag", tea, "--with", name, "-o", tmp_path / "x.conllu")
    assert said.code == 2
    assert words in said.err


WORDS = st.builds(
    TaggedWord, form=st.text("abc.", min_size=1, max_size=3), space=st.booleans(), lemma=st.sampled_from(["_", "x"])
)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=4))
def test_what_is_written_is_read_as_it_was(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("tagged") / "a.conllu"
    path.write_text("".join(f"{conllu(sentence)}\n" for sentence in sentences))
    tokens = read_corpus(path, keeps_text=True)
    texts = [line.left + line.node + line.right for line in kwic(tokens, "[]", lines=None).lines]
    expected = []
    for sentence in sentences:
        text = "".join(word.form + " " * word.space for word in sentence[:-1]) + sentence[-1].form
        expected += [text] * len(sentence)
    assert texts == expected
