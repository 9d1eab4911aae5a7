"""What a file holds, by its first lines: for files without an extension, and for lists of the files of a folder."""

import re
from collections.abc import Collection
from pathlib import Path

from concurrence.core.errors import InvalidInputError

HEAD_BYTES = 1 << 16
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_head(path: Path) -> bytes:
    """The first bytes of a file, which may be packed."""
    import gzip
    import zlib

    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            return gzip.GzipFile(fileobj=file).read(HEAD_BYTES) if packed else file.read(HEAD_BYTES)
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
    if tokens and tokens[0].count(b"\t") == 9 and tokens[0][:1].isdigit():
        return "conllu"
    vertical = [line for line in lines if not line.startswith(b"<")]
    if lines and lines[0].startswith(b"<") and vertical and not any(b" " in line.split(b"\t")[0] for line in vertical):
        return "vrt"
    return "lines"


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
