"""The files of a corpus: which files of a folder are read, in which format, and why the others are not."""

import codecs
import glob
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.inventory import OTHER_KIND, Inventory, UnreadFile
from concurrence.corpus.encodings import GUESS, file_encoding
from concurrence.corpus.index import is_index
from concurrence.corpus.shapes import HTML, TEI, detect_format, detect_markup, is_binary, lists_files, read_head
from concurrence.corpus.source_files import Source

DOCUMENTS = ("html", "docx", "odt", "epub", "pdf")
FORMATS = ("lines", "text", "tagged", "vrt", "conllu", "cupt", "parquet", "tei", *DOCUMENTS)
ENDINGS = {
    "txt": "lines",
    "vrt": "vrt",
    "vert": "vrt",
    "conllu": "conllu",
    "conll": "conllu",
    "cupt": "cupt",
    "parquet": "parquet",
    "pq": "parquet",
    "tei": "tei",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    **{name: name for name in DOCUMENTS},
}
UNENCODED = ("parquet", "tei", *DOCUMENTS)
"""Formats that say their encoding themselves."""
TABLES = frozenset({"csv", "tsv", "tab", "json", "jsonl", "ndjson", "xlsx", "xls", "ods", "ds"})
MARKUP = frozenset({"xml", "rtf", "tex", "doc"})
NEVER_TEXT = """
7z avi bmp bz2 db dtd eaf exe flac gif ico jar jpeg jpg mov mp3 mp4 npy npz ogg pkl png ppt pptx py pyc rar sh sqlite
svg tar tgz tiff toml wav webp xsd xsl xz yaml yml zip zst
"""
OF_FORMATS = {"vrt": {"xml"}, "tei": {"xml"}, "text": {"xml"}, "conllu": {"tsv", "tab"}, "cupt": {"tsv", "tab"}}
"""Extensions of tables and markup that files of a format have, where the format is named."""
ABOUT = """
authors changelog changes citation contents contributors copying install licence license makefile manifest notice readme
todo version
"""
"""Names, in lower case and without extension, of files that say what a folder holds."""
OTHER_XML = "XML, but not TEI"
ABOUT_THE_FOLDER, FILE_LIST, BINARY, AN_INDEX = "about the folder", "a list of the files", "not text", "an index"
PROVENANCE = ".meta.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """The files of a corpus in their order, and those of its folders that are not read."""

    sources: tuple[Source, ...]
    left_out: tuple[UnreadFile, ...] = ()
    named_encoding: str = "utf-8"
    named_format: str | None = None

    def without(self, reasons: Mapping[str, str]) -> "CorpusFiles":
        """The same files without those of some names, left out after all for a reason each."""
        left_out = tuple(UnreadFile(file=name, reason=reason) for name, reason in reasons.items())
        rest = tuple(source for source in self.sources if source.name not in reasons)
        return replace(self, sources=rest, left_out=self.left_out + left_out)

    @property
    def inventory(self) -> Inventory:
        return Inventory(
            files=dict(Counter(source.format for source in self.sources)),
            left_out=self.left_out,
            detected=dict(Counter(s.format for s in self.sources if self.named_format is None and _is_detected(s))),
            encodings={
                s.name: s.encoding
                for s in self.sources
                if s.encoding not in (self.named_encoding, "utf-8") and s.format not in UNENCODED
            },
        )


def _is_detected(source: Source) -> bool:
    """Whether the first lines of a file, and not its extension, say that it is no plain text."""
    return source.format not in ("lines", "tei", ENDINGS.get(_ending(source.path)))


def find_sources(paths: Sequence[str | Path], *, format_: str | None, encoding: str) -> CorpusFiles:
    """All files that names, folders and globs stand for, each with its format and the name of its document."""
    if format_ is not None and format_ not in FORMATS:
        raise UnknownNameError("corpus format", format_, FORMATS)
    try:
        codecs.lookup("utf-8" if encoding == GUESS else encoding)
    except LookupError as error:
        raise InvalidInputError(f"Unknown encoding {encoding!r}; try utf-8, latin-1, cp1252 or guess.") from error
    if not paths:
        raise InvalidInputError("No corpus is given; name a file, a folder, or - for standard input.")
    parts = [_expand(Path(path), format_, encoding) for path in paths]
    sources = [source for part in parts for source in part.sources]
    _refuse_twice([source.path for source in sources])
    names = Counter(source.name for source in sources)
    distinct = tuple(
        replace(
            source,
            name=source.name if names[source.name] == 1 else source.path.as_posix(),
            encoding=encoding if source.format in UNENCODED else file_encoding(source.path, encoding),
        )
        for source in sources
    )
    left_out = tuple(entry for part in parts for entry in part.left_out)
    return CorpusFiles(sources=distinct, left_out=left_out, named_encoding=encoding, named_format=format_)


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
        kind = _document_format(path, format_) or format_ or corpus_format(path)
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
                format=_document_format(file, format_) or format_ or corpus_format(file),
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
    if ending in ("txt", "xml", "") and path.is_file() and not is_binary(head := read_head(path)):
        own = _format_by_content(ending, head)
        if own is not None:
            return own
        raise InvalidInputError(f"{path} is XML, but not TEI; if it is vertical text, use {_format_option()} vrt.")
    if ending in ENDINGS:
        return ENDINGS[ending]
    endings = ", ".join(f".{ending}" for ending in ENDINGS)
    fault = f"unknown file extension (known: {endings}, also with .gz)" if ending else "not a text"
    raise InvalidInputError(f"{path}: {fault}. Name the format with {_format_option()}.")


def _format_by_content(ending: str, head: bytes) -> str | None:
    """The format of a text by its first lines; None for XML that is not known."""
    if ending == "xml" or detect_markup(head) == TEI:
        return "tei" if detect_markup(head) == TEI else None
    if detect_markup(head) == HTML and not ending:
        return "html"
    own = detect_format(head)
    return own if not ending or own == "tagged" else "lines"


def _document_format(path: Path, format_: str | None) -> str | None:
    """A document keeps its own format where running text is asked for."""
    if format_ == "text" and _ending(path) == "xml" and detect_markup(read_head(path)) == TEI:
        return "tei"
    own = ENDINGS.get(_ending(path))
    return own if format_ == "text" and own in (*DOCUMENTS, "tei") else None


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
            sources.append(Source(path=file, format=kind, encoding=encoding, name=name, in_folder=True))
    texts = [source for source in sources if source.format not in DOCUMENTS]
    if format_ is None and texts:
        left_out += [UnreadFile(file=s.name, reason=OTHER_KIND) for s in sources if s.format in DOCUMENTS]
        sources = texts
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
        parent = Path(place)
        indexes += [parent / name for name in folders if is_index(parent / name)]
        folders[:] = [name for name in folders if not name.startswith(".") and parent / name not in indexes]
        files += [parent / name for name in names if not name.startswith(".") and not name.endswith(PROVENANCE)]
    return [file for file in files if file.is_file()], sorted(indexes)


def _choose(file: Path, names: set[str], format_: str | None) -> tuple[str | None, str]:
    """The format in which a file of a folder is read, or None and why it is not."""
    ending = _ending(file)
    if file.name.partition(".")[0].lower() in ABOUT.split() and ending in ("", "txt", "md", "rst"):
        return None, ABOUT_THE_FOLDER
    if _is_of_another_kind(ending, format_):
        return None, OTHER_KIND
    kind = _document_format(file, format_) or format_ or ENDINGS.get(ending)
    if kind not in (None, "lines", "text"):
        return kind, ""
    head = read_head(file)
    if ending == "xml" and detect_markup(head) != TEI:
        return None, OTHER_XML
    if (kind is None or not ending) and is_binary(head):
        return None, BINARY
    kind = _format_by_content(ending, head) if format_ is None else kind
    return (None, FILE_LIST) if kind in ("lines", "text") and lists_files(head, names) else (kind, "")


def _is_of_another_kind(ending: str, format_: str | None) -> bool:
    if not ending:
        return format_ == "parquet"
    if format_ is None:
        return ending not in (*ENDINGS, "xml")
    running = (*DOCUMENTS, "tei") if format_ == "text" else ()
    others = {other for other, kind in ENDINGS.items() if kind not in (format_, "lines", *running)}
    return ending in (TABLES | MARKUP | others | set(NEVER_TEXT.split())) - OF_FORMATS.get(format_, set())
