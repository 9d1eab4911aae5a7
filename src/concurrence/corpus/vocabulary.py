"""Words to numbers at the speed of reading: compiled loops over bytes.

Words are numbered in the order they first occur, so frequent ones get small numbers, which keeps the
counting that follows within the cache.
"""

from typing import Any

import numba
import numpy as np
import polars as pl
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Codes = NDArray[np.int32]

FNV_OFFSET = np.uint64(0xCBF29CE484222325)
FNV_PRIME = np.uint64(0x100000001B3)


class Vocabulary:
    """Distinct words, numbered as they come."""

    def __init__(self) -> None:
        self._slots: Codes = np.full(1 << 16, -1, dtype=np.int32)
        self._hashes: NDArray[np.uint64] = np.empty(1 << 15, dtype=np.uint64)
        self._offsets: NDArray[np.int64] = np.zeros(1 << 15, dtype=np.int64)
        self._text: Bytes = np.empty(1 << 18, dtype=np.uint8)
        self._size = 0

    def encode(self, data: Bytes, starts: Codes, ends: Codes) -> Codes:
        """The numbers of the words at these places; a start below 0 stands for itself."""
        # Room for the worst case is only reserved: the system hands out pages as they are touched.
        text_size = int(self._offsets[self._size])
        self._text = _roomy(self._text, text_size + len(data) + len(starts) + 1)
        self._hashes = _roomy(self._hashes, self._size + len(starts) + 1)
        self._offsets = _roomy(self._offsets, self._size + len(starts) + 2)
        codes = np.empty(len(starts), dtype=np.int32)
        arrays = (self._slots, self._hashes, self._offsets, self._text)
        self._slots, self._size = _encode(data, starts, ends, codes, self._size, *arrays)
        return codes

    def words(self) -> pl.Series:
        """The words by their numbers."""
        text = self._text[: int(self._offsets[self._size])].tobytes().decode("utf-8")
        return pl.Series("word", text[:-1].split("\n") if text else [], dtype=pl.String)


def _roomy(array: NDArray[Any], size: int) -> NDArray[Any]:
    if size <= len(array):
        return array
    bigger = np.empty(max(size, len(array) * 2), dtype=array.dtype)
    bigger[: len(array)] = array
    return bigger


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def split_words(data: Bytes, starts: Codes, ends: Codes) -> int:
    """Find words between white space and put a border (-1) after each line that has some.

    White space is space, tab, CR, FF and VT; lines end at LF; a byte order mark at the start of a line is
    no part of its text.
    """
    size, n, i, line_start, in_line = len(data), 0, 0, 0, False
    while i < size:
        byte = data[i]
        if byte == 10:
            if in_line:
                starts[n] = -1
                n += 1
            in_line = False
            i += 1
            line_start = i
        elif byte == 32 or (9 <= byte <= 13):
            i += 1
        elif i == line_start and byte == 0xEF and i + 2 < size and data[i + 1] == 0xBB and data[i + 2] == 0xBF:
            i += 3
        else:
            starts[n] = i
            while i < size and data[i] != 32 and not (9 <= data[i] <= 13):
                i += 1
            ends[n] = i
            n += 1
            in_line = True
    if in_line:
        starts[n] = -1
        n += 1
    return n


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _encode(
    data: Bytes,
    starts: Codes,
    ends: Codes,
    codes: Codes,
    size: int,
    slots: Codes,
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    text: Bytes,
) -> tuple[Codes, int]:
    for k in range(len(starts)):
        start, end = starts[k], ends[k]
        if start < 0:
            codes[k] = start
            continue
        h = FNV_OFFSET
        for i in range(start, end):
            h = (h ^ np.uint64(data[i])) * FNV_PRIME
        h ^= h >> np.uint64(32)
        mask = len(slots) - 1
        slot = np.int64(h) & mask
        while True:
            word = slots[slot]
            if word < 0:
                break
            if hashes[word] == h and offsets[word + 1] - offsets[word] - 1 == end - start:
                at, i = offsets[word], start
                while i < end and text[at] == data[i]:
                    at += 1
                    i += 1
                if i == end:
                    break
            slot = (slot + 1) & mask
        if word < 0:
            word = size
            slots[slot] = word
            hashes[word] = h
            at = offsets[word]
            for i in range(start, end):
                text[at] = data[i]
                at += 1
            text[at] = 10
            offsets[word + 1] = at + 1
            size += 1
            if size * 2 > len(slots):
                slots = _grown(hashes, size, len(slots) * 4)
        codes[k] = word
    return slots, size


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def _grown(hashes: NDArray[np.uint64], size: int, capacity: int) -> Codes:
    slots = np.full(capacity, -1, np.int32)
    mask = capacity - 1
    for word in range(size):
        slot = np.int64(hashes[word]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = word
    return slots
