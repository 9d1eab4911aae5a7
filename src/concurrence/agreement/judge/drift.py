"""What has changed since the judge last labelled the same items."""

from collections.abc import Sequence
from math import nan

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.judge.category_change import category_shifts, homogeneity_of_runs
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.diagnosis.categories import HomogeneityTest
from concurrence.agreement.labels.diagnosis.sentences import percent
from concurrence.agreement.labels.mean_agreement import mean_of_pairs
from concurrence.agreement.labels.one_more_item import DRAWS, bounded_change
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.shifts import MeanShift, lean_in_words, lean_names, side_differences
from concurrence.core import Interval, InvalidInputError, Labels
from concurrence.core.arrays import Reals
from concurrence.core.sentences import Sentence, format_p
from concurrence.core.values import value
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.cross_table import CrossTable
from concurrence.kernels.intervals import clopper_pearson


@value
class AgreementChange:
    """The judge's mean agreement with the humans then and now, on the items that it labelled both times."""

    coefficient: str
    before: float
    now: float
    difference: float
    interval: Interval | None
    interval_method: str | None
    p_value: float
    draws: int
    seed: int


@value
class Drift:
    """The judge's labels now against its labels before.

    ``same`` is the share of the items with the same label both times; ``leans`` are the changes, now less before;
    ``homogeneity`` tests whether it gives every category as often as before. Intervals and tests agree: one that
    leaves out 0 belongs to a change that was shown.
    """

    before: str
    items: int
    same: float
    same_interval: Interval
    leans: dict[str, MeanShift]
    homogeneity: HomogeneityTest
    agreement: AgreementChange


def judge_drift(
    labels: Labels, row: CoefficientRow, judge: str, before: str, options: AgreeOptions
) -> tuple[Drift, tuple[Sentence, ...]]:
    """Compare two runs of a judge on the same items; the sentences say what changed."""
    now, then = labels.coder_index(judge), labels.coder_index(before)
    differences, counted = side_differences(labels, now, [then], options.scale)
    n = int(counted.sum())
    if not n:
        raise InvalidInputError(f"No item was labelled by {judge!r} and by {before!r}, so no change can be seen.")
    codes = labels.codes[counted][:, [now, then]]
    table = CrossTable.of_codes(codes[:, 0], codes[:, 1], np.ones(n), len(labels.categories))
    same = int(table.diagonal.sum())
    low, high = (float(end) for end in clopper_pearson(same, n, level=options.level))
    drift = Drift(
        before=before,
        items=n,
        same=same / n,
        same_interval=Interval(low=low, high=high, level=options.level, method="clopper_pearson"),
        leans=category_shifts(
            differences[counted], lean_names(labels, options.scale), labels, options.level, options.seed
        ),
        homogeneity=homogeneity_of_runs(table, options.seed),
        agreement=_change(labels, row, now, then, options),
    )
    return drift, _sentences(judge, drift, row, 1 - options.level)


def _change(labels: Labels, row: CoefficientRow, now: int, then: int, options: AgreeOptions) -> AgreementChange:
    """Both agreements on the same items, which are weighed at random together."""
    study = label_study(labels, options, compress=True)
    both = (study.codes[:, [now, then]] >= 0).all(axis=1)
    study = study.with_patterns(study.codes[both], study.weights[both])
    humans = [k for k in range(labels.n_coders) if k not in (now, then)]
    worse, better, shares = _one_more_item(study, now, then, humans)
    patterns = np.concatenate([study.codes, worse, better]).astype(study.codes.dtype)
    whole = study.with_patterns(patterns, np.concatenate([study.weights, shares, shares]))

    def agreement(of: LabelStudy, run: int, weights: Reals) -> Reals:
        return mean_of_pairs(row, of, [(run, k) for k in humans], weights)

    def change(weights: Reals) -> Reals:
        return agreement(whole, now, weights) - agreement(whole, then, weights)

    value_now, value_then = (float(agreement(study, run, study.weights)) for run in (now, then))
    is_defined = bool(np.isfinite(value_now - value_then))
    interval, p_value = (
        bounded_change(change, study.weights, shares, shares, level=options.level, seed=options.seed)
        if is_defined
        else (None, nan)
    )
    return AgreementChange(
        coefficient=row.name,
        before=value_then,
        now=value_now,
        difference=value_now - value_then,
        interval=interval,
        interval_method=None if interval is None else interval.method,
        p_value=p_value,
        draws=DRAWS,
        seed=options.seed,
    )


def _one_more_item(
    study: LabelStudy, now: int, then: int, humans: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Reals]:
    """Patterns of an item on which all humans agree and only the earlier run is right, or only the later one.

    The third array holds how likely each is: as likely as the category is among the humans' labels. The wrong label is
    the most frequent other one.
    """
    given, size = study.codes[:, humans], study.n_categories
    weights = np.broadcast_to(study.weights[:, None], given.shape)[given >= 0]
    totals = np.bincount(given[given >= 0], weights=weights, minlength=size)
    categories = np.flatnonzero(totals)
    order = np.argsort(-totals, kind="stable")
    wrong = np.where(categories == order[0], order[min(1, size - 1)], order[0])
    right = np.repeat(categories[:, None], study.n_coders, axis=1)
    worse, better = right.copy(), right.copy()
    worse[:, now], better[:, then] = wrong, wrong
    return worse, better, totals[categories] / totals.sum()


def _sentences(judge: str, drift: Drift, row: CoefficientRow, alpha: float) -> tuple[Sentence, ...]:
    many = f"the {drift.items:,} items" if drift.items > 1 else "the one item"
    low, high = drift.same_interval
    texts = {
        "drift_same": f"{judge} gives the same label as before ({drift.before}) on {percent(drift.same)} of {many} it "
        f"labelled both times [{percent(low)}, {percent(high)}].",
        "drift_categories": _category_sentence(judge, drift, alpha),
        "drift_agreement": _agreement_sentence(judge, drift.agreement, row, alpha),
    }
    return tuple(Sentence(code=code, text=text) for code, text in texts.items() if text)


def _category_sentence(judge: str, drift: Drift, alpha: float) -> str:
    p_value = drift.homogeneity.p_value
    if p_value is None:
        return ""
    test = "McNemar's exact test" if drift.homogeneity.name == "mcnemar_exact" else "Stuart-Maxwell permutation test"
    tested = f"({test}, {format_p(p_value)})"
    if p_value > alpha:
        return f"No change was shown in how often {judge} gives each category {tested}."
    apart = {name: lean.value for name, lean in drift.leans.items() if lean.interval and not _holds_0(lean.interval)}
    most = max(apart, key=lambda name: abs(apart[name]), default=None)
    change = "" if most is None else f": it {lean_in_words(most, apart[most])}"
    return f"{judge} does not give every category as often as before {tested}{change}."


def _holds_0(interval: Interval) -> bool:
    return interval.low <= 0 <= interval.high


def _agreement_sentence(judge: str, change: AgreementChange, row: CoefficientRow, alpha: float) -> str:
    if change.interval is None:
        return ""
    title = row.title if "'s" in row.title else row.title.lower()
    low, high = change.interval
    figures = (
        f"mean {title} was {change.before:.2f} and is {change.now:.2f}, a difference of {change.difference:.2f} "
        f"[{low:.2f}, {high:.2f}], {format_p(change.p_value)}"
    )
    if change.p_value > alpha:
        return f"No change was shown in how well {judge} agrees with the humans: {figures}."
    how = "better" if change.difference > 0 else "less"
    return f"{judge} agrees {how} with the humans than before: {figures}."


def without_before(labels: Labels, judge: str, before: str | None) -> Labels:
    """The labels without the judge's earlier run, which is no human."""
    if before is not None:
        labels.coder_index(before)
    if before == judge:
        raise InvalidInputError(f"{judge!r} is the judge and cannot be its earlier run as well.")
    kept: Sequence[str] = [coder for coder in labels.coders if coder != before]
    return labels if before is None else labels.select_coders(kept)
