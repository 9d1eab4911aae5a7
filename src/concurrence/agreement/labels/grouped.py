"""Agreement over groups of items: pooled, and as a mean of the groups, never one in the place of the other."""

from collections.abc import Mapping, Sequence
from math import isnan, nan, sqrt

import numpy as np
from scipy.special import stdtrit

from concurrence.agreement.labels.diagnosis.sentences import percent
from concurrence.agreement.labels.results import Agreement, AgreementReport, GroupedReport, Pooled
from concurrence.core import Interval
from concurrence.core.sentences import Sentence, count_noun

METHOD = "delta_groups"


def grouped_report(
    groups: dict[str, AgreementReport],
    *,
    leading: Sequence[str],
    level: float,
    warnings: tuple[Sentence, ...],
) -> GroupedReport:
    """The reports of all groups with what they give together."""
    names = dict.fromkeys(name for one in groups.values() for name in one.coefficients)
    agreements = {name: [one[name] for one in groups.values() if one[name].defined] for name in names}
    pooled = {name: pool(parts, level) for name, parts in agreements.items()}
    mean = {name: float(np.mean([one.value for one in parts])) if parts else nan for name, parts in agreements.items()}
    spread = {
        name: float(np.std([one.value for one in parts], ddof=1)) if len(parts) > 1 else nan
        for name, parts in agreements.items()
    }
    main_names = tuple(name for name in ("percent_agreement", *leading) if agreements.get(name))
    return GroupedReport(
        groups=groups,
        pooled={name: one for name, one in pooled.items() if one is not None},
        mean=mean,
        mean_over={name: len(parts) for name, parts in agreements.items()},
        mean_interval={
            name: _interval(mean[name], spread[name] / sqrt(max(len(parts), 1)), len(parts), level)
            for name, parts in agreements.items()
        },
        sd=spread,
        leading=main_names,
        level=level,
        seed=next((one.seed for one in groups.values() if one.seed is not None), None),
        sentences=tuple(_sentences(groups, main_names, agreements, pooled, mean, spread)),
        warnings=(*warnings, *_warnings(groups, besides=warnings)),
    )


def pool(parts: Sequence[Agreement], level: float) -> Pooled | None:
    r"""Observed and expected agreement summed over groups with their items as weights.

    .. math:: \kappa = \frac{\sum_g n_g (O_g - E_g)}{\sum_g n_g (1 - E_g)}

    A group in which every label is one category adds nothing to either sum. The error is that of a ratio of two sums
    over groups.
    """
    sizes = np.array([one.items for one in parts], dtype=np.float64)
    observed, expected = (np.array([getattr(one, name) for one in parts]) for name in ("observed", "expected"))
    if not len(parts) or not sizes.sum() or np.isnan(observed + expected).any():
        return None
    if parts[0].measures == "agreement":
        above, below = observed - expected, 1 - expected
    elif parts[0].measures == "area":
        above, below = observed, expected
    else:
        above, below = expected - observed, expected
    whole = float(sizes @ below)
    if whole <= 0:
        return None
    value, n = float(sizes @ above) / whole, len(parts)
    off = sizes * (above - value * below) / whole
    error = sqrt(n / (n - 1) * float(off @ off)) if n > 1 else nan
    interval = _interval(value, error, n, level)
    return Pooled(
        value=value,
        observed=float(sizes @ observed / sizes.sum()),
        expected=float(sizes @ expected / sizes.sum()),
        standard_error=error,
        interval=interval,
        interval_method=None if interval is None else METHOD,
        items=int(sizes.sum()),
        groups=n,
    )


def _interval(value: float, error: float, groups: int, level: float) -> Interval | None:
    """By Student's t on the number of groups."""
    if isnan(error) or groups < 2:
        return None
    reach = float(stdtrit(groups - 1, (1 + level) / 2)) * error
    return Interval(low=max(value - reach, -1.0), high=min(value + reach, 1.0), level=level, method=METHOD)


def _warnings(groups: Mapping[str, AgreementReport], *, besides: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The warnings of the groups, each kind once, with the groups it is true of."""
    by_code: dict[str, dict[str, Sentence]] = {}
    for group, one in groups.items():
        for warning in (warning for warning in one.warnings if warning not in besides):
            by_code.setdefault(warning.code, {}).setdefault(group, warning)
    return tuple(_merge_warnings(code, by_group, len(groups)) for code, by_group in by_code.items())


def _merge_warnings(code: str, by_group: Mapping[str, Sentence], groups: int) -> Sentence:
    group, first = next(iter(by_group.items()))
    where = group if len(by_group) == 1 else f"{len(by_group):,} of {groups:,} groups, such as {group}"
    return Sentence(code=code, text=f"{where}: {first.text}", warning=True)


def _sentences(
    groups: Mapping[str, AgreementReport],
    leading: Sequence[str],
    agreements: Mapping[str, Sequence[Agreement]],
    pooled: Mapping[str, Pooled | None],
    mean: Mapping[str, float],
    spread: Mapping[str, float],
) -> list[Sentence]:
    """Which number is which: pooled over items, or the mean of groups."""
    sentences = []
    percents = pooled.get("percent_agreement")
    if percents is not None:
        agreed = f"the coders agree on {percent(percents.value)} of the {percents.items:,} items (pooled)"
        share = f"the mean of the groups' percentages is {percent(mean['percent_agreement'])}"
        sentences.append(Sentence(code="groups", text=f"In {count_noun(len(groups), 'group')} {agreed}; {share}."))
    for name in leading:
        whole = pooled[name]
        if name == "percent_agreement" or whole is None:
            continue
        low, high = whole.interval or (nan, nan)
        ends = (
            ""
            if whole.interval is None
            else f" ({whole.interval.level:.0%} interval {low:.3f} to {high:.3f}, delta method over groups)"
        )
        sd = "" if isnan(spread[name]) else f", standard deviation {spread[name]:.3f}"
        some = f"the {len(agreements[name]):,} groups that have one"
        count = "all groups" if len(agreements[name]) == len(groups) else some
        simple = f"its mean over {count} is {mean[name]:.3f}{sd}"
        text = f"{agreements[name][0].title} is {whole.value:.3f} pooled{ends}; {simple}."
        sentences.append(Sentence(code=f"groups_{name}", text=text))
    return sentences
