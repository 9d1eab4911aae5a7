"""The plans: how many judgements a wish costs, before anyone judges. Numbers may be given alone or as lists."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import also_takes, candidates_from, judgements_from, names_from, numbers_from
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.agreement.judge.plan import JudgePlans
    from concurrence.core.judgements import Judgements
    from concurrence.kernels.ranking import Ranking
    from concurrence.sampling.agreement_plan import AgreementPlans
    from concurrence.sampling.looks_plan import LooksPlan
    from concurrence.sampling.power_plan import PowerPlan, PowerPlans
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
    assurance: float = 0.8,
) -> "AgreementPlans":
    """How many items two coders must label: a plan for every expected ``kappa`` and every ``width`` or ``power``.

    ``shares`` are the rates of the categories. ``width`` is that of the interval at ``level``, by default 0.2, which
    the share ``assurance`` of studies will not exceed (0 plans for the expected width); with ``null``, a test that
    kappa exceeds it is planned at every ``power``, with one or two sides (``sided``).
    """
    from concurrence.sampling.agreement_plan import plan_agreement as plan
    from concurrence.sampling.options import AgreementPlanOptions

    options = AgreementPlanOptions(
        shares=shares,
        kappa=numbers_from(kappa),
        width=None if width is None else numbers_from(width),
        null=null,
        power=numbers_from(power),
        sided=sided,
        level=level,
        assurance=assurance,
    )
    return plan(options)


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
    from concurrence.agreement.judge.options import JudgePlanOptions
    from concurrence.agreement.judge.plan import plan_judge as plan

    options = JudgePlanOptions(
        humans=numbers_from(humans),
        kappa=kappa,
        judge_kappa=None if judge_kappa is None else numbers_from(judge_kappa),
        shares=shares,
        items=numbers_from(items),
        epsilon=epsilon,
        rate=rate,
        power=power,
        draws=draws,
        seed=seed,
    )
    return plan(options)


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
    from concurrence.sampling.options import LooksPlanOptions

    return plan(
        LooksPlanOptions(at=at, population=population, bounds=bounds, constant=constant, level=level, share=share)
    )


def plan_precision(
    candidates: Any = None,
    *,
    n: int | Sequence[int],
    precision: Several = (0.3,),
    width: Several = (0.1,),
    level: float = 0.95,
    assurance: float = 0.8,
    population: int | None = None,
    union: int | None = None,
    measures: str | Sequence[str] = (),
    rankings: "Mapping[str, Ranking] | None" = None,
    budget: int | None = None,
    key: str | Sequence[str] | None = None,
    seed: int = 0,
) -> "PrecisionPlans":
    """How many judgements give each ``width`` at each list size ``n`` and ``precision``.

    The members of the list are drawn without replacement, and the width is that of the exact interval at ``level``,
    which the share ``assurance`` of studies will not exceed (0 plans for the expected width).
    With ``population`` the simple design is planned, with ``union`` (how many candidates the lists hold together) the
    union design; with scored ``candidates`` and ``measures`` (or their ``rankings``) all designs are, and what a
    ``budget`` buys. ``key`` names the columns that identify a candidate, ``seed`` breaks ties.
    """
    from concurrence.sampling.options import PrecisionPlanOptions
    from concurrence.sampling.precision_plan import plan_precision as plan

    options = PrecisionPlanOptions(
        n=numbers_from(n),
        precision=numbers_from(precision),
        width=numbers_from(width),
        level=level,
        assurance=assurance,
        population=population,
        union=union,
        budget=budget,
    )
    return plan(options, rankings=rankings if candidates is None else _rankings(candidates, measures, key, seed))


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
    from concurrence.sampling.options import PowerPlanOptions
    from concurrence.sampling.power_plan import PowerQuestion, power_plan
    from concurrence.sampling.power_plan import plan_power as plan

    if n is None and not isinstance(candidates, PowerQuestion):
        raise InvalidInputError("Give the list sizes to plan for, such as n=500.")
    options = PowerPlanOptions(
        n=() if n is None else numbers_from(n),
        precision_a=precision_a,
        precision_b=precision_b,
        overlap=overlap,
        population=population,
        union=union,
        budget=budget,
        power=power,
        alpha=alpha,
        draws=draws,
        seed=seed,
    )
    if isinstance(candidates, PowerQuestion):
        return power_plan(candidates, options, rankings=rankings)
    ranked = rankings if candidates is None else _rankings(candidates, measures, key, seed)
    return plan(options, rankings=ranked, pilot=None if gold is None or ranked is None else _pilot(gold, ranked))


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


def _pilot(gold: Any, rankings: "Mapping[str, Ranking]") -> "Judgements":
    from concurrence.core.judgements import Judgements
    from concurrence.kernels.verdicts import judgements_from_table

    table, keys = judgements_from(gold), next(iter(rankings.values())).ties.keys
    return table if isinstance(table, Judgements) else judgements_from_table(table, keys)
