"""Measures without a statistical model behind them."""

from math import inf

from concurrence.core import Contingency
from concurrence.core.arrays import Reals
from concurrence.measures import sequences
from concurrence.measures.measure import Measure, limits


def frequency(t: Contingency) -> Reals:
    r"""How often the pair occurs.

    .. math:: O

    References: Evert & Krenn (2005).
    """
    return t.o11.copy()


@limits
def mutual_expectation(t: Contingency) -> Reals:
    r"""The probability of the pair times its share in the mean of the words' probabilities.

    .. math:: \frac{O}{N} \cdot \frac{2 O}{R_1 + C_1}

    References: Dias, Guilloré & Lopes (1999).
    """
    return t.o11 / t.n * (2 * t.o11 / (t.r1 + t.c1))


HEURISTIC = (
    Measure(
        function=frequency,
        title="frequency",
        symbol="f",
        formula="O",
        reference="evert2005",
        range=(0, inf),
        ucs="frequency",
        sequences=sequences.sequence_frequency,
    ),
    Measure(
        function=mutual_expectation,
        title="mutual expectation",
        symbol="ME",
        formula="O/N * 2*O/(R1 + C1)",
        reference="dias1999",
        range=(0, 1),
    ),
)
