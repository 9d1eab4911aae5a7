"""The encoding of a text: told by its byte order mark, or guessed from its bytes."""

import codecs
import re
from pathlib import Path

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.corpus.shapes import first_bytes

GUESS = "guess"
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WESTERN = "cp1252"
SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
UNLIKELY = re.compile(r"(?<=[^\W\d_])[\x80-\x9f¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶¸¹º»¼½¾¿×÷](?=[^\W\d_])")
"""What hardly ever stands between two letters; in another encoding than this one, these bytes are letters."""
EASTERN = ("cp950", "gbk", "cp932")
TYPOGRAPHY = frozenset("’‘“”—–…·\u3000")
"""What a Western text has of these encodings, if it was typed on a computer that was set up for one of them."""
MOST_FOREIGN = 0.2
"""The largest share of letters beyond ASCII in a text of a Western language."""
SAMPLE = 1 << 22


def file_encoding(path: Path, named: str) -> str:
    """The encoding that was named, or that of the byte order mark, or a guess where one was asked for."""
    if str(path) == "-" and named == GUESS:
        raise InvalidInputError(f"The encoding of standard input cannot be guessed; {_name_it()}.")
    if str(path) == "-" or named not in (GUESS, "utf-8"):
        return named
    head = first_bytes(path, 4 if named == "utf-8" else SAMPLE)
    own = next((name for mark, name in MARKS if head.startswith(mark)), None)
    if own is None and named == GUESS:
        own = guess_encoding(head, whole=len(head) < SAMPLE)
        if own is None:
            raise InvalidInputError(f"{path} is not UTF-8, and its encoding cannot be told; {_name_it()}.")
    return own or named


def guess_encoding(data: bytes, *, whole: bool = True) -> str | None:
    """UTF-8 where the bytes are that, or what the text reads as; None where neither can be told.

    >>> guess_encoding("déjà vu".encode()), guess_encoding("déjà vu".encode("cp1252"))
    ('utf-8', 'cp1252')
    >>> guess_encoding("было".encode("koi8-r")), guess_encoding("tea".encode("utf-16-le"))
    (None, 'utf-16-le')
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    if b"\0" in data:
        return _wide(data)
    try:
        decoder.decode(data, final=whole)
    except UnicodeDecodeError:
        eastern = (name for name in EASTERN if _reads_as_typed_in(name, data))
        return next(eastern, None) or (WESTERN if _reads_as_western(data) else None)
    return "utf-8"


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: of most pairs of bytes, the same one is zero."""
    pairs = max(len(data) // 2, 1)
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if data[start::2].count(0) > 0.6 * pairs and data[1 - start :: 2].count(0) < 0.1 * pairs:
            return name
    return None


def _reads_as_typed_in(name: str, data: bytes) -> bool:
    """Whether the only signs beyond ASCII are quotation marks, dashes and the like of this encoding."""
    try:
        signs = {sign for sign in data.decode(name) if ord(sign) > 127}
    except UnicodeDecodeError:
        return False
    return signs <= TYPOGRAPHY


def _reads_as_western(data: bytes) -> bool:
    """Whether the bytes make sense in the encoding of Western Europe, and are not damaged UTF-8."""
    foreign = sum(byte > 127 for byte in data)
    if sum(map(len, SEQUENCE.findall(data))) > foreign / 2:
        return False
    try:
        text = data.decode(WESTERN)
    except UnicodeDecodeError:
        return False
    letters = [sign for sign in text if sign.isalpha()]
    beyond = sum(ord(sign) > 127 for sign in letters)
    return beyond <= MOST_FOREIGN * max(len(letters), 10) and len(UNLIKELY.findall(text)) <= foreign / 20


def undecodable(path: Path, line: int, encoding: str, *, has_nul: bool, drops: str) -> InvalidInputError:
    """What to say of a line that is not text; ``drops`` is what leaving it out would lose."""
    fault = "a NUL byte; this is not a text file" if has_nul else f"not valid {encoding}"
    where = f"{path}, line {line}: {fault}."
    data = first_bytes(path, SAMPLE) if path.is_file() and codecs.lookup(encoding).name.startswith("utf-8") else b""
    own = guess_encoding(data, whole=len(data) < SAMPLE)
    if own and own != "utf-8":
        ways = [option_or_keyword(f"--encoding {name}", f'encoding="{name}"') for name in (own, GUESS)]
        return InvalidInputError(f"{where} The file reads as {own}: read it with {ways[0]}, or with {ways[1]}.")
    skip = option_or_keyword("--skip-broken", "skip_broken=True")
    way = f", or leave such {drops} out with {skip}" if drops else ""
    return InvalidInputError(f"{where} Correct the file, {_name_it()}{way}.")


def _name_it() -> str:
    return f"name its encoding with {option_or_keyword('--encoding', 'encoding=')}, such as cp1250 or koi8-r"
