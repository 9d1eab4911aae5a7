"""Groups of coders: agreement within and between, and the test that assigns coders to groups anew."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from concurrence import InvalidInputError, Labels, UndefinedError, agree, agree_by_group
from concurrence.agreement.labels.coder_groups import arrangements, difference_of, pair_sums, permutation_test
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.values import to_json
from concurrence.report.presenters import document_of, result_of
from concurrence.report.render.markup import render_markdown
from support.examples import examples

CODERS = tuple("abcdefgh")
HALVES = {coder: "one" if coder in "abcd" else "two" for coder in CODERS}
SPLIT = [["x"] * 4 + ["y"] * 4, ["x"] * 8, ["y"] * 8, ["x"] * 4 + ["y"] * 4, ["x"] * 3 + ["y"] * 5] * 2


def compared(rows, groups=HALVES, coders=CODERS, **asked):
    return agree(Labels.from_rows(rows, coders=coders[: len(rows[0])]), coder_groups=groups, **asked).coder_groups


def codes(found):
    return {sentence.code for sentence in found.sentences}


def slow_difference(rows, places):
    """Pair by pair: agreement less the mean agreement on the item, within groups and between."""
    held = {True: [], False: []}
    for row in rows:
        pairs = [(a, b) for a, b in combinations(range(len(row)), 2) if row[a] is not None and row[b] is not None]
        if pairs:
            mean = np.mean([row[a] == row[b] for a, b in pairs])
            for a, b in pairs:
                held[places[a] == places[b]].append((row[a] == row[b]) - mean)
    return np.mean(held[True]) - np.mean(held[False]) if held[True] and held[False] else np.nan


cells = st.sampled_from(["x", "y", "z", None])
tables = st.lists(st.lists(cells, min_size=5, max_size=5), min_size=1, max_size=6)


@given(tables.filter(lambda rows: any(cell for row in rows for cell in row)), st.permutations([0, 0, 1, 1, 2]))
def test_the_difference_is_that_of_the_loop(rows, places):
    study = LabelStudy.of(Labels.from_rows(rows))
    ours = float(difference_of(pair_sums(study, np.array(places)), study.weights))
    assert ours == pytest.approx(slow_difference(rows, places), abs=1e-12, nan_ok=True)


@examples(30)
@given(st.lists(st.lists(st.sampled_from("xyz"), min_size=6, max_size=6), min_size=1, max_size=4))
def test_the_p_value_is_that_of_scipy(rows):
    """scipy 1.17's permutation_test goes through the same assignments."""
    study = LabelStudy.of(Labels.from_rows(rows))
    ours, _, method = permutation_test(study, np.array([0, 0, 0, 1, 1, 1]), seed=0)

    def statistic(first, second):
        return round(slow_difference(rows, [0 if coder in first else 1 for coder in range(6)]), 9)  # ties are ties

    theirs = stats.permutation_test(
        ([0, 1, 2], [3, 4, 5]), statistic, vectorized=False, n_resamples=np.inf, alternative="greater"
    )
    assert method == "exact"
    assert ours == pytest.approx(theirs.pvalue)


def test_random_groups_are_called_different_no_more_often_than_the_level():
    study = LabelStudy.of(Labels.from_rows(np.random.default_rng(1).choice(["x", "y"], size=(9, 8)).tolist()))
    found = [permutation_test(study, np.array(places), seed=0)[0] for places in arrangements([4, 4])]
    assert np.mean(np.array(found) <= 0.05) <= 0.05
    assert np.mean(np.array(found) <= 0.2) <= 0.2


def test_all_arrangements_are_there_once():
    every = {tuple(places) for places in arrangements([2, 3, 1])}
    assert len(every) == len(list(arrangements([2, 3, 1]))) == 60
    assert all(sorted(places) == [0, 0, 1, 1, 1, 2] for places in every)


def test_groups_that_differ_are_told():
    found = compared(SPLIT)
    assert codes(found) == {"group_agreement", "groups_differ"}
    assert found.p_value == found.smallest_p_value == pytest.approx(2 / 70)
    assert found.within > found.between
    low, high = found.interval
    assert 0 < low < found.difference < high
    assert found.groups["one"].coders == ("a", "b", "c", "d")
    assert found.groups["one"].shares == pytest.approx({"x": 30 / 40, "y": 10 / 40})
    assert found.groups["two"].krippendorff_alpha.value == 1


def test_the_interval_is_told_where_items_are_enough():
    few, many = compared(SPLIT), compared(SPLIT * 20)
    assert (few.trusted, many.trusted) == (False, True)
    assert not any("interval" in sentence.text for sentence in few.sentences)
    assert any("95% interval for these coders" in sentence.text for sentence in many.sentences)


def test_groups_that_do_not_differ_are_not_said_to():
    rows = np.random.default_rng(0).choice(["x", "y"], size=(30, 8)).tolist()
    found = compared(rows)
    assert codes(found) == {"group_agreement", "groups_alike"}
    assert found.p_value > 0.05


def test_groups_that_agree_less_within_than_between_are_not_said_to_agree_more():
    rows = [["x", "y", "x", "y", "x", "y", "x", "y"], ["x"] * 8] * 15
    cross = [["x", "y", "y", "x", "x", "y", "y", "x"], ["y"] * 8] * 15
    found = compared(rows + cross)
    told = next(one.text for one in found.sentences if one.code == "groups_alike")
    assert found.difference <= 0
    assert "no higher than between" in told
    assert "significantly" not in told


def test_few_coders_cannot_show_a_difference_and_the_report_warns():
    rows = [["x", "x", "y", "y"], ["x", "x", "x", "x"]] * 20
    report = agree(Labels.from_rows(rows, coders="abcd"), coder_groups={"a": "one", "b": "one", "c": "two", "d": "two"})
    found = report.coder_groups
    assert codes(found) == {"group_agreement", "too_few_coders"}
    assert found.smallest_p_value == found.p_value == pytest.approx(1 / 3)
    assert "too_few_coders" in {sentence.code for sentence in report.warnings}


def test_easy_items_of_one_group_are_no_agreement_within():
    """Group one alone labelled easy items; on the items both labelled, the groups are alike."""
    random = np.random.default_rng(3)
    easy = [["x"] * 4 + [None] * 4 for _ in range(120)]
    shared = random.choice(["x", "y"], size=(40, 8)).tolist()
    found = compared(easy + shared)
    assert found.within - found.between > 0.3
    assert abs(found.difference) < 0.1
    assert codes(found) == {"group_agreement", "groups_alike"}


def test_groups_that_share_no_item_cannot_be_compared():
    found = compared([["x"] * 4 + [None] * 4, [None] * 4 + ["x", "y", "x", "x"]] * 5)
    assert codes(found) == {"groups_apart"}
    assert np.isnan(found.p_value)
    assert found.p_value_method is None


def test_names_and_order_do_not_matter():
    renamed = [[{"x": "q", "y": "r"}[cell] for cell in row[::-1]] for row in SPLIT[::-1]]
    groups = {coder: {"one": "B", "two": "A"}[HALVES[coder]] for coder in CODERS}
    one, other = compared(SPLIT), compared(renamed, groups, CODERS[::-1])
    assert other.groups["B"].coders == ("d", "c", "b", "a")
    for name in ("within", "between", "difference", "p_value"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_many_coders_are_drawn_and_the_seed_repeats_them():
    rows = [["x"] * 10 + ["y"] * 10, ["x"] * 20] * 4
    coders = tuple(str(k) for k in range(20))
    groups = {coder: str(int(coder) // 10) for coder in coders}
    found = compared(rows, groups, coders, seed=5)
    assert (found.p_value, found.p_value_method) == (1 / 10_000, "permutation")
    assert found == compared(rows, groups, coders, seed=5)


def test_a_coder_without_a_group_is_left_out_with_a_warning():
    report = agree(Labels.from_rows([[*row, "y"] for row in SPLIT], coders=(*CODERS, "zoe")), coder_groups=HALVES)
    assert report.coder_groups.without_group == ("zoe",)
    assert report.coder_groups.difference == pytest.approx(compared(SPLIT).difference)
    warned = {sentence.code: sentence.text for sentence in report.warnings}
    assert warned["coders_without_group"].startswith("zoe has no group and is left out")


def test_names_of_coders_are_not_altered():
    rows = [[*row, "y", "y"] for row in SPLIT]
    warned = [s.text for s in agree(Labels.from_rows(rows, coders=(*CODERS, "c4", "c5")), coder_groups=HALVES).warnings]
    assert any(text.startswith("c4 and c5 have no group and are left out") for text in warned)
    warned = [s.text for s in agree(Labels.from_rows(rows, coders=(*CODERS, "4", "5")), coder_groups=HALVES).warnings]
    assert any(text.startswith("Coder 4 and coder 5 have no group") for text in warned)


def test_groups_of_coders_who_gave_no_label_are_told():
    labels = Labels.from_rows(SPLIT, coders=CODERS)
    report = agree(labels, coder_groups={**HALVES, "c99": "one", "A": "two"})
    warned = {sentence.code: sentence.text for sentence in report.warnings}
    assert warned["groups_of_strangers"] == "The groups name c99 and A, but no label is by them."
    assert "groups_of_strangers" not in {sentence.code for sentence in agree(labels, coder_groups=HALVES).warnings}


@pytest.mark.parametrize(
    ("groups", "error", "match"),
    [
        ({"q": "one"}, InvalidInputError, "None of the coders has a group; the coders are a, b"),
        (dict.fromkeys(CODERS, "one"), UndefinedError, "in one group, 'one'"),
        ({coder: coder for coder in CODERS}, UndefinedError, "^Every coder is a group alone"),
        (
            {"a": "one", "b": "two"},
            UndefinedError,
            r"^Every coder with a group \(c, d, e, f, g and h have none\) is a group alone.*give two coders or more",
        ),
        (dict.fromkeys("abcdefg", "one"), UndefinedError, r"^All coders with a group \(h has none\) are in one group"),
    ],
)
def test_groups_that_are_none_are_refused(groups, error, match):
    with pytest.raises(error, match=match):
        compared(SPLIT, groups)


def test_groups_of_coders_and_of_items_exclude_each_other(concur, tmp_path):
    labels, groups = tmp_path / "labels.csv", tmp_path / "groups.csv"
    labels.write_text("item,word,coder,label\n1,w,a,x\n1,w,b,y\n1,v,a,x\n1,v,b,x\n")
    groups.write_text("coder,group\na,1\nb,2\n")
    done = concur("agree", labels, "--by", "word", "--coder-groups", groups)
    assert done.code == 2
    assert "leave out --by or --coder-groups" in done.err
    grouped = replace(Labels.from_rows([["x", "y"]]), groups=np.array(["w"]))
    assert agree_by_group(grouped).groups.keys() == {"w"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("coder,team\na,1\n", "has no column 'group'"),
        ("coder,group\na,1\na,2\n", "line 3: 'a' is in the group '2' and in '1'"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(concur, tmp_path, text, told):
    labels, groups = tmp_path / "labels.csv", tmp_path / "groups.csv"
    labels.write_text("item,coder,label\n1,a,x\n1,b,y\n")
    groups.write_text(text)
    done = concur("agree", labels, "--coder-groups", groups)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


def test_json_leads_back_to_the_same_page():
    report = agree(Labels.from_rows(SPLIT, coders=CODERS), coder_groups=HALVES)
    page = render_markdown(document_of(report))
    assert render_markdown(document_of(result_of("AgreementReport", to_json(report)))) == page
    assert "Groups of coders" in page


@pytest.mark.parametrize(("divided", "items"), [(4, 200), (12, 60)])
def test_items_that_divide_the_groups_have_the_interval_of_a_share(divided, items):
    """Percentiles of a bootstrap ended too low: with 2% divided, nine in ten of them held the truth."""
    result = compared([["x"] * 4 + ["y"] * 4] * divided + [["y"] * 8] + [["x"] * 8] * (items - divided - 1))
    exact = stats.binomtest(divided, items).proportion_ci(method="exact")
    assert result.difference == pytest.approx(divided / items)
    assert result.interval.low == pytest.approx(exact.low, abs=0.012)
    assert result.interval.high == pytest.approx(exact.high, abs=0.012)
    assert result.trusted


def test_one_category_leaves_no_interval():
    result = compared([["x"] * 8] * 40)
    assert (result.difference, result.interval_method, result.trusted) == (0, None, False)
