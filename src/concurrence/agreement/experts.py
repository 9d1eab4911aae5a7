"""Every coder against a chosen expert: the tables of the 2004 study as one."""

from collections.abc import Sequence

import numpy as np

from concurrence.agreement.assessment import assess
from concurrence.agreement.coefficients import COEFFICIENTS
from concurrence.agreement.options import AgreeOptions
from concurrence.agreement.results import ExpertRow, ExpertTable
from concurrence.agreement.study import Study
from concurrence.agreement.true_agreement import TrueAgreement, true_agreement
from concurrence.core import InvalidInputError, Labels

MOST_CATEGORIES = 100


def expert_table(labels: Labels, study: Study, expert: str, options: AgreeOptions) -> ExpertTable:
    """Kappa and true agreement of each coder with the expert, best kappa first."""
    cuts = tuple(options.cuts)
    if list(cuts) != sorted(cuts, reverse=True) or not all(0 <= cut <= 1 for cut in cuts):
        raise InvalidInputError("The cuts between groups are shares in falling order, such as 0.68,0.60,0.51.")
    if labels.anonymous:
        raise InvalidInputError("These are counts of labels without coders, so that none of them can be the expert.")
    place = labels.coder_index(expert)
    others = [coder for coder in range(study.n_coders) if coder != place]
    rows = [_row(labels, study, place, coder, options) for coder in others]
    rows.sort(key=lambda row: -np.nan_to_num(row.cohen_kappa, nan=-np.inf))
    return ExpertTable(coder=expert, rows=tuple(rows), cuts=cuts)


def true_agreement_by_category(
    study: Study, categories: Sequence[str], *, level: float, first: int = 0, second: int = 1
) -> dict[str, TrueAgreement]:
    """True agreement on each category against the rest; empty where nothing is shared."""
    counts = study.confusion(first, second)
    n = counts.sum()
    if n == 0:
        return {}
    found = {}
    for place, category in enumerate(categories):
        both, row, column = counts[place, place], counts[place].sum(), counts[:, place].sum()
        table = [[both, row - both], [column - both, n - row - column + both]]
        found[category] = true_agreement(table, level=level)
    return found


def _row(labels: Labels, study: Study, expert: int, coder: int, options: AgreeOptions) -> ExpertRow:
    kappa = assess(COEFFICIENTS["cohen_kappa"], study.only(expert, coder), labels, options)
    found = _blocks(labels, study, expert, coder, options.level)
    single = found[labels.categories[0]] if len(labels.categories) == 2 and found else None
    bounds = single.homogeneity if single else None
    return ExpertRow(
        coder=labels.coders[coder],
        items=kappa.n_items,
        cohen_kappa=kappa.value,
        interval=kappa.confidence_interval(),
        homogeneity=bounds,
        conservative=single.conservative if single else None,
        size=bounds.width if bounds else None,
        group=_group(bounds.low, tuple(options.cuts)) if bounds else None,
        by_category=found if len(labels.categories) > 2 else None,
        note=kappa.note or (single.note if single else _why_no_bounds(labels)),
    )


def _why_no_bounds(labels: Labels) -> str:
    if 2 < len(labels.categories) <= MOST_CATEGORIES:
        return "True agreement is a matter of yes and no: by_category has each category against the rest."
    return f"True agreement takes from 2 to {MOST_CATEGORIES} categories, and here there are {len(labels.categories)}."


def _blocks(labels: Labels, study: Study, expert: int, coder: int, level: float) -> dict[str, TrueAgreement]:
    if not 2 <= len(labels.categories) <= MOST_CATEGORIES:
        return {}
    decided = labels.categories[:1] if len(labels.categories) == 2 else labels.categories
    return true_agreement_by_category(study, decided, level=level, first=expert, second=coder)


def _group(lower: float, cuts: tuple[float, ...]) -> str:
    """``G1`` above the first cut, and so on down.

    >>> [_group(bound, (0.68, 0.60, 0.51)) for bound in (0.72, 0.64, 0.52, 0.34)]
    ['G1', 'G2', 'G3', 'G4']
    """
    return f"G{1 + sum(lower <= cut for cut in cuts)}"
