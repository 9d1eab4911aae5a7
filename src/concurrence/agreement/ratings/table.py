"""The table of coefficients on ratings: everything about one stands on its row."""

from dataclasses import dataclass
from typing import Literal

from concurrence.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingCoefficient:
    """What a coefficient on ratings is called, how it is computed, and what it needs.

    ``design`` and ``mean`` are those of the intraclass correlations. ``complete``: it uses only items that every coder
    rated. ``known``: it must be known who gave which rating.
    """

    name: str
    title: str
    symbol: str
    words: str
    formula: str
    reference: str
    family: Literal["intraclass", "concordance", "ranks"]
    design: str = ""
    mean: bool = False
    complete: bool = False
    needs_coders: bool = True


_SINGLE = {
    "1": (
        "Each item has coders of its own, so that differences between coders count as error.",
        r"\frac{BMS - WMS}{BMS + (k - 1) WMS}",
    ),
    "2": (
        "The same coders rate all items and stand for other coders; a coder who rates higher than the others is a "
        "disagreement (absolute agreement).",
        r"\frac{BMS - EMS}{BMS + (k - 1) EMS + k (JMS - EMS) / n}",
    ),
    "3": (
        "The same coders rate all items and no others are meant; a coder who always rates higher by the same amount "
        "agrees (consistency).",
        r"\frac{BMS - EMS}{BMS + (k - 1) EMS}",
    ),
}
_MEAN = {
    "1": r"\frac{BMS - WMS}{BMS}",
    "2": r"\frac{BMS - EMS}{BMS + (JMS - EMS) / n}",
    "3": r"\frac{BMS - EMS}{BMS}",
}
_SQUARES = "BMS, JMS, EMS and WMS are the mean squares of items, coders, error, and within items; n items, k coders."


def _intraclass(design: str, *, mean: bool) -> RatingCoefficient:
    words, formula = _SINGLE[design]
    use = "The reliability of the mean of all k coders." if mean else "The reliability of the rating of one coder."
    return RatingCoefficient(
        name=f"icc_{design}_{'k' if mean else '1'}",
        title=f"ICC({design},{'k' if mean else '1'})",
        symbol=f"ICC({design},{'k' if mean else '1'})",
        words=f"{use} {words} {_SQUARES}",
        formula=(_MEAN[design] if mean else formula),
        reference="shrout1979",
        family="intraclass",
        design=design,
        mean=mean,
        needs_coders=design != "1",
    )


_ROWS = (
    *(_intraclass(design, mean=False) for design in "123"),
    *(_intraclass(design, mean=True) for design in "123"),
    RatingCoefficient(
        name="lin_ccc",
        title="Lin's concordance correlation",
        symbol="ρ_c",
        words="One minus the mean squared difference of two coders on an item, over that of unrelated ratings. With "
        "more than two coders, both are means over all pairs of coders.",
        formula=r"\rho_c = 1 - \frac{E (X - Y)^2}{\sigma_X^2 + \sigma_Y^2 + (\mu_X - \mu_Y)^2}",
        reference="lin1989",
        family="concordance",
        complete=True,
    ),
    RatingCoefficient(
        name="kendall_w",
        title="Kendall's W",
        symbol="W",
        words="Agreement on the order of the items alone: the spread of the rank sums over the largest that it could "
        "be with these ties. S is the sum of squares of a coder's ranks, or of the sums over the k coders.",
        formula=r"W = \frac{S(\sum_j R_j)}{k \sum_j S(R_j)}",
        reference="kendall1939",
        family="ranks",
        complete=True,
    ),
    RatingCoefficient(
        name="mean_spearman",
        title="Mean rank correlation",
        symbol="r̄_s",
        words="The mean of Spearman's rank correlations of every two coders, on the items both rated.",
        formula=r"\bar r_s = \frac{2}{k (k - 1)} \sum_{i < j} r_s(i, j)",
        reference="spearman1904",
        family="ranks",
    ),
)

RATING_COEFFICIENTS = {row.name: row for row in _ROWS}


def rating_coefficient(name: str) -> RatingCoefficient:
    """A row of the table, by its name."""
    if name not in RATING_COEFFICIENTS:
        raise UnknownNameError("coefficient on ratings", name, RATING_COEFFICIENTS)
    return RATING_COEFFICIENTS[name]
