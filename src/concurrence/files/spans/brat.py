"""Spans in folders of brat's ``.ann`` files."""

import re
from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.files.spans.span_sheet import SpanSheet, line_place
from concurrence.files.tables.text import ASK, checked_text, read_bytes, split_lines

BRAT = re.compile(r"^(T\S*)\t(\S+) ([\d ;]+)\t(.*)$")


def brat_spans(folder: Path, encoding: str | None) -> SpanSheet:
    """One folder per coder, each with ``.ann`` files; texts are the ``.txt`` files beside them."""
    sheet = SpanSheet(name=str(folder), says_who_read=True)
    files = sorted(folder.glob("*/**/*.ann"))
    if not files:
        raise InvalidInputError(
            f"{folder} holds no folder with .ann files. Put the .ann files of each coder into a folder that has the "
            "name of the coder."
        )
    for path in files:
        coder, *rest = path.relative_to(folder).with_suffix("").parts
        document = "/".join(rest)
        sheet.add(document, coder, line_place(str(path), 1))
        text = checked_text(read_bytes(path), path, encoding=encoding or ASK)
        for number, line in enumerate(split_lines(text), start=1):
            if line.startswith("T"):
                start, end, label = _brat_line(line, path, number)
                sheet.add(document, coder, line_place(str(path), number)).mark(start, end, label)
        beside = path.with_suffix(".txt")
        if document not in sheet.texts and beside.is_file():
            sheet.texts[document] = checked_text(read_bytes(beside), beside, encoding=encoding or ASK).decode("utf-8")
    return sheet


def _brat_line(line: str, path: Path, number: int) -> tuple[str, str, str]:
    found = BRAT.match(line)
    if found is None:
        raise InvalidInputError(f"{path}, line {number}: not an annotation of brat (T1, a tab, label, start and end).")
    if ";" in found.group(3):
        raise InvalidInputError(
            f"{path}, line {number}: a span in several pieces ({found.group(3)}). Only spans in one piece can be "
            "compared; make it one span or several."
        )
    start, end = found.group(3).split()
    return start, end, found.group(2)
