"""Which intervals are called trusted: a rule, until ``benchmarks/trust/labels.py`` has been run at full length."""

import numpy as np

from concurrence.agreement.labels.coefficients.posterior import POSTERIOR
from concurrence.agreement.labels.coefficients.study import LabelStudy

FEWEST_ITEMS = 20
"""With fewer items than this nobody has tried what the posterior covers."""


def interval_holds(method: str, study: LabelStudy, *, doubts: bool) -> bool:
    """Whether an interval by this method, on so much data, is meant to cover in at least 93 of 100 samples.

    On a graded scale without any disagreement nothing says how far apart labels would be.
    """
    if method == "exact":
        return True
    if method == POSTERIOR:
        return study.n_pairable >= FEWEST_ITEMS and (study.metric.kind == "nominal" or not _unanimous(study))
    return not doubts


def _unanimous(study: LabelStudy) -> bool:
    codes = np.where(study.codes < 0, study.codes.max(axis=1, keepdims=True), study.codes)
    return bool((codes == codes[:, :1]).all())
