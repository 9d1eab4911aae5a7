"""How labels are read from files and frames: the options, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.options import check_choices, option

if TYPE_CHECKING:  # the command line reads the options and needs no arrays for that
    from concurrence.core.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """The shape of a source of labels, its columns, and what its labels mean.

    ``table`` and ``wide`` are the command line's names for two of the shapes. ``machines`` are the models and scorers
    that count where no coders are named; None takes all. ``named`` are coders that a verb was given, such as its
    judges: where scores of a log cannot be read together, these are.
    """

    shape: str = "auto"
    table: bool = option(False, "The file is a square contingency table; its rows are the first coder.")
    wide: bool = option(False, "The file has one item per row and one column per coder.")
    transpose: bool = option(False, "The file has one coder per row and one column per item, as forms have.")
    columns: Mapping[str, str] | None = option(
        None, "Which columns are item, coder and label (or count), if yours have other names.", metavar="ROLE=NAME,…"
    )
    by: str | None = option(None, "Column with the group of each item, such as its word.")
    coders: Sequence[str] | None = option(None, "Use only these coders, in this order.", kind="names", metavar="A,B,…")
    categories: Sequence[str] | None = option(None, "All possible categories, in order.", kind="names", metavar="A,B,…")
    missing: Sequence[str] = option(
        (), "Values that mean 'no label', such as NA; may be repeated.", kind="names", cli_default=None, metavar="A,B,…"
    )
    recode: Mapping[str, str] | None = option(
        None, "Replace labels, such as typos; FILE is a table with the columns old,new.", metavar="OLD=NEW,…|FILE"
    )
    as_text: bool = option(False, "Keep different spellings of a number, such as 1 and 1.0, apart.")
    repeats: str = option(
        "error",
        "Which label counts if a coder labelled an item twice.",
        choices=("error", "first", "last"),
        what="way to treat repeats",
    )
    unmarked: str | None = option(
        None, "Label that a blank cell stands for, if coders marked only some items.", metavar="LABEL"
    )
    sets: str | None = option(None, "Labels are sets; separator between the members, such as '+'.", metavar="MARK")
    encoding: str | None = option(None, "Encoding of a text file, such as cp1252. Default: UTF-8.", metavar="NAME")
    sheet: str | None = option(None, "Sheet of an .xlsx file. Default: the first.", metavar="NAME")
    skip_rows: int = option(0, "Rows above the header, such as a title.", kind="count", least=0, metavar="N")
    rows: str | None = option(
        None, "Use only the rows for which this holds, such as 'status = \"Approved\"'.", metavar="CONDITION"
    )
    machines: Sequence[str] | None = None
    named: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.transpose and (self.by is not None or self.table or self.shape not in ("auto", "wide")):
            transpose = option_or_keyword("--transpose", "transpose=True")
            raise InvalidInputError(
                f"{transpose} is for tables with one coder per row and one column per item, which have no other shape "
                "and no column of groups."
            )
        if self.wide + self.table + (self.shape != "auto") > 1:
            raise InvalidInputError("Labels have one shape; use one of wide=True, table=True and shape=.")
        check_choices(self)
        for name in ("coders", "categories", "missing"):
            if (names := getattr(self, name)) is not None:
                object.__setattr__(self, name, tuple(names))
        for kind, names in (("category", self.categories or ()), ("coder", self.coders or ())):
            if twice := [name for name in names if names.count(name) > 1]:
                raise InvalidInputError(f"The {kind} {twice[0]!r} is named twice.")
        if self.sets == "":
            raise InvalidInputError("The separator between the members of a set must not be empty.")

    def read(self, *sources: Any) -> "Labels":
        """The labels of one source, or of several together."""
        from concurrence.files.labels.reader import labels_from_source

        return labels_from_source(sources[0] if len(sources) == 1 else list(sources), self)

    def read_people(self, *sources: Any, machines: Sequence[str | None] = ()) -> "Labels":
        """The labels of people, and of ``machines`` that another option names; ``coders`` takes all that it names."""
        return replace(self, machines=tuple(name for name in machines if name is not None)).read(*sources)
