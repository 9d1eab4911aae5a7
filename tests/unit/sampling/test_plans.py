from math import comb

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact, hypergeom

from concurrence import plan_power, plan_precision
from concurrence.core.errors import InvalidInputError
from concurrence.core.judgements import Judgements
from concurrence.evaluation.lists import Counter
from concurrence.kernels.estimates import interval
from concurrence.kernels.intervals import hypergeometric
from concurrence.kernels.ranking import rank_candidates
from concurrence.kernels.strata import SampledList
from concurrence.sampling.budget import expected_widths
from concurrence.sampling.frame import make_frame
from concurrence.sampling.power_plan import PowerQuestion, question_from_pilot, question_from_precisions
from concurrence.sampling.precision_plan import confidence_limits, needed_in_list

RNG = np.random.default_rng(1)
SHARED = RNG.standard_normal(400)
FRAME = pl.DataFrame(
    {
        "l1": [f"w{i:03}" for i in range(400)],
        "l2": "x",
        "A": SHARED + RNG.standard_normal(400),
        "B": SHARED + RNG.standard_normal(400),
    }
)
RANKINGS = rank_candidates(FRAME, ["A", "B"])


def width(m, n, precision):
    bounds = [hypergeometric(int(hits), m, n) for hits in (np.floor(precision * m), np.ceil(precision * m))]
    return max(float(high - low) / n for low, high in bounds)


@pytest.mark.parametrize(
    ("n", "precision", "wanted"), [(500, 0.3, 0.1), (200, 0.5, 0.2), (1000, 0.05, 0.05), (50, 0.3, 0.01)]
)
def test_the_wanted_width_is_kept_from_there_on_and_missed_before(n, precision, wanted):
    needed = needed_in_list(n, precision, wanted)
    assert all(width(m, n, precision) <= wanted for m in range(needed, min(n, needed + 40) + 1))
    assert needed == 1 or width(needed - 1, n, precision) > wanted


def test_every_design_is_priced_and_strata_by_their_expected_width():
    (plan,) = plan_precision(n=[100], precision=[0.3], width=[0.1], rankings=RANKINGS, budget=20, assurance=0)
    assert set(plan.judgements) == {"simple", "union", "strata, bands", "strata, cells"}
    assert plan.fewest == "union"
    assert plan.judgements["simple"] == int(np.ceil(plan.sampled * 4))
    assert "A budget of 20 judgements is not enough" in str(plan)
    frame = make_frame(FRAME.select("l1", "l2"), RANKINGS, design="strata", best=[100], strata="bands")
    cost = plan.judgements["strata, bands"]
    assert expected_widths(frame, cost, at=[100], precision=0.3)[0].width <= 0.1
    assert expected_widths(frame, cost - 1, at=[100], precision=0.3)[0].width > 0.1


@pytest.mark.parametrize(("precision", "wanted"), [(0.3, 0.1), (0.1, 0.08), (0.5, 0.1)])
def test_so_many_studies_as_assured_keep_the_width(precision, wanted):
    (plan,) = plan_precision(n=[500], precision=[precision], width=[wanted], population=4000)
    (mean,) = plan_precision(n=[500], precision=[precision], width=[wanted], population=4000, assurance=0)
    assert mean.sampled <= plan.sampled
    assert mean.judgements["simple"] < plan.judgements["simple"]
    assert "in 80% of studies" in str(plan)
    assert "of studies" not in str(mean)
    random, true = np.random.default_rng(1), round(500 * precision)
    shares = []
    for judged in (plan.judgements["simple"], mean.judgements["simple"]):
        sampled = random.hypergeometric(500, 3500, judged, 2000)
        hits = random.hypergeometric(true, 500 - true, sampled)
        low, high = hypergeometric(hits, sampled, 500)
        shares.append(((high - low) / 500 <= wanted + 1e-12).mean())
    assert shares[0] >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / 2000)
    assert shares[1] < 0.7


def test_strata_cost_more_for_more_of_the_studies():
    costs = [
        plan_precision(n=[100], precision=[0.3], width=[0.1], rankings=RANKINGS, assurance=share)[0].judgements
        for share in (0, 0.5, 0.8, 0.95)
    ]
    for name in ("strata, bands", "strata, cells"):
        prices = [cost[name] for cost in costs]
        assert prices == sorted(prices)
        assert prices[0] < prices[-1]


@pytest.mark.parametrize("by", ["bands", "cells"])
@pytest.mark.parametrize("rank_matters", [False, True])
def test_so_many_stratified_studies_as_assured_keep_the_width(by, rank_matters):
    """Samples are drawn candidate by candidate; higher ranks are true twice as often where the rank matters."""
    n, precision, wanted, rounds = 150, 0.3, 0.15, 200
    (plan,) = plan_precision(n=[n], precision=[precision], width=[wanted], rankings=RANKINGS)
    frame = make_frame(FRAME.select("l1", "l2"), RANKINGS, design="strata", best=[n], strata=by)
    allocation = frame.allocation(plan.judgements[f"strata, {by}"])
    ranks, random = RANKINGS["A"].ranks, np.random.default_rng(5)
    inside, narrow = np.flatnonzero(ranks <= n), []
    odds = np.where(ranks[inside] <= n / 2, 2.0, 1.0) if rank_matters else np.ones(n)
    for _ in range(rounds):
        truth, times = np.zeros(len(frame), dtype=bool), np.zeros(len(frame), dtype=np.int64)
        truth[random.choice(inside, round(n * precision), replace=False, p=odds / odds.sum())] = True
        for stratum, sampled in enumerate(allocation):
            times[random.choice(np.flatnonzero(frame.stratum == stratum), sampled, replace=False)] = 1
        judgements = Judgements(verdicts=np.where(times > 0, truth, -1).astype(np.int8))
        design = SampledList(kind="strata", stratum=frame.stratum, times=times)
        lists = Counter(n=np.array([n]), design=design, judgements=judgements).best(RANKINGS["A"])
        low, high = interval(lists, method="design", level=0.95)
        narrow.append(high[0] - low[0] <= wanted)
    assert np.mean(narrow) >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / rounds)


def test_no_plan_assures_every_study():
    with pytest.raises(InvalidInputError, match="from 0 on and below 1"):
        plan_precision(n=[100], population=400, assurance=1.0)


def test_the_confidence_chart_holds_clopper_and_pearsons_bounds():
    chart = confidence_limits([100], steps=10)
    row = int(np.flatnonzero(np.isclose(chart["precision"], 0.2))[0])
    assert (chart["low"][row], chart["high"][row]) == pytest.approx((0.12666, 0.29184), abs=1e-5)


def exact_power(q, pool, size, alpha=0.05):
    """The same as the simulation, by adding up all outcomes."""
    d, total = q.alone, 0.0
    marked = {"a": round(q.alone_a * d), "b": round(q.alone_b * d)}
    for m1 in range(min(d, size) + 1):
        for m2 in range(min(d, size - m1) + 1):
            drawn = comb(d, m1) * comb(d, m2) * comb(pool - 2 * d, size - m1 - m2) / comb(pool, size)
            for k1 in range(m1 + 1):
                for k2 in range(m2 + 1):
                    if k1 * m2 > k2 * m1 and fisher_exact([[k1, m1 - k1], [k2, m2 - k2]]).pvalue <= alpha:
                        chance = hypergeom.pmf(k1, d, marked["a"], m1) * hypergeom.pmf(k2, d, marked["b"], m2)
                        total += drawn * chance
    return total


def test_simulated_power_is_what_all_outcomes_add_up_to():
    question = PowerQuestion(a="A", b="B", n=12, overlap=4, alone_a=0.875, alone_b=0.125)
    plan = plan_power(question, population=24, budget=15, draws=20_000)
    for design, pool in (("simple", 24), ("union", 20)):
        assert plan.power[design] == pytest.approx(exact_power(question, pool, 15), abs=0.015)


def test_what_is_needed_gives_the_wanted_power_and_no_less_does():
    question = question_from_precisions(n=500, overlap=300, precision_a=0.4, precision_b=0.33)
    plan = plan_power(question, population=14654, budget=1465)
    for design in ("union", "differences"):
        needed = plan.needed[design]
        assert plan_power(question, population=14654, budget=needed).power[design] >= 0.8
        assert plan_power(question, population=14654, budget=needed - 1).power[design] < 0.8
    assert plan.fewest == "differences"
    assert plan.power["simple"] < 0.3 < plan.needed["simple"] / 14654
    assert "you need" in str(plan)


def test_a_question_out_of_reach_is_said_to_be_so():
    question = question_from_precisions(n=500, overlap=100, precision_a=0.31, precision_b=0.30)
    text = str(plan_power(question, population=14654, budget=300))
    assert "no random sample is enough" in text
    assert "A budget of 300 judgements is not enough" in text


def test_strata_are_planned_where_the_rankings_are_known():
    question = question_from_precisions(n=100, overlap=44, precision_a=0.5, precision_b=0.3, a="A", b="B")
    plan = plan_power(question, rankings=RANKINGS, budget=100)
    assert plan.needed["strata"] < plan.needed["simple"]


def test_a_pilot_tells_the_precision_of_what_each_has_alone():
    inside = np.array([ranking.ranks for ranking in RANKINGS.values()]) <= 100
    judged = np.full(len(FRAME), np.nan)
    alone_a, alone_b = np.flatnonzero(inside[0] & ~inside[1]), np.flatnonzero(inside[1] & ~inside[0])
    judged[alone_a[:10]], judged[alone_b[:8]] = [1] * 6 + [0] * 4, [1] * 2 + [0] * 6
    question = question_from_pilot(RANKINGS, "A", "B", n=100, judged=judged)
    assert (question.alone_a, question.alone_b) == (0.6, 0.25)
    assert question.overlap == int(inside.all(axis=0).sum())
    with pytest.raises(InvalidInputError, match="no judgement on the candidates that only A has"):
        question_from_pilot(RANKINGS, "A", "B", n=100, judged=np.full(len(FRAME), np.nan))


@pytest.mark.parametrize(
    ("overlap", "a", "b", "words"),
    [(450, 0.4, 0.1, "at most 0.100"), (500, 0.4, 0.3, "can share 0 to 499"), (0, 1.4, 0.3, "between 0 and 1")],
)
def test_impossible_questions_are_refused(overlap, a, b, words):
    with pytest.raises(InvalidInputError, match=words):
        question_from_precisions(n=500, overlap=overlap, precision_a=a, precision_b=b)


def test_the_commands_print_write_and_draw(concur, tmp_path):
    FRAME.write_csv(tmp_path / "scored.csv")
    payload = concur("plan", "precision", tmp_path / "scored.csv", "-m", "A,B", "--n", "100", "--json").json
    assert payload["plans"][0]["fewest"] == "union"
    for ending in ("csv", "svg", "html"):
        assert (
            concur("plan", "precision", "--n", "100", "--population", "400", "-o", tmp_path / f"p.{ending}").code == 0
        )
    assert "<svg" in (tmp_path / "p.svg").read_text("utf-8")
    page = (tmp_path / "p.html").read_text("utf-8")
    assert 'src="http' not in page
    assert pl.read_csv(tmp_path / "p.csv")["simple"][0] > 0
    options = ("--n", "100", "--precision-a", "50%", "--precision-b", "0.3", "--budget", "50")
    power = concur("plan", "power", tmp_path / "scored.csv", "-m", "A,B", *options, "--json").json["plans"][0]
    assert set(power["needed"]) == {"simple", "union", "differences", "strata"}
    assert "judgements" in power["sentence"]["text"]
    FRAME.with_columns(tp=(pl.col("A") > 1).cast(pl.Int8)).head(200).write_csv(tmp_path / "pilot.csv")
    pilot = concur(
        "plan", "power", tmp_path / "scored.csv", "-m", "A,B", "--n", "100", "--gold", tmp_path / "pilot.csv"
    )
    assert "To separate A from B at n = 100" in pilot.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["power"], "Give SCORED or --overlap"),
        (["power", "--overlap", "450", "--precision-a", "0.9", "--precision-b", "0.1"], "at most 0.100"),
        (
            ["power", "--overlap", "5", "--precision-a", "0.4", "--precision-b", "0.3", "--population", "9"],
            "at least 995",
        ),
        (["precision", "--width", "0"], "A width must lie"),
        (["precision", "--width", "a"], "written as 0.1 or 10%"),
        (["precision", "--n", "5,"], "whole numbers above 0"),
        (["precision", "--n", "500", "--population", "100"], "at most 100, the number of candidates"),
    ],
)
def test_bad_plans_are_one_sentence(concur, arguments, words):
    done = concur("plan", *arguments)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
