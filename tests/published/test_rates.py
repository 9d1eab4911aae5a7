"""Published rates: corrected counts, and rates without gold."""

import polars as pl
import pytest

from concurrence import rate_from_counts, rate_without_gold


@pytest.mark.parametrize(
    ("positive", "tested", "sensitivity", "specificity", "expected"),
    [
        (45, 150, 0.96, 0.89, 0.2235),
        (20, 120, 0.90, 0.99, 0.17603),  # the manual of RSurveillance, function tp
    ],
)
def test_rogan_and_gladen(positive, tested, sensitivity, specificity, expected):
    found = rate_from_counts(positive, tested, sensitivity=sensitivity, specificity=specificity)
    assert found.rate == pytest.approx(expected, abs=5e-5)


def test_the_exact_limits_of_the_manual_of_rsurveillance():
    found = rate_from_counts(20, 120, sensitivity=0.9, specificity=0.99)
    assert list(found.interval) == pytest.approx([0.1066051, 0.2647191], abs=5e-5)


def test_hui_and_walter_1980():
    """Two tests for tuberculosis in two populations, Biometrics 36, Table 2 and the estimates after it."""
    counts = [14, 4, 9, 528, 887, 31, 37, 367]
    table = pl.DataFrame(
        {"mantoux": [1, 1, 0, 0] * 2, "tine": [1, 0, 1, 0] * 2, "part": ["1"] * 4 + ["2"] * 4, "count": counts}
    )
    found = rate_without_gold(table, judges=["mantoux", "tine"], by="part")
    assert [part.value for part in found.parts.values()] == pytest.approx([0.0268, 0.7168], abs=5e-5)
    false_positives = [1 - judge.specificity.value for judge in found.judges.values()]
    false_negatives = [1 - judge.sensitivity.value for judge in found.judges.values()]
    assert false_positives == pytest.approx([0.0067, 0.0159], abs=5e-5)
    assert false_negatives == pytest.approx([0.0339, 0.0312], abs=5e-5)
    assert found.degrees_of_freedom == 0
    assert found.deviance == pytest.approx(0, abs=1e-4)
