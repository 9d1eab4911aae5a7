"""Counting on a cluster: the rules without patterns on Spark, with column functions only.

A sentence is one row with its words in an array, so pairs are formed inside the row and the only wide steps
are the sums per pair and per word. The result is sorted by Spark and read back part by part; rows and their
order are those of the local engine.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError, MissingExtraError
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.rules import Rule, parse_rule
from concurrence.core.values import value
from concurrence.counting.count import Counting
from concurrence.counting.dropping import Pattern
from concurrence.counting.result import Dropped, Level, levels, schema_of
from concurrence.counting.spark_pairs import form_pairs, margins_of, with_examples
from concurrence.counting.spark_sentences import read_sentences

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUIET = {"spark.ui.showConsoleProgress": "false", "spark.ui.enabled": "false"}
RULES = ("adjacent", "window", "window-pairs", "sentence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Which Spark to use, with which settings, and the folder that both it and this process see."""

    folder: Path
    master: str | None = None
    settings: Mapping[str, str]


@value
class StoredCounts:
    """Counted pairs in sorted Parquet parts; reads like the local engine's counts."""

    parts: list[Path]
    n_pairs: int
    sample_size: int | None
    spectrum: tuple[Level, ...]
    counted: Counted
    schema: pl.Schema
    broken: int
    dropped: tuple[Dropped, ...] = ()

    def pairs(self) -> Pairs:
        table = pl.concat([pl.DataFrame(schema=self.schema), *self.chunks()])
        return Pairs(table=table, counted=self.counted, extras={"spectrum": self.spectrum, "dropped": self.dropped})

    def chunks(self, *, rows: int = 1 << 19) -> Iterator[pl.DataFrame]:
        for part in self.parts:
            frame = pl.read_parquet(part)
            for at in range(0, len(frame), rows):
                yield frame.slice(at, rows).cast(dict(self.schema))  # type: ignore[arg-type]


def parse_settings(settings: Iterable[str]) -> dict[str, str]:
    """Settings of Spark from ``key=value``."""
    pairs = [setting.partition("=") for setting in settings]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise InvalidInputError(f"The setting {key!r} must be written as spark.key=value.")
    return {key.strip(): value.strip() for key, _, value in pairs}


def count_with_spark(
    corpus: Sequence[str],
    how: Counting,
    cluster: Cluster,
    *,
    format: str,  # noqa: A002
    skip_broken: bool = False,
    true_pairs: Iterable[tuple[str, str]] | None = None,
) -> StoredCounts:
    """Count the pairs of a corpus that Spark can read: lines, or Parquet files of tokens."""
    rule = parse_rule(how.rule)
    if rule.name not in RULES:
        raise InvalidInputError(
            f"The rule {rule.text} can be counted only by the local engine; Spark counts {', '.join(RULES)}."
        )
    with _session(cluster) as spark, _our_words():
        sentences, broken = read_sentences(spark, corpus, how, format_=format, skip_broken=skip_broken)
        sentences = sentences.persist()
        counted = form_pairs(sentences, rule).groupBy("l1", "l2").count().withColumnRenamed("count", "f").persist()
        collected = _collected(spark, sentences, counted, rule, how, cluster, true_pairs)
        counted.unpersist()
        sentences.unpersist()
    return _stored(collected, rule, how, corpus, broken)


def _collected(
    spark: "SparkSession",
    sentences: "DataFrame",
    counted: "DataFrame",
    rule: Rule,
    how: Counting,
    cluster: Cluster,
    true_pairs: Iterable[tuple[str, str]] | None,
) -> dict[str, Any]:
    from pyspark.sql import functions as sql

    totals = sentences.agg(sql.count("*").alias("sentences"), sql.sum("n_tokens").alias("tokens")).first()
    spectrum = counted.groupBy(sql.least(sql.col("f"), sql.lit(3)).alias("level")).count().collect()
    kept = counted.filter(sql.col("f") >= how.min_freq)
    kept, dropped = _dropped(spark, kept, how.patterns, true_pairs)
    table, size = margins_of(sentences, counted, kept, rule)
    if how.examples:
        table = with_examples(table, sentences, rule, k=how.examples, seed=how.seed)
    names = list(schema_of(words=rule.name == "window", examples=bool(how.examples)))
    stage = cluster.folder / "spark"
    ordered = table.select(*names).orderBy(sql.col("f").desc(), "l1", "l2")
    ordered.write.mode("overwrite").parquet(stage.absolute().as_uri())
    return {
        "totals": totals,
        "levels": {r["level"]: r["count"] for r in spectrum},
        "N": size,
        "dropped": dropped,
        "stage": stage,
    }


def _stored(collected: dict[str, Any], rule: Rule, how: Counting, corpus: Sequence[str], broken: int) -> StoredCounts:
    parts = sorted(collected["stage"].glob("part-*.parquet"))
    patterns = tuple(f"drop-pairs {pattern.text}" for pattern in how.patterns)
    return StoredCounts(
        parts=parts,
        n_pairs=sum(pl.scan_parquet(part).select(pl.len()).collect().item() for part in parts),
        sample_size=None if rule.name == "window" else collected["N"],
        spectrum=levels(np.array([0, *(collected["levels"].get(f, 0) for f in (1, 2, 3))])),
        counted=Counted(
            rule=rule.text,
            span=rule.span,
            unit=how.unit,
            corpus=tuple(corpus),
            filters=how.named_filters() + patterns,
            tokens=collected["totals"]["tokens"] or 0,
            sentences=collected["totals"]["sentences"],
        ),
        schema=schema_of(words=rule.name == "window", examples=bool(how.examples)),
        broken=broken,
        dropped=collected["dropped"],
    )


def _dropped(
    spark: "SparkSession",
    kept: "DataFrame",
    patterns: Sequence[Pattern],
    true_pairs: Iterable[tuple[str, str]] | None,
) -> tuple["DataFrame", tuple[Dropped, ...]]:
    """The rows that no pattern fits, and what the first fitting pattern of the others removed."""
    from pyspark.sql import functions as sql

    if not patterns:
        return kept, ()
    first = sql.coalesce(*(sql.when(_fits(pattern), sql.lit(k)) for k, pattern in enumerate(patterns)))
    marked = kept.withColumn("pattern", first).persist()
    gone = marked.filter(sql.col("pattern").isNotNull())
    removed = {row["pattern"]: row["count"] for row in gone.groupBy("pattern").count().collect()}
    hits: dict[int, int] = {}
    if true_pairs is not None:
        gold = spark.createDataFrame(sorted(set(true_pairs)), "l1 string, l2 string")
        hits = {
            row["pattern"]: row["count"] for row in gone.join(gold, ["l1", "l2"]).groupBy("pattern").count().collect()
        }
    told = tuple(
        Dropped(pattern=p.text, pairs=removed.get(k, 0), true_positives=None if true_pairs is None else hits.get(k, 0))
        for k, p in enumerate(patterns)
    )
    return marked.filter(sql.col("pattern").isNull()).drop("pattern"), told


def _fits(pattern: Pattern) -> Any:
    from pyspark.sql import functions as sql

    sides = ("l1", "l2") if pattern.side == "either" else (pattern.side,)
    conditions = [sql.col(side).rlike(pattern.regex) for side in sides]
    return conditions[0] if len(conditions) == 1 else conditions[0] | conditions[1]


@contextmanager
def _session(cluster: Cluster) -> "Iterator[SparkSession]":
    """A Spark session; one that was there before stays."""
    try:
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError("--engine spark", "spark") from error
    before = SparkSession.getActiveSession()
    builder = SparkSession.builder.appName("concurrence")
    if cluster.master is not None:
        builder = builder.master(cluster.master)
    for key, setting in {**QUIET, **_for_one_machine(cluster.master), **cluster.settings}.items():
        builder = builder.config(key, setting)
    try:
        spark = before or builder.getOrCreate()
    except (PySparkRuntimeError, OSError) as error:
        raise InvalidInputError(
            f"Spark could not start; it needs a Java runtime and a master it can reach: {error}"
        ) from error
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        if before is None:
            spark.stop()


def _for_one_machine(master: str | None) -> dict[str, str]:
    """Two hundred partitions are for a cluster; here each of them would only cost its start."""
    return {"spark.sql.shuffle.partitions": "8"} if master is not None and master.startswith("local") else {}


@contextmanager
def _our_words() -> Iterator[None]:
    """Turn what Spark says of a path or of broken data into one sentence."""
    from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        first = str(error).strip().splitlines()[0]
        raise InvalidInputError(f"Spark says: {first}") from error
