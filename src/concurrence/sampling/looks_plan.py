"""Looks planned in advance: at which level to read the interval at each, so that all hold together."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from scipy.special import ndtr, ndtri

from concurrence.core.frames import rows_as_frame
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, join_words, warnings_of
from concurrence.core.values import to_json, value
from concurrence.kernels.anytime import anytime_bounds
from concurrence.kernels.looks import constant_bounds, information, spending_bounds, spent_by
from concurrence.sampling.options import LooksPlanOptions

if TYPE_CHECKING:
    import polars as pl

SHAPES = {"obrien-fleming": "O'Brien and Fleming", "pocock": "Pocock"}
ENDLESS = 10**9


@value
class PlannedLook:
    """One look: after how many judgements, at which level its interval is read, and how wide that is expected to be.

    ``information`` is its share of what the last look tells, ``spent`` the error spent so far, ``bound`` the limit of
    the standardised estimate; ``anytime_width`` is the width of the interval that holds however often one looks.
    """

    look: int
    judged: int
    information: float
    spent: float | None
    bound: float
    level: float
    width: float
    anytime_width: float


@value
class LooksPlan(Result):
    """Looks whose intervals all hold together at ``level``; ``one_look_width`` is that of a single look at the end."""

    looks: tuple[PlannedLook, ...]
    shape: str
    constant: bool
    level: float
    population: int | None
    share: float
    one_look_width: float
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...] = ()

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        return [to_json(look) for look in self.looks]

    def to_frame(self) -> "pl.DataFrame":
        """One row per look as a table (polars)."""
        return rows_as_frame(self.rows)

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))


def plan_looks(options: LooksPlanOptions) -> LooksPlan:
    """The level of the interval at each of some looks, so that all of them hold together.

    The error is spent as time passes (Lan & DeMets), with the bounds of O'Brien and Fleming (little at first) or of
    Pocock (evenly), or by their own constants. Widths are those expected for the share.

    >>> plan = plan_looks(LooksPlanOptions(at=[200, 400, 600, 800, 1000]))
    >>> [round(look.bound, 3) for look in plan.looks]
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    shape, constant, level, share = options.bounds, options.constant, options.level, options.share
    judged, population = options.at, options.population
    alpha, times = 1 - level, information(judged, population=population)
    bounds = (constant_bounds if constant else spending_bounds)(times.tolist(), alpha=alpha, shape=shape)
    spent = [None] * len(bounds) if constant else spent_by(times, alpha=alpha, shape=shape).tolist()
    rows = zip(judged, times.tolist(), spent, bounds.tolist(), strict=True)
    looks = tuple(
        PlannedLook(
            look=number,
            judged=n,
            information=time,
            spent=so_far,
            bound=bound,
            level=1 - 2 * float(ndtr(-bound)),
            width=_width(n, population, share, bound),
            anytime_width=_anytime_width(n, population, share, level),
        )
        for number, (n, time, so_far, bound) in enumerate(rows, start=1)
    )
    one_look = _width(judged[-1], population, share, float(ndtri(1 - alpha / 2)))
    sentences = _in_words(looks, one_look, level, shape)
    return LooksPlan(
        looks=looks, shape=shape, constant=constant, level=level, population=population, share=share,
        one_look_width=one_look, sentences=sentences, warnings=warnings_of(sentences),
    )  # fmt: skip


def _width(judged: int, population: int | None, share: float, bound: float) -> float:
    left = 1 / judged - (1 / population if population else 0)
    return float(min(1.0, 2 * bound * sqrt(share * (1 - share) * left)))


def _anytime_width(judged: int, population: int | None, share: float, level: float) -> float:
    size = population or ENDLESS
    low, high = anytime_bounds(size, judged, round(share * judged), level=level)
    return float((high - low) / size)


def _in_words(looks: Sequence[PlannedLook], one_look: float, level: float, shape: str) -> tuple[Sentence, ...]:
    levels = [f"{_percent(look.level)} after {look.judged:,}" for look in looks]
    last = looks[-1]
    text = (
        f"Read the interval at each look at this level: {join_words(levels)} judgements. All of them hold "
        "together with "
        f"{level:.0%}, so you may stop at any of these looks, and at no other ({SHAPES[shape]})."
    )
    price = (
        f"At the last look the interval is {last.width / one_look - 1:.0%} wider than that of a single look; one that "
        f"holds however often you look (--anytime) is about {last.anytime_width / one_look - 1:.0%} wider."
    )
    return Sentence(code="levels", text=text), Sentence(code="price_of_looks", text=price)


def _percent(level: float) -> str:
    """A level with as many digits as a reader needs.

    >>> _percent(0.9576), _percent(0.9992), _percent(0.99999892)
    ('95.8%', '99.92%', 'over 99.99%')
    """
    if level > 0.9999:
        return "over 99.99%"
    return f"{100 * level:.{1 if level < 0.99 else 2}f}%"
