"""Bangdiwala's B as the R package vcd prints it (agreementplot of its data sets MSPatients and SexualFun)."""

import csv

import numpy as np
import pytest

from concurrence import agree
from concurrence.core import Labels
from support.expect import PUBLISHED, printed

# Landis & Koch (1977): two neurologists diagnose multiple sclerosis; the patients of New Orleans.
NEW_ORLEANS = [[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]]
# Hout, Duncan & Sobel (1987), as printed in Agresti (1990): rows the husband, columns the wife.
SEXUAL_FUN = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]


@pytest.mark.parametrize(("table", "value"), [(NEW_ORLEANS, "0.2854"), (SEXUAL_FUN, "0.1465")])
def test_vcd(table, value):
    assert printed(value) == agree(Labels.from_table(table))["bangdiwala_b"].value


def test_patients_of_winnipeg():
    with (PUBLISHED / "MSPatients_winnipeg.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    report = agree(PUBLISHED / "MSPatients_winnipeg.csv")
    assert len(rows) > 1
    assert printed("0.2721") == report["bangdiwala_b"].value


def test_areas_are_those_of_loops():
    table = np.array(SEXUAL_FUN)
    squares = sum(int(table[k, k]) ** 2 for k in range(4))
    rectangles = sum(int(table[k].sum()) * int(table[:, k].sum()) for k in range(4))
    found = agree(Labels.from_table(table))["bangdiwala_b"]
    n = table.sum() ** 2
    assert (found.observed, found.expected) == pytest.approx((squares / n, rectangles / n))
    assert found.interval.low < found.value < found.interval.high
    assert np.isnan(found.p_value)


def test_no_common_category_is_said():
    found = agree(["a", "a", "b"], ["c", "c", "d"])["bangdiwala_b"]
    assert found.note == "Bangdiwala's B is undefined: no category was used by both coders."
