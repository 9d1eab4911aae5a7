"""Flack, Afifi, Lachenbruch & Schouten 1988; inputs of R irr's N2.cohen.kappa, one-sided alpha .05."""

import pytest

from concurrence.sampling.agreement_plan import items_for_power
from support.expect import printed


@pytest.mark.parametrize(
    ("shares", "kappa", "null_kappa", "power", "items"),
    [
        ((0.2, 0.25, 0.55), 0.6, 0.4, 0.8, "101"),
        ((0.2, 0.25, 0.55), 0.6, 0.4, 0.9, "136"),
        ((0.2, 0.05, 0.2, 0.05, 0.2, 0.3), 0.5, 0.1, 0.8, "18"),
    ],
)
def test_sample_sizes(shares, kappa, null_kappa, power, items):
    assert items_for_power(shares, kappa=kappa, null_kappa=null_kappa, power=power).items == printed(items)
