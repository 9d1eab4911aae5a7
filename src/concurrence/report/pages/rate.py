"""How many of a list are true, as a document: the answer, what it rests on, the judges."""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from concurrence.core.results import Interval
from concurrence.core.values import to_json
from concurrence.prevalence.latent import LatentReport
from concurrence.prevalence.results import EstimatedShare, JudgeQuality, RateReport
from concurrence.report.pages.procedures import procedures
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.charts import finished, forest
from concurrence.report.render.document import Block, Chart, Document, Paragraph, Section, Table

QUESTION = "How many of the list are true?"
TITLES = {
    "rate": "to report",
    "people_only": "people alone",
    "naive": "the judge alone",
    "rogan_gladen": "the judge, corrected (Rogan & Gladen)",
}


def rate_document(report: RateReport) -> Document:
    """The answer, the estimates side by side, what the judge said and people found."""
    sections = [
        Section(title="Estimates", blocks=(_estimates(report), *_chart(report), *_notes(report))),
        Section(title="What the judge said, and what people found", blocks=tuple(_classes(report))),
        Section(title="Judges", blocks=tuple(_judges(report))),
        Section(title="Methods", blocks=tuple(procedures(_methods(report))), is_methods=True),
    ]
    with_blocks = tuple(section for section in sections if section.blocks)
    return Document.of("Rate", QUESTION, report.sentences, with_blocks, warnings=report.warnings)


def latent_document(report: LatentReport) -> Document:
    """The rates of the parts and the errors of the judges."""
    parts = [(name, report.candidates[name], one.value, one.interval) for name, one in report.parts.items()]
    shares = {name: (judge.sensitivity, judge.specificity) for name, judge in report.judges.items()}
    errors = [(name, se.value, se.interval, sp.value, sp.interval) for name, (se, sp) in shares.items()]
    level = f"{report.level:.0%} interval"
    judged = ("judge", "sensitivity", level, "specificity", level)
    fit = [("deviance", report.deviance), ("degrees of freedom", report.degrees_of_freedom), ("p", report.p_value)]
    sections = (
        Section(title="Rates", blocks=(_table("Rate of each part", ("part", "candidates", "rate", level), parts),)),
        Section(title="Judges", blocks=(_table("Errors of the judges", judged, errors),)),
        Section(title="Fit", blocks=(_table("Does the model fit?", ("", "value"), fit),)),
        Section(title="Methods", blocks=tuple(procedures(["latent_classes"])), is_methods=True),
    )
    return Document.of("Rate", QUESTION, report.sentences, sections, warnings=report.warnings)


def rate_table(report: RateReport) -> pl.DataFrame:
    """The estimates as a frame."""
    return pl.DataFrame(
        [_record(name, *estimate) for name, estimate in _values(report).items()], infer_schema_length=None
    )


def latent_table(report: LatentReport) -> pl.DataFrame:
    """The estimates as a frame."""
    rows = [_record("rate", report.rate, report.interval)]
    rows += [_record(f"rate {name}", one.value, one.interval) for name, one in report.parts.items()]
    for name, one in report.judges.items():
        for what, share in (("sensitivity", one.sensitivity), ("specificity", one.specificity)):
            rows.append(_record(f"{what} {name}", share.value, share.interval))
    return pl.DataFrame(rows, infer_schema_length=None)


def _table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table whose cells are as JSON has them."""
    return Table.of(caption, columns, [[to_json(cell) for cell in row] for row in rows])


def _record(name: str, value: float, interval: Interval | None) -> dict[str, Any]:
    low, high = (None, None) if interval is None else interval
    return {
        "estimate": name,
        "value": _number(value),
        "low": _number(low),
        "high": _number(high),
    }


def _number(value: float | None) -> float | None:
    return None if value is None or value != value else value


def _values(report: RateReport) -> dict[str, tuple[float, Interval | None]]:
    """The estimates that there are, each with its interval."""
    estimates: dict[str, tuple[float, Interval | None]] = {"rate": (report.rate, report.interval)}
    for name in ("people_only", "rogan_gladen"):
        one: EstimatedShare | None = getattr(report, name)
        if one is not None:
            estimates[name] = (one.value, one.interval)
    return {**estimates, "naive": (report.naive.value, None)}


def _estimates(report: RateReport) -> Table:
    rows = [(TITLES[name], value, interval) for name, (value, interval) in _values(report).items()]
    return _table("How many are true", ("estimate", "share", f"{report.level:.0%} interval"), rows)


def _notes(report: RateReport) -> list[Paragraph]:
    notes = [] if report.rogan_gladen is None else [report.rogan_gladen.note]
    texts = {str(sentence) for sentence in report.sentences}
    return [Paragraph(text=note) for note in notes if note and note not in texts]


def _chart(report: RateReport) -> tuple[Chart, ...]:
    """The estimates on one axis; the judge alone has no interval."""
    rows = [
        {"label": TITLES[name], "value": value, **({} if ends is None else {"low": ends.low, "high": ends.high})}
        for name, (value, ends) in _values(report).items()
        if value == value
    ]
    if len(rows) < 2 or report.method == "census":
        return ()
    spec = finished(forest(rows, "share that is true", reference=None, form=".1%", tick="%", width=420))
    return (Chart(caption="The estimates and their intervals", specification=spec),)


def _classes(report: RateReport) -> list[Block]:
    if not report.classes:
        return []
    in_strata = any(one.stratum for one in report.classes)
    columns = (*(("stratum",) if in_strata else ()), "the judge said", "candidates", "judged", "true", "share")
    rows = [
        (*((one.stratum,) if in_strata else ()), one.verdict, one.size, one.judged, round(one.true), one.share)
        for one in report.classes
    ]
    return [_table("Verdicts of the judge, and people's judgements of them", columns, rows)]


def _judges(report: RateReport) -> list[Block]:
    own = {} if report.rogan_gladen is None else {"".join(report.data.judges[:1]): _own(report)}
    rows = [
        (
            name,
            one.naive.value,
            one.sensitivity,
            one.sensitivity_interval,
            one.specificity,
            one.specificity_interval,
            one.rogan_gladen.value,
        )
        for name, one in (report.judges or own).items()
        if one is not None
    ]
    level = f"{report.level:.0%} interval"
    columns = ("judge", "says", "sensitivity", level, "specificity", level, "corrected")
    return [_table("Judges against people", columns, rows)] if rows else []


def _own(report: RateReport) -> JudgeQuality | None:
    """The only judge's quality, which stands in the report itself."""
    if report.sensitivity_interval is None or report.specificity_interval is None or report.rogan_gladen is None:
        return None
    return JudgeQuality(
        naive=report.naive,
        sensitivity=report.sensitivity,
        specificity=report.specificity,
        sensitivity_interval=report.sensitivity_interval,
        specificity_interval=report.specificity_interval,
        rogan_gladen=report.rogan_gladen,
    )


def _methods(report: RateReport) -> list[str]:
    corrected = ["rogan_gladen"] if report.rogan_gladen is not None else []
    own = report.method if report.method in ("prior_posterior_ratio", "rogan_gladen") else f"rate_{report.method}"
    return list(dict.fromkeys([own, *corrected]))


PRESENTERS: Presenters = (
    Presenter(RateReport, rate_document, rate_table),
    Presenter(LatentReport, latent_document, latent_table),
)
