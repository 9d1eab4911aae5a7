"""Read spans: tables, CoNLL-style BIO columns, brat folders, and the exports of annotation tools."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

from concurrence.core.coder_kinds import find_machines, machines_left_out, refuse_machines_alone
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.frames import require_columns
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.core.spans import Spans, Text
from concurrence.files.labels.codes import column_kinds, columns_option, encode, find_role_column, unknown_column_error
from concurrence.files.labels.reading_warnings import find_near_duplicates, format_near_duplicates
from concurrence.files.spans.bio import BIO_ENDINGS, read_bio
from concurrence.files.spans.brat import read_brat
from concurrence.files.spans.docbin import read_docbin_spans
from concurrence.files.spans.exports import detect_span_tool, export_spans
from concurrence.files.spans.inception import ENDINGS as INCEPTION_ENDINGS
from concurrence.files.spans.inception import (
    is_inception_file,
    is_inception_folder,
    read_inception_file,
    read_inception_folder,
)
from concurrence.files.spans.join_sheets import join_span_sheets
from concurrence.files.spans.options import SPAN_EXPORTS, SpanFileOptions
from concurrence.files.spans.span_sheet import SpanSheet, parse_position
from concurrence.files.tables.docbin import ENDING as DOCBIN_ENDING
from concurrence.files.tables.sheets import Sheet, open_sheet
from concurrence.files.tables.text import UNNAMED_ENCODING, read_bytes, read_text

SYNONYMS = {
    "document": ("document", "doc", "document_id", "doc_id", "text_id", "item", "task", "file"),
    "coder": ("coder", "annotator", "rater", "worker", "coder_id", "annotator_id", "rater_id", "worker_id"),
    "start": ("start", "begin", "start_offset"),
    "end": ("end", "stop", "end_offset"),
    "label": ("label", "category", "type", "tag", "value", "annotation"),
}
ONLY_DOCUMENT = "1"


def spans_from_source(source: Any, options: SpanFileOptions) -> Spans:
    """Read spans from a file, from standard input (``-``), from a folder of brat, or from a frame.

    Positions are those of the source: characters, or tokens in BIO columns. In a table, a coder without a span in a
    document is taken to have read it and found nothing; a row with empty start, end and label says so explicitly. With
    ``partial``, only coders who have a row read a document.
    """
    columns, coders, encoding = options.columns or {}, options.coders, options.encoding
    if unknown := [role for role in columns if role not in SYNONYMS]:
        raise UnknownNameError("role of a column", unknown[0], SYNONYMS)
    if isinstance(source, list | tuple) and all(isinstance(one, str | Path) for one in source):
        span_sheet = join_span_sheets([_read_part(Path(one), columns, options) for one in source])
    else:
        span_sheet = _read_source(source, columns, options)
    span_sheet = _select_people(span_sheet, options.machines) if coders is None else _select_coders(span_sheet, coders)
    added_texts = {} if options.text is None else _read_texts(options.text, span_sheet.documents, encoding)
    texts = {**span_sheet.texts, **added_texts}
    sizes, unknown_lengths = _document_lengths(span_sheet, texts, options)
    names = list(coders or span_sheet.coders)
    knows_readers = span_sheet.says_who_read or options.partial
    reader_warnings = [] if knows_readers else _assumed_reader_warnings(span_sheet, names, list(sizes))
    warnings = [
        *span_sheet.warnings,
        *_near_duplicate_warnings(span_sheet),
        *_unknown_length_warnings(unknown_lengths),
        *reader_warnings,
    ]
    return Spans.of(
        span_sheet.marks,
        lengths=sizes,
        coders=names,
        read=(lambda document, coder: (document, coder) in span_sheet.read)
        if knows_readers
        else (lambda _document, _coder: True),
        texts=texts,
        place=span_sheet.place_of,
        kinds={name: kind for name, kind in span_sheet.kinds.items() if name in names},
        warnings=warnings,
    )


def _read_part(path: Path, columns: Mapping[str, str], options: SpanFileOptions) -> SpanSheet:
    """One of several files; in BIO columns, one of a single coder is called after the coder."""
    if options.shape == "bio" or (options.shape == "auto" and path.suffix.lower() in BIO_ENDINGS):
        return read_bio(path, options, coder=path.stem)
    return _read_source(path, columns, options)


def _read_source(source: Any, columns: Mapping[str, str], options: SpanFileOptions) -> SpanSheet:
    shape, encoding = options.shape, options.encoding
    if isinstance(source, str | Path):
        path = Path(source)
        if shape in ("auto", "inception") and path.is_dir() and is_inception_folder(path):
            return read_inception_folder(path, options)
        if shape == "brat" or (shape == "auto" and path.is_dir()):
            return read_brat(path, encoding)
        if path.suffix.lower() == ".ann":
            raise InvalidInputError(f"{path}: name the folder that holds one folder of .ann files per coder.")
        if shape == "bio" or (shape == "auto" and path.suffix.lower() in BIO_ENDINGS):
            return read_bio(path, options)
        if path.suffix.lower() == DOCBIN_ENDING:
            return read_docbin_spans(path, read_bytes(path), options)
        if shape == "inception" or (shape == "auto" and path.suffix.lower() in INCEPTION_ENDINGS):
            data = read_bytes(path)
            if shape == "inception" or is_inception_file(path, data):
                return read_inception_file(path, data, options)
    table = open_sheet(source, encoding=encoding, sheet=options.sheet)
    tool = shape if shape in SPAN_EXPORTS else detect_span_tool(table) if shape == "auto" else None
    return export_spans(table, tool, columns) if tool else _read_long(table, columns)


def _read_long(sheet: Sheet, columns: Mapping[str, str]) -> SpanSheet:
    """A table with one span per row."""
    role_columns = {role: find_role_column(sheet, role, columns, SYNONYMS) for role in SYNONYMS}
    for role in ("coder", "start", "end", "label"):
        if role_columns[role] is None:
            raise unknown_column_error(sheet, role, columns_option(role))
    if not sheet.height:
        raise InvalidInputError(f"{sheet.name} has a header and no rows.")
    cells = {role: sheet.column(name) for role, name in role_columns.items() if name is not None}
    documents = cells.pop("document") if "document" in cells else repeat(ONLY_DOCUMENT, sheet.height)
    span_sheet = SpanSheet(name=sheet.name, place=sheet.place)
    # columns are walked along together: as lists of text they would take several times the memory of the spans
    rows = zip(documents, *(cells[role] for role in ("coder", "start", "end", "label")), strict=True)
    for row, (document, coder, start, end, label) in enumerate(rows):
        for name, role in ((document, "document"), (coder, "coder")):
            if name is None:
                raise InvalidInputError(f"{sheet.place(row)}: the column {role_columns[role]!r} is empty.")
        reading = span_sheet.add(document, coder, row)
        if start is not None or end is not None or label is not None:
            reading.mark(start, end, label)
    span_sheet.kinds |= column_kinds(sheet, encode(cells["coder"]))
    return span_sheet


def _select_people(span_sheet: SpanSheet, named: Sequence[str | None]) -> SpanSheet:
    """What people read and marked, and the machines that were named, with a warning of those that were left out."""
    machines = find_machines(span_sheet.coders, span_sheet.kinds, [name for name in named if name is not None])
    if not machines:
        return span_sheet
    humans = [coder for coder in span_sheet.coders if coder not in machines]
    refuse_machines_alone(span_sheet.name, humans, machines, span_sheet.kinds)
    warnings = [*machines_left_out(machines, span_sheet.kinds), *span_sheet.warnings]
    return replace(span_sheet.only_coders(humans), warnings=warnings)


def _select_coders(span_sheet: SpanSheet, coders: Sequence[str]) -> SpanSheet:
    for coder in coders:
        if coder not in span_sheet.coders:
            raise UnknownNameError("coder", coder, span_sheet.coders)
    return span_sheet.only_coders(coders)


def _document_lengths(
    span_sheet: SpanSheet, texts: Mapping[str, Text], options: SpanFileOptions
) -> tuple[dict[str, int], list[str]]:
    """The length of every document, and the documents of unknown length."""
    length, lengths = options.length, options.lengths
    if length is not None and lengths is not None:
        both = option_or_keyword("--length and --lengths", "length= and lengths=")
        raise InvalidInputError(f"{both} say the same thing; use one of them.")
    if length is not None:
        return dict.fromkeys(span_sheet.documents, length), []
    given_lengths = {} if lengths is None else _read_lengths(lengths, options.encoding)
    if lengths is not None and (missing := [name for name in span_sheet.documents if name not in given_lengths]):
        name = lengths if isinstance(lengths, str | Path) else "The table of lengths"
        raise InvalidInputError(f"{name} has no length for document {missing[0]!r}.")
    last: dict[str, int] = {}
    for mark in span_sheet.marks:
        last[mark.document] = max(last.get(mark.document, 1), mark.end)
    known_lengths = {**{name: len(text) for name, text in texts.items()}, **given_lengths}
    names = list(dict.fromkeys([*span_sheet.documents, *given_lengths]))
    unknown_lengths = [name for name in names if name not in known_lengths]
    return {
        name: known_lengths[name] if name in known_lengths else last.get(name, 1) for name in names
    }, unknown_lengths


def _read_lengths(lengths: Any, encoding: str | None) -> dict[str, int]:
    if isinstance(lengths, Mapping):
        return {str(name): int(size) for name, size in lengths.items()}
    table = open_sheet(lengths, encoding=encoding)
    document, size = _two_columns(table, "length")
    sizes: dict[str, int] = {}
    for row, (name, cell) in enumerate(zip(document, size, strict=True)):
        number = parse_position(cell, "length", table.place, row)
        if number < 1:
            raise InvalidInputError(f"{table.place(row)}: the length of a document must be at least 1, not {number}.")
        if sizes.setdefault(str(name), number) != number:
            raise InvalidInputError(
                f"{table.place(row)}: document {str(name)!r} has the length {number:,}, but {sizes[str(name)]:,} "
                "further up. Give every document one length."
            )
    return sizes


def _two_columns(table: Sheet, second: str) -> tuple[list[Any], list[Any]]:
    require_columns(table.frame, ("document", second), table.name)
    return table.column("document").to_list(), table.column(second).to_list()


def _read_texts(text: Any, documents: Sequence[str], encoding: str | None) -> dict[str, Text]:
    if isinstance(text, Mapping):
        return {str(name): str(content) for name, content in text.items()}
    path = Path(text) if isinstance(text, str | Path) else None
    if path is not None and path.is_dir():
        return {name: _read_plain_text(_find_text_file(path, name), encoding) for name in documents}
    if path is not None and path.suffix.lower() == ".txt":
        if len(documents) != 1:
            raise InvalidInputError(
                f"{path} is one text, but there are {len(documents):,} documents; give a folder with a .txt file for "
                "each, or a table document,text."
            )
        return {documents[0]: _read_plain_text(path, encoding)}
    table = open_sheet(text, encoding=encoding)
    names, contents = _two_columns(table, "text")
    texts: dict[str, Text] = {}
    for row, (name, content) in enumerate(zip(names, contents, strict=True)):
        if texts.setdefault(str(name), str(content or "")) != str(content or ""):
            raise InvalidInputError(
                f"{table.place(row)}: document {str(name)!r} has another text further up. Give every document one text."
            )
    return texts


def _find_text_file(folder: Path, document: str) -> Path:
    candidates = [folder / document, folder / f"{document}.txt", (folder / document).with_suffix(".txt")]
    text_path = next((path for path in candidates if path.is_file()), None)
    if text_path is None:
        raise InvalidInputError(f"{folder} has no text of document {document!r}; expected {document}.txt there.")
    return text_path


def _read_plain_text(path: Path, encoding: str | None) -> str:
    return read_text(path, encoding=encoding or UNNAMED_ENCODING).decode("utf-8")


def _near_duplicate_warnings(span_sheet: SpanSheet) -> list[Sentence]:
    """A warning where labels look like two spellings of one."""
    pairs = find_near_duplicates(Counter(mark.label for mark in span_sheet.marks))
    if not pairs:
        return []
    text = (
        f"Some labels look like two spellings of one: {format_near_duplicates(pairs)}. If they mean the same, give "
        "them one "
        "spelling in the file."
    )
    return [Sentence(code="near_duplicate_labels", text=text, warning=True)]


def _unknown_length_warnings(documents: Sequence[str]) -> list[Sentence]:
    if not documents:
        return []
    options = option_or_keyword("--length N, --lengths FILE or --text", "length=, lengths= or text=")
    text = (
        f"The length of {count_noun(len(documents), 'document')} is not known, so "
        f"{'it' if len(documents) == 1 else 'each'} "
        f"was taken to end with its last span. Agreement by chance depends on it; give it with {options}."
    )
    return [Sentence(code="length_inferred", text=text, warning=True)]


def _assumed_reader_warnings(span_sheet: SpanSheet, coders: Sequence[str], documents: Sequence[str]) -> list[Sentence]:
    absent = {coder: sum((document, coder) not in span_sheet.read for document in documents) for coder in coders}
    absences = [
        f"{coder} marked nothing in {count_noun(count, 'document')}" for coder, count in absent.items() if count
    ]
    if not absences:
        return []
    summary = join_words(
        absences if len(absences) <= 3 else [*absences[:2], f"so did {len(absences) - 2} others in some"]
    )
    option = option_or_keyword("--partial", "partial=True")
    text = f"{summary}. Every coder is taken to have read every document; if some did not, use {option}."
    return [Sentence(code="assumed_read", text=text, warning=True)]
