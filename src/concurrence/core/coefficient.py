"""One coefficient of agreement, whatever was judged: its value, how sure it is, and the line to quote."""

from math import isnan

from concurrence.core.display import count_noun
from concurrence.core.interval import Interval
from concurrence.core.results import Result
from concurrence.core.values import value


@value
class Coefficient(Result):
    """One coefficient with all that is needed to report it.

    ``interval`` is the one to report, by ``interval_method``; ``trusted`` tells whether it deserves its level. All
    others stand in ``intervals``. Where the coefficient is undefined, ``value`` is NaN and ``note`` says why.
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
    p_value: float
    p_value_method: str | None
    note: str | None
    unit = "item"  # what was judged: the field ``items``, or whatever the unit is, counts them

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not isnan(self.value)

    def __str__(self) -> str:
        """The value with its interval, as one line fit for a paper."""
        sample = count_noun(getattr(self, f"{self.unit}s"), self.unit)
        low, high = self.interval
        if not self.defined:
            return f"{self.title}: undefined ({sample})"
        if isnan(low):
            return f"{self.title} = {self.value:.3f} ({sample})"
        return f"{self.title} = {self.value:.3f} [{low:.3f}, {high:.3f}] ({self.level:.0%} CI, {sample})"
