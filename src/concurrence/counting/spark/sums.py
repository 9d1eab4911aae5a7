"""Adding up what the splits gave, bucket by bucket, and all buckets as one result."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.spill import Spill
from concurrence.counting.runs import LEVELS, Run, RunStore, sorted_run
from concurrence.counting.spark.partial import Bucket, Hashes, Integers, bucket_of, packed_table, sort_rows

FILES = 256
ROWS = np.dtype([("left", np.int32), ("right", np.int32), ("f", np.int64)])


def sum_words(parts: Iterable[bytes]) -> bytes:
    """The words of a bucket with the sums of their margins."""
    tables = pl.concat([pl.read_ipc(io.BytesIO(part)) for part in parts])
    return packed_table(tables.group_by("hash", "word").agg(pl.col("first", "second").sum()))


def sum_pairs(parts: Sequence[bytes], least: int) -> tuple[Bucket, Integers]:
    """The pairs of a bucket that occur at least so often, and how many occur how often."""
    buckets = [Bucket.unpacked(part) for part in parts]
    hashes = _distinct(np.concatenate([side for b in buckets for side in (b.left, b.right)]))
    rows = [_rows(bucket, hashes) for bucket in buckets]
    lefts, rights, f = sort_rows(*(np.concatenate([row[k] for row in rows]) for k in range(3)))
    starts = np.flatnonzero((np.diff(lefts, prepend=-1) != 0) | (np.diff(rights, prepend=-1) != 0))
    lefts, rights, f = lefts[starts], rights[starts], np.add.reduceat(f, starts)
    spectrum = np.bincount(np.minimum(f, LEVELS), minlength=LEVELS + 1)
    kept = f >= least
    return bucket_of(hashes, lefts[kept], rights[kept], f[kept]), spectrum


def _distinct(hashes: Hashes) -> Hashes:
    """In order, each once; NumPy's own way goes by hashing, which takes several times as long here."""
    hashes = np.sort(hashes)
    return hashes[np.concatenate([[True], hashes[1:] != hashes[:-1]])] if len(hashes) else hashes


def _rows(bucket: Bucket, hashes: Hashes) -> tuple[Integers, Integers, Integers]:
    lefts = np.repeat(np.searchsorted(hashes, bucket.left), bucket.sizes)
    return lefts, np.searchsorted(hashes, bucket.right)[bucket.rights], bucket.f


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MergedVocabulary:
    """All words in the order of code points, with their margins; ``sorted`` are their numbers, ``ranks`` whose."""

    words: pl.Series
    first: Integers
    second: Integers
    sorted: Hashes
    ranks: NDArray[np.int32]

    @property
    def is_unambiguous(self) -> bool:
        """Whether no two words share a number."""
        return not bool((self.sorted[1:] == self.sorted[:-1]).any())

    def rank(self, hashes: Hashes) -> NDArray[np.int32]:
        codes: NDArray[np.int32] = self.ranks[np.searchsorted(self.sorted, hashes)]
        return codes


def vocabulary_of(parts: Iterable[bytes]) -> MergedVocabulary:
    schema = {"hash": pl.UInt64, "word": pl.String, "first": pl.Int64, "second": pl.Int64}
    tables = [pl.read_ipc(io.BytesIO(part)) for part in parts]
    table = pl.concat([pl.DataFrame(schema=schema), *tables]).sort("word")
    hashes = table["hash"].to_numpy()
    order = np.argsort(hashes)
    return MergedVocabulary(
        words=table["word"],
        first=table["first"].to_numpy(),
        second=table["second"].to_numpy(),
        sorted=hashes[order],
        ranks=order.astype(np.int32),
    )


def runs_of(buckets: Iterable[bytes], vocabulary: MergedVocabulary, spill: Spill) -> list[Run]:
    """The rows of all buckets as runs, each of a stretch of left words, which follow each other by left word."""
    edges = _stretches(vocabulary)
    files = [spill.folder / f"{k}.pairs" for k in range(len(edges) - 1)]
    for part in buckets:
        _share_out(Bucket.unpacked(part), vocabulary, edges, files)
    store = RunStore(spill)
    for file in files:
        if file.exists():
            rows = np.fromfile(file, dtype=ROWS)
            file.unlink()
            left, right, f = sort_rows(rows["left"], rows["right"], rows["f"])
            store.add(sorted_run(left.astype(np.int32), right.astype(np.int32), f))
    return store.runs


def _stretches(vocabulary: MergedVocabulary) -> Integers:
    """Where each file begins: left words with about as many pair tokens."""
    sums = np.cumsum(vocabulary.first, dtype=np.int64)
    total = int(sums[-1]) if len(sums) else 0
    files = min(max(total >> 23, 1), FILES)
    inner = np.searchsorted(sums, total * np.arange(1, files, dtype=np.float64) / files)
    return np.concatenate([[0], np.unique(inner), [len(sums)]])


def _share_out(bucket: Bucket, vocabulary: MergedVocabulary, edges: Integers, files: Sequence[Path]) -> None:
    rows = np.empty(len(bucket.f), dtype=ROWS)
    rows["left"] = np.repeat(vocabulary.rank(bucket.left), bucket.sizes)
    rows["right"], rows["f"] = vocabulary.rank(bucket.right)[bucket.rights], bucket.f
    where = np.searchsorted(edges, rows["left"], side="right") - 1
    order = np.argsort(where, kind="stable")
    cuts = np.searchsorted(where[order], np.arange(len(files) + 1))
    for k, file in enumerate(files):
        if cuts[k + 1] > cuts[k]:
            with file.open("ab") as appended:
                rows[order[cuts[k] : cuts[k + 1]]].tofile(appended)
