"""Read which coder belongs to which group."""

from pathlib import Path

from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import require_columns
from concurrence.files.tables.formats import read_table


def read_coder_groups(path: Path) -> dict[str, str]:
    """The group of every coder, from a table with the columns coder and group; an empty group is none."""
    table = read_table(path)
    require_columns(table, ("coder", "group"), path)
    groups: dict[str, str] = {}
    for line, (coder, group) in enumerate(table.select("coder", "group").iter_rows(), start=2):
        if coder is None or group is None or not str(coder) or not str(group):
            continue
        if groups.get(str(coder), str(group)) != str(group):
            raise InvalidInputError(
                f"{path}, line {line}: {coder!r} is in the group {group!r} and in {groups[str(coder)]!r}; "
                "a coder has one group."
            )
        groups[str(coder)] = str(group)
    return groups
