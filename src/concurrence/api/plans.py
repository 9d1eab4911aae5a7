"""The plans: how many judgements a wish costs, before anyone judges. Numbers may be given alone or as lists."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import also_takes, candidates_from, judgements_from, names_from, numbers_from
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.agreement.judge.plan import JudgePlans
    from concurrence.kernels.ranking import Ranking
    from concurrence.sampling.agreement_plan import AgreementPlans
    from concurrence.sampling.looks_plan import LooksPlan
    from concurrence.sampling.power_plan import PowerPlan, PowerPlans, PowerQuestion
    from concurrence.sampling.precision_plan import PrecisionPlans

Several = float | Sequence[float]


@also_takes(kappas="kappa", widths="width", null_kappa="null", powers="power")
def plan_agreement(
    shares: Sequence[float],
    *,
    kappa: Several,
    width: Several | None = None,
    null: float | None = None,
    power: Several = (0.8,),
    sided: int = 1,
    level: float = 0.95,
) -> "AgreementPlans":
    """How many items two coders must label: a plan for every expected ``kappa`` and every ``width`` or ``power``.

    ``shares`` are the rates of the categories. ``width`` is that of the interval at ``level``, by default 0.2; with
    ``null``, a test that kappa exceeds it is planned at every ``power``, with one or two sides (``sided``).
    """
    from concurrence.sampling import plan_agreement as plan

    return plan(
        shares,
        kappas=numbers_from(kappa),
        widths=None if width is None else numbers_from(width),
        null_kappa=null,
        powers=numbers_from(power),
        sided=sided,
        level=level,
    )


@also_takes(judge_kappas="judge_kappa")
def plan_judge(
    *,
    humans: int | Sequence[int] = (3,),
    kappa: float = 0.6,
    judge_kappa: Several | None = None,
    shares: Sequence[float] = (0.5, 0.5),
    items: int | Sequence[int] = (30, 50, 100, 200),
    epsilon: float = 0.2,
    rate: float = 0.05,
    power: float = 0.8,
    draws: int = 2000,
    seed: int = 0,
) -> "JudgePlans":
    """The power of the alternative-annotator test before anyone labels.

    ``humans`` is how many people label; ``kappa`` is the agreement expected among them, ``judge_kappa`` that between
    judge and humans (by default the same); ``shares`` are the rates of the categories. The test is the one of
    :func:`judge` with the allowance ``epsilon``, at false discovery ``rate``, simulated ``draws`` times for every
    number of ``items``; ``power`` is the wanted one.

    References: Calderon, Reichart and Dror (2025).
    """
    from concurrence.agreement.judge.plan import plan_judge as plan

    return plan(
        humans=numbers_from(humans),
        kappa=kappa,
        judge_kappas=None if judge_kappa is None else numbers_from(judge_kappa),
        shares=shares,
        items=numbers_from(items),
        epsilon=epsilon,
        rate=rate,
        power=power,
        draws=draws,
        seed=seed,
    )


@also_takes(judged="at", shape="bounds")
def plan_looks(
    at: Sequence[int],
    *,
    population: int | None = None,
    bounds: str = "obrien-fleming",
    constant: bool = False,
    level: float = 0.95,
    share: float = 0.5,
) -> "LooksPlan":
    """The level of the interval at each of some looks, so that all of them hold together.

    ``at`` counts the judgements at each look, ``population`` the candidates of a finite list. The error is spent as
    time passes (Lan & DeMets), with the ``bounds`` of O'Brien and Fleming (little at first) or of Pocock (evenly);
    ``constant`` takes their own constants instead. Together the intervals hold at ``level``; widths are those expected
    for the share ``share``.

    >>> plan = plan_looks([200, 400, 600, 800, 1000])
    >>> [round(look.bound, 3) for look in plan.looks]
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    from concurrence.sampling.looks_plan import plan_looks as plan

    return plan(at, population=population, shape=bounds, constant=constant, level=level, share=share)


def plan_precision(
    candidates: Any = None,
    *,
    n: int | Sequence[int],
    precision: Several = (0.3,),
    width: Several = (0.1,),
    level: float = 0.95,
    population: int | None = None,
    union: int | None = None,
    measures: str | Sequence[str] = (),
    rankings: "Mapping[str, Ranking] | None" = None,
    budget: int | None = None,
    key: str | Sequence[str] | None = None,
    seed: int = 0,
) -> "PrecisionPlans":
    """How many judgements give each ``width`` at each list size ``n`` and ``precision``.

    The members of the list are drawn without replacement, and the width is that of the exact interval at ``level``.
    With ``population`` the simple design is planned, with ``union`` (how many candidates the lists hold together) the
    union design; with scored ``candidates`` and ``measures`` (or their ``rankings``) all designs are, and what a
    ``budget`` buys. ``key`` names the columns that identify a candidate, ``seed`` breaks ties.
    """
    from concurrence.sampling import plan_precision as plan

    return plan(
        n=numbers_from(n),
        precision=numbers_from(precision),
        width=numbers_from(width),
        level=level,
        population=population,
        union=union,
        rankings=rankings if candidates is None else _rankings(candidates, measures, key, seed),
        budget=budget,
    )


def plan_power(
    candidates: Any = None,
    *,
    n: int | Sequence[int] | None = None,
    measures: str | Sequence[str] = (),
    gold: Any = None,
    precision_a: float | None = None,
    precision_b: float | None = None,
    overlap: int | None = None,
    population: int | None = None,
    union: int | None = None,
    rankings: "Mapping[str, Ranking] | None" = None,
    budget: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    draws: int = 2000,
    key: str | Sequence[str] | None = None,
    seed: int = 0,
) -> "PowerPlan | PowerPlans":
    """The power of each design to find the difference of two measures, and the judgements it needs.

    Both lists have ``n`` candidates and share ``overlap``, which scored ``candidates`` with two ``measures`` (or their
    ``rankings``) tell. What is to be found comes from a pilot (``gold``) or from the expected precisions
    ``precision_a`` and ``precision_b``; a ``PowerQuestion`` in the place of the candidates is one plan. ``simple``
    needs the number of candidates (``population``), ``union`` that of both lists together (by default 2n - overlap);
    ``differences`` draws from the difference sets alone. ``budget`` is a number of judgements, ``power`` the wanted
    power of a test at ``alpha``, simulated ``draws`` times. ``key`` names the columns that identify a candidate.
    """
    from concurrence.sampling import plan_power as plan
    from concurrence.sampling.power_plan import PowerPlans, PowerQuestion

    options: dict[str, Any] = {"population": population, "union": union, "budget": budget}
    test: dict[str, Any] = {"power": power, "alpha": alpha, "draws": draws, "seed": seed}
    if isinstance(candidates, PowerQuestion):
        return plan(candidates, rankings=rankings, **options, **test)
    if n is None:
        raise InvalidInputError("Give the list sizes to plan for, such as n=500.")
    ranked = rankings if candidates is None else _rankings(candidates, measures, key, seed)
    questions = [_question(ranked, size, gold, (precision_a, precision_b), overlap) for size in numbers_from(n)]
    return PowerPlans.of(plan(one, rankings=ranked, **options, **test) for one in questions)


def _rankings(
    candidates: Any, measures: str | Sequence[str], key: str | Sequence[str] | None, seed: int
) -> "dict[str, Ranking]":
    from concurrence.core.pairs import KEY, Pairs, find_column
    from concurrence.kernels.ranking import rank_candidates

    source, columns = candidates_from(candidates, key)
    table, keys = (source.table, source.key) if isinstance(source, Pairs) else (source, columns or KEY)
    names = [find_column(table, name, keys) for name in names_from(measures)]
    if not names:
        raise InvalidInputError("Name the score columns to rank the candidates by, with measures=.")
    return rank_candidates(table, names, key=keys, seed=seed)


def _question(
    rankings: "Mapping[str, Ranking] | None",
    n: int,
    gold: Any,
    expected: tuple[float | None, float | None],
    overlap: int | None,
) -> "PowerQuestion":
    from concurrence.sampling.power_plan import question_from_pilot, question_from_precisions

    if rankings is not None and len(rankings) != 2:
        raise InvalidInputError(f"The plan compares two measures, not {len(rankings)}; name two.")
    if gold is not None and rankings is not None:
        return question_from_pilot(rankings, *rankings, n=n, judged=_verdicts(gold, rankings))
    if rankings is not None:
        one, two = (ranking.ranks <= n for ranking in rankings.values())
        overlap = int((one & two).sum())
    a, b = expected
    if a is None or b is None or overlap is None:
        raise InvalidInputError(
            "Give scored candidates or overlap= for what the lists share, and precision_a= and precision_b= for the "
            "expected precisions (or, with candidates, a pilot: gold=)."
        )
    names = tuple(rankings or ("A", "B"))
    return question_from_precisions(n=n, overlap=overlap, precision_a=a, precision_b=b, a=names[0], b=names[1])


def _verdicts(gold: Any, rankings: "Mapping[str, Ranking]") -> Any:
    """The pilot's judgements as 1, 0, or NaN for each candidate."""
    import numpy as np

    from concurrence.core.judgements import Judgements
    from concurrence.kernels.verdicts import judgements_from_table

    table, keys = judgements_from(gold), next(iter(rankings.values())).ties.keys
    judgements = table if isinstance(table, Judgements) else judgements_from_table(table, keys)
    return np.where(judgements.judged, judgements.verdicts.astype(float), np.nan)
