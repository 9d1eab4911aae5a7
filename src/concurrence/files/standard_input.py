"""Standard input that remembers what was read from it, so that a result can say what it was made of."""

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


class Remembered(io.RawIOBase):
    """Bytes of another stream, and the checksum of all that were read."""

    def __init__(self, source: BinaryIO) -> None:
        self.source = source
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        data = self.source.read(len(buffer))
        self.digest.update(data)
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def remembered_input() -> Iterator[None]:
    """Remember what is read from standard input, as long as this lasts."""
    given = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BufferedReader(Remembered(given.buffer)), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = given


def input_checksum() -> str | None:
    """The SHA-256 of what was read from standard input; nothing where nobody remembers it."""
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    return raw.digest.hexdigest() if isinstance(raw, Remembered) else None
