import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import agree
from concurrence.agreement.labels.diagnosis.scales import SCALES, band_probabilities, band_shares, threshold_sentences
from concurrence.core import Interval, Labels


@given(st.sampled_from(sorted(SCALES)), st.floats(-1, 1), st.floats(0, 0.5))
def test_probabilities_of_the_bands_sum_to_one(name, value, error):
    assert sum(band_probabilities(SCALES[name], value, error).values()) == pytest.approx(1)


@given(st.sampled_from(sorted(SCALES)), st.floats(-1, 1))
def test_every_value_lies_in_its_band(name, value):
    band = SCALES[name].band_of(value)
    assert (
        band.low < value < band.high
        or (value == band.low and band.low_closed)
        or (value == band.high and band.high_closed)
    )


@pytest.mark.parametrize(
    ("scale", "value", "word"),
    [
        ("landis_koch", -0.1, "poor"),
        ("landis_koch", 0.0, "slight"),
        ("landis_koch", 0.8, "substantial"),
        ("krippendorff", 0.67, "tentative"),
        ("krippendorff", 0.8, "definite"),
        ("green", 0.75, "high"),
        ("green", 0.4, "low"),
        ("fleiss", 0.75, "fair to good"),
        ("rietveld_van_hout", 0.4, "fair"),
        ("altman", 0.81, "very good"),
    ],
)
def test_who_owns_a_cut(scale, value, word):
    assert SCALES[scale].band_of(value).name == word


def test_cohen_and_scott_on_two_sides_of_a_threshold():
    interval = Interval(low=0.56, high=0.78, level=0.95, method="fleiss_cohen_everitt")
    told = threshold_sentences("cohen_kappa", interval, {"cohen_kappa": 0.6725, "scott_pi": 0.6633})
    sentences = " ".join(map(str, told))
    assert [sentence.code for sentence in told][-1] == "threshold_in_interval"
    assert "on either side of a threshold of Krippendorff" in sentences
    assert "Krippendorff from 'discard' to 'tentative'" in sentences


def test_nothing_to_warn_of():
    interval = Interval(low=0.82, high=0.9, level=0.95, method="fleiss_cohen_everitt")
    assert threshold_sentences("cohen_kappa", interval, {"cohen_kappa": 0.86}) == ()


@given(st.sampled_from(sorted(SCALES)), st.lists(st.floats(-1.5, 1), min_size=1))
def test_shares_of_draws_are_what_counting_by_hand_gives(name, values):
    scale = SCALES[name]
    inner = [value for value in values if value not in {band.high for band in scale.bands[:-1]}] or [0.5]
    words = [scale.band_of(value).name for value in inner]
    by_hand = {band.name: words.count(band.name) / len(words) for band in scale.bands}
    assert band_shares(scale, np.array([*inner, np.nan])) == pytest.approx(by_hand)


def test_where_the_normal_distribution_fails_the_words_follow_the_posterior():
    found = agree(Labels.from_table([[90, 5], [5, 0]]))
    assert found.scales_method.name == "dirichlet"
    shares = found.scales["landis_koch"]["cohen_kappa"]
    assert sum(shares.values()) == pytest.approx(1)
    assert 0.4 < shares["poor"] < 0.7
    assert "Landis & Koch from 'poor' to 'fair'" in " ".join(map(str, found.scales_sentences))


def test_with_enough_data_the_words_follow_gwets_method():
    report = agree(Labels.from_table([[400, 150], [200, 250]]))
    kappa = report["cohen_kappa"]
    expected = band_probabilities(SCALES["altman"], kappa.value, kappa.standard_error)
    assert report.scales_method.name == "normal_truncated"
    assert report.scales["altman"]["cohen_kappa"] == expected


@pytest.mark.parametrize("name", SCALES)
def test_an_estimate_beyond_the_scale_lies_in_its_last_band(name):
    """With labels missing, Fleiss's kappa can fall below -1, with an error that does not reach back."""
    shares = band_probabilities(SCALES[name], -1.6666666666666667, 0.06415002990995854)
    assert list(shares.values()) == [1.0] + [0.0] * (len(shares) - 1)
