"""Lists of association measures as documents."""

from typing import TYPE_CHECKING

from concurrence.core.sentences import count_noun
from concurrence.measures.measure import Measure
from concurrence.measures.table import MeasureList
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

FORMULAS = "In the formulas O is the observed and E the expected frequency of the pair."


def measures_document(result: MeasureList) -> Document:
    """All that is known of one measure, or a table for each kind; then every formula with its source."""
    rows = result.measures
    kinds = dict.fromkeys(row.kind for row in rows)
    summary = rows[0].as_json()["summary"] if len(rows) == 1 else f"{count_noun(len(rows), 'association measure')}."
    sections = [_details(rows[0])] if len(rows) == 1 else [_of_kind(kind, rows) for kind in kinds]
    return Document(
        title="Association measures",
        question="Which measures are there, and what do they compute?",
        answer=(summary, FORMULAS),
        sections=(*sections, methods_section(measures=[row.name for row in rows])),
    )


def measures_table(result: MeasureList) -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame(
        [{**row.as_json(), "range": _range(row), "ranks_like": " ".join(row.ranks_like)} for row in result.measures]
    )


def _of_kind(kind: str, rows: tuple[Measure, ...]) -> Section:
    table = Table.of(
        kind,
        ("name", "formula", "properties", "reference", "ranks like"),
        [
            (row.name, row.formula, _properties(row), row.reference, _ranks_like(row))
            for row in rows
            if row.kind == kind
        ],
    )
    return Section(title=kind.capitalize(), blocks=(table,))


def _details(row: Measure) -> Section:
    high = "attraction alone" if row.side == "one-sided" else "attraction and repulsion"
    properties = {
        "formula": row.formula,
        "kind": row.kind,
        "base": row.base or "none",
        "side": f"{row.side}: high for {high}",
        "signed": "yes: it has the sign of O - E" if row.signed else "no",
        "range": _range(row),
        "reference": row.reference,
        "UCS name": row.ucs or "none",
        "ranks like": _ranks_like(row) or "no other",
    }
    return Section(
        title=row.name, blocks=(Table.of(f"{row.name} ({row.symbol})", ("property", "value"), properties.items()),)
    )


def _properties(row: Measure) -> str:
    """Base, side, sign and range in a few words."""
    words = [row.side, "signed" if row.signed else "", f"base {row.base}" if row.base else "", _range(row)]
    return ", ".join(word for word in words if word)


def _ranks_like(row: Measure) -> str:
    where = f" where {row.ranks_like_where}" if row.ranks_like_where else ""
    return f"{', '.join(row.ranks_like)}{where}"


def _range(row: Measure) -> str:
    low, high = row.range
    return f"{'(' if low == float('-inf') else '['}{low:g}, {high:g}{')' if high == float('inf') else ']'}"


PRESENTERS: Presenters = (Presenter(MeasureList, measures_document, measures_table),)
