"""Published rates: corrected counts, and rates without gold."""

import polars as pl
import pytest

from concurrence import rate_from_counts, rate_without_gold
from support.expect import printed


@pytest.mark.parametrize(
    ("positive", "tested", "sensitivity", "specificity", "expected"),
    [
        (45, 150, 0.96, 0.89, 0.2235),  # the manual of epiR, function epi.prev, with three herds
        (80, 210, 0.60, 0.90, 0.5619),
        (100, 189, 0.65, 0.95, 0.7985),
        (50, 124, 0.70, 0.99, 0.5699),
        (20, 120, 0.90, 0.99, 0.17603),  # the manual of RSurveillance, function tp
    ],
)
def test_rogan_and_gladen(positive, tested, sensitivity, specificity, expected):
    found = rate_from_counts(positive, tested, sensitivity=sensitivity, specificity=specificity)
    assert found.rate == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("positive", "tested", "sensitivity", "specificity", "per_hundred"),
    [
        (23, 150, 0.96, 0.89, "5.1"),
        (6, 151, 0.964, 0.927, "0"),
        (8, 210, 0.60, 0.90, "0.00"),
        (12, 189, 0.65, 0.95, "2.25"),
        (7, 124, 0.70, 0.99, "6.73"),
    ],
)
def test_the_earlier_examples_of_the_manual_of_epir(positive, tested, sensitivity, specificity, per_hundred):
    """Earlier editions of the manual, function epi.prev: cases per 100 of a herd, of children, of three herds."""
    found = rate_from_counts(positive, tested, sensitivity=sensitivity, specificity=specificity)
    assert 100 * found.rate == printed(per_hundred)


@pytest.mark.parametrize(
    ("positive", "tested", "sensitivity", "specificity", "per_hundred", "limits"),
    [
        (45, 150, 0.96, 0.89, "22", ("14", "32")),
        (80, 210, 0.60, 0.90, "56", ("43", "70")),
        (100, 189, 0.65, 0.95, "80", ("68", "92")),
        (50, 124, 0.70, 0.99, "57", (None, "70")),  # printed 45; Clopper and Pearson's 44.4 is somewhat wider
    ],
)
def test_the_examples_of_the_manual_of_epir(positive, tested, sensitivity, specificity, per_hundred, limits):
    """The manual of the R package epiR, function epi.prev: cases per 100 of four herds, with Blaker's limits."""
    found = rate_from_counts(positive, tested, sensitivity=sensitivity, specificity=specificity)
    assert 100 * found.rate == printed(per_hundred)
    for end, limit in zip(found.interval, limits, strict=True):
        assert limit is None or 100 * end == printed(limit)


def test_the_limits_of_the_earlier_manual_of_epir():
    """Its first two examples, limits per 100: 0 to 13 (Blaker) and 0 to 1.3 (Clopper and Pearson)."""
    herd = rate_from_counts(23, 150, sensitivity=0.96, specificity=0.89)
    children = rate_from_counts(6, 151, sensitivity=0.964, specificity=0.927)
    assert [100 * end for end in herd.interval] == [printed("0"), printed("13")]
    assert [100 * end for end in children.interval] == [printed("0"), printed("1.3")]


def test_the_exact_limits_of_the_manual_of_rsurveillance():
    found = rate_from_counts(20, 120, sensitivity=0.9, specificity=0.99)
    assert list(found.interval) == pytest.approx([0.1066051, 0.2647191], abs=5e-5)


def test_the_interval_of_lee_et_al_2025():
    """How to correctly report LLM-as-a-judge evaluations: 40% of 1,000, errors known from 200 answers of each kind.

    Value and limits as the README of its R port, llmJudgeReporting, prints them.
    """
    found = rate_from_counts(400, 1000, sensitivity=(180, 200), specificity=(140, 200))
    assert found.rate == printed("0.1666667")
    assert list(found.interval) == [printed("0.05635072"), printed("0.262733")]


def test_the_validation_data_of_cole_et_al_2023():
    """680 of 950 tested positive; 203 of 241 and 71 of 89 were told right. The value is that of delicatessen's tests.

    Its variance by estimating equations, .00156147627, is that of the delta method; the interval of Lang and Reiczigel
    is somewhat wider, since it shrinks the shares of the small validation study.
    """
    found = rate_from_counts(680, 950, sensitivity=(203, 241), specificity=(71, 89))
    assert found.rate == printed("0.80231396")
    wald = [0.80231396 + sign * 1.959964 * 0.00156147627**0.5 for sign in (-1, 1)]
    assert list(found.interval) == pytest.approx(wald, abs=0.003)
    assert found.interval.low < wald[0]


@pytest.mark.parametrize(("judged", "limits"), [(50, ("0.00000000", "0.3281189")), (100, ("0.01390166", "0.2897995"))])
def test_the_interval_of_lee_et_al_2025_with_fewer_judgements(judged, limits):
    errors = {"sensitivity": (judged * 9 // 10, judged), "specificity": (judged * 7 // 10, judged)}
    found = rate_from_counts(400, 1000, **errors)
    assert list(found.interval) == [printed(limit) for limit in limits]


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
