"""How many items people must label before a judge can be tested, and how likely it then passes.

Every coder knows an item with a probability of their own and otherwise gives a label drawn at the rates of the
categories. Two coders who know an item with probabilities r and s have a kappa of r s, whatever the rates are, so two
expected kappas say all there is to say about the coders: that among the humans, and that between judge and humans.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from concurrence.agreement.judge.alternative_annotator import benjamini_yekutieli, closeness, fewest_items
from concurrence.agreement.judge.noninferiority import noninferiority_p_values
from concurrence.agreement.judge.options import ENOUGH_ITEMS, JudgePlanOptions
from concurrence.core import InvalidInputError
from concurrence.core.arrays import Reals
from concurrence.core.plans import Plans
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.core.values import value

FEWEST, MOST_ITEMS = 2, 20_000
MOST_CASES = 200_000


@value
class JudgePlan:
    """How likely a judge passes the alternative-annotator test with so many items, and how many it takes.

    ``power`` belongs to ``items``, number by number; ``needed`` is None where no number of items is enough.
    ``verdict_items`` is how many a verdict takes: with fewer, no judge passes who is only as close as every human.
    ``advantage`` is the share of items on which the judge is at least as close to the other humans as the one it is
    compared with, ``disadvantage`` the share on which that human is at least as close as the judge.
    """

    humans: int
    shares: tuple[float, ...]
    kappa: float
    judge_kappa: float
    epsilon: float
    false_discovery_rate: float
    advantage: float
    disadvantage: float
    items: tuple[int, ...]
    power: tuple[float, ...]
    wanted_power: float
    needed: int | None
    verdict_items: int | None
    draws: int
    seed: int
    sentence: Sentence

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        question = {name: getattr(self, name) for name in ("humans", "kappa", "judge_kappa", "epsilon", "advantage")}
        return [
            {**question, "items": items, "power": power, "wanted_power": self.wanted_power, "needed": self.needed}
            for items, power in zip(self.items, self.power, strict=True)
        ]

    def __str__(self) -> str:
        return str(self.sentence)


@value
class JudgePlans(Plans[JudgePlan]):
    """A plan for every number of humans and every judge."""

    plans: tuple[JudgePlan, ...]
    warnings: tuple[Sentence, ...] = ()


def plan_judge(options: JudgePlanOptions) -> JudgePlans:
    """The power of the alternative-annotator test before anyone labels, for every number of humans and every judge.

    References: Calderon, Reichart and Dror (2025).

    >>> plan_judge(JudgePlanOptions(items=[100]))[0].power[0] > 0.9
    True
    """
    judges = options.judge_kappa or (options.kappa,)
    plans = tuple(_plan(humans, expected, options) for humans in options.humans for expected in judges)
    return JudgePlans(plans=plans, warnings=warnings_of(plan.sentence for plan in plans))


def _plan(humans: int, judge_kappa: float, options: JudgePlanOptions) -> JudgePlan:
    kappa, epsilon, rate, wanted = options.kappa, options.epsilon, options.rate, options.power
    skill = sqrt(kappa)
    if not 0 <= judge_kappa <= skill:
        raise InvalidInputError(
            f"A judge's kappa with humans who agree at {kappa:g} lies between 0 and {skill:.3f}, the square root of "
            f"{kappa:g}; {judge_kappa:g} is not possible."
        )
    shares, draws, seed = tuple(options.shares), options.draws, options.seed
    outcomes, chances = outcomes_of_items([*[skill] * humans, judge_kappa / skill], shares, seed=seed)

    def power_at(n: int) -> float:
        return pass_rate(outcomes, chances, n, epsilon=epsilon, rate=rate, draws=draws, seed=seed)

    behind, ahead = (float((chances @ (outcomes == side)).mean()) for side in (1, -1))
    least = fewest_items(humans, epsilon, rate)
    needed = _fewest(power_at, wanted, least or FEWEST) if behind - ahead < epsilon else None
    return JudgePlan(
        humans=humans,
        shares=shares,
        kappa=kappa,
        judge_kappa=judge_kappa,
        epsilon=epsilon,
        false_discovery_rate=rate,
        advantage=1 - behind,
        disadvantage=1 - ahead,
        items=tuple(options.items),
        power=tuple(power_at(n) for n in options.items),
        wanted_power=wanted,
        needed=needed,
        verdict_items=least,
        draws=draws,
        seed=seed,
        sentence=_sentence(humans, kappa, judge_kappa, epsilon, wanted, needed, least, behind - ahead),
    )


def outcomes_of_items(
    skills: Sequence[float], shares: Sequence[float], *, seed: int = 0
) -> tuple[NDArray[np.int8], Reals]:
    """What an item can come to, and how likely: for each human, 1 if they are closer than the judge, -1 if farther.

    ``skills`` are the probabilities that each human, and last the judge, knows an item. All combinations of labels are
    enumerated where they are few, else drawn.
    """
    rates = np.asarray(shares) / np.sum(shares)
    coders, size = len(skills), len(rates)
    if size ** (coders + 1) <= MOST_CASES:
        cases = np.array(list(product(range(size), repeat=coders + 1)))
        truth, codes = cases[:, 0], cases[:, 1:]
        given = np.asarray(skills) * (codes == truth[:, None]) + (1 - np.asarray(skills)) * rates[codes]
        chances = rates[truth] * given.prod(axis=1)
    else:
        random = np.random.default_rng(seed)
        truth = random.choice(size, p=rates, size=MOST_CASES)
        guesses = random.choice(size, p=rates, size=(MOST_CASES, coders))
        codes = np.where(random.random((MOST_CASES, coders)) < skills, truth[:, None], guesses)
        chances = np.full(MOST_CASES, 1 / MOST_CASES)
    present, others = np.ones(codes.shape, dtype=bool), list(range(coders - 1))
    pairs = [closeness(codes, present, others, left, coders - 1, None) for left in others]
    signs = np.stack([np.sign(np.round(human - judge, 9)) for human, judge in pairs], axis=1).astype(np.int8)
    outcomes, places = np.unique(signs, axis=0, return_inverse=True)
    return outcomes, np.bincount(places.ravel(), weights=chances).astype(np.float64)


def pass_rate(
    outcomes: NDArray[np.int8], chances: Reals, n: int, *, epsilon: float, rate: float, draws: int, seed: int
) -> float:
    """The share of studies with ``n`` items in which the judge passes."""
    random = np.random.default_rng(seed)
    counts = random.multinomial(n, chances / chances.sum(), size=draws)
    behind, ahead = counts @ (outcomes > 0), counts @ (outcomes < 0)
    tests = [noninferiority_p_values(behind, ahead, n, epsilon)]
    if n >= ENOUGH_ITEMS:
        tests.append(_t_tests(behind, ahead, n, epsilon))
    return float(np.all([benjamini_yekutieli(p, rate).mean(axis=1) >= 0.5 for p in tests], axis=0).mean())


def _t_tests(behind: NDArray[np.int64], ahead: NDArray[np.int64], n: int, epsilon: float) -> Reals:
    """The p-values of the paper's t-tests, from counts of differences that are 1 or -1."""
    means = (behind - ahead) / n
    variances = np.maximum((behind + ahead) / n - means**2, 0.0) * n / (n - 1)
    flat = variances < 1e-12
    scaled = (means - epsilon) / np.sqrt(np.where(flat, 1.0, variances) / n)
    return np.where(flat, np.where(means < epsilon, 0.0, 1.0), stdtr(n - 1, scaled))


def _fewest(power_at: Any, wanted: float, least: int) -> int | None:
    """The smallest number of items, of at least so many, that gives the wanted power."""
    low, high = least - 1, least
    while power_at(high) < wanted:
        low, high = high, high * 2
        if low > MOST_ITEMS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= wanted else (middle, high)
    return high


def _sentence(
    humans: int,
    kappa: float,
    judge_kappa: float,
    epsilon: float,
    wanted: float,
    needed: int | None,
    least: int | None,
    gap: float,
) -> Sentence:
    who = f"{humans} humans who agree at a kappa of {kappa:g}, and a judge who agrees with them at {judge_kappa:g}"
    if needed is not None:
        verdict = "" if least is None else f" A verdict takes at least {least:,} items."
        text = (
            f"With {who}, {needed:,} items give a probability of at least {wanted:.0%} that the judge passes the "
            f"alternative-annotator test (epsilon {epsilon:g}).{verdict}"
        )
        return Sentence(code="plan_judge", text=text)
    text = (
        f"With {who}, no number of items makes the judge pass the alternative-annotator test with a probability of "
        f"{wanted:.0%}: it falls behind a human by {gap:.2f}, and epsilon allows {epsilon:g}."
    )
    return Sentence(code="cannot_pass", text=text, warning=True)
