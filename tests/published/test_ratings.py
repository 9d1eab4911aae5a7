"""Printed figures of agreement on numbers."""

import numpy as np
import pytest

from concurrence import ratings
from concurrence.core import Labels
from support.expect import printed

# Shrout & Fleiss (1979), Table 2: four judges rate six targets; the coefficients are those of their Table 4. The
# intervals are those that the R package psych prints for these data (documentation of ICC).
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
# Bland & Altman (1986), Table 1: peak expiratory flow rate, first readings of the Wright and the mini Wright meter.
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
# The data set anxiety of the R package irr: 20 subjects, 3 raters.
ANXIETY = np.array(
    [
        [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
        [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
        [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
    ]
).T


def report_of(rows):
    return ratings(Labels.from_rows([[str(rating) for rating in row] for row in rows]), bootstrap=50)


@pytest.mark.parametrize(
    ("name", "value", "low", "high"),
    [
        ("icc_1_1", "0.17", "-0.133", "0.72"),
        ("icc_2_1", "0.29", "0.019", "0.76"),
        ("icc_3_1", "0.71", "0.342", "0.95"),
        ("icc_1_k", "0.44", "-0.884", "0.91"),
        ("icc_2_k", "0.62", "0.071", "0.93"),
        ("icc_3_k", "0.91", "0.676", "0.99"),
    ],
)
def test_shrout_and_fleiss(name, value, low, high):
    found = report_of(SHROUT_FLEISS)[name]
    assert printed(value) == found.value
    assert printed(low) == found.interval.low
    assert printed(high) == found.interval.high


def test_mean_squares_of_shrout_and_fleiss():
    """Table 3 of the paper: BMS 11.24, WMS 6.26, JMS 32.49, EMS 1.02."""
    from concurrence.agreement.ratings.variance import complete_mean_squares

    squares = complete_mean_squares(np.array(SHROUT_FLEISS, dtype=float))
    assert printed("11.24") == squares.between
    assert printed("6.26") == squares.within
    assert printed("32.49") == squares.coders
    assert printed("1.02") == squares.error


def test_peak_expiratory_flow():
    """Bland & Altman print mean and standard deviation and the interval of the mean; the concordance is .9427."""
    report = ratings(WRIGHT, MINI, bootstrap=50)
    limits = report.limits_of_agreement
    assert printed("-2.1") == limits.mean
    assert printed("38.8") == limits.sd
    assert printed("-22.0", within=0.1) == limits.mean_interval.low  # computed from -2.1 and 38.8 in the paper
    assert printed("17.8", within=0.1) == limits.mean_interval.high
    assert printed("0.9427") == report["lin_ccc"].value


def test_anxiety():
    """The documentation of irr: kendall(anxiety, TRUE), meanrho(anxiety, fisher = FALSE), icc(anxiety, "twoway")."""
    report = report_of(ANXIETY)
    w = report["kendall_w"]
    assert printed("0.540") == w.value
    assert printed("30.8") == w.statistic
    assert printed("0.0429") == w.p_value
    assert w.degrees_of_freedom == (19.0,)
    pairs = np.array([pair.spearman for pair in report.pairs])
    assert printed("0.314") == np.tanh(np.arctanh(pairs).mean())  # irr averages on Fisher's scale


def test_nordiachange(data_set):
    """Kutuzov et al. (2022): mean pairwise Spearman .77755 with 0 as missing."""
    from concurrence import read_labels

    labels = read_labels(data_set("labels/nordiachange1.csv"), missing=["0"])
    assert printed("0.77755") == ratings(labels, bootstrap=1)["mean_spearman"].value
