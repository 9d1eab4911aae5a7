"""Encodings are told by their marks, guessed on request, and named in errors; no text is lost over them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import read_corpus
from concurrence.core.errors import InvalidInputError
from concurrence.corpus.encodings import guess_encoding

FRENCH = "Le café était fermé, déjà. « Ça va », dit-elle — naturellement…\n"
SPEECH = "America’s freedom—our purpose—is “whole”.\n"


def guessed(path, **options):
    return read_corpus(path, encoding="guess", **options)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.txt", "a"])
def test_a_byte_order_mark_says_the_encoding(tmp_path, encoding, name):
    (tmp_path / name).write_bytes(FRENCH.encode(encoding))
    corpus = read_corpus(tmp_path)
    assert corpus.form.vocabulary.words == FRENCH.split()
    assert corpus.inventory.encodings == ({} if encoding == "utf-8-sig" else {name: encoding})


def test_each_file_is_read_in_its_own_encoding_where_that_is_guessed(tmp_path, concur):
    for name, text, encoding in (
        ("plain.txt", "tea\n", "ascii"),
        ("modern.txt", FRENCH, "utf-8"),
        ("old.txt", FRENCH, "cp1252"),
        ("wide.txt", FRENCH, "utf-16-le"),
        ("speech.txt", SPEECH, "cp950"),
    ):
        (tmp_path / name).write_bytes(text.encode(encoding))
    corpus = guessed(tmp_path)
    expected = {"old.txt": "cp1252", "speech.txt": "cp950", "wide.txt": "utf-16-le"}
    assert corpus.inventory.encodings == expected
    assert set(corpus.form.vocabulary.words) == {"tea", *FRENCH.split(), *SPEECH.split()}
    result = concur("index", tmp_path, "--encoding", "guess", "-o", tmp_path / "index", "--json").json
    assert result["encodings"] == expected
    assert [each["code"] for each in result["warnings"]] == ["encoding_guessed"]
    said = concur("words", tmp_path / "speech.txt", "--encoding", "guess").err
    assert "Read as cp950: speech.txt. Name the encoding if that is wrong." in said


def test_the_error_says_what_a_file_reads_as(tmp_path, concur):
    path = tmp_path / "old.txt"
    path.write_bytes(b"tea\n" + FRENCH.encode("cp1252"))
    refused = concur("words", path, "--format", "text")
    assert refused.err == (
        f"concur: {path}, line 2: not valid utf-8. The file reads as cp1252: read it with --encoding cp1252, or with "
        "--encoding guess.\n"
    )
    assert concur("words", path, "--encoding", "cp1252").code == 0


def test_a_paragraph_is_not_offered_to_be_left_out(tmp_path):
    path = tmp_path / "damaged.txt"
    path.write_bytes(FRENCH.encode() + b"caf\xe9\n")
    with pytest.raises(InvalidInputError, match="Correct the file, name its encoding") as refused:
        read_corpus(path, format="text")
    assert "skip_broken" not in str(refused.value)
    with pytest.raises(InvalidInputError, match="or leave such lines out with skip_broken=True"):
        read_corpus(path)


@pytest.mark.parametrize(("text", "encoding"), [("Było już późno, więc poszła.", "cp1250"), ("было поздно", "koi8-r")])
def test_what_cannot_be_told_is_not_guessed(tmp_path, text, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(InvalidInputError, match="its encoding cannot be told; name its encoding with encoding="):
        guessed(path)
    assert read_corpus(path, encoding=encoding).form.vocabulary.words == text.split()


@given(st.text(max_size=200))
def test_utf_8_is_never_taken_for_another_encoding(text):
    data = text.replace("\0", "").encode("utf-8")
    assert guess_encoding(data) == "utf-8"


@given(st.binary(max_size=200))
def test_a_guess_can_be_decoded(data):
    encoding = guess_encoding(data)
    assert encoding is None or encoding.startswith("utf-16") or data.decode(encoding) is not None


def test_tags_are_given_to_texts_in_any_encoding(tmp_path):
    from concurrence.corpus.tag import tag_texts, text_files
    from concurrence.corpus.taggers import TaggedWord

    (tmp_path / "a.txt").write_bytes("café".encode("cp1252"))
    files = text_files([tmp_path], encoding="guess")
    (part,) = tag_texts(files, lambda texts: ([[TaggedWord(form=text)]] for text in texts))
    assert "café" in part.text
