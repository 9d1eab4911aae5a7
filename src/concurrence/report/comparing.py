"""A comparison of two agreements: sentences, JSON, a table."""

from math import isnan
from typing import Any

import polars as pl

from concurrence.agreement.comparing import Comparison, Side
from concurrence.core import Interval
from concurrence.report.document import Document, Section, Table
from concurrence.report.methods import methods_section


def comparison_json(found: Comparison) -> dict[str, Any]:
    """The keys of ``concur compare --json``."""
    return {
        "coefficient": found.coefficient,
        "a": found.a.value,
        "b": found.b.value,
        "difference": found.difference,
        "standard_error": found.standard_error,
        "interval": _ends(found.interval),
        "interval_method": None if found.note else found.interval.method,
        "level": found.interval.level,
        "p_value": found.p_value,
        "paired": found.paired,
        "reference": found.reference,
        "draws": found.draws,
        "note": found.note,
        "sides": {"a": _side(found.a), "b": _side(found.b)},
    }


def comparison_document(found: Comparison) -> Document:
    """The answer, then both sides."""
    table = comparison_table(found)
    caption = f"{found.coefficient} of both sides, and the difference"
    section = Section(title="Both sides", blocks=(Table.of(caption, table.columns, table.rows()),))
    question = "Do the two sets of coders differ in agreement?"
    return Document(
        title="Comparison",
        question=question,
        answer=found.sentences,
        sections=(section, methods_section(coefficients=[found.coefficient])),
    )


def comparison_table(found: Comparison) -> pl.DataFrame:
    """Both sides and the difference, a row each."""
    low, high = found.interval
    rows = [
        {"side": name, "coders": ",".join(side.coders), **_numbers(side)}
        for name, side in (("a", found.a), ("b", found.b))
    ]
    rows.append(
        {
            "side": "a - b",
            "coders": "",
            "value": found.difference,
            "standard_error": found.standard_error,
            "low": low,
            "high": high,
            "items": None,
        }
    )
    return pl.DataFrame(rows).with_columns(p_value=pl.Series([None, None, found.p_value], dtype=pl.Float64))


def _side(side: Side) -> dict[str, Any]:
    return {
        "coders": side.coders,
        "value": side.value,
        "standard_error": side.standard_error,
        "interval": _ends(side.interval),
        "items": side.items,
    }


def _numbers(side: Side) -> dict[str, Any]:
    low, high = side.interval
    return {
        "value": side.value,
        "standard_error": side.standard_error,
        "low": low,
        "high": high,
        "items": side.items,
    }


def _ends(interval: Interval) -> list[float] | None:
    return None if isnan(interval.low) else [interval.low, interval.high]
