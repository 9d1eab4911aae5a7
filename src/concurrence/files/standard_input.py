"""Standard input with a checksum of what was read, which goes into the provenance of results."""

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


class ChecksummedStream(io.RawIOBase):
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
def checksummed_input() -> Iterator[None]:
    """Compute the checksum of what is read from standard input in this context."""
    stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BufferedReader(ChecksummedStream(stdin.buffer)), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = stdin


def input_checksum() -> str | None:
    """The SHA-256 of what was read from standard input; None outside of :func:`checksummed_input`."""
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    return raw.digest.hexdigest() if isinstance(raw, ChecksummedStream) else None
