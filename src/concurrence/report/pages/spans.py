"""Agreement on spans as a document, and as tables of coefficients and of disagreements."""

from collections.abc import Iterable
from typing import Any

import polars as pl

from concurrence.agreement.spans.assess import ENOUGH_DOCUMENTS
from concurrence.agreement.spans.results import CategoryCoefficient, Disagreement, SpanCoefficient, SpanReport
from concurrence.agreement.spans.table import SPAN_MEASURES
from concurrence.core.sentences import count_noun, join_words
from concurrence.report.pages.methods import citation, method
from concurrence.report.presenters import Presenter, Presenters, table_row
from concurrence.report.render.charts import dots
from concurrence.report.render.document import Block, Chart, Document, Formula, Paragraph, Section, Table

QUESTION = "How well do the coders agree on spans, and do they differ about where or about what?"
INTERVALS = (
    "Documents are drawn with replacement, as many as there are. The interval is the middle of the coefficients of all "
    "draws, its percentiles moved outward as Student's t is from the normal distribution."
)
BRIEF = ("alpha_u", "gamma", "gamma_cat", "token_kappa", "f1_exact", "f1_overlap")
BRIEF_PLACES = 5
MOST_PLACES = 200
MOST_LABELS = 30
MOST_PAIRS = 30
WIDEST_TEXT = 60
WIDEST_MARKS = 40


def span_document(report: SpanReport) -> Document:
    """The whole report."""
    every = report.coefficients
    numbers = (_coefficients(report, every), *_notes(report, every), *_conventions(report), *_chart(report))
    sections = (
        Section(title="Coefficients", blocks=numbers),
        Section(title="Labels", blocks=tuple(_labels(report))),
        Section(title="Coders", blocks=(_counts(report), *_pairs(report))),
        Section(title="Disagreements", blocks=tuple(_places(report, MOST_PLACES))),
        _methods(report),
    )
    kept = [section for section in sections if section.blocks]
    return Document.of("Agreement on spans", QUESTION, report.sentences, kept, warnings=report.warnings)


def brief_spans_document(report: SpanReport) -> Document:
    """What fits a screen."""
    names = [name for name in BRIEF if name in report.coefficients] or list(report.coefficients)
    more = Paragraph(
        text="More: --full for all tables, -o report.html for a page, --disagreements FILE for all places."
    )
    pairs = tuple(_pairs(report)) if report.reference is not None else ()
    undefined = _notes(report, [name for name in names if not report.coefficients[name].defined])
    blocks = (_coefficients(report, names), *undefined, *pairs, *_places(report, BRIEF_PLACES), more)
    section = Section(title="Agreement on spans", blocks=blocks)
    return Document.of("Agreement on spans", QUESTION, report.sentences, (section,), warnings=report.warnings)


def span_table(report: SpanReport) -> pl.DataFrame:
    """Every coefficient, and every label of those that have them, one row each."""
    rows = []
    for name, whole in report.coefficients.items():
        each: list[tuple[str | None, SpanCoefficient | CategoryCoefficient]] = [(None, whole)]
        for label, one in (*each, *(whole.by_category or {}).items()):
            columns = ("value", "observed", "expected", "standard_error", "interval", "note")
            rows.append({"coefficient": name, "label": label, **table_row(one, *columns)})
    numbers = dict.fromkeys(("value", "observed", "expected", "standard_error", "low", "high"), pl.Float64)
    texts = dict.fromkeys(("label", "note"), pl.String)
    return pl.DataFrame(rows, schema_overrides={**numbers, **texts}, infer_schema_length=None)


def span_disagreement_table(report: SpanReport) -> pl.DataFrame:
    """Every place where coders differ, one column per coder."""
    rows = [
        {
            "document": place.document,
            "start": place.start,
            "end": place.end,
            "kind": place.kind,
            "text": place.text,
            **{coder: _marked(place, coder) for coder in report.data.coders},
        }
        for place in report.disagreements
    ]
    texts = dict.fromkeys(("document", "kind", "text", *report.data.coders), pl.String)
    schema = {"document": pl.String, "start": pl.Int64, "end": pl.Int64, **texts}
    return pl.DataFrame(rows, schema=schema)


def _marked(place: Disagreement, coder: str) -> str | None:
    """What a coder marked, nothing as a dash, and empty where the coder did not read the document."""
    return None if coder not in place.marks else "; ".join(place.marks[coder]) or "–"


def _coefficients(report: SpanReport, names: Any) -> Table:
    rows = [
        (one.title, one.value, _ends(one), one.observed, None if one.coefficient.startswith("f1") else one.expected)
        for one in (report.coefficients[name] for name in names)
    ]
    size = f"{count_noun(report.data.documents, 'document')}, {len(report.data.coders)} coders"
    caption = f"Agreement on {count_noun(report.data.spans, 'span')} ({size})"
    return Table.of(caption, ("coefficient", "value", f"{report.level:.0%} interval", "observed", "expected"), rows)


def _notes(report: SpanReport, names: Iterable[str]) -> list[Block]:
    """Notes, each once."""
    notes = dict.fromkeys(report.coefficients[name].note for name in names)
    return [Paragraph(text=note) for note in notes if note]


def _conventions(report: SpanReport) -> list[Block]:
    """How a coefficient that has several forms was computed."""
    each = (one for one in report.coefficients.values() if one.convention and one.defined)
    return [Paragraph(text=f"{one.title}: {one.convention}.") for one in each]


def _chart(report: SpanReport) -> tuple[Chart, ...]:
    rows = [_dot(one) for one in report.coefficients.values() if one.defined]
    if not rows:
        return ()
    caption = f"Each coefficient with its {report.level:.0%} interval. 0 is what chance would give, except for F1."
    return (Chart(specification=dots(rows, "value"), caption=caption),)


def _ends(one: SpanCoefficient | CategoryCoefficient) -> list[float] | None:
    """The interval as a cell; nothing where there is none."""
    return None if one.interval.low != one.interval.low else list(one.interval)


def _dot(one: SpanCoefficient) -> dict[str, Any]:
    low, high = (None if end != end else end for end in one.interval)
    return {"label": one.title, "value": one.value, "low": low, "high": high}


def _labels(report: SpanReport) -> list[Block]:
    """The coefficients of every label, side by side."""
    having = [one for one in report.coefficients.values() if one.by_category]
    if not having:
        return []
    rows = []
    for label in report.data.labels[:MOST_LABELS]:
        cells: list[Any] = []
        for one in having:
            coefficient = (one.by_category or {})[label]
            cells += [coefficient.value, _ends(coefficient)]
        rows.append((label, sum(counts[label] for counts in report.data.counts.values()), *cells))
    columns = ["label", "spans"]
    for one in having:
        columns += [one.title, "interval"]
    return [Table.of("Agreement by label", columns, rows), *_rare_labels(report, having)]


def _rare_labels(report: SpanReport, having: list[SpanCoefficient]) -> list[Block]:
    """Which labels are in too few documents for their intervals; nothing where all documents are too few."""
    rare = [
        label
        for label in report.data.labels[:MOST_LABELS]
        if any((one.by_category or {})[label].trusted is False for one in having)
    ]
    if not rare or report.data.documents < ENOUGH_DOCUMENTS:
        return []
    text = f"Labels in fewer than {ENOUGH_DOCUMENTS} documents: {join_words(rare)}. Their intervals may be too narrow."
    return [Paragraph(text=text)]


def _counts(report: SpanReport) -> Table:
    labels = report.data.labels[:MOST_LABELS]
    rows = [
        (coder, sum(counts.values()), *(counts[label] for label in labels))
        for coder, counts in report.data.counts.items()
    ]
    return Table.of("Spans of each coder", ("coder", "spans", *labels), rows[:MOST_PAIRS])


def _pairs(report: SpanReport) -> list[Block]:
    """Every two coders, or every coder against the reference, each figure with its interval."""
    figures = {"f1_exact": "F1 (exact)", "f1_overlap": "F1 (overlap)", "token_kappa": "token-level kappa"}
    who: tuple[str, ...] = ("coder", "coder")
    caption = "Every two coders"
    if report.reference is not None:
        figures = {"precision": "precision", "recall": "recall", **figures}
        who, caption = ("coder",), f"Every coder against {report.reference}"
    rows = [
        (
            *one.coders[-len(who) :],
            one.documents,
            title,
            getattr(one, name),
            list(one.intervals[name]) if name in one.intervals else None,
        )
        for one in report.pairs[:MOST_PAIRS]
        for name, title in figures.items()
    ]
    columns = (*who, "documents", "figure", "value", f"{report.level:.0%} interval")
    few = any(one.trusted is False for one in report.pairs)
    enough = report.data.documents >= ENOUGH_DOCUMENTS
    caution = f"Intervals of coders with spans in fewer than {ENOUGH_DOCUMENTS} documents in common may be too narrow."
    return [Table.of(caption, columns, rows), *([Paragraph(text=caution)] if few and enough else [])]


def _places(report: SpanReport, most: int) -> list[Block]:
    if not report.disagreements:
        return []
    has_text = any(place.text is not None for place in report.disagreements)
    rows = [
        (
            place.document,
            f"{place.start}–{place.end}",
            *((_cut(place.text or "", WIDEST_TEXT),) if has_text else ()),
            place.kind,
            *(_cut(_marked(place, coder) or "(not read)", WIDEST_MARKS) for coder in report.data.coders),
        )
        for place in report.disagreements[:most]
    ]
    total = len(report.disagreements)
    which = f"The first {most} of {total:,} places where coders differ" if total > most else "Where coders differ"
    columns = ("document", "place", *(("text",) if has_text else ()), "about", *report.data.coders)
    return [Table.of(which, columns, rows)]


def _cut(text: str, width: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def _methods(report: SpanReport) -> Section:
    rows = [SPAN_MEASURES[name] for name in report.coefficients if name in SPAN_MEASURES]
    formulas = [method(row.title, row.function, row.reference) for row in rows]
    if report.bootstrap:
        formulas.append(Formula(name="Intervals", words=INTERVALS, reference=citation("hesterberg2015")))
    return Section(title="Methods", blocks=tuple(formulas), is_methods=True)


PRESENTERS: Presenters = (Presenter(SpanReport, span_document, span_table),)
