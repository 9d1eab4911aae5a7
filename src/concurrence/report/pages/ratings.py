"""A study of ratings as a document: which form to report, all coefficients, differences and ranks."""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from concurrence.agreement.ratings.limits import LimitsOfAgreement
from concurrence.agreement.ratings.results import RatingAgreement, RatingsReport
from concurrence.agreement.ratings.table import RATING_COEFFICIENTS
from concurrence.core import Interval
from concurrence.core.sentences import count_noun, join_words
from concurrence.core.values import to_json
from concurrence.report.pages.methods import citation
from concurrence.report.pages.procedures import procedures
from concurrence.report.presenters import Presenter, Presenters, table_row
from concurrence.report.render.charts import PALETTE, finished, layer, quantity
from concurrence.report.render.document import Block, Chart, Document, Formula, Paragraph, Section, Table

QUESTION = "How well do the coders agree on numbers, and how sure can one be of it?"
MOST_PAIRS = 36


def ratings_document(report: RatingsReport) -> Document:
    """Which coefficient to report, then the evidence."""
    paper = () if report.apa is None else (Paragraph(text=report.apa),)
    sections = [
        Section(title="Coefficients", blocks=(_coefficients(report), *_notes(report))),
        Section(title="Limits of agreement", blocks=tuple(_limits(report))),
        Section(title="Who rates how", blocks=tuple(_coders(report))),
        Section(title="Pairs of coders", blocks=tuple(_pairs(report))),
        Section(title="In a paper", blocks=paper),
        _methods(report),
    ]
    kept = tuple(section for section in sections if section.blocks)
    return Document.of("Ratings", QUESTION, report.sentences, kept, warnings=report.warnings)


def ratings_table(report: RatingsReport) -> pl.DataFrame:
    """The coefficients as a frame, one row each."""
    return pl.DataFrame([_record(one) for one in report.coefficients.values()], infer_schema_length=None)


def _record(one: RatingAgreement) -> dict[str, Any]:
    numbers = ("value", "observed", "expected", "standard_error", "p_value")
    row = table_row(one, "coefficient", *numbers, "interval", "interval_method", "items", "note")
    return {name: None if cell != cell else cell for name, cell in row.items()}


def _table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table whose cells are as JSON has them: an interval is its ends, and nothing where there is none."""
    return Table.of(caption, columns, [[_cell(cell) for cell in row] for row in rows])


def _cell(cell: Any) -> Any:
    json_value = to_json(cell)
    return None if isinstance(json_value, list) and None in json_value else json_value


def _coefficients(report: RatingsReport) -> Table:
    rows = [
        (one.title, one.value, one.interval, one.standard_error, "<.001" if one.p_value < 0.0005 else one.p_value)
        for one in report.coefficients.values()
    ]
    columns = ("coefficient", "value", f"{report.level:.0%} interval", "standard error", "p")
    return _table("Coefficients of agreement", columns, rows)


def _notes(report: RatingsReport) -> list[Paragraph]:
    """The notes on coefficients, each once."""
    sentences = {str(one) for one in (*report.warnings, *report.sentences)}
    notes: dict[str, list[str]] = {}
    for one in report.coefficients.values():
        if one.note and not any(one.note in sentence for sentence in sentences):
            notes.setdefault(one.note.removeprefix(f"{one.title} "), []).append(one.title)
    return [Paragraph(text=_note_text(note, titles)) for note, titles in notes.items()]


def _note_text(note: str, titles: list[str]) -> str:
    """A note, and for which other coefficients it holds."""
    if note[0].isupper() or note[0].isdigit():
        return f"{join_words(titles)}: {note}"
    return f"{titles[0]} {note}" + (f" The same holds for {join_words(titles[1:])}." if titles[1:] else "")


def _limits(report: RatingsReport) -> list[Block]:
    limits = report.limits_of_agreement
    if limits is None:
        return [Paragraph(text=report.limits_note)] if report.limits_note else []
    rows = [
        ("mean difference", limits.mean, limits.mean_interval),
        ("standard deviation", limits.sd, None),
        ("lower limit", limits.low, limits.low_interval),
        ("upper limit", limits.high, limits.high_interval),
    ]
    caption = f"Limits of agreement: {_differences(limits)}, {count_noun(limits.items, 'item')}"
    chart: tuple[Chart, ...] = difference_chart(report)
    return [_table(caption, ("", "value", f"{limits.level:.0%} interval"), rows), *chart]


def _differences(limits: LimitsOfAgreement) -> str:
    return f"{limits.coders[0]} minus {limits.coders[1]}" if limits.of == "two_coders" else "any two coders"


def _coders(report: RatingsReport) -> list[Block]:
    rows = [(name, one.ratings, one.mean, one.sd, one.shift) for name, one in report.coders.items()]
    blocks: list[Block] = []
    if rows:
        caption = "Ratings of each coder; shift: how much higher than the mean of all coders on the same items"
        blocks.append(_table(caption, ("coder", "ratings", "mean", "sd", "shift"), rows))
    if report.variance is not None:
        part = report.variance
        whole = part.items + part.coders + part.error
        shares = [(name, one, one / whole if whole else None) for name, one in _variances(report)]
        how = {"anova": "analysis of variance", "reml": "restricted maximum likelihood"}[part.method]
        blocks.append(_table(f"Where ratings vary ({how})", ("between", "variance", "share"), shares))
    return blocks


def _variances(report: RatingsReport) -> list[tuple[str, float]]:
    part: Any = report.variance
    return [("items", part.items), ("coders (shift)", part.coders), ("the rest (scatter)", part.error)]


def _pairs(report: RatingsReport) -> list[Table]:
    if len(report.data.coders) < 3 or not 1 <= len(report.pairs) <= MOST_PAIRS:
        return []
    rows = [
        (*pair.coders, pair.items, pair.difference, [pair.low, pair.high], pair.lin_ccc, pair.spearman)
        for pair in report.pairs
    ]
    columns = ("coder", "coder", "items", "mean difference", "limits of agreement", "Lin's concordance", "Spearman")
    return [_table("Every two coders on the items both rated; first minus second", columns, rows)]


def _methods(report: RatingsReport) -> Section:
    rows = [RATING_COEFFICIENTS[one.coefficient] for one in report.rows() if one.coefficient in RATING_COEFFICIENTS]
    formulas = [
        Formula(name=row.title, words=row.words, latex=row.formula, reference=citation(row.reference)) for row in rows
    ]
    used = {f"ratings_{method}" for one in report.rows() for method in one.intervals}
    used |= {"limits_of_agreement"} if report.limits_of_agreement is not None else set()
    used |= {"reml"} if report.variance is not None and report.variance.method == "reml" else set()
    return Section(title="Methods", blocks=(*formulas, *procedures(used)), is_methods=True)


FEWEST = 3


def difference_chart(report: RatingsReport) -> tuple[Chart, ...]:
    """Differences over means with the limits of agreement and their intervals; none for fewer than three points."""
    points, limits = report.points, report.limits_of_agreement
    if points is None or limits is None or points.shown < FEWEST:
        return ()
    two = limits.of == "two_coders"
    title = f"{limits.coders[0]} minus {limits.coders[1]}" if two else "rating minus mean of the item"
    rows = [{"mean": float(m), "difference": float(d)} for m, d in zip(points.mean, points.difference, strict=True)]
    dots = layer(
        rows,
        {"type": "point", "filled": True, "size": 45, "color": PALETTE[0], "opacity": 0.6},
        {
            "x": quantity("mean", {"title": "mean rating of the item", "scale": {"zero": False, "padding": 12}}),
            "y": quantity("difference", {"title": title, "scale": {"padding": 12}}),
            "tooltip": [quantity("mean", {"format": ".4~g"}), quantity("difference", {"format": ".4~g"})],
        },
    )
    layers = [*_bands(limits), *_lines(limits), dots] if two else [*_zero(), dots]
    few = "" if points.shown == points.all else f" {points.shown:,} of {points.all:,} points are shown."
    words = (
        f"Differences of the two coders over the mean of both. Lines: mean difference and limits of agreement; bands: "
        f"their {limits.level:.0%} intervals.{few}"
        if two
        else f"How far each rating lies from the mean of its item.{few}"
    )
    return (Chart(specification=finished({"width": 480, "height": 300, "layer": layers}), caption=words),)


def _named(limits: LimitsOfAgreement) -> list[tuple[str, float, Interval | None]]:
    return [
        ("upper limit", limits.high, limits.high_interval),
        ("mean", limits.mean, limits.mean_interval),
        ("lower limit", limits.low, limits.low_interval),
    ]


def _bands(limits: LimitsOfAgreement) -> list[dict[str, Any]]:
    rows = [{"low": ends.low, "high": ends.high} for _, _, ends in _named(limits) if ends is not None]
    mark = {"type": "rect", "color": PALETTE[1], "opacity": 0.12}
    return [layer(rows, mark, {"y": quantity("low"), "y2": {"field": "high"}})]


def _lines(limits: LimitsOfAgreement) -> list[dict[str, Any]]:
    rows = [{"name": f"{name} {place:.4g}", "at": place} for name, place, _ in _named(limits)]
    rule = layer(rows, {"type": "rule", "color": PALETTE[1], "strokeDash": [5, 3]}, {"y": quantity("at")})
    text = layer(
        rows,
        {"type": "text", "align": "right", "dy": -6, "dx": -2, "color": "#444"},
        {"y": quantity("at"), "x": {"value": "width"}, "text": {"field": "name", "type": "nominal"}},
    )
    return [*_zero(), rule, text]


def _zero() -> list[dict[str, Any]]:
    return [layer([{"at": 0}], {"type": "rule", "color": "#999"}, {"y": quantity("at")})]


PRESENTERS: Presenters = (Presenter(RatingsReport, ratings_document, ratings_table),)
