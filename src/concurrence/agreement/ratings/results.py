"""Results of a study of ratings: values that hold all their numbers."""

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.ratings.limits import LimitsOfAgreement, ShiftTest
from concurrence.agreement.ratings.variance import VarianceComponents
from concurrence.core import Interval, UnknownNameError
from concurrence.core.display import count_noun
from concurrence.core.frames import as_frame
from concurrence.core.interval import reported
from concurrence.core.notebook import html_sentences, html_table
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class RatingAgreement:
    """One coefficient with all that is needed to report it.

    ``interval`` is the one to report, by ``interval_method``; ``trusted`` tells whether it deserves its level, all
    others stand in ``intervals``. ``observed`` and ``expected`` are mean squared differences, where there are such.
    ``p_value`` is that of the test that the coefficient is 0 (of Kendall's W: that the orders are unrelated). Where the
    coefficient is undefined, ``value`` is NaN and ``note`` says why.
    """

    coefficient: str
    title: str
    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None
    intervals: dict[str, Interval]
    level: float
    statistic: float
    degrees_of_freedom: tuple[float, ...]
    p_value: float
    p_value_method: str | None
    p_value_side: str
    items: int
    note: str | None

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not np.isnan(self.value)

    def __str__(self) -> str:
        counted = count_noun(self.items, "item")
        return reported(self.title, self.value, self.interval, level=self.level, counted=counted)

    def _repr_html_(self) -> str:
        return html_sentences([f"{self}.", *([self.note] if self.note else [])])


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
class RatingsReport:
    """All that ``ratings`` found: ``report["icc_2_1"]`` is one coefficient, ``leading`` the one to report."""

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
    to_frame = as_frame

    def __getitem__(self, name: str) -> RatingAgreement:
        if name not in self.coefficients:
            raise UnknownNameError("coefficient", name, self.coefficients)
        return self.coefficients[name]

    def rows(self) -> list[RatingAgreement]:
        """The coefficients that have a value."""
        return [one for one in self.coefficients.values() if one.defined]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows())) or "\n".join(map(str, self.sentences))

    def _repr_html_(self) -> str:
        rows = [(one.title, one.value, *one.interval, one.p_value) for one in self.rows()]
        columns = ("", "value", f"{self.level:.0%} from", "to", "p")
        caption = f"{self.data.items:,} items, {len(self.data.coders):,} coders"
        told = (str(sentence) for sentence in (*self.warnings, *self.sentences))
        return html_sentences(told) + html_table(columns, rows, caption=caption)
