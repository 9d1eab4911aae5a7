"""Labels that are sets: what is left out, what stands for what, and agreement on each label."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Labels, agree
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.sets import set_differences
from concurrence.core.values import to_json
from concurrence.report.presenters import document_of, result_of
from concurrence.report.render.markup import render_markdown
from support.examples import examples

MEMBERS = "abc"


def labels_of(rows, *, coders=None):
    """Labels from texts such as ``ab`` for the set of a and b, ``None`` where there is none."""
    texts = [[None if cell is None else "+".join(sorted(cell)) for cell in row] for row in rows]
    return replace(Labels.from_rows(texts, coders=coders), set_separator="+")


def studied(rows, **asked):
    return agree(labels_of(rows), **asked).sets


def codes(found):
    return {sentence.code for sentence in found.sentences}


cells = st.one_of(st.none(), st.sets(st.sampled_from(MEMBERS), min_size=1).map(lambda s: "".join(sorted(s))))
tables = st.integers(2, 4).flatmap(
    lambda coders: st.lists(st.lists(cells, min_size=coders, max_size=coders), min_size=2, max_size=8)
)


def pairs_of_sets(rows):
    for row in rows:
        yield from combinations([set(cell) for cell in row if cell is not None], 2)


@given(tables.filter(lambda rows: any(cell for row in rows for cell in row)))
def test_differences_are_those_of_the_obvious_loop(rows):
    omitted, replaced, standing = Counter(), Counter(), Counter()
    differing = omissions = 0
    for one, other in pairs_of_sets(rows):
        mine, yours = one - other, other - one
        differing += one != other
        omissions += one != other and not (mine and yours)
        for member in mine | yours:
            (replaced if mine and yours else omitted)[member] += 1
        for a in mine:
            for b in yours:
                standing[tuple(sorted((a, b)))] += 1 / (len(mine) * len(yours))
    labels = labels_of(rows)
    ours = set_differences(LabelStudy.of(labels), [frozenset(name.split("+")) for name in labels.categories])
    assert (ours.differing, ours.omissions) == (differing, omissions)
    assert (ours.omitted, ours.replaced) == (dict(omitted), dict(replaced))
    assert {one.categories: one.pairs for one in ours.confused} == pytest.approx(dict(standing))


def jaccard(a, b):
    return 1 - len(a & b) / len(a | b)


def masi(a, b):
    weight = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - weight * (1 - jaccard(a, b))


@pytest.mark.parametrize(("name", "apart"), [("masi", masi), ("jaccard", jaccard)])
def test_alpha_is_that_of_the_definition(name, apart):
    """Krippendorff's alpha from the definition: mean distance within items against that over all labels."""
    rows = [["a", "ab", "b"], ["b", "b", "b"], ["ab", "c", "ac"], ["c", "c", None], ["abc", "a", "ab"]]
    groups = [[set(cell) for cell in row if cell is not None] for row in rows]
    every = [one for group in groups for one in group]
    within = sum(2 * sum(apart(a, b) for a, b in combinations(group, 2)) / (len(group) - 1) for group in groups) / len(
        every
    )
    over_all = sum(2 * apart(a, b) for a, b in combinations(every, 2)) / (len(every) * (len(every) - 1))
    assert studied(rows).alpha[name].value == pytest.approx(1 - within / over_all)


@pytest.mark.usefixtures("few_draws")
@examples(10)
@given(st.lists(st.lists(st.sampled_from(MEMBERS), min_size=3, max_size=3), min_size=3, max_size=12))
def test_sets_of_one_label_each_have_the_kappas_of_single_labels(rows):
    report = agree(labels_of(rows))
    assert report.sets.omissions == 0
    for name, one in report.categories.items():
        ours = report.sets.labels[name]
        assert (ours.count, ours.given) == (one.count, 2 * one.count)
        assert [ours.kappa, ours.specific_agreement] == pytest.approx([one.kappa, one.specific_agreement], nan_ok=True)
        repeated = ours.given - ours.omitted - ours.replaced
        assert repeated / ours.given == pytest.approx(one.specific_agreement)


def test_names_and_order_do_not_matter():
    rows = [["a", "ab"], ["b", "b"], ["ab", "c"], ["c", "c"], ["bc", "c"], ["a", "a"]] * 3
    renamed = [[cell.translate(str.maketrans("abc", "zyx")) for cell in row[::-1]] for row in rows[::-1]]
    one, other = studied(rows), studied(renamed)
    assert (one.differing, one.omissions) == (other.differing, other.omissions) == (9, 6)
    for name, twin in zip("abc", "zyx", strict=True):
        mine, theirs = one.labels[name], other.labels[twin]
        assert mine.kappa == pytest.approx(theirs.kappa)
        assert (mine.given, mine.omitted, mine.replaced) == (theirs.given, theirs.omitted, theirs.replaced)


def test_perfect_agreement_is_1_and_nothing_is_left_out():
    found = studied([["a", "a"], ["ab", "ab"], ["c", "c"], ["bc", "bc"]] * 5)
    assert [one.value for one in found.alpha.values()] == [1, 1]
    assert all(one.kappa == 1 and one.omitted == one.replaced == 0 for one in found.labels.values())
    assert (found.differing, found.confused, found.leans) == (0, (), ())
    assert codes(found) == {"set_alpha"}


def test_a_label_that_is_in_every_set_has_no_kappa_and_a_reason():
    found = studied([["a", "ab"], ["ab", "ab"], ["a", "a"]] * 4)
    assert np.isnan(found.labels["a"].kappa)
    assert "undefined" in found.labels["a"].note
    assert found.labels["b"].kappa < 1


def test_a_label_that_one_coder_leaves_out_is_named():
    found = studied([["a", "ab"]] * 12 + [["ab", "ab"]] * 10 + [["c", "c"]] * 10)
    assert codes(found) == {"set_alpha", "omissions", "forgotten", "omission_lean"}
    assert (found.labels["b"].given, found.labels["b"].omitted) == (32, 12)
    assert found.leans[0].coders == ("1", "2")
    assert (found.leans[0].this_way, found.leans[0].other_way) == (12, 0)
    told = {sentence.code: sentence.text for sentence in found.sentences}
    assert told["omissions"].startswith("In all of the 12 disagreements, one coder gave all labels of the other")
    assert "'b'" in told["forgotten"]
    assert "12 of 32 cases (37.5%)" in told["forgotten"]


def test_no_label_is_called_forgotten_where_two_are_left_out_alike_or_labels_are_few():
    alike = [["a", "ab"]] * 6 + [["ab", "b"]] * 6 + [["ab", "ab"]] * 6
    assert "forgotten" not in codes(studied(alike))
    assert "forgotten" not in codes(studied([["a", "ab"], ["c", "c"], ["ab", "ab"]]))


def test_nobody_leans_where_both_leave_out_alike():
    assert "omission_lean" not in codes(studied([["a", "ab"], ["ab", "a"]] * 10 + [["b", "b"]] * 5))


def test_labels_that_stand_for_each_other_are_named_and_no_two_where_others_do_as_often():
    found = studied([["a", "b"]] * 4 + [["a", "c"]] * 2 + [["ab", "ab"], ["c", "c"]] * 5)
    told = {sentence.code: sentence.text for sentence in found.sentences}
    assert "mostly 'a' and 'b' (66.7%)" in told["confused_labels"]
    assert told["omissions"].startswith("In none of the 6 disagreements did one coder give all labels")
    assert "confused_labels" not in codes(studied([["a", "b"], ["a", "c"], ["b", "b"], ["c", "c"]] * 3))


def test_single_labels_have_no_sets():
    assert agree(Labels.from_rows([["a", "b"], ["b", "b"]])).sets is None


def test_the_seed_is_told_where_a_label_needed_draws():
    report = agree(labels_of([["a", "ab"], ["b", "b"], ["ab", "c"], ["c", "c"]]), seed=7)
    assert report.sets.drawn
    assert report.seed == 7


def test_json_leads_back_to_the_same_page():
    report = agree(labels_of([["a", "ab"], ["b", "b"], ["ab", "c"], ["c", "c"]] * 5))
    page = render_markdown(document_of(report))
    assert render_markdown(document_of(result_of("AgreementReport", to_json(report)))) == page
    assert "Label by label" in page
    assert "Labels that stand for each other" in page
