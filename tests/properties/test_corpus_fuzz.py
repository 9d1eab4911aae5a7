"""Bytes of any kind into every reader: tokens or a sentence, never a traceback or a hang."""

import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concurrence import read_corpus
from concurrence.core.corpus import Corpus
from concurrence.core.errors import ConcurrenceError

WORD_LINE = b"1\ta\tb\tX\t_\t_\t0\tr\t_\t_\n"
TAGS = [b"<s>", b"</s>", b"<np h='x'>", b"</np>", b"&lt;", b"&#10;", b"<", b">"]
BITS = [b"1", b"2", b"\t", b"\n", b"\r\n", b"_", b"-", b".", b"#", b" ", b"w", b"\n\n", "é".encode()]
ALPHABET = st.sampled_from([*TAGS, *BITS, WORD_LINE, b"\xef\xbb\xbf", b"\xff", b"\0"])
STRUCTURED = st.lists(ALPHABET, max_size=60).map(b"".join)
CONTENT = st.one_of(
    st.binary(max_size=300), STRUCTURED, STRUCTURED.map(gzip.compress), STRUCTURED.map(lambda b: b"PAR1" + b)
)


@pytest.mark.parametrize("format_", ["lines", "text", "vrt", "conllu", "parquet"])
@pytest.mark.parametrize("skip_broken", [False, True])
@given(content=CONTENT, encoding=st.sampled_from(["utf-8", "utf-8", "latin-1", "utf-16"]))
@example(content=b"", encoding="utf-8")
def test_any_bytes_give_tokens_or_a_sentence(tmp_path_factory, format_, skip_broken, content, encoding):
    path = tmp_path_factory.getbasetemp() / f"fuzz.{format_}"
    path.write_bytes(content)
    try:
        found = read_corpus(path, format=format_, skip_broken=skip_broken, encoding=encoding)
    except ConcurrenceError as error:
        found = error
    assert isinstance(found, Corpus) or str(found)
