"""The table of coefficients: one row each, from which results, help, menus and property tests come.

How to use it, for one study or for thousands of resampled ones::

    study = Study.of(labels, metric=..., agreement_weights=..., convention="items")
    row = COEFFICIENTS["krippendorff_alpha"]
    row.values(study, study.weights)     # the coefficient itself, a 0-d array
    row.values(study, draws)             # draws (B, patterns): B values, NaN where undefined
    row.parts(study, draws)              # the same as observed and expected agreement (or disagreement)
    row.standard_error(study)            # analytic, where the row has an influence function
    row.why_undefined(study)             # a sentence, or None

``study.weights`` holds the number of items of each distinct pattern, so a bootstrap draw is
``rng.multinomial(n_items, study.weights / n_items, size=B).astype(float)``, the jackknife is
``study.weights - np.eye(len(study.weights))`` (weighing value i by ``study.weights[i]``), and a group of
items is any other vector. ``row.influence(study)`` is what one item of each pattern adds to the value
(times n, mean zero): the empirical influence that BCa's acceleration and paired comparisons need.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement import alpha, paired, pooled
from concurrence.agreement.study import Study, total
from concurrence.core import UnknownNameError
from concurrence.kernels.chance import corrected, ratio

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coefficient:
    """What a coefficient is called, how it is computed, and what it needs.

    ``coders``: ``two`` exactly, ``known`` (who gave which label matters) or ``any``. ``weighted``: it gives
    partial credit by the study's agreement weights. ``counts_categories``: declared but unused categories
    change it. ``error``: whose standard error it has. ``measures``: whether its parts are agreements.
    """

    name: str
    title: str
    symbol: str
    evaluate: Callable[[Study, Array], tuple[Array, Array]]
    influence: Callable[[Study], Array]
    error: Literal["fleiss_cohen_everitt", "gwet_t", "jackknife"]
    coders: Literal["two", "known", "any"] = "any"
    weighted: bool = False
    counts_categories: bool = False
    corrects_for_chance: bool = True
    measures: Literal["agreement", "disagreement"] = "agreement"
    reference: str

    def parts(self, study: Study, weights: Array) -> tuple[Array, Array]:
        """Observed and expected agreement (or disagreement), a batch of weights at a time."""
        if len(study.codes) == 0:
            nothing = np.full(weights.shape[:-1], np.nan)
            return nothing, nothing
        return self.evaluate(study, weights)

    def values(self, study: Study, weights: Array) -> Array:
        """The coefficient for each vector of pattern weights, NaN where undefined."""
        observed, expected = self.parts(study, weights)
        if self.measures == "agreement":
            return corrected(observed, expected)
        return 1 - ratio(observed, np.where(expected < 1e-13, 0.0, expected))

    def items_used(self, study: Study) -> float:
        """How many items the coefficient rests on."""
        if self.coders == "two":
            return float(study.weights[paired.complete(study)].sum())
        return float(study.weights[study.pairable].sum())

    def sample_size(self, study: Study) -> float:
        """The number of items in its standard error."""
        if self.error == "fleiss_cohen_everitt" and study.n_coders == 2:
            return float(study.weights[paired.complete(study)].sum())
        if self.measures == "disagreement":
            return float(study.weights[study.pairable].sum())
        return study.n_items if self.error == "jackknife" else study.labelled

    def standard_error(self, study: Study) -> float:
        """The analytic (non-null) standard error; NaN where there is none.

        The variance is divided by n for two coders who labelled every item, as Fleiss, Cohen & Everitt and
        Gwet's two-coder formulas have it, and by n - 1 otherwise, as Gwet's for many coders.
        """
        n, added = self.sample_size(study), self.influence(study)
        two = study.n_coders == 2 and (self.error == "fleiss_cohen_everitt" or bool(study.complete.all()))
        free = n if two else n - 1
        if n <= 1:
            return float("nan")
        return float(np.sqrt(total(study.weights, added**2) / (n * free)))

    def why_undefined(self, study: Study) -> str | None:
        """Why there is no value, in a sentence; ``None`` where there is one."""
        return _unmet_need(self, study) or _no_contrast(self, study)


def coefficient(name: str) -> Coefficient:
    """A row of the table by its name."""
    if name not in COEFFICIENTS:
        raise UnknownNameError("coefficient", name, COEFFICIENTS)
    return COEFFICIENTS[name]


def _unmet_need(row: Coefficient, study: Study) -> str | None:
    if study.n_coders < 2:
        return f"{row.name} is undefined: there is only one coder. Agreement takes two."
    if study.anonymous and row.coders != "any":
        return f"{row.name} has no value for counts of labels: it needs to know which coder gave which label."
    if row.coders == "two" and study.n_coders != 2:
        kin = {"cohen_kappa": "davies_fleiss_kappa or mean_pairwise_kappa", "scott_pi": "fleiss_kappa"}[row.name]
        return f"{row.name} is defined for two coders, and there are {study.n_coders}. Its kin for more is {kin}."
    if row.weighted and study.agreement_weights is None:
        return f"{row.name} has no value without weights. Name some with --weights, or a --scale that has them."
    if row.items_used(study) == 0:
        return f"{row.name} is undefined: no item has labels of two coders."
    if row.counts_categories and study.n_categories < 2:
        return f"{row.name} is undefined: there is only one category. Declare the categories the coders could choose."
    return None


def _no_contrast(row: Coefficient, study: Study) -> str | None:
    if np.isfinite(row.values(study, study.weights)):
        return None
    if row.name == "mean_pairwise_kappa":
        return f"{row.name} is undefined: no pair of coders has a defined kappa."
    return (
        f"{row.name} is undefined: every label is the same category, so chance alone would give this agreement. "
        "Report observed agreement instead."
    )


_ROWS = (
    Coefficient(
        name="percent_agreement",
        title="Percent agreement",
        symbol="P(A)",
        evaluate=pooled.percent_agreement,
        influence=pooled.percent_influence,
        error="gwet_t",
        corrects_for_chance=False,
        reference="gwet2014",
    ),
    Coefficient(
        name="cohen_kappa",
        title="Cohen's kappa",
        symbol="κ",
        evaluate=paired.cohen_kappa,
        influence=paired.cohen_influence,
        error="fleiss_cohen_everitt",
        coders="two",
        reference="cohen1960",
    ),
    Coefficient(
        name="scott_pi",
        title="Scott's pi",
        symbol="π",
        evaluate=paired.scott_pi,
        influence=paired.scott_influence,
        error="fleiss_cohen_everitt",
        coders="two",
        reference="scott1955",
    ),
    Coefficient(
        name="fleiss_kappa",
        title="Fleiss's kappa",
        symbol="κ_F",
        evaluate=pooled.fleiss_kappa,
        influence=pooled.fleiss_influence,
        error="gwet_t",
        reference="fleiss1971",
    ),
    Coefficient(
        name="davies_fleiss_kappa",
        title="Davies & Fleiss's kappa",
        symbol="κ_DF",
        evaluate=paired.davies_fleiss_kappa,
        influence=paired.davies_fleiss_influence,
        error="gwet_t",
        coders="known",
        reference="davies1982",
    ),
    Coefficient(
        name="mean_pairwise_kappa",
        title="Mean pairwise kappa",
        symbol="κ̄",
        evaluate=paired.mean_pairwise_kappa,
        influence=paired.mean_pairwise_influence,
        error="jackknife",
        coders="known",
        reference="light1971",
    ),
    Coefficient(
        name="bennett_s",
        title="Bennett's S",
        symbol="S",
        evaluate=pooled.brennan_prediger,
        influence=pooled.brennan_prediger_influence,
        error="gwet_t",
        counts_categories=True,
        reference="bennett1954",
    ),
    Coefficient(
        name="prevalence_adjusted_kappa",
        title="Prevalence-adjusted kappa",
        symbol="2P(A)-1",
        evaluate=pooled.brennan_prediger,
        influence=pooled.brennan_prediger_influence,
        error="gwet_t",
        counts_categories=True,
        reference="byrt1993",
    ),
    Coefficient(
        name="gwet_ac1",
        title="Gwet's AC1",
        symbol="AC1",
        evaluate=pooled.gwet_ac1,
        influence=pooled.gwet_ac1_influence,
        error="gwet_t",
        counts_categories=True,
        reference="gwet2008",
    ),
    Coefficient(
        name="gwet_ac2",
        title="Gwet's AC2",
        symbol="AC2",
        evaluate=pooled.gwet_ac2,
        influence=pooled.gwet_ac2_influence,
        error="gwet_t",
        weighted=True,
        counts_categories=True,
        reference="gwet2014",
    ),
    Coefficient(
        name="brennan_prediger",
        title="Brennan & Prediger",
        symbol="κ_BP",
        evaluate=pooled.brennan_prediger,
        influence=pooled.brennan_prediger_influence,
        error="gwet_t",
        counts_categories=True,
        reference="brennan1981",
    ),
    Coefficient(
        name="weighted_kappa",
        title="Weighted kappa",
        symbol="κ_w",
        evaluate=paired.weighted_kappa,
        influence=paired.weighted_kappa_influence,
        error="fleiss_cohen_everitt",
        coders="known",
        weighted=True,
        reference="cohen1968",
    ),
    Coefficient(
        name="krippendorff_alpha",
        title="Krippendorff's alpha",
        symbol="α",
        evaluate=alpha.krippendorff_alpha,
        influence=alpha.alpha_influence,
        error="gwet_t",
        measures="disagreement",
        reference="krippendorff2004",
    ),
    Coefficient(
        name="weighted_alpha",
        title="Alpha with agreement weights",
        symbol="α_w",
        evaluate=alpha.weighted_alpha,
        influence=alpha.weighted_alpha_influence,
        error="gwet_t",
        weighted=True,
        measures="disagreement",
        reference="gwet2014",
    ),
)

COEFFICIENTS = {row.name: row for row in _ROWS}
