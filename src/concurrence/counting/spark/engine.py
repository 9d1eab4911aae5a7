"""Counting on a cluster: Spark moves the data, the local kernel counts.

Each split of the corpus is counted in one of Spark's Python workers. What it gives is shared out among buckets, each
a range of hashed left words; Spark brings the parts of a bucket together, and they are added up there. The sums come
back bucket by bucket and become the same value that the local engine gives.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.core.errors import COMMAND_LINE, InvalidInputError
from concurrence.core.pairs import Counted
from concurrence.core.rules import PATTERNS, Rule, parse_rule
from concurrence.core.spill import Spill
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.drop_patterns import drop_pairs
from concurrence.counting.result import Counts, spectrum_levels
from concurrence.counting.runs import LEVELS
from concurrence.counting.spark.examples import ExamplesOf, SmallestExamples, StoredExamples, kept_pairs
from concurrence.counting.spark.partial import Integers
from concurrence.counting.spark.session import Cluster, Stage, in_our_words, watched
from concurrence.counting.spark.sums import MergedVocabulary, runs_of, vocabulary_of
from concurrence.counting.spark.tasks import (
    EXAMPLES,
    PAIRS,
    SCHEMA,
    SPECTRUM,
    TOTALS,
    TROUBLE,
    WORDS,
    CorpusNames,
    CountSplit,
    EachSplit,
    EachTable,
    Reader,
    Row,
    Scan,
    SumBucket,
    Survey,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BYTES_PER_TOKEN = 6
BUCKET_PAIRS = 1 << 22
MOST_BUCKETS = 30_000
SALTS = 4
SPILL = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitParts:
    """A corpus in splits; ``n_bytes`` is its size, ``files`` its names."""

    splits: Sequence[Any]
    files: tuple[str, ...]
    n_bytes: int

    def each(self, spark: "SparkSession", work: Callable[[Any], Iterable[Row]]) -> "DataFrame":
        """What some work gives for every split, one task each."""
        task = EachSplit(work=work, splits=self.splits, command_line=COMMAND_LINE.get())
        n = len(self.splits)
        return spark.range(0, n, 1, n).mapInArrow(task, SCHEMA)

    def first(self, spark: "SparkSession") -> Any:
        del spark
        return self.splits[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableParts:
    """Parquet files of tokens whose order is a column: Spark brings the tokens of a sentence together.

    ``sentence`` is the column with its number; those of two documents with one number come together, too.
    """

    files: tuple[str, ...]
    columns: Sequence[str]
    sentence: str
    n_bytes: int
    n_parts: int

    @property
    def splits(self) -> range:
        return range(self.n_parts)

    def each(self, spark: "SparkSession", work: Callable[[Any], Iterable[Row]]) -> "DataFrame":
        """What some work gives for every part, all tokens of a sentence in the same one."""
        table = spark.read.parquet(*self.files).select(*self.columns).repartition(self.n_parts, self.sentence)
        return table.mapInArrow(EachTable(work=work, command_line=COMMAND_LINE.get()), SCHEMA)

    def first(self, spark: "SparkSession") -> Any:
        return spark.read.parquet(*self.files).select(*self.columns).limit(1).toArrow()


Parts = SplitParts | TableParts


def scan_splits(spark: "SparkSession", parts: SplitParts, look: Callable[[Any], Any], cluster: Cluster) -> list[Any]:
    """What a look at every split shows, in their order."""
    with in_our_words(cluster):
        rows = parts.each(spark, Scan(look=look)).collect()
    _refuse(rows)
    return [pickle.loads(row["data"]) for row in rows]  # noqa: S301


def count_with_spark(
    spark: "SparkSession",
    parts: Parts,
    how: CountOptions,
    read: Reader,
    cluster: Cluster,
    *,
    true_pairs: Iterable[tuple[str, str]] | None = None,
    stage: Stage | None = None,
) -> Counts:
    """Count the pairs of a corpus; ``read`` makes tokens of a split, or of a table of whole sentences."""
    rule = parse_rule(how.rule)
    spill = Spill(budget=SPILL, folder=cluster.folder)
    with in_our_words(cluster):
        names = _corpus_names(spark, parts, rule, read, stage)
        counts = None
        for salt in range(SALTS):  # numbers of words that clash are as rare as 64 bits make them
            work = CountSplit(read=read, how=how, names=names, buckets=_buckets(parts, rule), salt=salt)
            counts = _counted(spark, parts, work, rule, spill, stage)
            if counts is not None:
                break
        if counts is None:
            raise InvalidInputError("The words of the corpus have no distinct numbers; count it with the local engine.")
        if not counts.counted.tokens:
            return count_to_rows(read(parts.first(spark)), how, true_pairs=true_pairs)
        if how.patterns:
            counts = drop_pairs(counts, how.patterns, true_pairs=true_pairs, spill=spill)
        if how.examples:
            chosen = _examples(spark, parts, ExamplesOf(read=read, how=how, names=names), counts, stage)
            counts = replace(counts, examples=chosen)
    return counts


def _buckets(parts: Parts, rule: Rule) -> int:
    """So many that the pairs of one fit into little memory."""
    per_token = 0.2 if rule.name in PATTERNS else 10 if rule.span is None else min(rule.span, 20)
    pairs = parts.n_bytes / BYTES_PER_TOKEN * per_token * (2 if rule.name == "window" else 1)
    return int(min(max(pairs // BUCKET_PAIRS, 2), MOST_BUCKETS))


def _corpus_names(spark: "SparkSession", parts: Parts, rule: Rule, read: Reader, stage: Stage | None) -> CorpusNames:
    """What patterns must know of all splits; with one split, it knows that itself."""
    names = CorpusNames()
    if rule.name not in PATTERNS or len(parts.splits) == 1:
        return names
    with watched(spark, ["reading tags"], stage):
        rows = parts.each(spark, Survey(read=read)).collect()
    _refuse(rows)
    for row in rows:
        names |= pickle.loads(row["data"])  # noqa: S301
    return names


def _refuse(rows: Iterable[Any]) -> None:
    """Raise what is wrong with the first split that has something wrong."""
    if troubles := sorted(pickle.loads(row["data"]) for row in rows if row["kind"] == TROUBLE):  # noqa: S301
        raise InvalidInputError(troubles[0][1])


def _counted(
    spark: "SparkSession", parts: Parts, work: CountSplit, rule: Rule, spill: Spill, stage: Stage | None
) -> Counts | None:
    """The counts of all splits; nothing where two words have the same number."""
    from pyspark import StorageLevel

    shared = parts.each(spark, work).repartition(work.buckets, "kind", "bucket").groupBy("kind", "bucket")
    sums = shared.applyInArrow(_alone(SumBucket(least=work.how.min_freq)), SCHEMA).persist(StorageLevel.DISK_ONLY)
    with watched(spark, ["counting", "adding up"], stage):
        sums.count()
        _refuse(sums.filter(f"kind = {TROUBLE}").collect())
        totals = [sum(column) for column in zip(*_loaded(sums, TOTALS), strict=True)]
        vocabulary = vocabulary_of(_data(sums, WORDS))
        if not vocabulary.is_unambiguous:
            return None
        runs = runs_of(_data(sums, PAIRS), vocabulary, spill)
        spectrum = np.sum([np.zeros(LEVELS + 1, dtype=np.int64), *_loaded(sums, SPECTRUM)], axis=0)
    sums.unpersist()
    first, second, n, size, own = _margins(rule, vocabulary, totals[1])
    tokens, sentences, broken = totals
    how = work.how
    return Counts(
        left=vocabulary.words,
        right=vocabulary.words,
        runs=runs,
        f1=first,
        f2=second,
        n=n,
        words=own,
        sample_size=size,
        spectrum=spectrum_levels(spectrum),
        broken=broken,
        counted=Counted(
            rule=rule.text,
            span=rule.span,
            unit=how.unit,
            corpus=parts.files,
            filters=how.named_filters(),
            tokens=tokens,
            sentences=sentences,
        ),
    )


def _margins(
    rule: Rule, vocabulary: MergedVocabulary, n_sentences: int
) -> tuple[Integers, Integers, Integers, int | None, Integers | None]:
    """f1, f2 and N of each word, the N that all share, and the words' own frequencies where the margins are others."""
    first, second = vocabulary.first, vocabulary.second
    if rule.name == "window":
        return first, second, second.sum() - second, None, second
    size = n_sentences if rule.name == "sentence" else int(first.sum())
    return first, second, np.full(len(first), size, dtype=np.int64), size, None


def _alone(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A plain function of one table: Spark would give more to what has more arguments, and counts ``self``."""

    def task(table: Any) -> Any:
        return work(table)

    return task


def _data(sums: "DataFrame", kind: int) -> Iterator[bytes]:
    """The rows of a kind, partition by partition."""
    for row in sums.filter(f"kind = {kind}").select("data").toLocalIterator():
        yield bytes(row["data"])


def _loaded(sums: "DataFrame", kind: int) -> list[Any]:
    return [pickle.loads(data) for data in _data(sums, kind)]  # noqa: S301


def _examples(
    spark: "SparkSession", parts: Parts, work: ExamplesOf, counts: Counts, stage: Stage | None
) -> StoredExamples:
    """A second pass: up to so many sentences for each pair that is left."""
    broadcast = spark.sparkContext.broadcast(kept_pairs(counts))
    work = replace(work, kept=broadcast, buckets=_buckets(parts, parse_rule(work.how.rule)))
    rows = parts.each(spark, work).repartition(work.buckets, "kind", "bucket").groupBy("kind", "bucket")
    chosen = rows.applyInArrow(_alone(SmallestExamples(k=work.how.examples)), SCHEMA)
    with watched(spark, ["choosing examples"], stage):
        data = [bytes(row["data"]) for row in chosen.filter(f"kind = {EXAMPLES}").toLocalIterator()]
    return StoredExamples.of(data, counts)
