"""What a file holds, by its first lines: for files without an extension, and for lists of the files of a folder."""

import re
from collections.abc import Collection
from pathlib import Path

from concurrence.core.errors import InvalidInputError

HEAD_BYTES = 1 << 16
RTF, HTML, TEI, XML, PDF, ZIP = "RTF", "HTML", "TEI", "XML", "PDF", "a zip archive"
FIRST_TAG = re.compile(rb"\s*<(?:\?xml|![A-Za-z-]|[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>)")
HTML_TAG = re.compile(rb"<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
TEI_TAG = re.compile(rb"<(?:\w+:)?(?:TEI|teiCorpus|TEI\.2|bncDoc)\b|www\.tei-c\.org/ns/1\.0")
CLOSING_TAG = re.compile(rb"</[A-Za-z][\w:.-]*\s*>")
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
SEPARATORS = ("/", "_")
MOST = 0.98
"""The share of tokens of a text that must have a tag."""
FEWEST = 10
TAG_OF = {sign: re.compile(rf"\S+{sign}[A-Za-z$*.,:;()'`\"?!&|+\-=/#0-9]{{1,15}}\Z") for sign in SEPARATORS}


def read_head(path: Path) -> bytes:
    return first_bytes(path, HEAD_BYTES)


def first_bytes(path: Path, n: int) -> bytes:
    """The first bytes of a file, which may be packed; none of one that is damaged."""
    import gzip
    import zlib

    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            return gzip.GzipFile(fileobj=file).read(n) if packed else file.read(n)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror or error}.") from error


def is_binary(head: bytes) -> bool:
    """Whether these cannot be the first bytes of a text; those of a text in UTF-16 say so by a mark.

    >>> is_binary(b"tea"), is_binary(b"PNG\\0"), is_binary("tea".encode("utf-16"))
    (False, True, False)
    """
    return b"\0" in head and not head.startswith(UTF_16_MARKS)


def detect_format(head: bytes) -> str:
    """The format of a text without an extension.

    >>> [detect_format(head) for head in (b"a rose\\n", b"1\\ta" + b"\\t_" * 8, b"<s>\\nDie\\tART\\n</s>\\n")]
    ['lines', 'conllu', 'vrt']
    """
    lines = [line for line in head.splitlines() if line.strip()]
    tokens = [line for line in lines if not line.startswith(b"#")]
    if tag_separator(head.decode("utf-8", "replace")):
        return "tagged"
    if tokens and tokens[0].count(b"\t") == 9 and tokens[0][:1].isdigit():
        return "conllu"
    vertical = [line for line in lines if not line.startswith(b"<")]
    if lines and lines[0].startswith(b"<") and vertical and not any(b" " in line.split(b"\t")[0] for line in vertical):
        return "vrt"
    return "lines"


def tag_separator(text: str, *, most: float = MOST) -> str | None:
    """What stands between the words of a text and their tags, where nearly all tokens have one.

    >>> tag_separator("The/at jury/nn said/vbd ./. " * 3), tag_separator("either/or and/or " * 9), tag_separator("a b")
    ('/', None, None)
    """
    tokens = text.split()
    for sign in SEPARATORS:
        tagged = sum(TAG_OF[sign].match(token) is not None for token in tokens)
        tags = {token.rpartition(sign)[2] for token in tokens}
        if len(tokens) >= FEWEST and tagged >= most * len(tokens) and len(tags) > 2:
            return sign
    return None


def detect_markup(head: bytes) -> str | None:
    """What kind of markup the first lines of a file are, if they are any.

    >>> [detect_markup(head) for head in (rb"{\\rtf1 Tea}", b"<html><p>Tea</p></html>", b"<3 tea", b"<s>\\na\\n</s>")]
    ['RTF', 'HTML', None, 'XML']
    """
    data = head.removeprefix(b"\xef\xbb\xbf")
    for start, kind in ((b"{\\rtf", RTF), (b"%PDF", PDF), (b"PK\x03\x04", ZIP)):
        if data.startswith(start):
            return kind
    if not FIRST_TAG.match(data):
        return None
    if TEI_TAG.search(data):
        return TEI
    if HTML_TAG.search(data):
        return HTML
    return XML if data.lstrip().startswith(b"<?xml") or CLOSING_TAG.search(data) else None


def lists_files(head: bytes, names: Collection[str]) -> bool:
    """Whether every line begins with the name of another file, and at least half of them are named.

    >>> lists_files(b"ca01 news\\nca02 news\\n", {"ca01", "ca02", "cats.txt"})
    True
    """
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    whole = len(head) < HEAD_BYTES
    firsts = [re.split(r"[\s,;]", line.lstrip(), maxsplit=1)[0] for line in (lines if whole else lines[:-1])]
    distinct = set(firsts)
    enough = 2 * len(distinct) >= len(names) - 1 or not whole
    if len(distinct) < 2 or len(distinct) < len(firsts) or not enough or not distinct <= set(names):
        return False
    return not any(name.isalpha() for name in distinct)  # such names may be words of a text
