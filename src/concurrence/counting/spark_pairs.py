"""Pairs, margins and examples on Spark: what the compiled kernel does, as column functions."""

from typing import TYPE_CHECKING

from concurrence.core.rules import Rule

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

HEX_DIGITS = 15


def form_pairs(sentences: "DataFrame", rule: Rule, *extra: str) -> "DataFrame":
    """A row for each pair token, formed inside the row of its sentence; ``extra`` columns are kept."""
    from pyspark.sql import functions as sql

    words = (
        sql.array_sort(sql.array_distinct(sql.filter("words", lambda w: w.isNotNull())))
        if rule.name == "sentence"
        else sql.col("words")
    )
    prepared = sentences.select(words.alias("words"), *extra)
    placed = prepared.select("words", *extra, sql.posexplode("words").alias("at", "word")).filter(
        sql.col("word").isNotNull()
    )
    if rule.name == "window":
        return placed.select(sql.explode(_nodes(rule)).alias("l1"), sql.col("word").alias("l2"), *extra)
    span = sql.size("words") if rule.span is None else sql.lit(rule.span)
    following = sql.filter(sql.slice("words", sql.col("at") + 2, span), lambda w: w.isNotNull())
    return placed.select(sql.col("word").alias("l1"), sql.explode(following).alias("l2"), *extra)


def _nodes(rule: Rule) -> "Column":
    """The different words in whose windows a position lies, itself excepted."""
    from pyspark.sql import functions as sql

    span = sql.lit(rule.span)
    start = sql.greatest(sql.col("at") - span, sql.lit(0))
    around = sql.slice("words", start + 1, sql.col("at") - start + 1 + span)
    return sql.array_distinct(sql.filter(around, lambda w: w.isNotNull() & (w != sql.col("word"))))


def margins_of(sentences: "DataFrame", counted: "DataFrame", kept: "DataFrame", rule: Rule) -> "tuple[DataFrame, int]":
    """The kept pairs with f1, f2 and N (in windows, n1 and n2 too), and N where it is the same for all."""
    from pyspark.sql import functions as sql

    left = counted.groupBy("l1").agg(sql.sum("f").alias("f1"))
    if rule.name in ("adjacent", "window-pairs"):
        right = counted.groupBy("l2").agg(sql.sum("f").alias("f2"))
        size = counted.agg(sql.sum("f")).first()[0] or 0
        return kept.join(left, "l1").join(right, "l2").withColumn("N", sql.lit(size).cast("long")), size
    if rule.name == "sentence":
        members = sentences.select(sql.explode(sql.array_distinct("words")).alias("word")).groupBy("word").count()
        size = sentences.count()
        table = kept.join(members.toDF("l1", "f1"), "l1").join(members.toDF("l2", "f2"), "l2")
        return table.withColumn("N", sql.lit(size).cast("long")), size
    words = sentences.select(sql.explode("words").alias("word")).filter(sql.col("word").isNotNull())
    frequencies = words.groupBy("word").count().persist()
    size = frequencies.agg(sql.sum("count")).first()[0] or 0
    count = sql.col("count")
    node = frequencies.select(sql.col("word").alias("l1"), (sql.lit(size) - count).alias("N"), count.alias("n1"))
    table = kept.join(left, "l1").join(frequencies.toDF("l2", "f2"), "l2").join(node, "l1")
    return table.withColumn("n2", sql.col("f2")), size


def with_examples(table: "DataFrame", sentences: "DataFrame", rule: Rule, *, k: int, seed: int) -> "DataFrame":
    """The pairs with up to ``k`` sentences, those with the smallest numbers under the seed."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    digest = sql.md5(sql.concat(sql.lit(f"{seed}\t"), sql.col("text")))
    number = sql.conv(sql.substring(digest, 1, HEX_DIGITS), 16, 10).cast("long")
    numbered = sentences.withColumn("number", number)
    places = form_pairs(numbered, rule, "text", "number").join(table.select("l1", "l2"), ["l1", "l2"], "left_semi")
    ranked = places.withColumn("rank", sql.dense_rank().over(Window.partitionBy("l1", "l2").orderBy("number")))
    chosen = ranked.filter(sql.col("rank") <= k).groupBy("l1", "l2")
    texts = sql.sort_array(sql.collect_set(sql.struct("number", "text")))
    return table.join(chosen.agg(texts.alias("chosen")), ["l1", "l2"]).withColumn("examples", sql.col("chosen.text"))
