"""Documents position by position: pieces within which nobody starts or ends a span, and how every coder marked them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.spans.study import SpanStudy
from concurrence.core.arrays import Integers, Reals

UNMARKED = -1
UNREAD = -2
MASK_BITS = 62  # labels that one number can hold as bits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pieces:
    """Pieces of the documents: where they are, how long, and (pieces x coders) which label and span cover them.

    ``signature`` (pieces x coders x words) has a bit for every label that covers a piece, since spans may overlap;
    0 is unmarked. ``overlapping`` is a coder's number and a document's where one coder marked a position twice, or
    nothing.
    """

    document: Integers
    length: Reals
    label: Integers
    span: Integers
    signature: Integers
    read: NDArray[np.bool_]
    overlapping: tuple[int, int] | None


def pieces_of(study: SpanStudy) -> Pieces:
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
    times = np.zeros(shape, dtype=np.int64)
    cells = piece, spans.coder[covered]
    label[cells], span[cells] = spans.label[covered], covered
    np.add.at(times, cells, 1)
    twice = np.argwhere(times > 1)
    overlapping = (int(twice[0, 1]), int(document[twice[0, 0]])) if len(twice) else None
    return Pieces(
        document=document,
        length=length,
        label=label,
        span=span,
        signature=_signature(shape, cells, spans.label[covered], len(spans.labels)),
        read=read,
        overlapping=overlapping,
    )


def _signature(shape: tuple[int, int], cells: tuple[Integers, Integers], label: Integers, n_labels: int) -> Integers:
    """The set of labels on every piece by every coder, a bit each."""
    words = max(1, -(-n_labels // MASK_BITS))
    signature = np.zeros((*shape, words), dtype=np.int64)
    np.bitwise_or.at(signature, (*cells, label // MASK_BITS), np.int64(1) << (label % MASK_BITS))
    return signature


def why_not_exclusive(study: SpanStudy, pieces: Pieces, title: str) -> str | None:
    """Why a coefficient that allows one label per position cannot be computed."""
    if pieces.overlapping is None:
        return None
    coder, document = pieces.overlapping
    return (
        f"{title} needs at most one label per position, but spans of {study.spans.coders[coder]} overlap "
        f"in document {study.spans.documents[document]!r}."
    )
