import importlib.util
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from concurrence.api.labels import merge
from concurrence.core import InvalidInputError, Labels, UnknownNameError
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.merging.constraints import ByGroup
from concurrence.merging.options import Constraints
from concurrence.merging.search import Stop, search, unrestricted_scope
from concurrence.merging.tables import coefficient_named, tables_of
from concurrence.merging.units import merging_items

spec = importlib.util.spec_from_file_location("obvious", Path(__file__).with_name("obvious.py"))
obvious = importlib.util.module_from_spec(spec)
spec.loader.exec_module(obvious)

MERGING = ("scott_pi", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "bennett_s", "brennan_prediger")


def study(codes, n_categories, **more):
    codes = np.asarray(codes, dtype=np.int32)
    coders = tuple(str(k) for k in range(codes.shape[1]))
    names = tuple(f"c{k:02}" for k in range(n_categories))
    return Labels(codes=codes, categories=names, coders=coders, **more)


def two_coders(max_items=30, n_categories=5):
    row = st.lists(st.integers(0, n_categories - 1), min_size=2, max_size=2)
    return st.lists(row, min_size=2, max_size=max_items)


def crowds(n_coders=4, n_categories=5):
    row = st.lists(st.integers(-1, n_categories - 1), min_size=n_coders, max_size=n_coders)
    return st.lists(row, min_size=3, max_size=20)


def compared(codes, name, slow, *, at_least, n_categories=5, **options):
    labels = study(codes, n_categories)
    rows = [row for row in codes if sum(v >= 0 for v in row) >= at_least]
    used = sorted({label for row in rows for label in row if label >= 0})
    assume(len(used) > 1 and any(sum(v >= 0 for v in row) > 1 for row in rows))
    found = merge(labels, coefficient=name, guards=False, **options).groups["all"]
    assume(not {"one_coder", "not_two_coders"} & {sentence.code for sentence in found.sentences})
    threshold = Fraction(repr(options.get("min_kappa", 0.8)))
    classes, values = obvious.greedy(rows, used, slow, threshold, faithful=options.get("faithful"))
    mine = [tuple(int(name[1:]) for name in members) for members in found.classes]
    assert [members for members in mine if members[0] in used] == classes
    expected = [np.nan if value is None else float(value) for value in values]
    assert [step.kappa for step in found.steps] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    before = slow(rows)
    assert found.before.kappa == pytest.approx(float(before), abs=1e-12)


@given(two_coders(), st.booleans(), st.sampled_from([0.5, 0.8, 1.0]))
def test_merging_by_pooled_kappa_is_the_obvious_greedy_search(codes, faithful, threshold):
    compared(codes, "scott_pi", obvious.scott_pi, at_least=2, faithful=faithful, min_kappa=threshold)


@given(two_coders())
def test_merging_by_cohen_kappa_is_the_obvious_greedy_search(codes):
    compared(codes, "cohen_kappa", obvious.cohen_kappa, at_least=2)


@given(crowds())
def test_merging_by_alpha_is_the_obvious_greedy_search(codes):
    compared(codes, "krippendorff_alpha", obvious.krippendorff_alpha, at_least=2)


@given(crowds())
def test_merging_by_fleiss_kappa_is_the_obvious_greedy_search(codes):
    compared(codes, "fleiss_kappa", obvious.fleiss_kappa, at_least=1)


@given(crowds())
def test_coefficients_that_count_categories_start_and_go_on_right(codes):
    rows = [row for row in codes if any(v >= 0 for v in row)]
    for name in ("gwet_ac1", "bennett_s"):
        found = merge(study(codes, 6), coefficient=name, guards=False).groups["all"]
        if np.isnan(found.before.kappa):
            continue
        slow = getattr(obvious, name)
        assert found.before.kappa == pytest.approx(float(slow(rows, 6)), abs=1e-12)
        for step in found.steps[:1]:
            joined = [[int(n[1:]) for n in step.merged[0] + step.merged[1]]]
            others = [[k] for k in range(6) if k not in joined[0]]
            expected = slow(obvious.relabelled(rows, joined + others), 5)
            assert step.kappa == pytest.approx(float(expected), abs=1e-12, nan_ok=True) or found.collapsed


def test_greedy_is_close_to_the_best_of_all_partitions():
    """For M = 8 the value at any number of classes is on average within .01 of the best partition, always within .2.

    And the search keeps as many classes at the threshold as the best partition does, or one less.
    """
    every = [
        (len(classes), np.array([next(k for k, own in enumerate(classes) if c in own) for c in range(8)]))
        for classes in obvious.partitions(list(range(8)))
        if len(classes) > 1
    ]
    shortfalls = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        first = rng.integers(0, 8, 60)
        codes = np.stack([first, np.where(rng.random(60) < 0.46, first, rng.integers(0, 8, 60))], axis=1)
        tables = tables_of(merging_items(study(codes, 8), np.arange(60), at_least=2), COEFFICIENTS["scott_pi"])
        best = np.full(9, -np.inf)
        for size, classes in every:
            best[size] = max(best[size], tables.merged(classes).value()[0])
        path = search(tables, np.arange(8), unrestricted_scope(8), Stop()).values[0]
        greedy = np.array([-np.inf, -np.inf, *reversed(path[:-1]), tables.value()[0]])
        shortfalls.extend(best[2:] - greedy[2:])
        assert np.flatnonzero(best >= 0.8).max(initial=1) - np.flatnonzero(greedy >= 0.8).max(initial=1) in (0, 1)
    assert min(shortfalls) > -1e-12
    assert max(shortfalls) < 0.2
    assert np.mean(shortfalls) < 0.01


def test_testing_first_leaves_a_good_group_alone_and_the_printed_loop_does_not():
    labels = Labels.from_table([[20, 1, 0], [0, 20, 1], [0, 0, 20]])
    assert merge(labels).groups["all"].steps == ()
    assert len(merge(labels, faithful=True).groups["all"].steps) == 1
    assert np.isnan(merge(labels).groups["all"].chance_p_value)


def test_one_class_is_undefined_and_called_collapsed():
    rng = np.random.default_rng(0)
    found = merge(study(rng.integers(0, 3, (60, 2)), 3)).groups["all"]
    assert found.collapsed
    assert found.classes == (("c00", "c01", "c02"),)
    assert np.isnan(found.after.kappa)
    assert found.after.percent_agreement == 1
    assert found.chance_p_value == 1
    assert np.isnan(found.steps[-1].kappa)


def test_groups_that_cannot_be_judged_do_not_stop_the_others():
    rows = [[0, 0], [0, 0], [1, -1], [2, -1], [0, 1], [1, 1], [0, 0], [1, 1]]
    groups = np.array(["same", "same", "lonely", "lonely", "good", "good", "good", "good"], dtype=object)
    found = merge(study(rows, 3, groups=groups), guards=False)
    assert list(found.groups) == ["same", "lonely", "good"]
    assert np.isnan(found.groups["same"].before.kappa)
    assert [one.code for one in found.groups["same"].sentences] == ["one_category"]
    assert [one.code for one in found.groups["lonely"].sentences] == ["one_coder"]
    assert found.groups["good"].before.kappa == pytest.approx(1 - 0.25 / (1 - 34 / 64))
    assert found.summary.raw.undefined == 2
    assert found.summary.raw.groups == 3


def test_three_coders_where_two_are_needed_is_said_in_words():
    found = merge(study([[0, 1, 0], [1, 1, 1]], 2), coefficient="cohen_kappa").groups["all"]
    assert "exactly two coders" in found.note
    assert merge(study([[0, 1, 0], [1, 1, 1]], 2), guards=False).coefficient == "fleiss_kappa"


CONFUSED = [[20, 9, 8, 0, 0], [9, 20, 0, 0, 0], [8, 0, 20, 0, 9], [0, 0, 0, 20, 9], [0, 0, 9, 9, 20]]


def tree(**parents):
    rows = {"child": list(parents), "parent": list(parents.values())}
    return ByGroup.from_frame(rows, name="tree.csv", key="child", value="parent")


def test_merges_stay_inside_a_subtree():
    labels = Labels.from_table(CONFUSED, categories=tuple("abcde"))
    parents = tree(a="x", b="x", c="y", d="y", e="y")
    found = merge(labels, constraints=Constraints(tree=parents), min_kappa=1, guards=False).groups["all"]
    assert found.classes == (("a", "b"), ("c", "d", "e"))
    assert not found.reached
    assert found.sentences[0].code == "not_reached"
    assert "no further merge is allowed" in found.note


def test_a_subtree_joins_its_neighbours_only_as_a_whole():
    labels = Labels.from_table(CONFUSED, categories=tuple("abcde"))
    parents = tree(a="x", b="x", c="y", d="y", e="y", x="root", y="root")
    found = merge(labels, constraints=Constraints(tree=parents), min_kappa=1, guards=False).groups["all"]
    assert found.collapsed
    assert {frozenset(map(frozenset, found.steps[-1].merged))} == {frozenset({frozenset("ab"), frozenset("cde")})}


def test_kept_categories_stay_and_given_ones_come_first():
    labels = Labels.from_table(CONFUSED, categories=tuple("abcde"))
    kept = merge(labels, constraints=Constraints(keep=("a",)), min_kappa=1, guards=False).groups["all"]
    assert ("a",) in kept.classes
    given = merge(labels, constraints=Constraints(together=(("a", "d"),)), guards=False).groups["all"]
    assert given.steps[0].given
    assert given.steps[0].merged == (("a",), ("d",))
    assert any({"a", "d"} <= set(members) for members in given.classes)


@pytest.mark.parametrize(
    ("constraints", "sentence"),
    [
        (Constraints(keep=("z",)), "no category 'z'"),
        (Constraints(keep=("a",), together=(("a", "b"),)), "cannot both be kept separate and be merged"),
        (Constraints(tree=tree(a="x", x="y", y="x", b="x", c="x", d="x", e="x")), "cycle: x → y → x"),
        (Constraints(tree=tree(a="x", b="x")), "does not say where the category 'c'"),
        (Constraints(tree=tree(a="x", b="y", c="y", d="y", e="y"), together=(("a", "b"),)), "in different places"),
    ],
)
def test_impossible_constraints_are_refused(constraints, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        merge(Labels.from_table(CONFUSED, categories=tuple("abcde")), constraints=constraints)


def test_unknown_names_are_refused():
    labels = Labels.from_table([[1, 1], [1, 1]])
    with pytest.raises(UnknownNameError, match="scott_pi"):
        merge(labels, coefficient="scot_pi")
    with pytest.raises(UnknownNameError, match="heldout"):
        merge(labels, stop="held-out")
    with pytest.raises(InvalidInputError, match="between -1 and 1"):
        merge(labels, min_kappa=80)


def test_a_persons_classes_are_taken_as_they_are():
    classes = ByGroup.from_frame(
        {"category": ["a", "b", "c", "d"], "class": ["1", "1", "2", "2"]},
        name="classes.csv",
        key="category",
        value="class",
    )
    found = merge(Labels.from_table(CONFUSED, categories=tuple("abcde")), classes=classes).groups["all"]
    assert found.classes == (("a", "b"), ("c", "d"), ("e",))
    codes = Labels.from_table(CONFUSED).codes.tolist()
    expected = obvious.scott_pi(obvious.relabelled(codes, [[0, 1], [2, 3], [4]]))
    assert found.after.kappa == pytest.approx(float(expected))
    assert found.steps == ()


def test_a_reference_is_compared():
    labels = Labels.from_table([[9, 9, 0, 0], [9, 9, 0, 0], [0, 0, 9, 0], [0, 0, 0, 9]], categories=tuple("abcd"))
    reference = ByGroup.from_frame(
        {"category": list("abcd"), "class": ["1", "1", "2", "2"]}, name="groups.csv", key="category", value="class"
    )
    found = merge(labels, reference=reference, guards=False).groups["all"]
    assert found.reference.only_reference == (("c", "d"),)
    assert found.reference.only_here == ()
    assert found.reference.adjusted_rand_index == pytest.approx(4 / 7)
    assert found.under_reference.categories == 2


@pytest.mark.parametrize("name", MERGING)
def test_every_coefficient_merges_what_is_confused(name):
    table = np.kron(np.eye(3), [[12, 12], [12, 12]]).astype(int)
    found = merge(Labels.from_table(table, categories=tuple("abcdef")), coefficient=name, min_kappa=0.99).groups["all"]
    assert found.classes == (("a", "b"), ("c", "d"), ("e", "f"))
    assert found.after.kappa == pytest.approx(1)
    assert found.chance_p_value == 0.01
    assert found.heldout.kappa > 0.8


@pytest.mark.parametrize(("structured", "shown"), [(True, "more than"), (False, "which was not shown to be more than")])
def test_the_answer_says_whether_shuffled_disagreement_would_do_as_well(structured, shown):
    rng = np.random.default_rng(4)
    codes = np.repeat(rng.integers(0, 6, (200, 1)), 2, axis=1)
    wrong = rng.random(200) < 0.4
    codes[wrong, 1] = codes[wrong, 1] ^ 1 if structured else rng.integers(0, 6, wrong.sum())
    (answer,) = merge(study(codes, 6), min_kappa=0.7).sentences
    assert f", {shown} unstructured disagreement would give" in answer.text
    assert ("(p < .05)" in answer.text) is structured


def test_the_same_seed_gives_the_same_guards_whatever_other_groups_there_are():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 4, (80, 2))
    codes[:, 1] = np.where(rng.random(80) < 0.6, codes[:, 0], codes[:, 1])
    groups = np.array(["x"] * 40 + ["y"] * 40, dtype=object)
    both = merge(study(codes, 4, groups=groups))
    alone = merge(study(codes[40:], 4, groups=groups[40:]))
    assert both.groups["y"].chance_p_value == alone.groups["y"].chance_p_value
    assert both.groups["y"].heldout == alone.groups["y"].heldout


def test_many_label_numbers_stay_exact_or_close():
    """With items of 2 to 60 labels the common denominator is too large for whole numbers."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, (59, 60))
    for item, size in enumerate(range(2, 61)):
        codes[item, size:] = -1
    found = merge(study(codes, 3), coefficient="krippendorff_alpha", guards=False).groups["all"]
    assert found.before.kappa == pytest.approx(float(obvious.krippendorff_alpha(codes.tolist())), abs=1e-12)


def test_stopping_at_the_best_held_out_value_keeps_real_distinctions():
    table = np.kron(np.eye(3), [[12, 12], [12, 12]]).astype(int)
    found = merge(Labels.from_table(table, categories=tuple("abcdef")), stop="heldout").groups["all"]
    assert found.classes == (("a", "b"), ("c", "d"), ("e", "f"))


@given(crowds(n_coders=3, n_categories=3), st.sampled_from(MERGING), st.sampled_from(["threshold", "heldout"]))
def test_guards_answer_for_any_labels_however_few(codes, name, stop):
    codes = [row[:2] for row in codes] if coefficient_named(name).coders == "two" else codes
    for some in (codes, codes[:1], codes[:2]):
        found = merge(study(some, 4), coefficient=name, stop=stop, shuffles=19).groups["all"]
        assert np.isnan(found.chance_p_value) or 0.05 <= found.chance_p_value <= 1
        assert found.heldout is None or np.isnan(found.heldout.kappa) or found.heldout.kappa <= 1
