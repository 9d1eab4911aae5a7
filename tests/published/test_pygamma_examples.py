"""pygamma-agreement 0.5.9 (Titeux & Riad 2021): the ranges that its tests print for its example files, alpha = 3."""

import csv
from itertools import combinations

import numpy as np
import pytest

from concurrence.agreement.spans.alignment import Dissimilarity, align
from concurrence.agreement.spans.gamma import ChanceSampling, align_with_chance, alignment_units, gamma
from concurrence.agreement.spans.samplers import draw
from concurrence.agreement.spans.study import SpanStudy
from support.expect import PUBLISHED, printed
from support.span_cases import spans_of

ALEX_PAUL_SUZAN = {
    "Alex": [("1", 2, 9), ("2", 11, 17), ("5", 24, 30), ("6", 32, 36), ("6", 36, 44), ("7", 44, 60)],
    "Paul": [("1", 2, 9), ("3", 11, 17), ("5", 19, 25), ("6", 32, 44)],
    "Suzan": [("1", 2, 9), ("4", 11, 17), ("5", 21, 27), ("6", 32, 36), ("6", 36, 40), ("6", 40, 44)],
}
HOW = Dissimilarity(alpha=3)


def alex_paul_suzan():
    return SpanStudy.of(spans_of([("d", c, s, e, k) for c, rows in ALEX_PAUL_SUZAN.items() for k, s, e in rows], 60))


def three_by_hundred():
    with (PUBLISHED / "pygamma_3by100.csv").open(encoding="utf-8") as file:
        rows = [("d", r["coder"], int(r["start"]), int(r["end"]), r["label"]) for r in csv.DictReader(file)]
    return SpanStudy.of(spans_of(rows, max(row[3] for row in rows)))


def n_unitary(study):
    units = alignment_units(study)
    found = align(units, HOW)
    return len(units) - len(found.members) + len(found.bounds) - 1


def middle(low, high):
    """A range as its middle, and half its width."""
    return printed(f"{(low + high) / 2:.3f}", within=(high - low) / 2 + 1e-9)


def test_gamma_of_alex_paul_and_suzan():
    """Two alignments are best, of 6 and of 7 unitary alignments; older tests of pygamma print 7, newer ones 6."""
    study = alex_paul_suzan()
    found = gamma(align_with_chance(study, HOW, ChanceSampling(draws=300)))
    assert n_unitary(study) in (6, 7)
    assert found.parts(np.ones(1))[0] == printed("0.96", within=0.0096)
    assert found.values(np.ones(1)) == middle(0.44, 0.47)


@pytest.mark.parametrize("sampler", ["statistical", "shuffle"])
def test_gamma_of_three_by_hundred(sampler):
    study = three_by_hundred()
    assert n_unitary(study) == 127
    assert gamma(align_with_chance(study, HOW, ChanceSampling(draws=10, sampler=sampler))).values(np.ones(1)) == middle(
        0.79, 0.81
    )


def with_unaligned(units):
    """pygamma's categorical disorder, which also counts pairs of a unit and nothing; Mathet (2017) does not."""
    found = align(units, HOW)
    groups = [g.tolist() for g in np.split(found.members, found.bounds[1:-1])] if len(found.members) else []
    groups += [[unit] for unit in set(range(len(units))) - set(found.members.tolist())]
    disorder = weight = 0.0
    for group in groups:
        absent = int(units.n_coders[0]) - len(group)
        disorder, weight = disorder + len(group) * absent, weight + len(group) * absent
        for i, j in combinations(group, 2):
            apart = abs(units.start[i] - units.start[j]) + abs(units.end[i] - units.end[j])
            far = apart / (units.end[i] - units.start[i] + units.end[j] - units.start[j])
            share = max(0, 1 - 3 * far**2) / (len(group) - 1)
            disorder, weight = disorder + share * (units.label[i] != units.label[j]), weight + share
    return disorder / weight


def test_gamma_cat_as_pygamma_extends_it():
    """Of the other example two alignments are best, and the categorical disorder depends on which is taken."""
    study = three_by_hundred()
    units = alignment_units(study)
    random = [draw(units, study.spans.lengths, "shuffle", 1, (0, k)) for k in range(10)]
    assert 1 - with_unaligned(units) / np.mean([with_unaligned(one) for one in random]) == middle(0.89, 0.91)
