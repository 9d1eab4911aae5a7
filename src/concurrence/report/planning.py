"""Plans as documents, and the binomial confidence chart: how wide the interval is at which precision and size."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from concurrence.agreement.planning import PLANNED, AgreementPlan
from concurrence.core.plans import Plan
from concurrence.report.charts import PALETTE
from concurrence.report.document import Chart, Document, Paragraph, Section, Table
from concurrence.sampling.power_plan import PowerPlan
from concurrence.sampling.precision_plan import PrecisionPlan

if TYPE_CHECKING:
    import polars as pl

JUDGED = "How many candidates must be judged?"
MOST_TOLD = 3


def agreement_plan_document(plans: Sequence[AgreementPlan]) -> Document:
    """Every plan as a sentence, then as a row."""
    rows = [tuple(row.values()) for plan in plans for row in plan.rows]
    section = Section(title="Plans", blocks=(Table.of("Items needed", PLANNED, rows),))
    question = "How many items must be labelled?"
    return Document(title="Plan", question=question, answer=tuple(f"{plan}." for plan in plans), sections=(section,))


def precision_plan_document(plans: Sequence[PrecisionPlan]) -> Document:
    """A row for each wish, with its price in every design."""
    designs = list(dict.fromkeys(design for plan in plans for design in plan.judgements))
    costs = (*designs, "fewest") if designs else ()
    rows = [(plan.n, plan.precision, plan.width, plan.sampled, *_costs(plan, designs)) for plan in plans]
    caption = f"Judgements for a {plans[0].level:.0%} interval of a wanted width"
    table = Table.of(caption, ("n", "precision", "width", "judged in the list", *costs), rows)
    hint = (
        () if designs else (Paragraph(text="With --population or SCORED, also how many judgements that takes in all."),)
    )
    section = Section(title="Plans", blocks=(table, *hint))
    told = [plan for plan in plans if len(plans) <= MOST_TOLD or plan.within_budget is False]
    return Document(title="Plan", question=JUDGED, answer=tuple(map(str, told)), sections=(section,))


def _costs(plan: PrecisionPlan, designs: Sequence[str]) -> tuple[int | str | None, ...]:
    return (*(plan.judgements[design] for design in designs), plan.fewest) if designs else ()


def power_plan_document(plans: Sequence[PowerPlan]) -> Document:
    """A row for each list size and design, the cheapest first."""
    first = plans[0]
    power = (f"power at {first.budget:,}",) if first.budget else ()
    rows = [
        (
            plan.question.n,
            plan.question.overlap,
            design,
            *([plan.power[design]] if power else []),
            _needed(plan, design),
        )
        for plan in plans
        for design in sorted(plan.needed, key=lambda name: plan.needed[name] or 10**9 + plan.in_full[name])
    ]
    caption = f"Judgements to separate {first.question.a} from {first.question.b}"
    table = Table.of(caption, ("n", "shared", "design", *power, "judgements needed"), rows)
    section = Section(title="Plans", blocks=(table,))
    return Document(title="Plan", question=JUDGED, answer=tuple(map(str, plans)), sections=(section,))


def _needed(plan: PowerPlan, design: str) -> int | str:
    number = plan.needed[design]
    return number if number is not None else f"all {plan.in_full[design]:,}"


def plan_table(plans: Sequence[Plan]) -> "pl.DataFrame":
    """The rows of all plans."""
    import polars as pl

    return pl.DataFrame([row for plan in plans for row in plan.rows], infer_schema_length=None)


def with_confidence_chart(document: Document, columns: Mapping[str, Any], *, level: float) -> Document:
    """The document with the chart that a plan can be read from by eye."""
    chart = Chart(
        specification=confidence_chart(columns, level=level).to_dict(),
        caption=f"How far the true precision may lie from that of the sample ({level:.0%} intervals).",
    )
    return replace(document, sections=(*document.sections, Section(title="Confidence chart", blocks=(chart,))))


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
        tooltip=_tooltips(alt),
    )
    title = f"true precision, {level:.0%} interval"
    low = base.mark_line(strokeWidth=1.6).encode(y=alt.Y("low:Q", title=title, axis=alt.Axis(format="%")))
    high = base.mark_line(strokeWidth=1.6).encode(y="high:Q")
    layers = alt.layer(_diagonal(alt), low, high, _size_labels(alt, rows, sizes, colour), _points(alt, base))
    return layers.properties(width=520, height=520, title="Binomial confidence chart, by number sampled")


def _tooltips(alt: Any) -> list[Any]:
    return [
        alt.Tooltip("sampled:Q", title="sampled from the list"),
        alt.Tooltip("precision:Q", title="sample precision", format=".1%"),
        alt.Tooltip("low:Q", title="at least", format=".1%"),
        alt.Tooltip("high:Q", title="at most", format=".1%"),
        alt.Tooltip("width:Q", format=".3f"),
    ]


def _size_labels(alt: Any, rows: Sequence[Mapping[str, Any]], sizes: Sequence[int], colour: Any) -> Any:
    """Labels stand on their lines, each at another precision, so that close lines do not hide each other's."""
    places = {size: round(0.7 - 0.07 * i, 2) for i, size in enumerate(sizes)}
    marked = [row for row in rows if abs(row["precision"] - places[row["sampled"]]) < 1e-9]
    text = alt.Chart(alt.Data(values=marked)).encode(x="precision:Q", y="high:Q", text="sampled:O")
    halo = text.mark_text(fontSize=12, fontWeight="bold", stroke="white", strokeWidth=6, strokeJoin="round")
    return halo + text.mark_text(fontSize=12, fontWeight="bold").encode(color=colour)


def _diagonal(alt: Any) -> Any:
    ends = alt.Chart(alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    return ends.mark_line(color="#999999", strokeDash=[3, 3], strokeWidth=1).encode(x="x:Q", y="y:Q")


def _points(alt: Any, base: Any) -> Any:
    """The point nearest to the pointer, which tells its numbers."""
    near = alt.selection_point(nearest=True, on="pointerover", fields=["precision", "sampled"], empty=False)
    hidden = alt.condition(near, alt.value(1), alt.value(0))
    return base.mark_point(filled=True, size=40).encode(y="high:Q", opacity=hidden).add_params(near)
