"""The results of an evaluation; names of fields are keys of the JSON."""

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Reals
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, warnings_first
from concurrence.core.values import value

ALONG_N = (
    "precision", "low", "high", "sampled", "true_positives", "recall", "recall_low", "recall_high", "local_precision",
    "p_baseline",
)  # fmt: skip
"""The numbers of a curve that run along the list sizes."""
BETTER, ABOVE_BASELINE, BELOW_BASELINE = "better", "above_baseline", "below_baseline"
"""The kinds of findings."""


@value
class Baseline:
    """The share of true positives in the whole list: what a random choice of candidates would give."""

    value: float
    interval: tuple[float, float]
    note: str | None = None


@value
class AveragePrecision:
    """The mean precision at the ranks of the true positives.

    ``note`` says why there is no value, no interval, or one that is not ``trusted`` to hold as often as it says.
    """

    value: float
    interval: tuple[float, float] | None
    note: str | None = None
    trusted: bool = True


@value
class Tie:
    """A list size that falls inside a run of equal scores, and how many candidates share that score."""

    n: int
    size: int


@value
class TieDraws:
    """What the precision was when ties were broken at random, over the draws: a check of the exact averages."""

    draws: int
    precision: Reals
    standard_deviation: Reals
    low: Reals
    high: Reals


@value
class Proxy:
    """What a judgement of every candidate by a model adds to people's judgement of a sample."""

    column: str
    precision: Reals
    low: Reals
    high: Reals
    width_ratio: Reals


@value
class FixedLook:
    """The limits of the intervals that hold if this is the only look."""

    low: Reals
    high: Reals


@value
class Curve:
    """The n-best lists of one measure; arrays run along ``n``, shares are between 0 and 1."""

    n: Integers
    precision: Reals
    low: Reals
    high: Reals
    sampled: NDArray[np.generic]
    true_positives: NDArray[np.generic]
    recall: Reals
    recall_low: Reals
    recall_high: Reals
    local_precision: Reals
    p_baseline: Reals
    average_precision: AveragePrecision
    ties: tuple[Tie, ...] = ()
    filter_size: int | None = None
    pointwise_level: float | None = None
    coder_share_of_width: Reals | None = None
    tie_draws: TieDraws | None = None
    proxy: Proxy | None = None
    true_precision: Reals | None = None
    fixed: FixedLook | None = None


@value
class Region:
    """A stretch of list sizes over which one measure is significantly better, all pairs and sizes considered."""

    start: int
    end: int
    better: str


@value
class PrecisionDifference:
    """The precision of one measure minus that of another along ``n``, with the limits of its interval."""

    value: Reals
    low: Reals
    high: Reals


@value
class MeasureComparison:
    """Two measures compared on their difference sets: the candidates that only one of the lists has.

    ``detectable`` is the smallest difference in precision that the test would have called significant with as
    many judgements and as many true positives in the difference sets, NaN where there is none. ``p`` is of one list
    size of one pair alone, ``p_corrected`` (on request), ``regions`` and ``sentence`` are for all pairs and sizes
    together. ``difference`` is the precision of ``a`` minus that of ``b``.
    """

    a: str
    b: str
    n: Integers
    overlap: NDArray[np.generic]
    sampled_a: NDArray[np.generic]
    sampled_b: NDArray[np.generic]
    true_a: NDArray[np.generic]
    true_b: NDArray[np.generic]
    p: Reals
    p_corrected: Reals | None
    better: tuple[str | None, ...]
    detectable: Reals
    regions: tuple[Region, ...]
    sentence: Sentence
    difference: PrecisionDifference | None = None


@value
class Finding:
    """What is shown of some measures, at which list sizes, and in words; it holds for all that was looked at together.

    ``code`` is ``better`` (the first measure is better than the second), ``above_baseline`` or ``below_baseline``.
    """

    code: str
    measures: tuple[str, ...]
    sizes: tuple[int, ...]
    text: str


@value
class BestMeasure:
    """The measure of highest precision at one n, and those not shown to be worse, all pairs and sizes considered."""

    n: int
    measure: str
    not_significantly_worse: tuple[str, ...]


@value
class Above:
    """The largest list whose precision, and whose lower bound, reaches a value."""

    measure: str
    value: float
    n: int | None
    n_lower_bound: int | None


@value
class Data:
    """What was evaluated."""

    candidates: int
    judged: int
    true_positives: int
    design: str
    strata: int
    tie_seed: int


@value
class Method:
    """How numbers were made, since each of them could be made otherwise."""

    interval: str
    band: str
    level: float
    test: str
    alternative: str
    correction: str | None
    window: int
    anytime: bool = False


@value
class Learned:
    """A ranking learned from the judgements, named ``learned`` among the measures.

    ``weights`` are the means of each measure's weight over the ``models``; each candidate was scored by a model that
    saw no judged candidate with one of its words, which were dealt into ``folds``.
    """

    measures: tuple[str, ...]
    folds: int
    models: int
    judged: int
    weights: dict[str, float]


@value
class Evaluation(Result):
    """Which measure finds true positives here, and how sure that is.

    ``findings`` say which measures differ, and where, corrected for all pairs and sizes; headlines are made of them.
    ``sentences`` say in words what the numbers allow to say; those to heed are ``warnings``, too. ``chart_by``
    says whether its chart runs along ``n`` or along ``recall``; ``titles`` are the names under which people read of
    the measures, where these differ from the columns' names.
    """

    data: Data
    method: Method
    baseline: Baseline
    measures: dict[str, Curve]
    comparisons: tuple[MeasureComparison, ...]
    best: tuple[BestMeasure, ...]
    findings: tuple[Finding, ...] = ()
    above: tuple[Above, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    kinds: dict[str, "Evaluation"] = field(default_factory=dict)
    chart_by: str = "n"
    titles: dict[str, str] = field(default_factory=dict)
    learned: Learned | None = None

    def __str__(self) -> str:
        return "\n".join(map(str, warnings_first(self.sentences)))


@value
class Evaluations(Result):
    """Several data sets, each evaluated by itself, to be seen side by side."""

    data_sets: dict[str, Evaluation]
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return "\n".join(f"{name}: {evaluation}" for name, evaluation in self.data_sets.items())
