"""Everything about one set of labels, computed and then frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan, nan
from typing import Any

import numpy as np

from concurrence.agreement.labels.against_expert import expert_table
from concurrence.agreement.labels.assess import (
    StudyEvidence,
    assess_coefficient,
    left_out,
    pair_agreements,
    refuse_large_table,
    study_evidence,
)
from concurrence.agreement.labels.coefficients.null_tests import OWN_ERROR, PERMUTATION
from concurrence.agreement.labels.coefficients.parts import coefficient_parts
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.diagnosis import scales, sentences
from concurrence.agreement.labels.diagnosis.categories import CategoryAgreement, category_agreement, extreme_categories
from concurrence.agreement.labels.diagnosis.cautions import label_cautions, steps_hint
from concurrence.agreement.labels.diagnosis.diagnose import (
    FEW_GRADES,
    MOST_CODERS,
    diagnose,
    left_out_values,
    mean_rank_correlation,
)
from concurrence.agreement.labels.dual.true_agreement import TrueAgreement, true_agreement_by_category
from concurrence.agreement.labels.grouped import grouped_report
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import (
    Agreement,
    AgreementReport,
    AgreementTable,
    GroupedReport,
    StudyData,
)
from concurrence.core import InvalidInputError, Labels
from concurrence.core.arrays import Reals
from concurrence.core.coder_kinds import coder_kinds
from concurrence.core.errors import option_or_keyword
from concurrence.core.numerals import parse_numbers
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow, coefficient

LEADING = ("cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha")


def analyse_labels(labels: Labels, options: AgreeOptions, *, grouped: bool = False) -> AgreementReport:
    """How well the coders agree, under these options; ``grouped`` if the labels are one group of several.

    >>> report = analyse_labels(Labels.from_table([[40, 15], [20, 25]], categories=["yes", "no"]), AgreeOptions())
    >>> print(report["cohen_kappa"])
    Cohen's kappa = 0.286 [0.097, 0.474] (95% CI, 100 items)
    >>> print(report.true_agreement)
    true agreement = 28.7% [9.0%, 44.0%] (95% CI, homogeneity, 100 items)
    """
    study = label_study(labels, options)
    rows = [coefficient(name) for name in options.coefficients or COEFFICIENTS]
    evidence = study_evidence(labels, study, rows, options)
    main = coefficient(main_coefficient(labels, options.scale))
    results, draws = _assess_all(labels, study, rows, evidence, pairs=options.pairs)
    main_result = results.get(main.name) or assess_coefficient(main, study, labels, evidence)[0]
    categories = category_agreement(study, labels.categories)
    facts = _facts(labels, study, main, main_result, categories, evidence.doubts, graded=options.scale != "nominal")
    few = not labels.anonymous and 3 <= labels.n_coders <= MOST_CODERS
    without_each = left_out_values(labels, study, main, level=options.level) if few else ()
    diagnosis = diagnose(labels, study, finely_graded=facts.finely_graded, interval_trusted=not evidence.doubts)
    opening, reasons = tuple(sentences.opening_sentences(facts)), sentences.reasons(facts, diagnosis, without_each)
    cautions = (
        () if labels.n_coders == 2 and len(labels.categories) < 6 else label_cautions(labels, study, main, options)
    )
    every, two = options.coefficients is None, labels.n_coders == 2 and not labels.anonymous
    table = study.cross_table() if every and two else None
    truth = None if table is None else true_agreement_by_category(table, labels.categories, level=options.level)
    first_names = dict.fromkeys((main.name, *LEADING, *(options.coefficients or ())))
    leading = [name for name in first_names if name in results and not isnan(results[name].value)]
    data = _data(labels, study, options)
    with_pairs = every and options.pairs and not labels.anonymous
    answer = (
        *opening,
        *_answer(results, leading, truth),
        sentences.read_sentence(labels, data.items),
        *steps_hint(labels, options),
    )
    words = scales.threshold_sentences(
        main.title, main_result.interval, {name: one.value for name, one in results.items()}
    )
    report = AgreementReport(
        data=data,
        coders={} if labels.anonymous else coder_kinds(labels.coders, labels.kinds),
        coefficients={name: one for one in results.values() for name in (one.coefficient, *one.synonyms)},
        leading=leading[0] if leading else main.name,
        pairs=pair_agreements(labels, study, confusion=options.confusion, grouped=grouped) if with_pairs else (),
        true_agreement=truth,
        categories=categories,
        diagnosis=replace(diagnosis, sentences=(*opening, *reasons)),
        leave_one_out=without_each,
        spearman=mean_rank_correlation(labels) if facts.distance is not None and labels.n_coders <= 100 else None,
        scales=_scales(results, draws),
        scales_method=scales.METHODS["dirichlet" if draws else "normal_truncated"],
        scale_bands={scale.name: {band.name: str(band) for band in scale.bands} for scale in scales.SCALES.values()},
        scales_sentences=words,
        level=options.level,
        seed=options.seed if draws or evidence.bootstraps or _is_permuted(results) else None,
        sentences=answer,
        apa=_apa(data, results, leading),
        warnings=(*getattr(labels, "warnings", ()), *cautions, *warnings_of((*answer, *reasons))),
        expert=None if options.expert is None else expert_table(labels, study, options.expert, options),
        agreement_table=_agreement_table(labels) if options.agreement_table else None,
    )
    return report if labels.set_separator is None and options.coder_groups is None else _more(report, labels, options)


def analyse_groups(labels: Labels, options: AgreeOptions) -> GroupedReport:
    """One analysis per group of items, in the order in which groups first appear.

    A group is analysed as if it had been read alone: nominal categories that were not declared are those of the
    group, as the senses of a word are. Graded scales and weights are those of the whole.
    """
    if labels.groups is None:
        raise InvalidInputError(
            f"These labels have no groups; name their column with {option_or_keyword('--by', 'by=')}."
        )
    if options.coder_groups is not None:
        both = option_or_keyword("--by or --coder-groups", "by= or coder_groups=")
        raise InvalidInputError(f"Groups of coders are compared over all items; leave out {both}.")
    names, first, where = np.unique(labels.groups, return_index=True, return_inverse=True)
    rows = np.split(np.argsort(where, kind="stable"), np.cumsum(np.bincount(where))[:-1])
    parts = {str(names[g]): labels.select_items(rows[g]) for g in np.argsort(first)}
    if options.scale == "nominal" and options.weights is None:
        parts = {name: part.alone(keeping=options.expert) for name, part in parts.items()}
    groups = {name: analyse_labels(part, options, grouped=True) for name, part in parts.items()}
    return grouped_report(groups, leading=LEADING, level=options.level, warnings=getattr(labels, "warnings", ()))


def main_coefficient(labels: Labels, scale: str) -> str:
    """The coefficient that the sentences speak of."""
    if scale != "nominal":
        return "krippendorff_alpha"
    return "cohen_kappa" if labels.n_coders == 2 and not labels.anonymous else "fleiss_kappa"


def _assess_all(
    labels: Labels, study: LabelStudy, rows: Sequence[CoefficientRow], evidence: StudyEvidence, *, pairs: bool
) -> tuple[dict[str, Agreement], dict[str, Reals]]:
    """The coefficients of these rows, and the posterior draws of those that have some."""
    results, draws = {}, {}
    for row in rows:
        if row.pairs == "mean" and not pairs:
            results[row.name] = left_out(row, study, labels, evidence)
            continue
        results[row.name], posterior = assess_coefficient(row, study, labels, evidence)
        if posterior is not None:
            draws[row.name] = posterior
    return results, draws


def _is_permuted(results: Mapping[str, Agreement]) -> bool:
    """Whether a p-value rests on random draws."""
    return any(one.p_value_method == PERMUTATION for one in results.values())


def _apa(data: StudyData, results: Mapping[str, Agreement], leading: Sequence[str]) -> str | None:
    """One sentence in the form of the APA, for a paper."""
    if not leading:
        return None
    one, row = results[leading[0]], coefficient(leading[0])
    named = f"{one.title.removesuffix(' kappa').removesuffix(' pi').removesuffix(' alpha')} {row.symbol}"
    value, low, high = (f"{x:.2f}".replace("0.", ".", 1) for x in (one.value, *one.interval))
    kind = "CrI" if one.interval_method == "posterior" else "CI"
    ends = "" if isnan(one.interval.low) else f", {one.level:.0%} {kind} [{low}, {high}]"
    chance = nan if one.p_value_method in OWN_ERROR else one.p_value
    p = f"{chance:.3f}".replace("0.", ".", 1)
    tested = "" if isnan(chance) else ", p < .001" if chance < 0.0005 else f", p = {p}"
    share = results.get("percent_agreement")
    agreed = "" if share is None or isnan(share.value) else f", with {100 * share.value:.1f}% agreement"
    who = "Coders" if data.anonymous else f"{len(data.coders):,} coders"
    return f"{who} labelled {data.items:,} items{agreed}: {named} = {value}{ends}{tested}."


def _answer(results: Mapping[str, Agreement], leading: Sequence[str], truth: Any) -> list[Sentence]:
    """One coefficient with its interval, and true agreement."""
    answer = []
    if leading:
        first = results[leading[0]]
        corrected = coefficient(first.coefficient).corrects_for_chance
        answer.append(sentences.leading_sentence(first.title, first.value, first.interval, corrected=corrected))
    else:
        notes = [one.note for name, one in results.items() if name in LEADING and one.note]
        answer += [Sentence(code="undefined", text=note) for note in notes[:1]]
    return [*answer, sentences.true_sentence(truth)] if isinstance(truth, TrueAgreement) else answer


def _scales(results: Mapping[str, Agreement], draws: Mapping[str, Reals]) -> dict[str, dict[str, dict[str, float]]]:
    """Scale, coefficient, word: how probable the word is, by the draws where there are any."""
    worded = [one for one in results.values() if not (isnan(one.value) or isnan(one.standard_error))]
    worded = [one for one in worded if coefficient(one.coefficient).corrects_for_chance]
    return {
        scale.name: {
            name: scales.band_shares(scale, draws[one.coefficient])
            if one.coefficient in draws
            else scales.band_probabilities(scale, one.value, one.standard_error)
            for one in worded
            for name in (one.coefficient, *one.synonyms)
        }
        for scale in scales.SCALES.values()
    }


def _data(labels: Labels, study: LabelStudy, options: AgreeOptions) -> StudyData:
    n_labels = int(study.weights @ study.sizes)
    return StudyData(
        items=labels.n_items,
        coders=labels.coders,
        categories=labels.categories,
        labels=n_labels,
        missing=0 if labels.anonymous else labels.codes.size - n_labels,
        dropped=int(study.weights[~study.pairable].sum()),
        categories_declared=labels.categories_declared,
        anonymous=labels.anonymous,
        convention=options.convention,
        scale=options.scale,
    )


def _facts(
    labels: Labels,
    study: LabelStudy,
    main: CoefficientRow,
    result: Agreement,
    categories: Mapping[str, CategoryAgreement],
    doubts: tuple[str, ...],
    *,
    graded: bool,
) -> sentences.Facts:
    row = main if main.measures == "agreement" else COEFFICIENTS["fleiss_kappa"]
    parts = coefficient_parts(row, study, study.weights)
    table = study.cross_table() if labels.n_coders == 2 and not labels.anonymous else None
    numbers = parse_numbers(labels.categories) if graded else None
    return sentences.Facts(
        coders=labels.coders,
        categories=labels.categories,
        items=labels.n_items,
        pairable=int(study.n_pairable),
        missing_share=1 - float(study.weights @ study.sizes) / max(labels.codes.size, 1),
        observed=float(parts.observed),
        chance=float(parts.expected),
        title=main.title,
        value=result.value,
        interval=result.interval,
        shares=np.array([entry.share for entry in categories.values()]),
        coder_shares=None if table is None else table.totals / max(table.n, 1),
        counts={name: entry.count for name, entry in categories.items()},
        specific={name: entry.specific_agreement for name, entry in categories.items()},
        doubts=doubts,
        trusted=bool(result.trusted),
        extremes=extreme_categories(study, categories),
        anonymous=labels.anonymous,
        distance=None if numbers is None else _mean_differences(study, numbers),
        graded=main.measures == "disagreement" and study.metric.kind != "nominal",
        finely_graded=numbers is not None and len(numbers) > FEW_GRADES,
    )


def _mean_differences(study: LabelStudy, numbers: Reals) -> tuple[float, float]:
    """How far apart two ratings of one item are on average, and two ratings of any items."""
    ratings = np.sort(np.where(study.codes >= 0, numbers[study.codes], np.inf), axis=1)
    place = np.arange(study.n_coders)
    factor = np.where(place < study.sizes[:, None], 2 * place - study.sizes[:, None] + 1, 0.0)
    within = np.where(np.isfinite(ratings), ratings, 0.0) * factor
    pairs = study.sizes * (study.sizes - 1) / 2
    same = float(study.weights @ within.sum(axis=1)) / max(float(study.weights @ pairs), 1.0)
    totals = np.asarray(study.weights @ study.counts)
    order = np.argsort(numbers)
    below = np.cumsum(totals[order]) / totals.sum()
    spread = 2 * float((below[:-1] * (1 - below[:-1])) @ np.diff(numbers[order]))
    return same, spread


def _more(report: AgreementReport, labels: Labels, options: AgreeOptions) -> AgreementReport:
    """The report with what few ask for, and few need to load: labels that are sets, and groups of coders."""
    from concurrence.agreement.labels.coder_groups import compare_coder_groups
    from concurrence.agreement.labels.sets import set_agreement

    sets = None if labels.set_separator is None else set_agreement(labels, options)
    groups = None if options.coder_groups is None else compare_coder_groups(labels, options)
    drawn = groups is not None or (sets is not None and sets.drawn)
    warned = () if groups is None else warnings_of(groups.sentences)
    return replace(
        report,
        sets=sets,
        coder_groups=groups,
        seed=options.seed if drawn else report.seed,
        warnings=(*report.warnings, *warned),
    )


def _agreement_table(labels: Labels) -> AgreementTable:
    k = len(labels.categories)
    refuse_large_table(labels.n_items * k, "The table of items and categories")
    rows, columns = np.nonzero(labels.codes >= 0)
    cells = rows * k + labels.codes[rows, columns]
    counts = np.bincount(cells, minlength=labels.n_items * k).reshape(labels.n_items, k)
    return AgreementTable(items=tuple(map(str, labels.items)), categories=labels.categories, counts=counts)
