"""Forms: one respondent per row and one item per column, as survey tools export them."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.sentences import Sentence, join_words
from concurrence.files.labels.codes import Marks, encode, encode_names, find_role_column
from concurrence.files.labels.options import LabelOptions
from concurrence.files.tables.sheets import Sheet

RESPONDENTS = (
    *("coder", "annotator", "rater", "worker", "respondent", "participant", "response_id", "responseid"),
    *("email", "email_address", "username", "name", "participant_id", "prolific_pid", "workerid", "user"),
)
"""Names of the column that says whose row it is, in the order in which they are looked for."""
STAMPS = ("timestamp", "zeitstempel", "horodateur", "marca_temporal", "submitdate", "start_time", "end_time")


def transposed_marks(sheet: Sheet, columns: Mapping[str, str], options: LabelOptions) -> Marks:
    """The marks of a table that has a row for each coder; columns of times are left out with a warning.

    The coder is the column named in ``columns``, or one with a name such as ``email``; without one, rows are numbered.
    """
    coder_column = _coder_column(sheet, columns)
    stamps = [name for name in sheet.frame.columns if _plain(name) in STAMPS]
    items = [name for name in sheet.frame.columns if name != coder_column and name not in stamps]
    if not items:
        raise InvalidInputError(f"{sheet.name}: no column is left that could be an item.")
    height = sheet.height
    if coder_column is None:
        coders, numbers = [str(row) for row in range(1, height + 1)], np.arange(height, dtype=np.int32)
    else:
        encoded = encode_names(sheet, "coder", {"coder": coder_column})
        coders, numbers = encoded.names, encoded.codes
    texts = [sheet.column(name, joint=options.sets).rename("label") for name in items]
    return Marks(
        item=np.repeat(np.arange(len(items)), height),
        coder=np.tile(numbers, len(items)),
        label=encode(pl.concat(texts)),
        items=np.array(items, dtype=object),
        coders=coders,
        place=lambda row: f"{sheet.place(row % height)}, column {items[row // height]}",
        source=sheet.name,
        warnings=_left_out_warning(stamps),
    )


def more_coders_than_items(marks: Marks) -> tuple[Sentence, ...]:
    """A warning that a wide table may have one coder per row."""
    n_items, n_coders = len(marks.items), len(marks.coders)
    if n_coders <= n_items or n_coders < 3:
        return ()
    text = (
        f"There are more coders ({n_coders:,} columns) than items ({n_items:,} rows). If each row is a coder, such as "
        f"a person who answered a form, use {option_or_keyword('--transpose', 'transpose=True')}."
    )
    return (Sentence(code="transposed", text=text, warning=True),)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _coder_column(sheet: Sheet, columns: Mapping[str, str]) -> str | None:
    """The column that names the coders; an unnamed or first column of names nobody else has is one, too."""
    if "coder" in columns:
        return find_role_column(sheet, "coder", columns)
    by_plain_name = {_plain(name): name for name in sheet.frame.columns}
    named = next((by_plain_name[name] for name in RESPONDENTS if name in by_plain_name), None)
    first = sheet.frame.columns[0]
    return named if named is not None else first if first == "" else None


def _left_out_warning(names: list[str]) -> tuple[Sentence, ...]:
    if not names:
        return ()
    verb = "was not taken for an item" if len(names) == 1 else "were not taken for items"
    text = f"The column{'s' * (len(names) > 1)} {join_words([repr(name) for name in names])} {verb}."
    return (Sentence(code="columns_left_out", text=text, warning=True),)
