"""Spans as CoNLL-style columns of BIO tags."""

import re
from collections.abc import Sequence
from pathlib import Path

from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.files.spans.span_sheet import SpanSheet, line_place
from concurrence.files.tables.text import ASK, checked_text, read_bytes, split_lines

BIO_ENDINGS = (".conll", ".bio", ".iob", ".iob2", ".bioes")
FEW_OTHERS = 0.2  # of a column's values; with more, the column holds something else, such as parts of speech
TAG = re.compile(r"^(?:[OBIESLU]|[BIESLU]-.+)$")
NEW_DOCUMENT = re.compile(r"^#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
CODERS = re.compile(r"^#\s*coders\s*[=:]\s*(.+)$")
WHITE = re.compile(" +")


def bio_spans(path: Path, coders: Sequence[str] | None, encoding: str | None) -> SpanSheet:
    """Tokens in the first column, one column of tags per coder; positions are tokens.

    Documents begin at ``# newdoc`` or ``-DOCSTART-``; in a file without them, blank lines separate documents. Coders
    are named by a line ``# coders = ann bob``, or by the caller.
    """
    name = "standard input" if str(path) == "-" else str(path)
    lines = split_lines(checked_text(read_bytes(path), name, encoding=encoding or ASK))
    marked = any(NEW_DOCUMENT.match(line) or line.startswith("-DOCSTART-") for line in lines)
    told = next((match.group(1).split() for line in lines if (match := CODERS.match(line))), None)
    blocks = _blocks(lines, marked)
    if not blocks:
        raise InvalidInputError(f"{name} holds no tokens.")
    _refuse_repeated(blocks, name)
    columns = _tag_columns(blocks, name)
    names = _coder_names(coders, told, len(columns), name)
    sheet = SpanSheet(name=name, says_who_read=True)
    for document, rows in blocks:
        sheet.texts[document] = tuple(row[0] for _, row in rows)
        for coder, column in zip(names, columns, strict=True):
            sheet.add(document, coder, line_place(name, rows[0][0]))
            for start, end, label, line in _chunks([(number, row[column]) for number, row in rows]):
                sheet.add(document, coder, line_place(name, line)).mark(start, end, label)
    return sheet


Rows = list[tuple[int, list[str]]]


def _blocks(lines: list[str], marked: bool) -> list[tuple[str, Rows]]:
    """Documents with the lines of their tokens."""
    blocks: list[tuple[str, Rows]] = []
    fresh, title = True, ""
    width = next((len(_fields(line)) for line in lines if line.strip() and not line.startswith("#")), 0)
    for number, line in enumerate(lines, start=1):
        new = NEW_DOCUMENT.match(line)
        if new or line.startswith("-DOCSTART-"):
            fresh, title = True, (new.group(1) or "").strip() if new else ""
        elif not line.strip():
            fresh = fresh or not marked
        elif not _is_comment(line, width):
            if fresh:
                blocks.append((title or str(len(blocks) + 1), []))
                fresh, title = False, ""
            blocks[-1][1].append((number, _fields(line)))
    return blocks


def _refuse_repeated(blocks: list[tuple[str, Rows]], name: str) -> None:
    """Refuse two documents of the same name, whose spans would be taken for those of one."""
    known: set[str] = set()
    for document, rows in blocks:
        if document in known:
            raise InvalidInputError(
                f"{name}, line {rows[0][0]}: document {document!r} begins a second time. Give every document a name of "
                "its own, and every coder a column."
            )
        known.add(document)


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
    every = [row for _, rows in blocks for row in rows]
    width = len(every[0][1])
    for number, row in every:
        if len(row) != width:
            columns = count_noun(len(row), "column")
            raise InvalidInputError(f"{name}, line {number}: {columns}, but {width} in the first line.")
    others = {
        column: [(number, row[column]) for number, row in every if not TAG.match(row[column])]
        for column in range(1, width)
    }
    found = [column for column, wrong in others.items() if not wrong]
    few = [column for column, wrong in others.items() if 0 < len(wrong) <= FEW_OTHERS * len(every)]
    mixed = [column for column, wrong in others.items() if 0 < len(wrong) < len(every)]
    for column in few or (mixed if len(found) == 1 else []):  # one coder alone is no study: look for the second
        number, value = others[column][0]
        raise InvalidInputError(
            f"{name}, line {number}: {value!r} in column {column + 1} is not a BIO tag (O, B-…, I-…), but "
            f"{'the rest of the column holds' if column in few else 'other lines of the column hold'} tags. Correct it."
        )
    if not found:
        raise InvalidInputError(f"{name}: no column holds BIO tags (O, B-…, I-…) in every line.")
    return found


def _coder_names(given: Sequence[str] | None, told: list[str] | None, n: int, name: str) -> list[str]:
    names = list(told or given or [f"coder_{k + 1}" for k in range(n)])
    if len(names) != n:
        say = option_or_keyword("--coders", "coders=")
        raise InvalidInputError(
            f"{name} has {n} columns of tags, but {len(names)} coders are named; name all with {say}."
        )
    return names


def _chunks(tags: list[tuple[int, str]]) -> list[tuple[int, int, str, int]]:
    """Spans of BIO or BIOES tags: start, end, label and line; an I that continues nothing begins a span."""
    found: list[tuple[int, int, str, int]] = []
    begun: tuple[int, str, int] | None = None
    for place, (line, tag) in enumerate(tags):
        kind, _, label = tag.partition("-")
        goes_on = begun is not None and kind in "IEL" and label == begun[1]
        if begun is not None and not goes_on:
            found.append((begun[0], place, begun[1], begun[2]))
            begun = None
        if kind != "O" and begun is None:
            begun = (place, label, line)
        if begun is not None and kind in "ESLU":
            found.append((begun[0], place + 1, begun[1], begun[2]))
            begun = None
    if begun is not None:
        found.append((begun[0], len(tags), begun[1], begun[2]))
    return [(start, end, label or "span", line) for start, end, label, line in found]
