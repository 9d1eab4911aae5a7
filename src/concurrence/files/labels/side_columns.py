"""Columns of a wide table that are no coders: numbers of rows, seconds, folds, confidences."""

from collections.abc import Mapping, Sequence

import polars as pl

from concurrence.core.errors import option_or_keyword
from concurrence.core.numerals import parse_number
from concurrence.core.sentences import Sentence, join_words
from concurrence.files.labels.reading_warnings import MISSING_WORDS

INDEX_NAMES = ("", "unnamed: 0", "index", "level_0", "row", "rownames")
SIDE_NAMES = ("fold", "batch", "seconds", "duration", "time", "timestamp", "lead_time", "confidence", "probability")
"""Names that numbers beside the labels have; coders have names of their own."""
FEWEST_ROWS = 5
MOST_SHOWN = 6


def find_side_columns(columns: Mapping[str, pl.Series], labels: Mapping[str, set[str]]) -> list[str]:
    """The columns that hold numbers which are no labels.

    They number the rows; or hold numbers none of which occurs among the labels of the others, which have theirs in
    common; or numbers under a name such as ``fold``. ``labels`` are the different labels of each column. Two columns
    are always left.
    """
    index = [name for name in columns if _numbers_rows(name, columns[name], labels)]
    rest = [name for name in columns if name not in index]
    numeric = {name for name in rest if _are_numbers(labels[name])}
    side = {name for name in numeric if name.strip().lower() in SIDE_NAMES}
    core = [name for name in rest if name not in numeric] or [name for name in rest if name not in side]
    for name in numeric - side:
        others = [other for other in core if other != name]
        if not labels[name] & _union(labels, others) and _have_labels_in_common(labels, others):
            side.add(name)
    left = [name for name in rest if name not in side]
    return [name for name in columns if name in index or (name in side and len(left) > 1)]


def side_columns_warning(names: Sequence[str], coders: Sequence[str]) -> tuple[Sentence, ...]:
    """A warning that names the columns that were not taken for coders."""
    if not names:
        return ()
    more = len(names) - MOST_SHOWN
    quoted = [repr(name) if name else "without a name" for name in names[:MOST_SHOWN]]
    listed = join_words([*quoted, f"{more:,} more"] if more > 0 else quoted)
    was = "was" if len(names) == 1 else "were"
    everyone = [*coders, *filter(None, names)]
    option = option_or_keyword(f"--coders {','.join(everyone[:MOST_SHOWN])}", f"coders={everyone[:MOST_SHOWN]}")
    coder, whose = ("a coder", "its") if len(names) == 1 else ("coders", "their")
    column = "column" if len(names) == 1 else "columns"
    text = (
        f"The {column} {listed} {was} not taken for {coder}: {whose} numbers are no labels of the other columns. "
        f"{option} takes all the columns that it names."
    )
    return (Sentence(code="columns_left_out", text=text, warning=True),)


def _numbers_rows(name: str, column: pl.Series, labels: Mapping[str, set[str]]) -> bool:
    """Whether a column counts the rows from 0 or 1 on: by its name, or as no coder would by chance."""
    height = len(column)
    if height < 2 or column[0] not in ("0", "1", "0.0", "1.0"):
        return False
    first = int(float(column[0]))
    whole = column.str.strip_suffix(".0").to_list()
    if whole != [str(number) for number in range(first, first + height)]:
        return False
    common = labels[name] & _union(labels, [other for other in labels if other != name])
    return name.strip().lower() in INDEX_NAMES or (height >= FEWEST_ROWS and len(common) * 2 < len(labels[name]))


def _are_numbers(labels: set[str]) -> bool:
    """Whether labels are numbers, but for words that stand for none."""
    numbers = labels - MISSING_WORDS
    return bool(numbers) and all(parse_number(text) is not None for text in numbers)


def _have_labels_in_common(labels: Mapping[str, set[str]], names: Sequence[str]) -> bool:
    """Whether there are two such columns, each with at least half of its labels among those of the others."""
    return len(names) > 1 and all(
        2 * len(labels[name] & _union(labels, [other for other in names if other != name])) >= len(labels[name])
        for name in names
    )


def _union(labels: Mapping[str, set[str]], names: Sequence[str]) -> set[str]:
    return set[str]().union(*(labels[name] for name in names))
