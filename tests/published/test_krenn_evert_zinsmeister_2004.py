"""Krenn, Evert & Zinsmeister (2004): Determining intercoder agreement for a collocation identification task."""

import json

import numpy as np
import pytest

from concurrence import Labels, agree, true_agreement
from concurrence.agreement.labels.options import CUTS
from published.krenn_2004 import FIGURE_2, SAME_PART, TABLE_1, TABLE_2, TABLES
from support.expect import PUBLISHED, printed

CODERS = ("NN7", "NN9", "NN12")
RECOVERED = json.loads((PUBLISHED / "krenn2004_tables.json").read_text("utf-8"))["rows"]


def percent(interval):
    return [100 * bound for bound in interval]


@pytest.mark.parametrize("coder", TABLES)
def test_tables_1_and_2(coder):
    kappa, low, high, size, _ = TABLE_2[coder]
    rate = true_agreement(TABLES[coder])
    assert percent(rate.homogeneity) == [printed(low), printed(high)]
    assert percent(rate.conservative) == [printed(text) for text in TABLE_1[coder]]
    assert 100 * rate.homogeneity.width == pytest.approx(float(size), abs=0.011)
    assert agree(Labels.from_table(TABLES[coder]))["cohen_kappa"].value == printed(kappa)


@pytest.mark.parametrize("row", RECOVERED, ids=lambda row: row["coder"])
def test_whole_items_behind_the_printed_percentages(row):
    """A second search found the same tables, and the numbers of items that the interval ends stand for."""
    assert row["table"] == TABLES[row["coder"]]
    rate = true_agreement(row["table"])
    for kind, items in row["m"].items():
        assert [row["n"] * bound for bound in getattr(rate, kind)] == pytest.approx(items)
        assert percent(getattr(rate, kind)) == [printed(text) for text in row["printed"][f"{kind}_percent"]]


@pytest.mark.parametrize("coders", SAME_PART)
def test_the_expert_decided_once_on_each_part(coders):
    assert len({sum(TABLES[coder][0]) for coder in coders}) == 1
    assert len({sum(map(sum, TABLES[coder])) for coder in coders}) == 1


def test_figure_2():
    rate = true_agreement(FIGURE_2)
    assert percent(rate.conservative) == pytest.approx([6, 46])
    assert percent(rate.homogeneity) == pytest.approx([9, 44])


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


@pytest.mark.parametrize("coder", TABLE_2)
def test_groups_of_section_6_follow_from_the_lower_bound(coder):
    _, low, high, size, group = TABLE_2[coder]
    assert f"G{1 + sum(float(low) / 100 <= cut for cut in CUTS)}" == group
    assert float(high) - float(low) == pytest.approx(float(size), abs=0.011)


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
    for place, coder in enumerate(CODERS):
        codes = Labels.from_table(TABLES[coder]).codes
        block = np.full((len(codes), 1 + len(CODERS)), -1, dtype=np.int32)
        block[:, 0], block[:, 1 + place] = codes[:, 0], codes[:, 1]
        parts.append(block)
    coders = ("BK", *CODERS)
    return Labels(codes=np.concatenate(parts), categories=("yes", "no"), coders=coders)
