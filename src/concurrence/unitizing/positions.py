"""Documents position by position: pieces within which nobody starts or ends a span, and how every coder marked them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.unitizing.study import Array, Study, Whole

UNMARKED = -1
UNREAD = -2
MASK_BITS = 62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pieces:
    """Pieces of the documents: where they are, how long, and (pieces x coders) which label and span cover them.

    ``signature`` tells sets of labels apart where spans overlap; 0 is unmarked. ``overlapping`` is a coder's number
    and a document's where one coder marked a position twice, or nothing.
    """

    document: Whole
    length: Array
    label: Whole
    span: Whole
    signature: Whole
    read: NDArray[np.bool_]
    overlapping: tuple[int, int] | None


def pieces_of(study: Study) -> Pieces:
    """Cut the documents at every border."""
    spans, start, end = study.spans, study.start, study.end
    borders = np.unique(np.concatenate([study.begin, start, end]))
    length = np.diff(borders).astype(float)
    document = np.searchsorted(study.begin, borders[:-1], side="right") - 1
    first, last = np.searchsorted(borders, start), np.searchsorted(borders, end)
    count = last - first
    covered = np.repeat(np.arange(len(start)), count)
    piece = np.repeat(first, count) + np.arange(len(covered)) - np.repeat(np.cumsum(count) - count, count)
    shape = (len(length), len(spans.coders))
    read = spans.read[document]
    label, span = np.where(read, UNMARKED, UNREAD), np.full(shape, -1)
    signature, times = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    cells = piece, spans.coder[covered]
    label[cells], span[cells] = spans.label[covered], covered
    np.add.at(times, cells, 1)
    np.add.at(signature, cells, _signs(len(spans.labels))[spans.label[covered]])
    twice = np.argwhere(times > 1)
    overlapping = (int(twice[0, 1]), int(document[twice[0, 0]])) if len(twice) else None
    return Pieces(
        document=document,
        length=length,
        label=label,
        span=span,
        signature=signature,
        read=read,
        overlapping=overlapping,
    )


def _signs(n_labels: int) -> Whole:
    """A number for each label, such that sums tell sets of labels apart."""
    if n_labels <= MASK_BITS:
        return np.int64(1) << np.arange(n_labels, dtype=np.int64)
    return np.random.default_rng(0).integers(1, 1 << 50, n_labels)  # two sets share a sum with probability 1e-15


def why_not_exclusive(study: Study, pieces: Pieces, title: str) -> str | None:
    """Why a coefficient that allows one label per position cannot be computed."""
    if pieces.overlapping is None:
        return None
    coder, document = pieces.overlapping
    return (
        f"{title} needs at most one label per position, but spans of {study.spans.coders[coder]} overlap "
        f"in document {study.spans.documents[document]!r}."
    )
