"""How spans are read from files and frames: the options, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from concurrence.core.options import check_choices, option

if TYPE_CHECKING:  # the command line reads the options and needs no arrays for that
    from concurrence.core.spans import Spans

SPAN_EXPORTS = ("label-studio", "prodigy", "doccano", "potato")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanFileOptions:
    """The shape of a source of spans, its columns, how long its documents are, and who read them.

    ``lengths`` and ``text`` are files, frames or mappings. ``machines`` are the models that are read where no coders
    are named.
    """

    shape: str = option(
        "auto",
        "What the file is. By default it is told from the extension and the fields.",
        choices=("auto", "long", "bio", "brat", "inception", *SPAN_EXPORTS),
        what="shape of spans",
        flags=("--format",),
    )
    columns: Mapping[str, str] | None = option(
        None, "The columns of document, coder, start, end, label, if they have other names.", metavar="ROLE=NAME,…"
    )
    length: int | None = option(None, "Length of every document in positions.", kind="count", metavar="N")
    lengths: object = option(None, "Lengths: a table with document,length.", metavar="FILE")
    text: object = option(
        None, "Texts: a folder of .txt files, a table with document,text, or the only text.", metavar="FILE|FOLDER"
    )
    coders: Sequence[str] | None = option(None, "Use only these coders, in this order.", kind="names", metavar="A,B,…")
    partial: bool = option(False, "A coder without a row for a document did not read it.")
    encoding: str | None = option(None, "Encoding of text files, such as cp1252. Default: UTF-8.", metavar="NAME")
    sheet: str | None = option(None, "Sheet of an .xlsx file. Default: the first.", metavar="NAME")
    machines: Sequence[str | None] = ()

    def __post_init__(self) -> None:
        check_choices(self)

    def read(self, source: Any) -> "Spans":
        """The spans of a file, of several files, of a folder or of a frame."""
        from concurrence.files.spans.reader import spans_from_source

        return spans_from_source(source, self)
