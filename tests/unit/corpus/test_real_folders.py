"""Nine folders in the shape of real ones: an index has the numbers of a plain loop, and says what is missing."""

import random
import re

import pytest

from support.clusters import conllu_text
from support.made_documents import docx

VOCABULARY = ["tea", "wine", "the", "a", "drank", "strong", "Mr.", "it", "said"]


def sentences_of(draw, n):
    return [[*draw.choices(VOCABULARY, k=draw.randrange(3, 12)), "."] for _ in range(n)]


def brown(draw):
    """500 texts without an extension, one sentence per line behind empty lines, words with tags; a list of them."""
    texts = {f"c{'abcdefghjklmnpr'[k % 15]}{k:03}": sentences_of(draw, 5) for k in range(500)}
    files = {
        name: "\n\n" + "\n\n\n".join("\t" + " ".join(f"{word}/{word[:2].lower()}" for word in s) for s in text) + "\n\n"
        for name, text in texts.items()
    }
    lists = {"cats.txt": "".join(f"{name} news\n" for name in files), "README": "BROWN CORPUS\n", "CONTENTS": "A. B\n"}
    return {**files, **lists}, list(texts.values()), {"README", "CONTENTS", "cats.txt"}, ()


def written(sentence):
    """A sentence of tokens as running text, whose end cannot be taken for an abbreviation."""
    return " ".join([*(word for word in sentence[:-1] if word != "Mr."), "today"]).capitalize() + "."


def tokenised(text):
    return [written(sentence).replace(".", " .").split() for sentence in text]


def speeches(draw, encoding):
    """Running text named by year and speaker, of which one file is in another encoding."""
    texts = {f"{1789 + 4 * k}-Name.txt": sentences_of(draw, 6) for k in range(20)}
    files = {name: " ".join(map(written, text)) for name, text in texts.items()}
    tokens = [tokenised(text) for text in texts.values()]
    files["2005-Bush.txt"] = "America’s tea is strong. It is.".encode(encoding)
    odd = [["America", "’s", "tea", "is", "strong", "."], ["It", "is", "."]]
    return {**files, "README": "Speeches\n"}, [*tokens, odd], {"README"}, ("--format", "text", "--encoding", "guess")


def inaugural(draw):
    return speeches(draw, "cp1252")


def state_union(draw):
    return speeches(draw, "cp950")


def movie_reviews(draw):
    """Two folders with texts of tokens, one sentence per line."""
    texts = {f"{side}/cv{k:03}_{k}.txt": sentences_of(draw, 8) for side in ("neg", "pos") for k in range(100)}
    files = {name: "".join(" ".join(sentence) + " \n" for sentence in text) for name, text in texts.items()}
    return {**files, "README": "v2.0\n"}, [texts[name] for name in sorted(texts)], {"README"}, ()


def tei(draw):
    texts = {f"t{k:02}.xml": sentences_of(draw, 4) for k in range(12)}
    files = {
        name: '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><p>'
        + "\n".join("<s>" + " ".join(f'<w lemma="{w}">{w}</w>' for w in s) + "</s>" for s in text)
        + "</p></body></text></TEI>"
        for name, text in texts.items()
    }
    schema = {"schema.rng": "<grammar/>", "other.xml": "<?xml version='1.0'?><a>b</a>"}
    return {**files, **schema}, list(texts.values()), set(schema), ()


def word_documents(draw):
    texts = {f"d{k:02}.docx": sentences_of(draw, 3) for k in range(12)}
    files = {name: docx(*map(written, text)) for name, text in texts.items()}
    cell = [["In", "a", "cell", "."]]
    return {**files, "old.doc": b"\xd0\xcf"}, [tokenised(text) + cell for text in texts.values()], {"old.doc"}, ()


def gutenberg(draw):
    texts = {f"pg{k}.txt": sentences_of(draw, 5) for k in range(8)}
    files = {
        name: "Title: T\n\n*** START OF THE PROJECT GUTENBERG EBOOK T ***\n\n"
        + "\n\n".join(map(written, text))
        + "\n\n*** END OF THE PROJECT GUTENBERG EBOOK T ***\nLicence.\n"
        for name, text in texts.items()
    }
    return files, [tokenised(text) for text in texts.values()], set(), ("--format", "text")


def treebank(draw):
    files = {f"x-ud-{part}.conllu": conllu_text(30, seed=k) for k, part in enumerate(("dev", "test", "train"))}
    blocks = [[re.findall(r"^\d+\t(\S+)", block, re.MULTILINE) for block in t.split("\n\n")] for t in files.values()]
    about = {"README.md": "# UD\n", "LICENSE.txt": "CC\n", "stats.xml": "<a/>"}
    return {**files, **about}, [[words for words in text if words] for text in blocks], set(about), ()


def many_small(draw):
    texts = {f"{k % 50:02}/{k}.txt": sentences_of(draw, 1) for k in range(5000)}
    files = {name: " ".join(text[0]) + "\n" for name, text in texts.items()}
    return files, [texts[name] for name in sorted(texts)], set(), ()


FOLDERS = (brown, inaugural, state_union, movie_reviews, tei, word_documents, gutenberg, treebank, many_small)


@pytest.mark.parametrize("make", FOLDERS, ids=lambda make: make.__name__)
def test_an_index_has_the_numbers_of_a_plain_loop(make, tmp_path, concur):
    files, texts, left_out, options = make(random.Random(make.__name__))
    for name, content in files.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = concur("index", tmp_path / "folder", "-o", tmp_path / "index", *options, "--json").json
    words = [word for text in texts for sentence in text for word in sentence]
    assert {
        "documents": len(texts),
        "sentences": sum(map(len, texts)),
        "tokens": len(words),
        "words": len(set(words)),
        "left out": left_out,
    } == {
        "documents": result["documents"],
        "sentences": result["sentences"],
        "tokens": result["tokens"],
        "words": result["layers"]["form"],
        "left out": {entry["file"] for entry in result["left_out"]},
    }
