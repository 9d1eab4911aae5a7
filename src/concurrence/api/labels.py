"""Verbs for people: what the rooms take as ``Labels`` may be a frame or two lists here."""

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from concurrence.agreement.labels.agree import agree as agree_on_labels
from concurrence.agreement.labels.options import CUTS, Convention
from concurrence.agreement.labels.results import AgreementReport
from concurrence.core import InvalidInputError, Labels
from concurrence.core.comparisons import Comparisons
from concurrence.files.labels.reader import read_labels

if TYPE_CHECKING:  # who asks for agreement on labels need not wait for what the other verbs load
    from concurrence.agreement.judge.judge import JudgeComparison
    from concurrence.agreement.preferences.results import PreferenceReport
    from concurrence.agreement.ratings.results import RatingsReport
    from concurrence.agreement.spans.results import SpanReport


def agree(
    labels: Any,
    other: Iterable[Any] | None = None,
    *,
    shape: str = "auto",
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    period: float | None = None,
    level: float = 0.95,
    coefficients: Sequence[str] | None = None,
    pairs: bool = True,
    expert: str | None = None,
    cuts: Sequence[float] = CUTS,
    agreement_table: bool = False,
    confusion: bool = False,
    coder_groups: Mapping[str, str] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
) -> AgreementReport:
    """How well the coders agree, and how sure one can be of it.

    ``labels`` are ``Labels``, a frame (or a file's name) as ``read_labels`` takes it, or the labels of one coder, with
    ``other`` those of the second, item by item. The other keywords are those of
    ``concurrence.agreement.labels.agree.agree``.

    >>> report = agree(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    >>> report["cohen_kappa"].value
    0.5
    """
    return agree_on_labels(
        labels_of(labels, other, shape=shape),
        scale=scale,
        weights=weights,
        convention=convention,
        period=period,
        level=level,
        coefficients=coefficients,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        agreement_table=agreement_table,
        confusion=confusion,
        coder_groups=coder_groups,
        bootstrap=bootstrap,
        seed=seed,
    )


def judge(
    labels: Any,
    judge: str,
    *,
    shape: str = "auto",
    coefficient: str | None = None,
    scale: str | None = None,
    weights: Any = None,
    before: str | None = None,
    gate: str | None = None,
    epsilon: float = 0.2,
    score: Any = None,
    level: float = 0.95,
    seed: int = 0,
) -> "JudgeComparison":
    """Whether a coder, such as a model, can replace a human one: it with the humans, and they with each other.

    ``labels`` are ``Labels`` or a frame (or a file's name) as ``read_labels`` takes it. ``scale`` and ``weights`` are
    those of ``agree``; the scale is interval by default where ``score`` is ``rmse``, and the ``score`` is ``rmse`` by
    default on an interval or ratio scale, else ``accuracy``. Without a ``coefficient``, agreement is Cohen's kappa on
    nominal labels, weighted kappa where there are weights, and Krippendorff's alpha on a circular scale. ``before`` is
    the coder with the judge's labels of an earlier run, which is not a human: what has changed since is told. Labels
    with groups are compared group by group.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"item": [1, 2, 3, 4], "ann": list("ynyn"), "bob": list("ynnn"), "model": list("ynyn")})
    >>> judge(frame, "model", shape="wide").judge_human.value
    0.75
    """
    from concurrence.agreement.judge.judge import judge_labels
    from concurrence.agreement.labels.options import JudgeOptions

    asked = JudgeOptions(
        coefficient=coefficient, scale=scale, weights=weights, before=before, gate=gate, epsilon=epsilon, score=score,
        level=level, seed=seed,
    )  # fmt: skip
    return judge_labels(labels_of(labels, shape=shape, verb="judge"), judge, asked)


def ratings(
    ratings: Any,
    other: Iterable[Any] | None = None,
    *,
    shape: str = "auto",
    level: float = 0.95,
    bootstrap: int = 1000,
    seed: int = 0,
) -> "RatingsReport":
    """How well the coders agree on numbers: intraclass correlations, concordance, limits of agreement, ranks.

    ``ratings`` are ``Labels`` that are numbers, a frame (or a file's name) as ``read_labels`` takes it, or the ratings
    of one coder, with ``other`` those of the second, item by item. ``bootstrap`` draws of items give the intervals of
    Kendall's W and of the mean rank correlation.

    >>> report = ratings([9, 6, 8, 7, 10, 6], [8, 2, 8, 6, 9, 7])
    >>> round(report["icc_2_1"].value, 3), round(report.limits_of_agreement.mean, 3)
    (0.648, 1.0)
    """
    from concurrence.agreement.ratings.analyse import analyse_ratings
    from concurrence.agreement.ratings.options import RatingOptions

    options = RatingOptions(level=level, bootstrap=bootstrap, seed=seed)
    return analyse_ratings(labels_of(ratings, other, shape=shape, verb="ratings"), options)


def preferences(
    comparisons: Any, *, position: bool = False, level: float = 0.95, separation: float | None = None
) -> "PreferenceReport":
    """How strong each item is, from comparisons of two at a time.

    ``comparisons`` is a frame or a file's name with the columns a, b and winner, as ``read_comparisons`` takes it, or a
    list of rows of first item, second item, winner (an item or ``tie``), and the coder, if known. ``position`` adds a
    term for the item shown first; ``separation`` is a win rate that neighbours are to be told apart at.

    >>> report = preferences([("x", "y", "x"), ("x", "y", "x"), ("y", "x", "y")])
    >>> round(report["x"].strength, 3), report.method
    (0.347, 'maximum_likelihood')
    """
    from concurrence.agreement.preferences.analyse import analyse_preferences
    from concurrence.agreement.preferences.options import PreferenceOptions
    from concurrence.files.comparisons import read_comparisons

    options = PreferenceOptions(position=position, level=level, separation=separation)
    if isinstance(comparisons, list | tuple):
        return analyse_preferences(Comparisons.from_rows(comparisons), options)
    made = comparisons if isinstance(comparisons, Comparisons) else read_comparisons(comparisons)
    return analyse_preferences(made, options)


def spans(
    spans: Any,
    *,
    length: int | None = None,
    lengths: Any = None,
    text: Any = None,
    reference: str | None = None,
    coefficients: Sequence[str] | None = None,
    level: float = 0.95,
    bootstrap: int = 2000,
    seed: int = 0,
    sampler: str = "shuffle",
    samples: int | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
) -> "SpanReport":
    """How well coders agree on marked stretches of text, and how sure one can be of it.

    ``spans`` are ``Spans``, or a frame (or a file's name) as ``read_spans`` takes it, with ``length``, ``lengths`` and
    ``text`` as there. The other keywords are those of ``concurrence.agreement.spans.options.SpansOptions``.

    >>> import polars as pl
    >>> marks = [("a", "x", 0, 4, "P"), ("a", "y", 0, 4, "P"), ("a", "x", 6, 8, "Q"), ("a", "y", 6, 9, "Q")]
    >>> frame = pl.DataFrame(marks, schema=["document", "coder", "start", "end", "label"], orient="row")
    >>> report = spans(frame, length=10)
    >>> report["f1_exact"].value, report["f1_overlap"].value
    (0.5, 1.0)
    """
    # imported here, since labels need no solver
    from concurrence.agreement.spans.analyse import analyse_spans
    from concurrence.agreement.spans.options import SpansOptions
    from concurrence.core.spans import Spans
    from concurrence.files.spans.reader import read_spans

    options = SpansOptions(
        coefficients=coefficients,
        reference=reference,
        level=level,
        bootstrap=bootstrap,
        seed=seed,
        sampler=sampler,
        samples=samples,
        alpha=alpha,
        beta=beta,
        empty=empty,
    )
    if isinstance(spans, Spans):
        return analyse_spans(spans, options)
    return analyse_spans(read_spans(spans, length=length, lengths=lengths, text=text), options)


def labels_of(labels: Any, other: Iterable[Any] | None = None, *, shape: str = "auto", verb: str = "agree") -> Labels:
    """Labels from what people have: Labels, a frame or file, or two lists."""
    if other is None and isinstance(labels, list | tuple):
        lists = "" if verb == "judge" else "two lists, one per coder, or "
        raise InvalidInputError(f"{verb} takes {lists}Labels or a frame (see read_labels).")
    if other is None:
        return labels if isinstance(labels, Labels) else read_labels(labels, shape=shape)
    first, second = ([_label(entry) for entry in side] for side in (labels, other))
    if len(first) != len(second):
        raise InvalidInputError(
            f"Both coders must label the same items; one has {len(first)}, the other {len(second)}."
        )
    return Labels.from_rows(list(zip(first, second, strict=True)), coders=("first", "second"))


def _label(entry: Any) -> str | None:
    """A label as text; nothing and NaN are missing, whole numbers are written as such."""
    if entry is None or (isinstance(entry, float) and isnan(entry)):
        return None
    return f"{entry:g}" if isinstance(entry, float) else str(entry)
