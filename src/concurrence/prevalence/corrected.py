"""How good a judge is, and its share of yeses corrected for what it misses and what it finds wrongly.

References: Rogan & Gladen (1978); Lang & Reiczigel (2014).
"""

from dataclasses import replace
from math import inf, nan, sqrt

from scipy.special import ndtri

from concurrence.core.results import Interval
from concurrence.core.sentences import join_words
from concurrence.kernels.intervals import clopper_pearson
from concurrence.prevalence.judges import JudgeColumn
from concurrence.prevalence.results import CorrectedShare, JudgeQuality, PlainShare
from concurrence.prevalence.study import RateStudy

GUESSING = "The judge says yes to true and to false candidates equally often, so its share tells nothing."
REVERSED = (
    "The judge says yes to {wrong:.1%} of the false candidates and to only {right:.1%} of the true ones, so its share "
    "is not corrected. Check whether yes and no were confused."
)
NONE_JUDGED = "People found no {kind} candidate among those they judged, so the judge's errors on these are not known."
TOO_FEW = "Too few candidates were judged to show that the judge says yes more often to true ones than to false ones."
BELOW = (
    "The judge said yes to {share:.1%}, but it says yes to {wrong:.1%} of false candidates. The corrected share would "
    "be below 0%, so it is given as 0%."
)
ABOVE = (
    "The judge said yes to {share:.1%}, but it says yes to only {right:.1%} of true candidates. The corrected share "
    "would be above 100%, so it is given as 100%."
)
TOO_LOW = (
    "The share and the error rates do not fit: a judge who says yes to {wrong:.1%} of false candidates would hardly "
    "say yes to only {share:.1%}, even if none were true. Check the specificity."
)
TOO_HIGH = (
    "The share and the error rates do not fit: a judge who says yes to only {right:.1%} of true candidates would "
    "hardly say yes to {share:.1%}, even if all were true. Check the sensitivity."
)
ONE_LOOK = (
    "The corrected share has no interval that holds at every look. The intervals of sensitivity and specificity hold "
    "for one look."
)


def judge_quality(study: RateStudy, judge: JudgeColumn) -> JudgeQuality:
    """Sensitivity and specificity of a judge on the judged candidates, and its share corrected for both."""
    rows, level = study.design.rows, study.options.level
    weights, positive, true = study.design.weights_of(rows), judge.values[rows] > 0, study.verdicts[rows] > 0
    left = 1 - study.design.times.sum() / len(judge.values) if not study.design.replacement else 1.0
    ends = {}
    for name, of, right in (("sensitivity", true, positive), ("specificity", ~true, ~positive)):
        w = weights[of]
        share = float(w[right[of]].sum() / w.sum()) if len(w) else nan
        n = float(w.sum() ** 2 / (w**2).sum()) if len(w) else 0.0
        ends[name] = (share, n)
    effective = {name: (share, n / max(left, 1e-9)) for name, (share, n) in ends.items()}
    naive = float((judge.values > 0).mean())
    corrected = with_estimated_errors(naive, inf, effective["sensitivity"], effective["specificity"], level=level)
    if study.options.anytime:
        corrected = replace(corrected, interval=None, note=" ".join(filter(None, (corrected.note, ONE_LOOK))))
    return JudgeQuality(
        naive=PlainShare(value=naive),
        sensitivity=ends["sensitivity"][0],
        specificity=ends["specificity"][0],
        sensitivity_interval=_share_interval(*ends["sensitivity"], level=level),
        specificity_interval=_share_interval(*ends["specificity"], level=level),
        rogan_gladen=corrected,
    )


def _share_interval(share: float, n: float, *, level: float) -> Interval:
    low, high = clopper_pearson(share * n, n, level=level) if n else (nan, nan)
    return Interval(low=float(low), high=float(high), level=level, method="clopper_pearson")


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The corrected share, not cut at 0 or 1.

    >>> round(rogan_gladen(45 / 150, 0.96, 0.89), 4)
    0.2235
    """
    gained = sensitivity + specificity - 1
    return (share + specificity - 1) / gained if abs(gained) > 1e-12 else nan


def with_known_errors(
    positive: int, tested: int, sensitivity: float, specificity: float, *, level: float
) -> CorrectedShare:
    """The corrected share where sensitivity and specificity are known: exact limits of the judge's share, corrected."""
    if why := _useless(sensitivity, specificity):
        return CorrectedShare(value=nan, interval=None, note=why)
    low, high = (float(end) for end in clopper_pearson(positive, tested, level=level))
    ends = [rogan_gladen(end, sensitivity, specificity) for end in (low, high)]
    interval = _interval(ends[0], ends[1], level, "clopper_pearson")
    return _cut(positive / tested, sensitivity, specificity, interval)


def with_estimated_errors(
    share: float, tested: float, sensitivity: tuple[float, float], specificity: tuple[float, float], *, level: float
) -> CorrectedShare:
    """The corrected share with an interval that carries the errors of all three (Lang & Reiczigel 2014).

    ``sensitivity`` and ``specificity`` are a value and how many judgements it rests on; ``tested`` is infinite where
    the judge's share is known of the whole list.
    """
    if why := _unknown(sensitivity[1], specificity[1]) or _useless(sensitivity[0], specificity[0]):
        return CorrectedShare(value=nan, interval=None, note=why)
    z2 = float(ndtri((1 + level) / 2)) ** 2
    whole_list = tested == inf
    p, n = (share, inf) if whole_list else ((tested * share + z2 / 2) / (tested + z2), tested + z2)
    (se, of_se), (sp, of_sp) = (_with_error(*error) for error in (sensitivity, specificity))
    gained = se + sp - 1
    if gained <= 0:
        return CorrectedShare(value=nan, interval=None, note=TOO_FEW)
    middle = (p + sp - 1) / gained
    shift = 2 * z2 * (middle * of_se - (1 - middle) * of_sp)
    spread = (0.0 if whole_list else p * (1 - p) / n) + middle**2 * of_se + (1 - middle) ** 2 * of_sp
    half = sqrt(z2 * spread) / gained
    value = rogan_gladen(share, sensitivity[0], specificity[0])
    centre = middle + shift
    ends = _interval(min(centre - half, value), max(centre + half, value), level, "lang_reiczigel")
    return _cut(share, sensitivity[0], specificity[0], ends)


def _unknown(of_true: float, of_false: float) -> str | None:
    """Why a judge's errors are not known, where nobody judged a true or a false candidate."""
    kind = join_words([word for word, judged in (("true", of_true), ("false", of_false)) if not judged])
    return NONE_JUDGED.format(kind=kind) if kind else None


def _useless(sensitivity: float, specificity: float) -> str | None:
    """Why a judge's share cannot be corrected, where it says yes no more often to true candidates."""
    gained = sensitivity + specificity - 1
    if gained > 1e-12:
        return None
    return GUESSING if gained > -1e-12 else REVERSED.format(wrong=1 - specificity, right=sensitivity)


def _with_error(value: float, judged: float) -> tuple[float, float]:
    """A share after one more judgement of each kind, and its variance; a known one is as it is."""
    if judged == inf:
        return value, 0.0
    share = (judged * value + 1) / (judged + 2)
    return share, share * (1 - share) / (judged + 2)


def _cut(share: float, sensitivity: float, specificity: float, ends: Interval) -> CorrectedShare:
    """The corrected share and its interval between 0 and 1; no interval where even the edge is outside of it."""
    value = rogan_gladen(share, sensitivity, specificity)
    inside = min(max(value, 0.0), 1.0)
    rejected = bool(ends.high < 0 or ends.low > 1)
    low, high = (min(max(end, 0.0), 1.0) for end in ends)
    interval = None if rejected else _interval(low, high, ends.level, ends.method)
    if inside == value:
        return CorrectedShare(value=value, interval=interval)
    words = ((ABOVE, TOO_HIGH) if value > 1 else (BELOW, TOO_LOW))[rejected]
    note = words.format(share=share, wrong=1 - specificity, right=sensitivity)
    return CorrectedShare(value=inside, interval=interval, note=note)


def _interval(low: float, high: float, level: float, method: str) -> Interval:
    return Interval(low=low, high=high, level=level, method=method)
