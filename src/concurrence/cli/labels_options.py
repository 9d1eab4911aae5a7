"""The options for reading judgements, the same for every command that takes them."""

from itertools import chain
from pathlib import Path
from typing import Any

import click

from concurrence.cli.lists import NAMES
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import gather_options
from concurrence.files.labels.options import LabelOptions


class Assignments(click.ParamType[dict[str, str]]):
    """``item=…,coder=…,label=…``."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """Split at commas and at the first equals sign."""
        if isinstance(value, dict):
            return value
        parts = [entry.partition("=") for entry in NAMES.convert(value, param, ctx)]
        if not parts or not all(role and sign and column for role, sign, column in parts):
            self.fail(f"write it as item=…,coder=…,label=…, not {value!r}.", param, ctx)
        return {role.strip(): column for role, _, column in parts}


class Recodes(click.ParamType[dict[str, str]]):
    """``old=new,…``, or a file with the columns old and new."""

    name = "recodes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """Take the pairs, or read the file."""
        if isinstance(value, dict):
            return value
        parts = [entry.partition("=") for entry in NAMES.convert(value, param, ctx)]
        if parts and all(old and sign for old, sign, _ in parts):
            return {old: new for old, _, new in parts}
        if "=" in value or not Path(value).suffix:
            self.fail(
                f"write it as old=new,old=new, or name a file with the columns old,new; not {value!r}.", param, ctx
            )
        from concurrence.core.frames import require_columns
        from concurrence.files.tables.formats import read_table

        table = read_table(Path(value))
        require_columns(table, ("old", "new"), value)
        return {str(old): str(new or "") for old, new in table.select("old", "new").iter_rows() if old is not None}


def _refuse_two_shapes(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    if value and ctx.params.get("table"):
        raise click.UsageError("Use either --table or --wide, not both.")
    return value


def _join_lists(_: click.Context, __: click.Parameter, lists: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(lists))


_OPTIONS = {
    "table": field_options(LabelOptions, "table", is_eager=True),  # --wide looks at it
    "wide": field_options(LabelOptions, "wide", callback=_refuse_two_shapes),
    "transpose": field_options(LabelOptions, "transpose"),
    "columns": field_options(LabelOptions, "columns", type=Assignments()),
    "by": field_options(LabelOptions, "by"),
    "coders": field_options(LabelOptions, "coders"),
    "categories": field_options(LabelOptions, "categories"),
    "missing": field_options(LabelOptions, "missing", multiple=True, callback=_join_lists),
    "recode": field_options(LabelOptions, "recode", type=Recodes()),
    "as_text": field_options(LabelOptions, "as_text"),
    **{
        name: field_options(LabelOptions, name)
        for name in ("repeats", "unmarked", "sets", "encoding", "sheet", "skip_rows", "rows")
    },
}

label_options = gather_options(LabelOptions, "reading", tuple(chain.from_iterable(_OPTIONS.values())))
"""Give a command the options for reading labels, as one argument ``reading``."""

_RATING_OPTION_NAMES = (
    "wide",
    "transpose",
    "columns",
    "coders",
    "missing",
    "recode",
    "repeats",
    "encoding",
    "sheet",
    "skip_rows",
    "rows",
)
rating_options = gather_options(
    LabelOptions, "reading", tuple(chain.from_iterable(_OPTIONS[name] for name in _RATING_OPTION_NAMES))
)
"""Those of them that ratings have."""
