import numpy as np
import pytest

from concurrence import compare
from concurrence.core import InvalidInputError, Labels, UnknownNameError


def runs(n=300, seed=0):
    random = np.random.default_rng(seed)
    gold = random.integers(0, 2, n)
    old = np.where(random.random(n) < 0.25, 1 - gold, gold)
    new = np.where(random.random(n) < 0.05, 1 - gold, gold)
    codes = np.stack([gold, old, new], axis=1).astype(np.int32)
    return Labels(codes=codes, categories=("no", "yes"), coders=("gold", "old", "new"))


def test_a_better_system_is_found_better():
    found = compare(runs(), a=["new"], b=["old"], reference="gold", draws=1000)
    assert found.paired
    assert found.coefficient == "cohen_kappa"
    assert found.interval.low > 0
    assert found.p_value < 0.01


def test_swapping_the_sides_turns_the_sign():
    one = compare(runs(), a=["new"], b=["old"], reference="gold", draws=200)
    other = compare(runs(), a=["old"], b=["new"], reference="gold", draws=200)
    assert one.difference == -other.difference
    assert tuple(one.interval) == pytest.approx((-other.interval.high, -other.interval.low))


def test_a_side_against_itself():
    found = compare(runs(), a=["new"], b=["new"], reference="gold", draws=200)
    assert (found.difference, found.interval.width, found.p_value) == (0, 0, 1.0)


def test_pairing_makes_the_difference_more_certain():
    labels = runs(n=150)
    paired = compare(labels, a=["gold", "new"], b=["gold", "old"], draws=800)
    apart = compare(labels, labels, a=["gold", "new"], b=["gold", "old"], draws=800)
    assert apart.difference == pytest.approx(paired.difference)
    assert not apart.paired
    assert apart.standard_error > 0


def test_more_than_two_coders_are_compared_by_fleiss():
    assert compare(runs(), a=["gold", "old", "new"], b=["gold", "new"], draws=50).coefficient == "fleiss_kappa"


@pytest.mark.parametrize(
    ("error", "words", "sides"),
    [
        (InvalidInputError, "name both sides", {"a": ["old"]}),
        (InvalidInputError, "A side needs two coders", {"a": ["old"], "b": ["new"]}),
        (InvalidInputError, "is the reference", {"a": ["gold"], "b": ["new"], "reference": "gold"}),
        (UnknownNameError, "no coder 'newer'", {"a": ["newer"], "b": ["old"], "reference": "gold"}),
        (
            UnknownNameError,
            "no coefficient",
            {"a": ["new"], "b": ["old"], "reference": "gold", "coefficient": "x"},
        ),
    ],
)
def test_calls_that_make_no_sense(error, words, sides):
    with pytest.raises(error, match=words):
        compare(runs(), **sides)


UNIFORM = [["a", "a", "a"], ["a", "a", "b"], ["a", "a", "a"]]


@pytest.mark.parametrize("files", [1, 2])
def test_a_side_without_agreement_is_told_and_the_other_one_kept(files):
    labels = Labels.from_rows(UNIFORM)
    found = compare(labels, *[labels] * (files - 1), a=["1", "2"], b=["1", "3"])
    assert np.isnan([found.a, found.difference, found.p_value]).all()
    assert found.interval is None
    assert found.b == 0
    assert found.sides["a"].items == 3
    assert found.note.startswith("Side a: Cohen's kappa is undefined: every label is the same category")
    assert "undefined" in str(found)


def test_the_command_says_that_nothing_can_be_compared(concur, tmp_path):
    path = tmp_path / "uniform.csv"
    path.write_text("item,x,y,z\n1,a,a,a\n2,a,a,b\n3,a,a,a\n")
    call = ("compare", path, "--wide", "--a", "x,y", "--b", "x,z")
    done = concur(*call, "--json")
    assert done.code == 0
    known = {name: done.json[name] for name in ("a", "b", "difference", "interval", "p_value")}
    assert known == {"a": None, "b": 0, "difference": None, "interval": None, "p_value": None}
    assert "Side a" in done.json["note"]
    assert "There is nothing to compare." in concur(*call).out


def test_the_command(concur, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(
        "item,gold,old,new\n" + "".join(f"{i},{'ab'[i % 2]},{'aabb'[i % 4]},{'ab'[i % 2]}\n" for i in range(40))
    )
    done = concur("compare", path, "--wide", "--a", "new", "--b", "old", "--reference", "gold", "--json")
    assert {"a", "b", "difference", "interval", "p_value", "paired"} <= set(done.json)
    assert (done.json["a"], done.json["paired"]) == (1.0, True)
    done = concur("compare", path, path, "--wide", "--a", "gold,old", "--b", "gold,new", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().count("\n") == 4
    assert "independent" in concur("compare", path, path, "--wide", "--a", "gold,old", "--b", "gold,new").out
    done = concur("compare", path, "--wide", "--a", "old")
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_shares_of_a_handful_of_items_have_no_verdict():
    few = {
        code: Labels(codes=np.array([[0, code]] * 9, dtype=np.int32), categories=("a", "b"), coders=("x", "y"))
        for code in (0, 1)
    }
    assert compare(few[0], few[1], coefficient="percent_agreement").sentences[0].code == "undecided"


def test_a_verdict_needs_disagreements():
    """150 items of which the first side differs on one and the second on 15: 16 are too few to tell kappas apart."""
    codes = np.repeat(np.arange(150)[:, None] % 2, 4, axis=1).astype(np.int32)
    codes[0, 1], codes[1:16, 3] = 1, 1 - codes[1:16, 3]
    found = compare(Labels(codes=codes, categories=("a", "b"), coders=tuple("wxyz")), a="w,x", b="y,z", bootstrap=200)
    assert (found.trusted, found.sentences[0].code) == (False, "undecided")


def clear_difference(n, rare=0.5):
    """Two coders who always agree, and two of whom one guesses."""
    random = np.random.default_rng(0)
    truth = (random.random((n, 1)) < rare).astype(np.int32)
    codes = np.concatenate([truth, truth, truth, random.integers(0, 2, (n, 1))], axis=1).astype(np.int32)
    return Labels(codes=codes, categories=("a", "b"), coders=tuple("wxyz"))


@pytest.mark.parametrize(
    ("n", "rare", "code"), [(200, 0.5, "difference"), (30, 0.5, "undecided"), (150, 0.05, "undecided")]
)
def test_a_verdict_needs_items_and_enough_of_the_rarer_categories(n, rare, code):
    found = compare(clear_difference(n, rare), a="w,x", b="y,z", bootstrap=200)
    assert (found.trusted, found.sentences[0].code) == (code == "difference", code)


def test_the_p_value_belongs_to_the_interval():
    for seed in range(6):
        random = np.random.default_rng(seed)
        truth = random.integers(0, 2, (40, 1))
        guesses = random.random((40, 4)) < [0.2, 0.2, 0.5, 0.5]
        codes = np.where(guesses, random.integers(0, 2, (40, 4)), truth).astype(np.int32)
        found = compare(
            Labels(codes=codes, categories=("a", "b"), coders=tuple("wxyz")), a="w,x", b="y,z", bootstrap=999
        )
        low, high = found.interval
        assert (found.p_value < 0.05) == (low > 0 or high < 0)
