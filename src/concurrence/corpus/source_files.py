"""Files of a corpus, opened and cut into blocks of whole lines: valid UTF-8 without NUL bytes."""

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from concurrence.core.errors import InvalidInputError
from concurrence.corpus.encodings import undecodable

BLOCK_BYTES = 8 << 20
LOST_BY_SKIPPING = {"lines": "lines", "vrt": "lines", "conllu": "sentences", "cupt": "sentences"}
"""What a line that is not text costs; of running text it would be a paragraph, which is not offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file of a corpus, and how to read it.

    ``name`` is that of its document: its path below the folder that was given, or the name of the file. Where only a
    part of it is read, ``content`` is that part and ``line`` the number of its first line.
    """

    path: Path
    format: str
    encoding: str = "utf-8"
    content: bytes | None = None
    line: int = 1
    name: str = ""
    in_folder: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.path.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Whole lines of a file; ``line`` is the number of the first one, ``broken`` how many were left out."""

    data: bytes
    path: Path
    line: int
    broken: int = 0


def read_blocks(
    source: Source, *, cuts: tuple[bytes, ...] = (b"\n",), in_place_of_broken: bytes | None = None
) -> Iterator[Block]:
    """Blocks of a file, cut after one of ``cuts``, without a byte order mark; the last one ends with the file.

    A line that is not text is an error, or becomes ``in_place_of_broken`` and is counted.
    """
    line = source.line
    for piece in _cut(_pieces(source), cuts):
        data = piece.removeprefix(codecs.BOM_UTF8) if line == 1 else piece
        if not data:
            continue
        yield _checked(Block(data=data, path=source.path, line=line), source, in_place_of_broken)
        line += data.count(b"\n")


def whole_bytes(source: Source, n: int = -1) -> bytes:
    """The bytes of a file as they are, unpacked; all of them, or the first so many."""
    try:
        with _opened(source) as file:
            return file.read(n)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{source.path}: the gzip file is damaged or cut off.") from error
    except OSError as error:
        raise InvalidInputError(f"{source.path} cannot be read: {error.strerror or error}.") from error


def whole_text(source: Source) -> str:
    """All of a file as text."""
    return b"".join(block.data for block in read_blocks(source)).decode("utf-8")


def _cut(pieces: Iterator[bytes], cuts: tuple[bytes, ...]) -> Iterator[bytes]:
    """The same bytes in pieces that end where they may; only what is new is searched."""
    pending: list[bytes] = []
    for piece in pieces:
        overlap = pending[-1][-2:] if pending else b""
        window = overlap + piece
        end = max(at + len(cut) if (at := window.rfind(cut)) >= 0 else 0 for cut in cuts) - len(overlap)
        if end <= 0:
            pending.append(piece)
            continue
        yield b"".join([*pending, piece[:end]])
        pending = [piece[end:]] if end < len(piece) else []
    if rest := b"".join(pending):
        yield rest


def _pieces(source: Source) -> Iterator[bytes]:
    """Big pieces of a file, unpacked, in UTF-8 where another encoding was named."""
    try:
        with _opened(source) as file:
            utf8 = codecs.lookup(source.encoding).name in ("utf-8", "utf-8-sig")
            decoder = None if utf8 else codecs.getincrementaldecoder(source.encoding)()
            while data := file.read(BLOCK_BYTES):
                yield data if decoder is None else decoder.decode(data).encode("utf-8")
            if decoder is not None:
                yield decoder.decode(b"", final=True).encode("utf-8")
    except UnicodeError as error:
        raise InvalidInputError(f"{source.path} is not text in the encoding {source.encoding}: {error}.") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{source.path}: the gzip file is damaged or cut off.") from error
    except OSError as error:
        raise InvalidInputError(f"{source.path} cannot be read: {error.strerror or error}.") from error


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    """A file, unpacked where it is packed; standard input stays open."""
    if source.content is not None:
        yield io.BytesIO(source.content)
        return
    with ExitStack() as stack:
        path = source.path
        file: BinaryIO = sys.stdin.buffer if str(path) == "-" else stack.enter_context(path.open("rb"))
        if isinstance(file, io.BufferedReader) and file.peek(2)[:2] == b"\x1f\x8b":
            yield stack.enter_context(gzip.GzipFile(fileobj=file))  # type: ignore[misc]
        else:
            yield file


def _checked(block: Block, source: Source, in_place_of_broken: bytes | None) -> Block:
    if b"\0" not in block.data and _is_text(block.data):
        return block
    lines = block.data.split(b"\n")
    broken = [n for n, line in enumerate(lines) if b"\0" in line or not _is_text(line)]
    if in_place_of_broken is None:
        raise undecodable(
            block.path,
            block.line + broken[0],
            source.encoding,
            has_nul=b"\0" in lines[broken[0]],
            drops=LOST_BY_SKIPPING.get(source.format, ""),
        )
    for n in broken:
        lines[n] = in_place_of_broken
    return Block(data=b"\n".join(lines), path=block.path, line=block.line, broken=len(broken))


def _is_text(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
