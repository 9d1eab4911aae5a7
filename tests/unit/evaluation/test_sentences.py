"""What an evaluation says: every list size is named, nothing is called best that is not shown to be better."""

import re

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact

import concurrence
from concurrence.evaluation.findings import sizes_of
from concurrence.kernels.exact_tests import fisher, smallest_fisher_difference
from concurrence.report.pages.evaluation import evaluation_document
from concurrence.report.pages.evaluation_brief import evaluation_brief, headline_sizes

SIZE = 1000
TRUTH = np.zeros(SIZE, dtype=bool)
TRUTH[200:300] = True
TABLE = pl.DataFrame(
    {
        "l1": [f"w{i:04d}" for i in range(SIZE)],
        "l2": "x",
        # All true positives have ranks 201 to 300 of the first, 1 to 100 of the second; the third has them all over.
        "late": -np.arange(SIZE, dtype=float),
        "early": TRUTH * 2000.0 - np.arange(SIZE),
        "even": -((np.arange(SIZE) * 7919) % SIZE).astype(float),
    }
)
GOLD = TABLE.select("l1", "l2", tp=pl.Series(TRUTH.astype(int)))


def said(found, code):
    return [sentence.text for sentence in found.sentences if sentence.code == code]


def test_every_list_size_at_which_the_baseline_is_not_beaten_is_named_worse_ones_too():
    found = concurrence.evaluate(TABLE, GOLD, measures=["late"], n=[100, 200, 250, 500, 1000])
    curve = found.measures["late"]
    assert curve.p_baseline[0] < 0.05  # significantly *worse*
    assert curve.p_baseline[-1] == 1.0  # the whole list is the baseline
    (text,) = said(found, "against_baseline")
    assert text == (
        "late was not shown to beat the baseline (random order) at n = 100, 200 and 1,000; "
        "it is worse than the baseline at n = 100 and 200."
    )


def test_a_measure_that_never_beats_the_baseline_is_said_to_have_failed_to_show_it():
    part = GOLD[np.sort(np.random.default_rng(2).choice(SIZE, 300, replace=False))]
    found = concurrence.evaluate(TABLE, part, measures=["early", "even"], n=[100, 200, 400])
    early, even = said(found, "against_baseline")
    assert early == "early beats the baseline (random order) at every list size (n = 100, 200 and 400)."
    assert even == "even was not shown to beat the baseline (random order) at any list size (n = 100, 200 and 400)."


def test_in_a_long_grid_every_list_size_lies_in_a_named_stretch():
    sizes = list(range(20, 1001, 20))
    found = concurrence.evaluate(TABLE, GOLD, measures=["late", "even"], n=sizes)
    for name, text in zip(("late", "even"), said(found, "against_baseline"), strict=True):
        curve = found.measures[name]
        beats = np.isin(curve.n, sorted(sizes_of(found.findings, "above_baseline", name)))
        assert (curve.p_baseline[beats] <= 0.05).all()
        named_part = text.partition("n = ")[2].partition("; it is worse")[0]
        named = set()
        for first, last in re.findall(r"([\d,]*\d)(?: to ([\d,]*\d))?", named_part):
            start, end = (int(number.replace(",", "")) for number in (first, last or first))
            named |= set(range(start, end + 1))
        assert named & set(sizes) == set(curve.n[~beats].tolist())


def test_a_list_of_which_nothing_is_judged_is_not_shown_to_beat_the_baseline():
    found = concurrence.evaluate(TABLE, GOLD[300:], measures=["early"], n=[50, 900])
    assert "at any list size (n = 50 and 900)" in said(found, "against_baseline")[0]


def weak():
    rows = np.sort(np.random.default_rng(5).choice(SIZE, 120, replace=False))
    noise = np.random.default_rng(1).standard_normal((2, SIZE))
    table = TABLE.with_columns(a=pl.Series(noise[0] + TRUTH), b=pl.Series(noise[1] + 0.9 * TRUTH))
    return concurrence.evaluate(table, GOLD[rows], measures=["a", "b"], n=[50, 100, 300])


def test_where_nothing_is_told_apart_no_measure_is_called_best():
    found = weak()
    assert not found.comparisons[0].regions
    (warning,) = (sentence for sentence in found.warnings if sentence.code == "low_power")
    assert warning.text.startswith("No difference between the measures can be shown at any list size.")
    (compared,) = said(found, "comparison")
    assert compared.startswith("No difference between a and b can be shown at any list size (smallest corrected p = ")
    for document in (evaluation_document(found), evaluation_brief(found)):
        words = " ".join([*document.warnings, *document.answer, *(sentence.text for sentence in found.sentences)])
        assert "best" not in words
        assert "no point" not in words


def test_the_difference_that_could_have_been_shown_is_that_of_all_tables_with_these_margins():
    found = weak()
    (pair,) = found.comparisons
    for i, n in enumerate(pair.n.tolist()):
        s_a, s_b, k = int(pair.sampled_a[i]), int(pair.sampled_b[i]), int(pair.true_a[i] + pair.true_b[i])
        gaps = [
            abs(x / s_a - (k - x) / s_b)
            for x in range(max(0, k - s_b), min(s_a, k) + 1)
            if fisher_exact([[x, k - x], [s_a - x, s_b - k + x]])[1] <= 0.05
        ]
        expected = min(gaps) * (n - pair.overlap[i]) / n if gaps else np.nan
        assert pair.detectable[i] == pytest.approx(expected, nan_ok=True)
    assert np.isfinite(pair.detectable).any()


@pytest.mark.parametrize("alternative", ["minlike", "central"])
def test_no_smaller_difference_is_significant(alternative):
    rng = np.random.default_rng(3)
    for n1, n2 in rng.integers(0, 30, (60, 2)).tolist():
        hits = int(rng.integers(0, n1 + n2 + 1))
        x = np.arange(max(0, hits - n2), min(n1, hits) + 1)
        p = fisher(x, n1, hits - x, n2, alternative=alternative)
        gaps = np.abs(x / max(n1, 1) - (hits - x) / max(n2, 1))[p <= 0.05]
        found = float(smallest_fisher_difference(n1, n2, hits, alternative=alternative))
        assert found == pytest.approx(gaps.min() if gaps.size else np.nan, nan_ok=True)


def test_by_design_the_smallest_difference_is_just_significant():
    sample = concurrence.draw_sample(
        TABLE, size=300, design="strata", best=[100, 300], measures=["early", "even"], seed=1
    )
    gold = sample.table.select("l1", "l2").join(GOLD, on=["l1", "l2"])
    found = concurrence.evaluate(TABLE, gold, measures=["early", "even"], n=[100, 300], sample=sample)
    (pair,) = found.comparisons
    for i in range(2):
        difference = abs(found.measures["early"].precision[i] - found.measures["even"].precision[i])
        assert (difference >= pair.detectable[i] - 1e-9) == (pair.p[i] <= 0.05)


def test_identical_lists_are_no_lack_of_power():
    table = TABLE.with_columns(same=2 * pl.col("late"))
    found = concurrence.evaluate(table, GOLD, measures=["late", "same"], n=[100, 200])
    assert not any(sentence.code == "low_power" for sentence in found.sentences)


def test_the_headline_shows_the_sizes_that_were_asked_for_and_at_most_five():
    asked = concurrence.evaluate(TABLE, GOLD, measures=["late", "early"], n=[30, 60, 90, 400, 900])
    assert headline_sizes(asked) == [30, 60, 90, 400, 900]
    grid = concurrence.evaluate(TABLE, GOLD, measures=["late", "early"], n=range(20, 1001, 20))
    assert headline_sizes(grid) == [100, 200, 500, 1000]
    odd = concurrence.evaluate(TABLE, GOLD, measures=["late", "early"], n=range(7, 700, 7))
    assert len(headline_sizes(odd)) == 5
    assert headline_sizes(odd)[-1] == 693
    answers = evaluation_document(asked).answer
    assert "At n = 30, early beats late." in answers
    assert sum(text.startswith("At n = ") for text in answers) == 5


def above(found):
    return said(found, "above")[0]


def test_the_largest_size_above_a_precision_is_not_said_to_hold_for_smaller_ones():
    late = concurrence.evaluate(TABLE, GOLD, measures=["late"], n=[20, 50, 100, 200, 250, 300], above=[0.2])
    assert above(late) == (
        "late: precision 20% or more at n = 300, the largest size tested that reaches it; the lower bound reaches it "
        "at n = 300, the largest size tested that reaches it."
    )
    early = concurrence.evaluate(TABLE, GOLD, measures=["early"], n=[20, 50, 100, 200, 500], above=[0.5])
    assert above(early).startswith("early: precision 50% or more at every list size tested up to n = 200;")
    nowhere = concurrence.evaluate(TABLE, GOLD, measures=["even"], n=[20, 50], above=[0.9])
    assert above(nowhere) == "even: precision 90% or more at no list size tested."
