"""Values that travel, such as labels and pairs, as short documents: what they are, and their first rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concurrence.core.contingency import Contingency
from concurrence.core.corpus import Corpus
from concurrence.core.labels import Labels
from concurrence.core.layers import BORDER
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.results import Coefficient, Result
from concurrence.core.samples import Sample
from concurrence.core.sentences import count_noun
from concurrence.files.provenance import Provenance
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Block, Document, Paragraph, Section, Table

ROWS = 20
"""How many rows of a long table are shown."""


def frame_document(result: Result) -> Document:
    """What the value says of itself and, where it is a table, its first rows."""
    if type(result).to_frame is Result.to_frame:
        return _document(result, [str(result)])
    frame = result.to_frame()
    return _document(result, [str(result)], frame.columns, frame.head(ROWS).rows(), of=len(frame))


def coefficient_document(one: Coefficient) -> Document:
    return _document(one, [f"{one}.", *([one.note] if one.note else [])])


def labels_document(labels: Labels) -> Document:
    names = (*labels.categories, None)
    rows = [(item, *(names[k] for k in row)) for item, row in zip(labels.items, labels.codes[:ROWS], strict=False)]
    return _document(labels, [str(labels)], ("item", *labels.coders), rows, of=labels.n_items, noun="more item")


def contingency_document(tables: Contingency) -> Document:
    cells = np.hstack([tables.observed.reshape(-1, 4), tables.expected.reshape(-1, 4)])
    columns = [f"{kind}{cell}" for kind in "OE" for cell in (11, 12, 21, 22)]
    return _document(tables, [str(tables)], columns, cells[:ROWS].tolist(), of=len(cells), noun="more table")


def corpus_document(corpus: Corpus) -> Document:
    start = range(min(ROWS, corpus.size))
    columns = [
        [None if layer.codes[place] == BORDER else layer.vocabulary.word(int(layer.codes[place])) for place in start]
        for layer in corpus.layers.values()
    ]
    return _document(corpus, [str(corpus)], list(corpus.layers), list(zip(*columns, strict=True)), of=len(start))


def _document(
    result: Any,
    answer: Sequence[str],
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[Any]] = (),
    *,
    of: int = 0,
    noun: str = "more row",
) -> Document:
    """A document with one table, and how many rows there are besides those in it."""
    more = [Paragraph(text=f"… and {count_noun(of - len(rows), noun)}.")] if of > len(rows) else []
    blocks: tuple[Block, ...] = (Table.of("", columns, rows), *more) if columns else ()
    title, warnings = type(result).__name__, getattr(result, "warnings", ())
    return Document.of(title, "", answer, (Section(title="Data", blocks=blocks),), warnings=warnings)


def _write_pairs(pairs: Pairs, path: Path, provenance: Provenance) -> None:
    from concurrence.files.pairs.formats import write_pairs

    write_pairs(pairs, path, provenance)


def _write_sample(sample: Sample, path: Path, provenance: Provenance) -> None:
    from concurrence.files.pairs.samples import write_sample

    write_sample(sample, path, provenance)


PRESENTERS: Presenters = (
    Presenter(Result, frame_document),
    Presenter(Coefficient, coefficient_document),
    Presenter(Contingency, contingency_document),
    Presenter(Counted, lambda counted: _document(counted, [f"Counted {counted}."])),
    Presenter(Corpus, corpus_document),
    Presenter(Labels, labels_document, Labels.to_frame),
    Presenter(Pairs, frame_document, Pairs.to_frame, write=_write_pairs),
    Presenter(Sample, frame_document, Sample.to_frame, write=_write_sample),
)
