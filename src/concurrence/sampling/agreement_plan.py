"""How many items two coders must label for a given precision or power."""

from collections.abc import Mapping, Sequence
from math import ceil, isclose, sqrt
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from concurrence.core.arrays import Booleans, Reals
from concurrence.core.errors import InvalidInputError, UndefinedError
from concurrence.core.plans import Plans
from concurrence.core.values import value
from concurrence.sampling.options import AgreementPlanOptions

PLANNED = ("purpose", "kappa", "null_kappa", "power", "sided", "width", "assurance", "level", "items")
DRAWS = 4000
RARE_LABELS, RARE_AGREEMENTS, DISAGREEMENTS = 40, 10, 10
"""The counts that an analytic interval takes; a test holds them to those of ``agree``."""


@value
class AgreementPlan:
    """How many items are needed, and for what.

    ``spread`` is the largest standard error of kappa times the square root of the number of items that any
    table with these category shares and this kappa can have; the plan is right whatever the disagreements
    look like. ``assurance`` is the share of studies whose interval will be no wider; without it, ``items`` are those
    of the expected width.
    """

    purpose: str
    kappa: float
    null_kappa: float | None = None
    shares: tuple[float, ...]
    level: float
    power: float | None = None
    width: float | None = None
    sided: int | None = None
    spread: float
    items: int
    assurance: float | None = None

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        return [{name: getattr(self, name) for name in PLANNED}]

    def __str__(self) -> str:
        if self.purpose == "power":
            sided = {1: "one", 2: "two"}[self.sided or 1]
            return (
                f"{self.items} items give {self.power:.0%} power to show that kappa is above {self.null_kappa:g} "
                f"if it is {self.kappa:g} ({sided}-sided test at the {1 - self.level:.3g} level)"
            )
        if not self.assurance:
            wish = f"a {self.level:.0%} interval that is {self.width:g} wide on average"
            return f"{self.items} items give {wish} if kappa is {self.kappa:g}"
        wish = f"a {self.level:.0%} interval no wider than {self.width:g} in {self.assurance:.0%} of studies"
        return f"{self.items} items give {wish} if kappa is {self.kappa:g}"


@value
class AgreementPlans(Plans[AgreementPlan]):
    """A plan for every expected kappa and every width or power."""

    plans: tuple[AgreementPlan, ...]


def items_for_power(
    shares: Sequence[float],
    *,
    kappa: float,
    null_kappa: float = 0.0,
    power: float = 0.8,
    alpha: float = 0.05,
    sided: int = 1,
) -> AgreementPlan:
    r"""Items needed to show that kappa differs from a null value.

    .. math:: n = \left(\frac{z_{1-\alpha} \tau_0 + z_{1-\beta} \tau_1}{\kappa_1 - \kappa_0}\right)^2

    with the largest :math:`\tau = \sqrt n \, s(\hat\kappa)` under either value, found by linear programming
    over all tables with the given category shares of both coders.

    References: Flack et al. (1988).

    >>> items_for_power([0.2, 0.25, 0.55], kappa=0.6, null_kappa=0.4).items
    101
    """
    _check_probability("power", power)
    _check_probability("alpha", alpha)
    if sided not in (1, 2):
        raise InvalidInputError(f"A test is one- or two-sided, not {sided}-sided.")
    if kappa == null_kappa:
        raise InvalidInputError("The expected kappa must differ from the one to be ruled out.")
    under_null, expected = largest_spread(shares, null_kappa), largest_spread(shares, kappa)
    z_alpha, z_power = ndtri(1 - alpha / sided), ndtri(power)
    items = ((z_alpha * under_null + z_power * expected) / (kappa - null_kappa)) ** 2
    return AgreementPlan(
        purpose="power",
        kappa=kappa,
        null_kappa=null_kappa,
        shares=tuple(shares),
        level=1 - alpha,
        power=power,
        sided=sided,
        spread=expected,
        items=_whole(items),
    )


def items_for_width(
    shares: Sequence[float], *, kappa: float, width: float, level: float = 0.95, assurance: float = 0.0
) -> AgreementPlan:
    r"""Items needed for an interval of kappa that is as wide as wanted: :math:`n = (2 z \tau / w)^2`.

    That is the expected width, which half of the studies exceed. With ``assurance``, so large a share of studies has
    an interval no wider, by simulation of the table with the largest spread.

    References: Flack et al. (1988) for the spread.

    >>> items_for_width([0.5, 0.5], kappa=0.7, width=0.2).items
    196
    >>> items_for_width([0.5, 0.5], kappa=0.7, width=0.2, assurance=0.8).items > 196
    True
    """
    _check_probability("level", level)
    if not 0 < width < 2:
        raise InvalidInputError(f"The width of the interval must lie between 0 and 2, not {width:g}.")
    spread = largest_spread(shares, kappa)
    z = float(ndtri((1 + level) / 2))
    items = (2 * z * spread / width) ** 2
    if assurance:
        items = _assured_items(worst_table(_checked_shares(shares), kappa), items, width, level, assurance)
    return AgreementPlan(
        purpose="width",
        assurance=assurance or None,
        kappa=kappa,
        shares=tuple(shares),
        level=level,
        width=width,
        spread=spread,
        items=_whole(items),
    )


def largest_spread(shares: Sequence[float], kappa: float) -> float:
    """The largest standard error of kappa, times the root of n, with these shares of both coders.

    The variance of Fleiss, Cohen and Everitt is linear in the cells once shares and kappa are fixed, so the
    worst table is found by linear programming.
    """
    p = _checked_shares(shares)
    if not -1 < kappa < 1:
        raise InvalidInputError(f"Kappa must lie strictly between -1 and 1, not {kappa:g}.")
    chance = float(p @ p)
    observed = kappa + chance * (1 - kappa)
    worst, _ = _worst_table(p, kappa)
    fixed = observed * (1 - chance) ** 2 - (observed * chance - 2 * chance + observed) ** 2
    variance = (fixed + worst) / (1 - chance) ** 4
    return sqrt(max(variance, 0.0))


def _assured_items(table: Reals, expected: float, width: float, level: float, assurance: float) -> float:
    """The fewest items with which the share ``assurance`` of studies has an interval no wider than ``width``.

    Where counts are low that is a posterior interval, else Student's. The posterior ends low as if one more item had
    divided the coders, and high as if it had united them, which makes it wider.
    """
    random = np.random.default_rng(0)
    size, tail = len(table), (1 + level) / 2
    united = np.eye(size) / size
    divided = (1 - np.eye(size)) / (size * (size - 1))

    def share(items: int) -> float:
        drawn = random.multinomial(items, table.ravel(), DRAWS).reshape(DRAWS, *table.shape).astype(np.float64)
        student = 2 * stdtrit(items - 1, tail) * kappa_errors(drawn / items) / sqrt(items - 1)
        shifted = [(drawn + one) / (items + 1) for one in (united, divided)]
        high, low = (kappas(tables) for tables in shifted)
        reach = ndtri(tail) * sum(kappa_errors(tables) for tables in shifted) / sqrt(items + 2)
        posterior = np.minimum(high + reach / 2, 1.0) - (low - reach / 2)
        widths: Reals = np.where(_counts_are_low(drawn), posterior, student)
        return float((widths <= width).mean())

    low, high = max(int(expected / 2), 2), max(2 * ceil(expected), 8)
    while share(high) < assurance:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if share(middle) >= assurance else (middle + 1, high)
    return float(low)


def _counts_are_low(tables: Reals) -> Booleans:
    """Where ``agree`` does not report the analytic interval: too few labels, agreements on them, or disagreements."""
    labels, agreed = tables.sum(axis=-1) + tables.sum(axis=-2), np.diagonal(tables, axis1=-2, axis2=-1)
    common = labels.argmax(axis=-1)[..., None]
    others = (labels.sum(axis=-1) - labels.max(axis=-1)) / 2
    alike = agreed.sum(axis=-1) - np.take_along_axis(agreed, common, axis=-1)[..., 0]
    apart = tables.sum(axis=(-2, -1)) - agreed.sum(axis=-1)
    return np.asarray((others < RARE_LABELS) | (alike < RARE_AGREEMENTS) | (apart < DISAGREEMENTS))


def kappas(tables: Reals) -> Reals:
    """Cohen's kappa of tables of shares."""
    observed = np.trace(tables, axis1=-2, axis2=-1)
    chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1)
    return np.asarray((observed - chance) / np.maximum(1 - chance, 1e-12))


def kappa_errors(tables: Reals) -> Reals:
    """The standard error of kappa, times the root of n, of tables of shares (Fleiss, Cohen and Everitt 1969)."""
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    agreed = np.diagonal(tables, axis1=-2, axis2=-1)
    observed, chance = agreed.sum(axis=-1), (rows * columns).sum(axis=-1)
    rest = np.maximum(1 - chance, 1e-12)
    open_ = 1 - (observed - chance) / rest
    sums = columns[..., :, None] + rows[..., None, :]
    apart = (tables * sums**2).sum(axis=(-2, -1)) - (agreed * (rows + columns) ** 2).sum(axis=-1)
    inside = (agreed * (1 - (rows + columns) * open_[..., None]) ** 2).sum(axis=-1)
    variance = inside + open_**2 * apart - (1 - open_ - chance * open_) ** 2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)) / rest)


def worst_table(p: Reals, kappa: float) -> Reals:
    """The table of two coders with these shares and this kappa that makes its standard error largest."""
    return _worst_table(p, kappa)[1]


def _worst_table(p: Reals, kappa: float) -> tuple[float, Reals]:
    """The part of the variance that depends on the cells, and the table that makes it largest."""
    chance = float(p @ p)
    observed = kappa + chance * (1 - kappa)
    from scipy.optimize import linprog  # takes longer to load than to run

    size = len(p)
    sums = p[:, None] + p[None, :]
    weights = (1 - observed) ** 2 * sums**2
    np.fill_diagonal(weights, -(1 - observed) * 2 * p * (2 * (1 - chance) - (1 - observed) * 2 * p))
    rows = np.kron(np.eye(size), np.ones(size))
    columns = np.kron(np.ones(size), np.eye(size))
    constraints = np.vstack([rows, columns, np.eye(size).ravel()])
    solution = linprog(-weights.ravel(), A_eq=constraints, b_eq=np.concatenate([p, p, [observed]]), method="highs")
    if not solution.success or solution.fun is None:
        raise UndefinedError(
            f"No two coders with these category shares can agree on exactly {observed:.1%} of the items; "
            "choose a larger kappa."
        )
    table = np.maximum(np.asarray(solution.x, dtype=np.float64), 0.0).reshape(size, size)
    return -float(solution.fun), table / table.sum()


def _checked_shares(shares: Sequence[float]) -> Reals:
    p = np.asarray(shares, dtype=np.float64)
    if len(p) < 2 or (p <= 0).any() or not isclose(p.sum(), 1, abs_tol=1e-6):
        raise InvalidInputError("The category shares must be at least two positive numbers that sum to 1.")
    return np.asarray(p / p.sum())


def _check_probability(name: str, number: float) -> None:
    if not 0 < number < 1:
        raise InvalidInputError(f"The {name} must lie strictly between 0 and 1, not {number:g}.")


def _whole(items: float) -> int:
    return max(ceil(items - 1e-9), 2)


def plan_agreement(options: AgreementPlanOptions) -> AgreementPlans:
    """A plan for every expected kappa and every width or power; by default an interval of width 0.2."""
    shares, level, null = options.shares, options.level, options.null
    wishes = options.width if options.width is not None else (() if null is not None else (0.2,))
    precise = (
        items_for_width(shares, kappa=k, width=w, level=level, assurance=options.assurance)
        for k in options.kappa
        for w in wishes
    )
    powerful = (
        items_for_power(shares, kappa=k, null_kappa=null, power=p, alpha=1 - level, sided=options.sided)
        for k in options.kappa
        for p in options.power
        if null is not None
    )
    return AgreementPlans(plans=(*precise, *powerful))
