"""Results of an agreement study: values that keep their evidence and print a line fit for a paper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.answers import LEADING, answer, grouped_answer
from concurrence.agreement.certainty import Certainty, certainty_of
from concurrence.agreement.resampled import Resampled
from concurrence.agreement.scales import Estimate
from concurrence.agreement.study import Study
from concurrence.agreement.true_agreement import TrueAgreement
from concurrence.core import Interval, Labels, UndefinedError, UnknownNameError
from concurrence.core.notebook import html_sentences, html_table


@dataclass(frozen=True, slots=True, kw_only=True)
class NullTest:
    """A two-sided test that the true value is 0, and the error it rests on."""

    method: str
    standard_error: float
    statistic: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """One coefficient with all that is needed to report it.

    ``observed`` and ``expected`` are agreements or, for alpha, disagreements (``measures`` says which).
    ``n_items`` were used and ``n_dropped`` could not be; ``convention`` says how labels were compared and
    weighed. Where the coefficient is undefined, ``value`` is NaN and ``note`` says why. ``intervals_at``
    answers the interval at any level, by the name of the method; the first is the one to report.
    """

    coefficient: str
    title: str
    value: float
    observed: float
    expected: float
    measures: str
    n_items: int
    n_dropped: int
    convention: str
    level: float
    standard_error: float = float("nan")
    intervals_at: Mapping[str, Callable[[float], tuple[float, float]]] = field(default_factory=dict)
    tests: tuple[NullTest, ...] = ()
    sd: float | None = None
    note: str | None = None
    resampled: Resampled | None = None

    @property
    def interval_method(self) -> str | None:
        """Whose interval ``confidence_interval`` gives unless told; ``None`` where there is none."""
        return next(iter(self.intervals_at), None)

    def confidence_interval(self, level: float | None = None, *, method: str | None = None) -> Interval:
        """The interval at a level, by default the one of the study, by one of the methods of ``intervals_at``."""
        wanted = self.level if level is None else level
        chosen = self.interval_method if method is None else method
        if chosen is None:
            return Interval(low=float("nan"), high=float("nan"), level=wanted, method="none")
        if chosen not in self.intervals_at:
            raise UnknownNameError("interval", chosen, self.intervals_at)
        low, high = self.intervals_at[chosen](wanted)
        return Interval(low=low, high=high, level=wanted, method=chosen)

    @property
    def p_value(self) -> float:
        """Two-sided, on the first null error of ``tests``; NaN where there is none."""
        return self.tests[0].p_value if self.tests else float("nan")

    @property
    def p_value_method(self) -> str | None:
        """Whose null error ``p_value`` rests on."""
        return self.tests[0].method if self.tests else None

    def __str__(self) -> str:
        if np.isnan(self.value):
            return f"{self.coefficient}: undefined ({self.n_items} items)"
        low, high = self.confidence_interval()
        if np.isnan(low):
            return f"{self.coefficient} = {self.value:.3f} ({self.n_items} items)"
        return (
            f"{self.coefficient} = {self.value:.3f} [{low:.3f}, {high:.3f}] ({self.level:.0%} CI, {self.n_items} items)"
        )

    def _repr_html_(self) -> str:
        return html_sentences([f"{self.title}: {self}.", *([self.note] if self.note else [])])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairAgreement:
    """Two coders on the items both labelled; ``confusion`` has the first coder's categories as rows."""

    coders: tuple[str, str]
    items: int
    percent_agreement: float
    cohen_kappa: float
    scott_pi: float
    confusion: NDArray[np.int64] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertRow:
    """A coder against the expert; ``size`` is that of the homogeneity interval, ``group`` by its lower bound."""

    coder: str
    items: int
    cohen_kappa: float
    interval: Interval
    homogeneity: Interval | None
    conservative: Interval | None
    size: float | None
    group: str | None
    by_category: dict[str, TrueAgreement] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpertTable:
    """Every coder against a chosen expert, best kappa first."""

    coder: str
    rows: tuple[ExpertRow, ...]
    cuts: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreementTable:
    """How many coders gave each item each category."""

    items: NDArray[Any]
    categories: tuple[str, ...]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """What a report was made from, for all that is computed on demand."""

    labels: Labels
    study: Study
    scale: str
    seed: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class AgreementReport:
    """All that ``agree`` found: ``report["cohen_kappa"]`` is one coefficient.

    ``true_agreement`` holds one result for two categories and one per category for more; it is empty where
    there are not exactly two coders.
    """

    data: StudyData
    coefficients: dict[str, Agreement]
    pairs: tuple[PairAgreement, ...] = ()
    true_agreement: TrueAgreement | None = None
    true_agreement_by_category: dict[str, TrueAgreement] | None = None
    expert: ExpertTable | None = None
    agreement_table: AgreementTable | None = None
    level: float = 0.95
    notes: tuple[str, ...] = ()
    evidence: Evidence | None = None

    def __getitem__(self, name: str) -> Agreement:
        if name not in self.coefficients:
            raise UnknownNameError("coefficient", name, self.coefficients)
        return self.coefficients[name]

    def certainty(self) -> Certainty | None:
        """Diagnosis, scales and intervals for small samples, made on demand from the evidence."""
        return self._certainty

    @cached_property
    def _certainty(self) -> Certainty | None:
        if self.evidence is None:
            return None
        known = {name: found for name, found in self.coefficients.items() if not np.isnan(found.standard_error)}
        estimates = {
            name: Estimate(value=e.value, standard_error=e.standard_error, interval=e.confidence_interval())
            for name, e in known.items()
        }
        made = self.evidence
        return certainty_of(made.labels, made.study, estimates, scale=made.scale, level=self.level, seed=made.seed)

    @property
    def is_drawn(self) -> bool:
        """Whether an interval rests on random draws, so that the seed belongs to the result."""
        certainty = self.certainty()
        posterior = certainty is not None and bool(certainty.posterior)
        return posterior or any(found.resampled is not None for found in self.coefficients.values())

    def defined(self, name: str) -> Agreement:
        """A coefficient that must have a value; raises the sentence that says why it has none."""
        found = self[name]
        if np.isnan(found.value):
            raise UndefinedError(found.note or f"{name} is undefined.")
        return found

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words."""
        return answer(self)

    def __str__(self) -> str:
        return "\n".join(str(found) for found in self.coefficients.values() if not np.isnan(found.value))

    def _repr_html_(self) -> str:
        defined = [found for found in self.coefficients.values() if not np.isnan(found.value)]
        rows = [(found.title, found.value, *found.confidence_interval(), found.p_value) for found in defined]
        columns = ("", "value", f"{self.level:.0%} from", "to", "p")
        caption = f"{self.data.items:,} items, {len(self.data.coders):,} coders"
        return html_sentences(self.sentences) + html_table(columns, rows, caption=caption)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedReport:
    """One report per group of items, and the simple mean of each coefficient over the groups."""

    groups: dict[str, AgreementReport]

    @property
    def mean(self) -> dict[str, float]:
        """The mean of each coefficient over the groups where it is defined; NaN where it nowhere is."""
        names = dict.fromkeys(name for report in self.groups.values() for name in report.coefficients)
        values = {name: [report[name].value for report in self.groups.values()] for name in names}
        return {name: _mean_of_known(found) for name, found in values.items()}

    @property
    def is_drawn(self) -> bool:
        """Whether an interval rests on random draws, so that the seed belongs to the result."""
        return any(report.is_drawn for report in self.groups.values())

    @property
    def counted(self) -> dict[str, int]:
        """In how many groups each coefficient is defined."""
        names = dict.fromkeys(name for report in self.groups.values() for name in report.coefficients)
        return {name: sum(not np.isnan(r[name].value) for r in self.groups.values()) for name in names}

    @property
    def leading(self) -> tuple[str, ...]:
        """The coefficients that are told first, of those that have a mean."""
        mean = self.mean
        known = {name for name, value in mean.items() if not np.isnan(value)}
        return tuple(name for name in ("percent_agreement", *LEADING) if name in known)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words."""
        return (grouped_answer(self),)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        names = self.leading
        rows = [(group, r.data.items, *(r[name].value for name in names)) for group, r in self.groups.items()]
        return html_sentences(self.sentences) + html_table(("group", "items", *names), rows)


def _mean_of_known(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
