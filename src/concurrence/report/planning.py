"""Plans as documents, and the binomial confidence chart: how wide the interval is at which precision and size."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from concurrence.agreement.planning import AgreementPlan
from concurrence.report.charts import PALETTE
from concurrence.report.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl


PLANNED = ("purpose", "kappa", "null_kappa", "power", "sided", "width", "level", "items")


def agreement_plan_document(plans: Sequence[AgreementPlan]) -> Document:
    """Every plan as a sentence, then as a row."""
    rows = [tuple(getattr(plan, name) for name in PLANNED) for plan in plans]
    section = Section(title="Plans", blocks=(Table.of("Items needed", PLANNED, rows),))
    question = "How many items must be labelled?"
    return Document(title="Plan", question=question, answer=tuple(f"{plan}." for plan in plans), sections=(section,))


def agreement_plan_table(plans: Sequence[AgreementPlan]) -> "pl.DataFrame":
    """A plan a row."""
    import polars as pl

    return pl.DataFrame([{name: getattr(plan, name) for name in PLANNED} for plan in plans])


def confidence_chart(columns: Mapping[str, Any], *, level: float) -> Any:
    """Sample precision along, true precision up; a pair of lines for each number sampled from the list."""
    import altair as alt
    import polars as pl

    data = pl.DataFrame(dict(columns)).with_columns(pl.col("sampled").cast(pl.Int64))
    width = (pl.col("high") - pl.col("low")).alias("width")
    rows = data.with_columns(width).to_dicts()
    sizes = sorted({row["sampled"] for row in rows})
    colour = alt.Color("sampled:O", title="sampled", scale=alt.Scale(domain=sizes, range=list(PALETTE)), legend=None)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("precision:Q", title="sample precision", axis=alt.Axis(format="%")),
        color=colour,
        tooltip=[
            alt.Tooltip("sampled:Q", title="sampled from the list"),
            alt.Tooltip("precision:Q", title="sample precision", format=".1%"),
            alt.Tooltip("low:Q", title="at least", format=".1%"),
            alt.Tooltip("high:Q", title="at most", format=".1%"),
            alt.Tooltip("width:Q", format=".3f"),
        ],
    )
    title = f"true precision, {level:.0%} interval"
    low = base.mark_line(strokeWidth=1.6).encode(y=alt.Y("low:Q", title=title, axis=alt.Axis(format="%")))
    high = base.mark_line(strokeWidth=1.6).encode(y="high:Q")
    # Labels stand on their lines, each at another precision, so that close lines do not hide each other's.
    places = {size: round(0.7 - 0.07 * i, 2) for i, size in enumerate(sizes)}
    marked = [row for row in rows if abs(row["precision"] - places[row["sampled"]]) < 1e-9]
    text = alt.Chart(alt.Data(values=marked)).encode(x="precision:Q", y="high:Q", text="sampled:O")
    halo = text.mark_text(fontSize=12, fontWeight="bold", stroke="white", strokeWidth=6, strokeJoin="round")
    labels = halo + text.mark_text(fontSize=12, fontWeight="bold").encode(color=colour)
    diagonal = (
        alt.Chart(alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
        .mark_line(color="#999999", strokeDash=[3, 3], strokeWidth=1)
        .encode(x="x:Q", y="y:Q")
    )
    near = alt.selection_point(nearest=True, on="pointerover", fields=["precision", "sampled"], empty=False)
    points = (
        base.mark_point(filled=True, size=40)
        .encode(y="high:Q", opacity=alt.condition(near, alt.value(1), alt.value(0)))
        .add_params(near)
    )
    layers = alt.layer(diagonal, low, high, labels, points)
    return layers.properties(width=520, height=520, title="Binomial confidence chart, by number sampled")
