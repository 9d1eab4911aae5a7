"""The results of a rate; names of fields are keys of the JSON."""

from concurrence.core.results import Interval, Result
from concurrence.core.sentences import Sentence, warnings_first
from concurrence.core.values import value


@value
class PlainShare:
    """A share by itself."""

    value: float


@value
class EstimatedShare:
    """A share with its interval."""

    value: float
    interval: Interval


@value
class CorrectedShare:
    """A judge's share corrected for its errors; ``note`` says why it was cut, or why it or its interval is none."""

    value: float
    interval: Interval | None
    note: str | None = None


@value
class Total:
    """How many candidates that is."""

    value: float
    low: float
    high: float


@value
class JudgedClass:
    """The candidates with one verdict of the judge: how many there are, how many people judged and found true."""

    stratum: str
    verdict: str
    size: int
    judged: int
    true: float

    @property
    def share(self) -> float:
        """The share that people found true."""
        return self.true / self.judged if self.judged else float("nan")


@value
class JudgeQuality:
    """One judge compared with people: its own share of the list, its sensitivity and its specificity."""

    naive: PlainShare
    sensitivity: float
    specificity: float
    sensitivity_interval: Interval
    specificity_interval: Interval
    rogan_gladen: CorrectedShare


@value
class RateData:
    """The list and the judgements; ``design`` is how the judged ones were drawn."""

    candidates: int
    judged: int
    true: float
    design: str
    judges: tuple[str, ...]
    clusters: int | None = None


@value
class NextJudgements:
    """How many more judgements a width needs, and how to divide them among the verdicts of the judge.

    ``items`` are the candidates to judge next, column by column, where a number of them was asked for; ``width`` is
    then the width that is expected with them.
    """

    width: float
    judged: int
    more: int
    shares: dict[str, float]
    items: dict[str, tuple[str, ...]] | None = None


@value
class OneLook:
    """The ends of the interval that holds if this is the only look."""

    low: float
    high: float


@value
class RateReport(Result):
    """How many of a list are true: ``rate`` and ``interval`` are what to report, the others are for comparison."""

    rate: float
    interval: Interval | None
    method: str
    total: Total | None
    naive: PlainShare
    people_only: EstimatedShare | None
    sensitivity: float
    specificity: float
    sensitivity_interval: Interval | None
    specificity_interval: Interval | None
    rogan_gladen: CorrectedShare | None
    judges: dict[str, JudgeQuality]
    classes: tuple[JudgedClass, ...]
    width_ratio: float
    fixed: OneLook | None
    next: NextJudgements | None
    data: RateData
    level: float
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]

    def __str__(self) -> str:
        return " ".join(str(sentence) for sentence in warnings_first(self.sentences))
