"""How many studies have an interval no wider than planned: the share that ``concur plan`` assures.

Two coders label as many items as the plan asks for, with the disagreements that make the spread of kappa largest or
with even ones; a list with the planned precision is sampled with as many judgements as the plan asks for. The interval
is the one that ``agree`` or ``evaluate`` prints. Nominal is the assurance, not a coverage.
"""

from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.trust.settings import Said, Setting
from concurrence.agreement.labels.assess import assess_coefficient, study_evidence
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core import Labels
from concurrence.core.judgements import Judgements
from concurrence.evaluation.curves import curve
from concurrence.evaluation.lists import Counter
from concurrence.evaluation.options import EvaluateOptions, choose_method
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.kernels.ranking import Ranking
from concurrence.kernels.strata import SampledList
from concurrence.sampling.agreement_plan import items_for_width, worst_table
from concurrence.sampling.frame import Frame, make_frame
from concurrence.sampling.options import PrecisionPlanOptions
from concurrence.sampling.precision_plan import plan_precision
from support.ranking_twins import ranking_of
from support.simulated_lists import simulated_list


@dataclass(frozen=True, kw_only=True)
class Kappa:
    """Two coders as planned for; their disagreements are the worst or even."""

    shares: tuple[float, ...]
    kappa: float
    width: float
    assurance: float = 0.8
    worst: bool = True
    coefficient: str = "cohen_kappa"

    def __str__(self) -> str:
        categories = ", ".join(f"{share:g}" for share in self.shares)
        wish = f"width {self.width:g} in {self.assurance:.0%}"
        return f"shares {categories}, kappa {self.kappa:g}, {wish}, {'worst' if self.worst else 'even'} disagreements"


@cache
def planned_items(study: Kappa) -> tuple[int, NDArray[np.float64]]:
    """How many items the plan asks for, and the table from which they are drawn."""
    plan = items_for_width(study.shares, kappa=study.kappa, width=study.width, assurance=study.assurance)
    shares = np.array(study.shares)
    even = study.kappa * np.diag(shares) + (1 - study.kappa) * np.outer(shares, shares)
    return plan.items, worst_table(shares, study.kappa) if study.worst else even


def agreement_width(study: Kappa, random: np.random.Generator) -> Said:
    """Whether the interval of a coefficient is as narrow as planned."""
    items, table = planned_items(study)
    size = len(study.shares)
    cells = random.multinomial(items, table.ravel())
    codes = np.stack(np.divmod(np.repeat(np.arange(size**2), cells), size), axis=1).astype(np.int32)
    labels = Labels(codes=codes, categories=tuple(f"c{k}" for k in range(size)), coders=("a", "b"))
    row, counted = COEFFICIENTS[study.coefficient], LabelStudy.of(labels)
    evidence = study_evidence(labels, counted, [row], AgreeOptions())
    low, high = assess_coefficient(row, counted, labels, evidence)[0].interval
    return Said(holds=None if np.isnan(high) else bool(high - low <= study.width + 1e-9))


@dataclass(frozen=True, kw_only=True)
class Precision:
    """Lists of two rankings of ``size`` candidates, and how they are sampled.

    True ones are anywhere in the lists, or higher ranks are true more often (``falling``), and the precision follows.
    """

    design: str
    n: int
    precision: float
    width: float
    size: int = 5000
    assurance: float = 0.8
    falling: bool = False

    def __str__(self) -> str:
        how = "true ones at the top" if self.falling else f"precision {self.precision:g}"
        return f"{self.design}, n = {self.n:,} of {self.size:,}, {how}, width {self.width:g} in {self.assurance:.0%}"


@cache
def planned_sample(study: Precision) -> tuple[NDArray[np.bool_], dict[str, Ranking], Frame, NDArray[np.int64]]:
    """Which candidates are true, the rankings, the frame, and how many of each stratum are drawn."""
    quality, true = (1.5, study.precision / 2) if study.falling else (0.0, study.precision)
    truth, scores = simulated_list([quality, quality], size=study.size, true=round(study.size * true))
    rankings = {name: ranking_of(row) for name, row in zip("ab", scores, strict=True)}
    keys = pl.DataFrame({"l1": [f"{i:06d}" for i in range(study.size)]})
    precision = float(truth[rankings["a"].ranks <= study.n].mean())
    options = PrecisionPlanOptions(n=[study.n], precision=[precision], width=[study.width], assurance=study.assurance)
    (plan,) = plan_precision(options, rankings=rankings)
    design, _, by = study.design.partition(", ")
    frame = make_frame(keys, rankings, design=design, best=[study.n], strata=by or "cells")
    return truth, rankings, frame, frame.allocation(plan.judgements[study.design])


def precision_width(study: Precision, random: np.random.Generator) -> Said:
    """Whether the interval of the precision of a list is as narrow as planned."""
    truth, rankings, frame, allocation = planned_sample(study)
    if not study.falling:
        inside = np.flatnonzero(rankings["a"].ranks <= study.n)
        truth = truth.copy()
        truth[inside] = random.permutation(truth[inside])
    times = np.zeros(study.size, dtype=np.int32)
    for h, number in enumerate(allocation):
        times[random.choice(np.flatnonzero(frame.stratum == h), number, replace=False)] = 1
    judgements = Judgements(verdicts=np.where(times > 0, truth, -1).astype(np.int8))
    design = SampledList(kind=frame.design, stratum=frame.stratum, times=times)
    counter = Counter(n=np.array([study.n]), design=design, judgements=judgements)
    points = curve(rankings["a"], counter, counter.whole(), choose_method(EvaluateOptions(), design))
    return Said(holds=bool(points.high[0] - points.low[0] <= study.width + 1e-9))


EVEN, SKEWED, THREE = (0.5, 0.5), (0.9, 0.1), (0.2, 0.25, 0.55)
AGREEMENT = (
    *(Kappa(shares=EVEN, kappa=0.7, width=width) for width in (0.1, 0.2, 0.4, 0.6)),
    *(Kappa(shares=EVEN, kappa=0.9, width=width) for width in (0.2, 0.3)),
    *(Kappa(shares=SKEWED, kappa=0.6, width=width) for width in (0.2, 0.4)),
    *(Kappa(shares=THREE, kappa=0.6, width=0.2, worst=worst) for worst in (True, False)),
    Kappa(shares=EVEN, kappa=0.3, width=0.3),
    Kappa(shares=(0.95, 0.05), kappa=0.8, width=0.3),
    Kappa(shares=(0.2,) * 5, kappa=0.7, width=0.2),
    Kappa(shares=EVEN, kappa=0.7, width=0.2, assurance=0.95),
    Kappa(shares=SKEWED, kappa=0.6, width=0.3, coefficient="scott_pi"),
    Kappa(shares=THREE, kappa=0.8, width=0.2, coefficient="krippendorff_alpha"),
)
PRECISION = (
    *(Precision(design="simple", n=n, precision=p, width=w) for n, p, w in ((500, 0.3, 0.1), (100, 0.05, 0.2))),
    *(Precision(design="union", n=n, precision=p, width=w) for n, p, w in ((500, 0.3, 0.1), (1000, 0.5, 0.05))),
    *(
        Precision(design=design, n=n, precision=p, width=w, falling=falling)
        for design in ("strata, bands", "strata, cells")
        for n, p, w in ((500, 0.3, 0.1), (200, 0.1, 0.1), (400, 0.7, 0.1))
        for falling in (False, True)
    ),
    Precision(design="strata, bands", n=500, precision=0.3, width=0.1, assurance=0.95),
)
SETTINGS: tuple[Setting, ...] = (
    *(
        Setting(
            room="plans",
            statistic=f"width of the interval of {COEFFICIENTS[study.coefficient].title}",
            where=str(study),
            simulate=partial(agreement_width, study),
            nominal=study.assurance,
        )
        for study in AGREEMENT
    ),
    *(
        Setting(
            room="plans",
            statistic="width of the interval of precision",
            where=str(study),
            simulate=partial(precision_width, study),
            nominal=study.assurance,
        )
        for study in PRECISION
    ),
)
