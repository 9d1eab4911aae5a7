"""How good a judge is, by the candidates that people judged."""

from dataclasses import replace
from math import inf, nan

from concurrence.core.interval import Interval
from concurrence.kernels.intervals import clopper_pearson
from concurrence.prevalence.corrected import with_estimated_errors
from concurrence.prevalence.judges import JudgeColumn
from concurrence.prevalence.results import JudgeQuality, PlainShare
from concurrence.prevalence.study import RateStudy

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
