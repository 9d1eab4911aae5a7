"""Files that ``concur merge`` reads beside the labels, and the labels that it writes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    import polars as pl

    from concurrence.cli.labels_options import LabelOptions
    from concurrence.merging.constraints import ByGroup
    from concurrence.merging.results import Merging


def read_texts(path: Path | None, key: str, value: str) -> "ByGroup | None":
    """A text for each category from a file; in a grouping, what a person did not verify stands alone."""
    from concurrence.files.tables import read_table
    from concurrence.merging.constraints import ByGroup

    if path is None:
        return None
    frame = read_table(path)
    if value in ("class", "name") and "verified" in frame.columns:
        frame = frame.filter(~frame["verified"].fill_null("").str.to_lowercase().is_in(["no", "false", "0"]))
    return ByGroup.from_frame(frame, name=str(path), key=key, value=value)


def group_parts(result: "Merging", labels: Path, reading: "LabelOptions", column: str) -> "Merging":
    """Add the sums for each value of a column that is the same within a group."""
    from concurrence.files.sheets import open_sheet
    from concurrence.files.tables import require_columns
    from concurrence.merging.results import summed_by

    if reading.by is None:
        raise click.UsageError("--summary-by sums up groups, so --by must say what they are.")
    if str(labels) == "-":
        raise click.UsageError("--summary-by reads the file a second time, so it cannot be standard input.")
    sheet = open_sheet(labels, encoding=reading.encoding, sheet=reading.sheet)
    require_columns(sheet.frame, (reading.by, column), labels)
    part: dict[str, str] = {}
    for group, name in dict.fromkeys(zip(sheet.column(reading.by), sheet.column(column), strict=True)):
        if name is None or part.setdefault(str(group), str(name)) != str(name):
            values = "nothing" if name is None else f"{part[str(group)]!r} and {name!r}"
            raise InvalidInputError(
                f"{labels}: the group {group!r} has {values} in column {column!r}; it needs one value."
            )
    return summed_by(result, part)


def relabelled_rows(
    result: "Merging", labels: Path, reading: "LabelOptions", *, classes: Path | None
) -> "pl.DataFrame":
    """The labels in long form, categories replaced by the names of their classes."""
    import polars as pl

    from concurrence.merging.groupings import relabelled

    if str(labels) == "-":
        raise click.UsageError("--apply reads the file a second time, so it cannot be standard input.")
    names = _names(result, read_texts(classes, "category", "name") if _has_names(classes) else None)
    rows = pl.DataFrame(relabelled(reading.read(labels), names))
    return rows.drop("group") if reading.by is None else rows.rename({"group": reading.by})


def _names(result: "Merging", given: "ByGroup | None") -> dict[str, dict[str, str]]:
    from concurrence.merging.groupings import class_names

    names = {}
    for group in result.groups.values():
        usual = zip(group.classes, class_names(group.classes), strict=True)
        mine = {category: name for members, name in usual for category in members}
        names[group.key] = {**mine, **(given.of(group.key) if given else {})}
    return names


def _has_names(path: Path | None) -> bool:
    from concurrence.files.tables import read_table

    if path is None:
        return False
    frame = read_table(path)
    return "name" in frame.columns and not bool(frame["name"].is_null().any())
