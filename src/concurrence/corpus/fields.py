"""Lines of tab-separated fields: where each field stands, and numbers read from them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.corpus.vocabulary_builder import Bytes, Codes
from concurrence.kernels.machine_code import machine_code

ALL = "*"
"""Among the attributes to read: all others that a file has, too."""
NOT_A_NUMBER, NOTHING, RANGE, DECIMAL = -1, -2, -3, -4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fields:
    """The lines of a block: ``starts`` and ``ends`` have one row per line and one column per field.

    ``counts`` is the number of fields of each line, 0 where it is blank; ``first`` the first byte of each.
    """

    data: Bytes
    starts: Codes
    ends: Codes
    counts: Codes
    first: Bytes

    @property
    def width(self) -> int:
        """How many fields were looked for."""
        return int(self.starts.shape[1])

    def numbers(self, rows: NDArray[np.bool_], column: int) -> NDArray[np.int64]:
        """The numbers in a column, or which kind of other thing stands there."""
        starts, ends = self.starts[rows, column].copy(), self.ends[rows, column].copy()
        numbers = np.empty(len(starts), dtype=np.int64)
        _parse_numbers(self.data, starts, ends, numbers)
        return numbers


def split_fields(text: bytes, width: int) -> Fields:
    """Find the first ``width`` fields of each line; a carriage return at its end is no part of it."""
    data = np.frombuffer(text, dtype=np.uint8)
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    starts, ends = np.zeros((lines, width), dtype=np.int32), np.zeros((lines, width), dtype=np.int32)
    counts, first = np.zeros(lines, dtype=np.int32), np.zeros(lines, dtype=np.uint8)
    _find_fields(data, starts, ends, counts, first)
    return Fields(data=data, starts=starts, ends=ends, counts=counts, first=first)


@machine_code
def _find_fields(data: Bytes, starts: Codes, ends: Codes, counts: Codes, first: Bytes) -> None:
    size, width, i = len(data), starts.shape[1], 0
    for line in range(len(counts)):
        if i + 2 < size and data[i] == 0xEF and data[i + 1] == 0xBB and data[i + 2] == 0xBF:
            i += 3
        begin = i
        while i < size and data[i] != 10:
            i += 1
        end = i
        if end > begin and data[end - 1] == 13:
            end -= 1
        i += 1
        blank = True
        for at in range(begin, end):
            blank = blank and (data[at] == 32 or 9 <= data[at] <= 13)
        if blank:
            continue
        first[line] = data[begin]
        field, at = 0, begin
        while at <= end:
            stop = at
            while stop < end and data[stop] != 9:
                stop += 1
            if field < width:
                starts[line, field] = at
                ends[line, field] = stop
            field += 1
            at = stop + 1
        counts[line] = field


@machine_code
def _parse_numbers(data: Bytes, starts: Codes, ends: Codes, numbers: NDArray[np.int64]) -> None:
    for k in range(len(starts)):
        value, kind = 0, 0
        if ends[k] - starts[k] > 9 or ends[k] == starts[k]:
            kind = NOT_A_NUMBER
        elif ends[k] - starts[k] == 1 and data[starts[k]] == 95:
            kind = NOTHING
        else:
            for i in range(starts[k], ends[k]):
                byte, inner = data[i], starts[k] < i < ends[k] - 1
                if 48 <= byte <= 57:
                    value = value * 10 + (byte - 48)
                elif byte == 45 and kind == 0 and inner:
                    kind = RANGE
                elif byte == 46 and kind == 0 and inner:
                    kind = DECIMAL
                else:
                    kind = NOT_A_NUMBER
                    break
        numbers[k] = kind if kind < 0 else value
