"""Marked stretches of documents: who marked what from where to where, and who read the document at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Integers
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

if TYPE_CHECKING:
    import polars as pl

Text = str | tuple[str, ...]
"""The text of a document: its characters, or its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One span as it was given; ``end`` is the first position behind it."""

    document: str
    coder: str
    start: int
    end: int
    label: str


@value
class Spans(Result):
    """Spans sorted by document, coder, label and start; ``end`` is exclusive.

    ``lengths`` are those of the documents, ``read`` (documents x coders) says who read which. A span lies within its
    document, and spans of one coder with the same label do not overlap. ``texts`` are characters or tokens. ``kinds``
    holds what is known of coders: ``human`` or ``model``.
    """

    documents: tuple[str, ...]
    coders: tuple[str, ...]
    labels: tuple[str, ...]
    document: Integers
    coder: Integers
    start: Integers
    end: Integers
    label: Integers
    lengths: Integers
    read: NDArray[np.bool_]
    texts: tuple[Text, ...] | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    warnings: tuple[Sentence, ...] = ()

    @classmethod
    def of(
        cls,
        marks: Sequence[Mark],
        *,
        lengths: Mapping[str, int],
        coders: Sequence[str],
        read: Callable[[str, str], bool] = lambda _document, _coder: True,
        texts: Mapping[str, Text] | None = None,
        place: Callable[[int], str] = lambda row: f"Span {row + 1}",
        kinds: Mapping[str, str] | None = None,
        warnings: Sequence[Sentence] = (),
    ) -> "Spans":
        """Spans from marks, each checked; ``place`` says where a mark was given, ``lengths`` names all documents."""
        for row, mark in enumerate(marks):
            _check_ends(mark, lengths[mark.document], place(row) if _is_wrong(mark, lengths[mark.document]) else "")
        documents, names = tuple(lengths), tuple(coders)
        labels = tuple(sorted({mark.label for mark in marks}))
        columns = _coded(marks, documents, names, labels)
        order = np.lexsort((columns["start"], columns["label"], columns["coder"], columns["document"]))
        _refuse_overlap(marks, order, columns, place)
        whole_texts = None if texts is None or not all(name in texts for name in documents) else texts
        return cls(
            documents=documents,
            coders=names,
            labels=labels,
            **{name: column[order] for name, column in columns.items()},
            lengths=np.array([lengths[name] for name in documents], dtype=np.int64),
            read=np.array([[read(one, coder) for coder in names] for one in documents], dtype=bool).reshape(
                -1, len(names)
            ),
            texts=None if whole_texts is None else tuple(whole_texts[name] for name in documents),
            kinds=dict(kinds or {}),
            warnings=tuple(warnings),
        )

    def __len__(self) -> int:
        return len(self.start)

    def __str__(self) -> str:
        sizes = (len(self), "span"), (len(self.coders), "coder"), (len(self.documents), "document")
        spans, coders, documents = (count_noun(n, noun) for n, noun in sizes)
        return f"{spans} of {coders} in {documents}."

    def to_frame(self) -> "pl.DataFrame":
        """The spans as a table (polars), as ``read_spans`` takes it."""
        import polars as pl

        names = (("document", self.documents), ("coder", self.coders), ("label", self.labels))
        texts = {name: [entries[place] for place in getattr(self, name).tolist()] for name, entries in names}
        return pl.DataFrame({**texts, "start": self.start, "end": self.end}).select(
            "document", "coder", "start", "end", "label"
        )

    def coder_index(self, name: str) -> int:
        """The number of a coder, by name."""
        if name not in self.coders:
            raise UnknownNameError("coder", name, self.coders)
        return self.coders.index(name)

    def text(self, document: int, start: int, end: int) -> str | None:
        """The text of a stretch, if the text is known."""
        if self.texts is None:
            return None
        piece = self.texts[document][start:end]
        return piece if isinstance(piece, str) else " ".join(piece)


def _coded(
    marks: Sequence[Mark], documents: Sequence[str], coders: Sequence[str], labels: Sequence[str]
) -> dict[str, Integers]:
    places = [{name: number for number, name in enumerate(names)} for names in (documents, coders, labels)]
    columns = {
        "document": (places[0][mark.document] for mark in marks),
        "coder": (places[1][mark.coder] for mark in marks),
        "start": (mark.start for mark in marks),
        "end": (mark.end for mark in marks),
        "label": (places[2][mark.label] for mark in marks),
    }
    return {name: np.fromiter(column, dtype=np.int64, count=len(marks)) for name, column in columns.items()}


def _is_wrong(mark: Mark, length: int) -> bool:
    return not 0 <= mark.start < mark.end <= length


def _check_ends(mark: Mark, length: int, where: str) -> None:
    """Refuse a span that is none, or that its document does not hold."""
    if mark.end < mark.start:
        raise InvalidInputError(
            f"{where}: the span ends before it starts (start {mark.start}, end {mark.end}). "
            "The end must be greater than the start."
        )
    if mark.end == mark.start:
        raise InvalidInputError(
            f"{where}: the span is empty (start {mark.start}, end {mark.end}). The end is exclusive, "
            f"so a span of one position at {mark.start} ends at {mark.start + 1}."
        )
    if mark.start < 0:
        raise InvalidInputError(f"{where}: the span starts at {mark.start}. Positions are counted from 0.")
    if mark.end > length:
        raise InvalidInputError(
            f"{where}: the span {mark.start}–{mark.end} goes past the end of document {mark.document!r}, "
            f"which is {length:,} positions long. Correct the span or the length of the document."
        )


def _refuse_overlap(
    marks: Sequence[Mark], order: NDArray[np.intp], columns: Mapping[str, Integers], place: Callable[[int], str]
) -> None:
    """Refuse spans of one coder that overlap and have the same label."""
    if len(order) < 2:
        return
    alike = np.ones(len(order) - 1, dtype=bool)
    for name in ("document", "coder", "label"):
        alike &= np.diff(columns[name][order]) == 0
    clash = np.flatnonzero(alike & (columns["start"][order][1:] < columns["end"][order][:-1]))
    if len(clash):
        first, second = sorted((int(order[clash[0]]), int(order[clash[0] + 1])))
        a, b = marks[first], marks[second]
        raise InvalidInputError(
            f"{place(second)}: {b.coder} marked {b.start}–{b.end} in document {b.document!r}, which overlaps their "
            f"span {a.start}–{a.end} with the same label {b.label!r}. Spans of one coder with the same label may "
            "touch but not overlap: merge them, or correct the label."
        )
