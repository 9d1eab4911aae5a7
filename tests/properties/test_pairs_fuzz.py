"""Bytes of any kind: pairs and samples are read, or refused in a sentence."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import read_pairs, read_sample
from concurrence.core.errors import ConcurrenceError

HEADERS = (
    b"l1,l2,f,f1,f2,N\n",
    b"l1\tl2\tf\tf1\tf2\tN\tam.MI\n",
    b"# c\n##:: size = 1\nid\tl1\tl2\tf\tf1\tf2\tN\n",
    b'{"l1":"a","l2":"b","f":1,"f1":2,"f2":3,"N":',
    b"l1;l2;f;f1;f2;N\n",
    b"",
)
NUMBERS = (b"a", b"1", b"0", b"-1", b"1e9", b"nan", b"inf", b"99999999999999999999", b"10", b"2", b"null")
MARKS = (
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b'"',
    b"#",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"{",
    b"}",
    b"[]",
    b" ",
    b"\xc3\xa9",
)
PIECES = st.sampled_from((*NUMBERS, *MARKS))
CONTENT = st.tuples(st.sampled_from(HEADERS), st.lists(PIECES, max_size=40).map(b"".join) | st.binary(max_size=60))
ROWS = st.lists(st.lists(st.sampled_from(["a", "", "1", "2", "7", "inf", "x"]), min_size=6, max_size=6), max_size=4)


@pytest.mark.parametrize("ending", ["csv", "tsv", "ds", "jsonl", "json", "csv.gz", "parquet"])
@given(CONTENT.map(b"".join) | ROWS.map(lambda rows: HEADERS[0] + "\n".join(map(",".join, rows)).encode()))
def test_bytes_are_pairs_or_refused_in_a_sentence(tmp_path_factory, ending, content):
    path = tmp_path_factory.getbasetemp() / f"fuzz.{ending}"
    path.write_bytes(content)
    for read in (read_pairs, read_sample):
        with suppress(ConcurrenceError):
            assert len(read(path)) >= 0
