"""What is known of documents from elsewhere: a table with a row for each, folders, and patterns of their names."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from concurrence.core.corpus import Corpus, Documents
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import frame_of
from concurrence.core.sentences import Sentence, count_noun

if TYPE_CHECKING:
    import polars as pl

KEYS = ("document", "file", "doc_id", "filename", "file_name", "path")
NAMED = 3
Texts = Mapping[str, tuple[str, ...]]


def with_metadata(corpus: Corpus, table: Any, *, where: str = "the metadata") -> Corpus:
    """The corpus with the columns of a table as attributes of its documents; every row names one of them.

    A document is named as it is called, or by the path of its file, by the end of that, or by the name of the file
    without its extension. Rows and documents without a partner are in the warnings of the inventory.
    """
    frame = frame_of(table)
    key = next((name for name in KEYS if name in frame.columns), None)
    if key is None:
        raise InvalidInputError(
            f"{where} has no column 'document' or 'file' that says which document a row is about; its columns are "
            f"{', '.join(frame.columns)}."
        )
    rows = _rows_of_documents(corpus.documents, frame[key].cast(_text()).to_list(), where)
    remarks = _remarks(corpus.documents, rows, frame[key].to_list(), where)
    attributes = {name: _cells(frame, name, rows) for name in frame.columns if name != key}
    documents = replace(corpus.documents, metadata={**corpus.documents.metadata, **attributes})
    inventory = replace(corpus.inventory, remarks=(*corpus.inventory.remarks, *remarks))
    return replace(corpus, documents=documents, inventory=inventory)


def _text() -> Any:
    import polars as pl

    return pl.String


def _rows_of_documents(documents: Documents, names: Sequence[str | None], where: str) -> list[int | None]:
    """The row of each document, or None."""
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise InvalidInputError(f"{where} has more than one row for {twice[0]!r}; a document has one.")
    numbers = {str(PurePosixPath(name)): row for row, name in enumerate(names) if name}
    paths = documents.metadata.get("path", ("",) * len(documents.names))
    known = [_names_of(name, path) for name, path in zip(documents.names, paths, strict=True)]
    by_file = {path or name: own[1] for name, path, own in zip(documents.names, paths, known, strict=True)}
    loose = Counter(name for own in by_file.values() for name in set(own))
    rows = []
    for sure, other in known:
        found = [numbers[name] for name in (*sure, *(n for n in other if loose[n] == 1)) if name in numbers]
        rows.append(found[0] if found else None)
    if not any(row is not None for row in rows):
        named = next(iter(numbers), "")
        raise InvalidInputError(
            f"No row of {where} is about a document of the corpus: the first row names {named!r}, the first document "
            f"is {documents.names[0]!r}."
        )
    return rows


def _names_of(name: str, path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a document is surely called, and what it may be called if no other one is."""
    file = PurePosixPath(path.replace("\\", "/")) if path else PurePosixPath(name)
    ends = tuple("/".join(file.parts[k:]) for k in range(1, len(file.parts)))
    return (name, path, *ends[:-1]), (file.name, file.stem, str(PurePosixPath(name).with_suffix("")))


def _remarks(
    documents: Documents, rows: Sequence[int | None], names: Sequence[Any], where: str
) -> tuple[Sentence, ...]:
    used = set(rows)
    without = [name for name, row in zip(documents.names, rows, strict=True) if row is None]
    unused = [str(name) for row, name in enumerate(names) if row not in used]
    parts = []
    if without:
        parts.append(f"{count_noun(len(without), 'document')} without a row in {where}: {_first(without)}")
    if unused:
        parts.append(f"{count_noun(len(unused), 'row')} of {where} without a document: {_first(unused)}")
    return (Sentence(code="metadata_unmatched", text=f"{'; '.join(parts)}.", warning=True),) if parts else ()


def _first(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join([*names[:NAMED], f"{more:,} more"] if more > 0 else names)


def _cells(frame: "pl.DataFrame", name: str, rows: Sequence[int | None]) -> tuple[str, ...]:
    cells = frame[name].cast(_text()).to_list()
    return tuple("" if row is None or cells[row] is None else cells[row] for row in rows)


def facts_of_name(name: str, pattern: re.Pattern[str] | None) -> dict[str, str]:
    """What the path of a file says of it: its folder, and the named groups of a pattern.

    >>> facts_of_name("us/1793-Washington.txt", re.compile(r"(?P<year>\\d{4})-(?P<president>\\w+)"))
    {'folder': 'us', 'year': '1793', 'president': 'Washington'}
    """
    folder = str(PurePosixPath(name).parent)
    match = pattern.search(name) if pattern else None
    groups = {} if match is None else {key: text or "" for key, text in match.groupdict().items()}
    return {**({"folder": folder} if folder != "." else {}), **groups}


def parse_name_pattern(pattern: str | None) -> re.Pattern[str] | None:
    """A pattern of file names, each of whose groups has a name."""
    if pattern is None:
        return None
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InvalidInputError(f"The pattern {pattern!r} is not a regular expression ({error}).") from error
    if not compiled.groupindex:
        raise InvalidInputError(
            f"The pattern {pattern!r} names no attribute; write what to keep as (?P<year>...), for example."
        )
    return compiled
