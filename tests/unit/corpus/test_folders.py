"""Which files of a folder are read, what their documents are called, and what is said of the others."""

import pytest

from concurrence import read_corpus
from concurrence.core.errors import InvalidInputError


@pytest.fixture
def folder(tmp_path):
    def write(files):
        for name, content in files.items():
            path = tmp_path / "texts" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "texts"

    return write


def left_out(corpus):
    return {entry.file: entry.reason for entry in corpus.inventory.left_out}


def brown(n):
    """So many texts without an extension, the list of their categories, and what describes them."""
    texts = {f"ca{k:02d}": f"\n\n\tThe jury said text {k} .\n\n" for k in range(n)}
    lists = {"cats.txt": "".join(f"{name} news\n" for name in texts)}
    return {**texts, **lists, "README": "BROWN CORPUS\n", "CONTENTS": "A. PRESS\n"}


def test_what_was_seen_in_the_first_lines_is_said(folder, concur):
    where = folder(
        {"ca01": "The/at jury/nn said/vbd so/rb ./.\n" * 3, "ca02": "It/pps met/vbd Mr./np Smith/np ./.\n" * 3}
    )
    expected = "2 files were read as tagged, judged by the first lines; --format names another format."
    assert expected in concur("words", where).err
    (where / "ebook").write_text("Title: Tea\n*** START OF THE PROJECT GUTENBERG EBOOK TEA ***\nWe drank tea .\n")
    (where / "ca01").unlink()
    (where / "ca02").unlink()
    corpus = read_corpus(where)
    assert (corpus.n_tokens, [each.code for each in corpus.inventory.warnings]) == (4, ["ebooks_cut"])


def test_texts_without_an_extension_are_read_and_the_list_of_them_is_not(folder, tmp_path, concur):
    corpus = read_corpus(folder(brown(40)))
    assert (len(corpus.documents.names), corpus.n_tokens) == (40, 40 * 6)
    reasons = {"CONTENTS": "about the folder", "README": "about the folder", "cats.txt": "a list of the files"}
    assert left_out(corpus) == reasons
    result = concur("index", tmp_path / "texts", "-o", tmp_path / "index", "--json").json
    assert (result["documents"], result["files"]) == (40, {"lines": 40})
    assert {entry["file"]: entry["reason"] for entry in result["left_out"]} == reasons
    (warning,) = result["warnings"]
    assert warning["code"] == "files_left_out"
    assert warning["text"] == (
        "40 files were read as lines; 3 were left out: CONTENTS (about the folder), README (about the "
        "folder), cats.txt (a list of the files). To read a file anyway, name it."
    )


def test_every_command_says_what_a_folder_holds_besides(folder, concur):
    where = folder({"a.txt": "red rose\n", "b.pdf": b"%PDF\0", "c.PDF": b"%PDF\0", "d.docx": b"PK\3\4"})
    expected = "1 file was read as lines; 3 were left out: .pdf (2), .docx. To read a file anyway, name it."
    for command in (["words", where], ["pairs", where, "--rule", "adjacent"], ["kwic", where, "rose"]):
        assert expected in concur(*command).err


def test_named_formats_do_not_make_tables_and_readmes_text(folder):
    files = {
        "a.txt": "We drank tea.",
        "b.raw": "Why?",
        "README.md": "# Texts",
        "meta.csv": "file,year\n",
        "x.md": "Tea.",
    }
    corpus = read_corpus(folder({**files, "page.rtf": "x"}), format="text")
    assert corpus.documents.names == ("a.txt", "b.raw", "x.md")
    assert set(left_out(corpus)) == {"README.md", "meta.csv", "page.rtf"}
    assert read_corpus(folder(files) / "README.md", format="text").n_tokens == 2


def test_vertical_text_may_be_called_xml_where_the_format_is_named(folder):
    where = folder({"a.xml": "<s>\ntea\tNN\n</s>\n", "b.csv": "x\n"})
    assert read_corpus(where, format="vrt").n_tokens == 1
    with pytest.raises(InvalidInputError, match=r"no corpus files found in this folder \(it has \.csv, \.xml\)"):
        read_corpus(where)


def test_documents_are_called_by_their_path_below_the_folder(folder, tmp_path):
    where = folder({"a/x.txt": "red rose\n", "b/x.txt": "white rose\n"})
    assert read_corpus(where).documents.names == ("a/x.txt", "b/x.txt")
    assert read_corpus(f"{where}/*/x.txt").documents.names == ("a/x.txt", "b/x.txt")
    both = read_corpus(where / "a", where / "b").documents.names
    assert both == (f"{where.as_posix()}/a/x.txt", f"{where.as_posix()}/b/x.txt")
    assert read_corpus(where / "a" / "x.txt").documents.names == ("x.txt",)


def test_other_formats_are_called_so_where_they_do_not_name_their_documents(folder):
    words = "1\ttea\ttea\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    trees = folder({"a/x.conllu": words, "b/x.conllu": f"# newdoc id = own\n{words}"})
    assert read_corpus(trees).documents.names == ("a/x.conllu", "own")
    text = "<text>\ntea\n</text>\n"
    vertical = folder({"c/d/x.vrt": text, "c/x.vrt": text.replace("<text>", '<text id="own">')})
    assert read_corpus(vertical / "c").documents.names == ("d/x.vrt", "own")


def test_formats_of_files_without_an_extension_are_seen_in_their_first_lines(folder):
    texts = {
        "trees": "# sent_id = 1\n1\ttea\ttea\tNOUN\t_\t_\t0\troot\t_\t_\n\n",
        "vertical": "<s>\nstrong\tJJ\ntea\tNN\n</s>\n",
        "plain": "strong tea\n",
        "numbered.001": "tea\n",
        "picture": b"GIF\0\0",
    }
    where = folder(texts)
    trees, vertical, plain = (read_corpus(where / name) for name in ("trees", "vertical", "plain"))
    assert ("lemma" in trees.layers, vertical.n_tokens, plain.n_tokens) == (True, 2, 2)
    with pytest.raises(InvalidInputError, match="picture: not a text"):
        read_corpus(where / "picture")
    (where / "trees").unlink()
    (where / "vertical").unlink()
    assert left_out(read_corpus(where)) == {"picture": "not text"}


def test_what_has_no_words_is_no_document_and_is_named(folder):
    corpus = read_corpus(folder({"a.txt": "tea\n", "b.txt": " \n"}))
    assert (corpus.documents.names, left_out(corpus)) == (("a.txt",), {"b.txt": "no words"})


def test_hidden_files_indexes_and_provenance_are_no_text(folder, concur):
    where = folder({"a.txt": "tea\n", ".git/HEAD": "ref\n", ".DS_Store": "x", "a.csv.meta.json": "{}"})
    concur("index", where, "-o", where / "index")
    corpus = read_corpus(where)
    assert (corpus.documents.names, left_out(corpus)) == (("a.txt",), {"index": "an index"})


def test_a_text_that_begins_like_a_list_is_read(folder):
    texts = {"tea": "coffee is black\nwine is red\n", "coffee": "tea is green\n", "wine": "x\n"}
    assert len(read_corpus(folder(texts)).documents.names) == 3


def test_an_index_keeps_what_was_left_out_and_adds_to_it(folder, tmp_path, concur):
    one = folder({"one/a.txt": "tea\n", "one/b.pdf": b"%PDF", "two/c.txt": "tea\n", "two/d.docx": b"PK"})
    concur("index", one / "one", "-o", tmp_path / "index")
    concur("index", one / "two", "-o", tmp_path / "index", "--append")
    result = concur("index", "-o", tmp_path / "index", "--check", "--json").json
    assert (result["files"], [entry["file"] for entry in result["left_out"]]) == ({"lines": 2}, ["b.pdf", "d.docx"])


def test_an_index_of_an_older_version_is_refused_in_one_sentence(folder, tmp_path, concur):
    concur("index", folder({"a.txt": "tea\n"}), "-o", tmp_path / "index")
    manifest = tmp_path / "index" / "index.json"
    manifest.write_text(manifest.read_text().replace('"version": 2', '"version": 1'))
    refused = concur("words", tmp_path / "index")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "is an index of version 1, and this program reads version 2; make it again with concur index" in refused.err


def test_attributes_without_a_value_may_be_those_of_some_files_alone(folder):
    """Nobody is misled by a lemma that no token has; one that some files have would be counted in these alone."""
    rows = "1\tDogs\t{}\t_\t_\t_\t2\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    place = folder({"a.txt": "a strong man .\n", "b.conllu": rows.format("_")})
    for files in (("a.txt", "b.conllu"), ("b.conllu", "a.txt")):
        corpus = read_corpus(*(place / name for name in files))
        assert corpus.n_tokens == 6
        assert not corpus.has_values("lemma")
        dogs = corpus.form.codes.tolist().index(corpus.form.vocabulary.words.index("Dogs"))
        assert corpus.heads[dogs] == dogs + 1
        assert len(corpus.heads) == len(corpus.form.codes)
    folder({"b.conllu": rows.format("dog")})
    for files in (("a.txt", "b.conllu"), ("b.conllu", "a.txt")):
        with pytest.raises(InvalidInputError, match="Only some files of the corpus have the attributes lemma"):
            read_corpus(*(place / name for name in files))
