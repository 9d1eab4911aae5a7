"""``spans``: the report, its sentences and its list of disagreements."""

import json
import pickle
from itertools import combinations

import numpy as np
import pytest

from concurrence import InvalidInputError, spans
from concurrence.core.values import to_json
from concurrence.report.pages.spans import span_disagreement_table
from concurrence.report.presenters import document_of, result_of
from support.span_cases import simulated, spans_of

DOCUMENTS = 30


@pytest.fixture(scope="module")
def report():
    return spans(simulated(DOCUMENTS, np.random.default_rng(0), n_coders=3), bootstrap=200)


def codes(report):
    return {one.code for one in (*report.sentences, *report.warnings)}


def test_every_coefficient_has_a_value_and_an_interval_around_it(report):
    for one in report.coefficients.values():
        low, high = one.interval
        assert low <= one.value <= high, one.coefficient
        assert (one.interval_method, one.trusted) == ("bootstrap_expanded_percentile", True)
        assert one.standard_error > 0


def test_a_report_survives_json_and_pickle(report):
    again = result_of("SpanReport", json.loads(json.dumps(to_json(report))))
    assert to_json(again) == to_json(report)
    assert pickle.loads(pickle.dumps(report)) == report
    assert document_of(again).answer == document_of(report).answer
    assert report.to_frame().height > len(report.coefficients)


def test_the_same_seed_gives_the_same_report():
    given = simulated(12, np.random.default_rng(3))
    assert spans(given, bootstrap=50, seed=4) == spans(given, bootstrap=50, seed=4)
    assert spans(given, bootstrap=50, seed=4) != spans(given, bootstrap=50, seed=5)


def moved(n, *, relabel):
    """Two coders who differ in every third span: in its label, or in its end."""
    marks = []
    for document in range(n):
        for place in range(6):
            differs = (place + document) % 3 == 0
            marks.append((f"d{document}", "x", place * 10, place * 10 + 4, "P"))
            other = ("d" + str(document), "y", place * 10, place * 10 + 4 + 2 * (differs and not relabel))
            marks.append((*other, "Q" if differs and relabel else "P"))
    marks.append(("d0", "x", 70, 72, "Q"))
    marks.append(("d0", "y", 70, 72, "Q"))
    return spans_of(marks, 80)


def test_where_or_what_is_said_only_where_the_data_show_it():
    assert "what" in codes(spans(moved(20, relabel=True), coefficients=["f1_exact"]))
    assert "where" in codes(spans(moved(20, relabel=False), coefficients=["f1_exact"]))
    for n in (1, 14):
        few = codes(spans(moved(n, relabel=False), coefficients=["f1_exact"]))
        assert "differences" in few
        assert not {"where", "what"} & few
    random = np.random.default_rng(0)
    marks = []
    for document in range(24):
        for place in range(4):
            kind = random.integers(2)
            marks.append((f"d{document}", "x", place * 10, place * 10 + 4, "P"))
            marks.append((f"d{document}", "y", place * 10, place * 10 + 4 * (1 + kind), "PQ"[1 - kind]))
    assert not {"where", "what"} & codes(spans(spans_of(marks, 50), coefficients=["f1_exact"]))


def nested(n_documents):
    """Spans within spans of another label, which one coder never marks."""
    marks = []
    for document in range(n_documents):
        marks += [(f"d{document}", coder, 10, 30, "P") for coder in "xy"]
        marks.append((f"d{document}", "x", 12 + document % 5, 20, "Q"))
    return spans_of(marks, 40)


def test_a_span_within_another_that_is_left_out_is_about_where():
    found = spans(nested(20), coefficients=["f1_exact"])
    assert (found.differences.what, found.differences.share) == (0, 0)
    assert "where" in codes(found)
    assert {one.kind for one in found.disagreements} == {"where"}
    said = next(sentence.text for sentence in found.sentences if sentence.code == "differences")
    assert said.startswith("At 100% of the positions that two coders treat differently, one of them gives a label that")


@pytest.mark.parametrize("n_labels", [3, 63, 200])
def test_positions_are_about_what_if_each_coder_has_a_label_that_the_other_lacks(n_labels):
    """Against sets of labels at every position."""
    random = np.random.default_rng(n_labels)
    marks, held = [], {}
    for coder in "xyz":
        for label in random.permutation(n_labels)[:40].tolist():
            start, end = sorted(random.choice(31, 2, replace=False).tolist())
            marks.append(("d", coder, start, end, f"{label:03}"))
            for place in range(start, end):
                held.setdefault((coder, place), set()).add(label)
    where = what = 0
    for place in range(30):
        for a, b in combinations("xyz", 2):
            one, other = held.get((a, place), set()), held.get((b, place), set())
            what += bool(one - other and other - one)
            where += bool(one - other) ^ bool(other - one)
    found = spans(spans_of(marks, 30), coefficients=["f1_exact"]).differences
    assert (found.where, found.what, found.overlapping) == (where, what, True)


def test_all_is_said_without_shares():
    where = spans(moved(20, relabel=False), coefficients=["f1_exact"])
    what = spans(moved(20, relabel=True), coefficients=["f1_exact"])
    for report, end in ((where, "marked by only one of them."), (what, "marked by both, with different labels.")):
        assert any(f"All positions that two coders treat differently are {end}" == one.text for one in report.sentences)


def test_what_is_said_of_agreement_and_of_one_label():
    same = [(f"d{d}", c, 3, 8, "P") for d in range(3) for c in "xy"]
    assert codes(spans(spans_of(same, 20), coefficients=["f1_exact"])) == {
        "agreement",
        "no_difference",
        "interval_untrusted",
    }
    one_label = [("d", "x", 3, 8, "P"), ("d", "y", 3, 9, "P")]
    assert {"one_label", "one_document"} <= codes(spans(spans_of(one_label, 20), coefficients=["f1_exact"]))
    divided = [("d", "x", 3, 8, "P"), ("d", "y", 3, 5, "P"), ("d", "y", 5, 8, "P"), ("d", "x", 9, 10, "Q")]
    found = spans(spans_of([*divided, ("d", "y", 9, 10, "Q")], 20), coefficients=["f1_exact"])
    assert "divided" in codes(found)
    assert len(found.disagreements) == 1


def test_one_document_has_no_interval_and_says_why():
    found = spans(spans_of([("d", "x", 3, 8, "P"), ("d", "y", 3, 9, "P")], 20))["alpha_u"]
    assert np.isnan(found.interval.low)
    assert found.interval_method is None
    assert "only one" in found.note


def test_overlapping_spans_of_a_coder_leave_kappa_undefined():
    marks = [("d", "x", 3, 8, "P"), ("d", "x", 5, 9, "Q"), ("d", "y", 3, 8, "P")]
    report = spans(spans_of(marks, 20))
    for name in ("token_kappa", "u_alpha", "u_alpha_binary", "cu_alpha"):
        assert not report[name].defined
        assert "spans of x overlap in document 'd'" in report[name].note
    assert report["alpha_u"].defined
    assert report["gamma"].defined


def test_nobody_marked_anything():
    report = spans(spans_of([], 20, coders=["x", "y"], documents=["a", "b"]))
    assert not any(one.defined for one in report.coefficients.values())
    assert all(one.note for one in report.coefficients.values())


def test_places_and_kinds():
    marks = [
        *(("d", c, 0, 4, "P") for c in "xyz"),
        ("d", "x", 10, 14, "P"),
        ("d", "y", 10, 14, "Q"),
        ("d", "z", 10, 14, "P"),
        ("d", "x", 20, 24, "P"),
        ("d", "y", 22, 26, "P"),
        ("d", "x", 30, 34, "P"),
        ("d", "y", 31, 34, "Q"),
    ]
    found = spans(spans_of(marks, 50), coefficients=["f1_exact"])
    kinds = [(one.start, one.end, one.kind) for one in found.disagreements]
    assert kinds == [(10, 14, "what"), (20, 26, "where"), (30, 34, "where and what")]
    assert found.disagreements[1].marks == {"x": ("P 20–24",), "y": ("P 22–26",), "z": ()}
    assert span_disagreement_table(found)["z"].to_list() == ["P 10–14", "–", "–"]


def test_a_reference_gives_precision_and_recall():
    marks = [("d", "gold", 0, 4, "P"), ("d", "gold", 8, 9, "P"), ("d", "m", 0, 4, "P"), ("d", "n", 1, 4, "P")]
    report = spans(spans_of(marks, 20), reference="gold", coefficients=["f1_exact", "f1_overlap"])
    first, second = report.pairs
    assert (first.coders, first.precision, first.recall) == (("gold", "m"), 1.0, 0.5)
    assert (second.coders, second.precision, second.recall) == (("gold", "n"), 0.0, 0.0)
    assert report["f1_exact"].value == pytest.approx((2 / 3 + 0) / 2)
    with pytest.raises(InvalidInputError, match="no coder 'silver'"):
        spans(spans_of(marks, 20), reference="silver")


def test_documents_with_one_reader_are_left_out():
    marks = [("a", "x", 0, 4, "P"), ("a", "y", 0, 4, "P"), ("b", "x", 0, 4, "P")]
    report = spans(spans_of(marks, 20, read=lambda d, c: (d, c) != ("b", "y")), coefficients=["f1_exact"])
    assert (report.data.documents, report.data.dropped, report["f1_exact"].value) == (1, 1, 1.0)
    assert "documents_dropped" in codes(report)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"coefficients": ["alpha_v"]}, "no coefficient for spans 'alpha_v'. Did you mean 'alpha_u'"),
        ({"sampler": "suffle"}, "Did you mean 'shuffle'"),
        ({"level": 1.5}, "The level must lie between 0 and 1"),
        ({"alpha": 0}, "Gamma's alpha must be a number above 0, not 0"),
        ({"beta": -1}, "Gamma's beta must be a number 0 or more, not -1"),
        ({"empty": float("inf")}, "Gamma's empty must be a number above 0, not inf"),
    ],
)
def test_options_that_cannot_be(options, says):
    with pytest.raises(InvalidInputError, match=says):
        spans(spans_of([("d", "x", 3, 8, "P"), ("d", "y", 3, 8, "P")], 20), **options)


def test_one_coder_is_not_enough():
    with pytest.raises(InvalidInputError, match="at least two coders"):
        spans(spans_of([("d", "x", 3, 8, "P")], 20))
