"""Probabilities of benchmark bands for a coefficient of .67 with standard error .15 (irrCAC, test_benchmark.py)."""

from itertools import accumulate

import pytest

from concurrence.agreement.labels.diagnosis.scales import SCALES, band_probabilities
from support.expect import printed


@pytest.mark.parametrize(
    ("scale", "cumulated"),
    [
        ("altman", ["0.18168", "0.67511", "0.96356", "0.99912", "1.0"]),
        ("landis_koch", ["0.18168", "0.67511", "0.96356", "0.99912", "1.0", "1.0"]),
        ("fleiss", ["0.28699", "0.96356", "1.0"]),
    ],
)
def test_cumulated_from_the_top(scale, cumulated):
    shares = band_probabilities(SCALES[scale], 0.67, 0.15)
    assert list(accumulate(reversed(shares.values()))) == [printed(text) for text in cumulated]
