"""Files that ``concur merge`` reads and writes."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.documents import with_provenance, write_document
from concurrence.cli.output import CHARTS, PAGES
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    import polars as pl

    from concurrence.cli.labels_options import LabelOptions
    from concurrence.files.provenance import Provenance
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
    from concurrence.files.tables import read_table, require_columns

    if reading.by is None:
        raise click.UsageError("--summary-by sums up groups, so --by must say what they are.")
    if str(labels) == "-":
        raise click.UsageError("--summary-by reads the file a second time, so it cannot be standard input.")
    table = read_table(labels)
    require_columns(table, (reading.by, column), labels)
    part: dict[str, str] = {}
    for group, name in table.select(reading.by, column).unique(maintain_order=True).iter_rows():
        if name is None or part.setdefault(str(group), str(name)) != str(name):
            found = "nothing" if name is None else f"{part[str(group)]!r} and {name!r}"
            raise InvalidInputError(
                f"{labels}: the group {group!r} has {found} in column {column!r}; it needs one value."
            )
    return replace(result, parts=result.summary_by(part))


def write_merging(result: "Merging", path: Path, made: "Provenance") -> None:
    """Write the classes, the tree or the page, by the ending."""
    from concurrence.files.tables import write_table

    if path.suffix.lower() in CHARTS:
        _draw(result, path)
    elif path.suffix.lower() in PAGES:
        from concurrence.report.merging import merging_document

        write_document(with_provenance(merging_document(result), made), path)
    else:
        write_table(_classes_frame(result), path, made)


def relabelled_rows(
    result: "Merging", labels: Path, reading: "LabelOptions", *, classes: Path | None
) -> "pl.DataFrame":
    """The labels in long form, categories replaced by the names of their classes."""
    import polars as pl

    from concurrence.cli.labels_options import read_from_options
    from concurrence.merging.groupings import relabelled

    if str(labels) == "-":
        raise click.UsageError("--apply reads the file a second time, so it cannot be standard input.")
    names = _names(result, read_texts(classes, "category", "name") if _has_names(classes) else None)
    rows = pl.DataFrame(relabelled(read_from_options(labels, reading), names))
    return rows.drop("group") if reading.by is None else rows.rename({"group": reading.by})


def _classes_frame(result: "Merging") -> Any:
    import polars as pl

    from concurrence.merging.groupings import class_names

    rows = [
        {"group": group.key, "category": category, "class": str(number), "name": name, "verified": None}
        for group in result.groups.values()
        for number, (members, name) in enumerate(zip(group.classes, class_names(group.classes), strict=True), start=1)
        for category in members
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("group", "category", "class", "name", "verified"), pl.String))


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


def _draw(result: "Merging", path: Path) -> None:
    from concurrence.files.atomic import replacing
    from concurrence.report.merging import merge_chart, save_chart

    if len(result.groups) > 1:
        raise InvalidInputError(f"{path}: a picture shows one group, and there are {len(result.groups)}; write .html.")
    with replacing(path) as temporary:
        save_chart(merge_chart(next(iter(result.groups.values())), result.coefficient), temporary)
