"""Damaged files of every format, many in one process: tokens or one sentence, never a traceback.

Of the formats with one token or sentence per line, what is read and what is left out are together what there is.
"""

import io
import os
import random

import polars as pl
import pytest

from concurrence import read_corpus
from concurrence.core.corpus import Corpus
from concurrence.core.errors import ConcurrenceError
from support.made_documents import docx, epub, odt, pdf

MANY = int(os.environ.get("CONCURRENCE_DAMAGED_FILES", "60"))
"""The files of each format; 2,000 were tried."""
WORDS = "".join(f"{n}\tw{n}\tw\tNOUN\tN\tNumber=Sing\t{n - 1}\tobj\t_\tSpaceAfter=No\n" for n in range(1, 9)) + "\n"
TOKENS = pl.DataFrame({"document": ["a"] * 4, "sentence": [1, 1, 2, 2], "position": [1, 2, 1, 2], "form": list("abcd")})
PAGE = "<!DOCTYPE html><html><head><title>T&eacute;</title></head><body><p>Tea <b>and</b> cake.<p>So.</body></html>"
BOOK = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>T</title></teiHeader><text><body><p><s>'
    '<w lemma="a">A</w>'
    "<pc>.</pc></s></p><p>It was so. Was it?</p></body></text></TEI>"
)


def parquet():
    data = io.BytesIO()
    TOKENS.write_parquet(data)
    return data.getvalue()


SAMPLES = {
    "lines": b"we drank tea .\nso caf\xc3\xa9 it is .\n" * 9,
    "text": b"We drank tea. Didn't we?\n\nCaf\xc3\xa9!\n" * 9,
    "tagged": b"We/PP drank/VB tea/NN ./.\nSo/RB it/PP is/VB\n" * 9,
    "vrt": b'<text id="a">\n<s n=1>\n<np head="tea">\ntea\tNN\ttea\n</np>\n&lt;\tX\ta\n</s>\n</text>\n' * 9,
    "conllu": (WORDS * 5).encode(),
    "cupt": WORDS.replace("\n", "\t*\n", 8).encode() * 5,
    "parquet": parquet(),
    "tei": BOOK.encode(),
    "html": PAGE.encode(),
    "docx": docx("We drank tea.", "So."),
    "odt": odt("We drank tea."),
    "epub": epub("We drank tea.", "So."),
    "pdf": pdf("We drank tea.", "So."),
}


def damaged(data, draw):
    """The same with some bytes changed, left out, repeated or exchanged."""
    part = bytearray(data)
    for _ in range(draw.randrange(1, 6)):
        at, size = draw.randrange(len(part) + 1), draw.randrange(1, 12)
        piece = bytes(part[at : at + size])
        new = draw.choice(
            [b"", piece * 2, draw.randbytes(size), piece[::-1], b"\t", b"\n", b"\xef\xbb\xbf", b"<", b"\0"]
        )
        part[at : at + size] = new
        if draw.random() < 0.1:
            part = part[: draw.randrange(len(part) + 1)]
    return bytes(part)


@pytest.mark.parametrize("skip_broken", [False, True])
@pytest.mark.parametrize("format_", SAMPLES)
def test_damaged_files_give_tokens_or_a_sentence(tmp_path, format_, skip_broken):
    draw = random.Random(f"{format_} {skip_broken}")
    path = tmp_path / f"damaged.{format_}"
    for _ in range(MANY):
        data = damaged(SAMPLES[format_], draw)
        path.write_bytes(data)
        try:
            found = read_corpus(path, format=format_, skip_broken=skip_broken, keeps_text=True)
        except ConcurrenceError as error:
            found = str(error)
        assert isinstance(found, Corpus) or (10 < len(found) < 2000 and "\n" not in found)
        if format_ == "lines" and isinstance(found, Corpus):
            count_lines(found, data)


def count_lines(corpus, data):
    """Lines with words that were read, and lines that were left out, are all lines with words."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    broken = [line for line in lines if b"\0" in line or not is_utf8(line)]
    whole = [line for line in lines if line not in broken and line.replace(b"\xef\xbb\xbf", b"").split()]
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert (corpus.n_sentences, corpus.broken) == (len(whole), len(broken))


def is_utf8(line):
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
