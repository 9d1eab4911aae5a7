"""What people have in Python is a corpus: texts, tokens, frames, documents of spaCy, data sets of Hugging Face."""

import subprocess
import sys

import polars as pl
import pytest

from concurrence import collocates, kwic, read_corpus
from concurrence.core.errors import InvalidInputError
from support.lazy_modules import LazyModule

spacy = LazyModule("spacy")


def sentences(corpus):
    words, found = corpus.form.vocabulary.words, [[]]
    for code in corpus.form.codes.tolist():
        found[-1].append(words[code]) if code >= 0 else found.append([])
    return found[:-1]


def test_lists_of_tokens_are_sentences_and_lists_of_these_documents():
    corpus = read_corpus([["a", "rose", "New York"], ("it", "is")])
    assert (sentences(corpus), len(corpus.documents.names)) == ([["a", "rose", "New York"], ["it", "is"]], 1)
    corpus = read_corpus([[["a", "rose"], ["is"]], [["it", "is"]]])
    assert (corpus.documents.names, corpus.n_sentences) == (("document 1", "document 2"), 3)
    for wrong in ([["a", 1]], [["a", ""]], [["a"], "b"], [1], 7, [["a"], [None]]):
        with pytest.raises(InvalidInputError):
            read_corpus(wrong)


def test_strings_are_texts_and_each_is_a_document(tmp_path, monkeypatch):
    corpus = read_corpus(["We drank tea. Why?", "Tea."], keeps_text=True)
    assert corpus.documents.names == ("text 1", "text 2")
    assert [line.left + line.node + line.right for line in kwic(corpus, "drank").lines] == ["We drank tea."]
    assert read_corpus({"a": "Tea.", "b": "Wine."}).documents.names == ("a", "b")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("tea\n")
    with pytest.raises(InvalidInputError, match=r"'a\.txt' is a file, and strings in a list are texts"):
        read_corpus(["a.txt"])
    assert [each.word for each in collocates(["strong tea", "strong tea"], "tea").collocates] == ["strong"]


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_frames_of_texts_are_documents_with_their_other_columns(library):
    frame = pl.DataFrame({"id": ["x", "y"], "text": ["Strong tea. Yes.", "Wine."], "year": [1990, None]})
    value = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}[library]
    corpus = read_corpus(value)
    assert (corpus.documents.names, corpus.n_sentences) == (("x", "y"), 3)
    assert corpus.documents.metadata["year"][0].startswith("1990")
    more = read_corpus(value, metadata=pl.DataFrame({"document": ["y", "x"], "genre": ["b", "a"]}))
    assert more.documents.metadata["genre"] == ("a", "b")


def test_frames_with_lists_of_tokens_are_sentences():
    frame = pl.DataFrame({"id": [1, 2], "tokens": [["a", "rose"], ["is"]], "pos_tags": [["DET", "NOUN"], ["VERB"]]})
    corpus = read_corpus(frame)
    assert sentences(corpus) == [["a", "rose"], ["is"]]
    assert kwic(corpus, '[pos_tags="NOUN"]').total == 1


def test_a_data_set_of_hugging_face_is_its_table():
    class Dataset:
        """The part of datasets.Dataset that is used: its rows in the order of the data set, as a table of Arrow."""

        def with_format(self, name):
            assert name == "arrow"
            return self

        def __getitem__(self, rows):
            assert rows == slice(None)
            return pl.DataFrame({"text": ["Strong tea.", "Wine."], "label": [1, 0]}).to_arrow()

    Dataset.__module__ = "datasets.arrow_dataset"
    corpus = read_corpus(Dataset())
    assert (corpus.documents.names, corpus.documents.metadata["label"]) == (("row 1", "row 2"), ("1", "0"))


def test_documents_of_spacy_keep_words_tags_and_trees():
    vocab = spacy.blank("en").vocab
    doc = spacy.tokens.Doc(
        vocab,
        words=["She", "drank", "tea", ".", "Why", "?"],
        spaces=[True, True, False, True, False, False],
        lemmas=["she", "drink", "tea", ".", "why", "?"],
        pos=["PRON", "VERB", "NOUN", "PUNCT", "ADV", "PUNCT"],
        heads=[1, 1, 1, 1, 4, 4],
        deps=["nsubj", "ROOT", "obj", "punct", "ROOT", "punct"],
    )
    packed = spacy.tokens.DocBin(docs=[doc, doc], attrs=["LEMMA", "POS", "HEAD", "DEP", "SENT_START"])
    for value, n in ((doc, 1), ([doc, doc], 2), (packed, 2)):
        corpus = read_corpus(value, keeps_text=True)
        assert sentences(corpus) == [["She", "drank", "tea", "."], ["Why", "?"]] * n
        assert kwic(corpus, '[lemma="drink" & pos="VERB"]').total == n
        assert corpus.heads.tolist()[:4] == [1, -1, 1, 1]
        assert len(corpus.documents.names) == n
        assert corpus.text(0, 4) == "She drank tea."
    plain = spacy.blank("en")("No sentences here.")
    assert sentences(read_corpus(plain)) == [["No", "sentences", "here", "."]]
    with pytest.raises(InvalidInputError, match="a corpus takes Doc and DocBin, not"):
        read_corpus(vocab)


def test_no_other_library_is_imported_for_a_list():
    code = (
        "import sys, concurrence; concurrence.read_corpus([['a', 'b']]); "
        "print({'spacy', 'datasets', 'pandas', 'pyarrow', 'lxml'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
