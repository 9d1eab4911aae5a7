"""Vertical text: one token per line with tab-separated attributes, and structures as tags on lines of their own.

Tags of sentences, paragraphs and texts are borders that no pair crosses; all other structures, such as
clauses or chunks, become regions with their attributes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import NONE, SPACE
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.layers import BORDER, MISSING
from concurrence.corpus.builder import CorpusBuilder
from concurrence.corpus.fields import ALL, Fields, split_fields
from concurrence.corpus.source_files import Block, Source, read_blocks
from concurrence.corpus.vocabulary_builder import Bytes, Codes

BORDERS = frozenset({"s", "sentence", "p", "paragraph", "text", "doc", "document", "file", "corpus", "body", "div"})
DOCUMENTS = frozenset({"text", "doc", "document", "file"})
NAMING = ("id", "name", "title", "filename")
GLUED = ("g",)
DEFAULT_ATTRIBUTES = ("form", "pos", "lemma")
SYNONYMS = {"word": "form", "token": "form", "upos": "pos", "tag": "pos", "dephead": "head", "lemmas": "lemma"}

VALUE = rb"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'<>]*[^\s"'<>/])"""
PAIRS = rb"(?:[ \t]+[\w.:-]+(?:[ \t]*=[ \t]*" + VALUE + rb")?)*"
"""Attributes as CWB takes them: with spaces around the sign, without quotation marks, without a value."""
TAG = re.compile(rb"<(/?)([A-Za-z_][\w.:-]*)(" + PAIRS + rb")\s*(/?)>\s*\Z")
ATTRIBUTE = re.compile(rb"([\w.:-]+)(?:[ \t]*=[ \t]*(" + VALUE + rb"))?")
NAMES = re.compile(rb"<!--\s*#vrt\s+positional-attributes:\s*([^>]*?)\s*-->")


@dataclass(slots=True, kw_only=True)
class ReadingState:
    """The state of the reader: the open structures, and where the current sentence began."""

    source: Source
    names: tuple[str, ...] = ()
    in_sentence: bool = False
    sentence_start: int = 0
    open_regions: list[tuple[str, int, dict[str, str]]] = field(default_factory=list)


def gather_vrt(
    source: Source, into: CorpusBuilder, *, attributes: frozenset[str], names: Sequence[str] = (), skip_broken: bool
) -> None:
    """Add the tokens of a file; ``names`` are its attributes in their order."""
    reading = ReadingState(
        source=source, names=tuple(SYNONYMS.get(name, name) for name in names), sentence_start=into.size
    )
    for block in read_blocks(source, in_place_of_broken=b"<" if skip_broken else None):
        if not reading.names:
            reading.names = attribute_names(block.data)
        fields = split_fields(block.data, len(reading.names))
        broken = _add(fields, block, reading, into, attributes, skip_broken=skip_broken)
        into.report(len(block.data), broken=broken)
    if reading.in_sentence:
        _end_of_file(reading, into, attributes)
    if reading.open_regions and not skip_broken:
        raise InvalidInputError(f"{source.path}: <{reading.open_regions[-1][0]}> is never closed.")


def attribute_names(data: bytes) -> tuple[str, ...]:
    """The attributes a comment names, or the usual ones, as many as the first token has."""
    if comment := NAMES.search(data):
        return tuple(SYNONYMS.get(name, name) for name in comment[1].decode("utf-8").split())
    first = next((line for line in data.split(b"\n") if line.strip() and not line.startswith(b"<")), b"")
    width = first.count(b"\t") + 1
    return (*DEFAULT_ATTRIBUTES, *(f"attribute{n}" for n in range(4, width + 1)))[:width]


def _add(
    fields: Fields,
    block: Block,
    reading: ReadingState,
    into: CorpusBuilder,
    attributes: frozenset[str],
    *,
    skip_broken: bool,
) -> int:
    """Add a block; what a tag means depends on how many tokens stand before it."""
    is_token, tags, broken = _sorted_lines(fields, len(reading.names))
    before = np.cumsum(is_token)
    borders: list[int] = []
    glued: list[int] = []
    seen = 0
    for row, tag in tags:
        tokens = int(before[row])
        reading.in_sentence = reading.in_sentence or tokens > seen
        seen = tokens
        name = tag[2].decode("utf-8")
        if name in BORDERS:
            if reading.in_sentence:
                borders.append(tokens)
            reading.in_sentence = False
            if name in DOCUMENTS and not tag[1]:
                _begin_document(tag, into.size + tokens + len(borders), reading, into)
        elif name in GLUED and tag[4]:
            glued.append(tokens + len(borders))
        elif not _note_region(tag, name, into.size + tokens + len(borders), reading, into):
            broken.append(row)
    reading.in_sentence = reading.in_sentence or int(before[-1]) > seen
    if broken and not skip_broken:
        line = block.line + min(broken)
        names = ", ".join(reading.names)
        raise InvalidInputError(
            f"{block.path}, line {line}: neither a matching tag nor a token with the attributes {names}. "
            f"Name the attributes with {option_or_keyword('--attributes', 'columns=')}, or leave such lines out with "
            f"{option_or_keyword('--skip-broken', 'skip_broken=True')}."
        )
    _encode(fields, np.flatnonzero(is_token), np.array(borders, dtype=np.int64), glued, reading, into, attributes)
    return len(broken)


def _begin_document(tag: re.Match[bytes], position: int, reading: ReadingState, into: CorpusBuilder) -> None:
    values = _attributes(tag[3])
    name = next((values[key] for key in NAMING if values.get(key)), reading.source.name)
    into.begin_document(position, name, values)


def _attributes(text: bytes) -> dict[str, str]:
    return {key.decode("utf-8"): unescape(_unquoted(raw).decode("utf-8")) for key, raw in ATTRIBUTE.findall(text)}


def _unquoted(raw: bytes) -> bytes:
    return raw[1:-1] if raw[:1] in (b'"', b"'") else raw


def _sorted_lines(fields: Fields, width: int) -> tuple[NDArray[np.bool_], list[tuple[int, re.Match[bytes]]], list[int]]:
    """Which lines are tokens, which are tags, and which are neither."""
    is_token = fields.counts == width
    tags: list[tuple[int, re.Match[bytes]]] = []
    broken: list[int] = np.flatnonzero((fields.counts > 0) & ~is_token & (fields.first != ord("<"))).tolist()
    for row in np.flatnonzero(fields.first == ord("<")):
        last = min(int(fields.counts[row]), width) - 1
        line = bytes(fields.data[fields.starts[row, 0] : fields.ends[row, last]]).rstrip()
        if tag := TAG.match(line) if fields.counts[row] <= width else None:
            tags.append((int(row), tag))
            is_token[row] = False
        elif line.startswith((b"<!--", b"<?", b"<!DOCTYPE")):
            is_token[row] = False
        elif not is_token[row]:
            broken.append(int(row))
    return is_token, tags, broken


def _note_region(tag: re.Match[bytes], name: str, position: int, reading: ReadingState, into: CorpusBuilder) -> bool:
    """Open or close a region; whether that fits what is open."""
    closes, _, attributes, empty = tag.groups()
    if empty:
        return not closes
    if not closes:
        reading.open_regions.append((name, position, _attributes(attributes)))
        return True
    for depth in range(len(reading.open_regions) - 1, -1, -1):
        if reading.open_regions[depth][0] == name:
            _, start, values = reading.open_regions.pop(depth)
            into.regions.setdefault(name, []).append((start, position, values))
            return True
    return False


def _encode(
    fields: Fields,
    rows: NDArray[np.int64],
    borders: NDArray[np.int64],
    glued: Sequence[int],
    reading: ReadingState,
    into: CorpusBuilder,
    attributes: frozenset[str],
) -> None:
    places = np.arange(len(rows)) + np.searchsorted(borders, np.arange(len(rows)), side="right")
    size = len(rows) + len(borders)
    if not size:
        return
    codes = {}
    for column, name in enumerate(reading.names):
        if _is_wanted(name, attributes):
            data, starts, ends = _unescaped(fields, rows, column)
            all_starts, all_ends = np.full(size, BORDER, dtype=np.int32), np.zeros(size, dtype=np.int32)
            empty = (ends == starts) & (name != "form")
            all_starts[places], all_ends[places] = np.where(empty, MISSING, starts), ends
            codes[name] = into.vocabulary(name).encode(data, all_starts, all_ends)
    border_places = borders + np.arange(len(borders))
    heads = _heads(fields, rows, places, border_places, size, reading, into.size) if "head" in reading.names else None
    gaps = _gaps(size, border_places, glued, reading, into) if into.keeps_text else None
    into.has_heads |= heads is not None
    if len(borders):
        reading.sentence_start = into.size + int(border_places[-1]) + 1
    into.add(codes, heads, gaps)


def _is_wanted(name: str, attributes: frozenset[str]) -> bool:
    return name == "form" or (name != "head" and (name in attributes or ALL in attributes))


def _gaps(
    size: int, border_places: NDArray[np.int64], glued: Sequence[int], reading: ReadingState, into: CorpusBuilder
) -> NDArray[np.uint8]:
    """A space before each token, but for the first of a sentence and where a tag says that nothing stood between."""
    gaps = np.full(size, SPACE, dtype=np.uint8)
    firsts = np.concatenate([[reading.sentence_start - into.size], border_places, border_places + 1, glued])
    gaps[firsts[(firsts >= 0) & (firsts < size)].astype(np.int64)] = NONE
    return gaps


def _heads(
    fields: Fields,
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    border_places: NDArray[np.int64],
    size: int,
    reading: ReadingState,
    base: int,
) -> NDArray[np.int32]:
    mask = np.zeros(len(fields.counts), dtype=bool)
    mask[rows] = True
    numbers = fields.numbers(mask, reading.names.index("head"))
    begins = np.concatenate([[reading.sentence_start], base + border_places + 1])
    start = begins[np.searchsorted(border_places, places)]
    heads = np.full(size, BORDER, dtype=np.int32)
    heads[places[numbers > 0]] = (start + numbers - 1)[numbers > 0]
    return heads


def _unescaped(fields: Fields, rows: NDArray[np.int64], column: int) -> tuple[Bytes, Codes, Codes]:
    """The words of a column with character references resolved: those few are appended to the block."""
    starts, ends = fields.starts[rows, column], fields.ends[rows, column]
    marks = np.flatnonzero(fields.data == ord("&"))
    if not len(marks):
        return fields.data, starts, ends
    owner = np.searchsorted(starts, marks, side="right") - 1
    owner = np.unique(owner[(owner >= 0) & (marks < ends[owner])])
    extra, at = [], len(fields.data)
    for k in owner:
        word = bytes(fields.data[starts[k] : ends[k]]).decode("utf-8")
        plain = unescape(word).replace("\n", " ").encode("utf-8")
        extra.append(plain)
        starts[k], ends[k] = at, at + len(plain)
        at += len(plain)
    return np.concatenate([fields.data, np.frombuffer(b"".join(extra), dtype=np.uint8)]), starts, ends


def _end_of_file(reading: ReadingState, into: CorpusBuilder, attributes: frozenset[str]) -> None:
    """Put a border after the last sentence of a file that does not close it."""
    border = np.full(1, BORDER, dtype=np.int32)
    names = [name for name in reading.names if _is_wanted(name, attributes)]
    gap = np.full(1, NONE, dtype=np.uint8) if into.keeps_text else None
    into.add(dict.fromkeys(names, border), border if "head" in reading.names else None, gap)
    reading.in_sentence = False
