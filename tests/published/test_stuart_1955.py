"""Stuart 1955 (vision of 7,477 women): Q = 11.96; symmetry X² = 19.11 with 6 df (Agresti 2002, section 10.4)."""

import polars as pl
import pytest

from concurrence.agreement.labels.diagnosis.categories import bowker, mcnemar, stuart_maxwell
from concurrence.core import InvalidInputError
from support.expect import PUBLISHED, printed

VISION = pl.read_csv(PUBLISHED / "vision_stuart.csv")[:, 1:].rows()

# Agresti 2002, table 10.1: approval of the prime minister, first and second survey
APPROVAL = [[794, 150], [86, 570]]


def test_marginal_homogeneity_and_symmetry():
    assert stuart_maxwell(VISION).statistic == printed("11.96")
    assert stuart_maxwell(VISION).degrees_of_freedom == 3
    assert bowker(VISION).statistic == printed("19.11")
    assert bowker(VISION).degrees_of_freedom == 6


def test_mcnemar():
    assert mcnemar(APPROVAL).statistic == printed("17.36")  # (150 - 86)² / 236


def test_mcnemar_wants_two_categories():
    with pytest.raises(InvalidInputError, match="two categories"):
        mcnemar(VISION)
