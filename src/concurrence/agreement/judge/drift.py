"""What has changed since the judge last labelled the same items."""

from collections.abc import Sequence
from math import nan

import numpy as np

from concurrence.agreement.labels.coefficients.study import label_study
from concurrence.agreement.labels.diagnosis.categories import HomogeneityTest, stuart_maxwell
from concurrence.agreement.labels.diagnosis.sentences import percent
from concurrence.agreement.labels.mean_agreement import mean_of_pairs
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.shifts import MeanShift, lean_in_words, lean_names, mean_shifts, side_differences
from concurrence.core import Interval, InvalidInputError, Labels
from concurrence.core.arrays import Reals
from concurrence.core.sentences import Sentence, format_p
from concurrence.core.values import value
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.cross_table import CrossTable
from concurrence.kernels.intervals import clopper_pearson
from concurrence.kernels.resampling import bootstrap, percentile_interval

DRAWS = 2000


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
    ``homogeneity`` tests whether it gives every category as often as before.
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
        leans=mean_shifts(differences[counted], lean_names(labels, options.scale), options.level),
        homogeneity=stuart_maxwell(table),
        agreement=_change(labels, row, now, then, options),
    )
    return drift, _sentences(judge, drift, row, 1 - options.level)


def _change(labels: Labels, row: CoefficientRow, now: int, then: int, options: AgreeOptions) -> AgreementChange:
    """Both agreements on the same items, which are resampled together."""
    study = label_study(labels, options, compress=True)
    both = (study.codes[:, [now, then]] >= 0).all(axis=1)
    study = study.with_patterns(study.codes[both], study.weights[both])
    humans = [k for k in range(labels.n_coders) if k not in (now, then)]

    def at_both(weights: Reals) -> Reals:
        each = [mean_of_pairs(row, study, [(run, k) for k in humans], weights) for run in (now, then)]
        return np.stack(each, axis=-1)

    value_now, value_then = (float(one) for one in at_both(study.weights))
    drawn = bootstrap(at_both, study.weights, draws=DRAWS, seed=options.seed)
    gaps = drawn[:, 0] - drawn[:, 1]
    gaps = gaps[np.isfinite(gaps)]
    is_defined = bool(len(gaps)) and np.isfinite(value_now - value_then)
    beyond = min(int(np.sum(gaps <= 0)), int(np.sum(gaps >= 0)))
    low, high = percentile_interval(gaps, options.level)
    return AgreementChange(
        coefficient=row.name,
        before=value_then,
        now=value_now,
        difference=value_now - value_then,
        interval=Interval(low=low, high=high, level=options.level, method="bootstrap_percentile")
        if is_defined
        else None,
        interval_method="bootstrap_percentile" if is_defined else None,
        p_value=min(1.0, 2 * (beyond + 1) / (len(gaps) + 1)) if is_defined else nan,
        draws=DRAWS,
        seed=options.seed,
    )


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
    tested = f"(Stuart-Maxwell test, {format_p(p_value)})"
    if p_value > alpha:
        return f"No change was shown in how often {judge} gives each category {tested}."
    most = max(drift.leans, key=lambda name: abs(drift.leans[name].value))
    change = lean_in_words(most, drift.leans[most].value)
    return f"{judge} does not give every category as often as before {tested}: it {change}."


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
