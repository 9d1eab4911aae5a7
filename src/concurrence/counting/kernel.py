"""The compiled loops of counting: an inverted index by left word, and a sparse accumulator per word.

All take positions as numbers of words, -1 at a border and -2 where a token was removed. Left words come in
the order of code points (``ranks``); inside, words go by their own numbers, which are small for frequent
ones and so stay in the cache.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.kernels.machine_code import machine_code

Codes = NDArray[np.int32]
Integers = NDArray[np.int64]

MIX_A, MIX_B = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)


@machine_code
def fill_margins(codes: Codes, span: int, left: Integers, right: Integers) -> None:
    """Count for each word the pair tokens it begins and ends, at distances up to ``span``."""
    start, size = 0, len(codes)
    while start < size:
        end = start
        while end < size and codes[end] != -1:
            end += 1
        ahead, behind, reach = 0, 0, start
        for i in range(start, end):
            if i > start:
                ahead -= codes[i] >= 0
                behind += codes[i - 1] >= 0
            if i - span - 1 >= start:
                behind -= codes[i - span - 1] >= 0
            while reach < i + span and reach < end - 1:
                reach += 1
                ahead += codes[reach] >= 0
            if codes[i] >= 0:
                left[codes[i]] += ahead
                right[codes[i]] += behind
        start = end + 1


@machine_code
def fill_index(codes: Codes, ranks: Codes, first: int, cursor: Integers, order: Codes) -> None:
    """List the positions of each word from rank ``first`` on, ascending, at its cursor."""
    words = len(cursor)
    for i in range(len(codes)):
        code = codes[i]
        if code >= 0:
            k = ranks[code] - first
            if 0 <= k < words:
                order[cursor[k]] = i
                cursor[k] += 1


@machine_code
def count_following(
    codes: Codes,
    order: Codes,
    begins: Integers,
    first: int,
    last: int,
    ranks: Codes,
    span: int,
    least: int,
    sums: NDArray[Any],
    touched: Codes,
    lefts: Codes,
    rights: Codes,
    counts: NDArray[Any],
    spectrum: Integers,
) -> int:
    """Count what follows each left word within ``span``; rows with at least ``least``, right words unordered."""
    rows, size = 0, len(codes)
    for k in range(first, last):
        seen = 0
        for p in range(begins[k], begins[k + 1]):
            at = order[p]
            end = min(at + span + 1, size)
            for i in range(at + 1, end):
                code = codes[i]
                if code >= 0:
                    if sums[code] == 0:
                        touched[seen] = code
                        seen += 1
                    sums[code] += 1
                elif code == -1:
                    break
        for t in range(seen):
            code = touched[t]
            f = sums[code]
            sums[code] = 0
            spectrum[min(f, len(spectrum) - 1)] += 1
            if f >= least:
                lefts[rows] = k
                rights[rows] = ranks[code]
                counts[rows] = f
                rows += 1
    return rows


@machine_code
def count_around(
    codes: Codes,
    order: Codes,
    begins: Integers,
    first: int,
    last: int,
    ranks: Codes,
    span: int,
    least: int,
    sums: NDArray[Any],
    touched: Codes,
    lefts: Codes,
    rights: Codes,
    counts: NDArray[Any],
    spectrum: Integers,
    inside: Integers,
) -> int:
    """Count collocates inside the windows of each node, every position once, node tokens excluded.

    ``inside`` receives the number of tokens inside the windows of each node.
    """
    rows, size = 0, len(codes)
    for k in range(first, last):
        seen, covered, total = 0, -1, 0
        for p in range(begins[k], begins[k + 1]):
            at = order[p]
            node = codes[at]
            begin = at
            while begin > 0 and at - begin < span and begin - 1 > covered and codes[begin - 1] != -1:
                begin -= 1
            end = at
            while end + 1 < size and end - at < span and codes[end + 1] != -1:
                end += 1
            for i in range(max(begin, covered + 1), end + 1):
                code = codes[i]
                if code >= 0 and code != node:
                    if sums[code] == 0:
                        touched[seen] = code
                        seen += 1
                    sums[code] += 1
                    total += 1
            covered = end
        inside[k] = total
        for t in range(seen):
            code = touched[t]
            f = sums[code]
            sums[code] = 0
            spectrum[min(f, len(spectrum) - 1)] += 1
            if f >= least:
                lefts[rows] = k
                rights[rows] = ranks[code]
                counts[rows] = f
                rows += 1
    return rows


@machine_code
def _up_to(ascending: Integers, value: int) -> int:
    """How many numbers are not above a value."""
    low, high = 0, len(ascending)
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@machine_code
def fill_places(
    codes: Codes,
    order: Codes,
    begins: Integers,
    lefts: Codes,
    rights: Codes,
    span: int,
    around: bool,
    borders: Integers,
    numbers: Integers,
    starts: Integers,
    slots: Codes,
    cursor: Integers,
    places: Codes,
    documents: Codes,
) -> None:
    """List the place and document of every occurrence of some rows, each row at its cursor, in order.

    Rows come by left word. A pair stands where its left word does, or, with ``around``, where the collocate does.
    """
    row, size = 0, len(codes)
    while row < len(lefts):
        k, end_row = lefts[row], row
        while end_row < len(lefts) and lefts[end_row] == k:
            slots[rights[end_row]] = end_row + 1
            end_row += 1
        covered = -1
        for p in range(begins[k], begins[k + 1]):
            at = order[p]
            sentence = _up_to(borders, at)
            own = numbers[sentence] if len(numbers) else at - sentence
            document = _up_to(starts, own) - 1
            begin = at
            while around and begin > 0 and at - begin < span and begin - 1 > covered and codes[begin - 1] != -1:
                begin -= 1
            end = at
            while end + 1 < size and end - at < span and codes[end + 1] != -1:
                end += 1
            for i in range(max(begin, covered + 1) if around else at + 1, end + 1):
                slot = slots[codes[i]] if codes[i] >= 0 else 0
                if slot:
                    places[cursor[slot - 1]] = i - sentence if around else own
                    documents[cursor[slot - 1]] = document
                    cursor[slot - 1] += 1
            covered = end
        for r in range(row, end_row):
            slots[rights[r]] = 0
        row = end_row


@machine_code
def fill_hashes(data: NDArray[np.uint8], ends: Integers, salt: Any, hashes: NDArray[np.uint64]) -> None:
    """Number each word by its bytes: 64 bits, eight bytes at a time with the finaliser of MurmurHash3."""
    start = 0
    for k in range(len(ends)):
        h = salt ^ np.uint64(ends[k] - start)
        while start < ends[k]:
            stop = min(start + 8, ends[k])
            for i in range(start, stop):
                h ^= np.uint64(data[i]) << np.uint64(8 * (i - start))
            h = (h ^ (h >> np.uint64(33))) * MIX_A
            h = (h ^ (h >> np.uint64(33))) * MIX_B
            h ^= h >> np.uint64(33)
            start = stop
        hashes[k] = h
