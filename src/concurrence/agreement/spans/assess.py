"""A coefficient with its interval: documents are drawn with replacement, as many as there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.spans.options import SpansOptions
from concurrence.agreement.spans.results import CategoryCoefficient, SpanCoefficient
from concurrence.agreement.spans.study import Estimator
from concurrence.agreement.spans.table import SpanMeasure
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.results import CERTAIN
from concurrence.core.sentences import count_noun
from concurrence.kernels.resampling import expanded_interval, multinomial_weights

METHOD = "bootstrap_expanded_percentile"
ENOUGH_DOCUMENTS = 15
"""Below it, the coverage of the intervals was not shown to hold."""
ENOUGH_DIFFERENCES = 20
"""Documents in which coders differ, below which what they differ about was not shown to hold."""
CELLS_AT_ONCE = 2_000_000
ROUNDING = 1e-12  # values that differ by less are the same
ALWAYS = "There is no interval: resampled documents always give this value."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampling:
    """Weights of the documents: one each, and those of every bootstrap draw.

    Draws are kept as bytes (no document is drawn 256 times), and become numbers some at a time.
    """

    ones: Reals
    draws: NDArray[np.uint8]
    level: float

    @classmethod
    def of(cls, n_documents: int, options: SpansOptions) -> "Resampling":
        """Draw the weights; a single document is not resampled."""
        ones, random = np.ones(n_documents), np.random.default_rng(options.seed)
        draws = np.zeros((options.bootstrap if n_documents > 1 else 0, n_documents), dtype=np.uint8)
        for some in _slices(draws):
            some[:] = multinomial_weights(ones, len(some), random)
        return cls(ones=ones, draws=draws, level=options.level)

    def replicates(self, values: Callable[[Reals], Reals]) -> Reals:
        """What a function of weights gives for every draw; nothing where there are no draws."""
        parts = [values(some.astype(np.float64)) for some in _slices(self.draws)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def interval(self, replicates: Reals) -> tuple[Interval, float]:
        """The interval of a coefficient, and its standard error."""
        n, values = len(self.ones), replicates[np.isfinite(replicates)]
        low, high = expanded_interval(replicates, self.level, n)
        error = float(values.std(ddof=1) * np.sqrt(n / (n - 1))) if len(values) > 1 else float("nan")
        return Interval(low=low, high=high, level=self.level, method=METHOD), error

    def intervals(self, values: Callable[[Reals], Reals], names: Sequence[str]) -> dict[str, Interval]:
        """The intervals of several figures, (..., figures), by name; those that every draw gives alike have none."""
        if not len(self.draws):
            return {}
        columns = zip(names, self.replicates(values).T, strict=True)
        each = {name: self.interval(column)[0] for name, column in columns}
        return {name: interval for name, interval in each.items() if interval.width > ROUNDING}

    def why_none(self) -> str | None:
        """Why there are no intervals."""
        if len(self.ones) == 1:
            return "There is no interval: documents are resampled, and there is only one."
        return None if len(self.draws) else "There is no interval: no resampling was asked for."


def _slices(draws: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Views of so many draws that they take little memory as numbers."""
    step = max(1, CELLS_AT_ONCE // max(draws.shape[1], 1))
    for start in range(0, len(draws), step):
        yield draws[start : start + step]


def assess_span_coefficient(row: SpanMeasure, estimator: Estimator, resampling: Resampling) -> SpanCoefficient:
    """A coefficient with its interval and those of its labels."""
    whole = _category(estimator, resampling, row.title)
    by_category = {
        name: _category(one, resampling, f"{row.title} of {name!r}") for name, one in estimator.by_category.items()
    }
    has_interval = not np.isnan(whole.interval.low)
    return SpanCoefficient(
        **{entry.name: getattr(whole, entry.name) for entry in fields(whole)},
        coefficient=row.name,
        title=row.title,
        measures=row.measures,
        about=row.about,
        intervals={METHOD: whole.interval} if has_interval else {},
        level=resampling.level,
        p_value=float("nan"),
        p_value_method=None,
        documents=len(resampling.ones),
        convention=estimator.convention,
        by_category=by_category or None,
    )


def is_certain(one: SpanCoefficient | CategoryCoefficient) -> bool:
    """Whether the interval is the point 1, which no sample can show."""
    return _is_point_one(one.value, one.interval)


def _is_point_one(value: float, interval: Interval) -> bool:
    return abs(value - 1) <= ROUNDING and interval.width <= ROUNDING


def _category(estimator: Estimator, resampling: Resampling, title: str) -> CategoryCoefficient:
    nan = float("nan")
    observed, expected = (nan, nan) if estimator.parts is None else map(float, estimator.parts(resampling.ones))
    if estimator.kind == "share":
        expected = nan  # a share has none
    value = float(estimator.values(resampling.ones))
    defined = not np.isnan(value)
    replicates = resampling.replicates(estimator.values) if defined else np.zeros(0)
    interval, error = resampling.interval(replicates)
    note = estimator.note or (_undefined(title, observed, expected) if not defined else resampling.why_none())
    if interval.width <= ROUNDING:
        certain = abs(value - 1) <= ROUNDING
        note = " ".join(one for one in (note, CERTAIN if certain else ALWAYS) if one)
        if not certain:
            interval, error = resampling.interval(np.zeros(0))
    has_interval = not np.isnan(interval.low)
    documents = len(resampling.ones) if estimator.documents is None else estimator.documents
    if has_interval and documents < ENOUGH_DOCUMENTS <= len(resampling.ones):
        note = " ".join(one for one in (note, f"{title}: {few_documents(documents)}") if one)
    return CategoryCoefficient(
        value=value,
        observed=observed,
        expected=expected,
        standard_error=error,
        interval=interval,
        interval_method=METHOD if has_interval else None,
        trusted=documents >= ENOUGH_DOCUMENTS and not _is_point_one(value, interval) if has_interval else None,
        note=note,
    )


def _undefined(title: str, observed: float, expected: float) -> str:
    if np.isnan(observed) or np.isnan(expected):
        return f"{title} is undefined: there is nothing to compare."
    return f"{title} is undefined: chance alone would give perfect agreement."


def few_documents(n: int) -> str:
    """The warning about few documents."""
    return (
        f"The intervals resample {count_noun(n, 'document')}. With fewer than {ENOUGH_DOCUMENTS}, they may be too "
        "narrow; report them with caution."
    )
