"""The test that coders agree by chance: exact where items are few, and the same for coefficients of the same value."""

from itertools import permutations, product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import fisher_exact

from concurrence import agree
from concurrence.core import Labels

SAMPLE = np.random.default_rng(5)


def labels_of(*columns):
    return Labels.from_rows([list(map(str, row)) for row in zip(*columns, strict=True)])


@pytest.mark.parametrize(
    ("table", "printed"),
    [
        ([[1, 1], [0, 28]], 0.067),  # was p < .001
        ([[1, 0], [0, 9]], 0.10),  # was .002
        ([[5, 3], [2, 20]], None),
        ([[3, 0], [4, 400]], None),  # many items, but hardly any expected in one cell
    ],
)
def test_two_coders_and_two_categories_are_tested_by_fisher(table, printed):
    kappa = agree(Labels.from_table(table))["cohen_kappa"]
    assert kappa.p_value_method == "fisher_exact"
    assert kappa.p_value == pytest.approx(fisher_exact(table).pvalue, rel=1e-9)
    if printed is not None:
        assert kappa.p_value == pytest.approx(printed, abs=0.0005)


def test_many_items_in_every_cell_are_tested_on_the_null_error():
    kappa = agree(Labels.from_table([[40, 20], [25, 60]]))["cohen_kappa"]
    assert kappa.p_value_method == "fleiss_cohen_everitt"


def test_the_paste_of_a_paper_has_the_exact_value():
    report = agree(Labels.from_table([[1, 1], [0, 28]]))
    assert "p = .067" in report.apa


def p_by_all_permutations(columns):
    """Slow and obvious: every order of the labels of every coder but the first."""
    first, *others = columns

    def agreements(*lists):
        return sum(a == b for row in zip(*lists, strict=True) for i, a in enumerate(row) for b in row[:i])

    sums = [agreements(first, *orders) for orders in product(*(list(permutations(other)) for other in others))]
    apart = np.abs(np.array(sums) - np.mean(sums))
    return float(np.mean(apart >= abs(agreements(*columns) - np.mean(sums)) - 1e-9))


@pytest.mark.parametrize(
    "columns",
    [
        ([1, 2, 3, 1, 2, 3, 2], [1, 2, 3, 1, 2, 1, 2]),
        ([1, 2, 3, 1, 2, 3, 2], [2, 3, 1, 2, 3, 2, 1]),
        ([1, 2, 3, 2, 2], [1, 2, 3, 1, 1], [1, 2, 2, 2, 1]),
        ([1, 2, 1, 2, 2], [1, 2, 1, 2, 1], [1, 2, 1, 2, 2]),
    ],
)
def test_the_permutation_test_is_that_of_all_permutations(columns):
    fleiss = agree(labels_of(*columns))["fleiss_kappa"]
    exact = p_by_all_permutations(columns)
    assert fleiss.p_value_method == "permutation"
    assert fleiss.p_value == pytest.approx(exact, abs=5 * sqrt(exact * (1 - exact) / 4999) + 2e-4)


def test_graded_labels_are_exchanged_by_their_own_distance():
    first = [1, 2, 3, 4, 5, 6, 7, 8]
    close = [2, 3, 4, 5, 6, 7, 8, 8]  # never the same label, always the next
    report = agree(labels_of(first, close), scale="interval")
    alpha = report["krippendorff_alpha"]
    numbers = np.array(first)
    sums = np.array([((numbers - np.array(order)) ** 2).sum() for order in set(permutations(close))])
    apart = np.abs(sums - sums.mean())
    exact = float(np.mean(apart >= abs(((numbers - np.array(close)) ** 2).sum() - sums.mean()) - 1e-9))
    assert alpha.p_value == pytest.approx(exact, abs=5 * sqrt(exact / 4999) + 2e-4)
    assert report["cohen_kappa"].p_value > 0.05 > alpha.p_value


def test_coefficients_of_equal_value_have_one_p_value():
    table = [[1, 2], [1, 25]]
    for labels in (Labels.from_table(table), Labels.from_table(np.array(table) * 40)):
        report = agree(labels)
        for names in (("cohen_kappa", "davies_fleiss_kappa", "mean_pairwise_kappa"), ("scott_pi", "fleiss_kappa")):
            assert len({report[name].p_value_method for name in names}) == 1
            assert [report[name].p_value for name in names] == pytest.approx([report[names[0]].p_value] * len(names))


def test_draws_do_not_depend_on_the_order_of_coders_and_items():
    columns = SAMPLE.integers(1, 4, size=(3, 30)).tolist()
    one, two = agree(labels_of(*columns)), agree(labels_of(*(column[::-1] for column in columns[::-1])))
    for name in ("fleiss_kappa", "krippendorff_alpha", "davies_fleiss_kappa"):
        assert one[name].p_value == two[name].p_value
        assert tuple(one[name].interval) == pytest.approx(tuple(two[name].interval), abs=1e-12)


def test_draws_are_named_with_their_seed_and_can_be_repeated():
    columns = SAMPLE.integers(1, 4, size=(3, 30)).tolist()
    one, two = (agree(labels_of(*columns), seed=7) for _ in range(2))
    assert one["fleiss_kappa"].p_value == two["fleiss_kappa"].p_value
    assert one.seed == 7
    assert one["mean_pairwise_kappa"].p_value_method == "permutation"


def test_counts_without_coders_are_exchanged_among_all():
    rows = [["a"] * 3] * 6 + [["b"] * 3] * 6
    named = agree(Labels.from_rows(rows))["fleiss_kappa"]
    assert named.p_value < 0.001
    codes = np.array([[0, 0, 0]] * 6 + [[1, 1, 1]] * 6)
    counts = Labels(codes=codes, categories=("a", "b"), coders=("1", "2", "3"), anonymous=True)
    assert agree(counts)["fleiss_kappa"].p_value < 0.001
