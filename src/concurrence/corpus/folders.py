"""The files of a corpus: which files of a folder are read, in which format, and why the others are not."""

import codecs
import glob
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.inventory import OTHER_KIND, Inventory, UnreadFile
from concurrence.corpus.index import is_index
from concurrence.corpus.shapes import detect_format, is_binary, lists_files, read_head
from concurrence.corpus.source_files import Source

FORMATS = ("lines", "text", "vrt", "conllu", "cupt", "parquet")
ENDINGS = {
    "txt": "lines",
    "vrt": "vrt",
    "vert": "vrt",
    "conllu": "conllu",
    "conll": "conllu",
    "cupt": "cupt",
    "parquet": "parquet",
    "pq": "parquet",
}
TABLES = frozenset({"csv", "tsv", "tab", "json", "jsonl", "ndjson", "xlsx", "xls", "ods", "ds"})
MARKUP = frozenset({"xml", "html", "htm", "xhtml", "rtf", "tex", "docx", "doc", "odt", "epub", "pdf"})
NEVER_TEXT = """
7z avi bmp bz2 db dtd eaf exe flac gif ico jar jpeg jpg mov mp3 mp4 npy npz ogg pkl png ppt pptx py pyc rar sh sqlite
svg tar tgz tiff toml wav webp xsd xsl xz yaml yml zip zst
"""
OF_FORMATS = {"vrt": {"xml"}, "conllu": {"tsv", "tab"}, "cupt": {"tsv", "tab"}}
"""Extensions of tables and markup that files of a format have, where the format is named."""
ABOUT = """
authors changelog changes citation contents contributors copying install licence license makefile manifest notice readme
todo version
"""
"""Names, in lower case and without extension, of files that say what a folder holds."""
ABOUT_THE_FOLDER, FILE_LIST, BINARY, AN_INDEX = "about the folder", "a list of the files", "not text", "an index"
PROVENANCE = ".meta.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """The files of a corpus in their order, and those of its folders that are not read."""

    sources: tuple[Source, ...]
    left_out: tuple[UnreadFile, ...] = ()

    def without(self, sources: Sequence[Source], reason: str) -> "CorpusFiles":
        """The same files, some of them left out after all."""
        left_out = tuple(UnreadFile(file=source.name, reason=reason) for source in sources)
        rest = tuple(source for source in self.sources if source not in sources) if sources else self.sources
        return CorpusFiles(sources=rest, left_out=self.left_out + left_out)

    @property
    def inventory(self) -> Inventory:
        return Inventory(files=dict(Counter(source.format for source in self.sources)), left_out=self.left_out)


def find_sources(paths: Sequence[str | Path], *, format_: str | None, encoding: str) -> CorpusFiles:
    """All files that names, folders and globs stand for, each with its format and the name of its document."""
    if format_ is not None and format_ not in FORMATS:
        raise UnknownNameError("corpus format", format_, FORMATS)
    try:
        codecs.lookup(encoding)
    except LookupError as error:
        raise InvalidInputError(f"Unknown encoding {encoding!r}; try utf-8, latin-1 or cp1252.") from error
    if not paths:
        raise InvalidInputError("No corpus is given; name a file, a folder, or - for standard input.")
    parts = [_expand(Path(path), format_, encoding) for path in paths]
    sources = [source for part in parts for source in part.sources]
    _refuse_twice([source.path for source in sources])
    names = Counter(source.name for source in sources)
    distinct = tuple(s if names[s.name] == 1 else replace(s, name=s.path.as_posix()) for s in sources)
    return CorpusFiles(sources=distinct, left_out=tuple(entry for part in parts for entry in part.left_out))


def _refuse_twice(files: Sequence[Path]) -> None:
    seen = dict[Path, Path]()
    for file in files:
        first = seen.setdefault(file.resolve(), file)
        if first is not file:
            names = f"{first} and {file} are the same file" if str(first) != str(file) else f"{file} is given twice"
            raise InvalidInputError(f"{names}, and its words would be counted twice; name it once.")


def _expand(path: Path, format_: str | None, encoding: str) -> CorpusFiles:
    if path.is_dir():
        return _folder_files(path, format_, encoding)
    if str(path) == "-" or path.is_file():
        kind = format_ or corpus_format(path)
        return CorpusFiles(sources=(Source(path=path, format=kind, encoding=encoding),))
    names = glob.glob(str(path), recursive=True)  # noqa: PTH207 (a pattern may be absolute)
    files = sorted(Path(name) for name in names if Path(name).is_file())
    if not files:
        raise InvalidInputError(f"{path} does not exist.")
    fixed = Path(*_before_pattern(path))
    return CorpusFiles(
        sources=tuple(
            Source(
                path=file,
                format=format_ or corpus_format(file),
                encoding=encoding,
                name=file.relative_to(fixed).as_posix(),
            )
            for file in files
        )
    )


def _before_pattern(path: Path) -> Iterator[str]:
    for part in path.parts[:-1]:
        if glob.has_magic(part):
            return
        yield part


def corpus_format(path: Path) -> str:
    """The format by file extension, with or without ``.gz``, or by the first lines; standard input is lines."""
    if str(path) == "-":
        return "lines"
    ending = _ending(path)
    if ending in ENDINGS:
        return ENDINGS[ending]
    if not ending and path.is_file() and not is_binary(head := read_head(path)):
        return detect_format(head)
    endings = ", ".join(f".{ending}" for ending in ENDINGS)
    fault = f"unknown file extension (known: {endings}, also with .gz)" if ending else "not a text"
    raise InvalidInputError(f"{path}: {fault}. Name the format with {_format_option()}.")


def _format_option() -> str:
    return option_or_keyword("--format", "format=")


def _ending(path: Path) -> str:
    """The extension in lower case without ``.gz``; a number, as in ``text.001``, is none."""
    ending = path.name.lower().removesuffix(".gz").rpartition(".")
    return "" if not ending[0] or ending[2].isdigit() else ending[2]


def _folder_files(folder: Path, format_: str | None, encoding: str) -> CorpusFiles:
    """The files of a folder that are read, and the others; hidden files and provenance are neither."""
    files, indexes = _walk(folder)
    names = {file.relative_to(folder).as_posix() for file in files}
    sources, left_out = (
        [],
        [UnreadFile(file=index.relative_to(folder).as_posix(), reason=AN_INDEX) for index in indexes],
    )
    for file in sorted(files):
        name = file.relative_to(folder).as_posix()
        kind, reason = _choose(file, names, format_)
        if kind is None:
            left_out.append(UnreadFile(file=name, reason=reason))
        else:
            sources.append(Source(path=file, format=kind, encoding=encoding, name=name))
    if not sources:
        endings = ", ".join(sorted({Path(entry.file).suffix or Path(entry.file).name for entry in left_out}))
        raise InvalidInputError(
            f"{folder}: no corpus files found in this folder{f' (it has {endings})' * bool(endings)}; name the files, "
            f"or the format with {_format_option()}."
        )
    return CorpusFiles(sources=tuple(sources), left_out=tuple(left_out))


def _walk(folder: Path) -> tuple[list[Path], list[Path]]:
    """All files below a folder but hidden ones, and the folders of indexes, whose files are not looked at."""

    def refuse(error: OSError) -> None:
        raise InvalidInputError(f"{error.filename} cannot be read: {error.strerror}.") from error

    files, indexes = [], []
    for place, folders, names in os.walk(folder, onerror=refuse):
        here = Path(place)
        indexes += [here / name for name in folders if is_index(here / name)]
        folders[:] = [name for name in folders if not name.startswith(".") and here / name not in indexes]
        files += [here / name for name in names if not name.startswith(".") and not name.endswith(PROVENANCE)]
    return [file for file in files if file.is_file()], sorted(indexes)


def _choose(file: Path, names: set[str], format_: str | None) -> tuple[str | None, str]:
    """The format in which a file of a folder is read, or None and why it is not."""
    ending = _ending(file)
    if file.name.partition(".")[0].lower() in ABOUT.split() and ending in ("", "txt", "md", "rst"):
        return None, ABOUT_THE_FOLDER
    if _is_of_another_kind(ending, format_):
        return None, OTHER_KIND
    kind = format_ or ENDINGS.get(ending)
    if kind not in (None, "lines", "text"):
        return kind, ""
    head = read_head(file)
    if kind is None or not ending:
        if is_binary(head):
            return None, BINARY
        kind = kind or detect_format(head)
    return (None, FILE_LIST) if kind in ("lines", "text") and lists_files(head, names) else (kind, "")


def _is_of_another_kind(ending: str, format_: str | None) -> bool:
    if not ending:
        return format_ == "parquet"
    if format_ is None:
        return ending not in ENDINGS
    others = {other for other, kind in ENDINGS.items() if kind not in (format_, "lines")}
    return ending in (TABLES | MARKUP | others | set(NEVER_TEXT.split())) - OF_FORMATS.get(format_, set())
