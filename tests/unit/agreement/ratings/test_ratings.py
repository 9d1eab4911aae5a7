"""Agreement on numbers: properties of every row, slow twins, sentences and their absence, the command."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import spearmanr, ttest_rel

import concurrence
from concurrence.agreement.ratings.coefficients import assess_rating_coefficient
from concurrence.agreement.ratings.concordance import concordance_correlation
from concurrence.agreement.ratings.limits import limits_of_two
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.ranks import kendall_w, mean_spearman
from concurrence.agreement.ratings.study import rating_study
from concurrence.agreement.ratings.table import RATING_COEFFICIENTS, rating_coefficient
from concurrence.core import InvalidInputError, Labels, UndefinedError, UnknownNameError
from support.examples import examples

ROWS = pytest.mark.parametrize("name", RATING_COEFFICIENTS)
WIDE = "item,ann,bob,cy,dee\n1,9,2,5,8\n2,6,1,3,2\n3,8,4,6,8\n4,7,1,2,6\n5,10,5,6,9\n6,6,2,4,7\n"


def report_of(table, **options):
    rows = [
        [None if np.isnan(rating) else f"{rating:.10g}" for rating in row] for row in np.asarray(table, dtype=float)
    ]
    return concurrence.ratings(Labels.from_rows(rows), bootstrap=options.pop("bootstrap", 20), **options)


def found_of(name, table):
    rows = [[f"{rating:.10g}" for rating in row] for row in table]
    return assess_rating_coefficient(
        rating_coefficient(name), rating_study(Labels.from_rows(rows)), RatingOptions(bootstrap=5)
    )


def value(name, table):
    return found_of(name, table).value


@st.composite
def tables(draw, gaps=False):
    n, k = draw(st.integers(4, 9)), draw(st.integers(2, 4))
    table = draw(hnp.arrays(np.float64, (n, k), elements=st.integers(1, 9)))
    if gaps:
        gone = draw(hnp.arrays(np.bool_, (n, k), elements=st.booleans()))
        table = np.where(gone & draw(st.booleans()), np.nan, table)
        assume(np.isfinite(table).any(axis=0).sum() > 1)
        assume(np.isfinite(table).any(axis=1).sum() > 1)
    return table


@ROWS
@examples(15)
@given(table=tables(), data=st.data())
def test_names_and_order_do_not_matter(name, table, data):
    rows, columns = (data.draw(st.permutations(range(size))) for size in table.shape)
    assert value(name, table) == pytest.approx(value(name, table[rows][:, columns]), abs=1e-9, nan_ok=True)


@ROWS
@examples(15)
@given(table=tables(), shift=st.integers(-5, 5), scale=st.integers(1, 4))
def test_unit_and_origin_of_the_scale_do_not_matter(name, table, shift, scale):
    assert value(name, table) == pytest.approx(value(name, shift + scale * table), abs=1e-9, nan_ok=True)


@ROWS
@examples(15)
@given(truth=hnp.arrays(np.float64, st.integers(4, 9), elements=st.integers(1, 9)), k=st.integers(2, 4))
def test_perfect_agreement_is_one(name, truth, k):
    assume(len(set(truth.tolist())) > 1)
    found = found_of(name, np.repeat(truth[:, None], k, axis=1))
    assert found.value == pytest.approx(1)
    assert "not certainty" in found.note


@examples(40)
@given(table=tables(gaps=True))
def test_there_is_a_value_or_a_reason(table):
    report = report_of(table)
    for one in report.coefficients.values():
        assert one.defined or one.note.endswith(".")
        assert not one.defined or np.isnan(one.interval.low) or one.interval.low <= one.interval.high
    json.dumps(concurrence.core.values.to_json(report), allow_nan=False)


@given(table=tables())
def test_ranks_are_those_of_scipy(table):
    ones = np.ones(len(table))
    known = [
        spearmanr(table[:, a], table[:, b]).statistic
        for a, b in combinations(range(table.shape[1]), 2)
        if len(set(table[:, a])) > 1 and len(set(table[:, b])) > 1
    ]
    assume(known)
    assert float(mean_spearman(table, ones)) == pytest.approx(np.mean(known), abs=1e-9)
    if len(known) == table.shape[1] * (table.shape[1] - 1) / 2 and all(len(set(c)) == len(c) for c in table.T):
        k = table.shape[1]  # without ties W and the mean rank correlation say the same
        assert float(kendall_w(table, ones)) == pytest.approx((1 + (k - 1) * np.mean(known)) / k)


@given(table=tables(), data=st.data())
def test_weights_are_items_that_occur_several_times(table, data):
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table))))
    assume(counts.sum() > 2)
    repeated = np.repeat(table, counts, axis=0)
    for statistic in (kendall_w, mean_spearman):
        together = statistic(table, np.stack([counts.astype(float), np.ones(len(table))]))
        assert together[0] == pytest.approx(float(statistic(repeated, np.ones(len(repeated)))), abs=1e-9, nan_ok=True)


@given(table=tables())
def test_concordance_is_that_of_loops(table):
    assume(np.ptp(table) > 0)
    n, k = table.shape
    pairs = list(combinations(range(k), 2))
    observed = np.mean([(table[i, a] - table[i, b]) ** 2 for i in range(n) for a, b in pairs])
    unrelated = np.mean([(table[i, a] - table[j, b]) ** 2 for i in range(n) for j in range(n) for a, b in pairs])
    assert concordance_correlation(table, level=0.95).value == pytest.approx(1 - observed / unrelated)


def test_the_intervals_of_limits_are_those_of_draws():
    """The exact interval of a limit is where draws from the pivot lie."""
    random = np.random.default_rng(3)
    table = random.standard_normal((12, 2))
    limits = limits_of_two(table, ("a", "b"), level=0.9)
    z = (limits.high - limits.mean) / limits.sd
    free = 11
    drawn = (
        limits.mean
        - random.standard_normal(400_000)
        * limits.sd
        / np.sqrt(12)
        / (chi := np.sqrt(random.chisquare(free, 400_000) / free))
        + z * limits.sd / chi
    )
    assert np.quantile(drawn, [0.05, 0.95]) == pytest.approx(list(limits.high_interval), abs=0.02)


def test_the_shift_of_two_coders_is_a_t_test():
    table = np.array([[1, 2], [3, 3], [5, 7], [2, 4], [6, 6], [4, 5.0]])
    report = report_of(table)
    assert report.shift_test.p_value == pytest.approx(ttest_rel(table[:, 0], table[:, 1]).pvalue)
    assert report.coders["2"].shift - report.coders["1"].shift == pytest.approx(1.0)
    assert report.shift_test.statistic == pytest.approx(ttest_rel(table[:, 0], table[:, 1]).statistic ** 2)


def codes(report):
    return {sentence.code for sentence in report.sentences}


def test_sentences_come_where_the_data_carry_them_and_nowhere_else():
    random = np.random.default_rng(1)
    truth = random.standard_normal((60, 1)) * 3
    same = truth + random.standard_normal((60, 2)) * 0.5
    report = report_of(same)
    assert {"report", "no_shift", "limits"} <= codes(report)
    assert not {"shift", "widening", "missing_ratings"} & codes(report)
    shifted = report_of(same + np.array([[0, 1.5]]))
    assert "shift" in codes(shifted)
    assert "2 rates 1.5" in next(one.text for one in shifted.sentences if one.code == "shift")
    wider = report_of(same * [[1, 2]])
    assert "widening" in {one.code for one in wider.warnings}
    gaps = same.copy()
    gaps[:5, 0] = np.nan
    assert "missing_ratings" in codes(report_of(gaps))


def test_few_coders_get_the_generalized_interval_and_many_the_usual_one():
    random = np.random.default_rng(2)
    few = 5 + 2 * random.standard_normal((60, 1)) + random.standard_normal((1, 3)) + random.standard_normal((60, 3))
    found = report_of(few)["icc_2_1"]
    assert found.interval_method == "generalized"
    assert "Satterthwaite's interval" in found.note
    assert found.intervals["satterthwaite"].width < found.interval.width
    many = (
        5
        + 2 * random.standard_normal((60, 1))
        + 0.1 * random.standard_normal((1, 12))
        + random.standard_normal((60, 12))
    )
    report = report_of(many)
    assert not report.warnings
    assert report["icc_2_1"].interval_method == "satterthwaite"
    assert report["icc_2_1"].note is None
    assert set(report["icc_2_1"].intervals) == {"satterthwaite", "generalized"}


def test_no_interval_leaves_what_is_possible():
    """Two items, and a coder whose ratings never vary."""
    tiny = report_of([[2, 3], [5, 4]])
    assert -1 <= tiny["icc_2_1"].interval.low <= tiny["icc_2_1"].value <= tiny["icc_2_1"].interval.high <= 1
    assert tiny["icc_2_k"].interval.low <= tiny["icc_2_k"].value <= tiny["icc_2_k"].interval.high <= 1
    constant = report_of([[2, 3], [2, 4], [2, 5], [2, 1]])
    assert constant["kendall_w"].value == pytest.approx(0.5)
    assert np.isnan(constant["kendall_w"].interval.low)
    assert "no interval" in constant["kendall_w"].note
    assert "no two coders have ratings that vary" in constant["mean_spearman"].note


def test_what_is_missing_decides_what_there_is():
    nan = np.nan
    apart = np.array([[1, 2, nan, nan], [2, 3, nan, nan], [3, 3, nan, nan], [nan, nan, 1, 2], [nan, nan, 4, 4]])
    report = report_of(apart)
    assert "their levels cannot be compared" in report["icc_2_1"].note
    assert report["icc_1_1"].defined
    assert report.leading == "icc_1_1"
    assert ": some coders share no item with the others" in report.sentences[0].text
    assert "is not known" not in report.sentences[0].text
    assert "no item was rated by every coder" in report["kendall_w"].note
    never = report_of([[1, nan], [nan, 2], [3, nan]])
    assert "no item has ratings from two coders" in never["icc_1_1"].note
    assert [one.code for one in never.warnings] == ["undefined"]


def test_a_value_of_exactly_1_is_not_trusted_to_be_certain():
    shifted = report_of([[1, 2], [2, 3], [4, 5], [7, 8]])
    assert shifted["icc_3_1"].trusted is False
    assert shifted["kendall_w"].trusted is False
    assert "exactly 1" in shifted["icc_3_1"].note
    assert shifted["icc_2_1"].trusted
    same = report_of([[1, 1], [2, 2], [4, 4]])
    assert [one.code for one in same.warnings] == ["interval_untrusted"]
    assert same.apa == "2 coders rated 3 items: ICC(2,1) = 1.00."


def test_counts_of_ratings_have_the_one_way_forms_alone(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("item,label,count\n1,4,2\n1,5,1\n2,1,3\n3,2,1\n3,3,2\n4,5,3\n", "utf-8")
    report = concurrence.ratings(path, bootstrap=10)
    assert report["icc_1_1"].defined
    assert "which coder gave which rating" in report["icc_2_1"].note
    assert report.limits_of_agreement is None


def test_words_and_single_items_are_refused():
    with pytest.raises(InvalidInputError, match="'good' is not one"):
        concurrence.ratings(["good", "4"], ["3", "4"])
    with pytest.raises(UndefinedError, match="at least two items"):
        concurrence.ratings([1], [2])
    with pytest.raises(InvalidInputError, match="One list of labels is one coder"):
        concurrence.ratings([1, 2])
    with pytest.raises(InvalidInputError, match="between 0 and 1"):
        RatingOptions(level=95)
    with pytest.raises(InvalidInputError, match="at least 1"):
        RatingOptions(bootstrap=0)
    with pytest.raises(UnknownNameError, match="Did you mean 'icc_2_1'"):
        rating_coefficient("icc_21")


@pytest.fixture
def wide(tmp_path):
    (tmp_path / "ratings.csv").write_text(WIDE, "utf-8")
    return tmp_path / "ratings.csv"


def test_the_command_and_its_json(wide, concur, tmp_path):
    found = concur("ratings", wide, "--wide", "--json").json
    names = {"icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k", "lin_ccc", "kendall_w"}
    assert names <= set(found["coefficients"])
    one = found["coefficients"]["icc_2_1"]
    assert {"value", "observed", "expected", "standard_error", "interval", "interval_method", "note"} <= set(one)
    assert {"mean", "sd", "low", "high"} <= set(found["limits_of_agreement"])
    assert found["data"]["items"] == 6
    long = "item,coder,rating\n" + "".join(
        f"{row[0]},{name},{rating}\n"
        for row in (line.split(",") for line in WIDE.splitlines()[1:])
        for name, rating in zip(("ann", "bob", "cy", "dee"), row[1:], strict=True)
    )
    (tmp_path / "long.csv").write_text(long, "utf-8")
    again = concur("ratings", tmp_path / "long.csv", "--json").json
    assert again["coefficients"] == found["coefficients"]


def test_files_of_the_command(wide, concur, tmp_path):
    for ending in (".csv", ".html", ".md", ".tex", ".svg", ".png"):
        assert concur("ratings", wide, "--wide", "-o", tmp_path / f"out{ending}").code == 0
    assert "Shrout & Fleiss (1979)" in (tmp_path / "out.md").read_text("utf-8")
    assert (tmp_path / "out.csv").read_text("utf-8").count("\n") == len(RATING_COEFFICIENTS) + 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("item,coder,rating\n1,a,5\n1,b,high\n2,a,3\n2,b,4\n", "line 3: the rating 'high' is not a number"),
        ("item,coder,rating\n1,a,5\n1,a,4\n1,b,3\n2,a,3\n2,b,4\n", "labelled the same item more than once"),
        ("item,coder,rating\n1,a,5\n2,a,3\n", "only one coder"),
        ("item,coder,rating\n1,a,5\n1,b,3\n", "at least two items"),
    ],
)
def test_bad_input_is_one_sentence(text, complaint, concur, tmp_path):
    (tmp_path / "bad.csv").write_text(text, "utf-8")
    done = concur("ratings", tmp_path / "bad.csv")
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_a_word_among_the_numbers_of_a_wide_table_is_named_with_its_line(concur, tmp_path):
    (tmp_path / "wide.csv").write_text("item,a,b\n1,1,x\n2,2,3\n", "utf-8")
    done = concur("ratings", tmp_path / "wide.csv", "--wide")
    assert (done.code, done.out) == (2, "")
    assert "wide.csv, line 2: the rating 'x' is not a number. Name it in --missing" in done.err
    (tmp_path / "said.csv").write_text("item,a,b,said\n1,1,2,well\n2,2,3,so so\n3,3,3,bad\n", "utf-8")
    told = concur("ratings", tmp_path / "said.csv", "--wide")
    assert "the column 'said' holds text, not labels" in told.err


def test_what_it_takes_is_named():
    two = report_of([[2, 3], [5, 4]])
    assert "only two items were rated by every coder, and it takes at least three such items" in two["lin_ccc"].note


def test_a_caution_about_limits_says_of_which_differences():
    random = np.random.default_rng(1)
    truth = 3 * random.standard_normal((60, 1))
    report = report_of((truth + 0.5 * random.standard_normal((60, 2))) * [[1, 2]])
    caution = next(one.text for one in report.warnings if one.code == "widening")
    assert caution.startswith("The differences between 1 and 2 change with the size of the ratings (p < 0.001)")
    assert "these limits" not in caution


def test_a_rating_column_is_understood_only_where_no_label_is(concur, tmp_path):
    (tmp_path / "both.csv").write_text("item,coder,label,score\n1,a,x,5\n1,b,y,3\n2,a,x,1\n2,b,x,2\n", "utf-8")
    assert concur("agree", tmp_path / "both.csv", "--json").json["data"]["categories"] == ["x", "y"]
    assert concur("ratings", tmp_path / "both.csv").code == 2
    named = concur("ratings", tmp_path / "both.csv", "--columns", "label=score", "--json")
    assert named.json["data"]["ratings"] == 4
