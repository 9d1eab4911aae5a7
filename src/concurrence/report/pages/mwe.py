"""Marked pairs as a document and as a table."""

from typing import TYPE_CHECKING

from concurrence.counting.mwe import MarkedPairs
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

MOST = 20


def marked_document(result: MarkedPairs) -> Document:
    """How many pairs there are and how many are marked, and the most frequent ones."""
    first = result.rows.head(MOST)
    table = Table.of(f"The most frequent of {result.pairs:,} pairs", first.columns, first.iter_rows())
    return Document.of(
        "Marked pairs",
        "Which pairs are marked as multiword expressions?",
        (str(result),),
        (Section(title="Pairs", blocks=(table,)),),
        warnings=result.warnings,
    )


def marked_table(result: MarkedPairs) -> "pl.DataFrame":
    table: pl.DataFrame = result.rows
    return table


PRESENTERS: Presenters = (Presenter(MarkedPairs, marked_document, marked_table),)
