"""The coefficients on ratings as results: value, standard error, intervals and test, or why there is no value."""

from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from concurrence.agreement.ratings.concordance import concordance_correlation
from concurrence.agreement.ratings.intraclass import IntraclassCorrelation, correlation, generalized_interval
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.ranks import kendall_test, kendall_w, mean_spearman
from concurrence.agreement.ratings.results import RatingAgreement
from concurrence.agreement.ratings.study import RatingStudy
from concurrence.agreement.ratings.table import RatingCoefficient
from concurrence.agreement.ratings.variance import MeanSquares
from concurrence.core import Interval
from concurrence.core.arrays import Reals
from concurrence.core.results import CERTAIN
from concurrence.kernels.resampling import (
    acceleration_of,
    bca_interval,
    bootstrap,
    expanded_level,
    jackknife,
    percentile_interval,
)

FEW_ITEMS = 20  # with fewer, intervals by resampling items are not trusted
FEW_FOR_CONCORDANCE = 30  # with fewer, the interval of concordance is not
MOST_PAIRS = 500  # of coders, up to which their rank correlations are resampled
MOST_LEFT_OUT = 2000  # items, up to which each is left out once
HIGHEST_LEVEL = 1 - 1e-9  # of two or three items
ALIKE = 0.1  # of the width: two intervals whose ends differ by less say the same
NO_SPREAD = "The items do not differ in their mean rating: no interval."
LOWEST = "The value is the lowest that there is: no interval."
ENDLESS = "Satterthwaite's interval has no lower end here, so the generalized interval is given."


def assess_rating_coefficient(row: RatingCoefficient, study: RatingStudy, options: RatingOptions) -> RatingAgreement:
    """Compute one coefficient."""
    note = unmet_rating_need(row, study)
    if note is not None:
        return _result(row, study, options, note=note)
    return {"intraclass": _intraclass, "concordance": _concordance, "ranks": _ranks}[row.family](row, study, options)


def unmet_rating_need(row: RatingCoefficient, study: RatingStudy) -> str | None:
    """A sentence about what the coefficient needs and the study lacks."""
    if row.needs_coders and study.anonymous:
        return f"{row.title} has no value for counts of ratings: it needs to know which coder gave which rating."
    if study.free_within < 1:
        return f"{row.title} is undefined: no item has ratings from two coders."
    if not study.varies:
        return f"{row.title} is undefined: every rating is the same."
    if row.complete and len(study.shared) < 3:
        count = {0: "no item was", 1: "only one item was", 2: "only two items were"}[len(study.shared)]
        return f"{row.title} is undefined: {count} rated by every coder, and it takes at least three such items."
    if row.family == "intraclass" and row.design in ("2", "3") and study.why_inseparable is not None:
        return f"{row.title} is undefined: {study.why_inseparable}."
    return None


def _intraclass(row: RatingCoefficient, study: RatingStudy, options: RatingOptions) -> RatingAgreement:
    squares = study.squares(row.design)
    icc = correlation(squares, row.design, study.n_coders, mean=row.mean, level=options.level)
    test = (icc.statistic, icc.degrees_of_freedom, icc.p_value, "f_test")
    if not isfinite(icc.value):
        return _result(row, study, options, note=f"{row.title} is undefined: {_no_value(squares, mean=row.mean)}.")
    if isnan(icc.low):
        return _result(row, study, options, value=icc.value, note=NO_SPREAD, test=test)
    ends, note = _ends(row, study, options, squares, icc)
    return _result(
        row,
        study,
        options,
        value=icc.value,
        error=icc.standard_error,
        ends=ends,
        trusted=note != CERTAIN,
        note=note,
        test=test,
    )


def _no_value(squares: MeanSquares, *, mean: bool) -> str:
    if squares.between > 0:
        return "the items differ less in their mean rating than scatter alone would make them differ"
    return "the items do not differ in their mean rating" if mean else "the items do not differ"


def _ends(
    row: RatingCoefficient,
    study: RatingStudy,
    options: RatingOptions,
    squares: MeanSquares,
    icc: IntraclassCorrelation,
) -> tuple[dict[str, tuple[float, float]], str | None]:
    """The intervals of an intraclass correlation, the one to report first, and a note about them."""
    method = "satterthwaite" if row.design == "2" else "exact" if study.complete else "harmonic_mean"
    # variances by restricted maximum likelihood are not below 0, and neither is what they are shares of
    ends = {method: (icc.low if study.complete else max(icc.low, 0.0), icc.high)}
    if icc.low == icc.high:
        return ends, CERTAIN
    if row.design != "2":
        return ends, None
    low, high = generalized_interval(squares, study.n_coders, mean=row.mean, level=options.level, seed=options.seed)
    floor = min(icc.value, 0.0)  # the true share of variance is not below 0
    low, high = max(low, floor), max(high, floor)
    if not isfinite(ends[method][0]):
        return {"generalized": (low, high)}, ENDLESS
    apart = max(abs(max(icc.low, floor) - low), abs(icc.high - high))
    if apart <= ALIKE * (high - low):
        return {**ends, "generalized": (low, high)}, None
    return {"generalized": (low, high), **ends}, _few_coders(*ends[method])


def _few_coders(low: float, high: float) -> str:
    return (
        "With few coders the variance between coders is hardly known, and Satterthwaite's interval, "
        f"{low:.3f} to {high:.3f}, is too narrow; the generalized interval keeps its level."
    )


def _concordance(row: RatingCoefficient, study: RatingStudy, options: RatingOptions) -> RatingAgreement:
    ccc = concordance_correlation(study.shared_centred, level=options.level)
    if isnan(ccc.value):
        return _result(row, study, options, note=f"{row.title} is undefined: the ratings do not vary.")
    n = len(study.shared)
    note = CERTAIN if ccc.standard_error == 0 else None
    ends: dict[str, tuple[float, float]] = {}
    if ccc.value < -1 + 1e-12:
        note = LOWEST
    elif ccc.method is None or isnan(ccc.low):
        note = "The ratings of a coder do not vary, or are unrelated: no interval."
    else:
        ends = {ccc.method: (ccc.low, ccc.high)}
        if n < FEW_FOR_CONCORDANCE and note is None:
            note = f"With only {n} items, the interval may be too narrow."
    return _result(
        row,
        study,
        options,
        value=ccc.value,
        error=ccc.standard_error,
        parts=(ccc.observed, ccc.expected),
        ends=ends,
        trusted=note is None if ends else None,
        note=note,
        items=n,
    )


def _ranks(row: RatingCoefficient, study: RatingStudy, options: RatingOptions) -> RatingAgreement:
    ratings = study.shared if row.complete else study.ratings
    of_weights = kendall_w if row.complete else mean_spearman

    def statistic(weights: Reals) -> Reals:
        return of_weights(ratings, weights)

    n = len(ratings)
    value = float(statistic(np.ones(n)))
    if isnan(value):
        why = "no coder's ratings vary" if row.complete else "no two coders have ratings that vary on common items"
        return _result(row, study, options, note=f"{row.title} is undefined: {why}.")
    test: Any = (nan, (), nan, None)
    if row.complete:
        tested = kendall_test(value, n, study.n_coders)
        test = (tested.statistic, (tested.degrees_of_freedom,), tested.p_value, "chi_squared")
    pairs = study.n_coders * (study.n_coders - 1) // 2
    if pairs > MOST_PAIRS and not row.complete:
        return _result(row, study, options, value=value, note=f"{pairs:,} pairs of coders are too many to resample.")
    ends, error = _bootstrap_intervals(statistic, n, value, options)
    note = CERTAIN if error == 0 and abs(value - 1) < 1e-12 else None
    if error == 0 and note is None:
        note = "Resampled items always give this value: no interval."
        return _result(row, study, options, value=value, note=note, test=test, items=n)
    trusted = n >= FEW_ITEMS and note is None
    if note is None and not trusted:
        note = f"With only {n} items, the interval by resampling may be too narrow."
    return _result(
        row, study, options, value=value, error=error, ends=ends, trusted=trusted, note=note, test=test, items=n
    )


def _bootstrap_intervals(statistic: Any, n: int, value: float, options: RatingOptions) -> tuple[dict[str, Any], float]:
    """Intervals and error from resampled items."""
    counts = np.ones(n)
    drawn = bootstrap(statistic, counts, draws=options.bootstrap, seed=options.seed, progress=options.progress)
    finite = drawn[np.isfinite(drawn)]
    acceleration = 0.0
    if n <= MOST_LEFT_OUT:
        left_out = jackknife(statistic, counts)
        acceleration = acceleration_of(-np.where(np.isfinite(left_out), left_out, value), counts)
    ends = {
        "bootstrap_bca": bca_interval(drawn, value, acceleration, min(expanded_level(options.level, n), HIGHEST_LEVEL)),
        "bootstrap_percentile": percentile_interval(drawn, options.level),
    }
    return ends, float(finite.std(ddof=1)) if len(finite) > 1 else nan


def _result(
    row: RatingCoefficient,
    study: RatingStudy,
    options: RatingOptions,
    *,
    note: str | None,
    value: float = nan,
    error: float = nan,
    parts: tuple[float, float] = (nan, nan),
    ends: dict[str, Any] | None = None,
    trusted: bool | None = None,
    test: Any = (nan, (), nan, None),
    items: int | None = None,
) -> RatingAgreement:
    intervals = {
        name: Interval(low=float(low), high=float(high), level=options.level, method=name)
        for name, (low, high) in (ends or {}).items()
    }
    method = next(iter(intervals), None)
    nowhere = Interval(low=nan, high=nan, level=options.level, method="none")
    return RatingAgreement(
        coefficient=row.name,
        title=row.title,
        value=float(value),
        observed=parts[0],
        expected=parts[1],
        standard_error=float(error),
        interval=intervals[method] if method else nowhere,
        interval_method=method,
        trusted=trusted,
        intervals=intervals,
        level=options.level,
        statistic=float(test[0]),
        degrees_of_freedom=tuple(float(one) for one in test[1]),
        p_value=float(test[2]),
        p_value_method=test[3],
        p_value_side="greater",
        items=study.n_items if items is None else items,
        note=note,
    )
