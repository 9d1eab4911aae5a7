"""A judge by groups of items: whether its agreement with people and its bias are the same in all groups."""

from collections.abc import Sequence
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.judge.category_change import category_shifts
from concurrence.agreement.labels.coefficients.study import label_study
from concurrence.agreement.labels.diagnosis.sentences import percent
from concurrence.agreement.labels.mean_agreement import MeanAgreement, mean_agreement
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.shifts import (
    SCORE,
    MeanShift,
    lean_in_words,
    lean_names,
    side_differences,
)
from concurrence.core import Labels
from concurrence.core.arrays import Reals
from concurrence.core.sentences import Sentence, format_p
from concurrence.core.values import value
from concurrence.kernels.coefficients import CoefficientRow

DRAWS = 2000
AT_ONCE = 1 << 20
"""Numbers that are exchanged between items at a time."""
FEWEST_ITEMS = 2
TINY = 1e-12


@value
class JudgedGroup:
    """The items of one group: the judge's agreement with the humans there, and how it leans from them.

    ``same`` is the mean share of humans who gave the judge's label; ``leans`` are differences from the humans' mean.
    """

    items: int
    same: float
    judge_human: MeanAgreement
    leans: dict[str, MeanShift]


@value
class GroupTest:
    """A permutation test that the groups are alike; NaN where there is nothing to compare."""

    p_value: float
    draws: int
    seed: int


@value
class JudgeGroups:
    """The groups by their names, and whether agreement and leaning differ between them."""

    groups: dict[str, JudgedGroup]
    same: GroupTest
    lean: GroupTest


def judge_groups(
    labels: Labels, row: CoefficientRow, judge: int, humans: Sequence[int], options: AgreeOptions
) -> tuple[JudgeGroups, tuple[Sentence, ...]]:
    """Compare the groups of the labels; the sentences say whether they differ."""
    differences, counted = side_differences(labels, judge, humans, options.scale)
    same = shares_alike(labels, judge, humans)
    names = np.asarray(labels.groups)
    order = list(dict.fromkeys(names[counted].tolist()))
    groups = {}
    for name in order:
        rows = counted & (names == name)
        part = labels.select_items(np.flatnonzero(names == name))
        study = label_study(part, options, compress=True)
        groups[str(name)] = JudgedGroup(
            items=int(rows.sum()),
            same=float(same[rows].mean()),
            judge_human=mean_agreement(row, study, part, [(judge, k) for k in humans], options),
            leans=category_shifts(
                differences[rows], lean_names(labels, options.scale), labels, options.level, options.seed
            ),
        )
    same_test, lean_test = group_tests(same[counted], differences[counted], names[counted], options.seed)
    result = JudgeGroups(groups=groups, same=same_test, lean=lean_test)
    return result, _sentences(labels.coders[judge], result, 1 - options.level)


def group_tests(same: Reals, differences: Reals, names: NDArray[Any], seed: int) -> tuple[GroupTest, GroupTest]:
    """Whether groups of items differ in how often the judge agrees with the humans, and in where it leans."""
    _, places = np.unique(names.astype(str), return_inverse=True)
    return _test(same[:, None], places, seed), _test(differences, places, seed)


def shares_alike(labels: Labels, judge: int, humans: Sequence[int]) -> Reals:
    """For each item, the share of its humans who gave the judge's label."""
    codes = labels.codes
    given = codes[:, humans] >= 0
    alike = (codes[:, humans] == codes[:, [judge]]) & given
    return np.asarray(alike.sum(axis=1) / np.maximum(given.sum(axis=1), 1))


def _test(differences: Reals, places: NDArray[np.int64], seed: int) -> GroupTest:
    """Whether the means of the groups differ more than with items assigned to groups at random."""
    sizes = np.bincount(places)
    spread = differences.std(axis=0)
    scaled = differences[:, spread > TINY] / spread[spread > TINY]
    if len(sizes) < 2 or not scaled.shape[1]:
        return GroupTest(p_value=nan, draws=0, seed=seed)
    scaled = scaled[np.argsort(places, kind="stable")] - scaled.mean(axis=0)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    random = np.random.default_rng(seed)
    step = max(1, AT_ONCE // scaled.size)
    order = np.arange(len(scaled))
    drawn = np.concatenate(
        [
            _between(scaled[random.permuted(np.tile(order, (min(step, DRAWS - start), 1)), axis=1)], starts)
            for start in range(0, DRAWS, step)
        ]
    )
    as_large = np.sum(drawn >= _between(scaled, starts) * (1 - TINY))
    return GroupTest(p_value=float((1 + as_large) / (DRAWS + 1)), draws=DRAWS, seed=seed)


def _between(items: Reals, starts: NDArray[np.int64]) -> Reals:
    """How far the means of the groups are from 0, where each group begins at its start: (…) of (…, items, figures)."""
    sizes = np.diff(starts, append=items.shape[-2])
    return np.asarray(((np.add.reduceat(items, starts, axis=-2) ** 2).sum(axis=-1) / sizes).sum(axis=-1))


def _sentences(judge: str, comparison: JudgeGroups, alpha: float) -> tuple[Sentence, ...]:
    if len(comparison.groups) < 2:
        one = "All items that the judge and a human labelled are in one group, so there is nothing to compare."
        return (Sentence(code="one_group", text=one, warning=True),)
    return tuple(
        Sentence(code=code, text=text)
        for code, text in (_same_sentence(judge, comparison, alpha), _lean_sentence(judge, comparison, alpha))
    )


def _same_sentence(judge: str, comparison: JudgeGroups, alpha: float) -> tuple[str, str]:
    shares = {name: group.same for name, group in comparison.groups.items() if group.items >= FEWEST_ITEMS} or {
        name: group.same for name, group in comparison.groups.items()
    }
    worst, best = min(shares, key=lambda name: shares[name]), max(shares, key=lambda name: shares[name])
    text = f"No difference between the groups was shown in how often {judge} gives the same label as a human"
    if comparison.same.p_value <= alpha:
        text = f"{judge} gives the same label as a human more often in some groups than in others"
    if not comparison.same.draws:
        return "group_agreement", f"{judge} gives the same label as a human equally often in all groups."
    text += f" (permutation test, {format_p(comparison.same.p_value)})"
    return "group_agreement", f"{text}: {percent(shares[worst])} in {worst!r}, {percent(shares[best])} in {best!r}."


def _lean_sentence(judge: str, comparison: JudgeGroups, alpha: float) -> tuple[str, str]:
    if not comparison.lean.draws:
        return "group_lean", f"{judge} leans from the humans equally in all groups."
    leans = {name: group.leans for name, group in comparison.groups.items()}
    scored = list(next(iter(leans.values()))) == [SCORE]
    what = "scores" if scored else "gives each category"
    p_value = format_p(comparison.lean.p_value)
    if comparison.lean.p_value > alpha:
        much = "how high" if scored else "how often"
        return "group_lean", (
            f"No difference between the groups was shown in {much} {judge} {what}, compared with the humans "
            f"(permutation test, {p_value})."
        )
    ranges = {k: [leans[name][k].value for name in leans] for k in next(iter(leans.values()))}
    widest = max(ranges, key=lambda k: max(ranges[k]) - min(ranges[k]))
    low = min(leans, key=lambda name: leans[name][widest].value)
    high = max(leans, key=lambda name: leans[name][widest].value)
    ends = [lean_in_words(widest, leans[name][widest].value) for name in (low, high)]
    return "group_lean", (
        f"Compared with the humans, {judge} {ends[0]} in {low!r}, but {ends[1]} in {high!r}; the groups differ "
        f"(permutation test, {p_value})."
    )
