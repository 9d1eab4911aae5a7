"""Counting on a cluster, as ``concur pairs --engine spark`` does it: the corpus in splits, and how they are read."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from concurrence.cli.corpus_options import CorpusOptions
from concurrence.cli.output import note, progress_bar
from concurrence.core.errors import InvalidInputError
from concurrence.core.system import machine_memory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from concurrence.corpus.splits import Split, SplitReader
    from concurrence.counting.count import CountOptions
    from concurrence.counting.result import Counts
    from concurrence.counting.spark.engine import Parts
    from concurrence.counting.spark.session import Cluster

SMALLEST_SPLIT, LARGEST_SPLIT = 4 << 20, 128 << 20
SPLIT_GROWTH = 20
"""How much memory a split takes while it is counted, in its own size: about 1.2 GB for 64 MB."""
TABLE_GROWTH = 4
"""How much bigger a table of tokens is in memory than as a file."""
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def count_on_cluster(
    corpus: tuple[str, ...],
    counting: "CountOptions",
    reading: CorpusOptions,
    cluster: "Cluster",
    true_pairs: list[tuple[str, str]] | None,
) -> "Counts":
    """Plan the splits of a corpus and let Spark count them."""
    from concurrence.corpus.index import index_among
    from concurrence.corpus.locations import is_remote
    from concurrence.corpus.splits import SplitReader, plan_splits
    from concurrence.counting.spark.engine import count_with_spark
    from concurrence.counting.spark.session import announcement, session

    if folder := index_among(corpus):
        raise InvalidInputError(f"{folder} is an index; Spark reads the files themselves, so name these.")
    _note_left_out([name for name in corpus if not is_remote(name)], reading)
    files = plan_splits(corpus, format_=reading.format, encoding=reading.encoding)
    reader = SplitReader(
        attributes=counting.needed_attributes(),
        columns=reading.attribute_names,
        language=reading.language,
        skip_broken=reading.skip_broken,
    )
    with session(cluster) as spark:
        most = _split_bytes(spark, cluster, files)
        note(announcement(spark, cluster, most))
        parts = _parts(spark, files, most, reader, cluster)
        return count_with_spark(spark, parts, counting, reader, cluster, true_pairs=true_pairs, stage=progress_bar)


def _note_left_out(corpus: Sequence[str], reading: CorpusOptions) -> None:
    """Say which files of the folders on this machine are not counted."""
    from concurrence.corpus.folders import find_sources

    files = find_sources(corpus, format_=reading.format, encoding=reading.encoding) if corpus else None
    for sentence in () if files is None else files.inventory.warnings:
        note(str(sentence))


def _split_bytes(spark: "SparkSession", cluster: "Cluster", files: "Sequence[Split]") -> int:
    from concurrence.corpus.splits import total_bytes
    from concurrence.counting.spark.session import SPLIT_SETTING

    if SPLIT_SETTING in cluster.settings:
        return parse_bytes(cluster.settings[SPLIT_SETTING], SPLIT_SETTING)
    cores = max(int(spark.sparkContext.defaultParallelism), 1)
    memory = machine_memory() if cluster.is_local else None
    # All splits that are counted at the same time may fill half of the machine's memory.
    largest = LARGEST_SPLIT if memory is None else min(LARGEST_SPLIT, memory // 2 // cores // SPLIT_GROWTH)
    return max(min(total_bytes(files) // (2 * cores), largest), SMALLEST_SPLIT)


def parse_bytes(text: str, setting: str) -> int:
    """A size as Spark writes it.

    >>> parse_bytes("16m", "spark.sql.files.maxPartitionBytes")
    16777216
    """
    match = re.fullmatch(r"([1-9]\d*)([kmgt]?)b?", text.strip().lower())
    if match is None:
        raise InvalidInputError(f"The setting {setting} must be a size such as 16m, not {text!r}.")
    return int(match[1]) * UNITS[match[2]]


def _parts(
    spark: "SparkSession", files: "Sequence[Split]", most: int, reader: "SplitReader", cluster: "Cluster"
) -> "Parts":
    """The corpus as Spark's tasks take it."""
    from concurrence.corpus.splits import check_tables, cut_splits, total_bytes, with_structures
    from concurrence.counting.spark.engine import SplitParts, TableParts, scan_splits

    names, size = tuple(split.path for split in files), total_bytes(files)
    if files[0].format == "parquet":
        columns, has_positions = check_tables(names, reader.attributes)
        if has_positions:
            n = -(-size * TABLE_GROWTH // most)
            sentence = next(old for old, new in columns.items() if new == "sentence")
            return TableParts(
                files=names, columns=list(columns), sentence=sentence, n_bytes=size * TABLE_GROWTH, n_parts=n
            )
        return SplitParts(splits=files, files=names, n_bytes=size * TABLE_GROWTH)
    splits = cut_splits(files, most)
    cut_vrt = [split for split in splits if split.format == "vrt" and (split.start or split.end is not None)]
    if cut_vrt:
        scans = scan_splits(spark, SplitParts(splits=cut_vrt, files=names, n_bytes=size), reader.scan, cluster)
        structured = dict(zip(cut_vrt, with_structures(cut_vrt, scans, skip_broken=reader.skip_broken), strict=True))
        splits = [structured.get(split, split) for split in splits]
    return SplitParts(splits=splits, files=names, n_bytes=size)
