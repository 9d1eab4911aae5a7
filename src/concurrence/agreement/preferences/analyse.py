"""``preferences``: strengths from comparisons, with intervals, tests and further comparisons."""

from itertools import combinations
from math import ceil, exp, isnan, log, nan

import numpy as np
from scipy.special import chdtrc, ndtri

from concurrence.agreement.preferences import sentences
from concurrence.agreement.preferences.between_coders import coder_agreement
from concurrence.agreement.preferences.evidence import Evidence, evidence_of
from concurrence.agreement.preferences.model import ComparisonCounts, Fit, deviance, fit, is_finite
from concurrence.agreement.preferences.network import Network, alike_groups, network_of
from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.agreement.preferences.results import (
    ComparisonData,
    FurtherComparisons,
    ItemStrength,
    PositionBias,
    PreferenceReport,
    StrengthDifference,
    TieRate,
)
from concurrence.core import Interval, UndefinedError
from concurrence.core.arrays import Reals
from concurrence.core.comparisons import TIE, Comparisons
from concurrence.core.errors import option_or_keyword
from concurrence.kernels.digits import round_scores
from concurrence.kernels.holm import holm

POWER = 0.8
MOST_GROUPED = 60  # items, up to which groups are told
MOST_FURTHER = 1_000_000
INSEPARABLE = "The comparisons cannot tell the effect of the position from the strengths of the items."
FULL_CELL = 5  # expected comparisons; with four fifths of such outcomes the deviance has its distribution


def analyse_preferences(comparisons: Comparisons, options: PreferenceOptions) -> PreferenceReport:
    """Fit the model, and test position, fit and the differences between items."""
    network = network_of(comparisons)
    tied = _has_ties(comparisons, network)
    plain = ComparisonCounts.of(comparisons, position=False, ties=tied)
    ordered = ComparisonCounts.of(comparisons, position=True, ties=tied)
    design = ordered if options.position else plain
    if not design.identified:
        raise UndefinedError(f"{INSEPARABLE} Leave out {option_or_keyword('--position', 'position=True')}.")
    reduced = fit(design, design.together, reduced=True)
    finite = is_finite(design, design.together) if tied or options.position else network.strong
    chosen = fit(design, design.together, reduced=False) if finite else reduced
    off, free = deviance(chosen, design.together)
    evidence = evidence_of(design, chosen)
    is_chi_squared = finite and free > 0 and len(comparisons.coders) < 2 and _well_filled(chosen, design.together)
    off_p = float(chdtrc(free, off)) if is_chi_squared else nan
    bias = position_bias(ordered, options)
    between = coder_agreement(plain, coders_known=bool(comparisons.coders), level=options.level)
    differences = strength_differences(comparisons.items, evidence, options.level)
    items, groups = _items(comparisons, chosen, reduced, evidence, differences, options.level)
    further = _further(items, chosen, differences, options)
    remarks = [
        sentences.of_ranking(items, differences),
        *sentences.of_existence(network, finite=finite),
        *sentences.of_fit(off_p, off, free),
        *sentences.of_position(bias),
        *sentences.of_evidence(evidence, len(comparisons.coders)),
        *sentences.of_coder_agreement(between),
        *sentences.of_further(further),
    ]
    return PreferenceReport(
        data=_data(comparisons, plain, network),
        items=items,
        method="maximum_likelihood" if finite else "bias_reduced",
        ties=_ties(comparisons, evidence, options.level, tied=tied),
        position_bias=bias,
        deviance=off,
        degrees_of_freedom=free,
        deviance_p_value=off_p,
        differences=differences,
        groups=groups,
        further=further,
        coder_agreement=between,
        level=options.level,
        sentences=tuple(remarks),
        warnings=(*comparisons.warnings, *(one for one in remarks if one.warning)),
    )


def _has_ties(comparisons: Comparisons, network: Network) -> bool:
    """Whether there are ties; comparisons that determine no strengths are refused."""
    if len(network.parts) > 1:
        raise UndefinedError(
            f"The items fall into {len(network.parts)} groups that were never compared with each other, such as "
            f"{sentences.name_some(network.parts[0])} and {sentences.name_some(network.parts[1])}; strengths "
            "of different "
            "groups cannot be compared. Compare items of each group, or analyse each group alone."
        )
    tied = comparisons.outcome == TIE
    if tied.all():
        raise UndefinedError(
            "Every comparison is a tie, so that nothing is known of which item is stronger; strengths take comparisons "
            "that one of the two items won."
        )
    return bool(tied.any())


def _data(comparisons: Comparisons, plain: ComparisonCounts, network: Network) -> ComparisonData:
    return ComparisonData(
        items=len(comparisons.items),
        comparisons=int(comparisons.count.sum()),
        pairs=len(plain.first),
        coders=comparisons.coders,
        missing=comparisons.missing,
        strongly_connected=network.strong,
    )


def _well_filled(chosen: Fit, counts: Reals) -> bool:
    """Whether the deviance has a chi-squared distribution (Cochran's rule on expected counts)."""
    kinds = 3 if chosen.design.ties else 2
    expected = (chosen.probabilities * counts.sum(axis=-1, keepdims=True))[:, :kinds]
    return bool(expected.min() >= 1 and np.mean(expected >= FULL_CELL) >= 0.8)


def position_bias(ordered: ComparisonCounts, options: PreferenceOptions) -> PositionBias:
    """The advantage of the item shown first, from the model that has a term for it."""
    if not ordered.identified:
        return PositionBias(
            value=nan,
            standard_error=nan,
            interval=None,
            interval_method=None,
            trusted=None,
            p_value=nan,
            share=nan,
            in_model=False,
            note=INSEPARABLE,
        )
    orders = {(int(a), int(b)) for a, b in zip(ordered.first, ordered.second, strict=True)}
    both_ways = any((b, a) in orders for a, b in orders)
    finite = is_finite(ordered, ordered.together)
    evidence = evidence_of(ordered, fit(ordered, ordered.together, reduced=not finite))
    value, error = _parameter(evidence, "position")
    note = None
    if not both_ways:
        note = "Every two items were shown in one order only, so that position and strength can hardly be told apart."
    elif not finite:
        note = "Maximum likelihood has no finite solution; this is the estimate with reduced bias (Firth)."
    return PositionBias(
        value=value,
        standard_error=error,
        interval=evidence.interval(value, error, options.level, evidence.method),
        interval_method=evidence.method,
        trusted=evidence.trusted,
        p_value=float(evidence.p_values(np.array(value / error))) if error > 0 else nan,
        share=1 / (1 + exp(-value)),
        in_model=options.position,
        note=note,
    )


def _parameter(evidence: Evidence, name: str) -> tuple[float, float]:
    """The ``position`` or the logarithm of the ``ties``, and its standard error."""
    contrast = evidence.fitted.contrast(name)
    return float(contrast @ evidence.fitted.parameters), float(evidence.errors(contrast, evidence.method))


def _ties(comparisons: Comparisons, evidence: Evidence, level: float, *, tied: bool) -> TieRate:
    count = int(comparisons.count[comparisons.outcome == TIE].sum())
    share = count / int(comparisons.count.sum())
    if not tied:
        return TieRate(
            count=0, share=0.0, value=0.0, standard_error=nan, interval=None, interval_method=None, trusted=None
        )
    value, error = _parameter(evidence, "ties")
    ends = evidence.interval(value, error, level, evidence.method)
    return TieRate(
        count=count,
        share=share,
        value=exp(value),
        standard_error=exp(value) * error,
        interval=Interval(low=exp(ends.low), high=exp(ends.high), level=level, method=evidence.method),
        interval_method=evidence.method,
        trusted=evidence.trusted,
    )


def strength_differences(names: tuple[str, ...], evidence: Evidence, level: float) -> tuple[StrengthDifference, ...]:
    """Every two items, the stronger first; corrected for all pairs, since a reader looks at all of them."""
    strengths, contrasts = evidence.fitted.strengths, evidence.fitted.strength_contrasts
    pairs = [(a, b) if strengths[a] >= strengths[b] else (b, a) for a, b in combinations(range(len(names)), 2)]
    gaps = np.array([strengths[a] - strengths[b] for a, b in pairs])
    first, second = np.array(pairs).T
    errors = evidence.errors(contrasts[first] - contrasts[second], evidence.method)
    p_values = evidence.p_values(np.divide(gaps, errors, out=np.zeros_like(gaps), where=errors > 0))
    corrected = holm(p_values)
    return tuple(
        StrengthDifference(
            a=names[a],
            b=names[b],
            difference=float(gap),
            standard_error=float(error),
            p_value=float(p),
            p_corrected=float(raised),
            apart=bool(raised < 1 - level),
        )
        for (a, b), gap, error, p, raised in zip(pairs, gaps, errors, p_values, corrected, strict=True)
    )


def _items(
    comparisons: Comparisons,
    chosen: Fit,
    reduced: Fit,
    evidence: Evidence,
    differences: tuple[StrengthDifference, ...],
    level: float,
) -> tuple[dict[str, ItemStrength], tuple[tuple[str, ...], ...]]:
    """The items by strength, and the groups that cannot be told apart."""
    strengths, method = chosen.strengths, evidence.method
    errors = {name: evidence.errors(chosen.strength_contrasts, name) for name in evidence.methods}
    others = np.sqrt(np.diag(reduced.strength_covariance))
    compared = round_scores(strengths)
    order = sorted(range(len(comparisons.items)), key=lambda place: (-compared[place], comparisons.items[place]))
    ranked = [comparisons.items[place] for place in order]
    apart = {(pair.a, pair.b) for pair in differences if pair.apart}
    groups = alike_groups(ranked, apart) if len(ranked) <= MOST_GROUPED else ()
    items = {}
    for rank, place in enumerate(order, start=1):
        value = float(strengths[place])
        intervals = {name: evidence.interval(value, float(own[place]), level, name) for name, own in errors.items()}
        wins, ties, losses = _record(comparisons, place)
        items[comparisons.items[place]] = ItemStrength(
            rank=rank,
            strength=value,
            standard_error=float(errors[method][place]),
            interval=intervals[method],
            interval_method=method,
            trusted=evidence.trusted,
            intervals=intervals,
            bias_reduced=float(reduced.strengths[place]),
            bias_reduced_error=float(others[place]),
            comparisons=wins + ties + losses,
            wins=wins,
            ties=ties,
            losses=losses,
            groups=tuple(n for n, group in enumerate(groups, start=1) if comparisons.items[place] in group),
        )
    return items, groups


def _record(comparisons: Comparisons, place: int) -> tuple[int, int, int]:
    """How often the item won, tied and lost."""
    first, second = comparisons.first == place, comparisons.second == place
    wins = (first & (comparisons.outcome == 0)) | (second & (comparisons.outcome == 1))
    ties = (first | second) & (comparisons.outcome == TIE)
    losses = (first | second) & ~wins & ~ties
    return tuple(int(comparisons.count[rows].sum()) for rows in (wins, ties, losses))  # type: ignore[return-value]


def _further(
    items: dict[str, ItemStrength],
    chosen: Fit,
    differences: tuple[StrengthDifference, ...],
    options: PreferenceOptions,
) -> tuple[FurtherComparisons, ...]:
    """How many comparisons would separate neighbours that are not separated yet."""
    by_pair = {(pair.a, pair.b): pair for pair in differences}
    reach = float(ndtri((1 + options.level) / 2) + ndtri(POWER))
    further = []
    for a, b in zip(list(items), list(items)[1:], strict=False):
        pair = by_pair[(a, b)] if (a, b) in by_pair else by_pair[(b, a)]
        if pair.apart and options.separation is None:
            continue
        gap = abs(pair.difference) if options.separation is None else log(options.separation / (1 - options.separation))
        rate = 1 / (1 + exp(-gap))
        number = _n_further(gap, pair.standard_error, reach, chosen)
        further.append(FurtherComparisons(a=a, b=b, difference=gap, win_rate=rate, comparisons=number))
    return tuple(further)


def _n_further(gap: float, error: float, reach: float, chosen: Fit) -> int | None:
    """How many comparisons bring the error of a difference down to ``gap / reach``; none where it takes millions.

    A comparison of the two adds its own information to the inverse of the variance of their difference.
    """
    if gap <= 0:
        return None
    tie = exp(chosen.parameters[-1]) if chosen.design.ties else 0.0
    weights = np.array([exp(gap / 2), exp(-gap / 2), tie])
    first, second, _ = weights / weights.sum()
    each = (first + second - (first - second) ** 2) / 4
    lacking = (reach / gap) ** 2 - (1 / error**2 if error > 0 and not isnan(error) else 0.0)
    number = ceil(max(lacking, 0.0) / each)
    return number if number <= MOST_FURTHER else None
