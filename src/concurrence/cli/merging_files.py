"""Files that ``concur merge`` reads beside the labels, and the labels that it writes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import require_columns

if TYPE_CHECKING:
    import polars as pl

    from concurrence.files.labels.options import LabelOptions
    from concurrence.merging.constraints import ByGroup
    from concurrence.merging.results import Merging


def read_texts(path: Path | None, key: str, value: str) -> "ByGroup | None":
    """A text for each category from a file; in a grouping, what a person did not verify stands alone."""
    from concurrence.files.tables.formats import read_table

    return None if path is None else _texts(read_table(path), path, key, value)


def group_parts(result: "Merging", labels: Path, reading: "LabelOptions", column: str) -> "Merging":
    """Add the sums for each value of a column that is the same within a group."""
    from concurrence.files.tables.sheets import open_sheet
    from concurrence.merging.results import add_sums_by_part

    if reading.by is None:
        raise click.UsageError("--summary-by needs --by, which defines the groups.")
    if str(labels) == "-":
        raise click.UsageError("--summary-by reads the file twice, so it cannot be standard input.")
    sheet = open_sheet(labels, encoding=reading.encoding, sheet=reading.sheet)
    require_columns(sheet.frame, (reading.by, column), labels)
    part: dict[str, str] = {}
    for group, name in dict.fromkeys(zip(sheet.column(reading.by), sheet.column(column), strict=True)):
        if name is None or part.setdefault(str(group), str(name)) != str(name):
            values = "nothing" if name is None else f"{part[str(group)]!r} and {name!r}"
            raise InvalidInputError(
                f"{labels}: the group {group!r} has {values} in column {column!r}; it needs one value."
            )
    return add_sums_by_part(result, part)


def read_classes(path: Path | None) -> "ByGroup | None":
    """The class of each category by its name: the column ``name`` where it fits the classes, else the class itself."""
    import polars as pl

    from concurrence.files.tables.formats import read_table

    if path is None:
        return None
    frame = read_table(path)
    require_columns(frame, ("category", "class"), path)
    if "name" not in frame.columns:
        return _texts(frame, path)
    groups = ["group", "class"] if "group" in frame.columns else ["class"]
    joined = pl.col("category").str.join("+").over(groups)
    one_name = pl.col("name").n_unique().over(groups) == 1
    one_class = pl.col("class").n_unique().over([*groups[:-1], "name"]) == 1
    fits = one_name & one_class & pl.col("name").is_not_null()
    return _texts(frame.with_columns(pl.when(fits).then("name").otherwise(joined).alias("class")), path)


def _texts(frame: "pl.DataFrame", path: Path, key: str = "category", value: str = "class") -> "ByGroup":
    from concurrence.merging.constraints import ByGroup

    if value == "class" and "verified" in frame.columns:
        frame = frame.filter(~frame["verified"].fill_null("").str.to_lowercase().is_in(["no", "false", "0"]))
    return ByGroup.from_frame(frame, name=str(path), key=key, value=value)


def relabelled_rows(result: "Merging", labels: Path, reading: "LabelOptions") -> "pl.DataFrame":
    """The labels in long form, categories replaced by the names of their classes."""
    import polars as pl

    from concurrence.merging.groupings import class_names, relabelled_records

    if str(labels) == "-":
        raise click.UsageError("--apply reads the file twice, so it cannot be standard input.")
    names = {
        group.key: {
            category: name
            for members, name in zip(group.classes, group.names or class_names(group.classes), strict=True)
            for category in members
        }
        for group in result.groups.values()
    }
    rows = pl.DataFrame(relabelled_records(reading.read_people(labels), names))
    return rows.drop("group") if reading.by is None else rows.rename({"group": reading.by})
