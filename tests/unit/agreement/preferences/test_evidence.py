"""What strengths rest on: coders of different taste, too few coders, coders who did most, one coder, nobody named."""

from itertools import combinations

import numpy as np
import pytest

from concurrence import preferences
from concurrence.agreement.preferences.analyse import analyse_preferences
from concurrence.agreement.preferences.between_coders import coder_agreement
from concurrence.agreement.preferences.evidence import evidence_of, leave_out_coders
from concurrence.agreement.preferences.model import ComparisonCounts, fit
from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.core.comparisons import Comparisons

NAMES = "abcdefghijklmnopqrst"


def codes(report):
    return {one.code for one in report.sentences}


def liked(shares, each, items="xyz"):
    """Every coder compares every two items, and prefers the one earlier in the alphabet in so many of ``each``."""
    return [
        (a, b, a if turn < share * each else b, str(coder))
        for coder, share in enumerate(shares)
        for a, b in combinations(items, 2)
        for turn in range(each)
    ]


def of_taste(random, *, coders, taste, each):
    """Five equal items, and coders with strengths of their own around them."""
    own = taste * random.standard_normal((coders, 5))
    rows = []
    for coder in range(coders):
        for a, b in combinations(range(5), 2):
            p = 1 / (1 + np.exp(own[coder, b] - own[coder, a]))
            rows += [(f"i{a}", f"i{b}", f"i{(b, a)[int(random.random() < p)]}", str(coder)) for _ in range(each)]
    return Comparisons.from_rows(rows)


def test_apart_is_rarely_said_of_equal_items_whose_coders_differ():
    """Of seven coders with taste of their own, comparisons taken as independent said it in half of such studies."""
    random = np.random.default_rng(1)
    said = [
        any(pair.apart for pair in analyse_preferences(world, PreferenceOptions()).differences)
        for world in (of_taste(random, coders=7, taste=1.0, each=6) for _ in range(25))
    ]
    assert sum(said) <= 3


def test_two_coders_tell_nothing_apart():
    report = preferences(liked([0.95, 0.95], 40))
    assert not any(one.trusted for one in report.items.values())
    assert not any(pair.apart for pair in report.differences)
    assert np.isnan([pair.p_corrected for pair in report.differences]).all()
    assert "interval_untrusted" in {one.code for one in report.warnings}
    assert "no_difference" in codes(report)
    assert report.items["x"].interval_method == "information"


def test_coders_who_made_nearly_all_comparisons_are_few():
    most = liked([0.9, 0.9], 200)
    rest = [(*row[:3], f"other {row[3]}") for row in liked([0.5, 0.7, 0.9, 0.6, 0.8], 4)]
    report = preferences(most + rest)
    assert "one or two of the 7 coders" in report.warnings[0].text
    assert not any(pair.apart for pair in report.differences)
    even = preferences(liked([0.8, 0.9, 0.85, 0.9, 0.8], 40))
    assert even.items["x"].trusted
    assert "ahead" in codes(even)


def test_one_coder_is_asked_about_that_coder():
    report = preferences(liked([0.8], 60))
    assert "one_coder" in codes(report)
    assert "ahead" in codes(report)
    unnamed = preferences([row[:3] for row in liked([0.8], 60)])
    assert "one_coder" not in codes(unnamed)
    assert unnamed.items["x"].interval == report.items["x"].interval
    assert unnamed.items["x"].trusted


def test_a_coder_whom_the_items_need_leaves_errors_open():
    rows = liked([0.5, 0.7, 0.6, 0.5], 10, "xy") + [("y", "z", winner, "3") for winner in "yzyz"]
    report = preferences(rows)
    assert "no longer linked" in report.warnings[0].text
    assert not report.items["x"].trusted


def test_more_coders_than_are_left_out_one_by_one_are_left_out_together(monkeypatch):
    random = np.random.default_rng(0)
    design = ComparisonCounts.of(of_taste(random, coders=12, taste=0.5, each=2), position=False, ties=False)
    joined = design.counts.reshape(2, 6, *design.counts.shape[1:]).sum(axis=0)
    monkeypatch.setattr("concurrence.agreement.preferences.evidence.MOST_LEFT_OUT", 6)
    np.testing.assert_allclose(leave_out_coders(design, design.counts), leave_out_coders(design, joined))


def test_ties_and_position_rest_on_the_coders_too():
    """Two kinds of coders, one that prefers what stands first and one that prefers the second, tell of no position."""
    rows = [
        (a, b, a if coder % 2 else b, str(coder))
        for coder in range(8)
        for a, b in [*combinations("xyz", 2), *combinations("zyx", 2)]
        for _ in range(10 if coder % 2 else 6)
    ] + [("x", "y", "tie", str(coder)) for coder in range(8)]
    report = preferences(rows)
    assert report.position_bias.interval_method == report.ties.interval_method == "coders"
    assert report.position_bias.p_value > 0.05
    assert "position_bias" not in codes(report)
    alone = preferences([row[:3] for row in rows])
    assert "position_bias" in codes(alone)


def test_errors_of_few_coders_who_happen_to_agree_are_not_smaller_than_those_of_comparisons():
    design = ComparisonCounts.of(Comparisons.from_rows(liked([0.6] * 5, 5)), position=False, ties=False)
    evidence = evidence_of(design, fit(design, design.together, reduced=False))
    contrasts = evidence.fitted.strength_contrasts
    assert np.abs(evidence.by_coders).max() < 1e-12
    np.testing.assert_allclose(evidence.errors(contrasts, "coders"), evidence.errors(contrasts, "information"))


def test_agreement_of_coders_leaves_out_items():
    """The obvious way: the coefficient of the rows without an item."""
    random = np.random.default_rng(3)
    rows = [(a, b, (a, b)[random.random() < 0.3], str(m)) for m in range(4) for a, b in combinations(NAMES, 2)]

    def agreement(some):
        design = ComparisonCounts.of(Comparisons.from_rows(some), position=False, ties=False)
        return coder_agreement(design, coders_known=True, level=0.95)

    left = np.array([agreement([row for row in rows if name not in row[:2]]).value for name in NAMES])
    whole = agreement(rows)
    assert whole.standard_error == pytest.approx(np.sqrt(19 / 20 * ((left - left.mean()) ** 2).sum()))
    assert whole.trusted
    assert not agreement([row for row in rows if "t" not in row[:2]]).trusted
