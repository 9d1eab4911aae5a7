"""An agreement report as the JSON that scripts rely on."""

from typing import Any

from concurrence.agreement.certainty import Certainty
from concurrence.agreement.results import (
    Agreement,
    AgreementReport,
    AgreementTable,
    ExpertRow,
    ExpertTable,
    GroupedReport,
    StudyData,
)
from concurrence.agreement.true_agreement import TrueAgreement
from concurrence.core import Interval
from concurrence.report.certainty import certainty_json, coefficient_certainty, note_on, pair_json


def report_json(report: AgreementReport | GroupedReport) -> dict[str, Any]:
    """The JSON of a report, grouped or not."""
    return agreement_json(report) if isinstance(report, AgreementReport) else grouped_json(report)


def agreement_json(report: AgreementReport) -> dict[str, Any]:
    """The keys of ``concur agree --json``."""
    certainty = report.certainty()
    payload: dict[str, Any] = {
        "data": _data(report.data),
        "coefficients": {name: coefficient_json(found, certainty) for name, found in report.coefficients.items()},
        "pairs": [pair_json(pair) for pair in report.pairs],
        "true_agreement": _true_agreement(report),
    }
    if report.expert is not None:
        payload["expert"] = _expert(report.expert)
    if report.agreement_table is not None:
        payload["agreement_table"] = _agreement_table(report.agreement_table)
    if certainty is not None:
        payload.update(certainty_json(certainty))
    payload["level"] = report.level
    payload["notes"] = list(report.notes)
    return payload


def grouped_json(grouped: GroupedReport) -> dict[str, Any]:
    """One report per group, the mean of each coefficient and the number of groups it is over."""
    return {
        "groups": {name: agreement_json(report) for name, report in grouped.groups.items()},
        "mean": grouped.mean,
        "mean_over": grouped.counted,
    }


def coefficient_json(found: Agreement, certainty: Certainty | None = None) -> dict[str, Any]:
    """One coefficient."""
    interval = found.confidence_interval()
    payload = {
        "value": found.value,
        "observed": found.observed,
        "expected": found.expected,
        "measures": found.measures,
        "standard_error": found.standard_error,
        "interval": [interval.low, interval.high],
        "interval_method": found.interval_method,
        "intervals": {method: list(found.confidence_interval(method=method)) for method in found.intervals_at},
        "level": found.level,
        "p_value": found.p_value,
        "p_value_method": found.p_value_method,
        "p_value_side": "two-sided",
        "tests": list(found.tests),
        "items": found.n_items,
        "dropped": found.n_dropped,
        "convention": found.convention,
        "note": note_on(found, certainty),
        **coefficient_certainty(found, certainty),
    }
    return payload if found.coefficient != "mean_pairwise_kappa" else {**payload, "sd": found.sd}


def true_agreement_json(found: TrueAgreement) -> dict[str, Any]:
    """One block of the dual model, as shares of n."""
    return {
        "estimate": found.estimate,
        "homogeneity": _bounds(found.homogeneity),
        "conservative": _bounds(found.conservative),
        "conservative_kappa": _bounds(found.conservative_kappa),
        "n": found.n_items,
        "table": found.table,
        "level": found.level,
        "note": found.note,
    }


def _data(data: StudyData) -> dict[str, Any]:
    return {
        "items": data.items,
        "coders": data.coders,
        "categories": data.categories,
        "labels": data.labels,
        "missing": data.missing,
        "dropped": data.dropped,
        "categories_declared": data.categories_declared,
        "anonymous": data.anonymous,
        "convention": data.convention,
        "scale": data.scale,
    }


def _true_agreement(report: AgreementReport) -> dict[str, Any] | None:
    if report.true_agreement is not None:
        return true_agreement_json(report.true_agreement)
    if report.true_agreement_by_category is not None:
        blocks = report.true_agreement_by_category.items()
        return {"by_category": {category: true_agreement_json(found) for category, found in blocks}}
    return None


def _expert(table: ExpertTable) -> dict[str, Any]:
    return {"coder": table.coder, "cuts": table.cuts, "rows": [_expert_row(row) for row in table.rows]}


def _expert_row(row: ExpertRow) -> dict[str, Any]:
    payload = {
        "coder": row.coder,
        "items": row.items,
        "cohen_kappa": row.cohen_kappa,
        "interval": [row.interval.low, row.interval.high],
        "homogeneity": _bounds(row.homogeneity),
        "conservative": _bounds(row.conservative),
        "size": row.size,
        "group": row.group,
        "note": row.note,
    }
    if row.by_category is None:
        return payload
    return {**payload, "by_category": {name: true_agreement_json(found) for name, found in row.by_category.items()}}


def _agreement_table(table: AgreementTable) -> dict[str, Any]:
    return {"items": [str(item) for item in table.items], "categories": table.categories, "counts": table.counts}


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    if interval is None:
        return {"low": None, "high": None}
    return {"low": interval.low, "high": interval.high}
