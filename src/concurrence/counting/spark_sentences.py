"""Sentences as Spark rows: the words to count in an array, null where one was removed, and the text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError
from concurrence.counting.count import Counting

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SPACE = r"[ \t\r\f\x0B]+"
SYNONYMS = {"word": "form", "token": "form", "upos": "pos"}


def read_sentences(
    spark: "SparkSession", corpus: Sequence[str], how: Counting, *, format_: str, skip_broken: bool
) -> "tuple[DataFrame, int]":
    """Rows ``words``, ``text`` and ``n_tokens``, and how many broken lines were left out."""
    if format_ == "lines":
        return _from_lines(spark, corpus, how, skip_broken=skip_broken)
    if format_ == "parquet":
        return _from_tokens(spark, corpus, how), 0
    raise InvalidInputError(f"Spark reads the formats lines and parquet, not {format_}; use the local engine.")


def _from_lines(
    spark: "SparkSession", corpus: Sequence[str], how: Counting, *, skip_broken: bool
) -> "tuple[DataFrame, int]":
    from pyspark.sql import functions as sql

    if how.unit != "form" or how.filters.pos or how.filters.drop_pos:
        raise InvalidInputError(
            "Plain lines have no lemmas or parts of speech; count forms, or read tokens from Parquet."
        )
    lines = spark.read.text(list(corpus), lineSep="\n")
    whole = sql.is_valid_utf8("value") & ~sql.contains("value", sql.lit("\0"))
    broken = lines.filter(~whole).count()
    if broken and not skip_broken:
        raise InvalidInputError(
            f"{broken} lines of the corpus are not valid UTF-8 or contain NUL bytes; leave them out with --skip-broken."
        )
    text = sql.regexp_replace("value", "^\ufeff", "")
    split = lines.filter(whole).select(sql.filter(sql.split(text, SPACE), lambda word: word != "").alias("forms"))
    rows = split.filter(sql.size("forms") > 0)
    return rows.select(
        sql.transform("forms", lambda word: _kept(word, word, None, how)).alias("words"),
        sql.concat_ws(" ", "forms").alias("text"),
        sql.size("forms").cast("long").alias("n_tokens"),
    ), broken


def _from_tokens(spark: "SparkSession", corpus: Sequence[str], how: Counting) -> "DataFrame":
    from pyspark.sql import functions as sql

    table = spark.read.parquet(*corpus)
    for old, new in SYNONYMS.items():
        if old in table.columns and new not in table.columns:
            table = table.withColumnRenamed(old, new)
    for name in ("sentence", "position", *sorted(how.needed_attributes())):
        if name not in table.columns:
            names = ", ".join(table.columns)
            raise InvalidInputError(
                f"The tokens have no column {name!r}, which Spark needs; their columns are {names}."
            )
    word = {"form": "form", "lemma": "lemma"}.get(how.unit, "lemma")
    pos = sql.col("pos") if "pos" in how.needed_attributes() else None
    plain = sql.coalesce(sql.col(word), sql.lit(""))
    token = sql.struct("position", sql.col("form"), _kept(_unit(plain, pos, how), plain, pos, how).alias("word"))
    rows = table.groupBy("sentence").agg(sql.sort_array(sql.collect_list(token)).alias("tokens"))
    return rows.select(
        sql.col("tokens.word").alias("words"),
        sql.concat_ws(" ", "tokens.form").alias("text"),
        sql.size("tokens").cast("long").alias("n_tokens"),
    )


def _unit(word: "Column", pos: "Column | None", how: Counting) -> "Column":
    from pyspark.sql import functions as sql

    if how.unit != "lemma_pos" or pos is None:
        return word
    return sql.concat(sql.lower(word) if how.lower else word, sql.lit("_"), sql.coalesce(pos, sql.lit("")))


def _kept(unit: "Column", word: "Column", pos: "Column | None", how: Counting) -> "Column":
    """The word as it is counted, or null where a filter removes it."""
    from pyspark.sql import functions as sql

    lowered = sql.lower(word) if how.lower else word
    shown: Any = lowered if how.unit != "lemma_pos" else unit
    gone = sql.lit(False)
    if how.filters.stop:
        gone = gone | lowered.isin(*how.filters.stop)
    if pos is not None and how.filters.pos:
        gone = gone | ~sql.coalesce(pos, sql.lit("")).isin(*how.filters.pos)
    if pos is not None and how.filters.drop_pos:
        gone = gone | sql.coalesce(pos, sql.lit("")).isin(*how.filters.drop_pos)
    return sql.when(~gone, shown)
