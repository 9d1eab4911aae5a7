"""Results of a study of spans."""

from dataclasses import field

from concurrence.core import Interval
from concurrence.core.coder_kinds import CoderKind
from concurrence.core.results import Coefficient, CoefficientReport
from concurrence.core.sentences import Sentence
from concurrence.core.values import after, value


@value
class CategoryCoefficient:
    """A coefficient for one label; where it is undefined, ``value`` is NaN and ``note`` says why.

    ``trusted`` tells whether enough documents hold the label.
    """

    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None
    note: str | None


@value
class SpanCoefficient(Coefficient):
    """A coefficient of agreement on spans.

    ``observed`` and ``expected`` are agreements, disagreements or disorders (``measures`` says which). The interval
    resamples documents; ``trusted`` tells whether there are enough of them. There is no p-value: positions within a
    document are not independent.
    """

    measures: str = after("expected")
    about: str = after("expected")
    documents: int = after("p_value_method")
    convention: str = after("p_value_method")
    by_category: dict[str, CategoryCoefficient] | None = None
    unit = "document"


@value
class SpanData:
    """The size of the study."""

    documents: int
    coders: tuple[str, ...]
    labels: tuple[str, ...]
    spans: int
    positions: int
    dropped: int
    counts: dict[str, dict[str, int]]


@value
class SpanPair:
    """Two coders on the documents both read; with a reference, it comes first, and precision and recall are exact.

    ``intervals`` of these figures resample documents; ``trusted`` tells whether there are enough of them. There are
    none with very many pairs of coders.
    """

    coders: tuple[str, str]
    documents: int
    spans: tuple[int, int]
    f1_exact: float
    f1_overlap: float
    token_kappa: float
    precision: float | None = None
    recall: float | None = None
    intervals: dict[str, Interval] = field(default_factory=dict)
    trusted: bool | None = None


@value
class PositionDifferences:
    """Positions that two coders treat differently, over all pairs: marked by one of them alone, or labelled apart.

    Where spans of one coder overlap (``overlapping``), a position is labelled apart if each coder has a label there
    that the other lacks. ``share`` is that of different labels, with an interval from resampled documents; where too
    few ``documents`` hold a difference, or all are of one kind, there is none.
    """

    where: float
    what: float
    share: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None = None
    overlapping: bool = False
    documents: int = 0


@value
class Disagreement:
    """A place where coders differ: overlapping spans of all coders, and what each marked there."""

    document: str
    start: int
    end: int
    kind: str
    text: str | None
    marks: dict[str, tuple[str, ...]]


@value
class SpanReport(CoefficientReport[SpanCoefficient]):
    """The report of ``spans``: ``report["alpha_u"]`` is one coefficient, ``leading`` names the one to report first.

    ``coders`` says of each coder whether it is a person or a model.
    """

    data: SpanData
    coefficients: dict[str, SpanCoefficient]
    leading: str
    pairs: tuple[SpanPair, ...]
    reference: str | None
    differences: PositionDifferences
    disagreements: tuple[Disagreement, ...]
    level: float
    bootstrap: int
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    coders: dict[str, CoderKind] = after("data", default_factory=dict)
