"""A comparison of two agreements, as a document and as a table."""

import polars as pl

from concurrence.agreement.labels.compare import AgreementComparison
from concurrence.core.values import to_json
from concurrence.kernels.coefficients import coefficient
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table


def comparison_document(comparison: AgreementComparison) -> Document:
    """The answer, then both sides."""
    table = comparison_table(comparison)
    caption = f"{coefficient(comparison.coefficient).title} on each side, and the difference"
    columns = [{"standard_error": "standard error", "p_value": "p"}.get(name, name) for name in table.columns]
    section = Section(title="Both sides", blocks=(Table.of(caption, columns, table.rows()),))
    question = "Do the two sets of coders differ in agreement?"
    methods = methods_section(coefficients=[comparison.coefficient])
    return Document.of("Comparison", question, comparison.sentences, (section, methods))


def comparison_table(comparison: AgreementComparison) -> pl.DataFrame:
    """Both sides and the difference, one row each."""
    rows = []
    for name, side in comparison.sides.items():
        low, high = to_json(side.interval) or (None, None)
        numbers = {"value": side.value, "standard_error": side.standard_error, "low": low, "high": high}
        rows.append({"side": name, "coders": ",".join(side.coders), **numbers, "items": side.items, "p_value": None})
    low, high = to_json(comparison.interval) or (None, None)
    difference = {
        "side": "a - b",
        "coders": "",
        "value": comparison.difference,
        "standard_error": comparison.standard_error,
        "low": low,
        "high": high,
        "items": None,
        "p_value": comparison.p_value,
    }
    numbers_of = dict.fromkeys(("value", "standard_error", "low", "high", "p_value"), pl.Float64)
    return pl.DataFrame([*rows, difference], schema_overrides=numbers_of, infer_schema_length=None)


PRESENTERS: Presenters = (Presenter(AgreementComparison, comparison_document, comparison_table),)
