"""Spans as CoNLL-style columns of BIO tags."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.files.spans.options import SpanFileOptions
from concurrence.files.spans.span_sheet import SpanSheet, line_places
from concurrence.files.tables.text import UNNAMED_ENCODING, read_bytes, split_lines, validate_text

BIO_ENDINGS = (".conll", ".bio", ".iob", ".iob2", ".bioes")
FEW_OTHERS = 0.2  # of a column's values; with more, the column holds something else, such as parts of speech
TAG = re.compile(r"^(?:[OBIESLU]|[BIESLU]-.+)$")
NEW_DOCUMENT = re.compile(r"^#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
CODERS = re.compile(r"^#\s*coders\s*[=:]\s*(.+)$")
WHITE = re.compile(" +")


def read_bio(path: Path, options: SpanFileOptions, *, coder: str | None = None) -> SpanSheet:
    """Tokens in the first column, one column of tags per coder; positions are tokens.

    Documents begin at ``# newdoc`` or ``-DOCSTART-``; in a file without them, blank lines separate documents. Coders
    are named by a line ``# coders = ann bob``, or by the options. A file of one ``coder`` has the tags in its last
    column of tags, or in that whose number stands for the label among the columns of the options.
    """
    encoding, coders = options.encoding, options.coders
    name = "standard input" if str(path) == "-" else str(path)
    lines = split_lines(validate_text(read_bytes(path), name, encoding=encoding or UNNAMED_ENCODING))
    has_document_lines = any(NEW_DOCUMENT.match(line) or line.startswith("-DOCSTART-") for line in lines)
    declared_coders = next((match.group(1).split() for line in lines if (match := CODERS.match(line))), None)
    blocks = _split_documents(lines, has_document_lines)
    if not blocks:
        raise InvalidInputError(f"{name} holds no tokens.")
    _refuse_repeated(blocks, name)
    columns = _tag_columns(blocks, name)
    warnings: list[Sentence] = []
    if "label" in (options.columns or {}):
        columns = [_column_number((options.columns or {})["label"], columns, name)]
    elif coder is not None and declared_coders is None:
        columns = columns[-1:]
    elif coders is None and declared_coders is None and len(columns) > 1:
        _refuse_layers(blocks, columns, name)
        warnings.append(_columns_as_coders(columns, name))
    alone = [coder] if coder is not None and len(columns) == 1 else None
    names = alone or _coder_names(coders, declared_coders, len(columns), name)
    sheet = SpanSheet(name=name, place=line_places(name), says_who_read=True, warnings=warnings)
    for document, rows in blocks:
        sheet.texts[document] = tuple(row[0] for _, row in rows)
        for who, column in zip(names, columns, strict=True):
            sheet.add(document, who, rows[0][0])
            for start, end, label, line in _decode_tags([(number, row[column]) for number, row in rows]):
                sheet.add(document, who, line).mark(start, end, label)
    return sheet


Rows = list[tuple[int, list[str]]]


def _split_documents(lines: list[str], has_document_lines: bool) -> list[tuple[str, Rows]]:
    """Documents with the lines of their tokens."""
    blocks: list[tuple[str, Rows]] = []
    starts_document, title = True, ""
    width = next((len(_fields(line)) for line in lines if line.strip() and not line.startswith("#")), 0)
    for number, line in enumerate(lines, start=1):
        document_line = NEW_DOCUMENT.match(line)
        if document_line or line.startswith("-DOCSTART-"):
            starts_document, title = True, (document_line.group(1) or "").strip() if document_line else ""
        elif not line.strip():
            starts_document = starts_document or not has_document_lines
        elif not _is_comment(line, width):
            if starts_document:
                blocks.append((title or str(len(blocks) + 1), []))
                starts_document, title = False, ""
            blocks[-1][1].append((number, _fields(line)))
    return blocks


def _refuse_repeated(blocks: list[tuple[str, Rows]], name: str) -> None:
    """Refuse two documents of the same name, whose spans would be taken for those of one."""
    names_seen: set[str] = set()
    for document, rows in blocks:
        if document in names_seen:
            raise InvalidInputError(
                f"{name}, line {rows[0][0]}: document {document!r} begins a second time. Give every document a name of "
                "its own, and every coder a column."
            )
        names_seen.add(document)


def _fields(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else WHITE.split(line.strip(" "))


def _is_comment(line: str, width: int) -> bool:
    """Whether a line that begins with # is no token such as a hashtag, which has its columns and its tags."""
    if not line.startswith("#") or "\t" in line:
        return False
    fields = _fields(line)
    return len(fields) != width or not TAG.match(fields[-1])


def _tag_columns(blocks: list[tuple[str, Rows]], name: str) -> list[int]:
    """The columns behind the token that hold nothing but tags; a column with a few other values is refused."""
    token_rows = [row for _, rows in blocks for row in rows]
    width = len(token_rows[0][1])
    for number, row in token_rows:
        if len(row) != width:
            columns = count_noun(len(row), "column")
            raise InvalidInputError(f"{name}, line {number}: {columns}, but {width} in the first line.")
    others = {
        column: [(number, row[column]) for number, row in token_rows if not TAG.match(row[column])]
        for column in range(1, width)
    }
    tag_columns = [column for column, others_in_column in others.items() if not others_in_column]
    few = [
        column
        for column, others_in_column in others.items()
        if 0 < len(others_in_column) <= FEW_OTHERS * len(token_rows)
    ]
    mixed = [column for column, others_in_column in others.items() if 0 < len(others_in_column) < len(token_rows)]
    for column in few or (mixed if len(tag_columns) == 1 else []):  # one coder alone is no study: look for the second
        number, value = others[column][0]
        raise InvalidInputError(
            f"{name}, line {number}: {value!r} in column {column + 1} is not a BIO tag (O, B-…, I-…), but "
            f"{'the rest of the column holds' if column in few else 'other lines of the column hold'} tags. Correct it."
        )
    if not tag_columns:
        raise InvalidInputError(f"{name}: no column holds BIO tags (O, B-…, I-…) in every line.")
    return tag_columns


def _column_number(text: str, columns: list[int], name: str) -> int:
    """The column of tags that was named by its number, counted from 1."""
    known = ", ".join(str(column + 1) for column in columns)
    if not text.isdecimal() or int(text) - 1 not in columns:
        raise InvalidInputError(f"{name}: column {text!r} is no column of BIO tags; those are {known}.")
    return int(text) - 1


def _labels_of_column(blocks: list[tuple[str, Rows]], column: int) -> set[str]:
    tags = {row[column] for _, rows in blocks for _, row in rows}
    return {tag.partition("-")[2] for tag in tags} - {""}


def _refuse_layers(blocks: list[tuple[str, Rows]], columns: list[int], name: str) -> None:
    """Refuse columns that have no label in common, such as chunks and entities: they are layers, not coders."""
    labels = {column: _labels_of_column(blocks, column) for column in columns}
    for a, b in combinations(columns, 2):
        if labels[a] and labels[b] and not labels[a] & labels[b]:
            examples = [", ".join(sorted(labels[column])[:3]) for column in (a, b)]
            label = option_or_keyword(f"--columns label={b + 1}", f'columns={{"label": "{b + 1}"}}')
            raise InvalidInputError(
                f"{name}: columns {a + 1} and {b + 1} have no label in common ({examples[0]}; {examples[1]}), so they "
                "are not taken for two coders. Give one file per coder, as in concur spans ann.conll bob.conll "
                f"({label} chooses the column), or name the coders of the columns in a line # coders = ann bob."
            )


def _columns_as_coders(columns: list[int], name: str) -> Sentence:
    numbers = join_words([str(column + 1) for column in columns])
    names = join_words([f"coder_{k + 1}" for k in range(len(columns))])
    text = (
        f"{name} does not name its coders; columns {numbers} were taken for {names}. Name them in a line "
        f"# coders = ann bob, or with {option_or_keyword('--coders', 'coders=')}."
    )
    return Sentence(code="coders_inferred", text=text, warning=True)


def _coder_names(coders: Sequence[str] | None, declared: list[str] | None, n: int, name: str) -> list[str]:
    names = list(declared or coders or [f"coder_{k + 1}" for k in range(n)])
    if len(names) != n:
        option = option_or_keyword("--coders", "coders=")
        raise InvalidInputError(
            f"{name} has {n} columns of tags, but {len(names)} coders are named; name all with {option}."
        )
    return names


def _decode_tags(tags: list[tuple[int, str]]) -> list[tuple[int, int, str, int]]:
    """Spans of BIO or BIOES tags: start, end, label and line; an I that continues nothing begins a span."""
    spans: list[tuple[int, int, str, int]] = []
    open_span: tuple[int, str, int] | None = None
    for place, (line, tag) in enumerate(tags):
        kind, _, label = tag.partition("-")
        continues = open_span is not None and kind in "IEL" and label == open_span[1]
        if open_span is not None and not continues:
            spans.append((open_span[0], place, open_span[1], open_span[2]))
            open_span = None
        if kind != "O" and open_span is None:
            open_span = (place, label, line)
        if open_span is not None and kind in "ESLU":
            spans.append((open_span[0], place + 1, open_span[1], open_span[2]))
            open_span = None
    if open_span is not None:
        spans.append((open_span[0], len(tags), open_span[1], open_span[2]))
    return [(start, end, label or "span", line) for start, end, label, line in spans]
