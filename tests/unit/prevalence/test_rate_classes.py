"""The classes that judges make of a list: every candidate in one of them, named after what was said of it."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import InvalidInputError, rate, rate_without_gold
from concurrence.prevalence.cells import LEAN, ClassCells, lean_of, total_chances
from concurrence.prevalence.judges import ENOUGH, JudgeColumn, classes_of

PATTERNS = ("a = no, b = no", "a = no, b = yes", "a = yes, b = no", "a = yes, b = yes")


def two_judges(judged):
    """40, 20, 20 and 40 candidates of which two judges said no and no, ..., yes and yes; so many of each are judged."""
    said = [(n // 2, n % 2) for n, size in enumerate((40, 20, 20, 40)) for _ in range(size)]
    starts = np.cumsum([0, 40, 20, 20])
    rows = np.concatenate([start + np.arange(n) for start, n in zip(starts, judged, strict=True)])
    table = pl.DataFrame({"l1": [f"w{n}" for n in range(120)], "l2": "x", "a": said}).with_columns(
        b=pl.col("a").list.get(1), a=pl.col("a").list.get(0)
    )
    return table, table[rows].select("l1", "l2", tp="a")


def called(first, last):
    return PATTERNS[first] if first == last else f"{PATTERNS[first]} to {PATTERNS[last]}"


@pytest.mark.parametrize(
    ("judged", "groups"),
    [
        ((10, 1, 1, 2), [(0, 3)]),
        ((5, 5, 1, 1), [(0, 3)]),
        ((8, 8, 8, 1), [(0, 3)]),
        ((12, 12, 3, 1), [(0, 0), (1, 3)]),
        ((12, 12, 12, 1), [(0, 0), (1, 1), (2, 3)]),
        ((12, 12, 12, 12), [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ((1, 1, 1, 1), [(0, 3)]),
        ((4, 12, 1, 12), [(0, 1), (2, 3)]),
    ],
)
def test_few_judgements_join_neighbours(judged, groups):
    table, gold = two_judges(judged)
    found = rate(table, gold, judges=["a", "b"]).classes
    sizes = np.array([40, 20, 20, 40])
    assert [one.verdict for one in found] == [called(*ends) for ends in groups]
    assert [one.size for one in found] == [int(sizes[first : last + 1].sum()) for first, last in groups]
    assert [one.judged for one in found] == [sum(judged[first : last + 1]) for first, last in groups]


def test_the_names_are_those_of_what_to_judge_next():
    table, gold = two_judges((12, 12, 3, 1))
    found = rate(table, gold, judges=["a", "b"], next_items=20).next
    assert list(found.shares) == [called(0, 0), called(1, 3)]


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=120))
def test_classes_divide_the_list_in_order_and_have_their_names(rows):
    """Every candidate lies in the class whose name holds what was said of it, and classes follow one another."""
    said = np.array(rows)
    judges = [JudgeColumn(name=name, values=said[:, n].astype(float)) for n, name in enumerate("abc")]
    found = classes_of(judges, said[:, 3])
    patterns = [", ".join(f"{name} = {'yes' if yes else 'no'}" for name, yes in zip("abc", row, strict=False))
                for row in said[:, :3]]  # fmt: skip
    order = sorted(set(patterns), key=lambda text: (text.count("yes"), text))
    groups = {number: sorted({order.index(p) for p, of in zip(patterns, found.of, strict=True) if of == number})
              for number in range(len(found.names))}  # fmt: skip
    assert [place for group in groups.values() for place in group] == list(range(len(order)))
    for number, group in groups.items():
        ends = (order[group[0]],) if len(group) == 1 else (order[group[0]], order[group[-1]])
        assert found.names[number] == " to ".join(ends)
    counts = np.bincount(found.of[said[:, 3]], minlength=len(found.names))
    assert len(counts) == 1 or counts.min() >= ENOUGH


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=200))
def test_classes_of_scores_divide_the_list_in_order(rows):
    values, judged = np.array([row[0] for row in rows], dtype=float), np.array([row[1] for row in rows])
    found = classes_of([JudgeColumn(name="score", values=values + 0.5)], judged)
    assert sorted(set(found.of)) == list(range(len(found.names)))
    assert len(set(found.names)) == len(found.names)
    assert all(np.diff(found.of[np.argsort(values, kind="stable")]) >= 0)


@pytest.mark.parametrize("judges", [["a", "a"], ["a", "b", "a"]])
def test_a_judge_is_named_once(tmp_path, concur, judges):
    table, gold = two_judges((12, 12, 12, 12))
    with pytest.raises(InvalidInputError, match="'a' is named twice"):
        rate(table, gold, judges=judges)
    with pytest.raises(InvalidInputError, match="'a' is named twice"):
        rate_without_gold(table, judges=judges)
    table.write_csv(tmp_path / "list.csv")
    done = concur("rate", tmp_path / "list.csv", "--judge", ",".join(judges))
    assert done.code == 2
    assert "named twice" in done.err


def test_one_judge_may_be_a_name_by_itself():
    table, gold = two_judges((12, 12, 12, 12))
    assert rate(table, gold, judges="a") == rate(table, gold, judges=["a"])


@pytest.mark.filterwarnings("error")
def test_a_judge_who_always_says_the_same_has_one_class():
    table, gold = two_judges((12, 6, 6, 12))
    found = rate(table.with_columns(a=1), gold, judges=["a"])
    assert "uneven_classes" not in {sentence.code for sentence in found.sentences}
    assert [one.size for one in found.classes] == [0, 120]


def test_one_judgement_is_one():
    table, gold = two_judges((1, 0, 0, 0))
    assert "People's 1 judgement alone gives " in str(rate(table, gold, judges=["a"]))
    table, gold = two_judges((1, 1, 0, 0))
    assert "People's 2 judgements alone give " in str(rate(table, gold, judges=["a"]))


def test_with_several_classes_the_prior_leans_outward_at_both_ends():
    """Half of each prior moves to the other kind; the slow twin sums draws of beta-binomial counts."""
    cells = ClassCells(
        size=np.array([[400, 60, 40]]), judged=np.array([[40, 12, 10]]), true=np.array([[1.0, 5.0, 9.0]])
    )
    random = np.random.default_rng(0)
    ends = []
    for lean, tail in ((-LEAN, 0.025), (LEAN, 0.975)):
        prior = (1 / 3) * np.array([1 + lean, 1 - lean])
        left = (cells.size - cells.judged)[0]
        shares = random.beta(cells.true[0] + prior[0], (cells.judged - cells.true)[0] + prior[1], (200_000, 3))
        totals = cells.true.sum() + random.binomial(left, shares).sum(axis=1)
        whole = total_chances(cells, replacement=False, lean=lean).cumsum()
        ends.append(int(np.searchsorted(whole, tail)))
        assert ends[-1] == pytest.approx(np.quantile(totals, tail), abs=1)
    middle = total_chances(cells, replacement=False).cumsum()
    low, high = np.searchsorted(middle, [0.025, 0.975])
    assert ends[0] < low < high < ends[1]
    assert lean_of(cells) == LEAN


def test_a_judge_who_says_yes_or_no_has_the_prior_in_the_middle():
    cells = ClassCells(size=np.array([[400, 60]]), judged=np.array([[40, 12]]), true=np.array([[1.0, 5.0]]))
    assert lean_of(cells) == 0
