"""Who stands apart, and on which categories coders agree best: said only where a test shows it."""

from itertools import permutations, product

import numpy as np
import pytest

from concurrence import agree
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.diagnosis.categories import (
    category_agreement,
    category_difference_p,
    extreme_categories,
)
from concurrence.agreement.labels.diagnosis.outsiders import disagreements, outsider_p_values
from concurrence.core import Labels


def labels_of(codes, categories="abc"):
    return Labels(
        codes=np.array(codes, dtype=np.int32), categories=tuple(categories), coders=tuple("vwxyz")[: len(codes[0])]
    )


def slow_p_values(rows):
    """Every way to deal out the labels of each item among its coders, by loops."""

    def dissents(row):
        present = [label for label in row if label >= 0]
        return [None if label < 0 else sum(other != label for other in present) / (len(present) - 1) for label in row]

    def sums(table):
        return [sum(row[k] for row in table if row[k] is not None) for k in range(len(rows[0]))]

    def ways(row):
        places = [k for k, cell in enumerate(row) if cell is not None]
        for order in permutations([row[k] for k in places]):
            dealt = list(row)
            for place, cell in zip(places, order, strict=True):
                dealt[place] = cell
            yield tuple(dealt)

    table = [tuple(dissents(row)) for row in rows]
    every = np.array([sums(way) for way in product(*(list(ways(row)) for row in table))])
    scaled = (every - every.mean(axis=0)) / every.std(axis=0)
    seen = (np.array(sums(table)) - every.mean(axis=0)) / every.std(axis=0)
    return [float((scaled.max(axis=1) >= one - 1e-9).mean()) for one in seen]


def test_p_values_are_those_of_a_slow_twin():
    rows = [[0, 0, 1, -1], [0, 1, 1, 2], [1, 1, 0, 1], [-1, 2, 2, 0], [0, 0, 0, 0]]
    p = outsider_p_values(LabelStudy.of(labels_of(rows)), None)
    expected = np.array(slow_p_values(rows[:4]))
    assert p == pytest.approx(expected, abs=0.05)


def test_disagreement_on_a_numeric_scale_is_squared():
    codes = np.array([[0, 1, 2, -1]])
    assert disagreements(codes, np.array([1.0, 2.0, 4.0])).tolist()[0][:3] == [5.0, 2.5, 6.5]


def test_normal_and_shuffled_p_values_are_near_each_other(monkeypatch):
    random = np.random.default_rng(0)
    codes = np.where(random.random((250, 4)) < [0.3, 0.3, 0.3, 0.4], random.integers(0, 3, (250, 4)), 0)
    study = LabelStudy.of(labels_of(codes))
    shuffled = outsider_p_values(study, None)
    monkeypatch.setattr("concurrence.agreement.labels.diagnosis.outsiders.MOST_SHUFFLED", 0)
    assert outsider_p_values(study, None)[3] == pytest.approx(shuffled[3], abs=0.02)


def one_apart(n):
    """Three coders who agree, and one who always says something else."""
    truth = np.arange(n) % 2
    return labels_of(np.stack([truth, truth, truth, 1 - truth], axis=1), "ab")


def test_six_items_accuse_nobody():
    report = agree(one_apart(6))
    assert all(one.interval is None for one in report.leave_one_out)
    assert "outlier_coder" not in {warning.code for warning in report.warnings}


def test_thirty_items_show_who_stands_apart():
    report = agree(one_apart(30))
    assert "y stands apart" in " ".join(warning.text for warning in report.warnings)
    assert report.leave_one_out[-1].p_value <= 0.05


def category_sentences(codes, categories):
    report = agree(labels_of(codes, categories))
    return [one.text for one in report.diagnosis.sentences if one.code == "categories"]


def test_categories_that_are_alike_are_not_ranked():
    random = np.random.default_rng(5)
    ranked = 0
    for _ in range(40):
        truth = random.integers(0, 4, (60, 1))
        codes = np.where(random.random((60, 2)) < 0.3, random.integers(0, 4, (60, 2)), truth)
        study = LabelStudy.of(labels_of(codes, "abcd"))
        ranked += extreme_categories(study, category_agreement(study, tuple("abcd")))[2] <= 0.05
    assert ranked <= 4
    assert not any("highest" in text for text in category_sentences(codes, "abcd"))


def test_categories_that_differ_are_ranked():
    pairs = [(0, 0)] * 60 + [(1, 1)] * 20 + [(1, 2)] * 15 + [(2, 1)] * 15 + [(2, 2)] * 5
    assert "highest on 'a'" in category_sentences(pairs, "abc")[0]
    few = [(0, 0)] * 6 + [(1, 1)] * 4 + [(1, 2)] * 3 + [(2, 1)] * 2 + [(2, 2)] * 3
    assert "which may be chance" in category_sentences(few, "abc")[0]


def test_the_difference_of_categories_is_that_of_the_jackknife():
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, (120, 1))
    codes = np.where(random.random((120, 3)) < [0.2, 0.2, 0.4], random.integers(0, 3, (120, 3)), truth)

    def difference(rows):
        rates = []
        for category in (0, 1):
            n = (rows == category).sum(axis=1)
            rates.append((n * (n - 1)).sum() / (n * 2).sum())
        return rates[0] - rates[1]

    left_out = np.array([difference(np.delete(codes, k, axis=0)) for k in range(120)])
    error = np.sqrt(119 / 120 * ((left_out - left_out.mean()) ** 2).sum())
    from scipy.stats import t

    holding = min((codes == category).any(axis=1).sum() for category in (0, 1))
    expected = 2 * t.sf(abs(difference(codes)) / error, holding - 1)
    assert category_difference_p(LabelStudy.of(labels_of(codes)), 0, 1, 2) == pytest.approx(expected, rel=0.05)
