"""The mean of a coefficient over pairs of coders, with an error that knows they share the items."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.agreement.labels.against_expert import pair_evidence
from concurrence.agreement.labels.analytic_pairs import (
    AnalyticPairs,
    analytic_pairs,
    has_analytic_pairs,
    summed_influence,
)
from concurrence.agreement.labels.assess import assess_coefficient
from concurrence.agreement.labels.coefficients.inference import reasons_for_doubt
from concurrence.agreement.labels.coefficients.parts import coefficient_parts, values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.one_more_item import bounded_change
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.results import Agreement
from concurrence.core import Interval, Labels
from concurrence.core.arrays import Reals
from concurrence.core.values import value
from concurrence.kernels.chance import ratio
from concurrence.kernels.coefficients import CoefficientRow


@value
class PairValue:
    """A coefficient of two coders."""

    coders: tuple[str, str]
    items: int
    value: float
    interval: Interval | None
    interval_method: str | None
    note: str | None = None


@value
class MeanAgreement:
    """The mean of a coefficient over pairs of coders, and the pairs."""

    coefficient: str
    value: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    pairs: tuple[PairValue, ...]
    note: str | None = None


def mean_agreement(
    row: CoefficientRow, study: LabelStudy, labels: Labels, pairs: Sequence[tuple[int, int]], options: AgreeOptions
) -> MeanAgreement:
    """The mean over pairs of coders, with an error that knows they share the items."""
    rows, added = _each_pair(row, study, labels, pairs, options)
    estimates = [one.value for one in rows if isfinite(one.value)]
    if not estimates:
        return MeanAgreement(
            coefficient=row.name,
            value=nan,
            standard_error=nan,
            interval=None,
            interval_method=None,
            pairs=tuple(rows),
            note=f"{row.title} is undefined for every pair.",
        )
    error = float(np.sqrt(study.weights @ (added / len(estimates)) ** 2)) / study.n_items
    mean = float(np.mean(estimates))
    interval = rows[0].interval if len(pairs) == 1 else _mean_interval(row, study, pairs, mean, error, options)
    if interval is not None and interval.low == interval.high:
        interval = _as_wide_as_pairs(rows, mean, options.level)
    return MeanAgreement(
        coefficient=row.name,
        value=mean,
        standard_error=error,
        interval=interval,
        interval_method=None if interval is None else interval.method,
        pairs=tuple(rows),
    )


def _each_pair(
    row: CoefficientRow, study: LabelStudy, labels: Labels, pairs: Sequence[tuple[int, int]], options: AgreeOptions
) -> tuple[list[PairValue], Reals]:
    """Every pair, and what each pattern adds to their coefficients; many pairs with enough items are done at once."""
    added: Reals = np.zeros(len(study.weights))
    at_once: dict[tuple[int, int], PairValue] = {}
    if has_analytic_pairs(row, study, pairs):
        found = analytic_pairs(row, study, pairs)
        added += summed_influence(study, pairs, found, found.certain)
        certain = np.flatnonzero(found.certain).tolist()
        at_once = {pairs[k]: _certain_pair(row, found, k, pairs[k], labels, options) for k in certain}
    rows = []
    for pair in pairs:
        if pair in at_once:
            rows.append(at_once[pair])
            continue
        two, places = _study_of_pair(study, pair)
        evidence = replace(pair_evidence(two, level=options.level, seed=options.seed), tested=False)
        one, _ = assess_coefficient(row, two, labels, evidence)
        rows.append(_pair_value(one, (labels.coders[pair[0]], labels.coders[pair[1]])))
        influence = coefficient_parts(row, two, two.weights).influence if one.defined else None
        if influence is not None:
            added += (np.nan_to_num(influence) * (study.n_items / max(one.items, 1)))[places]
    return rows, added


def _certain_pair(
    row: CoefficientRow, found: AnalyticPairs, place: int, pair: tuple[int, int], labels: Labels, options: AgreeOptions
) -> PairValue:
    """A pair with enough items, with the analytic interval."""
    value, reach = float(found.values[place]), float(ndtri((1 + options.level) / 2) * found.errors[place])
    low, high = max(-1.0, value - reach), min(1.0, value + reach)
    return PairValue(
        coders=(labels.coders[pair[0]], labels.coders[pair[1]]),
        items=round(found.items[place]),
        value=value,
        interval=Interval(low=low, high=high, level=options.level, method=row.error),
        interval_method=row.error,
    )


def _study_of_pair(study: LabelStudy, pair: tuple[int, int]) -> tuple[LabelStudy, NDArray[np.intp]]:
    """The study of two coders with each of their patterns once, and the place of every pattern of the whole in it."""
    size = study.n_categories + 1
    if len(study.codes) < size**2:
        return study.only(*pair), np.arange(len(study.codes))
    cells = (study.codes[:, pair[0]].astype(np.intp) + 1) * size + study.codes[:, pair[1]] + 1
    weights = np.bincount(cells, weights=study.weights, minlength=size**2)
    seen = np.flatnonzero(weights)
    places = np.zeros(size**2, dtype=np.intp)
    places[seen] = np.arange(len(seen))
    codes = np.stack(np.divmod(seen, size), axis=1) - 1
    return study.with_patterns(codes.astype(study.codes.dtype), weights[seen]), places[cells]


def _pair_value(one: Agreement, names: tuple[str, str]) -> PairValue:
    return PairValue(
        coders=names,
        items=one.items,
        value=one.value,
        interval=one.interval if one.interval_method else None,
        interval_method=one.interval_method,
        note=one.note,
    )


def _as_wide_as_pairs(rows: Sequence[PairValue], mean: float, level: float) -> Interval | None:
    """An interval where resampled means do not vary: the mean of the pairs' ends, as if all pairs erred together."""
    intervals = [pair.interval for pair in rows if isfinite(pair.value) and pair.interval is not None]
    if not intervals:
        return None
    low, high = (float(end) for end in np.mean([tuple(one) for one in intervals], axis=0))
    method = max((one.method for one in intervals), key=[one.method for one in intervals].count)
    return Interval(low=min(low, mean), high=max(high, mean), level=level, method=method)


def _labelled_by_both(study: LabelStudy, pairs: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """The patterns that have labels of both coders of some pair."""
    has_label = study.codes >= 0
    by_both = np.zeros(len(has_label), dtype=np.bool_)
    for first, second in pairs:
        by_both |= has_label[:, first] & has_label[:, second]
        if by_both.all():
            break
    return by_both


def _mean_interval(
    row: CoefficientRow,
    study: LabelStudy,
    pairs: Sequence[tuple[int, int]],
    mean: float,
    error: float,
    options: AgreeOptions,
) -> Interval | None:
    """Analytic where that can be trusted, else from random weights of the items and one more.

    Only items that both coders of some pair labelled tell of the mean, and can be enough or too few.
    """
    columns = sorted({column for pair in pairs for column in pair})
    telling = _labelled_by_both(study, pairs)
    part = study.only(*columns)
    part = part if telling.all() else part.with_patterns(part.codes[telling], part.weights[telling])
    level = options.level
    if not reasons_for_doubt(part):
        reach = float(ndtri((1 + level) / 2)) * error
        ends = (mean - reach, min(1.0, mean + reach))
        return Interval(low=ends[0], high=ends[1], level=level, method=row.error) if np.isfinite(error) else None
    places = [(columns.index(a), columns.index(b)) for a, b in pairs]
    worst, best, shares = _one_more_item(part, places)
    patterns = np.concatenate([part.codes, worst, best]).astype(part.codes.dtype)
    whole = part.with_patterns(patterns, np.concatenate([part.weights, shares, shares]))

    def means(weights: Reals) -> Reals:
        return mean_of_pairs(row, whole, places, weights)

    interval, _ = bounded_change(means, part.weights, shares, shares, level=level, seed=options.seed)
    return interval and Interval(
        low=min(interval.low, mean), high=max(interval.high, mean), level=level, method=interval.method
    )


def _one_more_item(study: LabelStudy, pairs: Sequence[tuple[int, int]]) -> tuple[NDArray[Any], NDArray[Any], Reals]:
    """Patterns of an item on which no pair agrees, as far as that can be, and on which all do; and their shares.

    If one coder is in all pairs, that coder alone differs; otherwise the coders give the categories in turn. Every
    category is as likely as any other, since one more agreement on a rare category raises a coefficient most.
    """
    size, categories = study.n_categories, np.arange(study.n_categories)
    best = np.repeat(categories[:, None], study.n_coders, axis=1)
    common = set(pairs[0]).intersection(*pairs)
    worst = (best + np.arange(study.n_coders)) % size
    if common:
        worst = best.copy()
        worst[:, common.pop()] = (categories + 1) % size
    return worst, best, np.full(size, 1 / size)


def mean_of_pairs(row: CoefficientRow, study: LabelStudy, pairs: Sequence[tuple[int, int]], weights: Reals) -> Reals:
    """The mean over those pairs that have a value, as a function of the weights of the patterns."""
    each = np.stack([values(row, study.only(*pair), weights) for pair in pairs])
    finite = np.isfinite(each)
    return ratio(np.where(finite, each, 0.0).sum(axis=0), finite.sum(axis=0))
