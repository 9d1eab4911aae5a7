"""Items without a pair of labels have no part in the coefficients of two coders."""

import numpy as np
import pytest

from concurrence import agree
from concurrence.core import Labels

ROWS = [["y", "y"]] * 9 + [["n", "n"]] * 6 + [["y", "n"]] * 3 + [["n", "y"]] * 2
COEFFICIENTS = ("cohen_kappa", "scott_pi", "fleiss_kappa", "krippendorff_alpha", "percent_agreement", "gwet_ac1")


@pytest.mark.parametrize("more", [[None, None], ["y", None], [None, "n"]])
def test_an_item_without_a_pair_changes_nothing(more):
    whole, gap = agree(Labels.from_rows(ROWS)), agree(Labels.from_rows([*ROWS, more]))
    for name in COEFFICIENTS:
        assert gap[name].value == whole[name].value
        assert gap[name].standard_error == pytest.approx(whole[name].standard_error)
        assert tuple(gap[name].interval) == pytest.approx(tuple(whole[name].interval))
        assert gap[name].p_value == pytest.approx(whole[name].p_value, nan_ok=True)
        assert gap[name].trusted == whole[name].trusted
        assert (gap[name].items, gap[name].dropped) == (20, 1)
    assert gap.data.items == 21
    assert gap.data.dropped == 1


def test_perfect_agreement_with_a_gap_is_no_certainty():
    perfect = [["y", "y"]] * 6 + [["n", "n"]] * 6
    whole, gap = agree(Labels.from_rows(perfect)), agree(Labels.from_rows([*perfect, ["y", None]]))
    assert tuple(gap["cohen_kappa"].interval) == tuple(whole["cohen_kappa"].interval)
    assert gap["cohen_kappa"].interval.low < 0.8


def test_with_three_coders_one_gap_keeps_the_posterior():
    rows = [["y", "y", "y"]] * 9 + [["n", "n", "n"]] * 6 + [["y", "n", "n"]] * 4
    whole, gap = agree(Labels.from_rows(rows)), agree(Labels.from_rows([*rows, ["y", "y", None]]))
    assert whole["fleiss_kappa"].interval_method == gap["fleiss_kappa"].interval_method == "posterior"
    assert tuple(gap["fleiss_kappa"].interval) == pytest.approx(tuple(whole["fleiss_kappa"].interval), abs=0.05)


def test_the_mean_over_pairs_of_coders_who_share_little_is_not_trusted():
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, size=(1000, 1))
    codes = np.where(random.random((1000, 20)) < 0.9, truth, 1 - truth)
    whole = Labels(codes=codes[:200], categories=("n", "y"), coders=tuple(map(str, range(20))))
    codes[random.random(codes.shape).argsort(axis=1) >= 3] = -1  # three coders for every item, any two share 16
    sparse = Labels(codes=codes, categories=("n", "y"), coders=tuple(map(str, range(20))))
    assert agree(whole)["mean_pairwise_kappa"].trusted
    report = agree(sparse)
    assert report["mean_pairwise_kappa"].trusted is False
    assert report["fleiss_kappa"].trusted


def test_a_standard_error_that_counts_single_labels_says_so():
    rows = [["y", "y", "y"]] * 9 + [["n", "n", "n"]] * 6 + [["y", "n", "n"]] * 4
    whole, more = agree(Labels.from_rows(rows)), agree(Labels.from_rows([*rows, *[["y", None, None]] * 20]))
    assert more["percent_agreement"].value == whole["percent_agreement"].value
    assert more["percent_agreement"].standard_error > whole["percent_agreement"].standard_error
    assert "counts the 20 items with a single label" in more["percent_agreement"].note
    assert all("single label" not in (whole[name].note or "") for name in whole)
    assert "single label" not in more["krippendorff_alpha"].note  # rests on items with two labels alone
    assert "single label" not in more["mean_pairwise_kappa"].note
