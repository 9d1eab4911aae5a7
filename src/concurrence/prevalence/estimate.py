"""``rate``: how many of a list are true, from judges of all and people on a sample."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, nan
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.arrays import Integers
from concurrence.core.candidates import check_keys
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.judgements import Judgements
from concurrence.core.pairs import candidates_of
from concurrence.core.results import Interval
from concurrence.core.samples import Sample
from concurrence.core.sentences import warnings_of
from concurrence.kernels import estimates
from concurrence.kernels.anytime import anytime_total
from concurrence.kernels.ranking import TieBreak
from concurrence.kernels.strata import CENSUS, SampledList, judged_at_random, sampled_list
from concurrence.kernels.verdicts import as_judgements
from concurrence.prevalence import planning, sentences
from concurrence.prevalence.corrected import judge_quality, with_estimated_errors, with_known_errors
from concurrence.prevalence.judges import judge_column, judge_names
from concurrence.prevalence.options import RateOptions
from concurrence.prevalence.planning import next_judgements
from concurrence.prevalence.regression import by_cluster, in_strata
from concurrence.prevalence.results import (
    EstimatedShare,
    JudgedClass,
    NextJudgements,
    OneLook,
    PlainShare,
    RateData,
    RateReport,
    Total,
)
from concurrence.prevalence.study import RateStudy


def rate(
    candidates: Any,
    gold: Any,
    options: RateOptions,
    *,
    judges: str | Sequence[str],
    key: Sequence[str] | None = None,
    sample: Sample | None = None,
) -> RateReport:
    """How many of a list are true, from judges of all of it and people on a sample.

    ``candidates`` is the whole list with a column for each judge: 1/0, yes/no, true/false, or a score. ``gold`` is a
    table of judgements (``l1, l2, tp``) or :class:`Judgements`; without ``sample`` the judged ones count as a simple
    random sample.

    >>> table = pl.DataFrame({"l1": list("abcdef"), "l2": "x", "model": [1, 1, 1, 0, 0, 0]})
    >>> judged = pl.DataFrame({"l1": list("abde"), "l2": "x", "tp": [1, 1, 0, 0]})
    >>> rate(table, judged, RateOptions(), judges=["model"]).rate
    0.5
    """
    refuse_in_fork()
    table, keys = candidates_of(candidates, key)
    check_keys(table.select(keys))
    names = judge_names(judges)
    if not names:
        raise InvalidInputError("Name at least one judge: a column of the list.")
    judgements = as_judgements(gold, table.select(keys))
    design = _design(table, keys, judgements, sample)
    study = RateStudy(
        judges=tuple(judge_column(table, name) for name in names),
        judgements=judgements.restricted(design.times > 0),
        design=design,
        options=options,
        clusters=None if options.clusters is None else _clusters(table, options.clusters),
    )
    return _report(study, table.select(keys))


def rate_from_counts(
    positive: int,
    tested: int,
    *,
    sensitivity: float | tuple[int, int],
    specificity: float | tuple[int, int],
    level: float = 0.95,
) -> RateReport:
    """A judge's count, corrected for the judge's errors: known ones, or estimated as a count out of a total.

    >>> round(rate_from_counts(45, 150, sensitivity=0.96, specificity=0.89).rate, 4)
    0.2235
    """
    RateOptions(level=level)
    if not 0 <= positive <= tested or tested < 1:
        raise InvalidInputError(f"The counts are positives of all, such as 45 of 150, not {positive} of {tested}.")
    se, sp = (_error_rate(name, rate) for name, rate in (("sensitivity", sensitivity), ("specificity", specificity)))
    if se[1] == sp[1] == inf:
        corrected = with_known_errors(positive, tested, se[0], sp[0], level=level)
    else:
        corrected = with_estimated_errors(positive / tested, tested, se, sp, level=level)
    text = sentences.corrected_count_sentences(positive, tested, corrected)
    return RateReport(
        rate=corrected.value,
        interval=corrected.interval,
        method="rogan_gladen",
        total=None,
        naive=PlainShare(value=positive / tested),
        people_only=None,
        sensitivity=se[0],
        specificity=sp[0],
        sensitivity_interval=None,
        specificity_interval=None,
        rogan_gladen=corrected,
        judges={},
        classes=(),
        width_ratio=nan,
        fixed=None,
        next=None,
        data=RateData(candidates=tested, judged=0, true=0, design="counts", judges=()),
        level=level,
        seed=None,
        sentences=tuple(text),
        warnings=warnings_of(text),
    )


def _error_rate(name: str, rate: float | tuple[int, int]) -> tuple[float, float]:
    """A known rate, or one with the number of judgements it rests on."""
    value, of = (rate[0] / rate[1] if rate[1] else nan, float(rate[1])) if isinstance(rate, tuple) else (rate, inf)
    if not 0 <= value <= 1:
        raise InvalidInputError(f"The {name} is a share between 0 and 1, such as 0.96 or 96/100, not {rate}.")
    return value, of


def _design(table: pl.DataFrame, keys: Sequence[str], judgements: Judgements, sample: Sample | None) -> SampledList:
    if sample is None:
        return judged_at_random(judgements)
    design = sampled_list(sample, table, TieBreak(keys=table.select(keys)), judgements)
    if not design.whole_list:
        raise InvalidInputError(
            f"A {design.kind} sample says nothing about the candidates outside of what it was drawn from, so the rate "
            "of the whole list cannot be estimated; draw a simple or a strata sample."
        )
    return design


def _clusters(table: pl.DataFrame, name: str) -> Integers:
    if name not in table.columns:
        raise UnknownNameError("column", name, table.columns)
    return np.unique(table[name].cast(pl.String).fill_null("").to_numpy(), return_inverse=True)[1].astype(np.int64)


def _report(study: RateStudy, keys: pl.DataFrame) -> RateReport:
    options, design, size = study.options, study.design, int(study.cells.size.sum())
    value, interval = _estimate(study)
    quality = {judge.name: judge_quality(study, judge) for judge in study.judges if judge.binary}
    first = quality.get(study.judges[0].name)
    limits, people, fixed = _limits(study, interval, _people_only(study))
    following = _next_judgements(study, keys)
    data = RateData(
        candidates=size,
        judged=int(design.times.sum()),
        true=float(study.cells.true.sum()),
        design=design.kind,
        judges=tuple(judge.name for judge in study.judges),
        clusters=None if study.clusters is None else len(np.unique(study.clusters[design.rows])),
    )
    ratio = limits.width / people.interval.width if people.interval.width > 0 else nan
    text = sentences.rate_sentences(
        data, value, limits, people, quality, ratio, fixed=fixed, following=following, cells=study.cells
    )
    return RateReport(
        rate=value,
        interval=limits,
        method=limits.method,
        total=Total(value=value * size, low=limits.low * size, high=limits.high * size),
        naive=first.naive if first else PlainShare(value=_mean_score(study)),
        people_only=people,
        sensitivity=first.sensitivity if first else nan,
        specificity=first.specificity if first else nan,
        sensitivity_interval=first.sensitivity_interval if first else None,
        specificity_interval=first.specificity_interval if first else None,
        rogan_gladen=first.rogan_gladen if first else None,
        judges=quality if len(study.judges) > 1 else {},
        classes=_classes(study),
        width_ratio=ratio,
        fixed=fixed,
        next=following,
        data=data,
        level=options.level,
        seed=options.seed if options.is_random else None,
        sentences=tuple(text),
        warnings=warnings_of(text),
    )


def _limits(
    study: RateStudy, once: Interval, people: EstimatedShare
) -> tuple[Interval, EstimatedShare, OneLook | None]:
    """The intervals with and without the judge; for every look, also the one of a single look."""
    if not study.options.anytime:
        return once, people, None
    every = _anytime_interval(study, study.cells.size, study.cells.judged, study.cells.true)
    alone = _anytime_interval(study, study.people.size, study.people.sampled, study.people.true)
    limits = replace(every, low=min(every.low, once.low), high=max(every.high, once.high))
    return limits, replace(people, interval=alone), OneLook(low=once.low, high=once.high)


def _next_judgements(study: RateStudy, keys: pl.DataFrame) -> NextJudgements | None:
    """What to judge next, if a number of candidates or a width was requested."""
    if study.options.next_items is not None:
        return planning.next_items(study, keys, study.options.next_items)
    if study.options.width is not None:
        return next_judgements(study.cells, study.classes.names, study.options)
    return None


def _mean_score(study: RateStudy) -> float:
    """A judge's mean score, where scores are probabilities; what it would say by itself is not known otherwise."""
    values = study.judges[0].values
    return float(values.mean()) if values.min() >= 0 and values.max() <= 1 else nan


def _estimate(study: RateStudy) -> tuple[float, Interval]:
    """The share of true ones and its interval: by class in simple samples, by regression in strata."""
    options, cells = study.options, study.cells
    whole = float(cells.size.sum())
    if study.design.kind == CENSUS and options.coder_uncertainty is None:
        value = float(cells.true.sum()) / whole
        return value, Interval(low=value, high=value, level=options.level, method="census")
    if study.design.n_strata > 1:
        value, *ends = in_strata(study)
        method = "regression"
    else:
        value, ends = float((cells.size * cells.shares).sum()) / whole, []
        method = "poststratified"
    ends += [value, *(end / whole for end in study.ends_of_total())]
    low, high = min(ends), max(ends)
    if study.clusters is not None:
        low, high = by_cluster(study, study.clusters, value, (low, high))
        return value, Interval(low=low, high=high, level=options.level, method="clusters")
    fewest, most = _known_bounds(study)
    low, high = max(low, fewest), min(high, most)
    return min(max(value, low), high), Interval(low=low, high=high, level=options.level, method=method)


def _known_bounds(study: RateStudy) -> tuple[float, float]:
    """The shares that the judgements leave possible: of a finite list, the true ones found, and all but the false ones.

    Coders who may err, and candidates that were drawn several times, settle nothing.
    """
    if study.options.coder_uncertainty is not None or study.design.replacement:
        return 0.0, 1.0
    whole, true = float(study.cells.size.sum()), float(study.cells.true.sum())
    return true / whole, 1 - (float(study.cells.judged.sum()) - true) / whole


def _people_only(study: RateStudy) -> EstimatedShare:
    """What people's judgements say by themselves, as ``evaluate`` has it as the baseline."""
    design, level = study.design, study.options.level
    method = "hypergeometric" if design.n_strata == 1 and not design.replacement else "design"
    low, high = estimates.interval(study.people, method=method, level=level, replacement=design.replacement)
    value, ends = float(estimates.shares(study.people)[0]), (float(low[0]), float(high[0]))
    if study.clusters is not None:
        ends, method = by_cluster(study, study.clusters, value, ends, alone=True), "clusters"
    return EstimatedShare(value=value, interval=Interval(low=ends[0], high=ends[1], level=level, method=method))


def _anytime_interval(study: RateStudy, size: Integers, judged: Integers, true: Any) -> Interval:
    """The interval that holds at every look, over cells of strata, or of strata and what judges said."""
    options = study.options
    if study.design.replacement or options.clusters or options.coder_uncertainty:
        raise InvalidInputError(
            "An interval for every look needs candidates drawn without replacement, without documents and without "
            "coder uncertainty."
        )
    marked = np.rint(true).astype(np.int64).ravel()
    fewest, most = anytime_total(size.ravel(), judged.ravel(), marked, level=options.level)
    whole = float(size.sum())
    return Interval(low=fewest / whole, high=most / whole, level=options.level, method="prior_posterior_ratio")


def _classes(study: RateStudy) -> tuple[JudgedClass, ...]:
    cells = study.cells
    return tuple(
        JudgedClass(
            stratum=str(stratum + 1) if len(cells.size) > 1 else "",
            verdict=name,
            size=int(cells.size[stratum, number]),
            judged=int(cells.judged[stratum, number]),
            true=float(cells.true[stratum, number]),
        )
        for stratum in range(len(cells.size))
        for number, name in enumerate(study.classes.names)
    )
