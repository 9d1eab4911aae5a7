"""The table of coefficients: everything about a coefficient stands on its row.

A coefficient says how pairs of labels weigh and what chance alone would give. From the row come its values and
errors, its tests and intervals, help, pages, JSON and the properties it is tested for; merging searches by the same
rows. To add one, add a row.
"""

from dataclasses import dataclass
from typing import Literal

from concurrence.core.errors import UnknownNameError
from concurrence.kernels.chance import CODERS, DRAWN, GWET, NOTHING, POOLED, UNIFORM, Chance

Weighing = Literal["both", "item", "coincidence", "mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientRow:
    """What a coefficient is called, how it is computed, and what it needs.

    ``pairs`` says what weighs alike: the items that ``both`` of two coders labelled, every ``item`` with two labels
    (or every pair of labels, by the convention), every pairable label (``coincidence``), or every two coders
    (``mean``). ``coders``: ``two`` exactly, ``known`` (who gave which label matters) or ``any``; ``for_more`` are the
    coefficients for more than two. ``weighted``: it gives partial credit. ``counts_categories``: declared but unused
    categories change it. ``measures``: what its two parts are, agreement (beyond chance), disagreement, or areas of
    which one holds the other. ``error``: whose standard error it has;
    ``null_tests``: the tests that it is 0, the default first. ``synonyms`` are other names of the same number,
    ``of_two`` is the coefficient that it equals for two coders.
    """

    name: str
    title: str
    symbol: str
    words: str
    formula: str
    reference: str
    pairs: Weighing
    chance: Chance
    coders: Literal["two", "known", "any"] = "any"
    for_more: tuple[str, ...] = ()
    weighted: bool = False
    counts_categories: bool = False
    measures: Literal["agreement", "disagreement", "area"] = "agreement"
    error: Literal["fleiss_cohen_everitt", "gwet_t", "jackknife"] = "gwet_t"
    null_tests: tuple[str, ...] = ("gwet_t",)
    synonyms: tuple[str, ...] = ()
    of_two: str | None = None

    @property
    def tests_independence(self) -> bool:
        """Whether 0 is what coders give who label independently of each other, each by their own habits."""
        return self.chance in (POOLED, CODERS, DRAWN) and bool(self.null_tests)

    @property
    def corrects_for_chance(self) -> bool:
        """Whether 0 is what chance would give."""
        return self.chance is not NOTHING and self.measures != "area"


_ROWS = (
    CoefficientRow(
        name="percent_agreement",
        title="Percent agreement",
        symbol="P(A)",
        words="The share of pairs of labels that agree; nothing is taken off for chance. The sum is over the n items "
        "with two labels or more; item i has n_i labels, n_ik of them in category k.",
        formula=r"A_o = \frac{1}{n} \sum_i \sum_k \frac{n_{ik} (n_{ik} - 1)}{n_i (n_i - 1)}, \quad A_e = 0",
        reference="gwet2014",
        pairs="item",
        chance=NOTHING,
        null_tests=(),
    ),
    CoefficientRow(
        name="cohen_kappa",
        title="Cohen's kappa",
        symbol="κ",
        words="Chance follows each coder's own habits.",
        formula=r"A_e = \sum_k p_{k\cdot} p_{\cdot k}",
        reference="cohen1960",
        pairs="both",
        chance=CODERS,
        coders="two",
        for_more=("davies_fleiss_kappa", "mean_pairwise_kappa"),
        error="fleiss_cohen_everitt",
        null_tests=("fleiss_cohen_everitt", "cohen_1960"),
    ),
    CoefficientRow(
        name="scott_pi",
        title="Scott's pi",
        symbol="π",
        words="Chance follows the habits both share.",
        formula=r"A_e = \sum_k ((p_{k\cdot}+p_{\cdot k})/2)^2",
        reference="scott1955",
        pairs="both",
        chance=POOLED,
        coders="two",
        for_more=("fleiss_kappa",),
        error="fleiss_cohen_everitt",
        null_tests=("fleiss_cohen_everitt", "siegel_castellan_1988"),
    ),
    CoefficientRow(
        name="fleiss_kappa",
        title="Fleiss's kappa",
        symbol="κ_F",
        words="Chance follows the habits of all coders together.",
        formula=r"A_e = \sum_k \pi_k^2",
        reference="fleiss1971",
        pairs="item",
        chance=POOLED,
        null_tests=("fleiss_nee_landis_1979", "siegel_castellan_1988", "gwet_t"),
        of_two="scott_pi",
    ),
    CoefficientRow(
        name="davies_fleiss_kappa",
        title="Davies & Fleiss's kappa",
        symbol="κ_DF",
        words="Every coder keeps their own habits; chance is the mean over all pairs of coders. There are C coders, "
        "and p_ck is the share of category k among the labels of coder c.",
        formula=r"A_e = \frac{2}{C (C - 1)} \sum_{c < d} \sum_k p_{ck} p_{dk}",
        reference="davies1982",
        pairs="item",
        chance=CODERS,
        coders="known",
        of_two="cohen_kappa",
    ),
    CoefficientRow(
        name="mean_pairwise_kappa",
        title="Mean pairwise kappa",
        symbol="κ̄",
        words="Cohen's kappa of each pair of coders, averaged; no single chance belongs to it.",
        formula=r"\bar\kappa = \frac{2}{C (C - 1)} \sum_{c < d} \kappa_{cd}",
        reference="light1971",
        pairs="mean",
        chance=CODERS,
        coders="known",
        error="jackknife",
        null_tests=("jackknife",),
        of_two="cohen_kappa",
    ),
    CoefficientRow(
        name="bennett_s",
        title="Bennett's S",
        symbol="S",
        words="Chance picks each of the K declared categories alike: Brennan & Prediger's coefficient, Randolph's "
        "free-marginal kappa. For two categories this is 2 P(A) - 1, the prevalence-adjusted kappa.",
        formula=r"A_e = 1 / K, \quad S = (K A_o - 1) / (K - 1)",
        reference="bennett1954",
        pairs="item",
        chance=UNIFORM,
        counts_categories=True,
        null_tests=("exact", "gwet_t"),
        synonyms=("prevalence_adjusted_kappa", "brennan_prediger"),
    ),
    CoefficientRow(
        name="bangdiwala_b",
        title="Bangdiwala's B",
        symbol="B",
        words="In the agreement chart every category is a rectangle as wide and high as the two coders use it; B is "
        "the share of these areas that the squares of agreement fill. n_kk items were given category k by both coders.",
        formula=r"B = \frac{\sum_k n_{kk}^2}{\sum_k n_{k\cdot} n_{\cdot k}}",
        reference="bangdiwala1988",
        pairs="both",
        chance=CODERS,
        coders="two",
        for_more=("fleiss_kappa",),
        measures="area",
        null_tests=(),
    ),
    CoefficientRow(
        name="gwet_ac1",
        title="Gwet's AC1",
        symbol="AC1",
        words="Chance is at work on hard items alone; K is the number of declared categories.",
        formula=r"A_e = \frac{1}{K - 1} \sum_k \pi_k (1 - \pi_k)",
        reference="gwet2008",
        pairs="item",
        chance=GWET,
        counts_categories=True,
    ),
    CoefficientRow(
        name="gwet_ac2",
        title="Gwet's AC2",
        symbol="AC2",
        words="AC1 with partial credit for near misses: w is 1 on the diagonal and between 0 and 1 elsewhere.",
        formula=r"A_e = \frac{\sum_{kl} w_{kl}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k)",
        reference="gwet2014",
        pairs="item",
        chance=GWET,
        weighted=True,
        counts_categories=True,
    ),
    CoefficientRow(
        name="weighted_kappa",
        title="Weighted kappa",
        symbol="κ_w",
        words="Cohen's kappa with partial credit; for more coders, chance is the mean over pairs of coders.",
        formula=r"A_o = \sum_{kl} w_{kl} p_{kl}, \quad A_e = \sum_{kl} w_{kl} p_{k\cdot} p_{\cdot l}",
        reference="cohen1968",
        pairs="both",
        chance=CODERS,
        coders="known",
        weighted=True,
        error="fleiss_cohen_everitt",
        null_tests=("fleiss_cohen_everitt", "gwet_t"),
    ),
    CoefficientRow(
        name="krippendorff_alpha",
        title="Krippendorff's alpha",
        symbol="α",
        words="One minus observed over expected disagreement, by the metric of the scale. o is the matrix of "
        "coincidences of the n pairable labels, n_k its sums.",
        formula=r"\alpha = 1 - D_o / D_e, \quad D_o = \frac{1}{n} \sum_{kl} o_{kl} \delta^2_{kl}, "
        r"\quad D_e = \frac{1}{n (n - 1)} \sum_{kl} n_k n_l \delta^2_{kl}",
        reference="krippendorff2004",
        pairs="coincidence",
        chance=DRAWN,
        measures="disagreement",
    ),
    CoefficientRow(
        name="weighted_alpha",
        title="Alpha with agreement weights",
        symbol="α_w",
        words="Alpha with the distances of the agreement weights, e.g. Gwet's ordinal ones.",
        formula=r"\alpha = 1 - D_o / D_e, \quad \delta^2_{kl} = 1 - w_{kl}",
        reference="gwet2014",
        pairs="coincidence",
        chance=DRAWN,
        weighted=True,
        measures="disagreement",
    ),
)

COEFFICIENTS = {row.name: row for row in _ROWS}


def coefficient(name: str) -> CoefficientRow:
    """A row of the table, by its name or a synonym."""
    if name in COEFFICIENTS:
        return COEFFICIENTS[name]
    by_synonym = {synonym: row for row in COEFFICIENTS.values() for synonym in row.synonyms}
    if name not in by_synonym:
        raise UnknownNameError("coefficient", name, (*COEFFICIENTS, *by_synonym))
    return by_synonym[name]
