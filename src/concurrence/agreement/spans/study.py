"""Spans ready to be measured: documents that at least two coders read, end to end on one line of positions.

A statistic is a function of weights over documents, (..., documents) -> (...,): a bootstrap draw is a vector of
weights, so a thousand draws are one product.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Integers, Reals
from concurrence.core.spans import Spans

Parts = Callable[[Reals], tuple[Reals, Reals]]
"""What was observed and what chance would give, from weights of the documents."""
ROUNDING = 1e-12  # what is smaller is a zero that went through floating-point arithmetic
Kind = Literal["agreement", "disagreement", "disorder", "share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimator:
    """How a coefficient follows from weights of the documents; ``note`` says why it cannot, or what to know of it.

    ``documents`` are those that say something of it; all where it is not given.
    """

    kind: Kind
    parts: Parts | None
    note: str | None = None
    convention: str = ""
    documents: int | None = None
    by_category: Mapping[str, "Estimator"] = field(default_factory=dict)

    def values(self, weights: Reals) -> Reals:
        """The coefficient; NaN where it is undefined."""
        if self.parts is None:
            return np.full(weights.shape[:-1], np.nan)
        observed, expected = self.parts(weights)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.kind == "share":
                return observed
            corrected = (observed - expected) / (1 - expected)
            value = corrected if self.kind == "agreement" else 1 - observed / expected
        room = 1 - expected if self.kind == "agreement" else expected
        return np.where(np.isfinite(value) & (room > ROUNDING), value, np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpanStudy:
    """Spans of documents with at least two readers; ``begin`` is where a document starts on the common line."""

    spans: Spans
    begin: Integers
    readers: Integers
    reference: int | None = None

    @classmethod
    def of(cls, spans: Spans, reference: str | None = None) -> "SpanStudy":
        """The study of what at least two coders read."""
        kept = only_documents(spans, np.flatnonzero(spans.read.sum(axis=1) >= 2))
        begin = np.concatenate([[0], np.cumsum(kept.lengths)]).astype(np.int64)
        place = None if reference is None else spans.coder_index(reference)
        return cls(spans=kept, begin=begin, readers=kept.read.sum(axis=1), reference=place)

    @property
    def n_documents(self) -> int:
        return len(self.spans.documents)

    @property
    def start(self) -> Integers:
        """Where spans start on the common line."""
        return self.spans.start + self.begin[self.spans.document]

    @property
    def end(self) -> Integers:
        """Where spans end on the common line."""
        return self.spans.end + self.begin[self.spans.document]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every two coders who read a document in common; with a reference, only those with it."""
        for a, b in combinations(range(len(self.spans.coders)), 2):
            if self.reference not in (None, a, b):
                continue
            if (self.spans.read[:, a] & self.spans.read[:, b]).any():
                yield (b, a) if b == self.reference else (a, b)

    def per_document(self, document: Integers, amount: Reals) -> Reals:
        """Sums by document."""
        return np.asarray(np.bincount(document, weights=amount, minlength=self.n_documents), dtype=np.float64)


def only_documents(spans: Spans, kept: NDArray[np.intp]) -> Spans:
    """The spans of some documents."""
    if len(kept) == len(spans.documents):
        return spans
    number = np.full(len(spans.documents), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    rows = number[spans.document] >= 0
    columns = {name: getattr(spans, name)[rows] for name in ("coder", "start", "end", "label")}
    return replace(
        spans,
        documents=tuple(spans.documents[place] for place in kept),
        document=number[spans.document][rows],
        **columns,
        lengths=spans.lengths[kept],
        read=spans.read[kept],
        texts=None if spans.texts is None else tuple(spans.texts[place] for place in kept),
    )
