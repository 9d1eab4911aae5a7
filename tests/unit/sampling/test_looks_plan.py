"""Plans of looks: levels, widths, and what is refused."""

import numpy as np
import pytest

import concurrence
from concurrence import InvalidInputError


def test_levels_belong_to_the_bounds_and_widths_shrink_toward_that_of_one_look():
    plan = concurrence.plan_looks([200, 400, 1000], population=5000)
    assert [look.level for look in plan.looks] == sorted((look.level for look in plan.looks), reverse=True)
    assert plan.one_look_width < plan.looks[-1].width < plan.looks[-1].anytime_width
    assert plan.looks[-1].spent == pytest.approx(0.05)


def test_one_look_costs_nothing():
    plan = concurrence.plan_looks([300])
    assert plan.looks[0].bound == pytest.approx(1.959964, abs=1e-6)
    assert plan.looks[0].width == pytest.approx(plan.one_look_width)


def test_intervals_at_the_planned_levels_hold_at_all_looks_of_a_finite_list():
    """Wald's intervals of 20,000 random orders of a list: they err at some look about as rarely as promised."""
    population, true, sizes = 2000, 800, [200, 400, 800]
    plan = concurrence.plan_looks(sizes, population=population, shape="pocock")
    rng = np.random.default_rng(3)
    marked, missed = np.zeros(20_000, dtype=int), np.zeros(20_000, dtype=bool)
    for before, look in zip([0, *sizes], plan.looks, strict=False):
        left = population - before
        marked = marked + rng.hypergeometric(true - marked, left - (true - marked), look.judged - before)
        share = marked / look.judged
        error = np.sqrt(share * (1 - share) * (1 / look.judged - 1 / population))
        missed |= np.abs(share - true / population) > look.bound * error
    assert missed.mean() == pytest.approx(0.05, abs=0.008)


@pytest.mark.parametrize(
    ("judged", "options", "told"),
    [
        ([], {}, "1 to 100 looks"),
        ([100, 100], {}, "each more than before"),
        ([0, 100], {}, "from 1 on"),
        ([100, 500], {"population": 500}, "nothing is uncertain"),
        ([100], {"shape": "haybittle"}, "haybittle"),
        ([100], {"level": 1.0}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_planned_is_refused(judged, options, told):
    with pytest.raises(InvalidInputError, match=told):
        concurrence.plan_looks(judged, **options)


def test_the_command_prints_a_level_for_each_look(concur):
    told = concur("plan", "looks", "--at", "200,400,1000", "--population", 5000)
    assert "95." in told.out
    found = concur("plan", "looks", "--at", "200,400,1000", "--bounds", "pocock", "--constant", "--json").json
    assert [look["bound"] for look in found["looks"]] == pytest.approx([found["looks"][0]["bound"]] * 3)
    assert concur("plan", "looks", "--at", "400,200").code == 2
