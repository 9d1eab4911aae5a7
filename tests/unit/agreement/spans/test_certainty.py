"""What a sample cannot show: certainty from perfect agreement, and a share that rests on a single difference."""

import json
from math import isnan

import pytest

from concurrence import spans
from support.span_cases import spans_of

PERFECT = [(f"d{n}", coder, 3, 8, "P" if n % 2 else "Q") for n in range(20) for coder in "xy"]
CERTAIN = "The value is exactly 1, so the standard error is estimated as 0; that is not certainty."


def texts(report):
    return " ".join(one.text for one in (*report.warnings, *report.sentences))


def codes(report):
    return {one.code for one in (*report.warnings, *report.sentences)}


def test_perfect_agreement_is_not_certainty():
    report = spans(spans_of(PERFECT, 20), bootstrap=50)
    leading = report[report.leading]
    assert (leading.value, leading.trusted) == (1, False)
    assert leading.note == CERTAIN
    assert f"{leading.title}: {CERTAIN}" in texts(report)
    assert f"{leading.title} is 1.000." in texts(report)
    assert "1.000 to 1.000" not in texts(report)
    for one in report.coefficients.values():
        assert not one.trusted or isnan(one.interval.low)


def test_one_difference_has_an_interval_and_no_share_of_it():
    """One label of forty: the coefficients have their intervals, but what coders differ about is not known."""
    marks = [*PERFECT[:-1], ("d19", "y", 3, 8, "Q")]
    report = spans(spans_of(marks, 20), bootstrap=200)
    assert report["f1_exact"].trusted
    assert report["f1_exact"].note is None
    assert "not certainty" not in texts(report)
    assert (report.differences.documents, report.differences.share) == (1, 1)
    assert isnan(report.differences.interval.low)
    assert report.differences.interval_method is None
    assert "few_differences" in codes(report)
    assert not {"where", "what"} & codes(report)
    assert "This rests on the 1 document in which coders differ, of 20" in texts(report)
    assert "100% to 100%" not in texts(report)


def mixed(n):
    """In each document two labels and one end differ."""
    for document in range(n):
        for place in range(3):
            start = 10 * place
            yield (f"d{document}", "x", start, start + 4, "P")
            yield (f"d{document}", "y", start, start + 4 + (place == 0), "P" if place == 0 else "Q")


@pytest.mark.parametrize(("n", "told"), [(20, True), (14, False)])
def test_many_documents_that_differ_have_an_interval_of_the_share(n, told):
    rest = [(f"same{k}", coder, 0, 4, "P") for k in range(20) for coder in "xy"]
    report = spans(spans_of([*mixed(n), *rest], 40), bootstrap=50, coefficients=["f1_exact"])
    assert report.differences.documents == n
    assert isnan(report.differences.interval.low) is not told
    assert ("few_differences" in codes(report)) is not told
    assert ("what" in codes(report)) is told


def test_differences_of_one_kind_are_told_without_an_interval():
    marks = [(f"d{n}", c, 3, 8 + (c == "y"), "P") for n in range(20) for c in "xy"]
    marks += [("d0", c, 12, 14, "Q") for c in "xy"]
    report = spans(spans_of(marks, 20), bootstrap=50, coefficients=["f1_exact"])
    assert (
        "In all 20 documents in which coders differ, the disagreement is about where spans are, not about their labels."
        in texts(report)
    )
    assert isnan(report.differences.interval.low)


def test_a_value_that_every_draw_gives_has_no_interval():
    marks = [(f"d{n}", c, 3 + 5 * (c == "y"), 8 + 5 * (c == "y"), "P") for n in range(20) for c in "xy"]
    found = spans(spans_of(marks, 20), bootstrap=50, coefficients=["f1_exact"])["f1_exact"]
    assert found.value == 0
    assert isnan(found.interval.low)
    assert "resampled documents always give this value" in found.note


def test_a_share_has_no_expected_value(concur, tmp_path):
    path = tmp_path / "spans.csv"
    path.write_text(
        "document,coder,start,end,label\n" + "".join(f"{','.join(map(str, m))}\n" for m in PERFECT), "utf-8"
    )
    done = concur("spans", path, "--length", 20, "--bootstrap", 20, "--json")
    found = json.loads(done.out)["coefficients"]
    assert found["f1_exact"]["expected"] is None
    assert found["f1_overlap"]["expected"] is None
    assert found["alpha_u"]["expected"] > 0
