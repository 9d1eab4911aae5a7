"""``agree``: everything about one set of labels, put together from the coefficient table and its kin."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from concurrence.agreement.assessment import assess
from concurrence.agreement.coefficients import COEFFICIENTS, coefficient
from concurrence.agreement.experts import MOST_CATEGORIES, expert_table, true_agreement_by_category
from concurrence.agreement.options import CUTS, AgreeOptions, study_of
from concurrence.agreement.pairs import pair_agreements
from concurrence.agreement.resampled import Resampled, bootstrap_coefficients
from concurrence.agreement.results import AgreementReport, AgreementTable, Evidence, GroupedReport, StudyData
from concurrence.agreement.study import Convention, Study, total
from concurrence.agreement.true_agreement import TrueAgreement
from concurrence.core import InvalidInputError, Labels


def agree(
    labels: Labels,
    *,
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    period: float | None = None,
    level: float = 0.95,
    coefficients: Sequence[str] | None = None,
    pairs: bool = True,
    expert: str | None = None,
    cuts: Sequence[float] = CUTS,
    agreement_table: bool = False,
    bootstrap: int = 0,
    seed: int = 0,
) -> AgreementReport:
    """How well the coders agree, and how sure one can be of it.

    ``scale`` is nominal, ordinal, interval, ratio or circular; ``weights`` a name (linear, quadratic, ordinal,
    masi, jaccard) or a square matrix of weights or distances; ``convention`` says whether ``items`` or
    ``pairs`` of labels weigh equally where labels are missing. ``coefficients`` picks some of the table;
    ``pairs=False`` leaves out all that goes through every two coders; ``bootstrap`` takes intervals from so many
    resamplings of the items.

    >>> from concurrence.core import Labels
    >>> report = agree(Labels.from_table([[40, 15], [20, 25]], categories=["yes", "no"]))
    >>> print(report["cohen_kappa"])
    cohen_kappa = 0.286 [0.097, 0.474] (95% CI, 100 items)
    >>> print(report.true_agreement)
    true agreement = 28.7% [9.0%, 44.0%] (95% CI, homogeneity, 100 items)
    """
    options = AgreeOptions(
        scale=scale,
        weights=weights,
        convention=convention,
        period=period,
        level=level,
        coefficients=coefficients,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        agreement_table=agreement_table,
        bootstrap=bootstrap,
        seed=seed,
    )
    return analyse(labels, options)


def analyse(labels: Labels, options: AgreeOptions) -> AgreementReport:
    """The report of one set of labels under given options."""
    study = study_of(labels, options)
    wanted = COEFFICIENTS if options.coefficients is None else options.coefficients
    rows = [coefficient(name) for name in wanted]
    overall, by_category = _true_agreement(labels, study, options)
    drawn = [row.name for row in rows if options.pairs or row.name != "mean_pairwise_kappa"]
    resampled = _resampled(labels, options, drawn)
    return AgreementReport(
        data=_data(labels, study, options),
        coefficients={row.name: assess(row, study, labels, options, resampled.get(row.name)) for row in rows},
        pairs=pair_agreements(labels, study) if _goes_through_pairs(labels, options) else (),
        true_agreement=overall,
        true_agreement_by_category=by_category,
        expert=None if options.expert is None else expert_table(labels, study, options.expert, options),
        agreement_table=_agreement_table(labels) if options.agreement_table else None,
        level=options.level,
        evidence=Evidence(labels=labels, study=study, scale=options.scale, seed=options.seed),
    )


def _resampled(labels: Labels, options: AgreeOptions, names: Sequence[str]) -> Mapping[str, Resampled]:
    if options.bootstrap == 0:
        return {}
    study = study_of(labels, options, compress=True)
    return bootstrap_coefficients(
        study,
        names,
        draws=options.bootstrap,
        level=options.level,
        seed=options.seed,
        progress=options.progress,
    )


def agree_by_group(labels: Labels, options: AgreeOptions | None = None) -> GroupedReport:
    """One analysis per group of items, such as a word, in the order in which groups first appear.

    A group is analysed as if it had been read alone: nominal categories that were not declared are those of the
    group, as the senses of a word are. Graded scales and weights are those of the whole.
    """
    options = options or AgreeOptions()
    if labels.groups is None:
        raise InvalidInputError("These labels have no groups; name the column with --by, or read them with by=.")
    names, first, where = np.unique(labels.groups, return_index=True, return_inverse=True)
    rows = np.split(np.argsort(where, kind="stable"), np.cumsum(np.bincount(where))[:-1])
    parts = {str(names[g]): labels.select_items(rows[g]) for g in np.argsort(first)}
    if options.scale == "nominal" and options.weights is None:
        parts = {name: part.alone(keeping=options.expert) for name, part in parts.items()}
    return GroupedReport(groups={name: analyse(part, options) for name, part in parts.items()})


def _goes_through_pairs(labels: Labels, options: AgreeOptions) -> bool:
    return options.pairs and options.coefficients is None and not labels.anonymous


def _data(labels: Labels, study: Study, options: AgreeOptions) -> StudyData:
    given = float(total(study.weights, study.sizes))
    cells = labels.codes.size
    return StudyData(
        items=labels.n_items,
        coders=labels.coders,
        categories=labels.categories,
        labels=int(given),
        missing=0 if labels.anonymous else cells - int(given),
        dropped=int(study.weights[~study.pairable].sum()),
        categories_declared=labels.categories_declared,
        anonymous=labels.anonymous,
        convention=options.convention,
        scale=options.scale,
    )


def _true_agreement(
    labels: Labels, study: Study, options: AgreeOptions
) -> tuple[TrueAgreement | None, dict[str, TrueAgreement] | None]:
    """The dual model for two coders: of two categories, or of each of more against the rest."""
    asked = options.coefficients is None and labels.n_coders == 2 and not labels.anonymous
    if not asked or not 2 <= len(labels.categories) <= MOST_CATEGORIES:
        return None, None
    decided = labels.categories[:1] if len(labels.categories) == 2 else labels.categories
    found = true_agreement_by_category(study, decided, level=options.level)
    if len(labels.categories) > 2:
        return None, found or None
    return found.get(labels.categories[0]), None


def _agreement_table(labels: Labels) -> AgreementTable:
    k = len(labels.categories)
    rows, columns = np.nonzero(labels.codes >= 0)
    cells = rows * k + labels.codes[rows, columns]
    counts = np.bincount(cells, minlength=labels.n_items * k).reshape(labels.n_items, k)
    return AgreementTable(items=labels.items, categories=labels.categories, counts=counts)
