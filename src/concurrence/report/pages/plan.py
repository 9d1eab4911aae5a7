"""Plans as documents, and the binomial confidence chart: how wide the interval is at which precision and size."""

from collections.abc import Mapping, Sequence
from typing import Any

from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.charts import PALETTE, Rows, Spec, finished, layer, quantity, seen_if
from concurrence.report.render.document import Chart, Document, Paragraph, Section, Table
from concurrence.sampling.agreement_plan import PLANNED, AgreementPlans
from concurrence.sampling.looks_plan import LooksPlan
from concurrence.sampling.power_plan import PowerPlan, PowerPlans
from concurrence.sampling.precision_plan import PrecisionPlan, PrecisionPlans

JUDGED = "How many candidates must be judged?"
MOST_SENTENCES = 3


def agreement_plan_document(plans: AgreementPlans) -> Document:
    """Every plan as a sentence, then as a row."""
    rows = [tuple(row.values()) for plan in plans for row in plan.rows]
    columns = [name.replace("_", " ") for name in PLANNED]
    section = Section(title="Plans", blocks=(Table.of("Items needed", columns, rows),))
    question = "How many items must be labelled?"
    return Document(title="Plan", question=question, answer=tuple(f"{plan}." for plan in plans), sections=(section,))


def precision_plan_document(plans: PrecisionPlans, *, chart: Mapping[str, Any] | None = None) -> Document:
    """One row per width, with its cost in every design; ``chart`` holds what the confidence chart draws."""
    designs = list(dict.fromkeys(design for plan in plans for design in plan.judgements))
    costs = (*designs, "fewest") if designs else ()
    rows = [(plan.n, plan.precision, plan.width, plan.sampled, *_costs(plan, designs)) for plan in plans]
    level = plans[0].level
    caption = f"Judgements needed for a {level:.0%} interval of the given width"
    table = Table.of(caption, ("n", "precision", "width", "judged in the list", *costs), rows)
    hint = () if designs else (Paragraph(text="Give --population or SCORED to see the total number of judgements."),)
    sections = [Section(title="Plans", blocks=(table, *hint))]
    if chart is not None:
        caption = f"How far the true precision may be from the sample precision ({level:.0%} intervals)."
        drawn = Chart(specification=confidence_chart(chart, level=level), caption=caption)
        sections.append(Section(title="Confidence chart", blocks=(drawn,)))
    sentences = [plan for plan in plans if len(plans) <= MOST_SENTENCES or plan.sentence.warning]
    return Document(title="Plan", question=JUDGED, answer=tuple(map(str, sentences)), sections=tuple(sections))


def _costs(plan: PrecisionPlan, designs: Sequence[str]) -> tuple[int | str | None, ...]:
    return (*(plan.judgements[design] for design in designs), plan.fewest) if designs else ()


def power_plan_document(plans: PowerPlans) -> Document:
    """A row for each list size and design, the cheapest first."""
    first = plans[0]
    power = (f"power at {first.budget:,}",) if first.budget else ()
    rows = [
        (plan.n, plan.overlap, design, *([plan.power[design]] if power else []), _needed(plan, design))
        for plan in plans
        for design in sorted(plan.needed, key=lambda name: plan.needed[name] or 10**9 + plan.in_full[name])
    ]
    caption = f"Judgements needed to separate {first.a} from {first.b}"
    table = Table.of(caption, ("n", "shared", "design", *power, "judgements needed"), rows)
    section = Section(title="Plans", blocks=(table,))
    return Document(title="Plan", question=JUDGED, answer=tuple(map(str, plans)), sections=(section,))


def looks_plan_document(plan: LooksPlan) -> Document:
    """The levels in words, then a row for each look."""
    rows = [
        (one.look, one.judged, one.information, one.bound, f"{100 * one.level:.4f}%", one.width, one.anytime_width)
        for one in plan.looks
    ]
    columns = ("look", "judged", "information", "bound", "level", "width", "width if anytime")
    section = Section(title="Looks", blocks=(Table.of("Looks that hold together", columns, rows),))
    question = "When may we look, and how sure is what we see?"
    return Document.of("Plan", question, plan.sentences, (section,), warnings=plan.warnings)


def _needed(plan: PowerPlan, design: str) -> int | str:
    number = plan.needed[design]
    return number if number is not None else f"all {plan.in_full[design]:,}"


def confidence_chart(columns: Mapping[str, Any], *, level: float) -> Spec:
    """Sample precision along, true precision up; a pair of lines for each number sampled from the list."""
    numbers = [[float(number) for number in columns[name]] for name in ("sampled", "precision", "low", "high")]
    rows = [
        {"sampled": int(sampled), "precision": precision, "low": low, "high": high, "width": high - low}
        for sampled, precision, low, high in zip(*numbers, strict=True)
    ]
    sizes = sorted({row["sampled"] for row in rows})
    colour = {"field": "sampled", "type": "ordinal", "scale": {"domain": sizes, "range": list(PALETTE)}, "legend": None}
    base = {"x": _percent("precision", "sample precision"), "color": colour, "tooltip": _tooltips()}
    line = {"type": "line", "strokeWidth": 1.6}
    low, high = _percent("low", f"true precision, {level:.0%} interval"), quantity("high")
    near = {"type": "point", "nearest": True, "on": "pointerover", "fields": ["precision", "sampled"]}
    dots = layer(rows, {"type": "point", "filled": True, "size": 40}, {**base, "y": high, "opacity": seen_if("near")})
    parts = {
        "width": 520,
        "height": 520,
        "title": "Binomial confidence chart, by number sampled",
        "layer": [
            _diagonal(),
            layer(rows, line, {**base, "y": low}),
            layer(rows, line, {**base, "y": high}),
            *_size_labels(rows, sizes, colour),
            {**dots, "params": [{"name": "near", "select": near}]},
        ],
    }
    return finished(parts)


def _percent(field: str, title: str) -> Spec:
    return quantity(field, {"title": title, "axis": {"format": "%"}})


def _tooltips() -> list[Spec]:
    shares = {"precision": "sample precision", "low": "at least", "high": "at most"}
    return [
        quantity("sampled", {"title": "sampled from the list"}),
        *(quantity(field, {"title": title, "format": ".1%"}) for field, title in shares.items()),
        quantity("width", {"format": ".3f"}),
    ]


def _size_labels(rows: Rows, sizes: Sequence[int], colour: Spec) -> list[Spec]:
    """Labels stand on their lines, each at another precision, so that close lines do not hide each other's."""
    places = {size: round(0.7 - 0.07 * i, 2) for i, size in enumerate(sizes)}
    marked = [row for row in rows if abs(row["precision"] - places[row["sampled"]]) < 1e-9]
    at = {"x": quantity("precision"), "y": quantity("high"), "text": {"field": "sampled", "type": "ordinal"}}
    bold = {"type": "text", "fontSize": 12, "fontWeight": "bold"}
    halo = {**bold, "stroke": "white", "strokeWidth": 6, "strokeJoin": "round"}
    return [layer(marked, halo, at), layer(marked, bold, {**at, "color": colour})]


def _diagonal() -> Spec:
    mark = {"type": "line", "color": "#999999", "strokeDash": [3, 3], "strokeWidth": 1}
    return layer([{"x": 0, "y": 0}, {"x": 1, "y": 1}], mark, {"x": quantity("x"), "y": quantity("y")})


PRESENTERS: Presenters = (
    Presenter(AgreementPlans, agreement_plan_document, AgreementPlans.to_frame),
    Presenter(PrecisionPlans, precision_plan_document, PrecisionPlans.to_frame),
    Presenter(PowerPlans, power_plan_document, PowerPlans.to_frame),
    Presenter(LooksPlan, looks_plan_document, LooksPlan.to_frame),
)
