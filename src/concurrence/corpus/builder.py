"""A corpus under construction: growing columns, heads and regions, which the readers fill."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.corpus import NONE, OTHER, SPACE, Corpus, Documents, Regions, Spacing, Written
from concurrence.core.errors import InvalidInputError
from concurrence.core.layers import BORDER, MISSING, Layer
from concurrence.core.options import Progress
from concurrence.core.spill import Spill
from concurrence.corpus.vocabulary_builder import VocabularyBuilder

MAX_POSITIONS = 2**31 - 2


class CorpusBuilder:
    """Columns of tokens that grow together: a position is the same token in each."""

    def __init__(self, *, progress: Progress | None = None, total: int = 0, keeps_text: bool = False) -> None:
        self.size = 0
        self.broken = 0
        self.keeps_text = keeps_text
        self.file_facts: dict[str, str] = {}
        self.has_heads = False
        self.gap_texts: dict[str, int] = {" ": SPACE, "": NONE}
        self.regions: dict[str, list[tuple[int, int, dict[str, str]]]] = {}
        self._vocabularies: dict[str, VocabularyBuilder] = {}
        self._parts: dict[str, list[NDArray[np.int32]]] = {}
        self._partial: set[str] = set()
        self._heads: list[NDArray[np.int32]] = []
        self._gaps: list[NDArray[np.uint8]] = []
        self._written_at: list[NDArray[np.int64]] = []
        self._written: list[NDArray[np.int32]] = []
        self._written_texts: dict[str, int] = {}
        self._documents: list[tuple[int, str, dict[str, str]]] = []
        self._progress, self._done, self._total = progress, 0, total

    def vocabulary(self, column: str) -> VocabularyBuilder:
        return self._vocabularies.setdefault(column, VocabularyBuilder())

    def begin_document(self, position: int, name: str, metadata: Mapping[str, str]) -> None:
        """A document starts here; one that started in the same place was empty, and all it had goes to this one.

        What is known of the file is known of each of its documents.
        """
        metadata = {**self.file_facts, **metadata}
        if self._documents and self._documents[-1][0] == position:
            metadata = {**self._documents.pop()[2], **metadata}
        self._documents.append((position, name, dict(metadata)))

    def note_written(self, positions: Sequence[int], texts: Sequence[str]) -> None:
        """Note positions whose tokens were written differently in the text."""
        codes = [self._written_texts.setdefault(text, len(self._written_texts)) for text in texts]
        self._written_at.append(np.array(positions, dtype=np.int64))
        self._written.append(np.array(codes, dtype=np.int32))

    def gap_code(self, text: str) -> int:
        """The number of a text between tokens; beyond 255 different ones a space stands for all others."""
        if text not in self.gap_texts and len(self.gap_texts) < OTHER:
            self.gap_texts[text] = len(self.gap_texts)
        return self.gap_texts.get(text, SPACE)

    def add(
        self,
        codes: Mapping[str, NDArray[np.int32]],
        heads: NDArray[np.int32] | None = None,
        gaps: NDArray[np.uint8] | None = None,
    ) -> None:
        """Add positions: one part for each column, all of the same length; a column without values may be absent."""
        forms = codes["form"]
        if self._parts and set(codes) != set(self._parts):
            self._partial |= set(codes) ^ set(self._parts)
            self._refuse_partial_values()
            codes = {**{name: _without_values(forms) for name in self._parts}, **codes}
            for name in codes.keys() - self._parts.keys():
                self._parts[name] = [_without_values(part) for part in self._parts["form"]]
        if heads is not None and not self._heads:
            self._heads = [np.full(len(part), BORDER, dtype=np.int32) for part in self._parts.get("form", [])]
        if heads is not None or self._heads:
            self._heads.append(np.full(len(forms), BORDER, dtype=np.int32) if heads is None else heads)
        for name, part in codes.items():
            self._parts.setdefault(name, []).append(part)
        if gaps is not None:
            self._gaps.append(gaps)
        self.size += len(forms)
        if self.size > MAX_POSITIONS:
            raise InvalidInputError(
                "The corpus has more than two billion tokens; count it with Spark (concur pairs --engine spark)."
            )

    def _refuse_partial_values(self) -> None:
        """Refuse attributes that only some files have; that none of their tokens has a value is no matter."""
        partial = [name for name in sorted(self._partial) if len(self.vocabulary(name).vocabulary())]
        if partial:
            raise InvalidInputError(
                f"Only some files of the corpus have the attributes {', '.join(partial)}, and figures about them would "
                "be about these files alone; index the files apart, or bring all of them to the same attributes."
            )

    def report(self, n_bytes: int, *, broken: int = 0) -> None:
        self.broken += broken
        self._done += n_bytes
        if self._progress is not None:
            self._progress(self._done, self._total)

    def corpus(self, sources: tuple[str, ...], *, spill: Spill | None = None, keeps_heads: bool = False) -> Corpus:
        """All that was gathered; what exceeds a third of the budget is kept in a file.

        Heads are none where no token says what its head is, unless they are kept for other parts of the corpus.
        """
        self._refuse_partial_values()
        layers = {
            name: Layer(codes=_joined(parts, spill), vocabulary=self.vocabulary(name).vocabulary())
            for name, parts in self._parts.items()
        }
        return Corpus(
            layers=layers or {"form": Layer.of([])},
            heads=_joined(self._heads, spill) if self._heads and (self.has_heads or keeps_heads) else None,
            regions={name: _regions(rows) for name, rows in self.regions.items()},
            sources=sources,
            broken=self.broken,
            documents=self._all_documents(),
            spacing=self._spacing() if self.keeps_text else Spacing(),
        )

    def _all_documents(self) -> Documents:
        rows = [row for row in self._documents if row[0] < self.size]
        names = dict.fromkeys(name for _, _, metadata in rows for name in metadata)
        return Documents(
            starts=np.array([start for start, _, _ in rows], dtype=np.int64),
            names=tuple(name for _, name, _ in rows),
            metadata={name: tuple(metadata.get(name, "") for _, _, metadata in rows) for name in names},
        )

    def _spacing(self) -> Spacing:
        gaps = np.concatenate([np.empty(0, dtype=np.uint8), *self._gaps])
        written = Written(
            positions=np.concatenate([np.empty(0, dtype=np.int64), *self._written_at]),
            codes=np.concatenate([np.empty(0, dtype=np.int32), *self._written]),
            texts=tuple(self._written_texts),
        )
        return Spacing(gaps=gaps, texts=tuple(self.gap_texts), written=written)


def _without_values(forms: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(forms < 0, BORDER, MISSING).astype(np.int32)


def _joined(parts: list[NDArray[np.int32]], spill: Spill | None) -> NDArray[np.int32]:
    """All parts in one array; each part is freed once it is copied, so that memory is not needed twice."""
    size = sum(map(len, parts))
    too_big = spill is not None and size * 4 > spill.budget // 3
    whole: NDArray[np.int32] = _mapped(size, spill.folder) if spill and too_big else np.empty(size, dtype=np.int32)
    at = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        whole[at : at + len(part)] = part
        at += len(part)
    whole.flags.writeable = False
    return whole


def _mapped(size: int, folder: Path) -> NDArray[np.int32]:
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".codes", delete=False) as file:
        return np.memmap(file.name, dtype=np.int32, mode="w+", shape=(size,))


def _regions(rows: list[tuple[int, int, dict[str, str]]]) -> Regions:
    names: dict[str, Any] = dict.fromkeys(name for _, _, attributes in rows for name in attributes)
    return Regions(
        starts=np.array([start for start, _, _ in rows], dtype=np.int64),
        ends=np.array([end for _, end, _ in rows], dtype=np.int64),
        attributes={name: tuple(attributes.get(name, "") for _, _, attributes in rows) for name in names},
    )
