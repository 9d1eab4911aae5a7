"""What annotation tools export, as a sheet of items, coders and labels."""

from collections.abc import Mapping

from concurrence.files.sheets import Sheet

EXPORTS = ("label-studio", "prodigy", "doccano")


def export_sheet(
    sheet: Sheet,
    shape: str,  # noqa: ARG001
    columns: Mapping[str, str],
    sets: str | None,  # noqa: ARG001
) -> tuple[Sheet, Mapping[str, str]]:
    """The sheet behind an export, and how its columns are called; other sheets pass untouched."""
    return sheet, columns
