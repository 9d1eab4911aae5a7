"""How sure one can be of an agreement report: as JSON, and as sections of its document."""

from math import isnan
from typing import Any

import numpy as np

from concurrence.agreement.certainty import Certainty
from concurrence.agreement.diagnosis import Diagnosis
from concurrence.agreement.results import Agreement, PairAgreement
from concurrence.agreement.scales import METHODS, SCALES
from concurrence.core import Interval
from concurrence.report.document import Paragraph, Section, Table

MOST_CATEGORIES = 20


def certainty_json(found: Certainty) -> dict[str, Any]:
    """The keys that stand beside the coefficients in ``concur agree --json``."""
    return {
        "categories": {
            name: {
                "count": entry.count,
                "share": entry.share,
                "specific_agreement": entry.specific_agreement,
                "kappa": entry.kappa,
            }
            for name, entry in found.categories.items()
        },
        "diagnosis": _diagnosis(found.diagnosis),
        "leave_one_out": list(found.diagnosis.leave_one_out),
        "spearman": _spearman(found.diagnosis),
        "scales": found.scales,
        "scales_method": {"name": found.scales_method, "words": METHODS[found.scales_method]},
        "scale_bands": {scale.name: {band.name: str(band) for band in scale.bands} for scale in SCALES.values()},
        "warnings": list(found.warnings),
    }


def coefficient_certainty(entry: Agreement, found: Certainty | None) -> dict[str, Any]:
    """What a coefficient's block says of its interval: trust, the posterior one, the bootstrap."""
    payload: dict[str, Any] = {}
    if found is not None and not isnan(entry.value):
        posterior = found.posterior.get(entry.coefficient)
        payload["interval_trusted"] = entry.interval_method == "exact" or found.diagnosis.trust.analytic
        payload["posterior_interval"] = None if posterior is None else [posterior.low, posterior.high]
    if entry.resampled is not None:
        one = entry.resampled
        payload["bootstrap"] = {
            "draws": one.draws,
            "undefined": one.undefined,
            "standard_error": one.standard_error,
            "percentile": list(one.percentile),
            "bca": list(one.bca),
            "jackknife_error": one.jackknife_error,
        }
    return payload


def note_on(entry: Agreement, found: Certainty | None) -> str | None:
    """The coefficient's own note, or else the warning that its analytic interval cannot be trusted."""
    if entry.note is not None or found is None or entry.interval_method in (None, "exact", "bootstrap_bca"):
        return entry.note
    return found.diagnosis.trust.sentence


def pair_json(pair: PairAgreement) -> dict[str, Any]:
    """Two coders: counts, proportions and marginals, rows the first coder."""
    payload: dict[str, Any] = {
        "coders": pair.coders,
        "items": pair.items,
        "percent_agreement": pair.percent_agreement,
        "cohen_kappa": pair.cohen_kappa,
        "scott_pi": pair.scott_pi,
        "confusion": pair.confusion,
    }
    if pair.confusion is None:
        return payload
    shares = pair.confusion / max(int(pair.confusion.sum()), 1)
    marginals = {"first": shares.sum(axis=1), "second": shares.sum(axis=0)}
    return {**payload, "proportions": shares, "marginals": marginals}


def certainty_sections(found: Certainty, coefficients: dict[str, Agreement]) -> list[Section]:
    """The diagnosis in sentences, the categories, the words of the scales."""
    reasons = found.diagnosis.sentences[found.diagnosis.opening :]
    sections = [Section(title="Where it comes from", blocks=tuple(map(_paragraph, reasons)))]
    if 2 <= len(found.categories) <= MOST_CATEGORIES:
        sections.append(Section(title="Categories", blocks=(_categories(found), *_confused(found))))
    if found.diagnosis.homogeneity:
        sections.append(Section(title="Same habits?", blocks=(_homogeneity(found.diagnosis),)))
    if found.diagnosis.leave_one_out:
        sections.append(Section(title="Without each coder", blocks=(_left_out(found.diagnosis),)))
    if found.posterior:
        sections.append(Section(title="Intervals for small samples", blocks=(_posterior(found, coefficients),)))
    if words := _scales(found):
        warned = (Paragraph(text=text, warning=True) for text in found.warnings)
        method = Paragraph(text=METHODS[found.scales_method])
        sections.append(Section(title="Words for the figure", blocks=(words, *warned, method)))
    return sections


def _paragraph(sentence: str) -> Paragraph:
    return Paragraph(text=sentence, warning="cannot be trusted" in sentence)


def _diagnosis(found: Diagnosis) -> dict[str, Any]:
    indices = found.indices
    return {
        "prevalence_index": None if indices is None else indices.prevalence_index,
        "bias_index": None if indices is None else indices.bias_index,
        "kappa_max": None if indices is None else indices.kappa_max,
        "positive_agreement": None if indices is None else indices.positive_agreement,
        "negative_agreement": None if indices is None else indices.negative_agreement,
        "three_numbers": None
        if indices is None
        else {
            "cohen_kappa": indices.cohen_kappa,
            "siegel_castellan_kappa": indices.siegel_castellan_kappa,
            "prevalence_adjusted_kappa": indices.prevalence_adjusted_kappa,
        },
        "homogeneity": list(found.homogeneity),
        "pattern": found.pattern,
        "leans": list(found.leans),
        "confused": list(found.confused),
        "interval_trusted": found.trust.analytic,
        "sentences": list(found.sentences),
    }


def _spearman(found: Diagnosis) -> dict[str, Any] | None:
    if found.spearman is None:
        return None
    rows = [{"coders": [a, b], "items": n, "value": value} for a, b, n, value in found.spearman.pairs]
    return {"mean": found.spearman.mean, "pairs": rows}


def _categories(found: Certainty) -> Table:
    rows = [(e.category, e.count, e.share, e.specific_agreement, e.kappa) for e in found.categories.values()]
    return Table.of(
        "Category by category: how often it was given, how often a second coder gives it too, kappa against the rest",
        ("category", "labels", "share", "specific agreement", "kappa"),
        rows,
    )


def _confused(found: Certainty) -> list[Table]:
    if len(found.categories) < 3 or not found.diagnosis.confused:
        return []
    rows = [(*entry.categories, entry.pairs, entry.share) for entry in found.diagnosis.confused[:5]]
    return [Table.of("Most confused", ("category", "category ", "pairs of labels", "share of disagreements"), rows)]


def _homogeneity(found: Diagnosis) -> Table:
    rows = [(t.name, t.statistic, t.degrees_of_freedom, t.p_value, t.note) for t in found.homogeneity]
    return Table.of("Do both use the categories equally often?", ("test", "chi-squared", "df", "p", "note"), rows)


def _left_out(found: Diagnosis) -> Table:
    rows = [(entry.coder, entry.value, entry.change) for entry in found.leave_one_out]
    name = found.leave_one_out[0].coefficient
    return Table.of(f"{name} without each coder", ("without", "value", "change"), rows)


def _posterior(found: Certainty, coefficients: dict[str, Agreement]) -> Table:
    rows = [
        (coefficients[name].title, coefficients[name].value, _ends(interval))
        for name, interval in found.posterior.items()
        if name in coefficients
    ]
    level = next(iter(found.posterior.values())).level
    return Table.of("Posterior intervals, to be trusted here", ("coefficient", "value", f"{level:.0%} interval"), rows)


def _scales(found: Certainty) -> Table | None:
    rows = []
    for scale in SCALES.values():
        shares = found.scales[scale.name].get(found.main)
        if shares:
            words = ", ".join(f"{name} {_share(p)}" for name, p in shares.items() if p >= 0.005)
            rows.append((scale.name, words))
    return Table.of(f"How probable is each word for {found.main}?", ("scale", "probabilities"), rows) if rows else None


def _share(probability: float) -> str:
    return f"{min(round(100 * probability), 100)} %"


def _ends(interval: Interval) -> list[float] | None:
    return None if np.isnan(interval.low) else [interval.low, interval.high]
