"""What every result can do: print itself, show itself in a notebook, become a table, JSON or a file.

Intervals, coefficients and reports of coefficients are results of all kinds of agreement. How results are drawn is
known to ``report``, which registers itself when it is imported.
"""

from collections.abc import Iterator
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from concurrence.core.errors import UndefinedError, UnknownNameError
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

if TYPE_CHECKING:
    import polars as pl


class Renderer(Protocol):
    """What draws results."""

    def html(self, result: Any) -> str:
        """What a notebook shows."""

    def table(self, result: Any) -> "pl.DataFrame":
        """The table that the command writes."""

    def json(self, result: Any) -> dict[str, Any]:
        """What the command prints with ``--json``."""

    def save(self, result: Any, path: str | PathLike[str]) -> None:
        """Write what the command writes with ``-o path``."""


_registered: list[Renderer] = []


def register_renderer(renderer: Renderer) -> None:
    """Let results be drawn by this one from now on."""
    _registered[:] = [renderer]


class Result:
    """A value that shows itself; a class that is a ``value`` adds its fields and its ``str``."""

    __slots__ = ()

    def __repr__(self) -> str:
        first_line = "" if type(self).__str__ is object.__str__ else str(self).partition("\n")[0]
        return f"<{type(self).__name__}{first_line and f': {first_line}'}>"

    def _repr_html_(self) -> str:
        return _registered[0].html(self)

    def to_frame(self) -> "pl.DataFrame":
        """The result as a table (polars), as its command writes it with ``-o result.csv``."""
        return _registered[0].table(self)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON can hold it, as its command prints it with ``--json``: nothing is rounded."""
        return _registered[0].json(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result in the format of the ending, as its command does with ``-o``.

        A table (.csv .tsv .jsonl .parquet), a page (.html .md .tex), its first chart (.svg .png), or .json, which
        ``concur report`` reads.
        """
        _registered[0].save(self, path)


CERTAIN = "The value is exactly 1, so the standard error is estimated as 0; that is not certainty."
"""What is said of perfect agreement, whatever the judgements were."""


@value
class Interval(Result):
    """A confidence interval.

    >>> low, high = Interval(low=0.2, high=0.4, level=0.95, method="exact")
    >>> (low, high)
    (0.2, 0.4)
    """

    low: float
    high: float
    level: float
    method: str
    as_list: ClassVar = ("low", "high")
    """In JSON it is its two ends; level and method stand beside it."""

    def __iter__(self) -> Iterator[float]:
        """Unpack as ``low, high``."""
        yield self.low
        yield self.high

    @property
    def width(self) -> float:
        return self.high - self.low

    @classmethod
    def from_json(cls, ends: list[float | None]) -> "Interval":
        """An interval of which only the ends were kept."""
        low, high = (float("nan") if end is None else float(end) for end in ends)
        return cls(low=low, high=high, level=float("nan"), method="unknown")

    def __str__(self) -> str:
        return f"[{self.low:.3f}, {self.high:.3f}] ({self.level:.0%} CI, {self.method})"


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


C = TypeVar("C", bound=Coefficient)


class CoefficientReport(Result, Generic[C]):
    """A report with coefficients by their names: ``report["cohen_kappa"]``; ``list(report)`` has the names."""

    __slots__ = ()
    coefficients: dict[str, C]
    sentences: tuple[Sentence, ...]

    def __getitem__(self, name: str) -> C:
        if name not in self.coefficients:
            raise UnknownNameError("coefficient", name, self.coefficients)
        return self.coefficients[name]

    def __contains__(self, name: object) -> bool:
        return name in self.coefficients

    def __iter__(self) -> Iterator[str]:
        return iter(self.coefficients)

    def defined(self, name: str) -> C:
        """A coefficient that must have a value; raises the sentence that says why it has none."""
        coefficient = self[name]
        if not coefficient.defined:
            raise UndefinedError(coefficient.note or f"{name} is undefined.")
        return coefficient

    def rows(self) -> list[C]:
        """The coefficients that have a value, each once, whatever other names it has."""
        return [entry for name, entry in self.coefficients.items() if entry.defined and entry.coefficient == name]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows())) or "\n".join(map(str, self.sentences))
