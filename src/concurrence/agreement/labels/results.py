"""Results of an agreement study: values that hold all their numbers and print a line fit for a paper."""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.labels.coefficients.null_tests import OWN_ERROR, NullTest
from concurrence.agreement.labels.coefficients.resampled import Bootstrap
from concurrence.agreement.labels.diagnosis.categories import CategoryAgreement, Confusion
from concurrence.agreement.labels.diagnosis.diagnose import Diagnosis, LeftOut, RankCorrelation
from concurrence.agreement.labels.diagnosis.scales import ScalesMethod
from concurrence.agreement.labels.dual.true_agreement import (
    Bounds,
    TrueAgreement,
    TrueAgreementByCategory,
    read_true_agreement,
)
from concurrence.core import Interval
from concurrence.core.coder_kinds import CoderKind
from concurrence.core.results import Coefficient, CoefficientReport, Result
from concurrence.core.sentences import Sentence
from concurrence.core.values import after, value


@value
class Agreement(Coefficient):
    """A coefficient of agreement on labels.

    ``observed`` and ``expected`` are agreements or, for alpha, disagreements (``measures`` says which). ``items`` were
    used and ``dropped`` could not be; ``convention`` says how labels were compared and weighed. ``p_value`` is that of
    the first of the ``tests``, by ``p_value_method``; ``p_of_chance`` is what may stand in one column with other
    coefficients.
    """

    synonyms: tuple[str, ...] = after("title")
    measures: str = after("expected")
    p_value_side: str = after("p_value_method")
    tests: tuple[NullTest, ...] = after("p_value_method")
    items: int = after("p_value_method")
    dropped: int = after("p_value_method")
    convention: str = after("p_value_method")
    sd: float | None = None
    bootstrap: Bootstrap | None = None

    @property
    def p_of_chance(self) -> float:
        """The p-value on the error that holds where the true value is 0; NaN where there is no such test."""
        return float("nan") if self.p_value_method in OWN_ERROR else self.p_value


@value
class StudyData:
    """What was studied: counts, and the names of coders and categories."""

    items: int
    coders: tuple[str, ...]
    categories: tuple[str, ...]
    labels: int
    missing: int
    dropped: int
    categories_declared: bool
    anonymous: bool
    convention: str
    scale: str


@value
class PairAgreement:
    """Two coders on the items both labelled; ``confusion`` has the first coder's categories as rows."""

    coders: tuple[str, str]
    items: int
    percent_agreement: float
    cohen_kappa: float
    scott_pi: float
    confusion: NDArray[np.int64] | None
    proportions: NDArray[np.float64] | None = None
    marginals: dict[str, NDArray[np.float64]] | None = None


@value
class ExpertRow:
    """A coder against the expert; ``size`` is that of the homogeneity interval, ``group`` by its lower bound."""

    coder: str
    items: int
    cohen_kappa: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None
    homogeneity: Bounds
    conservative: Bounds
    size: float
    group: str | None
    by_category: dict[str, TrueAgreement] | None = None
    note: str | None = None


@value
class ExpertTable:
    """Every coder against a chosen expert, best kappa first."""

    coder: str
    rows: tuple[ExpertRow, ...]
    cuts: tuple[float, ...]


@value
class AgreementTable:
    """How many coders gave each item each category."""

    items: tuple[str, ...]
    categories: tuple[str, ...]
    counts: NDArray[np.int64]


@value
class MemberAgreement:
    """One label of set-valued labels: whether it is in the set or not.

    ``count`` sets hold it, which is the ``share`` of all sets. Of the ``given`` times that one coder gave it where
    another labelled the item too, the other gave it as well (``specific_agreement`` is the share of these), ``omitted``
    it and gave no other label in its place, or ``replaced`` it. ``kappa`` is Fleiss's of *in the set or not*.
    """

    count: int
    share: float
    specific_agreement: float
    given: int
    omitted: int
    replaced: int
    kappa: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None
    note: str | None


@value
class OmissionLean:
    """Two coders of whom one gives smaller sets: on so many items the first only left out labels of the second."""

    coders: tuple[str, str]
    this_way: int
    other_way: int
    p_value: float


@value
class SetAgreement:
    """Agreement on labels that are sets, label by label.

    ``alpha`` is Krippendorff's by distance. ``differing`` pairs of sets are not the same; in ``omissions`` of them one
    set holds all of the other, so that labels were left out and none replaced. ``confused`` are the labels that stand
    for each other in the rest, where a pair of sets counts once. ``leans`` are the pairs of coders, of those
    ``tested``, in which one leaves out more than the other.
    """

    mean_size: float
    alpha: dict[str, Agreement]
    labels: dict[str, MemberAgreement]
    differing: int
    omissions: int
    confused: tuple[Confusion, ...]
    leans: tuple[OmissionLean, ...]
    tested_pairs: int
    sentences: tuple[Sentence, ...]

    @property
    def drawn(self) -> bool:
        """Whether an interval rests on random draws."""
        methods = {one.interval_method for one in self.labels.values()}
        methods |= {one.interval_method for one in self.alpha.values()}
        return bool(methods & {"posterior", "bootstrap_bca"})


@value
class GroupOfCoders:
    """The coders of a group, how often they use each category, and their agreement where there are two of them."""

    coders: tuple[str, ...]
    shares: dict[str, float]
    krippendorff_alpha: Agreement | None


@value
class CoderGroups:
    """Agreement of two coders ``within`` a group and ``between`` groups, as shares of the pairs of labels of an item.

    ``difference`` compares labels of the same items, since groups need not share all; ``interval`` is for these coders,
    from resampled items, and ``trusted`` where there are enough of them. ``p_value`` is the share of assignments of the
    coders to groups of these sizes with so large a difference, all of them (``exact``) or drawn ones
    (``permutation``); it cannot be less than ``smallest_p_value``.
    """

    groups: dict[str, GroupOfCoders]
    within: float
    between: float
    difference: float
    interval: Interval
    interval_method: str | None
    trusted: bool
    p_value: float
    p_value_method: str | None
    smallest_p_value: float
    without_group: tuple[str, ...]
    sentences: tuple[Sentence, ...]


@value
class AgreementReport(CoefficientReport[Agreement]):
    """All that ``agree`` found: ``report["cohen_kappa"]`` is one coefficient, ``leading`` the one to tell first.

    ``sentences`` are the answer in words, ``diagnosis`` says where it comes from. ``scales`` is by scale, coefficient
    and word. ``apa`` is one sentence for a paper. ``seed`` is given where an interval rests on random draws.
    ``sets`` is there where labels are sets, ``coder_groups`` where groups were given. ``coders`` says of each coder
    whether it is a person, a model or a scorer.
    """

    data: StudyData
    coefficients: dict[str, Agreement]
    leading: str
    pairs: tuple[PairAgreement, ...]
    true_agreement: TrueAgreement | TrueAgreementByCategory | None = field(metadata={"from_json": read_true_agreement})
    categories: dict[str, CategoryAgreement]
    diagnosis: Diagnosis
    leave_one_out: tuple[LeftOut, ...]
    spearman: RankCorrelation | None
    scales: dict[str, dict[str, dict[str, float]]]
    scales_method: ScalesMethod
    scale_bands: dict[str, dict[str, str]]
    scales_sentences: tuple[Sentence, ...]
    level: float
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    apa: str | None = None
    expert: ExpertTable | None = None
    agreement_table: AgreementTable | None = None
    sets: SetAgreement | None = None
    coder_groups: CoderGroups | None = None
    coders: dict[str, CoderKind] = after("data", default_factory=dict)


@value
class Pooled:
    """A coefficient from observed and expected agreement summed over the groups, each weighted by its items.

    The interval takes the groups as a sample (delta method over groups).
    """

    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval | None
    interval_method: str | None
    items: int
    groups: int


@value
class GroupedReport(Result):
    """One report per group of items; what the groups give ``pooled``, and the simple ``mean`` of their values.

    ``mean_over`` groups have a value; ``sd`` (ddof 1) is the spread between them. All intervals take the groups as a
    sample of groups.
    """

    groups: dict[str, AgreementReport]
    pooled: dict[str, Pooled]
    mean: dict[str, float]
    mean_over: dict[str, int]
    mean_interval: dict[str, Interval | None]
    sd: dict[str, float]
    leading: tuple[str, ...]
    level: float
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))
