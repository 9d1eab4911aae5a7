"""Lines of one sentence each, with tokens between white space; running text is split into such lines first."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import numpy as np

from concurrence.core.corpus import NONE, OTHER, SPACE, Gaps
from concurrence.corpus.builder import CorpusBuilder
from concurrence.corpus.running_text import GLUE, split_running
from concurrence.corpus.source_files import Block, Source, read_blocks
from concurrence.corpus.vocabulary_builder import Bytes, Codes, split_words
from concurrence.kernels.machine_code import machine_code

Split = tuple[Block, Bytes, Codes, Codes]


def gather_lines(source: Source, into: CorpusBuilder, *, skip_broken: bool) -> None:
    blocks = read_blocks(source, in_place_of_broken=b"" if skip_broken else None)
    # Reading and splitting run ahead of numbering by one block, on the second core.
    # An error there is told as it would be here: with the names of options, on the command line.
    caller = copy_context()
    with ThreadPoolExecutor(max_workers=1) as ahead:
        waiting = ahead.submit(caller.run, _next_split, blocks)
        while (split := waiting.result()) is not None:
            waiting = ahead.submit(caller.run, _next_split, blocks)
            block, data, starts, ends = split
            gaps = gaps_between(data, starts, ends, into) if into.keeps_text else None
            into.add({"form": into.vocabulary("form").encode(data, starts, ends)}, gaps=gaps)
            into.report(len(block.data), broken=block.broken)


def gather_running(source: Source, into: CorpusBuilder, *, language: str, skip_broken: bool) -> None:
    cuts = (b"\n\n", b"\n\r\n")
    for block in read_blocks(source, cuts=cuts, in_place_of_broken=b"" if skip_broken else None):
        sentences = split_running(block.data.decode("utf-8"), language=language, glue=into.keeps_text)
        data, starts, ends = split_block("\n".join(sentences).encode("utf-8"))
        gaps = gaps_between(data, starts, ends, into) if into.keeps_text else None
        into.add({"form": into.vocabulary("form").encode(data, starts, ends)}, gaps=gaps)
        into.report(len(block.data), broken=block.broken)


def _next_split(blocks: Iterator[Block]) -> Split | None:
    block = next(blocks, None)
    return None if block is None else (block, *split_block(block.data))


def split_block(text: bytes) -> tuple[Bytes, Codes, Codes]:
    """The bytes of a block, and where its words start and end."""
    data = np.frombuffer(text, dtype=np.uint8)
    # A word takes two bytes with its white space, and so does a border with its word.
    starts, ends = np.empty(len(data) + 2, dtype=np.int32), np.empty(len(data) + 2, dtype=np.int32)
    n = split_words(data, starts, ends)
    return data, starts[:n], ends[:n]


def gaps_between(data: Bytes, starts: Codes, ends: Codes, into: CorpusBuilder) -> Gaps:
    """The number of the text before each word; a word that begins its line has nothing before it."""
    gaps = np.empty(len(starts), dtype=np.uint8)
    _find_gaps(data, starts, ends, gaps)
    for k in np.flatnonzero(gaps == OTHER).tolist():
        gaps[k] = into.gap_code(bytes(data[ends[k - 1] : starts[k]]).decode("utf-8"))
    return gaps


@machine_code
def _find_gaps(data: Any, starts: Any, ends: Any, gaps: Any) -> None:
    for k in range(len(starts)):
        if starts[k] < 0 or k == 0 or starts[k - 1] < 0:
            gaps[k] = NONE
            continue
        begin, length = ends[k - 1], starts[k] - ends[k - 1]
        if length == 1 and data[begin] == 32:
            gaps[k] = SPACE
        elif length == 0 or (length == 1 and data[begin] == GLUE):
            gaps[k] = NONE
        else:
            gaps[k] = OTHER
