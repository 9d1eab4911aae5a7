"""``preferences``: strengths from comparisons, with intervals, tests and further comparisons."""

from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, exp, isnan, log, nan, sqrt

import numpy as np
from scipy.special import chdtrc, erfc, ndtri, stdtr, stdtrit

from concurrence.agreement.preferences import sentences
from concurrence.agreement.preferences.between_coders import coder_agreement
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrengthEvidence:
    """What intervals and tests rest on: the covariance of the strengths, and the degrees of freedom.

    ``by_coders`` is the covariance from leaving out each coder in turn, where there is one; with enough coders it is
    what is reported, since the comparisons of one coder need not be independent.
    """

    information: Reals
    by_coders: Reals | None
    coders: int

    @property
    def method(self) -> str:
        return "coders" if self.by_coders is not None and self.coders >= ENOUGH_CODERS else "information"

    @property
    def covariance(self) -> Reals:
        return self.by_coders if self.by_coders is not None and self.method == "coders" else self.information

    @property
    def ratio(self) -> float:
        """How much larger the errors by coders are than those of the information."""
        if self.by_coders is None:
            return nan
        return float(np.median(np.sqrt(np.diag(self.by_coders) / np.diag(self.information))))

    def quantile(self, level: float, method: str) -> float:
        tail = (1 + level) / 2
        return float(stdtrit(self.coders - 1, tail) if method == "coders" else ndtri(tail))

    def p_values(self, statistics: Reals) -> Reals:
        if self.method == "coders":
            return np.asarray(2 * stdtr(self.coders - 1, -np.abs(statistics)))
        return np.asarray(erfc(np.abs(statistics) / sqrt(2)))


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
    off_p = float(chdtrc(free, off)) if finite and free > 0 and _well_filled(chosen, design.together) else nan
    bias = _position(ordered, options)
    between = coder_agreement(plain.counts, coders_known=bool(comparisons.coders), level=options.level)
    evidence = strength_evidence(design, chosen, reduced)
    differences = _differences(comparisons.items, chosen, evidence, options.level)
    items, groups = _items(comparisons, chosen, reduced, evidence, differences, options.level)
    further = _further(items, chosen, differences, options)
    remarks = [
        sentences.of_ranking(items, differences),
        *sentences.of_existence(network, finite=finite),
        *sentences.of_fit(off_p, off, free),
        *sentences.of_position(bias),
        *sentences.of_coders(between, evidence.ratio, method=evidence.method),
        *sentences.of_further(further),
    ]
    return PreferenceReport(
        data=_data(comparisons, plain, network),
        items=items,
        method="maximum_likelihood" if finite else "bias_reduced",
        ties=_ties(comparisons, chosen, options.level, tied=tied),
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


def _wald_interval(value: float, error: float, quantile: float, level: float, method: str) -> Interval:
    return Interval(low=value - quantile * error, high=value + quantile * error, level=level, method=method)


def _position(ordered: ComparisonCounts, options: PreferenceOptions) -> PositionBias:
    """The advantage of the item shown first, from the model that has a term for it."""
    if not ordered.identified:
        return PositionBias(
            value=nan, standard_error=nan, interval=None, p_value=nan, share=nan, in_model=False, note=INSEPARABLE
        )
    orders = {(int(a), int(b)) for a, b in zip(ordered.first, ordered.second, strict=True)}
    both_ways = any((b, a) in orders for a, b in orders)
    finite = is_finite(ordered, ordered.together)
    fitted = fit(ordered, ordered.together, reduced=not finite)
    value, error = fitted.parameter("position")
    note = None
    if not both_ways:
        note = "Every two items were shown in one order only, so that position and strength can hardly be told apart."
    elif not finite:
        note = "Maximum likelihood has no finite solution; this is the estimate with reduced bias (Firth)."
    p_value = float(erfc(abs(value / error) / sqrt(2))) if error > 0 else nan
    return PositionBias(
        value=value,
        standard_error=error,
        interval=_wald_interval(value, error, float(ndtri((1 + options.level) / 2)), options.level, "information"),
        p_value=p_value,
        share=1 / (1 + exp(-value)),
        in_model=options.position,
        note=note,
    )


def _ties(comparisons: Comparisons, chosen: Fit, level: float, *, tied: bool) -> TieRate:
    count = int(comparisons.count[comparisons.outcome == TIE].sum())
    share = count / int(comparisons.count.sum())
    if not tied:
        return TieRate(count=0, share=0.0, value=0.0, standard_error=nan, interval=None)
    value, error = chosen.parameter("ties")
    ends = _wald_interval(value, error, float(ndtri((1 + level) / 2)), level, "information")
    interval = Interval(low=exp(ends.low), high=exp(ends.high), level=level, method="information")
    return TieRate(count=count, share=share, value=exp(value), standard_error=exp(value) * error, interval=interval)


def _differences(
    names: tuple[str, ...], chosen: Fit, evidence: StrengthEvidence, level: float
) -> tuple[StrengthDifference, ...]:
    """Every two items, the stronger first."""
    strengths, spread = chosen.strengths, evidence.covariance
    pairs = [(a, b) if strengths[a] >= strengths[b] else (b, a) for a, b in combinations(range(len(names)), 2)]
    gaps = np.array([strengths[a] - strengths[b] for a, b in pairs])
    errors = np.sqrt([max(spread[a, a] + spread[b, b] - 2 * spread[a, b], 0.0) for a, b in pairs])
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
    evidence: StrengthEvidence,
    differences: tuple[StrengthDifference, ...],
    level: float,
) -> tuple[dict[str, ItemStrength], tuple[tuple[str, ...], ...]]:
    """The items by strength, and the groups that cannot be told apart."""
    strengths, method = chosen.strengths, evidence.method
    covariances = {"information": evidence.information, "coders": evidence.by_coders}
    errors = {name: np.sqrt(np.diag(spread)) for name, spread in covariances.items() if spread is not None}
    others = np.sqrt(np.diag(reduced.strength_covariance))
    compared = round_scores(strengths)
    order = sorted(range(len(comparisons.items)), key=lambda place: (-compared[place], comparisons.items[place]))
    ranked = [comparisons.items[place] for place in order]
    apart = {(pair.a, pair.b) for pair in differences if pair.apart}
    groups = alike_groups(ranked, apart) if len(ranked) <= MOST_GROUPED else ()
    items = {}
    for rank, place in enumerate(order, start=1):
        value = float(strengths[place])
        intervals = {
            name: _wald_interval(value, float(own[place]), evidence.quantile(level, name), level, name)
            for name, own in errors.items()
        }
        wins, ties, losses = _record(comparisons, place)
        items[comparisons.items[place]] = ItemStrength(
            rank=rank,
            strength=value,
            standard_error=float(errors[method][place]),
            interval=intervals[method],
            interval_method=method,
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
    tie = exp(chosen.parameter("ties")[0]) if chosen.design.ties else 0.0
    weights = np.array([exp(gap / 2), exp(-gap / 2), tie])
    first, second, _ = weights / weights.sum()
    each = (first + second - (first - second) ** 2) / 4
    lacking = (reach / gap) ** 2 - (1 / error**2 if error > 0 and not isnan(error) else 0.0)
    number = ceil(max(lacking, 0.0) / each)
    return number if number <= MOST_FURTHER else None


FEWEST_CODERS = 5  # with fewer, leaving out one says nothing
MOST_CODERS = 1000  # up to which each is left out
ENOUGH_CODERS = 10  # from which intervals rest on the coders


def strength_evidence(design: ComparisonCounts, chosen: Fit, reduced: Fit) -> StrengthEvidence:
    """The information of the fit, and what leaving out each coder in turn gives (with reduced bias).

    The second needs five coders, and items that are linked without any one of them.
    """
    n = len(design.counts)
    alone = StrengthEvidence(information=chosen.strength_covariance, by_coders=None, coders=n)
    if not FEWEST_CODERS <= n <= MOST_CODERS:
        return alone
    left_out = []
    for own in design.counts:
        again = fit(design, design.together - own, reduced=True, start=reduced.parameters)
        if not again.converged or np.linalg.matrix_rank(again.covariance) < len(again.covariance):
            return alone
        left_out.append(again.strengths)
    spread = np.array(left_out) - np.mean(left_out, axis=0)
    return replace(alone, by_coders=(n - 1) / n * spread.T @ spread)
