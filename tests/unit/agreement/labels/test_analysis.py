"""Putting a study together: options, conventions, notes, sets, groups."""

import numpy as np
import pytest

from concurrence import Labels, agree, agree_by_group
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, values
from concurrence.agreement.labels.coefficients.study import label_study
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import InvalidInputError, UndefinedError, UnknownNameError

CANONICAL = [
    ["1", "1", None, "1"],
    ["2", "2", "3", "2"],
    ["3", "3", "3", "3"],
    ["3", "3", "3", "3"],
    ["2", "2", "2", "2"],
    ["1", "2", "3", "4"],
    ["4", "4", "4", "4"],
    ["1", "1", "2", "1"],
    ["2", "2", "2", "2"],
    [None, "5", "5", "5"],
    [None, None, "1", "1"],
    [None, None, "3", None],
]


def test_pairs_weigh_equally_by_the_obvious_count():
    pairs = [(row[a], row[b]) for row in CANONICAL for a in range(4) for b in range(4) if a != b and row[a] and row[b]]
    agreed = np.mean([one == two for one, two in pairs])
    shares = np.array([np.mean([one == label for one, _ in pairs]) for label in "12345"])
    report = agree(Labels.from_rows(CANONICAL), convention="pairs")
    assert report["percent_agreement"].value == pytest.approx(agreed)
    assert report["fleiss_kappa"].expected == pytest.approx((shares**2).sum())
    assert report["gwet_ac1"].expected == pytest.approx((shares * (1 - shares)).sum() / 4)
    assert "pairs of labels weigh equally" in report["fleiss_kappa"].convention
    assert report["percent_agreement"].value != agree(Labels.from_rows(CANONICAL))["percent_agreement"].value


@pytest.mark.parametrize("name", ["fleiss_kappa", "davies_fleiss_kappa", "gwet_ac1", "weighted_kappa"])
def test_the_error_of_the_pairs_convention_is_the_slope_along_item_weights(name):
    from concurrence.kernels.coefficients import COEFFICIENTS

    options = AgreeOptions(convention="pairs", weights="quadratic")
    study, row = label_study(Labels.from_rows(CANONICAL), options), COEFFICIENTS[name]
    step = 1e-6 * np.eye(len(study.weights))
    slopes = (values(row, study, study.weights + step) - values(row, study, study.weights - step)) / 2e-6
    assert coefficient_parts(row, study, study.weights).influence == pytest.approx(slopes * study.labelled, abs=1e-5)


def test_one_category_is_undefined_in_words():
    report = agree(Labels.from_rows([["a", "a"], ["a", "a"]]))
    for name in ("cohen_kappa", "scott_pi", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "bennett_s"):
        assert np.isnan(report[name].value)
        assert "undefined" in report[name].note
    assert report["percent_agreement"].value == 1
    with pytest.raises(UndefinedError, match="Report observed agreement instead"):
        report.defined("cohen_kappa")


def test_declared_categories_count():
    rows = [["a", "a"], ["a", "b"], ["b", "b"]]
    inferred, declared = agree(Labels.from_rows(rows)), agree(Labels.from_rows(rows, categories=["a", "b", "c"]))
    assert declared["bennett_s"].value == pytest.approx((3 * 2 / 3 - 1) / 2)
    assert inferred["bennett_s"].value == pytest.approx(1 / 3)
    assert "3 categories declared" in declared["gwet_ac1"].convention
    assert "2 categories inferred" in inferred["gwet_ac1"].convention


def test_coefficients_of_two_coders_say_who_their_kin_are():
    report = agree(Labels.from_rows([["a", "b", "a"], ["b", "b", "a"]]))
    assert "there are 3" in report["cohen_kappa"].note
    assert "use Fleiss's kappa" in report["scott_pi"].note


def test_counts_do_not_know_their_coders():
    codes = np.array([[0, 0, 1], [1, 1, 1]], dtype=np.int32)
    labels = Labels(codes=codes, categories=("a", "b"), coders=("1", "2", "3"), anonymous=True)
    report = agree(labels)
    assert "counts of labels" in report["davies_fleiss_kappa"].note
    assert report["fleiss_kappa"].value == pytest.approx(1 - (1 / 3) / (2 * (1 / 3) * (2 / 3)))
    assert report.pairs == ()
    with pytest.raises(InvalidInputError, match="counts without coders"):
        agree(labels, expert="1")


def test_sets_are_compared_by_masi_unless_told_otherwise():
    rows = [["a", "a+b"], ["b", "b"], ["a+b", "c"], ["c", "c"]]
    plain = Labels.from_rows(rows)
    labels = Labels(
        codes=plain.codes, categories=plain.categories, coders=plain.coders, items=plain.items, set_separator="+"
    )
    masi, jaccard = agree(labels), agree(labels, weights="jaccard")
    assert masi["krippendorff_alpha"].observed == pytest.approx((1 - 1 / 2 * 2 / 3 + 1) / 4)
    assert jaccard["krippendorff_alpha"].observed == pytest.approx((1 - 1 / 2 + 1) / 4)
    assert "MASI" in masi["krippendorff_alpha"].convention


def test_the_circle_closes():
    hours = Labels.from_rows([["0", "23"], ["12", "12"], ["6", "7"], ["18", "18"]])
    around = agree(hours, scale="circular", period=24)["krippendorff_alpha"]
    straight = agree(hours, scale="interval")["krippendorff_alpha"]
    assert around.value > 0.9 > straight.value
    assert around.observed == pytest.approx(2 * np.sin(np.pi / 24) ** 2 / 4)


def test_a_week_has_seven_days_where_nobody_says_so():
    days = Labels.from_rows(
        [["sun", "mon"], ["wed", "wed"]], categories=["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    )
    assert "period 7" in agree(days, scale="circular")["krippendorff_alpha"].convention


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "interval"}, "'yes' is not a number|'no' is not a number"),
        ({"scale": "nominl"}, "Did you mean 'nominal'"),
        ({"weights": "linaer"}, "Did you mean 'linear'"),
        ({"weights": "masi"}, "separates their members"),
        ({"weights": [[1, 2, 1]]}, "2 x 2 matrix"),
        ({"weights": [[1, 0], [0, 0.5]]}, "diagonal"),
        ({"weights": [[0, -1], [-1, 0]]}, "not negative"),
        ({"level": 1.5}, "between 0 and 1"),
        ({"convention": "labels"}, "'items' or 'pairs'"),
        ({"expert": "z"}, "There is no coder 'z'"),
        ({"expert": "1", "cuts": (0.1, 0.9)}, "falling order"),
        ({"coefficients": ["cohen_kapa"]}, "Did you mean 'cohen_kappa'"),
        ({"scale": "circular", "period": -1}, "must be positive"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(options, message):
    with pytest.raises((InvalidInputError, UnknownNameError), match=message):
        agree(Labels.from_table([[3, 1], [1, 4]], categories=["yes", "no"]), **options)


def test_negative_numbers_have_no_ratio():
    with pytest.raises(InvalidInputError, match="negative"):
        agree(Labels.from_rows([["-1", "2"], ["3", "3"]]), scale="ratio")


def test_labels_must_be_labels_of_two_coders():
    with pytest.raises(InvalidInputError, match="One list of labels is one coder"):
        agree(["a", "b"])
    with pytest.raises(UndefinedError, match="only one"):
        agree(Labels.from_rows([["a"], ["b"]]))


def test_groups_come_in_their_order_and_select_their_items():
    codes = Labels.from_rows([["a", "a"], ["a", "b"], ["b", "b"], ["b", "a"]]).codes
    labels = Labels(codes=codes, categories=("a", "b"), coders=("1", "2"), groups=np.array(["z", "y", "z", "y"]))
    grouped = agree_by_group(labels)
    assert list(grouped.groups) == ["z", "y"]
    assert grouped.groups["z"]["percent_agreement"].value == 1
    assert grouped.mean["percent_agreement"] == 0.5
    with pytest.raises(InvalidInputError, match="no groups"):
        agree_by_group(Labels.from_rows([["a", "b"]]))


def test_three_categories_have_true_agreement_against_the_rest():
    report = agree(Labels.from_table([[20, 2, 1], [3, 15, 2], [0, 4, 30]], categories=["a", "b", "c"]))
    assert list(report.true_agreement.by_category) == ["a", "b", "c"]
    assert report.true_agreement.by_category["a"].table == ((20, 3), (3, 51))


def test_the_agreement_table_counts_labels():
    table = agree(Labels.from_rows([["a", "b", None], ["b", "b", "b"]]), agreement_table=True).agreement_table
    assert table.counts.tolist() == [[1, 1], [0, 3]]


def test_results_print_a_line_and_a_table():
    report = agree(Labels.from_table([[40, 15], [20, 25]]))
    assert str(report["cohen_kappa"]) == "Cohen's kappa = 0.286 [0.097, 0.474] (95% CI, 100 items)"
    assert "Cohen" in report._repr_html_()
    assert "0.286" in report["cohen_kappa"]._repr_html_()
    assert "undefined" in str(report["gwet_ac2"])
    table = Labels.from_table([[40, 15], [20, 25]])
    narrow, wide = (agree(table, level=level)["cohen_kappa"].interval for level in (0.9, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high
    with pytest.raises(UnknownNameError):
        report["kappa"]


def test_many_items_take_the_compiled_pass_and_say_the_same():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, size=(30_000, 1))
    codes = np.where(rng.random((30_000, 9)) < 0.7, truth, rng.integers(0, 4, (30_000, 9))).astype(np.int32)
    codes[rng.random(codes.shape) < 0.1] = -1
    few = Labels(codes=codes[:20_000], categories=tuple("abcd"), coders=tuple("123456789"))
    many = Labels(codes=np.tile(codes[:20_000], (2, 1)), categories=few.categories, coders=few.coders)
    names = ["fleiss_kappa", "krippendorff_alpha", "davies_fleiss_kappa", "percent_agreement"]
    one, two = agree(few, coefficients=names), agree(many, coefficients=names)
    for name in names:
        assert one[name].value == pytest.approx(two[name].value, abs=1e-5)
        assert one[name].standard_error == pytest.approx(two[name].standard_error * np.sqrt(2), rel=1e-3)


def test_what_goes_through_pairs_can_be_left_out_and_says_so():
    report = agree(Labels.from_rows([["a", "b", "a"], ["b", "b", "a"]]), pairs=False)
    assert report.pairs == ()
    assert np.isnan(report["mean_pairwise_kappa"].value)
    assert "left out" in report["mean_pairwise_kappa"].note


def test_asymmetric_distances_are_averaged_and_told(concur, tmp_path):
    (tmp_path / "table.csv").write_text(",a,b,c\na,20,5,1\nb,3,15,4\nc,2,6,10\n")
    (tmp_path / "directed.csv").write_text(",a,b,c\na,0,1,3\nb,2,0,1\nc,5,1,0\n")
    (tmp_path / "averaged.csv").write_text(",a,b,c\na,0,1.5,4\nb,1.5,0,1\nc,4,1,0\n")
    directed, averaged = (
        concur("agree", tmp_path / "table.csv", "--table", "--weights", tmp_path / f"{name}.csv", "--json").json
        for name in ("directed", "averaged")
    )
    for name in ("krippendorff_alpha", "weighted_kappa", "gwet_ac2"):
        one, other = directed["coefficients"][name], averaged["coefficients"][name]
        assert one["value"] == other["value"]
        assert "made symmetric by averaging both directions" in one["convention"]
        assert "symmetric" not in other["convention"]
