"""Every coder against a chosen expert: the tables of the 2004 study as one."""

from math import nan

import numpy as np

from concurrence.agreement.labels.assess import StudyEvidence, assess_coefficient
from concurrence.agreement.labels.coefficients.inference import reasons_for_doubt
from concurrence.agreement.labels.coefficients.posterior import posterior_weights
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.dual.true_agreement import (
    MOST_CATEGORIES,
    Bounds,
    TrueAgreement,
    TrueAgreementByCategory,
    true_agreement_by_category,
)
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import ExpertRow, ExpertTable
from concurrence.core import InvalidInputError, Labels
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.kernels.digits import round_score


def expert_table(labels: Labels, study: LabelStudy, expert: str, options: AgreeOptions) -> ExpertTable:
    """Kappa and true agreement of each coder with the expert, best kappa first."""
    if labels.anonymous:
        raise InvalidInputError("These labels are counts without coders, so no coder can be the expert.")
    place = labels.coder_index(expert)
    others = [coder for coder in range(study.n_coders) if coder != place]
    rows = [_row(labels, study, place, coder, options) for coder in others]
    rows.sort(key=lambda row: -np.nan_to_num(round_score(row.cohen_kappa), nan=-np.inf))
    return ExpertTable(coder=expert, rows=tuple(rows), cuts=tuple(options.cuts))


def pair_evidence(two: LabelStudy, *, level: float, seed: int) -> StudyEvidence:
    """What the interval of two coders can rest on: the items both labelled."""
    both = two.on_shared_items()
    doubts = reasons_for_doubt(both)
    return StudyEvidence(level=level, doubts=doubts, posterior=posterior_weights(both, seed=seed) if doubts else None)


def _row(labels: Labels, study: LabelStudy, expert: int, coder: int, options: AgreeOptions) -> ExpertRow:
    two = study.only(expert, coder)
    evidence = pair_evidence(two, level=options.level, seed=options.seed)
    kappa, _ = assess_coefficient(COEFFICIENTS["cohen_kappa"], two, labels, evidence)
    truth = true_agreement_by_category(study.cross_table(expert, coder), labels.categories, level=options.level)
    single = truth if isinstance(truth, TrueAgreement) else None
    nowhere = Bounds(low=nan, high=nan)
    bounds = single.homogeneity if single else nowhere
    return ExpertRow(
        coder=labels.coders[coder],
        items=kappa.items,
        cohen_kappa=kappa.value,
        interval=kappa.interval,
        interval_method=kappa.interval_method,
        trusted=kappa.trusted,
        homogeneity=bounds,
        conservative=single.conservative if single else nowhere,
        size=bounds.width,
        group=None if bounds.empty else _group(bounds.low, tuple(options.cuts)),
        by_category=truth.by_category if isinstance(truth, TrueAgreementByCategory) else None,
        note=" ".join(filter(None, (kappa.note, single.note if single else _why_no_bounds(labels)))) or None,
    )


def _why_no_bounds(labels: Labels) -> str:
    if 2 < len(labels.categories) <= MOST_CATEGORIES:
        return "True agreement is a matter of yes and no: by_category has each category against the rest."
    return (
        f"True agreement is computed for 2 to {MOST_CATEGORIES} categories; these labels have {len(labels.categories)}."
    )


def _group(lower: float, cuts: tuple[float, ...]) -> str:
    """``G1`` above the first cut, and so on down.

    >>> [_group(bound, (0.68, 0.60, 0.51)) for bound in (0.72, 0.64, 0.52, 0.34)]
    ['G1', 'G2', 'G3', 'G4']
    """
    return f"G{1 + sum(lower <= cut for cut in cuts)}"
