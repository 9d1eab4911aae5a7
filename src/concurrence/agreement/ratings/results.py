"""Results of a study of ratings."""

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.ratings.limits import LimitsOfAgreement, ShiftTest
from concurrence.agreement.ratings.variance import VarianceComponents
from concurrence.core.results import Coefficient, CoefficientReport
from concurrence.core.sentences import Sentence
from concurrence.core.values import after, value


@value
class RatingAgreement(Coefficient):
    """A coefficient of agreement on ratings.

    ``observed`` and ``expected`` are mean squared differences, where there are such. ``p_value`` is that of the test
    that the coefficient is 0 (of Kendall's W: that the orders are unrelated).
    """

    statistic: float = after("level")
    degrees_of_freedom: tuple[float, ...] = after("level")
    p_value_side: str = after("p_value_method")
    items: int = after("p_value_method")


@value
class RatingsData:
    """What was rated: ``dropped`` items have no rating, ``complete`` ones a rating of every coder."""

    items: int
    coders: tuple[str, ...]
    ratings: int
    missing: int
    dropped: int
    complete: int
    anonymous: bool


@value
class CoderRatings:
    """How one coder rates: ``shift`` is how much higher than the mean of all coders, items taken into account."""

    ratings: int
    mean: float
    sd: float
    shift: float


@value
class RatedPair:
    """Two coders on the items both rated; ``difference`` is the mean of the first minus the second."""

    coders: tuple[str, str]
    items: int
    difference: float
    sd: float
    low: float
    high: float
    lin_ccc: float
    spearman: float


@value
class DifferencePoints:
    """What the chart of differences shows: for an item the mean of the ratings, and the difference.

    With more than two coders ``difference`` is that of a rating from the mean of its item. ``shown`` of ``all`` points
    are kept.
    """

    mean: NDArray[np.float64]
    difference: NDArray[np.float64]
    shown: int
    all: int


@value
class RatingsReport(CoefficientReport[RatingAgreement]):
    """The report of ``ratings``: ``report["icc_2_1"]`` is one coefficient, ``leading`` names the one to report."""

    data: RatingsData
    coefficients: dict[str, RatingAgreement]
    leading: str
    limits_of_agreement: LimitsOfAgreement | None
    limits_note: str | None
    shift_test: ShiftTest | None
    widening_p_value: float
    variance: VarianceComponents | None
    coders: dict[str, CoderRatings]
    pairs: tuple[RatedPair, ...]
    points: DifferencePoints | None
    level: float
    seed: int
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    apa: str | None = None
