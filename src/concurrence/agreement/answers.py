"""What a person would say first of a study: the same words on the terminal, on a page and in a notebook."""

from math import isnan
from typing import TYPE_CHECKING

from concurrence.agreement.true_agreement import NOTHING_FITS, TrueAgreement
from concurrence.core.shown import shown

if TYPE_CHECKING:
    from concurrence.agreement.results import AgreementReport, GroupedReport

LEADING = ("cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha")


def answer(report: "AgreementReport") -> tuple[str, ...]:
    """How well the coders agree: the opening of the diagnosis, one coefficient, true agreement."""
    certainty = report.certainty()
    if certainty is not None:
        told = certainty.diagnosis.sentences[: certainty.diagnosis.opening]
        return (*told, *_leading(report), *_true_sentence(report.true_agreement))
    data = report.data
    coders = "Counted labels" if data.anonymous else f"{len(data.coders)} coders"
    agreed = report.coefficients.get("percent_agreement")
    if agreed is None or isnan(agreed.value):
        opening = f"{coders} and {data.items:,} items: nothing can be compared."
    else:
        opening = f"{coders} agree on {agreed.value:.1%} of {agreed.n_items:,} items."
        opening = opening.replace("Counted labels agree", "The labels agree")
    sentences = [opening, *_leading(report), *_true_sentence(report.true_agreement)]
    if data.dropped:
        sentences.append(f"{data.dropped:,} items have fewer than two labels and were left out.")
    return tuple(sentences)


def grouped_answer(grouped: "GroupedReport") -> str:
    """How well the coders agree on average over the groups."""
    kept = grouped.leading
    parts = [f"{shown(grouped.mean[name], digits=3)} ({name})" for name in kept if name != "percent_agreement"]
    agreed = f"{grouped.mean['percent_agreement']:.1%}" if "percent_agreement" in kept else "none"
    sentence = f"In {len(grouped.groups)} groups the coders agree on {agreed} of the items; mean coefficients are "
    return f"{sentence}{', '.join(parts) or 'undefined'}."


def _leading(report: "AgreementReport") -> list[str]:
    order = LEADING if report.data.scale == "nominal" else ("krippendorff_alpha", *LEADING)
    known = [report.coefficients[name] for name in order if name in report.coefficients]
    found = next((one for one in known if not isnan(one.value)), None)
    if found is None:
        return [one.note for one in known if one.note][:1]
    certainty = report.certainty()
    # the opening of the diagnosis speaks of the interval that can be trusted; so must this sentence
    few = certainty is not None and found.coefficient in certainty.posterior and not found.resampled
    low, high = certainty.posterior[found.coefficient] if certainty and few else found.confidence_interval()
    said = f"Beyond chance, {found.title} is {found.value:.3f}"
    if isnan(low) or found.standard_error == 0:
        return [f"{said}; so few or so uniform items say nothing of how sure that is."]
    why = " (a posterior interval, since the data are few)" if few else ""
    return [f"{said}; with {report.level:.0%} confidence the true value lies between {low:.3f} and {high:.3f}{why}."]


def _true_sentence(found: TrueAgreement | None) -> list[str]:
    if found is None:
        return []
    if found.homogeneity is None:
        return [f"By the dual model, {NOTHING_FITS}."]
    low, high = found.homogeneity
    return [f"True agreement, not coincidence, accounts for {low:.1%} to {high:.1%} of the items."]
