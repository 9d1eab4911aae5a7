"""Comparing agreement: two sets of coders, or a system before and after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr

from concurrence.agreement.labels.coefficients.inference import agreements, why_undefined
from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.options import CompareOptions
from concurrence.core import Interval, InvalidInputError, Labels
from concurrence.core.arrays import Reals
from concurrence.core.errors import option_or_keyword
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun, format_p
from concurrence.core.values import value
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.coefficients import coefficient as row_named
from concurrence.kernels.resampling import bootstrap, expanded_interval, percentile_interval

BOOTSTRAP = "bootstrap_percentile"
ADJUSTED_WALD = "adjusted_wald"
ENOUGH_ITEMS, ENOUGH_RARE, ENOUGH_APART = 100, 20, 20
"""With so many items a side, so many of them with a label besides the most common one, and so many of both sides
together on which coders differ, simulated tests held."""
FEWEST_OF_SHARES = 10
"""Shares of fewer items a side have no verdict."""
METHODS = {BOOTSTRAP: "bootstrap", ADJUSTED_WALD: "adjusted Wald"}


@value
class ComparedSide:
    """One side of a comparison."""

    coders: tuple[str, ...]
    value: float
    standard_error: float
    interval: Interval | None
    items: int


@value
class AgreementComparison(Result):
    """The difference of two agreements, ``a - b``; the p-value is two-sided and belongs to the interval.

    ``paired``: both sides rest on the same items, those that both labelled.
    ``trusted``: simulation has shown that intervals of so many items hold; where it is not, there is no verdict.
    Where a side has no agreement, its value and all that rests on it is NaN, and ``note`` says why.
    """

    coefficient: str
    a: float
    b: float
    difference: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    level: float
    p_value: float
    paired: bool
    reference: str | None
    draws: int | None
    seed: int | None
    note: str | None
    sides: dict[str, ComparedSide]
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...] = ()
    trusted: bool = False

    def __str__(self) -> str:
        if self.interval is None:
            return f"{row_named(self.coefficient).title}: undefined. {self.note}"
        low, high = self.interval
        how = "paired" if self.paired else "independent"
        return (
            f"{row_named(self.coefficient).title}: {self.a:.3f} - {self.b:.3f} = {self.difference:.3f} "
            f"[{low:.3f}, {high:.3f}] ({self.level:.0%} CI, {how}), p = {self.p_value:.3g}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Half:
    """One side before it is compared: its study, and the studies of which each has one agreement.

    ``usable`` are the patterns it can be measured on.
    """

    coders: tuple[str, ...]
    study: LabelStudy
    parts: list[LabelStudy]
    usable: NDArray[np.bool_]

    @property
    def items(self) -> int:
        return int(self.study.weights[self.usable].sum())

    def on(self, patterns: NDArray[np.bool_]) -> "_Half":
        """The side on these patterns alone."""
        studies = [one.with_patterns(one.codes[patterns], one.weights[patterns]) for one in (self.study, *self.parts)]
        return replace(self, study=studies[0], parts=studies[1:], usable=self.usable[patterns])


def compare_agreement(labels: Labels, other: Labels | None, options: CompareOptions) -> AgreementComparison:
    """Compare the agreement of two sets of coders, of one set of labels or of two.

    Within one set of labels both sides are measured on the items that both labelled, so whole items are resampled and
    what the sides have in common cancels out; sides without a common item are independent, as are two sets of labels.
    With a ``reference`` each side is the mean agreement of its coders with that one.
    """
    reference, comparison = options.reference, options.agree_options()
    if other is None and not (options.a and options.b):
        say = option_or_keyword("--a CODER,CODER and --b CODER,CODER", "a=[coder, coder] and b=[coder, coder]")
        raise InvalidInputError(f"To compare within one file, name both sides: {say}.")
    study = label_study(labels, comparison, compress=True)
    second = labels if other is None else other
    second_study = study if other is None else label_study(other, comparison, compress=True)
    halves = [_half(labels, study, options.a, reference), _half(second, second_study, options.b, reference)]
    row = row_named(options.coefficient or _default(labels, halves, reference))
    halves, paired, notes = _on_common_items(halves) if other is None else (halves, False, ())
    reasons = ((name, why_undefined(row, part)) for name, half in zip("ab", halves, strict=True) for part in half.parts)
    note = next((f"Side {name}: {reason}" for name, reason in reasons if reason), None)
    if note is not None:
        result = _no_comparison(row, halves, options, note, paired=paired)
    elif row.chance.fixed and other is not None and reference is None and all(map(_is_plain, halves)):
        result = _adjusted_wald(row, halves, options)
    else:
        result = _bootstrap_comparison(row, halves, options, paired=paired)
    reading_warnings = (*getattr(labels, "warnings", ()), *getattr(other, "warnings", ()))
    return replace(result, warnings=(*reading_warnings, *notes, *result.warnings))


def _on_common_items(halves: list[_Half]) -> tuple[list[_Half], bool, tuple[Sentence, ...]]:
    """Both sides on the items that both labelled, or each on its own where there are none; and what to say of it."""
    common = halves[0].usable & halves[1].usable
    if not common.any():
        text = "The two sides have no item in common, so they are compared as independent samples."
        apart = [half.on(half.usable) for half in halves]
        return apart, False, (Sentence(code="no_common_items", text=text, warning=True),)
    n = int(halves[0].study.weights[common].sum())
    if n == max(half.items for half in halves):
        return halves, True, ()
    sizes = f"side a labelled {halves[0].items:,}, side b {halves[1].items:,}"
    text = f"Only the {count_noun(n, 'item')} that both sides labelled are compared; {sizes}."
    return [half.on(common) for half in halves], True, (Sentence(code="common_items", text=text, warning=True),)


def _half(labels: Labels, study: LabelStudy, coders: Sequence[str] | None, reference: str | None) -> _Half:
    """A side: all its coders, or each with the reference."""
    if labels.anonymous and (coders or reference):
        raise InvalidInputError("These labels are counts without coders, so no coder can be named.")
    names = tuple(coders or (coder for coder in labels.coders if coder != reference))
    columns = [labels.coder_index(coder) for coder in names]
    present = study.codes >= 0
    labelled = present[:, columns].sum(axis=1)
    if reference is not None:
        gold = labels.coder_index(reference)
        if gold in columns:
            raise InvalidInputError(f"{reference!r} is the reference and cannot be on a side as well.")
        shared = (labelled >= 1) & present[:, gold]
        parts = [study.only(column, gold) for column in columns]
    else:
        if len(columns) < 2:
            raise InvalidInputError(
                f"A side needs two coders, or one and a {option_or_keyword('--reference', 'reference=')}; "
                f"only {', '.join(map(repr, names))} is named."
            )
        shared = labelled >= 2
        parts = [study if labels.anonymous else study.only(*columns)]
    return _Half(coders=names, study=study, parts=parts, usable=shared)


def _default(labels: Labels, halves: Sequence[_Half], reference: str | None) -> str:
    two = reference is not None or all(len(half.coders) == 2 for half in halves)
    return "cohen_kappa" if two and not labels.anonymous else "fleiss_kappa"


def _mean_over(row: CoefficientRow, parts: Sequence[LabelStudy]) -> Callable[[Reals], Reals]:
    """The side's agreement as a function of pattern weights."""
    return lambda weights: np.mean([values(row, part, weights) for part in parts], axis=0)


def _no_comparison(
    row: CoefficientRow,
    halves: Sequence[_Half],
    options: CompareOptions,
    note: str,
    *,
    paired: bool,
) -> AgreementComparison:
    """No comparison; the side that has an agreement keeps it."""
    sides = []
    for half in halves:
        defined = not any(why_undefined(row, part) for part in half.parts)
        estimate = float(_mean_over(row, half.parts)(half.study.weights)) if defined else nan
        sides.append(
            ComparedSide(coders=half.coders, value=estimate, standard_error=nan, interval=None, items=half.items)
        )
    return _comparison(row, sides, options, note=note, paired=paired)


def _bootstrap_comparison(
    row: CoefficientRow, halves: Sequence[_Half], options: CompareOptions, *, paired: bool
) -> AgreementComparison:
    """Whole items are resampled: the same ones for both sides where they share them."""
    of_side = [_mean_over(row, half.parts) for half in halves]
    draws, seed, progress = options.bootstrap, options.seed, options.progress

    def both(weights: Reals) -> Reals:
        return np.stack([side(weights) for side in of_side], axis=-1)

    if paired:
        drawn = bootstrap(both, halves[0].study.weights, draws=draws, seed=seed, progress=progress).T
    else:
        drawn = np.stack(
            [
                bootstrap(side, half.study.weights, draws=draws, seed=seed + k, progress=progress)
                for k, (side, half) in enumerate(zip(of_side, halves, strict=True))
            ]
        )
    sides = [
        ComparedSide(
            coders=half.coders,
            value=float(side(half.study.weights)),
            standard_error=_spread(own),
            interval=_percentile(own, options.level),
            items=half.items,
        )
        for half, side, own in zip(halves, of_side, drawn, strict=True)
    ]
    differences = drawn[0] - drawn[1]
    items = min(half.items for half in halves)
    low, high = expanded_interval(differences, options.level, items)
    return _comparison(
        row,
        sides,
        options,
        error=_spread(differences),
        interval=Interval(low=low, high=high, level=options.level, method=BOOTSTRAP),
        p_value=_expanded_p(differences, items),
        trusted=all(map(_is_rich, halves)) and sum(map(_disagreements, halves)) >= ENOUGH_APART,
        paired=paired,
        draws=len(differences),
    )


def _expanded_p(drawn: Reals, n: int) -> float:
    """The p-value whose interval, with percentiles moved outward for n items, just reaches 0."""
    finite = drawn[np.isfinite(drawn)]
    beyond = min(int(np.sum(finite <= 0)), int(np.sum(finite >= 0)))
    tail = min((beyond + 1) / (len(finite) + 1), 0.5)
    return min(1.0, 2 * float(stdtr(n - 1, ndtri(tail) * sqrt((n - 1) / n)))) if n > 1 else nan


def _is_rich(half: _Half) -> bool:
    """Whether a side has items enough, and enough of them with a label besides the most common one."""
    return half.items >= ENOUGH_ITEMS and all(_rare_items(part) >= ENOUGH_RARE for part in half.parts)


def _disagreements(half: _Half) -> float:
    """On how many items coders of a side differ; those with a reference on average."""
    return float(np.mean([part.weights @ (part.squares < part.sizes**2) for part in half.parts]))


def _rare_items(part: LabelStudy) -> float:
    """How many items have a label besides the most common one."""
    labels = np.bincount((part.codes + 1).ravel(), np.repeat(part.weights, part.n_coders), minlength=2)[1:]
    return float(part.weights @ ((part.codes >= 0) & (part.codes != int(np.argmax(labels)))).any(axis=1))


def _percentile(drawn: Reals, level: float) -> Interval:
    low, high = percentile_interval(drawn, level)
    return Interval(low=low, high=high, level=level, method=BOOTSTRAP)


def _spread(drawn: Reals) -> float:
    finite = drawn[np.isfinite(drawn)]
    return float(finite.std(ddof=1)) if len(finite) > 1 else nan


def _is_plain(half: _Half) -> bool:
    """Whether agreement is a plain number of successes: two coders who labelled everything."""
    study = half.study
    return study.n_coders == 2 and len(half.coders) == 2 and bool(study.complete.all()) and not study.anonymous


def _adjusted_wald(row: CoefficientRow, halves: Sequence[_Half], options: CompareOptions) -> AgreementComparison:
    """Two coefficients with known chance: the difference of two proportions of agreement.

    Each proportion has two successes and two failures added, their difference one of each per study.

    References: Agresti and Coull (1998); Agresti and Caffo (2000); Bonett (2022) for the G-index.
    """
    size = halves[0].study.n_categories
    if row.corrects_for_chance and any(half.study.n_categories != size for half in halves):
        raise InvalidInputError(
            "Both sides must have the same categories; declare them with "
            f"{option_or_keyword('--categories', 'categories=')}."
        )
    scale, shift = (size / (size - 1), 1 / (size - 1)) if row.corrects_for_chance else (1.0, 0.0)
    z = float(ndtri((1 + options.level) / 2))
    sides, middle, variance = [], 0.0, 0.0
    for half, sign in zip(halves, (1, -1), strict=True):
        agreed, n = agreements(half.study)
        share, nearer, near = agreed / n, (agreed + 2) / (n + 4), (agreed + 1) / (n + 2)
        reach = z * sqrt(nearer * (1 - nearer) / (n + 4))
        ends = [scale * (nearer + way * reach) - shift for way in (-1, 1)]
        interval = Interval(low=ends[0], high=ends[1], level=options.level, method=ADJUSTED_WALD)
        error = scale * sqrt(share * (1 - share) / n)
        sides.append(
            ComparedSide(
                coders=half.coders, value=scale * share - shift, standard_error=error, interval=interval, items=round(n)
            )
        )
        middle, variance = middle + sign * near, variance + near * (1 - near) / (n + 2)
    low, high = (scale * (middle + way * z * sqrt(variance)) for way in (-1, 1))
    return _comparison(
        row,
        sides,
        options,
        error=sqrt(sum(side.standard_error**2 for side in sides)),
        interval=Interval(low=low, high=high, level=options.level, method=ADJUSTED_WALD),
        p_value=float(2 * ndtr(-abs(middle) / sqrt(variance))),
        trusted=all(half.items >= FEWEST_OF_SHARES for half in halves),
        paired=False,
    )


def _comparison(
    row: CoefficientRow,
    sides: Sequence[ComparedSide],
    options: CompareOptions,
    *,
    paired: bool,
    error: float = nan,
    interval: Interval | None = None,
    p_value: float = nan,
    draws: int | None = None,
    note: str | None = None,
    trusted: bool = False,
) -> AgreementComparison:
    a, b = sides
    difference = nan if interval is None else a.value - b.value
    verdict = _verdict(row, difference, interval, p_value, note, paired=paired, trusted=trusted)
    return AgreementComparison(
        coefficient=row.name,
        a=a.value,
        b=b.value,
        difference=difference,
        standard_error=error,
        interval=interval,
        interval_method=None if interval is None else interval.method,
        level=options.level,
        p_value=p_value,
        paired=paired,
        reference=options.reference,
        draws=draws,
        seed=None if draws is None else options.seed,
        note=note,
        sides={"a": a, "b": b},
        sentences=(verdict, _line("a", a, options.reference), _line("b", b, options.reference)),
        warnings=(verdict,) if verdict.warning else (),
        trusted=trusted,
    )


def _verdict(
    row: CoefficientRow,
    difference: float,
    interval: Interval | None,
    p_value: float,
    note: str | None,
    *,
    paired: bool,
    trusted: bool,
) -> Sentence:
    if interval is None:
        return Sentence(code="undefined", text=f"There is nothing to compare. {note}", warning=True)
    low, high = interval
    differs = low > 0 or high < 0
    side = f"Side {'a' if difference > 0 else 'b'} agrees better" if trusted else "Too few items for a verdict"
    how = "paired, on the same items" if paired else "independent samples"
    text = (
        f"{side if differs else 'No difference could be shown'}: {row.title} differs by {difference:.3f} "
        f"({interval.level:.0%} interval {low:.3f} to {high:.3f}, {METHODS[interval.method]}; "
        f"{format_p(p_value)}; {how})."
    )
    code = "no_difference" if not differs else "difference" if trusted else "undecided"
    return Sentence(code=code, text=text)


def _line(name: str, side: ComparedSide, reference: str | None) -> Sentence:
    who = (", ".join(side.coders) or "all") + (f" with {reference}" if reference else "")
    estimate = "undefined" if isnan(side.value) else f"{side.value:.3f}"
    reach = "" if side.interval is None else " [{:.3f}, {:.3f}]".format(*side.interval)
    return Sentence(code=f"side_{name}", text=f"  {name} ({who}): {estimate}{reach}, {count_noun(side.items, 'item')}")
