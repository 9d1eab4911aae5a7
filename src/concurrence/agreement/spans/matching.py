"""F1 of two coders: spans of one that have a partner among the spans of the other, pooled over documents."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from concurrence.agreement.spans.alpha_u import overlaps
from concurrence.agreement.spans.study import Estimator, SpanStudy
from concurrence.core.arrays import Integers, Reals


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """The spans of two coders where both read the document, and which of the first have a partner."""

    coders: tuple[int, int]
    document: tuple[Integers, Integers]
    label: tuple[Integers, Integers]
    partnered: Integers

    def counts(self, label: int | None = None) -> "PartnerCounts":
        """What documents hold of all labels or of one; partners have the same label."""
        with_partner = self.document[0][self.partnered], self.label[0][self.partnered]
        sides = [with_partner, *zip(self.document, self.label, strict=True)]
        matched, first, second = (some if label is None else some[own == label] for some, own in sides)
        documents = np.union1d(first, second).astype(np.int64)
        sums = [
            np.bincount(np.searchsorted(documents, some), minlength=len(documents)) for some in (matched, first, second)
        ]
        matched, first, second = (one.astype(np.float64) for one in sums)
        return PartnerCounts(documents=documents, matched=matched, first=first, second=second)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PartnerCounts:
    """By document that holds any: partners of two coders, and the spans of each."""

    documents: Integers
    matched: Reals
    first: Reals
    second: Reals

    def f1(self, weights: Reals) -> Reals:
        """The F1 of weighted documents; NaN where neither marked anything."""
        return self.shares(weights)[..., 0]

    def shares(self, weights: Reals) -> Reals:
        """F1, the share of the second's spans with a partner (precision), and of the first's (recall): (..., 3)."""
        sums = weights[..., self.documents] @ np.stack([self.matched, self.first, self.second], axis=1)
        matched, first, second = np.moveaxis(sums, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack([2 * matched / (first + second), matched / second, matched / first], axis=-1)


def f1_exact(study: SpanStudy) -> Estimator:
    r"""Partners have the same start, end and label; the mean over every two coders, documents pooled.

    .. math:: F_1 = \frac{2\,|A \cap B|}{|A| + |B|}

    References: Hripcsak & Rothschild (2005).
    """
    return _mean_of(study, exact_matches(study))


def f1_overlap(study: SpanStudy) -> Estimator:
    r"""Partners have the same label and at least one position in common, one partner each, as many as possible.

    The mean is over every two coders, documents are pooled.

    .. math:: F_1 = \frac{2\,M}{|A| + |B|}

    References: Hripcsak & Rothschild (2005).
    """
    return _mean_of(study, overlap_matches(study))


def exact_matches(study: SpanStudy) -> list[Matches]:
    """Identical spans of every two coders."""
    return [_matches(study, pair, _identical) for pair in study.pairs()]


def overlap_matches(study: SpanStudy) -> list[Matches]:
    """Overlapping spans of every two coders, one partner each."""
    return [_matches(study, pair, _touching) for pair in study.pairs()]


Rows = tuple[Integers, Integers, Integers]
"""Labels, starts and ends on the common line, sorted in this order."""


def _matches(study: SpanStudy, pair: tuple[int, int], partners: Callable[[Rows, Rows], Integers]) -> Matches:
    spans = study.spans
    both = spans.read[:, pair[0]] & spans.read[:, pair[1]]
    rows = [np.flatnonzero((spans.coder == coder) & both[spans.document]) for coder in pair]
    start, end = study.start, study.end
    sides: list[Rows] = []
    for place, some in enumerate(rows):
        rows[place] = some = some[np.lexsort((start[some], spans.label[some]))]
        sides.append((spans.label[some], start[some], end[some]))
    return Matches(
        coders=pair,
        document=(spans.document[rows[0]], spans.document[rows[1]]),
        label=(sides[0][0], sides[1][0]),
        partnered=partners(*sides),
    )


def _identical(one: Rows, other: Rows) -> Integers:
    """Which of the first are among the second."""
    theirs = set(zip(*(column.tolist() for column in other), strict=True))
    rows = zip(*(column.tolist() for column in one), strict=True)
    return np.array([place for place, row in enumerate(rows) if row in theirs], dtype=np.int64)


def _touching(one: Rows, other: Rows) -> Integers:
    """Which of the first find a partner.

    Spans of a coder with one label do not overlap, so that taking the first free partner from left to right finds as
    many as there can be.
    """
    partnered: list[int] = []
    for label in np.intersect1d(one[0], other[0]):
        mine, theirs = np.flatnonzero(one[0] == label), np.flatnonzero(other[0] == label)
        i, j = overlaps(one[1][mine], one[2][mine], other[1][theirs], other[2][theirs])
        last_i = last_j = -1
        for a, b in zip(i.tolist(), j.tolist(), strict=True):
            if a > last_i and b > last_j:
                partnered.append(int(mine[a]))
                last_i, last_j = a, b
    return np.array(partnered, dtype=np.int64)


def _mean_of(study: SpanStudy, matches: list[Matches]) -> Estimator:
    if not len(study.spans):
        return Estimator(kind="share", parts=None, note="F1 is undefined: nobody marked anything.")
    by_label = {
        label: _mean_f1([one.counts(number) for one in matches]) for number, label in enumerate(study.spans.labels)
    }
    whole = _mean_f1([one.counts() for one in matches])
    return replace(whole, by_category=by_label)


def _mean_f1(counts: list[PartnerCounts]) -> Estimator:
    """The mean over every two coders who have spans."""

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        each = np.stack([one.f1(weights) for one in counts])
        finite = np.isfinite(each)
        with np.errstate(invalid="ignore"):
            mean = np.where(finite, each, 0).sum(axis=0) / finite.sum(axis=0)
        return mean, np.zeros_like(mean)

    documents = len(np.unique(np.concatenate([one.documents for one in counts])))
    return Estimator(kind="share", parts=parts, documents=documents)
