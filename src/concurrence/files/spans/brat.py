"""Spans in folders of brat's ``.ann`` files."""

import re
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.files.spans.span_sheet import SpanSheet
from concurrence.files.tables.text import UNNAMED_ENCODING, read_text, split_lines

BRAT = re.compile(r"^(T\S*)\t(\S+) ([\d ;]+)\t(.*)$")


def read_brat(folder: Path, encoding: str | None) -> SpanSheet:
    """One folder per coder, each with ``.ann`` files; texts are the ``.txt`` files beside them."""
    files = sorted(folder.glob("*/**/*.ann"))
    if not files:
        raise InvalidInputError(
            f"{folder} holds no folder with .ann files. Put the .ann files of each coder into a folder that has the "
            "name of the coder."
        )
    places: list[tuple[Path, int]] = []
    sheet = SpanSheet(name=str(folder), place=lambda place: _format_place(*places[place]), says_who_read=True)
    for path in files:
        coder, *rest = path.relative_to(folder).with_suffix("").parts
        document = "/".join(rest)
        sheet.add(document, coder, len(places))
        text = read_text(path, encoding=encoding or UNNAMED_ENCODING)
        for number, line in enumerate(split_lines(text), start=1):
            if line.startswith("T"):
                start, end, label = _parse_line(line, path, number)
                places.append((path, number))
                sheet.add(document, coder, len(places) - 1).mark(start, end, label)
        text_path = path.with_suffix(".txt")
        if document not in sheet.texts and text_path.is_file():
            sheet.texts[document] = read_text(text_path, encoding=encoding or UNNAMED_ENCODING).decode("utf-8")
    return sheet


def _format_place(path: Path, line: int) -> str:
    return f"{path}, line {line}"


def _parse_line(line: str, path: Path, number: int) -> tuple[str, str, str]:
    match = BRAT.match(line)
    if match is None:
        raise InvalidInputError(
            f"{_format_place(path, number)}: not an annotation of brat (T1, a tab, label, start and end)."
        )
    if ";" in match.group(3):
        raise InvalidInputError(
            f"{_format_place(path, number)}: a span in several pieces ({match.group(3)}). Only spans in one piece can "
            "be compared; make it one span or several."
        )
    start, end = match.group(3).split()
    return start, end, match.group(2)
