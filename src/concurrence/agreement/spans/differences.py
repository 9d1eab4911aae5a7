"""Where coders differ: how many positions, about where or about what, and the places one by one."""

from collections.abc import Iterator

import numpy as np

from concurrence.agreement.spans.assess import ENOUGH_DOCUMENTS, METHOD, Resampling
from concurrence.agreement.spans.positions import Pieces
from concurrence.agreement.spans.results import Disagreement, PositionDifferences
from concurrence.agreement.spans.study import Estimator, SpanStudy
from concurrence.core.arrays import Integers, Reals
from concurrence.core.spans import Spans


def position_differences(study: SpanStudy, pieces: Pieces, resampling: Resampling) -> PositionDifferences:
    """Positions that two coders treat differently, summed over every two coders.

    About what: each has a label that the other lacks. About where: one of them marked nothing more than the other.
    """
    where, what = np.zeros(study.n_documents), np.zeros(study.n_documents)
    for a, b in study.pairs():
        one, other = pieces.signature[:, a], pieces.signature[:, b]
        both_read = pieces.read[:, a] & pieces.read[:, b]
        more, less = ((some & ~another).any(axis=-1) for some, another in ((one, other), (other, one)))
        exchanged, alone = both_read & more & less, both_read & (more ^ less)
        what += study.per_document(pieces.document[exchanged], pieces.length[exchanged])
        where += study.per_document(pieces.document[alone], pieces.length[alone])

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.asarray((weights @ what) / (weights @ (where + what)))
        return share, np.zeros_like(share)

    share = Estimator(kind="share", parts=parts)
    apart = int(np.count_nonzero(where + what))
    mixed = where.sum() > 0 and what.sum() > 0
    told = apart >= ENOUGH_DOCUMENTS and mixed
    interval, _ = resampling.interval(resampling.replicates(share) if told else np.zeros(0))
    return PositionDifferences(
        where=float(where.sum()),
        what=float(what.sum()),
        share=float(share.values(resampling.ones)),
        interval=interval,
        interval_method=None if np.isnan(interval.low) else METHOD,
        overlapping=pieces.overlapping is not None,
        documents=apart,
    )


def span_disagreements(study: SpanStudy) -> tuple[Disagreement, ...]:
    """Places where the readers of a document did not all mark the same, in order."""
    return tuple(found for rows in _places(study) if (found := _disagreement(study, rows)) is not None)


def _places(study: SpanStudy) -> Iterator[Integers]:
    """Spans that overlap, of all coders, place by place."""
    start, end = study.start, study.end
    order = np.lexsort((end, start))
    if not len(order):
        return
    furthest = np.maximum.accumulate(end[order])
    breaks = np.flatnonzero(start[order][1:] >= furthest[:-1]) + 1
    yield from np.split(order, breaks)


def _disagreement(study: SpanStudy, rows: Integers) -> Disagreement | None:
    spans = study.spans
    document = int(spans.document[rows[0]])
    readers = np.flatnonzero(spans.read[document]).tolist()
    marks: dict[int, list[tuple[int, int, int]]] = {reader: [] for reader in readers}
    for row in rows.tolist():
        marks[int(spans.coder[row])].append((int(spans.start[row]), int(spans.end[row]), int(spans.label[row])))
    sets = [frozenset(marked) for marked in marks.values()]
    if all(marked == sets[0] for marked in sets):
        return None
    start, end = int(spans.start[rows].min()), int(spans.end[rows].max())
    return Disagreement(
        document=spans.documents[document],
        start=start,
        end=end,
        kind=_kind(sets),
        text=spans.text(document, start, end),
        marks={spans.coders[reader]: _shown(spans, sorted(marked)) for reader, marked in marks.items()},
    )


def _kind(sets: list[frozenset[tuple[int, int, int]]]) -> str:
    """``what`` where only labels differ, ``where`` where only extents do, otherwise both.

    Spans that all marked do not count, so that a span that some left out is about where, also inside another one.
    """
    common = frozenset.intersection(*sets)
    sets = [marked - common for marked in sets]
    if len({frozenset((start, end) for start, end, _ in marked) for marked in sets}) == 1:
        return "what"
    labels = {frozenset(label for _, _, label in marked) for marked in sets if marked}
    return "where" if len(labels) == 1 else "where and what"


def _shown(spans: Spans, marked: list[tuple[int, int, int]]) -> tuple[str, ...]:
    return tuple(f"{spans.labels[label]} {start}–{end}" for start, end, label in marked)
