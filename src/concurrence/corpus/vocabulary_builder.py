"""Words to numbers at the speed of reading: compiled loops over bytes.

Words are numbered in the order they first occur, so frequent ones get small numbers, which keeps the
counting that follows within the cache.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.layers import Vocabulary
from concurrence.kernels.machine_code import machine_code

Bytes = NDArray[np.uint8]
Codes = NDArray[np.int32]

MIX_A, MIX_B = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
EMPTY = -1


class VocabularyBuilder:
    """Distinct words, numbered as they come.

    A hash table of pairs (hash, twice the number, plus 1 where the word is longer than 8 bytes). The hash of a
    short word is a permutation of its bytes, so that equal hashes are equal words and nothing else is looked
    up; longer words are compared byte by byte.
    """

    def __init__(self) -> None:
        self._slots: NDArray[np.int64] = np.full((1 << 15, 2), EMPTY, dtype=np.int64)
        self._offsets: NDArray[np.int64] = np.zeros(1 << 15, dtype=np.int64)
        self._text: Bytes = np.empty(1 << 18, dtype=np.uint8)
        self._size = 0

    def encode(self, data: Bytes, starts: Codes, ends: Codes) -> Codes:
        """The numbers of the words at these places; a start below 0 stands for itself."""
        # Room for the worst case is only reserved: the system hands out pages as they are touched.
        text_size = int(self._offsets[self._size])
        self._text = _roomy(self._text, text_size + len(data) + len(starts) + 1)
        self._offsets = _roomy(self._offsets, self._size + len(starts) + 2)
        codes = np.empty(len(starts), dtype=np.int32)
        arrays = (self._slots, self._offsets, self._text)
        self._slots, self._size = _encode(data, starts, ends, codes, self._size, *arrays)
        return codes

    def vocabulary(self) -> Vocabulary:
        """The words so far."""
        offsets = self._offsets[: self._size + 1].copy()
        return Vocabulary(text=self._text[: offsets[-1]].copy(), offsets=offsets)


def _roomy(array: NDArray[Any], size: int) -> NDArray[Any]:
    if size <= len(array):
        return array
    bigger = np.empty(max(size, len(array) * 2), dtype=array.dtype)
    bigger[: len(array)] = array
    return bigger


@machine_code
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


@machine_code
def _hash(data: Bytes, start: int, end: int) -> Any:
    """A hash of 64 bits; for up to 8 bytes without NUL it is different for different words."""
    h = np.uint64(0)
    while True:
        stop = min(start + 8, end)
        for i in range(start, stop):
            h ^= np.uint64(data[i]) << np.uint64(8 * (i - start))
        h = (h ^ (h >> np.uint64(33))) * MIX_A
        h = (h ^ (h >> np.uint64(33))) * MIX_B
        h ^= h >> np.uint64(33)
        start = stop
        if start >= end:
            return np.int64(h)


@machine_code
def _encode(
    data: Bytes,
    starts: Codes,
    ends: Codes,
    codes: Codes,
    size: int,
    slots: NDArray[np.int64],
    offsets: NDArray[np.int64],
    text: Bytes,
) -> tuple[NDArray[np.int64], int]:
    for k in range(len(starts)):
        start, end = starts[k], ends[k]
        if start < 0:
            codes[k] = start
            continue
        h, long = _hash(data, start, end), np.int64(end - start > 8)
        mask = len(slots) - 1
        slot = h & mask
        while slots[slot, 1] >= 0:
            entry = slots[slot, 1]
            if (
                slots[slot, 0] == h
                and entry & 1 == long
                and (long == 0 or _same(data, start, end, text, offsets, entry >> 1))
            ):
                break
            slot = (slot + 1) & mask
        if slots[slot, 1] < 0:
            slots[slot, 0], slots[slot, 1] = h, 2 * size + long
            at = offsets[size]
            for i in range(end - start):  # a slice would take seconds to compile
                text[at + i] = data[start + i]
            text[at + end - start] = 10
            offsets[size + 1] = at + end - start + 1
            codes[k] = size
            size += 1
            if size * 2 > len(slots):
                slots = _grown(slots)
        else:
            codes[k] = slots[slot, 1] >> 1
    return slots, size


@machine_code
def _same(data: Bytes, start: int, end: int, text: Bytes, offsets: NDArray[np.int64], word: int) -> bool:
    at = offsets[word]
    if offsets[word + 1] - at - 1 != end - start:
        return False
    for i in range(end - start):  # noqa: SIM110 (compiled: generators would be slow)
        if text[at + i] != data[start + i]:
            return False
    return True


@machine_code
def _grown(slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """A table of four times the room with the same entries."""
    bigger = np.empty((len(slots) * 4, 2), np.int64)
    for slot in range(len(bigger)):
        bigger[slot, 1] = EMPTY
    mask = len(bigger) - 1
    for old in range(len(slots)):
        if slots[old, 1] >= 0:
            slot = slots[old, 0] & mask
            while bigger[slot, 1] >= 0:
                slot = (slot + 1) & mask
            bigger[slot, 0], bigger[slot, 1] = slots[old, 0], slots[old, 1]
    return bigger
