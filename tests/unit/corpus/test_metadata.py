"""What is known of documents from a table, from their folders and from their names is kept with them."""

import polars as pl
import pytest

from concurrence import open_index, read_corpus
from concurrence.core.errors import InvalidInputError


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "texts"
    for name, text in {
        "us/1793-Washington.txt": "tea\n",
        "us/1797-Adams.txt": "wine\n",
        "uk/1798-Pitt.txt": "tea\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


NAMES = ("uk/1798-Pitt.txt", "us/1793-Washington.txt", "us/1797-Adams.txt")


@pytest.mark.parametrize("key", ["document", "file", "doc_id"])
@pytest.mark.parametrize(
    "named", [lambda name: name, lambda name: f"./{name}", lambda name: name.split("/")[1], lambda name: name[3:-4]]
)
def test_a_table_gives_documents_their_attributes(texts, key, named):
    table = pl.DataFrame({key: [named(name) for name in NAMES], "party": ["T", None, "F"], "votes": [1, 69, 71]})
    corpus = read_corpus(texts, metadata=table.reverse())
    assert corpus.documents.names == NAMES
    assert corpus.documents.metadata["party"] == ("T", "", "F")
    assert corpus.documents.metadata["votes"] == ("1", "69", "71")
    assert corpus.inventory.warnings == ()


def test_rows_and_documents_without_a_partner_are_named(texts):
    table = pl.DataFrame({"file": ["us/1797-Adams.txt", "us/1801-Jefferson.txt"], "party": ["F", "R"]})
    corpus = read_corpus(texts, metadata=table)
    assert corpus.documents.metadata["party"] == ("", "", "F")
    (warning,) = corpus.inventory.warnings
    assert (warning.code, warning.text) == (
        "metadata_unmatched",
        "2 documents without a row in the metadata: uk/1798-Pitt.txt, us/1793-Washington.txt; 1 row of the metadata "
        "without a document: us/1801-Jefferson.txt.",
    )


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"file": ["x.txt"], "year": ["1"]}, "No row of the metadata is about a document of the corpus: the first row"),
        ({"name": ["x"], "year": ["1"]}, "has no column 'document' or 'file'"),
        ({"file": ["us/1797-Adams.txt"] * 2, "year": ["1", "2"]}, "more than one row for 'us/1797-Adams.txt'"),
    ],
)
def test_tables_that_are_not_about_the_documents_are_refused(texts, columns, words):
    with pytest.raises(InvalidInputError, match=words):
        read_corpus(texts, metadata=pl.DataFrame(columns))


def test_a_name_that_two_files_share_is_not_enough(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text("tea\n")
    with pytest.raises(InvalidInputError, match="No row of the metadata is about a document"):
        read_corpus(tmp_path, metadata=pl.DataFrame({"file": ["x.txt"], "year": ["1"]}))
    both = pl.DataFrame({"file": ["a/x.txt", "b/x.txt"], "year": ["1", "2"]})
    assert read_corpus(tmp_path, metadata=both).documents.metadata["year"] == ("1", "2")


def test_folders_and_patterns_of_names_are_attributes(texts):
    corpus = read_corpus(texts, name_pattern=r"(?P<year>\d{4})-(?P<president>\w+)")
    known = corpus.documents.metadata
    assert (known["folder"], known["year"]) == (("uk", "us", "us"), ("1798", "1793", "1797"))
    assert known["president"] == ("Pitt", "Washington", "Adams")
    with pytest.raises(InvalidInputError, match="names no attribute"):
        read_corpus(texts, name_pattern=r"\d+")
    with pytest.raises(InvalidInputError, match="is not a regular expression"):
        read_corpus(texts, name_pattern="(")


def test_every_document_of_a_file_knows_what_is_known_of_the_file(tmp_path):
    (tmp_path / "f").mkdir()
    text = '<text id="1" year="1990">\ntea\n</text>\n<text id="2" year="2000">\ntea\n</text>\n'
    (tmp_path / "f" / "a.vrt").write_text(text)
    table = pl.DataFrame({"file": ["f/a.vrt"], "genre": ["news"]})
    known = read_corpus(tmp_path, metadata=table).documents.metadata
    assert {name: known[name] for name in ("folder", "year", "genre")} == {
        "folder": ("f", "f"),
        "year": ("1990", "2000"),
        "genre": ("news", "news"),
    }


def test_the_index_keeps_them_and_contrast_divides_by_them(texts, tmp_path, concur):
    (tmp_path / "facts.csv").write_text("file,party\nuk/1798-Pitt.txt,T\nus/1797-Adams.txt,F\n")
    made = concur("index", texts, "-o", tmp_path / "index", "--metadata", tmp_path / "facts.csv", "--json").json
    assert made["attributes"] == ["folder", "party"]
    assert [each["code"] for each in made["warnings"]] == ["metadata_unmatched"]
    assert open_index(tmp_path / "index").documents.metadata["party"] == ("T", "", "F")
    parts = concur("contrast", tmp_path / "index", "--by", "folder", "--a", "us", "--json").json
    assert {row["word"]: (row["f_a"], row["f_b"]) for row in parts["words"]} == {"tea": (1, 1), "wine": (1, 0)}
    (tmp_path / "cats.txt").write_text("uk/1798-Pitt.txt speech peace\nus/1797-Adams.txt speech\n")
    made = concur("index", texts, "-o", tmp_path / "other", "--metadata", tmp_path / "cats.txt").code
    assert (made, open_index(tmp_path / "other").documents.metadata["category"]) == (0, ("speech peace", "", "speech"))


def test_a_frame_of_tokens_takes_metadata_too():
    tokens = pl.DataFrame({"document": ["a", "b"], "sentence": [1, 2], "form": ["tea", "wine"]})
    corpus = read_corpus(tokens, metadata=pl.DataFrame({"document": ["b", "a"], "year": [2, 1]}))
    assert corpus.documents.metadata["year"] == ("1", "2")
