"""Read spans: tables, CoNLL-style BIO columns, brat folders, and the exports of annotation tools."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.sentences import Sentence, join_words
from concurrence.core.spans import Spans, Text
from concurrence.files.labels.column_roles import column_of, naming, unknown_column
from concurrence.files.labels.reading_warnings import SHOWN, near_duplicates
from concurrence.files.spans.bio import BIO_ENDINGS, bio_spans
from concurrence.files.spans.brat import brat_spans
from concurrence.files.spans.exports import SPAN_EXPORTS, detect_span_tool, export_spans
from concurrence.files.spans.span_sheet import SpanSheet, position
from concurrence.files.tables.sheets import Sheet, open_sheet
from concurrence.files.tables.text import ASK, checked_text, read_bytes

SHAPES = ("auto", "long", "bio", "brat", *SPAN_EXPORTS)
SYNONYMS = {
    "document": ("document", "doc", "document_id", "doc_id", "text_id", "item", "task", "file"),
    "coder": ("coder", "annotator", "rater", "worker", "coder_id", "annotator_id", "rater_id", "worker_id"),
    "start": ("start", "begin", "start_offset"),
    "end": ("end", "stop", "end_offset"),
    "label": ("label", "category", "type", "tag", "value", "annotation"),
}
ONLY_DOCUMENT = "1"


def read_spans(
    source: Any,
    *,
    shape: str = "auto",
    columns: Mapping[str, str] | None = None,
    length: int | None = None,
    lengths: Any = None,
    text: Any = None,
    coders: Sequence[str] | None = None,
    partial: bool = False,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Spans:
    """Read spans from a file, from standard input (``-``), from a folder of brat, or from a frame.

    ``shape`` is ``long`` (a span per row: document, coder, start, end, label; the end is exclusive), ``bio`` (tokens
    with one column of BIO tags per coder), ``brat`` (one folder per coder) or the tool that wrote an export; ``auto``
    tells which. ``columns`` names the columns of ``document``, ``coder``, ``start``, ``end`` and ``label`` if they
    have other names.

    ``length`` is that of every document, ``lengths`` a table ``document,length`` (or a mapping); otherwise the text
    tells, and without a text a document is taken to end with its last span. ``text`` is a folder with a ``.txt`` file
    per document, a table ``document,text``, the file of the only document, or a mapping. ``coders`` takes these alone.

    In a table, a coder without a span in a document is taken to have read it and found nothing; a row with empty
    start, end and label says so explicitly. With ``partial``, only coders who have a row read a document.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"coder": ["x", "y"], "start": [0, 2], "end": [4, 4], "label": ["P", "P"]})
    >>> read_spans(frame, length=10).start.tolist()
    [0, 2]
    """
    if shape not in SHAPES:
        raise UnknownNameError("shape of spans", shape, SHAPES)
    if unknown := [role for role in columns or {} if role not in SYNONYMS]:
        raise UnknownNameError("role of a column", unknown[0], SYNONYMS)
    found = _sheet_of(source, shape, columns or {}, coders, encoding, sheet)
    found = found if coders is None else _only(found, coders)
    texts = {**found.texts, **(_texts(text, found.documents, encoding) if text is not None else {})}
    sizes, guessed = _lengths(found, texts, length, lengths, encoding)
    names = list(coders or found.coders)
    known = found.says_who_read or partial
    assumed = [] if known else _assumed_readers(found, names, list(sizes))
    warnings = [*found.warnings, *_alike_labels(found), *_guessed_lengths(guessed), *assumed]
    return Spans.of(
        found.marks,
        lengths=sizes,
        coders=names,
        read=(lambda document, coder: (document, coder) in found.read) if known else (lambda _document, _coder: True),
        texts=texts,
        place=lambda row: found.places[row](),
        warnings=warnings,
    )


def _sheet_of(
    source: Any,
    shape: str,
    columns: Mapping[str, str],
    coders: Sequence[str] | None,
    encoding: str | None,
    sheet: str | None,
) -> SpanSheet:
    if isinstance(source, str | Path):
        path = Path(source)
        if shape == "brat" or (shape == "auto" and path.is_dir()):
            return brat_spans(path, encoding)
        if path.suffix.lower() == ".ann":
            raise InvalidInputError(f"{path}: name the folder that holds one folder of .ann files per coder.")
        if shape == "bio" or (shape == "auto" and path.suffix.lower() in BIO_ENDINGS):
            return bio_spans(path, coders, encoding)
    opened = open_sheet(source, encoding=encoding, sheet=sheet)
    tool = shape if shape in SPAN_EXPORTS else detect_span_tool(opened) if shape == "auto" else None
    return export_spans(opened, tool, columns) if tool else _long(opened, columns)


def _long(sheet: Sheet, columns: Mapping[str, str]) -> SpanSheet:
    """A table with one span per row."""
    named = {role: column_of(sheet, role, columns, SYNONYMS) for role in SYNONYMS}
    for role in ("coder", "start", "end", "label"):
        if named[role] is None:
            raise unknown_column(sheet, role, naming(role))
    if not sheet.height:
        raise InvalidInputError(f"{sheet.name} has a header and no rows.")
    texts = {role: sheet.column(name).to_list() for role, name in named.items() if name is not None}
    documents = texts.get("document") or [ONLY_DOCUMENT] * sheet.height
    found = SpanSheet(name=sheet.name)
    for row, (document, coder) in enumerate(zip(documents, texts["coder"], strict=True)):
        for name, role in ((document, "document"), (coder, "coder")):
            if name is None:
                raise InvalidInputError(f"{sheet.place(row)}: the column {named[role]!r} is empty.")
        reading = found.add(document, coder, lambda row=row: sheet.place(row))  # type: ignore[misc]
        start, end, label = (texts[role][row] for role in ("start", "end", "label"))
        if start is not None or end is not None or label is not None:
            reading.mark(start, end, label)
    return found


def _only(found: SpanSheet, coders: Sequence[str]) -> SpanSheet:
    for coder in coders:
        if coder not in found.coders:
            raise UnknownNameError("coder", coder, found.coders)
    kept = [row for row, mark in enumerate(found.marks) if mark.coder in coders]
    return replace(
        found,
        marks=[found.marks[row] for row in kept],
        places=[found.places[row] for row in kept],
        read={pair: None for pair in found.read if pair[1] in coders},
    )


def _lengths(
    found: SpanSheet, texts: Mapping[str, Text], length: int | None, lengths: Any, encoding: str | None
) -> tuple[dict[str, int], list[str]]:
    """The length of every document, and the documents whose length nobody told."""
    if length is not None and lengths is not None:
        both = option_or_keyword("--length and --lengths", "length= and lengths=")
        raise InvalidInputError(f"{both} say the same thing; use one of them.")
    if length is not None:
        return dict.fromkeys(found.documents, length), []
    told = {} if lengths is None else _told_lengths(lengths, encoding)
    if lengths is not None and (lacking := [name for name in found.documents if name not in told]):
        name = lengths if isinstance(lengths, str | Path) else "The table of lengths"
        raise InvalidInputError(f"{name} has no length for document {lacking[0]!r}.")
    last: dict[str, int] = {}
    for mark in found.marks:
        last[mark.document] = max(last.get(mark.document, 1), mark.end)
    known = {**{name: len(text) for name, text in texts.items()}, **told}
    names = list(dict.fromkeys([*found.documents, *told]))
    guessed = [name for name in names if name not in known]
    return {name: known[name] if name in known else last.get(name, 1) for name in names}, guessed


def _told_lengths(lengths: Any, encoding: str | None) -> dict[str, int]:
    if isinstance(lengths, Mapping):
        return {str(name): int(size) for name, size in lengths.items()}
    opened = open_sheet(lengths, encoding=encoding)
    document, size = _two_columns(opened, "length")
    told: dict[str, int] = {}
    for row, (name, given) in enumerate(zip(document, size, strict=True)):
        number = position(given, "length", lambda row=row: opened.place(row))  # type: ignore[misc]
        if number < 1:
            raise InvalidInputError(f"{opened.place(row)}: the length of a document must be at least 1, not {number}.")
        if told.setdefault(str(name), number) != number:
            raise InvalidInputError(
                f"{opened.place(row)}: document {str(name)!r} has the length {number:,}, but {told[str(name)]:,} "
                "further up. Give every document one length."
            )
    return told


def _two_columns(opened: Sheet, second: str) -> tuple[list[Any], list[Any]]:
    for name in ("document", second):
        if name not in opened.frame.columns:
            columns = ", ".join(opened.frame.columns)
            raise InvalidInputError(f"{opened.name} has no column {name!r}; its columns are {columns}.")
    found: list[pl.Series] = [opened.column("document"), opened.column(second)]
    return found[0].to_list(), found[1].to_list()


def _texts(text: Any, documents: Sequence[str], encoding: str | None) -> dict[str, Text]:
    if isinstance(text, Mapping):
        return {str(name): str(whole) for name, whole in text.items()}
    path = Path(text) if isinstance(text, str | Path) else None
    if path is not None and path.is_dir():
        return {name: _plain_text(_text_file(path, name), encoding) for name in documents}
    if path is not None and path.suffix.lower() == ".txt":
        if len(documents) != 1:
            raise InvalidInputError(
                f"{path} is one text, but there are {len(documents):,} documents; give a folder with a .txt file for "
                "each, or a table document,text."
            )
        return {documents[0]: _plain_text(path, encoding)}
    opened = open_sheet(text, encoding=encoding)
    names, wholes = _two_columns(opened, "text")
    told: dict[str, Text] = {}
    for row, (name, whole) in enumerate(zip(names, wholes, strict=True)):
        if told.setdefault(str(name), str(whole or "")) != str(whole or ""):
            raise InvalidInputError(
                f"{opened.place(row)}: document {str(name)!r} has another text further up. Give every document one "
                "text."
            )
    return told


def _text_file(folder: Path, document: str) -> Path:
    tried = [folder / document, folder / f"{document}.txt", (folder / document).with_suffix(".txt")]
    found = next((path for path in tried if path.is_file()), None)
    if found is None:
        raise InvalidInputError(f"{folder} has no text of document {document!r}; expected {document}.txt there.")
    return found


def _plain_text(path: Path, encoding: str | None) -> str:
    return checked_text(read_bytes(path), path, encoding=encoding or ASK).decode("utf-8")


def _alike_labels(found: SpanSheet) -> list[Sentence]:
    """A warning where labels look like two spellings of one."""
    pairs = near_duplicates(Counter(mark.label for mark in found.marks))
    if not pairs:
        return []
    shown = "; ".join(f"{rare!r} ({few:,}) and {common!r} ({many:,})" for rare, few, common, many in pairs[:SHOWN])
    more = f"; and {len(pairs) - SHOWN:,} more" if len(pairs) > SHOWN else ""
    text = (
        f"Some labels look like two spellings of one: {shown}{more}. If they mean the same, give them one spelling in "
        "the file."
    )
    return [Sentence(code="near_duplicate_labels", text=text, warning=True)]


def _guessed_lengths(guessed: Sequence[str]) -> list[Sentence]:
    if not guessed:
        return []
    say = option_or_keyword("--length N, --lengths FILE or --text", "length=, lengths= or text=")
    text = (
        f"The length of {count_noun(len(guessed), 'document')} is not known, so "
        f"{'it' if len(guessed) == 1 else 'each'} "
        f"was taken to end with its last span. Agreement by chance depends on it; give it with {say}."
    )
    return [Sentence(code="length_inferred", text=text, warning=True)]


def _assumed_readers(found: SpanSheet, coders: Sequence[str], documents: Sequence[str]) -> list[Sentence]:
    absent = {coder: sum((one, coder) not in found.read for one in documents) for coder in coders}
    named = [f"{coder} marked nothing in {count_noun(count, 'document')}" for coder, count in absent.items() if count]
    if not named:
        return []
    shown = join_words(named if len(named) <= 3 else [*named[:2], f"so did {len(named) - 2} others in some"])
    say = option_or_keyword("--partial", "partial=True")
    text = f"{shown}. Every coder is taken to have read every document; if some did not, use {say}."
    return [Sentence(code="assumed_read", text=text, warning=True)]
