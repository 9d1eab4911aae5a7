"""How many judgements to tell two measures apart.

Two n-best lists differ only in what they do not share, so the sample has to reach into their two difference
sets; how far is found by simulating the test that ``concur evaluate`` uses.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.frames import rows_as_frame
from concurrence.core.judgements import Judgements
from concurrence.core.plans import Plans
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.core.values import value
from concurrence.kernels.exact_tests import fisher
from concurrence.kernels.ranking import Ranking
from concurrence.sampling.frame import Frame, make_frame
from concurrence.sampling.options import PowerPlanOptions

if TYPE_CHECKING:
    import polars as pl

PHRASES = {
    "simple": "from the whole list",
    "union": "from the union of the lists",
    "strata": "from strata",
    "differences": "from the difference sets alone",
}


@value
class PowerQuestion:
    """Two lists of ``n`` that share ``overlap``; the precision in what each has alone is ``alone_a``, ``alone_b``."""

    a: str
    b: str
    n: int
    overlap: int
    alone_a: float
    alone_b: float

    @property
    def alone(self) -> int:
        """How many candidates each list has alone."""
        return self.n - self.overlap

    @property
    def difference(self) -> float:
        """The difference in n-best precision that is to be found."""
        return (self.alone_a - self.alone_b) * self.alone / self.n


@value
class PowerPlan(Result):
    """The power of each design at the budget, and the judgements it needs for the wanted power.

    ``needed`` is None where no random sample is enough; ``in_full`` is how many candidates the design draws from:
    judging all of them leaves nothing to test. The first fields are those of the question; ``difference_sets``
    counts the candidates that only one of the two lists has.
    """

    a: str
    b: str
    n: int
    overlap: int
    difference: float
    alone_a: float
    alone_b: float
    difference_sets: int
    budget: int | None
    wanted_power: float
    alpha: float
    power: dict[str, float]
    needed: dict[str, int | None]
    in_full: dict[str, int]
    fewest: str | None
    sentence: Sentence

    def to_frame(self) -> "pl.DataFrame":
        """One row per design as a table (polars)."""
        return rows_as_frame(self.rows)

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        question = {name: getattr(self, name) for name in ("a", "b", "n", "overlap", "difference")}
        return [
            {
                **question,
                "design": design,
                "budget": self.budget,
                "power_at_budget": self.power.get(design),
                "wanted_power": self.wanted_power,
                "judgements_needed": needed,
            }
            for design, needed in self.needed.items()
        ]

    def __str__(self) -> str:
        return str(self.sentence)


@value
class PowerPlans(Plans[PowerPlan]):
    """A plan for every list size."""

    plans: tuple[PowerPlan, ...]
    warnings: tuple[Sentence, ...] = ()

    @classmethod
    def of(cls, plans: Iterable[PowerPlan]) -> "PowerPlans":
        """Plans with the warnings among their sentences."""
        every = tuple(plans)
        return cls(plans=every, warnings=warnings_of(plan.sentence for plan in every))


def question_from_precisions(
    *, n: int, overlap: int, precision_a: float, precision_b: float, a: str = "A", b: str = "B"
) -> PowerQuestion:
    """The question behind two expected n-best precisions: all of their difference lies in the difference sets.

    >>> question_from_precisions(n=500, overlap=250, precision_a=0.4, precision_b=0.3).alone_a
    0.45
    """
    if not 0 <= overlap < n:
        raise InvalidInputError(f"Two different lists of {n} can share 0 to {n - 1} candidates, not {overlap}.")
    if not (0 <= precision_a <= 1 and 0 <= precision_b <= 1):
        raise InvalidInputError("An expected precision must be a share between 0 and 1.")
    gap = (precision_a - precision_b) * n / (n - overlap)
    if abs(gap) > 1:
        raise InvalidInputError(
            f"A difference of {abs(precision_a - precision_b):g} is impossible: the lists share {overlap} of {n}, "
            f"so their precisions can differ by at most {(n - overlap) / n:.3f}."
        )
    middle = float(np.clip((precision_a + precision_b) / 2, abs(gap) / 2, 1 - abs(gap) / 2))
    return PowerQuestion(a=a, b=b, n=n, overlap=overlap, alone_a=middle + gap / 2, alone_b=middle - gap / 2)


def question_from_pilot(rankings: Mapping[str, Ranking], a: str, b: str, *, n: int, judged: Reals) -> PowerQuestion:
    """The question as a pilot sample answers it; ``judged`` holds 1, 0, or NaN (not judged) for each candidate."""
    inside_a, inside_b = rankings[a].ranks <= n, rankings[b].ranks <= n
    shares = []
    for name, alone in ((a, inside_a & ~inside_b), (b, inside_b & ~inside_a)):
        verdicts = judged[alone & ~np.isnan(judged)]
        if not verdicts.size:
            raise InvalidInputError(
                f"The pilot has no judgement on the candidates that only {name} has among its {n} best."
            )
        shares.append(float(verdicts.mean()))
    overlap = int((inside_a & inside_b).sum())
    return PowerQuestion(a=a, b=b, n=n, overlap=overlap, alone_a=shares[0], alone_b=shares[1])


def plan_power(
    options: PowerPlanOptions, *, rankings: Mapping[str, Ranking] | None = None, pilot: Judgements | None = None
) -> PowerPlans:
    """A plan for every list size; a ``pilot`` judges candidates of the two ``rankings``."""
    return PowerPlans.of(
        power_plan(_question(n, options, rankings, pilot), options, rankings=rankings) for n in options.n
    )


def _question(
    n: int, options: PowerPlanOptions, rankings: Mapping[str, Ranking] | None, pilot: Judgements | None
) -> PowerQuestion:
    """What is to be found at one list size: from the pilot, or from the expected precisions."""
    if rankings is not None and len(rankings) != 2:
        names = option_or_keyword("-m", "measures=")
        raise InvalidInputError(f"The plan compares two measures; name two with {names}, not {len(rankings)}.")
    if pilot is not None and rankings is not None:
        judged = np.where(pilot.judged, pilot.verdicts.astype(float), np.nan)
        return question_from_pilot(rankings, *rankings, n=n, judged=judged)
    overlap = options.overlap
    if rankings is not None:
        one, two = (ranking.ranks <= n for ranking in rankings.values())
        overlap = int((one & two).sum())
    p_a, p_b = options.precision_a, options.precision_b
    if p_a is None or p_b is None or overlap is None:
        raise InvalidInputError(
            option_or_keyword(
                "Give SCORED or --overlap for what the lists share, and --precision-a and --precision-b for the "
                "expected precisions (or, with SCORED, a pilot: --gold).",
                "Give scored candidates or overlap= for what the lists share, and precision_a= and precision_b= for "
                "the expected precisions (or, with candidates, a pilot: gold=).",
            )
        )
    a, b = rankings or ("A", "B")
    return question_from_precisions(n=n, overlap=overlap, precision_a=p_a, precision_b=p_b, a=a, b=b)


def power_plan(
    question: PowerQuestion, options: PowerPlanOptions, *, rankings: Mapping[str, Ranking] | None = None
) -> PowerPlan:
    """The power of each design to find the difference, and the judgements it needs.

    ``simple`` needs the number of candidates, ``union`` that of both lists together (by default 2n - overlap);
    ``differences`` draws from the difference sets alone. With ``rankings``, ``strata`` is planned too.
    """
    population, budget, power, alpha = options.population, options.budget, options.power, options.alpha
    if population is not None and rankings is not None:
        raise InvalidInputError("The rankings already give the number of candidates; leave out the population.")
    if question.alone == 0:
        raise InvalidInputError(f"{question.a} and {question.b} have the same {question.n} best candidates.")
    both = 2 * question.n - question.overlap
    pools: dict[str, int] = {"differences": 2 * question.alone, "union": options.union or both}
    if rankings is not None:
        population = len(next(iter(rankings.values())))
    if population is not None:
        pools["simple"] = population
    if min(pools.values()) < 2 * question.alone or pools.get("simple", both) < both:
        raise InvalidInputError(
            f"There must be at least {both} candidates, since the two lists together hold that many."
        )
    rate: dict[str, Callable[[int], float]] = {
        name: _FisherPower(question=question, pool=pool, alpha=alpha, draws=options.draws, seed=options.seed)
        for name, pool in pools.items()
    }
    if rankings is not None:
        ties = next(iter(rankings.values())).ties
        frame = make_frame(ties.keys, rankings, design="strata", best=[question.n], ties=ties)
        rate["strata"] = _StratifiedPower(question=question, frame=frame, alpha=alpha)
        pools["strata"] = len(frame)
    at_budget = {}
    if budget is not None:
        at_budget = {name: rate[name](budget) if budget < pools[name] else 1.0 for name in rate}
    needed = {name: _fewest(rate[name], pools[name], power) for name in rate}
    reachable = dict(
        sorted(((name, size) for name, size in needed.items() if size is not None), key=lambda row: row[1])
    )
    return PowerPlan(
        a=question.a, b=question.b, n=question.n, overlap=question.overlap, difference=question.difference,
        alone_a=question.alone_a, alone_b=question.alone_b, difference_sets=2 * question.alone, budget=budget,
        wanted_power=power, alpha=alpha, power=at_budget, needed=needed, in_full=pools,
        fewest=next(iter(reachable), None), sentence=_in_words(question, reachable, power=power, budget=budget),
    )  # fmt: skip


def _in_words(question: PowerQuestion, reachable: dict[str, int], *, power: float, budget: int | None) -> Sentence:
    """What the wanted power costs in each design, the cheapest first."""
    q, in_full = question, 2 * question.alone
    start = f"To separate {q.a} from {q.b} at n = {q.n:,} (a difference of {q.difference:.3f}) with a power of "
    costs = ", or ".join(f"{number:,} judgements {PHRASES[design]}" for design, number in reachable.items())
    answer = f"you need {costs}" if costs else "no random sample is enough"
    sample = f"concur sample SCORED --design difference --between {q.a},{q.b} --best {q.n}"
    full = f"Judging both difference sets in full takes {in_full:,} judgements and leaves no sampling error."
    part = f" (--size {reachable['differences']} draws a part)" if "differences" in reachable else ""
    full = f"{full} To draw them: {sample}{part}."
    over = budget is not None and min([*reachable.values(), in_full]) > budget
    short = f" A budget of {budget:,} judgements is not enough." if over else ""
    code = "over_budget" if over else "plan"
    return Sentence(code=code, text=f"{start}{power:.0%}, {answer}. {full}{short}", warning=over)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FisherPower:
    """The power of Fisher's test between the difference sets when ``size`` are drawn from a pool, by simulation."""

    question: PowerQuestion
    pool: int
    alpha: float
    draws: int
    seed: int

    def __call__(self, size: int) -> float:
        d, rng = self.question.alone, np.random.default_rng(self.seed)
        m1 = rng.hypergeometric(d, self.pool - d, size, self.draws)
        m2 = rng.hypergeometric(d, self.pool - 2 * d, size - m1) if self.pool > 2 * d else size - m1
        k1, k2 = (
            rng.hypergeometric(round(p * d), d - round(p * d), m)
            for p, m in ((self.question.alone_a, m1), (self.question.alone_b, m2))
        )
        better = k1 * m2 > k2 * m1 if self.question.difference >= 0 else k1 * m2 < k2 * m1
        return float(((fisher(k1, m1, k2, m2) <= self.alpha) & better).mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class _StratifiedPower:
    """The power of the design-based test of the weighted difference, by its variance."""

    question: PowerQuestion
    frame: Frame
    alpha: float

    def __call__(self, size: int) -> float:
        least = int(np.minimum(self.frame.sizes, 2).sum())
        if size < least:
            return 0.0
        rates = self.frame.rates(self.frame.allocation(size))
        variance = sum(self._variance(rates, own, other, p) for own, other, p in self._sides())
        gap = abs(self.question.alone_a - self.question.alone_b)
        if variance <= 0:
            return 1.0 if gap > 0 else 0.0
        return NormalDist().cdf(gap / variance**0.5 - NormalDist().inv_cdf(1 - self.alpha / 2))

    def _sides(self) -> tuple[tuple[str, str, float], tuple[str, str, float]]:
        q = self.question
        return (q.a, q.b, q.alone_a), (q.b, q.a, q.alone_b)

    def _variance(self, rates: Reals, own: str, other: str, p: float) -> float:
        n, rankings = self.question.n, self.frame.rankings
        alone = rates[(rankings[own].ranks <= n) & (rankings[other].ranks > n)]
        return float(p * (1 - p) * ((1 - alone) / alone).sum() / len(alone) ** 2)


def _fewest(power: Callable[[int], float], pool: int, target: float) -> int | None:
    """The smallest size with the wanted power, by bisection; nothing where even the whole pool lacks it."""
    if power(pool) < target:
        return None
    low, high = 2, pool
    while low < high:
        middle = (low + high) // 2
        if power(middle) >= target:
            high = middle
        else:
            low = middle + 1
    return low
