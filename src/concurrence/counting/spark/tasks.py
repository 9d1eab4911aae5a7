"""What runs inside Spark's Python workers: the local kernel on each split, and sums of buckets."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.core.corpus import Corpus, Regions
from concurrence.core.errors import COMMAND_LINE, ConcurrenceError
from concurrence.core.layers import Vocabulary
from concurrence.counting.count import CountOptions
from concurrence.counting.spark.partial import count_split, pair_buckets, word_buckets
from concurrence.counting.spark.sums import sum_pairs, sum_words

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "kind int, bucket int, data binary"
TOTALS, WORDS, PAIRS, SPECTRUM, TROUBLE, EXAMPLES = range(6)

WORDS_ARE_FEWER = 16
"""So many times fewer buckets do for words, since there are always far more pairs."""

Row = tuple[int, int, bytes]
Reader = Callable[[Any], Corpus]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusNames:
    """What patterns must know of the whole corpus: its tags and structures, whichever split they are in."""

    tags: Mapping[str, frozenset[str]] = field(default_factory=dict)
    structures: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __or__(self, other: "CorpusNames") -> "CorpusNames":
        return CorpusNames(tags=_union(self.tags, other.tags), structures=_union(self.structures, other.structures))

    @classmethod
    def of(cls, corpus: Corpus) -> "CorpusNames":
        return cls(
            tags={
                name: frozenset(corpus.layers[name].vocabulary.words)
                for name in ("pos", "xpos")
                if name in corpus.layers
            },
            structures={name: frozenset(regions.attributes) for name, regions in corpus.regions.items()},
        )

    def added_to(self, corpus: Corpus) -> Corpus:
        """A corpus that knows the tags and structures of the other splits too, at no position."""
        layers = dict(corpus.layers)
        for name, tags in self.tags.items():
            words = layers[name].vocabulary.words
            new = sorted(tags - set(words))
            layers[name] = replace(layers[name], vocabulary=Vocabulary.of([*words, *new]))
        regions = dict(corpus.regions)
        for name, attributes in self.structures.items():
            nowhere = np.empty(0, dtype=np.int64)
            own = regions.get(name, Regions(starts=nowhere, ends=nowhere))
            lacking = {attribute: ("",) * len(own.starts) for attribute in attributes - set(own.attributes)}
            regions[name] = replace(own, attributes={**own.attributes, **lacking})
        return replace(corpus, layers=layers, regions=regions)


def _union(some: Mapping[str, frozenset[str]], others: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    nothing: frozenset[str] = frozenset()
    return {name: some.get(name, nothing) | others.get(name, nothing) for name in {**some, **others}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Look at a split for what patterns must know."""

    read: Reader

    def __call__(self, part: Any) -> Iterator[Row]:
        yield TOTALS, 0, pickle.dumps(CorpusNames.of(self.read(part)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Look at a split without reading it all."""

    look: Callable[[Any], Any]

    def __call__(self, part: Any) -> Iterator[Row]:
        yield TOTALS, 0, pickle.dumps(self.look(part))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSplit:
    """Count a split: totals, words with their margins, pairs."""

    read: Reader
    how: CountOptions
    names: CorpusNames
    buckets: int
    salt: int = 0

    def __call__(self, part: Any) -> Iterator[Row]:
        corpus = self.read(part)
        yield TOTALS, 0, pickle.dumps((corpus.n_tokens, corpus.n_sentences, corpus.broken))
        if not corpus.n_tokens:
            return
        partial = count_split(self.names.added_to(corpus), self.how, salt=self.salt)
        del corpus
        for bucket, pairs in pair_buckets(partial, self.buckets):
            yield PAIRS, bucket, pairs.packed()
        for bucket, data in word_buckets(partial, max(self.buckets // WORDS_ARE_FEWER, 1)):
            yield WORDS, bucket, data


@dataclass(frozen=True, slots=True, kw_only=True)
class EachSplit:
    """A task: what ``work`` gives for the splits with these numbers; what is wrong with one comes as a row."""

    work: Callable[[Any], Iterable[Row]]
    splits: Sequence[Any]
    command_line: bool

    def __call__(self, batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        for batch in batches:
            for at in batch.column(0).to_pylist():
                yield from _rows(self.work, self.splits[at], at, command_line=self.command_line)


@dataclass(frozen=True, slots=True, kw_only=True)
class EachTable:
    """A task: what ``work`` gives for its table of whole sentences."""

    work: Callable[[Any], Iterable[Row]]
    command_line: bool

    def __call__(self, batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa

        if parts := list(batches):
            yield from _rows(self.work, pa.Table.from_batches(parts), 0, command_line=self.command_line)


def _rows(
    work: Callable[[Any], Iterable[Row]], part: Any, at: int, *, command_line: bool
) -> "Iterator[pa.RecordBatch]":
    COMMAND_LINE.set(command_line)
    try:
        for row in work(part):
            yield batch_of(row)
    except ConcurrenceError as error:
        yield batch_of((TROUBLE, 0, pickle.dumps((at, str(error)))))


@dataclass(frozen=True, slots=True, kw_only=True)
class SumBucket:
    """A task: what all splits gave for one bucket, added up."""

    least: int

    def __call__(self, table: "pa.Table") -> "pa.Table":
        import pyarrow as pa

        kind, bucket = table.column(0)[0].as_py(), table.column(1)[0].as_py()
        parts = table.column(2).to_pylist()
        return pa.Table.from_batches([batch_of(row) for row in self.sums(kind, bucket, parts)])

    def sums(self, kind: int, bucket: int, parts: list[bytes]) -> Iterator[Row]:
        """The sums of a bucket; what is no count stays as it is."""
        if kind == WORDS:
            yield kind, bucket, sum_words(parts)
        elif kind == PAIRS:
            pairs, spectrum = sum_pairs(parts, self.least)
            yield SPECTRUM, bucket, pickle.dumps(spectrum)
            yield PAIRS, bucket, pairs.packed()
        else:
            for part in parts:
                yield kind, bucket, part


def batch_of(row: Row) -> "pa.RecordBatch":
    import pyarrow as pa

    kind, bucket, data = row
    columns = [pa.array([kind], pa.int32()), pa.array([bucket], pa.int32()), pa.array([data], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "bucket", "data"])
