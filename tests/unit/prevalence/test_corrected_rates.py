"""A judge's share corrected for its errors: what does not fit is said, and why there is no correction."""

import json

import polars as pl
import pytest

from concurrence import rate, rate_from_counts


def codes(report):
    return {sentence.code for sentence in report.sentences}


@pytest.mark.parametrize(
    ("positive", "told"),
    [
        (0, "says yes to 11.0% of false candidates would hardly say yes to only 0.0%, even if none were true"),
        (150, "says yes to only 96.0% of true candidates would hardly say yes to 100.0%, even if all were true"),
    ],
)
@pytest.mark.parametrize("errors", [(0.96, 0.89), ((96, 100), (89, 100))])
def test_counts_that_contradict_the_errors_have_no_interval(positive, told, errors):
    found = rate_from_counts(positive, 150, sensitivity=errors[0], specificity=errors[1])
    if positive and isinstance(errors[0], tuple):  # 96 of 100 may be all but 100%
        assert found.interval.low < 1
        return
    assert found.interval is None
    assert {warning.code for warning in found.warnings} == {"does_not_fit"}
    assert told in str(found)
    assert found.rogan_gladen.note is not None
    assert "are true" not in str(found)


@pytest.mark.parametrize(("positive", "edge"), [(6, 0.0), (147, 1.0)])
def test_counts_just_outside_are_cut_in_two_plain_sentences(positive, edge):
    """The limits of the edge itself still hold the count, as in the manual of epiR."""
    found = rate_from_counts(positive, 151 if edge == 0 else 150, sensitivity=0.964, specificity=0.927)
    assert found.rate == edge
    assert found.interval.low <= edge <= found.interval.high
    assert found.interval.width > 0.01
    assert "cut_off" in codes(found)
    below, above = "would be below 0%, so it is given as 0%.", "would be above 100%, so it is given as 100%."
    assert (below in str(found), above in str(found)) == (edge == 0, edge == 1)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_no_interval_only_where_the_edge_is_rejected(level):
    for positive in range(0, 151, 3):
        found = rate_from_counts(positive, 150, sensitivity=0.9, specificity=0.85, level=level)
        low, high = rate_from_counts(positive, 150, sensitivity=1.0, specificity=1.0, level=level).interval
        assert (found.interval is None) == (high < 0.15 - 1e-12 or low > 0.9 + 1e-12)
        assert ("does_not_fit" in codes(found)) == (found.interval is None)


def test_nothing_is_said_of_counts_that_fit():
    assert codes(rate_from_counts(45, 150, sensitivity=0.96, specificity=0.89)) == {"rate"}


def test_a_judge_that_is_reversed_is_not_called_a_guesser():
    reversed_ = str(rate_from_counts(45, 150, sensitivity=0.3, specificity=0.3))
    assert "says yes to 70.0% of the false candidates and to only 30.0% of the true ones" in reversed_
    assert "equally often" not in reversed_
    guesser = str(rate_from_counts(45, 150, sensitivity=0.3, specificity=0.7))
    assert "equally often" in guesser
    assert "confused" not in guesser


def listed(tp, said):
    table = pl.DataFrame({"l1": [f"w{n}" for n in range(100)], "l2": "x", "judge": [said(n) for n in range(100)]})
    return rate(table, table[:20].select("l1", "l2", tp=pl.Series([tp(n) for n in range(20)])), judges=["judge"])


@pytest.mark.parametrize(("tp", "kind"), [(0, "true"), (1, "false")])
def test_where_no_true_one_was_judged_that_is_the_reason(tp, kind):
    note = listed(lambda n: tp, lambda n: n % 2).rogan_gladen.note
    assert note == (
        f"People found no {kind} candidate among those they judged, so the judge's errors on these are not known."
    )


def test_few_judgements_do_not_show_that_a_judge_tells_true_from_false():
    note = listed(lambda n: int(n < 1), lambda n: int(n < 17)).rogan_gladen.note
    assert note.startswith("Too few candidates were judged")
    assert listed(lambda n: int(n < 10), lambda n: int(n < 10 or n > 95)).rogan_gladen.note is None


def test_the_command_gives_null_with_a_reason(tmp_path, concur):
    asked = ("rate", "--counts", "0/150", "--sensitivity", ".96", "--specificity", ".89")
    found = concur(*asked, "--json").json
    assert found["interval"] is None
    assert "do not fit" in found["rogan_gladen"]["note"]
    assert concur(*asked, "-o", tmp_path / "rate.html").code == 0
    assert '"low": NaN' not in (tmp_path / "rate.html").read_text()
    assert json.dumps(found, allow_nan=False)
