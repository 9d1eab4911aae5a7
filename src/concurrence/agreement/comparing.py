"""Comparing agreement: two sets of coders, or a system before and after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from concurrence.agreement.coefficients import Coefficient
from concurrence.agreement.coefficients import coefficient as row_named
from concurrence.agreement.options import AgreeOptions, study_of
from concurrence.agreement.study import Study
from concurrence.core import Interval, InvalidInputError, Labels
from concurrence.core.notebook import html_sentences, html_table
from concurrence.kernels.resampling import bootstrap, percentile_interval

Array = NDArray[np.float64]

UNIFORM_CHANCE = ("bennett_s", "prevalence_adjusted_kappa", "brennan_prediger", "percent_agreement")
BOOTSTRAP = "bootstrap_percentile"
ADJUSTED_WALD = "adjusted_wald"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a comparison."""

    coders: tuple[str, ...]
    value: float
    standard_error: float
    interval: Interval
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The difference of two agreements, ``a - b``; the p-value is two-sided and belongs to the interval.

    Where a side has no agreement, its value and all that rests on it is NaN, and ``note`` says why.
    """

    coefficient: str
    a: Side
    b: Side
    difference: float
    standard_error: float
    interval: Interval
    p_value: float
    paired: bool
    reference: str | None
    draws: int | None
    seed: int | None
    note: str | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words, then each side."""
        return (_verdict(self), _line("a", self.a, self.reference), _line("b", self.b, self.reference))

    def _repr_html_(self) -> str:
        level = self.interval.level
        rows = [
            ("a", ", ".join(self.a.coders), self.a.items, self.a.value, *self.a.interval, None),
            ("b", ", ".join(self.b.coders), self.b.items, self.b.value, *self.b.interval, None),
            ("a - b", "", None, self.difference, *self.interval, self.p_value),
        ]
        columns = ("side", "coders", "items", self.coefficient, f"{level:.0%} from", "to", "p")
        return html_sentences([_verdict(self)]) + html_table(columns, rows)

    def __str__(self) -> str:
        if self.note is not None:
            return f"{self.coefficient}: undefined. {self.note}"
        low, high = self.interval
        how = "paired" if self.paired else "independent"
        return (
            f"{self.coefficient}: {self.a.value:.3f} - {self.b.value:.3f} = {self.difference:.3f} "
            f"[{low:.3f}, {high:.3f}] ({self.interval.level:.0%} CI, {how}), p = {self.p_value:.3g}"
        )


def compare(
    labels: Labels,
    other: Labels | None = None,
    *,
    a: Sequence[str] | None = None,
    b: Sequence[str] | None = None,
    reference: str | None = None,
    coefficient: str | None = None,
    options: AgreeOptions | None = None,
    draws: int = 4000,
    seed: int = 0,
) -> Comparison:
    """Compare the agreement of two sets of coders.

    Within one set of labels the items are the same for both sides, so whole items are resampled and what the
    sides have in common cancels out. Two sets of labels are independent studies. With a ``reference`` each side
    is the mean agreement of its coders with that one.
    """
    wanted = options or AgreeOptions()
    if other is None:
        return _paired(labels, a, b, reference, coefficient, wanted, draws, seed)
    return _independent(labels, other, a, b, reference, coefficient, wanted, draws, seed)


def _paired(
    labels: Labels,
    a: Sequence[str] | None,
    b: Sequence[str] | None,
    reference: str | None,
    name: str | None,
    options: AgreeOptions,
    draws: int,
    seed: int,
) -> Comparison:
    if not a or not b:
        raise InvalidInputError("To compare within one file, name both sides: --a CODER,CODER and --b CODER,CODER.")
    _refuse_unknown_coders(labels, a, b, reference)
    study = study_of(labels, options, compress=True)
    row = row_named(name or _default(labels, a, b, reference))
    parts = [_parts(study, labels, side, reference) for side in (a, b)]
    items = [_items(study, labels, side, reference) for side in (a, b)]
    if note := _why_undefined(row, parts):
        return _undefined(row, parts, (a, b), items, reference, options, note, paired=True)
    sides = [_mean_over(row, part) for part in parts]

    def values(weights: Array) -> Array:
        return np.stack([side(weights) for side in sides], axis=-1)

    both = values(study.weights)
    drawn = bootstrap(values, study.weights, draws=draws, seed=seed, progress=options.progress)
    details = [_side(names, both[k], drawn[:, k], options, items[k]) for k, names in enumerate((a, b))]
    return _bootstrapped(row.name, details, drawn[:, 0] - drawn[:, 1], reference, options, seed, paired=True)


def _independent(
    labels: Labels,
    other: Labels,
    a: Sequence[str] | None,
    b: Sequence[str] | None,
    reference: str | None,
    name: str | None,
    options: AgreeOptions,
    draws: int,
    seed: int,
) -> Comparison:
    _refuse_unknown_coders(labels, a, reference)
    _refuse_unknown_coders(other, b, reference)
    chosen = [
        tuple(names or (coder for coder in one.coders if coder != reference))
        for one, names in ((labels, a), (other, b))
    ]
    studies = [study_of(one, options, compress=True) for one in (labels, other)]
    row = row_named(name or _default(labels, chosen[0], chosen[1], reference))
    sources = list(zip(studies, (labels, other), chosen, strict=True))
    parts = [_parts(study, one, names, reference) for study, one, names in sources]
    items = [_items(study, one, names, reference) for study, one, names in sources]
    if note := _why_undefined(row, parts):
        return _undefined(row, parts, chosen, items, reference, options, note, paired=False)
    values = [_mean_over(row, part) for part in parts]
    both = [float(value(study.weights)) for value, study in zip(values, studies, strict=True)]
    if row.name in UNIFORM_CHANCE and all(_plain(study, names) for study, names in zip(studies, chosen, strict=True)):
        return _adjusted_wald(row.name, studies, chosen, options)
    drawn = [
        bootstrap(value, study.weights, draws=draws, seed=seed + k, progress=options.progress)
        for k, (value, study) in enumerate(zip(values, studies, strict=True))
    ]
    details = [_side(chosen[k], both[k], drawn[k], options, items[k]) for k in range(2)]
    return _bootstrapped(row.name, details, drawn[0] - drawn[1], reference, options, seed, paired=False)


def _refuse_unknown_coders(labels: Labels, *named: Any) -> None:
    """Counts of labels know no coders, so that none of them can be named."""
    if labels.anonymous and any(named):
        raise InvalidInputError("These are counts of labels without coders; --a, --b and --reference name coders.")


def _default(labels: Labels, a: Sequence[str], b: Sequence[str], reference: str | None) -> str:
    if labels.anonymous:
        return "fleiss_kappa"
    return "cohen_kappa" if reference is not None or (len(a) == 2 and len(b) == 2) else "fleiss_kappa"


def _parts(study: Study, labels: Labels, coders: Sequence[str], reference: str | None) -> list[Study]:
    """The side as studies of which each has one agreement: all its coders, or each with the reference."""
    columns = [labels.coder_index(coder) for coder in coders]
    if reference is not None:
        gold = labels.coder_index(reference)
        if gold in columns:
            raise InvalidInputError(f"{reference!r} is the reference and cannot be on a side as well.")
        return [study.only(column, gold) for column in columns]
    if labels.anonymous:
        return [study]
    if len(columns) < 2:
        raise InvalidInputError(
            f"A side needs two coders, or one and a --reference; only {', '.join(map(repr, coders))} is named."
        )
    return [study.only(*columns)]


def _mean_over(row: Coefficient, parts: Sequence[Study]) -> Callable[[Array], Array]:
    """The side's agreement as a function of pattern weights."""
    return lambda weights: np.mean([row.values(part, weights) for part in parts], axis=0)


def _why_undefined(row: Coefficient, sides: Sequence[Sequence[Study]]) -> str | None:
    """The first reason for which a side has no agreement."""
    reasons = ((name, row.why_undefined(part)) for name, parts in zip("ab", sides, strict=True) for part in parts)
    return next((f"Side {name}: {reason}" for name, reason in reasons if reason), None)


def _undefined(
    row: Coefficient,
    sides: Sequence[Sequence[Study]],
    coders: Sequence[Sequence[str]],
    items: Sequence[int],
    reference: str | None,
    options: AgreeOptions,
    note: str,
    *,
    paired: bool,
) -> Comparison:
    """No comparison; the side that has an agreement keeps it."""
    nowhere = Interval(low=float("nan"), high=float("nan"), level=options.level, method="none")
    a, b = (
        Side(coders=tuple(names), value=_value(row, parts), standard_error=float("nan"), interval=nowhere, items=n)
        for names, parts, n in zip(coders, sides, items, strict=True)
    )
    return Comparison(
        coefficient=row.name,
        a=a,
        b=b,
        difference=float("nan"),
        standard_error=float("nan"),
        interval=nowhere,
        p_value=float("nan"),
        paired=paired,
        reference=reference,
        draws=None,
        seed=None,
        note=note,
    )


def _value(row: Coefficient, parts: Sequence[Study]) -> float:
    if any(row.why_undefined(part) for part in parts):
        return float("nan")
    return float(np.mean([row.values(part, part.weights) for part in parts]))


def _items(study: Study, labels: Labels, coders: Sequence[str], reference: str | None) -> int:
    """Items on which at least two of the coders, or one and the reference, have a label."""
    present = study.present[:, [labels.coder_index(coder) for coder in coders]].sum(axis=1)
    if reference is None:
        return int(study.weights[present >= 2].sum())
    gold = study.present[:, labels.coder_index(reference)]
    return int(study.weights[(present >= 1) & gold].sum())


def _side(coders: Sequence[str], value: float, drawn: Array, options: AgreeOptions, items: int) -> Side:
    low, high = percentile_interval(drawn, options.level)
    interval = Interval(low=low, high=high, level=options.level, method=BOOTSTRAP)
    return Side(coders=tuple(coders), value=float(value), standard_error=_spread(drawn), interval=interval, items=items)


def _bootstrapped(
    name: str,
    sides: Sequence[Side],
    differences: Array,
    reference: str | None,
    options: AgreeOptions,
    seed: int,
    *,
    paired: bool,
) -> Comparison:
    known = differences[np.isfinite(differences)]
    low, high = percentile_interval(differences, options.level)
    beyond = min(int(np.sum(known <= 0)), int(np.sum(known >= 0)))
    return Comparison(
        coefficient=name,
        a=sides[0],
        b=sides[1],
        difference=sides[0].value - sides[1].value,
        standard_error=_spread(differences),
        interval=Interval(low=low, high=high, level=options.level, method=BOOTSTRAP),
        p_value=min(1.0, 2 * (beyond + 1) / (len(known) + 1)),
        paired=paired,
        reference=reference,
        draws=len(differences),
        seed=seed,
    )


def _spread(drawn: Array) -> float:
    known = drawn[np.isfinite(drawn)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")


def _plain(study: Study, coders: Sequence[str]) -> bool:
    """Whether agreement is a plain number of successes: two coders who labelled everything."""
    return study.n_coders == 2 and len(coders) == 2 and bool(study.present.all()) and not study.anonymous


def _adjusted_wald(
    name: str, studies: Sequence[Study], chosen: Sequence[Sequence[str]], options: AgreeOptions
) -> Comparison:
    """Two coefficients with known chance: the difference of two proportions of agreement.

    Each proportion has two successes and two failures added, their difference one of each per study.

    References: Agresti and Coull (1998); Agresti and Caffo (2000); Bonett (2022) for the G-index.
    """
    size = studies[0].n_categories
    if any(study.n_categories != size for study in studies) and name != "percent_agreement":
        raise InvalidInputError("Both files must have the same categories; declare them with --categories.")
    scale, shift = (1.0, 0.0) if name == "percent_agreement" else (size / (size - 1), 1 / (size - 1))
    agreed = [float(s.weights[s.codes[:, 0] == s.codes[:, 1]].sum()) for s in studies]
    items = [s.n_items for s in studies]
    z = float(ndtri((1 + options.level) / 2))
    sides = [
        _wald_side(names, f, n, scale, shift, options.level) for names, f, n in zip(chosen, agreed, items, strict=True)
    ]
    nearer = [(f + 1) / (n + 2) for f, n in zip(agreed, items, strict=True)]
    error = sqrt(sum(p * (1 - p) / (n + 2) for p, n in zip(nearer, items, strict=True)))
    middle = nearer[0] - nearer[1]
    return Comparison(
        coefficient=name,
        a=sides[0],
        b=sides[1],
        difference=sides[0].value - sides[1].value,
        standard_error=sqrt(sides[0].standard_error ** 2 + sides[1].standard_error ** 2),
        interval=Interval(
            low=scale * (middle - z * error),
            high=scale * (middle + z * error),
            level=options.level,
            method=ADJUSTED_WALD,
        ),
        p_value=float(2 * ndtr(-abs(middle) / error)),
        paired=False,
        reference=None,
        draws=None,
        seed=None,
    )


def _wald_side(coders: Sequence[str], agreed: float, n: float, scale: float, shift: float, level: float) -> Side:
    share, nearer = agreed / n, (agreed + 2) / (n + 4)
    reach = float(ndtri((1 + level) / 2)) * sqrt(nearer * (1 - nearer) / (n + 4))
    return Side(
        coders=tuple(coders),
        value=scale * share - shift,
        standard_error=scale * sqrt(share * (1 - share) / n),
        interval=Interval(
            low=scale * (nearer - reach) - shift,
            high=scale * (nearer + reach) - shift,
            level=level,
            method=ADJUSTED_WALD,
        ),
        items=round(n),
    )


def _verdict(found: Comparison) -> str:
    if found.note is not None:
        return f"There is nothing to compare. {found.note}"
    low, high = found.interval
    if low > 0 or high < 0:
        verdict = f"Side {'a' if found.difference > 0 else 'b'} agrees better"
    else:
        verdict = "The data do not tell which side agrees better"
    how = "the same items, paired" if found.paired else "two independent studies"
    return (
        f"{verdict}: the difference in {found.coefficient} is {found.difference:.3f}, with {found.interval.level:.0%} "
        f"confidence between {low:.3f} and {high:.3f} (p = {found.p_value:.3g}; {how}; {found.interval.method})."
    )


def _line(name: str, side: Side, reference: str | None) -> str:
    low, high = side.interval
    who = (", ".join(side.coders) or "all") + (f" with {reference}" if reference else "")
    value = "undefined" if isnan(side.value) else f"{side.value:.3f}"
    reach = "" if isnan(low) else f" [{low:.3f}, {high:.3f}]"
    return f"  {name} ({who}): {value}{reach}, {side.items:,} items"
