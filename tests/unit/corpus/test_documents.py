"""Documents are read as their text, markup is never a word, and what cannot be read is named."""

import sys
from itertools import pairwise

import pytest

from concurrence import kwic, read_corpus
from concurrence.core.errors import InvalidInputError, MissingExtraError
from support.made_documents import docx, epub, odt, pdf

HTML = """<!DOCTYPE html><html><head><title>Tea &amp; cake</title><meta name="author" content="Ann">
<style>p {}</style></head><body><nav>Home</nav><h1>Tea</h1><p>We <b>dr</b>ank t&eacute;a.<br>Why?</p><!-- no -->
<script>x()</script><div>So what</div></body></html>"""
TEI = """<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="t1"><teiHeader><fileDesc><titleStmt>
<title>On tea</title><author>Ann</author></titleStmt><sourceDesc><bibl><date when="1890"/></bibl></sourceDesc>
</fileDesc></teiHeader><text><body><div type="chapter"><head>Tea</head><p><s><w lemma="we" pos="PRON">We</w>
<w lemma="drink" pos="VERB" msd="VVD">drank</w> <w lemma="tea" pos="NOUN">tea</w><pc join="left">.</pc></s></p>
<p>It was <choice><sic>god</sic><corr>good</corr></choice>.<note>A note.</note> Was it?</p></div></body></text></TEI>"""
GUTENBERG = """The Project Gutenberg eBook of Tea

Title: Tea
Author: Ann Brewer
Language: English

*** START OF THE PROJECT GUTENBERG EBOOK TEA ***
We drank tea .

*** END OF THE PROJECT GUTENBERG EBOOK TEA ***
Updated editions will replace the previous one.
"""


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def texts(corpus):
    """The sentences as they were written."""
    return [corpus.text(begin, end - 1) for begin, end in pairwise(corpus.sentences.tolist())]


def facts(corpus):
    return {name: values[0] for name, values in corpus.documents.metadata.items() if name != "path"}


@pytest.mark.parametrize(
    ("name", "content", "sentences", "known"),
    [
        ("a.html", HTML, ["Tea", "We drank téa.", "Why?", "So what"], {"title": "Tea & cake", "author": "Ann"}),
        (
            "a.docx",
            docx("We drank tea. Why?"),
            ["We drank tea.", "Why?", "In a cell."],
            {"title": "Tea", "author": "Ann"},
        ),
        ("a.odt", odt("We drank tea."), ["We drank tea.", "With sugar.", "A note."], {"title": "Tea", "author": "Ann"}),
        ("a.epub", epub("The end.", "We drank tea."), ["We drank tea.", "The end."], {"title": "Tea", "author": "Ann"}),
        (
            "a.pdf",
            pdf("We drank very strong", "tea, un-", "sweetened.", "7"),
            ["We drank very strong tea, unsweetened."],
            {},
        ),
        (
            "a.txt",
            GUTENBERG,
            ["We drank tea ."],
            {"title": "Tea", "author": "Ann Brewer", "language": "English", "gutenberg": "yes"},
        ),
    ],
)
def test_documents_are_read_as_their_text(file, name, content, sentences, known):
    corpus = read_corpus(file(name, content), keeps_text=True)
    assert (texts(corpus), facts(corpus)) == (sentences, known)


def test_tei_has_its_sentences_words_lemmas_and_tags(file):
    for name in ("a.xml", "a.tei", "a"):
        corpus = read_corpus(file(name, TEI), keeps_text=True)
        assert texts(corpus) == ["Tea", "We drank tea.", "It was good.", "Was it?"]
        assert corpus.documents.names == ("t1",)
        assert facts(corpus) == {"id": "t1", "title": "On tea", "author": "Ann", "date": "1890"}
        assert kwic(corpus, '[lemma="drink" & pos="VERB" & xpos="VVD"]').total == 1
        assert corpus.layers["lemma"].frequencies.sum() == 3


def test_other_xml_is_refused_or_named(file, tmp_path):
    path = file("folder/a.xml", "<?xml version='1.0'?><root><a>x</a></root>")
    with pytest.raises(InvalidInputError, match="is XML, but not TEI"):
        read_corpus(path)
    file("folder/b.txt", "tea\n")
    assert read_corpus(path.parent).inventory.left_out[0].reason == "XML, but not TEI"
    with pytest.raises(InvalidInputError, match="is not well-formed XML"):
        read_corpus(file("b.tei", TEI[:-9]))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HTML, "is HTML and not plain text, so its tags would be words; read it with format='html'"),
        (r"{\rtf1\ansi Tea}", "is RTF and not plain text, so its tags would be words; save it as text"),
        ("<?xml version='1.0'?>\n<a>tea</a>", "is XML and not plain text"),
        (docx("Tea"), "is a zip archive and not plain text"),
        (pdf("Tea"), "is PDF and not plain text"),
    ],
)
def test_markup_that_is_called_text_is_refused(file, content, words):
    for format_ in ("lines", "text"):
        with pytest.raises(InvalidInputError) as refused:
            read_corpus(file("a.txt", content), format=format_)
        assert words in str(refused.value)


@pytest.mark.parametrize("text", ["<3 tea\n", "a < b > c\n", "< s >\n", "<unk> tea <unk>\n"])
def test_a_text_with_angle_brackets_is_a_text(file, text):
    assert read_corpus(file("a.txt", text)).form.vocabulary.words == list(dict.fromkeys(text.split()))


def test_running_text_takes_documents_of_all_kinds(file, tmp_path):
    where = file("folder/a.docx", docx("Tea.")).parent
    file("folder/b.txt", "More tea.")
    file("folder/c.pdf", b"%PDF-1.4\nbroken")
    file("folder/d.pdf", pdf())
    corpus = read_corpus(where, format="text")
    assert corpus.documents.names == ("a.docx", "b.txt")
    reasons = {entry.file: entry.reason for entry in corpus.inventory.left_out}
    assert reasons["c.pdf"].startswith("this is not a readable .pdf file")
    assert reasons["d.pdf"] == "this PDF has no text layer; recognise its text first (OCR)"
    alone = read_corpus(where)
    assert (alone.documents.names, len(alone.inventory.left_out)) == (("b.txt",), 3)


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.epub", "a.pdf"])
def test_a_damaged_document_is_one_sentence(file, name):
    for content in (b"", b"x" * 99, docx("x")[:60], b"PK\x03\x04"):
        with pytest.raises(InvalidInputError, match=r"this is not a"):
            read_corpus(file(name, content))


def test_the_extra_is_named_where_it_is_missing(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)
    for name, content in (("a.html", HTML), ("a.docx", docx("Tea.")), ("a.tei", TEI)):
        with pytest.raises(MissingExtraError, match=r"concurrence\[texts\]"):
            read_corpus(file(name, content))


def test_entities_of_other_files_are_not_read(file, tmp_path):
    secret = file("secret.txt", "secret")
    text = TEI.replace("<TEI", f'<!DOCTYPE TEI [<!ENTITY x SYSTEM "{secret.as_uri()}">]><TEI').replace(
        "Was it", "Was &x;"
    )
    with pytest.raises(InvalidInputError, match="Entity 'x' not defined"):
        read_corpus(file("a.tei", text))
    own = text.replace(f'SYSTEM "{secret.as_uri()}"', "'its own'")
    assert "own" in read_corpus(file("a.tei", own)).form.vocabulary.words


TAGGED = "\n\n\tThe/at jury/nn and\\/or/cc said/vbd it/pps ./.\n\n\tIt/pps met/vbd </( Mr./np Smith/np ./.\n\n"


@pytest.mark.parametrize("sign", ["/", "_"])
def test_words_with_tags_are_words_and_tags(file, sign):
    text = TAGGED.replace("\\/or", "").replace("/", sign)
    for name in ("ca01", "a.txt", "b.tagged"):
        path = file(name, text)
        corpus = read_corpus(path, format="tagged" if name.startswith("b") else None, keeps_text=True)
        assert texts(corpus) == ["The jury and said it .", "It met < Mr. Smith ."]
        assert kwic(corpus, '[pos="np"] [pos="np"]').total == 1
    with pytest.raises(InvalidInputError, match=f"line 1: 'tea' has no tag behind '{sign}'"):
        read_corpus(file("c.txt", f"tea a{sign}b c{sign}d\n"), format="tagged")


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ('<np type ="frag">', {"type": "frag"}),
        ("<np type=frag n = 3>", {"type": "frag", "n": "3"}),
        ("<np type = 'a b' href=http://x/y.html>", {"type": "a b", "href": "http://x/y.html"}),
        ("<np frag>", {"frag": ""}),
    ],
)
def test_tags_of_vertical_text_are_read_as_cwb_reads_them(file, tag, attributes):
    corpus = read_corpus(file("a.vrt", f"<s type ='x'>\n{tag}\ntea\tNN\n</np>\n</s>\n<s n=2>\n<g />\ntea\tNN\n</s>\n"))
    assert {name: values[0] for name, values in corpus.regions["np"].attributes.items()} == attributes
    assert corpus.n_sentences == 2


def test_documents_can_be_tagged_and_tei_has_its_tags_already(file):
    from concurrence.corpus.tag import tag_texts, text_files
    from concurrence.corpus.taggers import TaggedWord

    def tag(name, content):
        parts = tag_texts(text_files([file(name, content)]), lambda texts: ([[TaggedWord(form=t)]] for t in texts))
        return [line.split("\t")[1] for part in parts for line in part.text.split("\n") if "\t" in line]

    assert tag("a.docx", docx("We drank tea.")) == ["We drank tea.", "In a cell."]
    with pytest.raises(InvalidInputError, match="is TEI, which concur index reads as it is"):
        tag("a.xml", TEI)
