"""Text with one sentence per line and tokens between white space, taken as they are."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import numpy as np

from concurrence.corpus.builder import Gathering
from concurrence.corpus.gaps import gaps_between
from concurrence.corpus.source_files import Block, Source, read_blocks
from concurrence.corpus.vocabulary_builder import Bytes, Codes, split_words

Split = tuple[Block, Bytes, Codes, Codes]


def gather_lines(source: Source, into: Gathering, *, skip_broken: bool) -> None:
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
