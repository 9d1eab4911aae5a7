"""The options for reading judgements, the same for every command that takes them."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.lists import NAMES
from concurrence.cli.options import gather_options

if TYPE_CHECKING:
    from concurrence.core.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """What the user said of a label file."""

    table: bool = False
    wide: bool = False
    columns: dict[str, str] | None = None
    by: str | None = None
    coders: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    missing: tuple[str, ...] | None = None
    repeats: str = "error"
    unmarked: str | None = None
    sets: str | None = None
    recode: dict[str, str] | None = None
    as_text: bool = False
    encoding: str | None = None
    sheet: str | None = None

    def read(self, *paths: Path) -> "Labels":
        """The labels of a file, or of several together, read as the user said."""
        from concurrence.files.labels.reader import read_labels

        if self.table and self.wide:
            raise click.UsageError("Use either --table or --wide, not both.")
        return read_labels(
            paths[0] if len(paths) == 1 else list(paths),
            shape="table" if self.table else "wide" if self.wide else "auto",
            columns=self.columns,
            missing=self.missing or (),
            categories=self.categories,
            coders=self.coders,
            by=self.by,
            repeats=self.repeats,
            unmarked=self.unmarked,
            sets=self.sets,
            recode=self.recode,
            as_text=self.as_text,
            encoding=self.encoding,
            sheet=self.sheet,
        )


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
        from concurrence.files.tables.formats import read_table, require_columns

        table = read_table(Path(value))
        require_columns(table, ("old", "new"), value)
        return {str(old): str(new or "") for old, new in table.select("old", "new").iter_rows() if old is not None}


_OPTIONS = {
    "table": click.option(
        "--table", is_flag=True, help="The file is a square contingency table; its rows are the first coder."
    ),
    "wide": click.option("--wide", is_flag=True, help="The file has one item per row and one column per coder."),
    "columns": click.option(
        "--columns",
        type=Assignments(),
        metavar="ROLE=NAME,…",
        help="Which columns are item, coder and label (or count), if yours have other names.",
    ),
    "by": click.option("--by", metavar="COLUMN", help="Column with the group of each item, such as its word."),
    "coders": click.option("--coders", type=NAMES, metavar="A,B,…", help="Use only these coders, in this order."),
    "categories": click.option("--categories", type=NAMES, metavar="A,B,…", help="All possible categories, in order."),
    "missing": click.option(
        "--missing",
        type=NAMES,
        multiple=True,
        callback=lambda _ctx, _option, lists: tuple(chain.from_iterable(lists)) or None,
        metavar="A,B,…",
        help="Values that mean 'no label', such as NA; may be repeated.",
    ),
    "recode": click.option(
        "--recode",
        type=Recodes(),
        metavar="OLD=NEW,…|FILE",
        help="Replace labels, such as typos; FILE is a table with the columns old,new.",
    ),
    "as_text": click.option(
        "--as-text", is_flag=True, help="Keep different spellings of a number, such as 1 and 1.0, apart."
    ),
    "repeats": click.option(
        "--repeats",
        type=click.Choice(("error", "first", "last")),
        default="error",
        show_default=True,
        help="Which label counts if a coder labelled an item twice.",
    ),
    "unmarked": click.option(
        "--unmarked",
        metavar="LABEL",
        help="Label that a blank cell stands for, if coders marked only some items.",
    ),
    "sets": click.option("--sets", metavar="MARK", help="Labels are sets; separator between the members, such as '+'."),
    "encoding": click.option(
        "--encoding", metavar="NAME", help="Encoding of a text file, such as cp1252. Default: UTF-8."
    ),
    "sheet": click.option("--sheet", metavar="NAME", help="Sheet of an .xlsx file. Default: the first."),
}

label_options = gather_options(LabelOptions, "reading", tuple(_OPTIONS.values()))
"""Give a command the options for reading labels, as one argument ``reading``."""

_RATING_OPTION_NAMES = ("wide", "columns", "coders", "missing", "recode", "repeats", "encoding", "sheet")
rating_options = gather_options(LabelOptions, "reading", tuple(_OPTIONS[name] for name in _RATING_OPTION_NAMES))
"""Those of them that ratings have."""
