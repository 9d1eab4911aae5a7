import numpy as np
import pytest
from scipy.stats import ttest_1samp

from concurrence import agree, plan_judge
from concurrence.agreement.judge import plan as judge_plan
from concurrence.agreement.judge.alternative_annotator import alternative_test, benjamini_yekutieli
from concurrence.agreement.judge.noninferiority import noninferiority_p_values
from concurrence.agreement.judge.plan import outcomes_of_items, pass_rate
from concurrence.core import InvalidInputError, Labels


def simulated(known, shares, n, random):
    """Labels of coders who know an item or guess at the rates."""
    size = len(shares)
    truth = random.choice(size, p=shares, size=n)
    guesses = random.choice(size, p=shares, size=(n, len(known)))
    codes = np.where(random.random((n, len(known))) < known, truth[:, None], guesses).astype(np.int32)
    coders = (*(f"h{k}" for k in range(1, len(known))), "judge")
    return Labels(codes=codes, categories=tuple(map(str, range(size))), coders=coders)


@pytest.mark.parametrize(
    ("humans", "kappa", "judge_kappa", "shares", "epsilon"),
    [(3, 0.6, 0.5, (0.5, 0.5), 0.2), (4, 0.5, 0.5, (0.6, 0.3, 0.1), 0.15), (2, 0.7, 0.6, (0.5, 0.5), 0.1)],
)
def test_the_power_is_that_of_the_test_on_simulated_labels(humans, kappa, judge_kappa, shares, epsilon):
    planned = plan_judge(
        humans=[humans], kappa=kappa, judge_kappas=[judge_kappa], shares=shares, items=[60], epsilon=epsilon
    )[0]
    random, runs = np.random.default_rng(5), 300
    known = [*[np.sqrt(kappa)] * humans, judge_kappa / np.sqrt(kappa)]
    tests = [alternative_test(simulated(known, shares, 60, random), "judge", epsilon=epsilon) for _ in range(runs)]
    seen = np.mean([test.passed for test in tests])
    assert planned.power[0] == pytest.approx(seen, abs=4 * np.sqrt(0.25 / runs))
    assert planned.advantage == pytest.approx(np.mean([t.advantage_probability for t in tests]), abs=0.02)
    assert planned.disadvantage == pytest.approx(
        np.mean([human.disadvantage for test in tests for human in test.humans]), abs=0.02
    )


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.7, 0.2, 0.1)])
def test_the_coders_have_the_kappas_that_were_asked_for(shares):
    labels = simulated([np.sqrt(0.6)] * 2 + [0.5 / np.sqrt(0.6)], shares, 40_000, np.random.default_rng(1))
    for pair, wanted in ((["h1", "h2"], 0.6), (["h1", "judge"], 0.5)):
        assert agree(labels.select_coders(pair))["cohen_kappa"].value == pytest.approx(wanted, abs=0.02)


def test_drawn_items_are_like_enumerated_ones(monkeypatch):
    known, shares = [0.8, 0.8, 0.8, 0.7], (0.5, 0.3, 0.2)
    outcomes, chances = outcomes_of_items(known, shares)
    assert chances.sum() == pytest.approx(1)
    exact = {tuple(o): c for o, c in zip(outcomes.tolist(), chances, strict=True)}
    monkeypatch.setattr(judge_plan, "product", None)  # nothing may be enumerated now
    monkeypatch.setattr(judge_plan, "MOST_CASES", 200)
    few = outcomes_of_items(known, shares, seed=3)
    drawn = {tuple(o): c for o, c in zip(few[0].tolist(), few[1], strict=True)}
    common = max(exact, key=exact.get)
    assert drawn[common] == pytest.approx(exact[common], abs=4 * np.sqrt(0.25 / 200))


@pytest.mark.parametrize(("n", "epsilon"), [(20, 0.2), (40, 0.1), (50, 0.05)])
def test_a_judge_passes_by_the_t_test_and_the_exact_test(n, epsilon):
    outcomes = np.array([[-1, 0], [0, 1], [1, -1], [0, 0]], dtype=np.int8)
    chances = np.array([0.2, 0.1, 0.05, 0.65])
    counts = np.random.default_rng(9).multinomial(n, chances, size=200)
    passed = []
    for row in counts:
        rows = np.repeat(outcomes, row, axis=0)
        exact = noninferiority_p_values((rows > 0).sum(axis=0), (rows < 0).sum(axis=0), n, epsilon)
        tests = [exact, ttest_1samp(rows, epsilon, alternative="less").pvalue] if n >= 30 else [exact]
        passed.append(all(benjamini_yekutieli(p_values, 0.05).mean() >= 0.5 for p_values in tests))
    assert 0 < np.mean(passed) < 1
    assert pass_rate(outcomes, chances, n, epsilon=epsilon, rate=0.05, draws=200, seed=9) == np.mean(passed)


def test_the_plan_says_how_many_items_a_verdict_takes(concur):
    done = concur("plan", "judge", "--items", "17,18", "--draws", "200", "--kappa", "0.95")
    assert "A verdict takes at least 18 items." in " ".join(done.out.split())
    plan = plan_judge(items=[17, 18], kappa=0.95, draws=200)[0]
    assert plan.verdict_items == 18
    assert plan.power[0] < 0.2 < plan.power[1]


def test_benjamini_yekutieli_takes_many_families_at_once():
    families = np.random.default_rng(2).random((40, 5)) ** 4
    assert benjamini_yekutieli(families, 0.2).tolist() == [benjamini_yekutieli(f, 0.2).tolist() for f in families]


def test_more_items_and_a_better_judge_help():
    plans = plan_judge(judge_kappas=[0.4, 0.5, 0.6], items=[30, 100, 400])
    for plan in plans:
        assert list(plan.power) == sorted(plan.power)
    assert [plan.needed for plan in plans] == sorted((plan.needed for plan in plans), reverse=True)
    middle = plans[1]
    exactly = plan_judge(judge_kappas=[0.5], items=[max(30, middle.needed - 1), middle.needed])[0].power
    assert exactly[0] < 0.8 <= exactly[1]


def test_a_judge_who_cannot_pass_is_a_warning():
    plans = plan_judge(kappa=0.9, judge_kappas=[0.1, 0.9], epsilon=0.1)
    assert [plan.needed is None for plan in plans] == [True, False]
    assert [warning.code for warning in plans.warnings] == ["cannot_pass"]
    assert max(plans[0].power) < 0.05


@pytest.mark.parametrize(
    "options",
    [
        {"humans": [1]},
        {"items": [1]},
        {"kappa": 1.0},
        {"judge_kappas": [0.9]},
        {"shares": [0.5, 0.4]},
        {"epsilon": -0.1},
        {"power": 1.0},
    ],
)
def test_what_cannot_be_planned(options):
    with pytest.raises(InvalidInputError):
        plan_judge(**options)


def test_the_command(concur, tmp_path):
    done = concur("plan", "judge", "--judge-kappa", "0.6,0.5", "--items", "50", "--draws", "200", "--json")
    assert [plan["judge_kappa"] for plan in done.json["plans"]] == [0.6, 0.5]
    assert done.json["warnings"] == []
    assert concur("plan", "judge", "--judge-kappa", "0.9").code == 2
    assert concur("plan", "judge", "--draws", "200", "-o", tmp_path / "plan.csv").code == 0
    assert (tmp_path / "plan.csv").read_text().startswith("humans,kappa,judge_kappa,epsilon,advantage,items,power")
