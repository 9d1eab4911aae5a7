"""Ratings at the edge of what can be computed: a far origin, another unit, perfect and opposite ratings, gaps."""

from math import isfinite, isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import concurrence
from concurrence.agreement.ratings.variance import Gaps, reml_components, reml_items
from concurrence.core import InvalidInputError, Labels
from concurrence.core.values import to_json
from support.examples import examples

SHRINKING_NOT = ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k", "lin_ccc")
EPOCH = 1.7e12  # milliseconds
CERTAIN = "exactly 1"


def report_of(table, **options):
    rows = [[None if np.isnan(rating) else repr(float(rating)) for rating in row] for row in table]
    return concurrence.ratings(Labels.from_rows(rows), bootstrap=5, **options)


def numbers_of(report):
    """Everything that is said of the coefficients, but no sums of squares, which have a unit."""
    return {
        name: [one.value, one.standard_error, *one.interval, one.p_value]
        for name, one in report.coefficients.items()
        if name in SHRINKING_NOT
    }


def same_numbers(one, other, tolerance=1e-6):
    first, second = numbers_of(one), numbers_of(other)
    for name in first:
        assert first[name] == pytest.approx(second[name], abs=tolerance, rel=tolerance, nan_ok=True), name


tables = hnp.arrays(np.float64, st.tuples(st.integers(3, 8), st.integers(2, 4)), elements=st.integers(1, 9).map(float))


@examples(25)
@given(table=tables, scale=st.sampled_from([1.0, 4.0, 10.0, 1e3]))
def test_milliseconds_since_1970_are_ratings_like_others(table, scale):
    """Whole numbers are exact that far from 0, so that all numbers are the same."""
    same_numbers(report_of(table), report_of(EPOCH + scale * table))


@examples(25)
@given(table=tables, scale=st.sampled_from([1e-3, 1e-2, 0.1, 0.3, 7.7]))
def test_only_the_digits_that_were_lost_before_are_lost(table, scale):
    """Decimals that far from 0 are rounded where they are written down; beyond that nothing is."""
    given = EPOCH + scale * table
    kept = given - EPOCH  # exact, since the numbers are near
    assume(np.ptp(kept) > 0)
    steps = kept / np.spacing(EPOCH)  # whole numbers
    rest = steps - steps.mean(axis=1, keepdims=True) - steps.mean(axis=0) + steps.mean()
    within = steps - steps.mean(axis=1, keepdims=True)
    levels = [steps.mean(axis=0) - steps.mean(), steps.mean(axis=1) - steps.mean(), rest, within]
    assume(all(np.abs(one).max() < 1e-9 or np.sqrt((one**2).mean()) > 1.1 for one in levels))
    same_numbers(report_of(kept), report_of(given))


@examples(25)
@given(table=tables, power=st.sampled_from([-180, -60, -20, 20, 60, 180]))
def test_the_unit_does_not_matter(table, power):
    same_numbers(report_of(table), report_of(table * 2.0**power), tolerance=1e-9)


def test_eight_timestamps_have_the_interval_of_their_offsets():
    near = np.array([[1, 2], [4, 3], [2, 4], [7, 9], [8, 8], [3, 5], [6, 7], [9, 12.0]])
    same_numbers(report_of(near), report_of(EPOCH + near), tolerance=1e-12)
    big = report_of(1e12 + np.array([[1, 2], [3, 3], [5, 7.0]]))
    assert big["icc_2_1"].value == pytest.approx(6 / 7)  # BMS 11, EMS .5, JMS 1.5
    assert big["icc_2_1"].note is None
    assert big.variance.error == pytest.approx(0.5)


@pytest.mark.parametrize("offset", [0.0, 1e6, -1e6, 1e9])
def test_a_constant_shift_of_decimals_is_one_also_far_from_0(offset):
    """The sums of decimals are rounded; that is no scatter."""
    first = offset + np.array([0.1, 0.2, 0.3, 0.7, 1.9])
    report = report_of(np.column_stack([first, first + 1.1]))
    assert report["icc_3_1"].value == 1
    assert CERTAIN in report["icc_3_1"].note
    assert not {"limits", "widening"} & {one.code for one in report.sentences}
    assert next(one for one in report.sentences if one.code == "shift").text.endswith("2 rates 1.1 higher than 1.")


@pytest.mark.parametrize("unit", [1e300, 1e-160])
def test_numbers_whose_squares_are_none_are_refused_in_a_sentence(unit):
    with pytest.raises(InvalidInputError, match="in another unit, which changes no coefficient"):
        report_of(np.array([[1, 2], [3, 3], [5, 7.0]]) * unit)
    with pytest.raises(InvalidInputError, match="in another unit"):
        report_of(np.array([[1e308, -1e308], [1, 2], [3, 3]]))


def test_opposite_ratings_have_no_interval_and_no_certainty():
    report = report_of(np.array([[1, 4], [2, 3], [3, 2], [4, 1.0]]))
    assert report["icc_2_1"].value == pytest.approx(-2)
    for one in report.coefficients.values():
        assert isnan(one.interval.low)
        assert one.note.endswith(": no interval.") or "undefined" in one.note
        assert CERTAIN not in one.note
        assert one.trusted is None
    assert not report.warnings


def test_an_end_without_bound_is_not_reported():
    """One coder always says 3: for the mean of the coders Satterthwaite's interval has no lower end."""
    report = report_of(np.array([[3, 2], [3, 3], [3, 5], [3, 1.0]]))
    mean = report["icc_2_k"]
    assert mean.interval_method == "generalized"
    assert list(mean.intervals) == ["generalized"]
    assert 0 <= mean.interval.low <= mean.interval.high < 1
    assert "no lower end" in mean.note
    assert "inf" not in str(to_json(report)["coefficients"])
    usual = report_of(np.array([[1, 2], [4, 3], [2, 4], [7, 9], [8, 8.0]]))
    assert "satterthwaite" in usual["icc_2_k"].intervals
    assert "no lower end" not in (usual["icc_2_k"].note or "")


@examples(60)
@given(table=tables)
def test_an_interval_holds_its_value_and_only_1_is_called_1(table):
    report = report_of(table)
    for name in SHRINKING_NOT:
        one = report[name]
        if not isnan(one.interval.low):
            assert isfinite(one.interval.low)
            assert isfinite(one.interval.high)
            assert one.interval.low - 1e-9 <= one.value <= one.interval.high + 1e-9
        assert CERTAIN not in (one.note or "") or one.value == pytest.approx(1, abs=1e-12)


GAPS = np.array([[1, 2, np.nan], [np.nan, 2, 3], [1, np.nan, 3], [5, 6, np.nan]])


def test_gaps_without_scatter_are_exactly_1_and_not_certain():
    report = report_of(GAPS)
    for name in ("icc_3_1", "icc_3_k"):
        assert (report[name].value, report[name].trusted) == (1, False)
        assert CERTAIN in report[name].note
    assert report.variance.error == 0
    assert report["icc_2_1"].value == pytest.approx(4 / 5)  # of items 1, 1, 1, 5 and coders 0, 1, 2
    assert "1.000 to 1.000" not in " ".join(map(str, report.sentences))
    scattered = GAPS.copy()
    scattered[3, 1] = 6.5
    found = report_of(scattered)
    assert 0 < found["icc_3_1"].value < 1
    assert found["icc_3_1"].trusted
    same = np.where(np.isnan(GAPS), np.nan, np.array([[1], [2], [3], [5]]))
    assert report_of(same)["icc_1_1"].value == report_of(same)["icc_2_1"].value == 1


@pytest.mark.parametrize("scatter", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 0.0])
def test_little_scatter_leaves_the_variances_of_items_and_coders(scatter):
    """Items 1, 1, 1, 5 and coders 0, 1, 2 have the variances 4 and 1, and nearly so with a little scatter."""
    noise = np.random.default_rng(5).standard_normal(GAPS.shape)
    gaps = Gaps.of(GAPS + scatter * noise)
    found = reml_components(gaps)
    assert (found.items, found.coders) == pytest.approx((4, 1), rel=0.001 + 10 * scatter)
    assert found.error == pytest.approx(gaps.scatter / 2, rel=0.02)
    items, error = reml_items(gaps, by_coder=True)
    assert items == pytest.approx(4, rel=0.001 + 10 * scatter)
    assert error == pytest.approx(gaps.scatter / 2, rel=0.02)


def test_the_scatter_is_what_is_left_of_least_squares():
    """The sum of squares that indicators of items and coders leave."""
    table = GAPS + np.random.default_rng(2).standard_normal(GAPS.shape)
    rows, columns = np.nonzero(np.isfinite(table))
    design = np.hstack([np.eye(4)[rows], np.eye(3)[columns]])
    rating = table[rows, columns]
    rest = rating - design @ np.linalg.lstsq(design, rating, rcond=None)[0]
    alone = rating - design[:, :4] @ np.linalg.lstsq(design[:, :4], rating, rcond=None)[0]
    gaps = Gaps.of(table)
    assert (gaps.scatter, gaps.within) == pytest.approx(((rest**2).sum(), (alone**2).sum()))
