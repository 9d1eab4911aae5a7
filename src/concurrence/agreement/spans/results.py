"""Results of a study of spans: values that hold all their numbers."""

import numpy as np

from concurrence.core import Interval, UnknownNameError
from concurrence.core.display import count_noun
from concurrence.core.frames import as_frame
from concurrence.core.interval import reported
from concurrence.core.notebook import html_sentences, html_table
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class CategoryCoefficient:
    """A coefficient for one label; where it is undefined, ``value`` is NaN and ``note`` says why."""

    value: float
    observed: float
    expected: float
    standard_error: float
    interval: Interval
    interval_method: str | None
    note: str | None


@value
class SpanCoefficient:
    """One coefficient with all that is needed to report it.

    ``observed`` and ``expected`` are agreements, disagreements or disorders (``measures`` says which). The interval
    resamples documents; ``trusted`` tells whether there are enough of them. There is no p-value: positions within a
    document are not independent.
    """

    coefficient: str
    title: str
    value: float
    observed: float
    expected: float
    measures: str
    about: str
    standard_error: float
    interval: Interval
    interval_method: str | None
    trusted: bool | None
    intervals: dict[str, Interval]
    level: float
    p_value: float
    p_value_method: str | None
    documents: int
    convention: str
    note: str | None
    by_category: dict[str, CategoryCoefficient] | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return not np.isnan(self.value)

    def __str__(self) -> str:
        counted = count_noun(self.documents, "document")
        return reported(self.title, self.value, self.interval, level=self.level, counted=counted)


@value
class SpanData:
    """What was studied."""

    documents: int
    coders: tuple[str, ...]
    labels: tuple[str, ...]
    spans: int
    positions: int
    dropped: int
    counts: dict[str, dict[str, int]]


@value
class SpanPair:
    """Two coders on the documents both read; with a reference, it comes first, and precision and recall are exact."""

    coders: tuple[str, str]
    documents: int
    spans: tuple[int, int]
    f1_exact: float
    f1_overlap: float
    token_kappa: float
    precision: float | None = None
    recall: float | None = None


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
class SpanReport:
    """All that ``spans`` found: ``report["alpha_u"]`` is one coefficient, ``leading`` the one to tell first."""

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
    to_frame = as_frame

    def __getitem__(self, name: str) -> SpanCoefficient:
        if name not in self.coefficients:
            raise UnknownNameError("coefficient", name, self.coefficients)
        return self.coefficients[name]

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.coefficients.values() if one.defined)

    def _repr_html_(self) -> str:
        rows = [(one.title, one.value, *one.interval) for one in self.coefficients.values() if one.defined]
        columns = ("", "value", f"{self.level:.0%} from", "to")
        caption = f"{self.data.documents:,} documents, {len(self.data.coders):,} coders, {self.data.spans:,} spans"
        told = (str(sentence) for sentence in (*self.warnings, *self.sentences))
        return html_sentences(told) + html_table(columns, rows, caption=caption)
