"""CoNLL-U: words with lemma, part of speech, features, head and relation.

A sentence is its syntactic words 1, 2, 3, ...; a multiword token is kept as what was written, and empty nodes are no
words. ``_`` is a missing value, but as a form, and as the lemma of a form ``_``. PARSEME's ``.cupt`` has one more
column, which tells the multiword expressions that a word is part of. Comments tell where documents begin. A sentence
with a broken line is left out as a whole on request, since heads would point nowhere without the line.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import NONE, SPACE, Gaps
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.layers import BORDER, MISSING
from concurrence.corpus.builder import CorpusBuilder
from concurrence.corpus.fields import DECIMAL, NOTHING, RANGE, Fields, split_fields
from concurrence.corpus.source_files import Block, Source, read_blocks

WIDTH = 10
ID, FORM, HEAD = 0, 1, 6
COLUMNS = {"form": 1, "lemma": 2, "pos": 3, "xpos": 4, "feats": 5, "deprel": 7, "deps": 8, "misc": 9}
MARKED = WIDTH
"""The column of multiword expressions, which follows those of CoNLL-U."""
HEADER = re.compile(rb"^#[ \t]*global\.columns[ \t]*=[ \t]*([^\r\n]*)", re.MULTILINE)
NAMES = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC", "PARSEME:MWE",
)  # fmt: skip
NEW_DOCUMENT = re.compile(rb"^#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*([^\r\n]*?))?[ \t]*\r?$", re.MULTILINE)
COMMENT = re.compile(rb"#[ \t]*([^\s=]+(?:[ \t]+[^\s=]+)*?)[ \t]*=[ \t]*([^\r\n]*)\r?\n?")
OF_SENTENCES = ("sent_id", "text", "text_en", "newpar id")
NO_SPACE = re.compile(rb"SpaceAfter=No")

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The words of a block: their lines, heads inside the sentence, and which sentence of the block."""

    lines: NDArray[np.int64]
    heads: NDArray[np.int64]
    sentences: NDArray[np.int64]


def gather_conllu(source: Source, into: CorpusBuilder, *, attributes: frozenset[str], skip_broken: bool) -> None:
    _gather(source, into, COLUMNS, WIDTH, attributes=attributes, skip_broken=skip_broken)


def gather_cupt(source: Source, into: CorpusBuilder, *, attributes: frozenset[str], skip_broken: bool) -> None:
    """The same with the column ``mwe``: ``*``, or numbers of expressions such as ``1:LVC.full;2``."""
    _gather(source, into, {**COLUMNS, "mwe": MARKED}, WIDTH + 1, attributes=attributes, skip_broken=skip_broken)


def _gather(
    source: Source,
    into: CorpusBuilder,
    columns: dict[str, int],
    width: int,
    *,
    attributes: frozenset[str],
    skip_broken: bool,
) -> None:
    wanted = {name: column for name, column in columns.items() if name in attributes or name == "form"}
    # A bare letter is no line of ten fields: what is not text comes out as a broken line below.
    blocks = read_blocks(source, cuts=(b"\n\n", b"\n\r\n"), in_place_of_broken=b"x" if skip_broken else None)
    for block in blocks:
        if width > WIDTH:
            _check_header(block)
        fields = split_fields(block.data, width)
        words, broken = _words(fields, block, skip_broken=skip_broken)
        _note_documents(block.data, words.lines, words.sentences, source, into)
        _add(fields, words, into, wanted, with_heads="head" in attributes)
        into.report(len(block.data), broken=broken)


def _check_header(block: Block) -> None:
    """Refuse a file whose header names other columns, or another order of them."""
    for header in HEADER.finditer(block.data):
        columns = tuple(header[1].decode("utf-8").split())
        if columns != NAMES:
            line = block.line + block.data.count(b"\n", 0, header.start())
            raise InvalidInputError(
                f"{block.path}, line {line}: the columns are {' '.join(columns)}, "
                f"but a .cupt file has {' '.join(NAMES)}."
            )


def _words(fields: Fields, block: Block, *, skip_broken: bool) -> tuple[Words, int]:
    content = (fields.counts > 0) & (fields.first != ord("#"))
    whole = content & (fields.counts == fields.width)
    ids, heads = np.full(len(content), -9, dtype=np.int64), np.full(len(content), -9, dtype=np.int64)
    ids[whole], heads[whole] = fields.numbers(whole, ID), fields.numbers(whole, HEAD)
    sentence = np.cumsum(fields.counts == 0)
    is_word = whole & (ids > 0)
    broken = content & ~is_word & ~np.isin(ids, (RANGE, DECIMAL))
    lines = np.flatnonzero(is_word)
    order, length = _places(sentence[lines])
    broken[lines] = (ids[lines] != order) | ~(
        (heads[lines] == NOTHING) | ((heads[lines] >= 0) & (heads[lines] <= length))
    )
    if broken.any() and not skip_broken:
        _refuse(fields, block, int(np.argmax(broken)))
    bad = np.unique(sentence[broken])
    lines = lines[~np.isin(sentence[lines], bad)] if len(bad) else lines
    return Words(lines=lines, heads=heads[lines], sentences=sentence[lines]), int(np.count_nonzero(broken))


def _places(sentences: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which word of its sentence each one is, from 1, and how many the sentence has."""
    _, first, inverse, sizes = np.unique(sentences, return_index=True, return_inverse=True, return_counts=True)
    return np.arange(len(sentences)) - first[inverse] + 1, sizes[inverse]


def _refuse(fields: Fields, block: Block, row: int) -> None:
    where = f"{block.path}, line {block.line + row}"
    count = int(fields.counts[row])
    if count != fields.width:
        fault = f"{count} field{'s' * (count != 1)} instead of {fields.width}"
    else:
        id_, head = (bytes(fields.data[fields.starts[row, c] : fields.ends[row, c]]).decode() for c in (ID, HEAD))
        fault = (
            f"ID {id_!r} with HEAD {head!r}; words must be numbered 1, 2, 3 … and heads must be words of the same "
            "sentence"
        )
    raise InvalidInputError(
        f"{where}: {fault}. Leave such sentences out with {option_or_keyword('--skip-broken', 'skip_broken=True')}."
    )


def _add(fields: Fields, words: Words, into: CorpusBuilder, wanted: dict[str, int], *, with_heads: bool) -> None:
    if not len(words.lines):
        return
    _, dense = np.unique(words.sentences, return_inverse=True)
    places = np.arange(len(dense)) + dense
    size = len(dense) + int(dense[-1]) + 1
    starts, ends = np.full(size, BORDER, dtype=np.int32), np.zeros(size, dtype=np.int32)
    codes = {}
    for name, column in wanted.items():
        starts[places], ends[places] = fields.starts[words.lines, column], fields.ends[words.lines, column]
        if name != "form":
            starts[places[_is_missing(fields, words.lines, name, column)]] = MISSING
        codes[name] = into.vocabulary(name).encode(fields.data, starts, ends)
    heads = None
    if with_heads:
        into.has_heads |= bool((words.heads >= 0).any())
        order, _ = _places(dense)
        heads = np.full(size, BORDER, dtype=np.int32)
        has_head = words.heads > 0
        heads[places[has_head]] = (into.size + places - order + words.heads)[has_head]
    gaps = _written_gaps(fields, words.lines, dense, places, size, into) if into.keeps_text else None
    into.add(codes, heads, gaps)


def _is_missing(fields: Fields, lines: Integers, name: str, column: int) -> NDArray[np.bool_]:
    """Which words have ``_`` in a column; as a lemma it is one where the form is an underscore, too."""
    own = _has_nothing(fields, lines, column)
    return own & ~_has_nothing(fields, lines, FORM) if name == "lemma" else own


def _has_nothing(fields: Fields, lines: Integers, column: int) -> NDArray[np.bool_]:
    starts, ends = fields.starts[lines, column], fields.ends[lines, column]
    one = ends - starts == 1
    return np.asarray((ends == starts) | (one & (fields.data[np.where(one, starts, 0)] == ord("_"))))


def _note_documents(data: bytes, lines: Integers, sentences: Integers, source: Source, into: CorpusBuilder) -> None:
    """Tell where the documents of a block begin, with what the comments behind ``newdoc`` say of them."""
    row = at = 0
    begun = np.cumsum(np.diff(sentences, prepend=sentences[:1]) != 0)
    for comment in NEW_DOCUMENT.finditer(data):
        row += data.count(b"\n", at, comment.start())
        at = comment.start()
        word = int(np.searchsorted(lines, row))
        borders = int(begun[word] if word < len(begun) else begun[-1] + 1) if len(begun) else 0
        name = (comment[1] or b"").decode("utf-8") or source.name
        metadata = {"path": str(source.path), **_document_comments(data, comment.end() + 1)}
        into.begin_document(into.size + word + borders, name, metadata)


def _document_comments(data: bytes, at: int) -> dict[str, str]:
    """The comments that follow, as names and values; those of the sentence are left out."""
    metadata = {}
    while (comment := COMMENT.match(data, at)) is not None:
        name = comment[1].decode("utf-8")
        if name not in OF_SENTENCES:
            metadata[name.removeprefix("meta::")] = comment[2].decode("utf-8").strip()
        at = comment.end()
    return metadata


def _written_gaps(
    fields: Fields, lines: Integers, sentences: Integers, places: Integers, size: int, into: CorpusBuilder
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
