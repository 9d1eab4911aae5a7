"""Tables of categories that are never written out against those that are."""

import tracemalloc
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from concurrence import InvalidInputError, Labels, agree
from concurrence.agreement.labels import assess
from concurrence.agreement.labels.coefficients import many_pairs, metrics, study
from concurrence.agreement.labels.diagnosis import categories as by_category
from concurrence.kernels import distances, implicit
from concurrence.kernels.cross_table import CrossTable
from support.examples import examples
from support.thorough import always

SCALES = ("nominal", "ordinal", "interval", "ratio", "circular")
WEIGHTS = (None, "linear", "quadratic", "ordinal")
numbers = st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=2, max_size=8, unique=True)


def written_out(kind, values):
    """The table of a kind by the functions that write it out."""
    return {
        "linear": distances.linear_weights,
        "quadratic": distances.quadratic_weights,
        "ordinal": lambda values: distances.ordinal_weights(len(values)),
        "circular": lambda values: distances.circular_distances(values, 7.0),
        "ratio": distances.ratio_distances,
    }[kind](values)


def implied(kind, values):
    size = len(values)
    if kind == "circular":
        return implicit.circular_table(values, 7.0)
    if kind == "ratio":
        return implicit.block_table(
            size,
            lambda one, two: distances.relative_difference(values[one], values[two]),
            lambda some: distances.relative_difference(values[:, None], values[None, some]),
        )
    falls = {"linear": (1, -1), "quadratic": (1, 0, -1), "ordinal": (1, -1 / size, -(size - 1) / size)}[kind]
    return implicit.polynomial_table(np.arange(size, dtype=float) if kind == "ordinal" else values, falls)


@pytest.mark.parametrize("kind", ["linear", "quadratic", "ordinal", "circular", "ratio"])
@given(numbers, st.integers(0, 2**32))
def test_entries_and_products_are_those_of_the_matrix(kind, values, seed):
    values = np.array(values)
    assume(np.ptp(values) > 1e-6)
    rows = np.random.default_rng(seed).random((3, len(values)))
    matrix, table = written_out(kind, values), implied(kind, values)
    one, two = np.divmod(np.arange(matrix.size), len(values))
    assert table[one, two] == pytest.approx(matrix.ravel(), abs=1e-9)
    assert rows @ table == pytest.approx(rows @ matrix, abs=1e-9)
    assert rows @ table**2 == pytest.approx(rows @ matrix**2, abs=1e-9)
    assert rows @ (1 - table) == pytest.approx(rows @ (1 - matrix), abs=1e-9)
    assert rows[0] @ (1 - table) ** 2 == pytest.approx(rows[0] @ (1 - matrix) ** 2, abs=1e-9)
    assert table.sum() == pytest.approx(matrix.sum(), abs=1e-9)
    assert table.T is table


@pytest.mark.parametrize("masi", [True, False])
@given(st.lists(st.frozensets(st.sampled_from("abcd")), min_size=1, max_size=8))
def test_distances_of_single_sets_are_cells_of_the_table(masi, sets):
    between = distances.SetDistances(sets, masi=masi)
    one, two = np.divmod(np.arange(len(sets) ** 2), len(sets))
    assert between.entries(one, two) == pytest.approx(between.columns(slice(None)).ravel())


def as_if_many():
    """As if any number of categories were too many for a table."""
    return (
        patch.object(metrics, "FEW_CATEGORIES", 0),
        patch.object(by_category, "FEW_CATEGORIES", 0),
        patch.object(study, "_FEW_CELLS", 0),
        patch.object(study, "_FEW_CATEGORIES", 0),
        patch.object(many_pairs, "_MEETINGS", 1),
        patch.object(implicit, "_BLOCK_CELLS", 4),
    )


def agree_as_if_many(labels, **options):
    with ExitStack() as stack:
        for change in as_if_many():
            stack.enter_context(change)
        return agree(labels, **options)


@st.composite
def studies(draw, *coders):
    values = draw(st.lists(st.integers(0, 40), min_size=3, max_size=6, unique=True).map(sorted))
    shape = (draw(st.integers(3, 12)), draw(st.sampled_from(coders)))
    codes = draw(hnp.arrays(np.int32, shape, elements=st.integers(-1, len(values) - 1)))
    names = tuple(f"c{number}" for number in range(shape[1]))
    return Labels(codes=codes, categories=tuple(map(str, values)), coders=names, categories_declared=True)


def assert_same_report(one, other):
    assert one.coefficients.keys() == other.coefficients.keys()
    for name, expected in one.coefficients.items():
        result = other.coefficients[name]
        pairs = [(result.value, expected.value), (result.standard_error, expected.standard_error)]
        pairs += [(result.interval.low, expected.interval.low), (result.interval.high, expected.interval.high)]
        # an error of nothing is a rounding apart from an error that is next to nothing
        if expected.standard_error > 1e-6:
            pairs += [(result.p_value, expected.p_value)]
        for ours, theirs in pairs:
            assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-7, nan_ok=True), name
    assert one.diagnosis.confused == other.diagnosis.confused
    assert str(one.true_agreement) == str(other.true_agreement)


@pytest.mark.parametrize(
    "compared",
    always(
        *(("nominal", None), ("ordinal", "ordinal"), ("interval", "quadratic"), ("ratio", "linear")),
        of=list(product(SCALES, WEIGHTS)),
    ),
    ids=str,
)
@examples(4)
@given(labels=studies(2, 3, 4), convention=st.sampled_from(["items", "pairs"]))
def test_the_report_of_many_categories_is_that_of_few(compared, labels, convention):
    scale, weights = compared
    options = {"scale": scale, "weights": weights, "convention": convention}
    assert_same_report(agree(labels, **options), agree_as_if_many(labels, **options))


@examples(5)
@given(labels=studies(17))
def test_very_many_coders_with_very_many_categories(labels):
    assert_same_report(agree(labels), agree_as_if_many(labels))


@examples(5)
@given(labels=studies(2), scale=st.sampled_from(SCALES))
def test_resampling_many_categories_is_resampling_few(labels, scale):
    assert_same_report(agree(labels, scale=scale, bootstrap=20), agree_as_if_many(labels, scale=scale, bootstrap=20))


@given(hnp.arrays(np.int64, st.integers(1, 5).map(lambda k: (k, k)), elements=st.integers(0, 3)))
def test_a_cross_table_is_the_table_without_its_empty_cells(counts):
    size = len(counts)
    cells = np.repeat(np.arange(size**2), counts.ravel())
    with patch("concurrence.kernels.cross_table._FEW_CELLS", 0):
        table = CrossTable.of_codes(cells // size, cells % size, np.ones(len(cells)), size)
    for one in (table, CrossTable.of(counts), CrossTable.of(table)):
        assert one.dense().tolist() == counts.tolist()
        assert one.totals.tolist() == [counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()]
        assert one.diagonal.tolist() == np.diagonal(counts).tolist()
        assert one.n == counts.sum()
        assert one.at(0, size - 1) == counts[0, -1]
        for lower, upper, here, there in zip(*one.directions(), strict=True):
            assert (here, there) == (counts[lower, upper], counts[upper, lower])


def many_numbers(n_items, spread=1.0):
    rng = np.random.default_rng(2)
    values = 10 + rng.normal(size=(n_items, 1)) + spread * rng.normal(size=(n_items, 2))
    different, codes = np.unique(np.abs(values), return_inverse=True)
    return Labels(codes=codes.reshape(-1, 2), categories=tuple(map(repr, different.tolist())), coders=("a", "b"))


@pytest.mark.parametrize("scale", always("nominal", "interval", of=SCALES))
def test_memory_does_not_grow_with_the_square_of_the_categories(scale):
    """10,000 different numbers: a table of them would take 800 MB."""
    labels = many_numbers(5_000)
    tracemalloc.start()
    report = agree(labels, scale=scale)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6
    assert report.pairs[0].confusion is None
    if scale in ("interval", "ratio", "ordinal"):
        assert 0.4 < report["krippendorff_alpha"].value < 0.6
        assert 0.4 < report["weighted_kappa"].value < 0.6


def test_a_ratio_scale_has_a_limit_and_says_so():
    labels = many_numbers(200)
    with patch.object(metrics, "FEW_CATEGORIES", 10), patch.object(metrics, "MOST_VALUES", 300):
        with pytest.raises(InvalidInputError, match="there are 400 different ones; the limit is 300"):
            agree(labels, scale="ratio")
        assert agree(labels, scale="interval")["krippendorff_alpha"].defined


def test_sets_have_a_limit_and_say_so():
    labels = Labels.from_rows([["a+b", "a"], ["c", "c+d"]], coders=("x", "y"))
    with (
        patch.object(metrics, "FEW_CATEGORIES", 1),
        patch.object(metrics, "MOST_SETS", 3),
        pytest.raises(InvalidInputError, match="there are 4 different ones; the limit is 3"),
    ):
        agree(replace(labels, set_separator="+"))


def test_tables_that_were_asked_for_have_a_limit_and_say_so():
    labels = many_numbers(200)
    with patch.object(assess, "LARGEST_TABLE", 50_000), patch.object(assess, "MOST_CELLS", 50_000):
        with pytest.raises(InvalidInputError, match="Confusion tables of all categories would have 160,000 cells"):
            agree(labels, scale="interval", confusion=True)
        with pytest.raises(InvalidInputError, match="The table of items and categories would have 80,000 cells"):
            agree(labels, scale="interval", agreement_table=True)
