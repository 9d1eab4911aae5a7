"""Several files of spans as one: the coders of all, on documents matched by their names."""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate

from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import join_words
from concurrence.core.spans import Text
from concurrence.files.spans.span_sheet import SpanSheet


def join_span_sheets(sheets: Sequence[SpanSheet]) -> SpanSheet:
    """The spans of all sheets; a document of two sheets must have the same text in both, and a coder one sheet."""
    if not sheets:
        raise InvalidInputError("There is no file to read.")
    starts = [0, *accumulate(max(sheet.numbers, default=0) + 1 for sheet in sheets)]

    def place(number: int) -> str:
        part = bisect(starts, number) - 1
        return sheets[part].place(number - starts[part])

    whole = SpanSheet(
        name=join_words(list(dict.fromkeys(sheet.name for sheet in sheets))),
        place=place,
        says_who_read=all(sheet.says_who_read for sheet in sheets),
        warnings=list(dict.fromkeys(one for sheet in sheets for one in sheet.warnings)),
    )
    for number, sheet in enumerate(sheets):
        _refuse_second_reading(whole, sheet)
        for document, text in sheet.texts.items():
            if document in whole.texts and whole.texts[document] != text:
                _refuse_other_text(document, whole.texts[document], text, sheet.name)
        whole.texts |= sheet.texts
        whole.marks += sheet.marks
        whole.numbers.extend(starts[number] + line for line in sheet.numbers)
        whole.read |= sheet.read
        whole.kinds |= sheet.kinds
    return whole


def _refuse_second_reading(whole: SpanSheet, sheet: SpanSheet) -> None:
    twice = next((pair for pair in sheet.read if pair in whole.read), None)
    if twice is not None:
        document, coder = twice
        raise InvalidInputError(
            f"{sheet.name}: {coder!r} read document {document!r} in another file, too. Give every coder one file, "
            "called after the coder."
        )


def _refuse_other_text(document: str, text: Text, other: Text, name: str) -> None:
    """Refuse two texts of a document, with the first place where they differ."""
    pairs = zip(text, other, strict=False)
    place = next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))
    unit = "character" if isinstance(text, str) else "token"
    here, there = (repr(one[place]) if place < len(one) else "nothing" for one in (other, text))
    raise InvalidInputError(
        f"{name}: {unit} {place + 1} of document {document!r} is {here}, but {there} in the other files. Files of "
        "several coders must hold the same texts."
    )
