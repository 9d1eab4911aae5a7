"""Where the analytic interval cannot be trusted, and one that can.

With few items or a rare category the estimate is not normally distributed: at 10 % prevalence and 50 items an
analytic 95 % interval of Cohen's kappa covers the true value in 51 to 88 % of the samples. A posterior over
the label patterns does not lean on that. ``benchmarks/coverage.py`` measures both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.coefficients import coefficient
from concurrence.agreement.study import Study
from concurrence.core import Interval

Array = NDArray[np.float64]

RARE_LABELS = 40.0  # labels outside the commonest category, per coder
RARE_AGREEMENTS = 10.0  # items on which coders agree on another category than the commonest
DISAGREEMENTS = 10.0  # items on which coders differ
PRIOR_ITEMS = 2.0
MOST_PATTERNS = 1024
MOST_CELLS = 1 << 21
METHOD = "dirichlet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Whether analytic intervals deserve their level, and what speaks against it."""

    analytic: bool
    reasons: tuple[str, ...]
    listable: bool = False

    @property
    def sentence(self) -> str | None:
        """What a reader should know, where there is something."""
        if self.analytic:
            return None
        instead = "the posterior interval beside it" if self.listable else "the bootstrap's (--bootstrap 2000)"
        return (
            f"The analytic interval cannot be trusted here, for want of data ({_listed(self.reasons)}); it is probably "
            f"too short, so take {instead}."
        )


def trust_analytic(study: Study) -> Trust:
    """Judge by counts that decide the coverage of analytic intervals.

    From 400 simulated settings (n from 50 to 1,000, prevalence .02 to .5, kappa 0 to .9): coverage is 93 % or
    more where all three counts are reached.
    """
    totals = np.asarray(study.weights @ study.counts)
    if totals.sum() == 0:
        return Trust(analytic=False, reasons=("there are no labels",))
    common = (np.arange(study.n_categories) == totals.argmax()).astype(np.float64)
    outside = float(totals.sum() - totals.max()) / max(float(study.sizes.max()), 1.0)
    of_common = np.asarray(study.counts @ common)
    pairs = np.where(study.pairable, study.sizes * (study.sizes - 1), 1.0)
    per_pair = np.where(study.pairable, study.weights, 0.0) / pairs
    alike = study.squares - study.sizes
    rare_agreed = float(per_pair @ (alike - of_common * (of_common - 1)))
    differing = float(per_pair @ (pairs - alike))
    reasons = (
        _too_few(outside, RARE_LABELS, "label", "labels", "per coder outside the commonest category"),
        _too_few(rare_agreed, RARE_AGREEMENTS, "agreement", "agreements", "on another category than the commonest"),
        _too_few(differing, DISAGREEMENTS, "disagreement", "disagreements", ""),
    )
    found = tuple(reason for reason in reasons if reason)
    return Trust(analytic=not found, reasons=found, listable=_listable(study))


def posterior_intervals(
    study: Study, names: Sequence[str], *, level: float = 0.95, draws: int = 20_000, seed: int = 0
) -> dict[str, Interval]:
    """Intervals from a posterior over all label patterns that two items' worth of prior is spread over.

    For two coders and two categories that is Jeffreys's prior, one half in every cell. There is none where
    labels are missing or where the patterns are too many to be listed; resampling serves there.
    """
    drawn = posterior_draws(study, names, draws=draws, seed=seed)
    return {name: posterior_interval(study, name, values, level=level) for name, values in drawn.items()}


def posterior_draws(study: Study, names: Sequence[str], *, draws: int = 20_000, seed: int = 0) -> dict[str, Array]:
    """Draws of the true value of each coefficient that has one here; none where the patterns are too many."""
    drawn = posterior_weights(study, draws=draws, seed=seed)
    if drawn is None:
        return {}
    rows = [row for row in map(coefficient, names) if row.why_undefined(study) is None]
    return {row.name: row.values(*drawn) for row in rows}


def posterior_interval(study: Study, name: str, drawn: Array, *, level: float = 0.95) -> Interval:
    """The middle of a coefficient's draws."""
    return middle(drawn, float(coefficient(name).values(study, study.weights)), level)


def posterior_weights(study: Study, *, draws: int = 20_000, seed: int = 0) -> tuple[Study, Array] | None:
    """The study with every possible pattern, and draws of how common the patterns are; none where they are too many."""
    if not _listable(study):
        return None
    n_patterns = study.n_categories**study.n_coders
    whole = _every_pattern(study, n_patterns)
    random = np.random.default_rng(seed)
    affordable = min(draws, max(MOST_CELLS // n_patterns, 2000))
    return whole, random.standard_gamma(whole.weights + PRIOR_ITEMS / n_patterns, size=(affordable, n_patterns))


def middle(values: Array, estimate: float, level: float, *, method: str = METHOD) -> Interval:
    """The middle of the draws, stretched to hold the estimate where that lies at the edge of what is possible."""
    low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=min(float(low), estimate), high=max(float(high), estimate), level=level, method=method)


def _listable(study: Study) -> bool:
    few = study.n_categories**study.n_coders <= MOST_PATTERNS
    some = study.n_items > 0 and study.n_categories > 1
    return few and some and bool(study.present.all()) and not study.anonymous


def _too_few(count: float, needed: float, one: str, many: str, where: str) -> str | None:
    if count >= needed:
        return None
    shown = round(count)
    return f"{shown or 'no'} {one if shown == 1 else many} {where}".strip()


def _every_pattern(study: Study, n_patterns: int) -> Study:
    """The study with every possible pattern in it, unseen ones with weight 0."""
    places = study.n_categories ** np.arange(study.n_coders - 1, -1, -1)
    codes = np.arange(n_patterns)[:, None] // places % study.n_categories
    weights = np.bincount(study.codes @ places, weights=study.weights, minlength=n_patterns)
    changed: dict[str, Any] = {"codes": codes, "weights": weights}
    return replace(study, **changed)


def _listed(reasons: Sequence[str]) -> str:
    return " and ".join([", ".join(reasons[:-1]), reasons[-1]] if len(reasons) > 1 else reasons)
