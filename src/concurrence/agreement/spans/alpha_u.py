"""Krippendorff's alpha_U (1995, 2004): how far units lie apart, by category, against all places they could have.

Documents are one continuum, and neither units nor gaps cross their borders. With one document, and all coders on it,
the formulas are those of the book.
"""

import numpy as np

from concurrence.agreement.spans.study import Estimator, SpanStudy
from concurrence.core.arrays import Integers, Reals

NO_SPANS = "alpha_U is undefined: nobody marked anything."


def alpha_u(study: SpanStudy) -> Estimator:
    r"""How far the borders of units of a category lie apart, against all positions that units and gaps could have.

    Overlapping units of two coders add the squared distances of their borders, a unit that no unit of the other coder
    overlaps adds its squared length.

    .. math:: \alpha_U = 1 - \frac{\sum_c D_{oc}}{\sum_c D_{ec}}

    Both disagreements are divided by the squared length of the continuum.

    References: Krippendorff (1995); Krippendorff (2004).
    """
    labels = study.spans.labels
    if not labels:
        return Estimator(kind="disagreement", parts=None, note=NO_SPANS)
    each = [_Category.of(study, number) for number in range(len(labels))]
    length, total = study.spans.lengths.astype(float), (study.spans.lengths * study.readers).astype(float)

    def parts_of(*some: _Category):  # type: ignore[no-untyped-def]
        def parts(weights: Reals) -> tuple[Reals, Reals]:
            sizes = weights @ length, weights @ total
            sums = [one.disagreements(weights, *sizes) for one in some]
            return sum(o for o, _ in sums), sum(e for _, e in sums)  # type: ignore[return-value]

        return parts

    by_category = {
        label: Estimator(kind="disagreement", parts=parts_of(one), documents=int(np.count_nonzero(one.count)))
        for label, one in zip(labels, each, strict=True)
    }
    return Estimator(kind="disagreement", parts=parts_of(*each), by_category=by_category)


class _Category:
    """What documents add to the disagreements of one category: sums by document, and by length of a unit."""

    def __init__(self, observed: Reals, count: Reals, cubes: Reals, squares: Reals, units: Reals, gaps: Reals) -> None:
        self.observed, self.count, self.cubes, self.squares = observed, count, cubes, squares
        self.units, self.gaps = units, gaps

    @classmethod
    def of(cls, study: SpanStudy, label: int) -> "_Category":
        rows = study.spans.label == label
        document = study.spans.document[rows]
        lengths = (study.spans.end - study.spans.start)[rows]
        sizes, size = np.unique(lengths, return_inverse=True)
        units = np.zeros((study.n_documents, len(sizes)))
        np.add.at(units, (document, size), lengths.astype(float) ** 2)
        gap, where = _gaps(study, rows)
        fits = [study.per_document(where, np.maximum(gap + 1.0 - one, 0)) for one in sizes]
        real = lengths.astype(float)
        return cls(
            observed=_observed(study, rows),
            count=study.per_document(document, np.ones(len(document))),
            cubes=study.per_document(document, (2 * real**3 - 3 * real**2 + real) / 3),
            squares=study.per_document(document, real * (real - 1)),
            units=units,
            gaps=np.stack(fits, axis=1) if fits else np.zeros((study.n_documents, 0)),
        )

    def disagreements(self, weights: Reals, length: Reals, total: Reals) -> tuple[Reals, Reals]:
        """Observed and expected disagreement; ``total`` is the length of what all coders read."""
        overlapping = (weights @ self.count - 1) * (weights @ self.cubes)
        in_gaps = ((weights @ self.units) * (weights @ self.gaps)).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = 2 / length * (overlapping + in_gaps) / (total * (total - 1) - weights @ self.squares)
            return weights @ self.observed / (total * length), np.where(weights @ self.count > 0, expected, 0.0)


def _observed(study: SpanStudy, rows: Reals) -> Reals:
    """Squared distances of every two coders, both ways, by document; more coders than two share their weight."""
    squares = np.zeros(study.n_documents)
    read = study.spans.read
    start, end, coder, document = (
        study.start[rows],
        study.end[rows],
        study.spans.coder[rows],
        study.spans.document[rows],
    )
    for a in range(read.shape[1]):
        for b in range(a + 1, read.shape[1]):
            both = (read[:, a] & read[:, b])[document]
            one, other = np.flatnonzero(both & (coder == a)), np.flatnonzero(both & (coder == b))
            met = overlaps(start[one], end[one], start[other], end[other])
            i, j = one[met[0]], other[met[1]]
            apart = ((start[i] - start[j]).astype(float)) ** 2 + ((end[i] - end[j]).astype(float)) ** 2
            squares += study.per_document(document[i], 2 * apart)
            for some, met_some in ((one, met[0]), (other, met[1])):
                alone = np.delete(some, met_some)
                squares += study.per_document(document[alone], 2 * ((end - start)[alone].astype(float)) ** 2)
    return squares / (study.readers - 1)


def overlaps(start: Integers, end: Integers, other_start: Integers, other_end: Integers) -> tuple[Integers, Integers]:
    """Which spans of two sorted rows overlap, each row free of overlaps: numbers in the first and in the second."""
    first = np.searchsorted(other_end, start, side="right")
    count = np.maximum(np.searchsorted(other_start, end, side="left") - first, 0)
    one = np.repeat(np.arange(len(start)), count)
    within = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
    return one, np.repeat(first, count) + within


def _gaps(study: SpanStudy, rows: Reals) -> tuple[Integers, Integers]:
    """The lengths of what every coder left unmarked with a category, stretch by stretch, and their documents."""
    spans = study.spans
    documents, coders = np.nonzero(spans.read)
    # a border before and after each reading; a gap lies between every two neighbours in a reading
    begin, n_coders = study.begin, len(spans.coders)
    reading = np.concatenate(
        [documents * n_coders + coders] * 2 + [spans.document[rows] * n_coders + spans.coder[rows]]
    )
    start = np.concatenate([begin[documents], begin[documents + 1], study.start[rows]])
    end = np.concatenate([begin[documents], begin[documents + 1], study.end[rows]])
    order = np.lexsort((end, start, reading))
    same = np.diff(reading[order]) == 0
    gap = (start[order][1:] - end[order][:-1])[same]
    where = (reading[order][1:] // n_coders)[same]
    return gap[gap > 0], where[gap > 0]
