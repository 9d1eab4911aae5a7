"""One coefficient of a study, with its error, interval and tests, or the reason why it has no value."""

from dataclasses import replace

import numpy as np

from concurrence.agreement import inference
from concurrence.agreement.coefficients import Coefficient
from concurrence.agreement.options import AgreeOptions
from concurrence.agreement.paired import pairwise_kappas
from concurrence.agreement.resampled import Resampled
from concurrence.agreement.results import Agreement
from concurrence.agreement.study import Study
from concurrence.core import Labels


def assess(
    row: Coefficient, study: Study, labels: Labels, options: AgreeOptions, resampled: Resampled | None = None
) -> Agreement:
    """The coefficient as a result; where it was resampled, the bootstrap gives the interval."""
    blank = _blank(row, study, labels, options)
    if blank.note:
        return blank
    observed, expected = (float(part) for part in row.parts(study, study.weights))
    value, error = float(row.values(study, study.weights)), row.standard_error(study)
    found = replace(
        blank,
        value=value,
        observed=observed,
        expected=expected,
        standard_error=error,
        tests=inference.null_tests(row, study, value, error),
        note=_caution(row, error),
    )
    if row.name == "mean_pairwise_kappa":
        kappas = pairwise_kappas(study, study.weights)
        known = kappas[np.isfinite(kappas)]
        sd = float(known.std(ddof=1)) if len(known) > 1 else float("nan")
        found = replace(found, observed=float("nan"), expected=float("nan"), sd=sd)
    intervals = inference.intervals(row, study, value, error)
    if resampled is None:
        return replace(found, intervals_at=intervals)
    return replace(found, intervals_at={"bootstrap_bca": resampled.bca_at, **intervals}, resampled=resampled)


def _blank(row: Coefficient, study: Study, labels: Labels, options: AgreeOptions) -> Agreement:
    """What can be said before anything is computed; the note says why nothing can be."""
    possible = row.coders != "two" or study.n_coders == 2
    used = int(row.items_used(study)) if possible else 0
    return Agreement(
        coefficient=row.name,
        title=row.title,
        value=float("nan"),
        observed=float("nan"),
        expected=float("nan"),
        measures=row.measures,
        n_items=used,
        n_dropped=int(study.n_items) - used,
        convention=_convention(row, study, labels),
        level=options.level,
        note=_left_out(row, options) or row.why_undefined(study),
    )


def _left_out(row: Coefficient, options: AgreeOptions) -> str | None:
    """What was not asked for is not computed, and says so."""
    if options.pairs or row.name != "mean_pairwise_kappa":
        return None
    return f"{row.name} was left out, since pairs of coders were not asked for."


def _convention(row: Coefficient, study: Study, labels: Labels) -> str:
    """How labels were compared and weighed, in words."""
    parts = []
    if row.coders == "two" or (row.name == "weighted_kappa" and study.n_coders == 2):
        parts.append("items both coders labelled")
    elif row.name == "mean_pairwise_kappa":
        parts.append("each pair of coders on the items both labelled")
    elif row.measures == "disagreement":
        parts.append("labels on items with at least two weigh equally")
    elif study.convention == "pairs":
        parts.append("pairs of labels weigh equally")
    else:
        parts.append("items weigh equally (Gwet)")
    if row.weighted and study.agreement_weights is not None:
        parts.append(study.agreement_weights.title)
    elif row.name == "krippendorff_alpha":
        parts.append(study.metric.title)
    if row.counts_categories:
        parts.append(f"{study.n_categories} categories {'declared' if labels.categories_declared else 'inferred'}")
    return "; ".join(parts)


def _caution(row: Coefficient, error: float) -> str | None:
    if not np.isfinite(error):
        return f"{row.name} rests on too few items for a standard error."
    if error == 0:
        return "The items at hand do not vary, so the standard error is estimated as 0; do not take it for certainty."
    return None
