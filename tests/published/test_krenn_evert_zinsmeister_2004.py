"""Krenn, Evert & Zinsmeister (2004): Determining intercoder agreement for a collocation identification task."""

import json

import numpy as np
import pytest

from concurrence import Labels, agree, true_agreement
from concurrence.agreement.options import CUTS
from expect import SHARED_DATA, needs_shared_data, printed

FILE = SHARED_DATA / "krenn2004_tables.json"
ROWS = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.is_file() else []

TABLE_2 = (  # coder, lower and upper homogeneity bound in percent, size as printed, group of section 6
    ("NN7", "71.93", "82.22", "10.29", "G1"),
    ("NN9", "68.65", "79.77", "11.12", "G1"),
    ("NN10", "64.36", "75.85", "11.49", "G2"),
    ("NN4", "64.09", "75.91", "11.82", "G2"),
    ("NN1", "63.39", "75.91", "12.52", "G2"),
    ("NN6", "61.05", "73.33", "12.28", "G2"),
    ("NN5", "60.12", "72.75", "12.63", "G2"),
    ("NN2", "56.14", "70.64", "14.50", "G3"),
    ("NN11", "52.40", "65.65", "13.25", "G3"),
    ("NN3", "51.70", "64.33", "12.63", "G3"),
    ("NN8", "33.68", "49.71", "16.03", "G4"),
    ("NN12", "17.00", "35.05", "18.05", "G4"),
)


def percent(interval):
    return [100 * bound for bound in interval]


@needs_shared_data
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["coder"])
def test_tables_1_and_2(row):
    found = true_agreement(row["table"])
    assert percent(found.homogeneity) == [printed(text) for text in row["printed"]["homogeneity_percent"]]
    assert percent(found.conservative) == [printed(text) for text in row["printed"]["conservative_percent"]]
    assert [round(bound * row["n"]) for bound in found.homogeneity] == row["m"]["homogeneity"]
    assert [round(bound * row["n"]) for bound in found.conservative] == row["m"]["conservative"]
    kappa = agree(Labels.from_table(row["table"]))["cohen_kappa"]
    assert kappa.value == printed(row["printed"]["cohen_kappa"])


@needs_shared_data
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["coder"])
def test_interval_sizes_of_table_2(row):
    size = next(entry[3] for entry in TABLE_2 if entry[0] == row["coder"])
    assert 100 * true_agreement(row["table"]).homogeneity.width == pytest.approx(float(size), abs=0.011)


def test_figure_2():
    found = true_agreement([[40, 15], [20, 25]])
    assert percent(found.conservative) == pytest.approx([6, 46])
    assert percent(found.homogeneity) == pytest.approx([9, 44])


def test_equation_5_with_each_marginal_where_it_belongs():
    """Swapping the marginals of the off-diagonal terms is the classic slip; it changes this error."""
    p = np.array([[40, 15], [20, 25]]) / 100
    row, column, observed = p.sum(axis=1), p.sum(axis=0), np.trace(p)
    chance = row @ column
    variance = (
        p[0, 0] * ((1 - chance) - (column[0] + row[0]) * (1 - observed)) ** 2
        + p[1, 1] * ((1 - chance) - (column[1] + row[1]) * (1 - observed)) ** 2
        + (1 - observed) ** 2 * p[0, 1] * (column[0] + row[1]) ** 2
        + (1 - observed) ** 2 * p[1, 0] * (column[1] + row[0]) ** 2
        - (observed * chance - 2 * chance + observed) ** 2
    ) / (100 * (1 - chance) ** 4)
    kappa = agree(Labels.from_table([[40, 15], [20, 25]]))["cohen_kappa"]
    assert kappa.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)
    swapped = (1 - observed) ** 2 * (p[0, 1] * (column[1] + row[0]) ** 2 + p[1, 0] * (column[0] + row[1]) ** 2)
    right = (1 - observed) ** 2 * (p[0, 1] * (column[0] + row[1]) ** 2 + p[1, 0] * (column[1] + row[0]) ** 2)
    assert abs(swapped - right) > 1e-4


def test_the_square_of_kappa_over_its_null_error_is_chi_squared():
    from scipy.stats import chi2_contingency

    kappa = agree(Labels.from_table([[40, 15], [20, 25]]))["cohen_kappa"]
    chi_squared = chi2_contingency([[40, 15], [20, 25]], correction=False).statistic
    assert kappa.tests[0].statistic ** 2 == pytest.approx(chi_squared)


@pytest.mark.parametrize(("coder", "low", "high", "size", "group"), TABLE_2)
def test_groups_of_section_6_follow_from_the_lower_bound(coder, low, high, size, group):
    assert f"G{1 + sum(float(low) / 100 <= cut for cut in CUTS)}" == group
    assert float(high) - float(low) == pytest.approx(float(size), abs=0.011)


@needs_shared_data
def test_the_expert_table_has_the_order_the_sizes_and_the_groups():
    """The three tables as one study: each coder labelled other items, as the parts of the test set were."""
    report = agree(one_study(), expert="BK")
    rows = report.expert.rows
    assert [(row.coder, row.group) for row in rows] == [("NN7", "G1"), ("NN9", "G1"), ("NN12", "G4")]
    assert [100 * row.homogeneity.low for row in rows] == [printed(text) for text in ("71.93", "68.65", "17.00")]
    assert [row.size for row in rows] == [row.homogeneity.width for row in rows]
    assert [row.items for row in rows] == [855, 855, 853]


def one_study():
    parts = []
    for place, row in enumerate(ROWS):
        codes = Labels.from_table(row["table"]).codes
        block = np.full((len(codes), 1 + len(ROWS)), -1, dtype=np.int32)
        block[:, 0], block[:, 1 + place] = codes[:, 0], codes[:, 1]
        parts.append(block)
    coders = ("BK", *(row["coder"] for row in ROWS))
    return Labels(codes=np.concatenate(parts), categories=("yes", "no"), coders=coders)
