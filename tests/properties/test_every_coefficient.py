"""What must hold of every row of the coefficient table, today's and tomorrow's."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from concurrence.agreement.labels.coefficients.inference import standard_error, why_undefined
from concurrence.agreement.labels.coefficients.metrics import metric_of, named_weights
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import Labels
from concurrence.kernels.coefficients import COEFFICIENTS
from support.examples import examples

ROWS = pytest.mark.parametrize("row", COEFFICIENTS.values(), ids=lambda row: row.name)


def n_coders_for(row):
    return st.just(2) if row.coders == "two" else st.integers(2, 5)


@st.composite
def label_tables(draw, row, missing=True):
    n_coders, k = draw(n_coders_for(row)), draw(st.integers(2, 4))
    low = -1 if missing else 0
    codes = draw(hnp.arrays(np.int32, (draw(st.integers(2, 12)), n_coders), elements=st.integers(low, k - 1)))
    return codes, k


def study_of(codes, k, *, weights="quadratic", scale="nominal", convention="items", compress=True):
    names = tuple(str(c) for c in range(k))
    labels = Labels(codes=codes, categories=names, coders=tuple(f"c{c}" for c in range(codes.shape[1])))
    return LabelStudy.of(
        labels,
        metric=metric_of(scale, names),
        agreement_weights=named_weights(weights, names),
        convention=convention,
        compress=compress,
    )


def value(row, study):
    return float(values(row, study, study.weights))


def same(a, b):
    return a == pytest.approx(b, abs=1e-9, nan_ok=True)


@ROWS
@examples(20)
@given(data=st.data())
def test_names_of_coders_do_not_matter(row, data):
    codes, k = data.draw(label_tables(row))
    order = data.draw(st.permutations(range(codes.shape[1])))
    assert same(value(row, study_of(codes, k)), value(row, study_of(codes[:, order], k)))


@ROWS
@examples(20)
@given(data=st.data())
def test_order_of_items_does_not_matter(row, data):
    codes, k = data.draw(label_tables(row))
    order = data.draw(st.permutations(range(len(codes))))
    one, other = study_of(codes, k, compress=False), study_of(codes[order], k)
    assert same(value(row, one), value(row, other))
    assert same(error(row, one), error(row, other))


def error(row, study):
    return float("nan") if why_undefined(row, study) else standard_error(row, study)


@pytest.mark.parametrize("row", [row for row in COEFFICIENTS.values() if not row.weighted], ids=lambda row: row.name)
@examples(20)
@given(data=st.data())
def test_names_of_categories_do_not_matter_on_a_nominal_scale(row, data):
    codes, k = data.draw(label_tables(row))
    order = np.array([*data.draw(st.permutations(range(k))), -1])
    assert same(value(row, study_of(codes, k)), value(row, study_of(order[codes].astype(np.int32), k)))


@ROWS
@examples(20)
@given(data=st.data())
def test_perfect_agreement_on_two_categories_is_one(row, data):
    n_coders = data.draw(n_coders_for(row))
    truth = data.draw(hnp.arrays(np.int32, st.integers(2, 10), elements=st.integers(0, 3)))
    assume(len(set(truth.tolist())) > 1)
    study = study_of(np.repeat(truth[:, None], n_coders, axis=1), 4)
    assert value(row, study) == pytest.approx(1)


@ROWS
@examples(20)
@given(data=st.data())
def test_there_is_a_value_or_a_reason_never_both(row, data):
    codes, k = data.draw(label_tables(row))
    study = study_of(codes, k)
    reason = why_undefined(row, study)
    assert np.isfinite(value(row, study)) == (reason is None)
    assert reason is None or reason.endswith(".")


@ROWS
@pytest.mark.parametrize(("convention", "scale"), [("items", "nominal"), ("pairs", "ordinal")])
@examples(20)
@given(data=st.data())
def test_a_batch_is_the_same_as_one_by_one(row, convention, scale, data):
    codes, k = data.draw(label_tables(row))
    study = study_of(codes, k, convention=convention, scale=scale)
    draws = data.draw(hnp.arrays(np.float64, (3, len(study.codes)), elements=st.integers(0, 3)))
    together = values(row, study, draws)
    one_by_one = [value(row, drawn(codes, study, draw, k, convention, scale)) for draw in draws]
    assert together == pytest.approx(one_by_one, abs=1e-9, nan_ok=True)


def drawn(codes, study, draw, k, convention, scale):
    """The study with each pattern repeated as the draw says: the obvious twin of weights."""
    repeated = np.repeat(study.codes, draw.astype(int), axis=0)
    return study_of(repeated, k, convention=convention, scale=scale)


@ROWS
@examples(20)
@given(data=st.data())
def test_the_influence_of_an_item_is_the_slope_along_its_weight(row, data):
    """Pairs weigh alike, or nothing is missing: there Gwet's linearisation is the exact derivative."""
    codes, k = data.draw(label_tables(row, missing=False))
    study = study_of(codes, k)
    assume(why_undefined(row, study) is None)
    step = 1e-6
    ahead = values(row, study, study.weights + step * np.eye(len(study.weights)))
    back = values(row, study, study.weights - step * np.eye(len(study.weights)))
    slopes = (ahead - back) / (2 * step) * study.n_items
    if row.measures == "disagreement":  # Gwet linearises alpha without its small-sample factor
        n = study.n_items * study.n_coders
        slopes = (slopes + (1 - value(row, study)) / (n - 1)) * n / (n - 1)
    assume(np.isfinite(slopes).all())
    assert coefficient_parts(row, study, study.weights).influence == pytest.approx(slopes, abs=2e-3, rel=2e-3)
