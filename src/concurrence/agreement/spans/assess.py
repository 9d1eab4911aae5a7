"""A coefficient with its interval: documents are drawn with replacement, as many as there are."""

from dataclasses import dataclass, fields

import numpy as np

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
DRAWS_AT_ONCE = 500
ROUNDING = 1e-12  # values that differ by less are the same
ALWAYS = "There is no interval: resampled documents always give this value."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampling:
    """Weights of the documents: one each, and those of every bootstrap draw."""

    ones: Reals
    draws: Reals
    level: float

    @classmethod
    def of(cls, n_documents: int, options: SpansOptions) -> "Resampling":
        """Draw the weights; a single document is not resampled."""
        ones = np.ones(n_documents)
        draws = options.bootstrap if n_documents > 1 else 0
        random = np.random.default_rng(options.seed)
        drawn = multinomial_weights(ones, draws, random) if draws else np.zeros((0, n_documents))
        return cls(ones=ones, draws=drawn, level=options.level)

    def replicates(self, estimator: Estimator) -> Reals:
        """The coefficient of every draw."""
        parts = [estimator.values(self.draws[k : k + DRAWS_AT_ONCE]) for k in range(0, len(self.draws), DRAWS_AT_ONCE)]
        return np.concatenate([np.zeros(0), *parts])

    def interval(self, replicates: Reals) -> tuple[Interval, float]:
        """The interval of a coefficient, and its standard error."""
        n, values = len(self.ones), replicates[np.isfinite(replicates)]
        low, high = expanded_interval(replicates, self.level, n)
        error = float(values.std(ddof=1) * np.sqrt(n / (n - 1))) if len(values) > 1 else float("nan")
        return Interval(low=low, high=high, level=self.level, method=METHOD), error

    def why_none(self) -> str | None:
        """Why there are no intervals."""
        if len(self.ones) == 1:
            return "There is no interval: documents are resampled, and there is only one."
        return None if len(self.draws) else "There is no interval: no resampling was asked for."


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
        trusted=len(resampling.ones) >= ENOUGH_DOCUMENTS and not is_certain(whole) if has_interval else None,
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
    return abs(one.value - 1) <= ROUNDING and one.interval.width <= ROUNDING


def _category(estimator: Estimator, resampling: Resampling, title: str) -> CategoryCoefficient:
    nan = float("nan")
    observed, expected = (nan, nan) if estimator.parts is None else map(float, estimator.parts(resampling.ones))
    if estimator.kind == "share":
        expected = nan  # a share has none
    value = float(estimator.values(resampling.ones))
    defined = not np.isnan(value)
    replicates = resampling.replicates(estimator) if defined else np.zeros(0)
    interval, error = resampling.interval(replicates)
    note = estimator.note or (_undefined(title, observed, expected) if not defined else resampling.why_none())
    if interval.width <= ROUNDING:
        certain = abs(value - 1) <= ROUNDING
        note = " ".join(one for one in (note, CERTAIN if certain else ALWAYS) if one)
        if not certain:
            interval, error = resampling.interval(np.zeros(0))
    has_interval = not np.isnan(interval.low)
    return CategoryCoefficient(
        value=value,
        observed=observed,
        expected=expected,
        standard_error=error,
        interval=interval,
        interval_method=METHOD if has_interval else None,
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
