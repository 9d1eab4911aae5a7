"""One coefficient of a study with its error, intervals and tests, or the reason why it has no value.

Which interval to report is decided here and nowhere else: the bootstrap's if there is one, an exact one where
there is one, the analytic one where the data are enough for it, else the posterior one, if the patterns can be listed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, nan

import numpy as np

from concurrence.agreement.labels.coefficients.inference import (
    LOG_T,
    counts_single_labels,
    intervals,
    items_used,
    log_interval,
    no_contrast,
    reasons_for_doubt,
    standard_error,
    unmet_need,
)
from concurrence.agreement.labels.coefficients.many_pairs import many_pairs, pair_confusions
from concurrence.agreement.labels.coefficients.null_tests import null_tests
from concurrence.agreement.labels.coefficients.parts import (
    coefficient_parts,
    pairwise_kappas,
    sharing_pairs,
    value_of,
    values,
)
from concurrence.agreement.labels.coefficients.posterior import (
    POSTERIOR,
    draws_of_both,
    posterior_interval,
    posterior_weights,
)
from concurrence.agreement.labels.coefficients.resampled import Bootstrap, bootstrap_coefficients
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.coefficients.trust import interval_holds
from concurrence.agreement.labels.diagnosis.cautions import pairs_hold, sparse_pairs
from concurrence.agreement.labels.diagnosis.sentences import doubt
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import Agreement, PairAgreement
from concurrence.core import Interval, InvalidInputError, Labels
from concurrence.core.arrays import Reals
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow

CERTAIN = "The items do not vary, so the standard error is estimated as 0; that is not certainty."
MOST_CELLS = 1_000_000
"""Confusion tables of all pairs are kept up to this many cells; beyond, none is."""
LARGEST_TABLE = 100_000_000
"""Larger tables are refused even if an option asks for them."""
FEW_CODERS = 20
"""Coders whose confusion tables, or pairs in one of several groups, are given by default."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudyEvidence:
    """What intervals can rest on beside the analytic errors.

    ``doubts`` are reasons not to trust analytic intervals, ``posterior`` the study with all patterns and draws of how
    common they are, ``bootstraps`` what resampling found. Without ``tested``, chance is not tested.
    """

    level: float
    seed: int = 0
    doubts: tuple[str, ...] = ()
    posterior: tuple[LabelStudy, Reals] | None = None
    bootstraps: dict[str, Bootstrap] = field(default_factory=dict)
    tested: bool = True


def study_evidence(
    labels: Labels, study: LabelStudy, rows: Sequence[CoefficientRow], options: AgreeOptions
) -> StudyEvidence:
    """What intervals can rest on: the analytic errors, and the posterior or the bootstrap where needed."""
    study = study.on_shared_items()
    doubts = reasons_for_doubt(study)
    posterior = posterior_weights(study, seed=options.seed) if doubts else None
    if options.bootstrap == 0:
        return StudyEvidence(level=options.level, seed=options.seed, doubts=doubts, posterior=posterior)
    bootstraps = bootstrap_coefficients(
        label_study(labels, options, compress=True).on_shared_items(),
        [row for row in rows if options.pairs or row.pairs != "mean"],
        draws=options.bootstrap,
        level=options.level,
        seed=options.seed,
        progress=options.progress,
    )
    return StudyEvidence(
        level=options.level, seed=options.seed, doubts=doubts, posterior=posterior, bootstraps=dict(bootstraps)
    )


def assess_coefficient(
    row: CoefficientRow, study: LabelStudy, labels: Labels, evidence: StudyEvidence
) -> tuple[Agreement, Reals | None]:
    """The coefficient as a result, and the posterior draws of it where there are any.

    Items without labels of both have no part in a coefficient of two coders.
    """
    study = study.on_shared_items()
    note = unmet_need(row, study)
    parts = None if note else coefficient_parts(row, study, study.weights)
    estimate = nan if parts is None else float(value_of(row, parts))
    if parts is None or isnan(estimate):
        return _result(row, study, labels, evidence, note=note or no_contrast(row)), None
    error = standard_error(row, study, parts.influence)
    report = interval_to_report(row, study, estimate, error, evidence)
    method = "exact" if report.interval is None else report.interval.method
    in_doubt = evidence.doubts and method not in ("exact", "bootstrap_bca")
    note = str(doubt(evidence.doubts, method, trusted=bool(report.trusted))) if in_doubt else None
    if report.trusted is False and not evidence.doubts and row.pairs != "mean":
        note = f"In simulated studies of this size, the interval of {row.title} held the true value too rarely."
    if not np.isfinite(error):
        note = f"{row.title} rests on too few items for a standard error."
    elif error == 0:
        note = CERTAIN
    else:
        note = " ".join(filter(None, (note, counts_single_labels(row, study)))) or None
    mean, sd = row.pairs == "mean", None
    if mean:
        kappas = pairwise_kappas(study, study.weights)
        finite = kappas[np.isfinite(kappas)]
        sd = float(finite.std(ddof=1)) if len(finite) > 1 else nan
    result = _result(
        row,
        study,
        labels,
        evidence,
        note=note,
        value=estimate,
        parts=(nan, nan) if mean else (float(parts.observed), float(parts.expected)),
        error=error,
        intervals=report.every,
        trusted=report.trusted,
        sd=sd,
    )
    return result, report.draws


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReportedInterval:
    """The interval to report, whether it is trusted, all by their method, and the posterior draws of the value."""

    interval: Interval | None
    trusted: bool | None
    every: dict[str, Interval]
    draws: Reals | None


def interval_to_report(
    row: CoefficientRow, study: LabelStudy, estimate: float, error: float, evidence: StudyEvidence
) -> ReportedInterval:
    """The interval of a coefficient that the reader is told, and whether it has been shown to hold."""
    costly = row.pairs == "mean" and study.many_coders  # the pairs of every draw would be counted one by one
    draws = None if evidence.posterior is None or costly else values(row, *evidence.posterior)
    every = _order_intervals(row, study, estimate, error, draws, evidence)
    first = next(iter(every.values()), None)
    trusted = None
    if first is not None:
        trusted = interval_holds(row, first.method, study, doubts=bool(evidence.doubts))
        if row.pairs == "mean" and study.n_coders > 2:
            trusted = trusted and pairs_hold(study) and not any(sparse_pairs(study))
    return ReportedInterval(
        interval=first, trusted=trusted, every=every, draws=None if draws is None else draws_of_both(draws)
    )


def _order_intervals(
    row: CoefficientRow, study: LabelStudy, estimate: float, error: float, draws: Reals | None, evidence: StudyEvidence
) -> dict[str, Interval]:
    """All intervals by their method, the one to report first."""
    ends = intervals(row, study, estimate, error, evidence.level)
    if draws is not None:
        instead = {POSTERIOR: posterior_interval(study, draws, estimate, evidence.level)}
    else:
        skewed = log_interval(study, estimate, error, evidence.level) if evidence.doubts else None
        instead = {} if skewed is None else {LOG_T: skewed}
    ends = {**ends, **instead} if next(iter(ends), "") == "exact" else {**instead, **ends}
    if bootstrap := evidence.bootstraps.get(row.name):
        ends = {"bootstrap_bca": bootstrap.bca, **ends, "bootstrap_percentile": bootstrap.percentile}
    return ends


def _result(
    row: CoefficientRow,
    study: LabelStudy,
    labels: Labels,
    evidence: StudyEvidence,
    *,
    note: str | None,
    value: float = nan,
    parts: tuple[float, float] = (nan, nan),
    error: float = nan,
    intervals: dict[str, Interval] | None = None,
    trusted: bool | None = None,
    sd: float | None = None,
) -> Agreement:
    possible = row.coders != "two" or study.n_coders == 2
    used = int(items_used(row, study)) if possible else 0
    method = next(iter(intervals or {}), None)
    nowhere = Interval(low=nan, high=nan, level=evidence.level, method="none")
    tests = () if isnan(value) or not evidence.tested else null_tests(row, study, value, error, seed=evidence.seed)
    return Agreement(
        coefficient=row.name,
        title=row.title,
        synonyms=row.synonyms,
        value=value,
        observed=parts[0],
        expected=parts[1],
        measures=row.measures,
        standard_error=error,
        interval=intervals[method] if intervals and method else nowhere,
        interval_method=method,
        trusted=trusted,
        intervals=intervals or {},
        level=evidence.level,
        p_value=tests[0].p_value if tests else nan,
        p_value_method=tests[0].method if tests else None,
        p_value_side="two-sided",
        tests=tests,
        items=used,
        dropped=labels.n_items - used,
        convention=_convention(row, study, labels),
        note=note,
        sd=sd,
        bootstrap=None if isnan(value) else evidence.bootstraps.get(row.name),
    )


def left_out(row: CoefficientRow, study: LabelStudy, labels: Labels, evidence: StudyEvidence) -> Agreement:
    """The result of a coefficient that is not computed, with a note that says so."""
    note = f"{row.title} was left out, since pairs of coders were not asked for."
    return _result(row, study, labels, evidence, note=note)


def pair_agreements(labels: Labels, study: LabelStudy, *, confusion: bool, grouped: bool) -> tuple[PairAgreement, ...]:
    """Percent agreement, Cohen's kappa, Scott's pi and confusion of every two coders who share an item.

    By default, up to 20 coders have their confusion tables, and one of several groups has none; with more coders, such
    a group has no pairs at all, since a hundred words and two hundred coders would have two million.
    """
    if grouped and not confusion and labels.n_coders > FEW_CODERS:
        return ()
    places = sharing_pairs(study)
    few = labels.n_coders <= FEW_CODERS and len(places) * study.n_categories**2 <= MOST_CELLS
    keep = confusion or (few and not grouped)
    if keep:
        refuse_large_table(len(places) * study.n_categories**2, "Confusion tables of all categories")
    if study.many_coders:
        totals = many_pairs(study, study.weights)
        columns = (totals.items, totals.observed, totals.kappas, totals.scott)
        figures = list(zip(*(column.tolist() for column in columns), strict=True))
        tables = list(pair_confusions(study)) if keep else []
    else:
        figures = [_pair_figures(study.only(*place)) for place in places]
        tables = [study.cross_table(*place).dense() for place in places] if keep else []
    pairs = []
    for number, (place, (items, observed, kappa, pi)) in enumerate(zip(places, figures, strict=True)):
        table = tables[number] if keep else None
        shares = None if table is None else table / max(int(table.sum()), 1)
        marginals = None if shares is None else {"first": shares.sum(axis=1), "second": shares.sum(axis=0)}
        pairs.append(
            PairAgreement(
                coders=(labels.coders[place[0]], labels.coders[place[1]]),
                items=int(items),
                percent_agreement=observed,
                cohen_kappa=kappa,
                scott_pi=pi,
                confusion=table,
                proportions=shares,
                marginals=marginals,
            )
        )
    return tuple(pairs)


def refuse_large_table(cells: int, what: str) -> None:
    """Refuse a table that would not fit into memory."""
    if cells > LARGEST_TABLE:
        raise InvalidInputError(f"{what} would have {cells:,} cells; the limit is {LARGEST_TABLE:,}.")


def _pair_figures(two: LabelStudy) -> tuple[float, float, float, float]:
    cohen = coefficient_parts(COEFFICIENTS["cohen_kappa"], two, two.weights)
    kappa = float(value_of(COEFFICIENTS["cohen_kappa"], cohen))
    pi = float(values(COEFFICIENTS["scott_pi"], two, two.weights))
    return two.n_complete, float(cohen.observed), kappa, pi


def _convention(row: CoefficientRow, study: LabelStudy, labels: Labels) -> str:
    """How labels were compared and weighed, in words."""
    if row.coders == "two" or (row.pairs == "both" and study.n_coders == 2):
        parts = ["items both coders labelled"]
    elif row.pairs == "mean":
        parts = ["each pair of coders on the items both labelled"]
    elif row.measures == "disagreement":
        parts = ["labels on items with at least two weigh equally"]
    else:
        parts = ["pairs of labels weigh equally" if study.convention == "pairs" else "items weigh equally (Gwet)"]
    if row.weighted and study.agreement_weights is not None:
        parts.append(study.agreement_weights.title)
    elif row.measures == "disagreement" and not row.weighted:
        parts.append(study.metric.title)
    if row.counts_categories:
        parts.append(f"{study.n_categories} categories {'declared' if labels.categories_declared else 'inferred'}")
    return "; ".join(parts)
