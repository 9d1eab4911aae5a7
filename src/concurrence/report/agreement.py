"""An agreement report as a document: the answer in sentences, then tables."""

from math import isnan
from typing import Any

from concurrence.agreement.results import Agreement, AgreementReport, ExpertTable, GroupedReport, PairAgreement
from concurrence.core.shown import shown
from concurrence.report.agreement_chart import group_chart, interval_chart
from concurrence.report.certainty import certainty_sections
from concurrence.report.document import Document, Paragraph, Section, Table
from concurrence.report.methods import methods_section
from concurrence.report.procedures import procedures

QUESTION = "How well do the coders agree, and how sure can one be of it?"
MOST_SHOWN = 12


def report_document(report: AgreementReport | GroupedReport) -> Document:
    """The document of a report, grouped or not."""
    return agreement_document(report) if isinstance(report, AgreementReport) else grouped_document(report)


def agreement_document(report: AgreementReport) -> Document:
    """The report of one set of labels."""
    chart = interval_chart(report)
    drawn = () if chart is None else (chart,)
    sections = [Section(title="Coefficients", blocks=(_coefficients(report), *_undefined(report), *drawn))]
    if tables := _confusions(report):
        sections.append(Section(title="Who said what", blocks=tuple(tables)))
    if table := _true_agreement(report):
        sections.append(Section(title="True agreement", blocks=(table, *_true_notes(report))))
    if report.expert is not None:
        sections.append(Section(title="Against the expert", blocks=(_expert(report.expert, report.level),)))
    certainty = report.certainty()
    if certainty is not None:
        meaning, *rest = certainty_sections(certainty, report.coefficients)
        sections = [meaning, *sections, *rest]
    sections.append(_methods(report))
    return Document(title="Agreement", question=QUESTION, answer=report.sentences, sections=tuple(sections))


def _methods(report: AgreementReport) -> Section:
    """The formulas of the coefficients that have a value, and of the intervals around them."""
    defined = [name for name, found in report.coefficients.items() if not isnan(found.value)]
    used = {report.coefficients[name].interval_method or "" for name in defined}
    if report.true_agreement is not None or report.expert is not None:
        used.add("true_agreement")
    formulas = methods_section(coefficients=defined)
    return Section(title=formulas.title, blocks=(*formulas.blocks, *procedures(used)))


def grouped_document(grouped: GroupedReport) -> Document:
    """The reports of all groups as one table."""
    kept = grouped.leading
    rows: list[tuple[Any, ...]] = [
        (group, report.data.items, *(report[name].value for name in kept)) for group, report in grouped.groups.items()
    ]
    items = sum(report.data.items for report in grouped.groups.values())
    rows.append(("mean of groups", items, *(grouped.mean[name] for name in kept)))
    table = Table.of("Agreement by group", ("group", "items", *kept), rows)
    chart = group_chart(grouped, kept[-1]) if len(kept) > 1 else None
    section = Section(title="Groups", blocks=(table,) if chart is None else (table, chart))
    return Document(title="Agreement by group", question=QUESTION, answer=grouped.sentences, sections=(section,))


def _coefficients(report: AgreementReport) -> Table:
    columns = ("coefficient", "value", f"{report.level:.0%} interval", "error", "p", "observed", "expected", "items")
    rows = [_coefficient_row(found) for found in report.coefficients.values() if not isnan(found.value)]
    return Table.of("Coefficients", columns, rows)


def _coefficient_row(found: Agreement) -> tuple[Any, ...]:
    low, high = found.confidence_interval()
    spread = f" (sd {shown(found.sd, digits=3)})" if found.sd is not None and not isnan(found.sd) else ""
    return (
        found.title + spread,
        found.value,
        None if isnan(low) else [low, high],
        found.standard_error,
        "<.001" if found.p_value < 0.0005 else found.p_value,
        found.observed,
        found.expected if found.expected != 0 else None,
        found.n_items,
    )


def _undefined(report: AgreementReport) -> list[Paragraph]:
    """Why some coefficients have no value, the same reason once; and what alpha compared by."""
    reasons: dict[str, list[str]] = {}
    for found in report.coefficients.values():
        if found.note:
            reason = found.note.removeprefix(f"{found.coefficient} ").removeprefix("is ").removeprefix("has ")
            reasons.setdefault(reason, []).append(found.coefficient)
    said = [Paragraph(text=f"{', '.join(names)}: {reason}") for reason, names in reasons.items()]
    alpha = report.coefficients.get("krippendorff_alpha")
    if alpha is not None and not isnan(alpha.value):
        said.append(Paragraph(text=f"Alpha: {alpha.convention}; its observed and expected are disagreements."))
    return said


def _confusions(report: AgreementReport) -> list[Table]:
    if len(report.pairs) == 1 and report.pairs[0].confusion is not None and len(report.data.categories) <= MOST_SHOWN:
        return [_confusion(report.pairs[0], report.data.categories)]
    if len(report.pairs) < 2:
        return []
    few = len(report.pairs) <= 3 * MOST_SHOWN
    known = sorted((pair for pair in report.pairs if not isnan(pair.cohen_kappa)), key=lambda pair: pair.cohen_kappa)
    chosen = list(report.pairs) if few else [*known[: MOST_SHOWN // 2], *known[-MOST_SHOWN // 2 :]]
    caption = "Pairs of coders" if few else f"Pairs of coders: lowest and highest of {len(known):,} with a kappa"
    rows = [(*pair.coders, pair.items, pair.percent_agreement, pair.cohen_kappa, pair.scott_pi) for pair in chosen]
    return [Table.of(caption, ("coder", "coder ", "items", "agreement", "Cohen's kappa", "Scott's pi"), rows)]


def _confusion(pair: PairAgreement, categories: tuple[str, ...]) -> Table:
    counts = pair.confusion
    if counts is None:
        return Table.of("", (), ())
    rows = [(name, *map(int, row), int(row.sum())) for name, row in zip(categories, counts, strict=True)]
    rows.append(("all", *(int(x) for x in counts.sum(axis=0)), int(counts.sum())))
    caption = f"Who said what: rows coder {pair.coders[0]}, columns coder {pair.coders[1]}"
    return Table.of(caption, ("", *categories, "all "), rows)


def _true_agreement(report: AgreementReport) -> Table | None:
    columns = ("", "estimate", "homogeneity", "conservative", "conservative (kappa)")
    if report.true_agreement is not None:
        blocks = {"all items": report.true_agreement}
    else:
        blocks = report.true_agreement_by_category or {}
    if not blocks:
        return None
    rows = [
        (name, found.estimate, *map(_pair, (found.homogeneity, found.conservative, found.conservative_kappa)))
        for name, found in blocks.items()
    ]
    return Table.of(f"True agreement, shares of the items ({report.level:.0%} intervals)", columns, rows)


def _true_notes(report: AgreementReport) -> list[Paragraph]:
    found = report.true_agreement
    return [Paragraph(text=found.note, warning=True)] if found is not None and found.note else []


def _expert(table: ExpertTable, level: float) -> Table:
    columns = (
        "coder",
        "items",
        "Cohen's kappa",
        f"{level:.0%} interval",
        "homogeneity",
        "size",
        "conservative",
        "group",
    )
    rows = [
        (
            row.coder,
            row.items,
            row.cohen_kappa,
            _pair(row.interval),
            _pair(row.homogeneity),
            row.size,
            _pair(row.conservative),
            row.group,
        )
        for row in table.rows
    ]
    return Table.of(f"Every coder against {table.coder}", columns, rows)


def _pair(interval: Any) -> list[float] | None:
    if interval is None or isnan(interval.low):
        return None
    return [interval.low, interval.high]


def coefficient_table(report: "AgreementReport | GroupedReport") -> Any:
    """The coefficients as a frame, a row each; with a column for the group where there are groups."""
    import polars as pl

    if isinstance(report, AgreementReport):
        return pl.DataFrame([_record(found) for found in report.coefficients.values()], infer_schema_length=None)
    rows = [
        {"group": group, **_record(found)}
        for group, one in report.groups.items()
        for found in one.coefficients.values()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _record(found: Agreement) -> dict[str, Any]:
    low, high = found.confidence_interval()
    return {
        "coefficient": found.coefficient,
        "value": found.value,
        "observed": found.observed,
        "expected": found.expected,
        "standard_error": found.standard_error,
        "low": low,
        "high": high,
        "interval_method": found.interval_method,
        "p_value": found.p_value,
        "p_value_method": found.p_value_method,
        "items": found.n_items,
        "dropped": found.n_dropped,
        "convention": found.convention,
        "note": found.note,
    }
