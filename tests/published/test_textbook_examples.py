"""Artstein & Poesio 2008; slides of Fernández (Assessing the reliability of an annotation scheme)."""

import pytest

from concurrence import Labels, agree, read_labels
from published.fernandez import ACTS, APART, CONTAINERS
from support.expect import PUBLISHED, printed


@pytest.mark.parametrize(
    ("name", "observed", "expected", "value"),
    [
        ("scott_pi", "0.88", "0.4014", "0.7995"),
        ("cohen_kappa", "0.88", "0.396", "0.8013"),
        ("bennett_s", "0.88", "0.333", "0.82"),
    ],
)
def test_artstein_and_poesio(name, observed, expected, value):
    for labels in (Labels.from_table(ACTS), read_labels(PUBLISHED / "artstein_poesio_example.csv")):
        ours = agree(labels)[name]
        assert (ours.observed, ours.expected, ours.value) == (printed(observed), printed(expected), printed(value))


def test_weighted_kappa_of_the_slides():
    kappa = agree(Labels.from_table(ACTS), weights=APART)["weighted_kappa"]
    assert (1 - kappa.observed, 1 - kappa.expected) == (printed("0.09"), printed("0.49"))
    assert kappa.value == printed("0.8163")


def test_containers_of_the_slides():
    """Printed 66.6 and 49.9 %, cut off instead of rounded."""
    kappa = agree(Labels.from_table(CONTAINERS))["cohen_kappa"]
    assert (100 * kappa.observed, 100 * kappa.expected) == (printed("66.7"), printed("50.0"))
    assert 100 * kappa.value == printed("33.3")


def test_several_coders_have_the_mean_and_sd_of_their_pairs():
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"], ["b", "a", "b"], ["a", "a", "a"]]
    report = agree(Labels.from_rows(rows))
    values = [pair.cohen_kappa for pair in report.pairs]
    mean = sum(values) / 3
    assert report["mean_pairwise_kappa"].value == pytest.approx(mean)
    assert report["mean_pairwise_kappa"].sd == pytest.approx((sum((v - mean) ** 2 for v in values) / 2) ** 0.5)
