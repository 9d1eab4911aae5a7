"""Every figure about spans has its uncertainty: F1 of a label, precision and recall, and the draws behind them."""

from math import isnan

import numpy as np
import pytest

from concurrence import spans
from concurrence.agreement.spans import assess
from concurrence.agreement.spans.analyse import analyse_spans
from concurrence.agreement.spans.assess import Resampling
from concurrence.agreement.spans.options import SpansOptions
from support.span_cases import simulated, spans_of

F1 = ("f1_exact", "f1_overlap")


def study(n=20, **more):
    return simulated(n, np.random.default_rng(0), **more)


def test_f1_of_a_label_is_that_of_its_spans_alone():
    marked = study(n_coders=3)
    report = spans(marked, bootstrap=100, only=list(F1))
    frame = marked.to_frame()
    for label in "PQR":
        rows = [row for row in frame.iter_rows() if row[4] == label]
        alone = spans(spans_of(rows, 120, coders=marked.coders, documents=marked.documents), bootstrap=0, only=list(F1))
        for name in F1:
            one = report[name].by_category[label]
            assert one.value == pytest.approx(alone[name].value)
            assert one.interval.low < one.value < one.interval.high
            assert one.trusted


def test_a_label_in_few_documents_is_not_trusted():
    rare = [("d3", coder, 100, 105, "rare") for coder in ("c0", "c1")] + [("d5", "c0", 100, 105, "rare")]
    marked = study()
    rows = [*marked.to_frame().iter_rows(), *rare]
    report = spans(spans_of(rows, 120, coders=marked.coders, documents=marked.documents), bootstrap=200)
    one = report["f1_exact"].by_category["rare"]
    assert one.value == pytest.approx(2 / 3)
    assert one.trusted is False
    assert "2 documents" in one.note
    assert report["f1_exact"].trusted
    assert report["alpha_u"].by_category["rare"].trusted is False
    assert report["alpha_u"].by_category["P"].trusted
    page = report.to_frame().filter(label="rare", coefficient="f1_exact")
    assert page["low"].is_not_null().all()


def test_precision_and_recall_have_intervals():
    pair = spans(study(n_coders=2), reference="c0", bootstrap=200).pairs[0]
    assert set(pair.intervals) == {"precision", "recall", "f1_exact", "f1_overlap", "token_kappa"}
    assert pair.trusted
    for name, interval in pair.intervals.items():
        assert interval.low < getattr(pair, name) < interval.high
    assert not {"precision", "recall"} & set(spans(study(), bootstrap=200).pairs[0].intervals)
    few = spans(study(6), reference="c0", bootstrap=200).pairs[0]
    assert few.trusted is False
    none = spans(study(), reference="c0", bootstrap=0).pairs[0]
    assert (none.intervals, none.trusted) == ({}, None)


def test_the_interval_of_recall_is_that_of_its_share_by_document():
    """The obvious way: draw documents, and divide what has a partner by what the reference marked."""
    marked = study(n_coders=2)
    pair = analyse_spans(marked, SpansOptions(reference="c0", bootstrap=300, seed=4)).pairs[0]
    frame = marked.to_frame()
    own = {d: {r[2:] for r in frame.iter_rows() if r[:2] == (d, "c0")} for d in marked.documents}
    other = {d: {r[2:] for r in frame.iter_rows() if r[:2] == (d, "c1")} for d in marked.documents}
    both = np.array([len(own[d] & other[d]) for d in marked.documents])
    drawn = Resampling.of(len(marked.documents), SpansOptions(bootstrap=300, seed=4)).draws.astype(float)
    values = drawn @ both / (drawn @ np.array([len(own[d]) for d in marked.documents]))
    assert tuple(pair.intervals["recall"]) == pytest.approx(assess.expanded_interval(values, 0.95, 20))


def test_draws_in_slices_are_those_of_one_draw(monkeypatch):
    options = SpansOptions(bootstrap=50, seed=3)
    whole = Resampling.of(40, options)
    seen = []
    monkeypatch.setattr(assess, "CELLS_AT_ONCE", 100)
    sliced = Resampling.of(40, options)
    assert (sliced.draws == whole.draws).all()
    assert sliced.draws.dtype == np.uint8
    assert (sliced.draws.sum(axis=1) == 40).all()
    sliced.replicates(lambda weights: seen.append(weights.size) or weights.sum(axis=-1))
    assert max(seen) <= 100


def test_a_share_of_few_documents_that_differ_is_not_trusted():
    few, many = (spans(study(n, slip=0.4), bootstrap=100, only=["f1_exact"]) for n in (18, 40))
    assert (few.differences.documents, few.differences.trusted) == (18, False)
    assert "few_differences" in {one.code for one in few.sentences}
    assert many.differences.trusted
    assert "few_differences" not in {one.code for one in many.sentences}
    none = spans(study(6), bootstrap=100, only=["f1_exact"]).differences
    assert isnan(none.interval.low)
    assert none.trusted is None
