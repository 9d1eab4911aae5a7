"""Parts of a corpus that can be counted one by one: no sentence is cut, and no region of one.

A split is a range of bytes. It begins behind the first cut at or after its start and ends behind the first one at or
after its end, so that nobody needs to look for cuts beforehand. What cannot be cut (packed files, encodings in which
a line feed is not one byte) is one split.
"""

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.corpus.builder import CorpusBuilder
from concurrence.corpus.conversion import make_readable
from concurrence.corpus.folders import corpus_format, find_sources
from concurrence.corpus.frames import HEAD_POSITION, column_names, corpus_from_frames, read_parquet
from concurrence.corpus.locations import CorpusLocation, is_remote
from concurrence.corpus.reader import FormatOptions, gather_source, gathered_corpus
from concurrence.corpus.shapes import HEAD_BYTES
from concurrence.corpus.source_files import Source
from concurrence.corpus.structures import BORDER_LINE, Opened, Structures, scan_structures

STEP = 1 << 20
BLANK = re.compile(rb"\n\r?\n")
CUTS = {"lines": re.compile(rb"\n"), "text": BLANK, "conllu": BLANK, "cupt": BLANK, "vrt": BORDER_LINE}
LONGEST = 1 << 12
"""How far before a place a cut may begin that ends behind it; only tags of sentences are longer than three bytes."""
ONE_BYTE = ("ascii", "iso8859", "cp125", "koi8", "mac-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A part of a file; ``before`` and ``after`` are the tags of structures that it is inside of at either end."""

    path: str
    format: str
    encoding: str = "utf-8"
    start: int = 0
    end: int | None = None
    names: tuple[str, ...] = ()
    before: bytes = b""
    after: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitReader:
    """How to read a split, or a table of whole sentences."""

    attributes: frozenset[str]
    columns: tuple[str, ...] = ()
    language: str = "en"
    skip_broken: bool = False

    def __call__(self, part: Any) -> Corpus:
        if not isinstance(part, Split):
            return corpus_from_frames([("the corpus", part)], attributes=self.attributes)
        if part.format == "parquet":
            source = Source(path=Path(part.path), format="parquet", content=_content(part))
            return corpus_from_frames([(part.path, read_parquet(source))], attributes=self.attributes)
        content = _content(part)
        try:
            return self._read(part, content, line=1)
        except InvalidInputError:
            # Only now is it worth knowing how many lines stand before the split.
            line = 1 + _lines_before(part) - part.before.count(b"\n")
            return self._read(part, content, line=line)

    def _read(self, part: Split, content: bytes, *, line: int) -> Corpus:
        content = part.before + content + part.after
        source = Source(path=Path(part.path), format=part.format, encoding=part.encoding, content=content, line=line)
        into = CorpusBuilder()
        readable = make_readable(source, language=self.language)
        columns = self.columns or part.names
        reading = FormatOptions(
            attributes=self.attributes, columns=columns, language=self.language, skip_broken=self.skip_broken
        )
        gather_source(readable, into, reading)
        return gathered_corpus(into, [source], keeps_heads=True)

    def scan(self, part: Split) -> Structures:
        """Which structures a split of vertical text leaves open, and which of those before it closes."""
        return scan_structures(_content(part), names=self.columns)


def plan_splits(corpus: Sequence[str], *, format_: str | None, encoding: str) -> list[Split]:
    """One split for each file that names, folders, globs and addresses stand for."""
    if "-" in corpus:
        raise InvalidInputError("Spark cannot read standard input; name files or folders.")
    files = [split for name in corpus for split in _files(name, format_, encoding)]
    if len({split.format == "parquet" for split in files}) > 1:
        raise InvalidInputError("Parquet files of tokens cannot be mixed with other formats in one corpus.")
    return files


def cut_splits(files: Iterable[Split], most: int) -> list[Split]:
    """Splits of about ``most`` bytes."""
    return [part for split in files for part in _cut(split, most)]


def _files(name: str, format_: str | None, encoding: str) -> list[Split]:
    if is_remote(name):
        return [
            Split(path=path, format=format_ or corpus_format(Path(path)), encoding=encoding)
            for path in CorpusLocation(name).files()
        ]
    sources = find_sources([name], format_=format_, encoding=encoding).sources
    return [Split(path=str(source.path), format=source.format, encoding=source.encoding) for source in sources]


def _cut(split: Split, most: int) -> list[Split]:
    if split.format not in CUTS or not _can_be_cut(split.path, split.encoding):
        return [split]
    size = CorpusLocation(split.path).size()
    parts = max(-(-size // most), 1)
    edges = [size * k // parts for k in range(parts)]
    return [replace(split, start=a, end=b) for a, b in zip(edges, [*edges[1:], None], strict=True)]


def _can_be_cut(path: str, encoding: str) -> bool:
    name = codecs.lookup(encoding).name
    with CorpusLocation(path).open() as file:
        head = file.read(HEAD_BYTES)
    if head.startswith(b"\x1f\x8b") or b"PROJECT GUTENBERG" in head:  # what follows its text is seen in the whole
        return False
    return name in ("utf-8", "utf-8-sig") or name.startswith(ONE_BYTE)


def total_bytes(splits: Iterable[Split]) -> int:
    """How much there is to read, as far as it is known."""
    return sum(CorpusLocation(path).size() for path in {split.path for split in splits})


def with_structures(splits: Sequence[Split], structures: Sequence[Structures], *, skip_broken: bool) -> list[Split]:
    """The splits of vertical text, each with the tags of the structures that are open where it begins and ends."""
    done: list[Split] = []
    for path in dict.fromkeys(split.path for split in splits):
        own = [(split, each) for split, each in zip(splits, structures, strict=True) if split.path == path]
        done += _inside([split for split, _ in own], [each for _, each in own], skip_broken=skip_broken)
    return done


def _inside(splits: list[Split], structures: list[Structures], *, skip_broken: bool) -> list[Split]:
    """All splits of a file; a structure that nobody closes is none."""
    states: list[tuple[Opened, ...]] = [()]
    for at, each in enumerate(structures):
        states.append(each.after(states[-1], at))
    unclosed = {opened.number for opened in states[-1]}
    if unclosed and not skip_broken:
        raise InvalidInputError(f"{splits[0].path}: <{states[-1][-1].name}> is never closed.")
    names = structures[0].names
    return [
        replace(
            split,
            names=names,
            before=b"".join(opened.again for opened in states[k] if opened.number not in unclosed),
            after=b"".join(opened.close for opened in reversed(states[k + 1]) if opened.number not in unclosed),
        )
        for k, split in enumerate(splits)
    ]


def _content(split: Split) -> bytes:
    """The bytes of a split, from cut to cut."""
    try:
        with CorpusLocation(split.path).open() as file:
            if split.end is None and split.start == 0:
                return _unpacked(split, file.read())
            cut = CUTS[split.format]
            begin = _boundary(file, split.start, cut)
            end = None if split.end is None else _boundary(file, split.end, cut)
            file.seek(begin)
            return bytes(file.read() if end is None else file.read(max(end - begin, 0)))
    except OSError as error:
        raise InvalidInputError(f"{split.path} cannot be read: {error.strerror or error}.") from error


def _unpacked(split: Split, data: bytes) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidInputError(f"{split.path}: the gzip file is damaged or cut off.") from error


def _boundary(file: Any, place: int, cut: re.Pattern[bytes]) -> int:
    """Behind the first cut that ends at or after ``place``; the end of the file where there is none."""
    if place == 0:
        return 0
    begin = max(place - LONGEST, 0)
    file.seek(begin)
    data = file.read(place - begin + STEP)
    while True:
        for match in cut.finditer(data):
            if begin + match.end() >= place and match.end() < len(data):
                return begin + match.end()
        more = file.read(len(data))
        if not more:
            return begin + len(data)
        data += more


def _lines_before(split: Split) -> int:
    with CorpusLocation(split.path).open() as file:
        if split.start == 0:
            return 0
        end = _boundary(file, split.start, CUTS[split.format])
        file.seek(0)
        return sum(file.read(min(STEP, end - at)).count(b"\n") for at in range(0, end, STEP))


def check_tables(paths: Sequence[str], attributes: frozenset[str]) -> tuple[dict[str, str], bool]:
    """Which columns of files of tokens are needed, with our names, and whether positions order them across files."""
    import polars as pl

    empty = []
    for path in paths:
        try:
            with CorpusLocation(path).open() as file:
                schema = pl.read_parquet_schema(file)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InvalidInputError(f"{path} is not a Parquet file: {str(error).splitlines()[0]}") from error
        empty.append((path, pl.DataFrame(schema=schema)))
    corpus_from_frames(list(empty), attributes=attributes)
    wanted = {"document", "sentence", "position", "form", *attributes}
    wanted |= {HEAD_POSITION} if "head" in attributes else set()
    columns = [column_names(frame.columns) for _, frame in empty]
    names = {old: new for old, new in columns[0].items() if new in wanted}
    return names, all("position" in each.values() for each in columns)
