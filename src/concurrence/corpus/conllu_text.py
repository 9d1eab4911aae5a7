"""What comments and multiword tokens of CoNLL-U tell: where documents begin, and how the text was written."""

import re

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import NONE, SPACE, Gaps
from concurrence.corpus.builder import Gathering
from concurrence.corpus.fields import RANGE, Fields
from concurrence.corpus.source_files import Source

Integers = NDArray[np.int64]

ID, FORM = 0, 1
NEW_DOCUMENT = re.compile(rb"^#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*([^\r\n]*?))?[ \t]*\r?$", re.MULTILINE)
COMMENT = re.compile(rb"#[ \t]*([^\s=]+(?:[ \t]+[^\s=]+)*?)[ \t]*=[ \t]*([^\r\n]*)\r?\n?")
OF_SENTENCES = ("sent_id", "text", "text_en", "newpar id")
NO_SPACE = re.compile(rb"SpaceAfter=No")


def note_documents(data: bytes, lines: Integers, sentences: Integers, source: Source, into: Gathering) -> None:
    """Tell where the documents of a block begin, with what the comments behind ``newdoc`` say of them."""
    row = at = 0
    begun = np.cumsum(np.diff(sentences, prepend=sentences[:1]) != 0)
    for comment in NEW_DOCUMENT.finditer(data):
        row += data.count(b"\n", at, comment.start())
        at = comment.start()
        word = int(np.searchsorted(lines, row))
        borders = int(begun[word] if word < len(begun) else begun[-1] + 1) if len(begun) else 0
        name = (comment[1] or b"").decode("utf-8") or source.path.name
        metadata = {"path": str(source.path), **_behind(data, comment.end() + 1)}
        into.begin_document(into.size + word + borders, name, metadata)


def _behind(data: bytes, at: int) -> dict[str, str]:
    """The comments that follow, as names and values; those of the sentence are left out."""
    metadata = {}
    while (comment := COMMENT.match(data, at)) is not None:
        name = comment[1].decode("utf-8")
        if name not in OF_SENTENCES:
            metadata[name.removeprefix("meta::")] = comment[2].decode("utf-8").strip()
        at = comment.end()
    return metadata


def written_gaps(
    fields: Fields, lines: Integers, sentences: Integers, places: Integers, size: int, into: Gathering
) -> Gaps:
    """The gap before each position; what a multiword token covers is noted as it was written."""
    glued = np.zeros(len(fields.counts), dtype=bool)
    data = fields.data.tobytes()
    at = np.array([m.start() for m in NO_SPACE.finditer(data)], dtype=np.int64)
    begins = np.concatenate([[0], np.flatnonzero(fields.data == ord("\n")) + 1])
    glued[np.searchsorted(begins, at, side="right") - 1] = True
    gaps = np.full(size, NONE, dtype=np.uint8)
    after_no_space = glued[lines]
    positions, texts = [], []
    for first, last, text, no_space in _multiword(fields, lines, sentences, glued):
        positions += (into.size + places[first : last + 1]).tolist()
        texts += [text, *[""] * (last - first)]
        after_no_space[first:last], after_no_space[last] = True, no_space
    into.note_written(positions, texts)
    follows = sentences[1:] == sentences[:-1]
    gaps[places[1:]] = np.where(follows & ~after_no_space[:-1], SPACE, NONE)
    return gaps


def _multiword(
    fields: Fields, lines: Integers, sentences: Integers, glued: NDArray[np.bool_]
) -> list[tuple[int, int, str, bool]]:
    """Each token that covers several words: the first and the last of them, its form, whether it sticks to the next."""
    rows = fields.counts == fields.width
    ranges = np.flatnonzero(rows)[fields.numbers(rows, ID) == RANGE]
    words = []
    for row in ranges.tolist():
        span = bytes(fields.data[fields.starts[row, ID] : fields.ends[row, ID]]).split(b"-")
        first = int(np.searchsorted(lines, row))
        last = first + int(span[1]) - int(span[0])
        if last < len(lines) and lines[first] == row + 1 and sentences[first] == sentences[last]:
            form = bytes(fields.data[fields.starts[row, FORM] : fields.ends[row, FORM]]).decode("utf-8")
            words.append((first, last, form, bool(glued[row])))
    return words
