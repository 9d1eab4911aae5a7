import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.agreement.labels.coefficients import inference
from concurrence.core import InvalidInputError, UndefinedError
from concurrence.sampling import agreement_plan
from concurrence.sampling.agreement_plan import (
    items_for_power,
    items_for_width,
    kappa_errors,
    kappas,
    largest_spread,
)


def fleiss_cohen_everitt(p):
    """The standard error of kappa times the root of n, cell by cell."""
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    po, pe = np.trace(p), rows @ columns
    total = 0.0
    for i in range(len(p)):
        for j in range(len(p)):
            if i == j:
                total += p[i, i] * ((1 - pe) - (rows[i] + columns[i]) * (1 - po)) ** 2
            else:
                total += (1 - po) ** 2 * p[i, j] * (columns[i] + rows[j]) ** 2
    return np.sqrt(total - (po * pe - 2 * pe + po) ** 2) / (1 - pe) ** 2


@given(st.floats(0.1, 0.9), st.floats(0.0, 0.9))
def test_two_categories_leave_no_choice(share, kappa):
    """With two categories the shares and kappa fix the table, so the worst one is that one."""
    both = share**2 + kappa * share * (1 - share)
    table = np.array([[both, share - both], [share - both, 1 - 2 * share + both]])
    assert largest_spread([share, 1 - share], kappa) == pytest.approx(fleiss_cohen_everitt(table), rel=1e-6)


def test_narrower_takes_more_items():
    wide, narrow = (items_for_width([0.3, 0.7], kappa=0.6, width=w).items for w in (0.4, 0.2))
    assert narrow == pytest.approx(4 * wide, abs=4)


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        ("sum to 1", {"shares": [0.5, 0.6], "kappa": 0.5}),
        ("must differ", {"shares": [0.5, 0.5], "kappa": 0.5, "null_kappa": 0.5}),
        ("power", {"shares": [0.5, 0.5], "kappa": 0.5, "power": 1.0}),
        ("Kappa must lie", {"shares": [0.5, 0.5], "kappa": 1.0}),
    ],
)
def test_wishes_that_make_no_sense(words, wish):
    with pytest.raises(InvalidInputError, match=words):
        items_for_power(wish.pop("shares"), **wish)


def test_shares_that_cannot_agree_so_little():
    with pytest.raises(UndefinedError, match="choose a larger kappa"):
        items_for_width([0.9, 0.1], kappa=-0.5, width=0.2)


def test_the_command(concur, tmp_path):
    done = concur("plan", "agreement", "--shares", "0.2,0.25,0.55", "--kappa", "0.6", "--null", "0.4", "--json")
    assert [plan["items"] for plan in done.json["plans"]] == [101]
    done = concur("plan", "agreement", "--kappa", "0.7", "--assurance", "0", "-o", tmp_path / "plan.csv")
    assert (tmp_path / "plan.csv").read_text().splitlines()[1].endswith(",196")
    done = concur("plan", "agreement", "--shares", "a,b")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1


def test_errors_of_many_tables_are_those_of_each_cell_by_cell():
    tables = np.random.default_rng(2).dirichlet(np.ones(9), 20).reshape(20, 3, 3)
    assert kappa_errors(tables) == pytest.approx([fleiss_cohen_everitt(table) for table in tables])


@pytest.mark.parametrize(("shares", "kappa"), [([0.5, 0.5], 0.7), ([0.2, 0.25, 0.55], 0.6), ([0.9, 0.1], 0.5)])
def test_so_many_studies_as_assured_have_no_wider_interval(shares, kappa):
    plan = items_for_width(shares, kappa=kappa, width=0.2, assurance=0.8)
    mean = items_for_width(shares, kappa=kappa, width=0.2)
    assert plan.items > mean.items
    assert "in 80% of studies" in str(plan)
    assert "on average" in str(mean)


def test_plans_know_which_studies_have_an_analytic_interval():
    names = ("RARE_LABELS", "RARE_AGREEMENTS", "DISAGREEMENTS")
    assert [getattr(agreement_plan, name) for name in names] == [getattr(inference, name) for name in names]


@pytest.mark.parametrize(("kappa", "width"), [(0.9, 0.2), (0.7, 0.4)])
def test_few_disagreements_are_planned_for_with_the_interval_they_get(kappa, width):
    """The posterior of two categories by brute force: one more item divides the coders, or unites them."""
    items = items_for_width([0.5, 0.5], kappa=kappa, width=width, assurance=0.8).items
    random, alike, narrow = np.random.default_rng(3), (1 + kappa) / 4, []
    divided, united = np.array([0, 0.5, 0.5, 0]), np.array([0.5, 0, 0, 0.5])
    for _ in range(400):
        cells = random.multinomial(items, [alike, 0.5 - alike, 0.5 - alike, alike]) + 1e-9
        low = np.quantile(kappas(random.dirichlet(cells + divided, 2000).reshape(-1, 2, 2)), 0.025)
        high = np.quantile(kappas(random.dirichlet(cells + united, 2000).reshape(-1, 2, 2)), 0.975)
        narrow.append(high - low <= width)
    assert np.mean(narrow) >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / 400)
