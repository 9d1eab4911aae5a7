"""Strengths from comparisons as a document: the ranking with its chart, the model and further comparisons."""

from string import ascii_lowercase
from typing import Any

import polars as pl

from concurrence.agreement.preferences.results import PreferenceReport
from concurrence.core.sentences import count_noun
from concurrence.core.values import to_json
from concurrence.report.pages.procedures import procedures
from concurrence.report.presenters import Presenter, Presenters, table_row
from concurrence.report.render.charts import PALETTE, finished, forest, layer
from concurrence.report.render.document import Block, Chart, Document, Paragraph, Section, Table

QUESTION = "Which items do the coders prefer, and how sure can one be of the order?"
MOST_FURTHER = 12
MOST_LETTERS = len(ascii_lowercase)
METHODS = {
    "maximum_likelihood": "maximum likelihood",
    "bias_reduced": "with reduced bias (Firth)",
}


def preferences_document(report: PreferenceReport) -> Document:
    """The answer, the ranking, then the evidence."""
    sections = [
        Section(title="Ranking", blocks=(_ranking(report), *_chart(report), *_letters(report))),
        Section(title="Ties, position and fit", blocks=tuple(_model(report))),
        Section(title="How many further comparisons?", blocks=tuple(_further(report))),
        _methods(report),
    ]
    kept = tuple(section for section in sections if section.blocks)
    return Document.of("Preferences", QUESTION, report.sentences, kept, warnings=report.warnings)


def strength_table(report: PreferenceReport) -> pl.DataFrame:
    """The items as a frame, best first."""
    rows = []
    for name, one in report.items.items():
        low, high = to_json(one.intervals.get("coders")) or (None, None)
        rows.append(
            {
                "rank": one.rank,
                "item": name,
                **table_row(one, "strength", "standard_error", "interval"),
                "low_coders": low,
                "high_coders": high,
                **table_row(one, "bias_reduced", "comparisons", "wins", "ties", "losses"),
                "groups": "".join(_letter(number) for number in one.groups),
            }
        )
    floats = dict.fromkeys(("low_coders", "high_coders"), pl.Float64)
    return pl.DataFrame(rows, schema_overrides=floats, infer_schema_length=None)


def _letter(number: int) -> str:
    return ascii_lowercase[number - 1] if number <= MOST_LETTERS else f"({number})"


def _ranking(report: PreferenceReport) -> Table:
    by_coders = _by_coders(report)
    rows = [
        (
            one.rank,
            name,
            one.strength,
            to_json(one.interval),
            *((to_json(one.intervals["information"]),) if by_coders else ()),
            one.bias_reduced,
            f"{one.wins:,} / {one.ties:,} / {one.losses:,}",
            " ".join(_letter(number) for number in one.groups),
        )
        for name, one in report.items.items()
    ]
    interval = f"{report.level:.0%} interval"
    columns = ["", "item", "strength", interval, *(["of independent comparisons"] if by_coders else [])]
    caption = f"Strengths in log odds, {METHODS[report.method]}; items with a letter in common cannot be told apart"
    return Table.of(caption, (*columns, "reduced bias", "won / tied / lost", "group"), rows)


def _by_coders(report: PreferenceReport) -> bool:
    """Whether the intervals rest on leaving out coders."""
    return any(one.interval_method == "coders" for one in report.items.values())


def _letters(report: PreferenceReport) -> tuple[Paragraph, ...]:
    if not report.groups:
        return ()
    text = (
        "Two items without a letter in common differ (tests of all pairs, corrected by Holm's method); a letter in "
        "common does not mean that they are equal."
    )
    return (Paragraph(text=text),)


def _chart(report: PreferenceReport) -> tuple[Chart, ...]:
    """Items by strength with their intervals, and a bar for every group that cannot be told apart."""
    rows = [
        {"label": name, "value": one.strength, "low": one.interval.low, "high": one.interval.high}
        for name, one in report.items.items()
    ]
    dots = forest(rows, "strength (log odds)", width=400)
    joined = any(len(group) > 1 for group in report.groups)
    whole = {"hconcat": [dots, _bars(report)], "resolve": {"scale": {"y": "shared"}}} if joined else dots
    basis = " from leaving out coders" if _by_coders(report) else ""
    caption = f"Every item with its {report.level:.0%} interval{basis}"
    caption += "; items in the same column cannot be told apart." if joined else "."
    return (Chart(specification=finished(whole), caption=caption),)


def _bars(report: PreferenceReport) -> dict[str, Any]:
    """One column of marks per group."""
    marks = [
        {"label": name, "group": _letter(number)}
        for number, group in enumerate(report.groups, start=1)
        for name in group
    ]
    where = {"field": "group", "type": "nominal", "title": "cannot be told apart", "axis": {"labelAngle": 0}}
    place = {"field": "label", "type": "nominal", "sort": list(report.items), "axis": None}
    mark = {"type": "rect", "color": PALETTE[1], "width": 8, "opacity": 0.7}
    return {"height": {"step": 26}, "width": {"step": 22}, **layer(marks, mark, {"x": where, "y": place})}


def _model(report: PreferenceReport) -> list[Block]:
    ties, bias, between = report.ties, report.position_bias, report.coder_agreement
    rows: list[tuple[Any, ...]] = [
        ("ties (Davidson's parameter)", ties.value, to_json(ties.interval), None),
        ("advantage of the item shown first (log odds)", bias.value, to_json(bias.interval), to_json(bias.p_value)),
        (f"deviance ({report.degrees_of_freedom} df)", report.deviance, None, to_json(report.deviance_p_value)),
        ("agreement between coders beyond chance", to_json(between.value), to_json(between.interval), None),
    ]
    data = report.data
    who = f", {count_noun(len(data.coders), 'coder')}" if data.coders else ""
    size = f"{count_noun(data.comparisons, 'comparison')} of {count_noun(data.pairs, 'pair')} of items{who}"
    warnings = [sentence.text for sentence in report.warnings]
    notes = [Paragraph(text=note) for note in (bias.note, between.note) if note and note not in warnings]
    return [Table.of(f"The model: {size}", ("", "value", f"{report.level:.0%} interval", "p"), rows), *notes]


def _further(report: PreferenceReport) -> list[Block]:
    rows = [
        (one.a, one.b, one.win_rate, "over a million" if one.comparisons is None else one.comparisons)
        for one in report.further[:MOST_FURTHER]
    ]
    caption = (
        "Further comparisons of neighbours that would tell them apart with a chance of 80%, each pair tested alone"
    )
    return [Table.of(caption, ("item", "item", "win rate", "comparisons"), rows)] if rows else []


def _methods(report: PreferenceReport) -> Section:
    used = {"bradley_terry", "bias_reduced", "holm"} | ({"davidson"} if report.ties.count else set())
    used |= {"jackknife_coders"} if _by_coders(report) else set()
    used |= {"kendall_u"} if report.coder_agreement.pairs else set()
    return Section(title="Methods", blocks=procedures(used), is_methods=True)


PRESENTERS: Presenters = (Presenter(PreferenceReport, preferences_document, strength_table),)
