"""Example sentences on a cluster: a second pass over the splits, for the pairs that are left."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.rules import PATTERNS, parse_rule
from concurrence.counting.count import CountOptions
from concurrence.counting.examples import Examples, SentenceTexts, choose, key_places, key_tokens, sentence_number
from concurrence.counting.pair_places import pattern_tokens
from concurrence.counting.runs import Run, sorted_run
from concurrence.counting.spark.partial import Integers, hash_words, packed_table
from concurrence.counting.spark.tasks import EXAMPLES, CorpusNames, Reader, Row, batch_of
from concurrence.counting.stream import make_stream

if TYPE_CHECKING:
    import pyarrow as pa

    from concurrence.counting.result import Counts


def kept_pairs(counts: "Counts") -> bytes:
    """The two words of every pair that is left."""
    nothing = np.empty(0, dtype=np.int32)
    rows = [run.read(0, run.size) for run in counts.runs]
    left, right = (np.concatenate([nothing, *(row[side] for row in rows)]) for side in (0, 1))
    words = {"l1": counts.left.gather(left), "l2": counts.right.gather(right)}
    return packed_table(pl.DataFrame(words))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplesOf:
    """Choose sentences of a split for the pairs in ``kept``, a broadcast table."""

    read: Reader
    how: CountOptions
    names: CorpusNames
    kept: Any = None
    buckets: int = 1

    def __call__(self, part: Any) -> Iterator[Row]:
        corpus = self.read(part)
        if not corpus.n_tokens:
            return
        table = self._chosen(self.names.added_to(corpus))
        words = table["l1"].unique()
        number = pl.DataFrame({"l1": words, "bucket": (hash_words(words, 0) % self.buckets).astype(np.int32)})
        for (bucket,), rows in table.join(number, on="l1").group_by("bucket"):
            yield EXAMPLES, int(bucket), packed_table(rows.drop("bucket"))

    def _chosen(self, corpus: Corpus) -> pl.DataFrame:
        how, rule = self.how, parse_rule(self.how.rule)
        if rule.name in PATTERNS:
            pairs = pattern_tokens(corpus, rule, unit=how.unit, lower=how.lower, filters=how.filters)
            left, right, places = pairs.left.words, pairs.right.words, key_tokens(pairs)
        else:
            stream = make_stream(corpus, unit=how.unit, lower=how.lower, filters=how.filters)
            left = right = stream.sorted_words
            places = key_places(stream, rule)
        run = self._kept_run(left, right)
        chosen = choose(corpus, [run], places, width=max(len(right), 1), k=how.examples, seed=how.seed)
        return _table(chosen, corpus, left, right, how.seed)

    def _kept_run(self, left: pl.Series, right: pl.Series) -> Run:
        kept = pl.read_ipc(io.BytesIO(self.kept.value))
        lefts = pl.DataFrame({"l1": left}).with_row_index("left")
        rights = pl.DataFrame({"l2": right}).with_row_index("right")
        rows = kept.join(lefts, on="l1").join(rights, on="l2")
        codes = [rows[name].to_numpy().astype(np.int32) for name in ("left", "right")]
        return sorted_run(codes[0], codes[1], np.ones(len(rows), dtype=np.int64))


def _table(chosen: Examples, corpus: Corpus, left: pl.Series, right: pl.Series, seed: int) -> pl.DataFrame:
    """One row for each chosen sentence of each pair."""
    keys, width = chosen.keys[chosen.pairs], chosen.width
    distinct, place = np.unique(chosen.sentences[chosen.ranks], return_inverse=True)
    source = SentenceTexts(corpus)
    texts = pl.Series([source[int(sentence)] for sentence in distinct], dtype=pl.String)
    numbers = np.array([sentence_number(seed, text) for text in texts], dtype=np.int64)
    return pl.DataFrame(
        {
            "l1": left.gather(keys // width),
            "l2": right.gather(keys % width),
            "number": numbers[place],
            "text": texts.gather(place),
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallestExamples:
    """A task: the sentences with the smallest numbers for each pair of a bucket."""

    k: int

    def __call__(self, table: "pa.Table") -> "pa.Table":
        import pyarrow as pa

        kind, bucket = table.column(0)[0].as_py(), table.column(1)[0].as_py()
        parts = table.column(2).to_pylist()
        if kind == EXAMPLES:
            rows = pl.concat([pl.read_ipc(io.BytesIO(part)) for part in parts])
            rows = rows.unique(["l1", "l2", "number"]).sort("l1", "l2", "number")
            texts = rows.group_by("l1", "l2", maintain_order=True).agg(pl.col("text").head(self.k))
            parts = [packed_table(texts)]
        return pa.Table.from_batches([batch_of((kind, bucket, part)) for part in parts])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredExamples:
    """The sentences of each pair, by keys of pairs in their order."""

    keys: Integers
    width: int
    texts: pl.Series = field(repr=False)

    @classmethod
    def of(cls, parts: Iterable[bytes], counts: "Counts") -> "StoredExamples":
        schema = pl.Schema({"l1": pl.String(), "l2": pl.String(), "text": pl.List(pl.String)})
        tables = [pl.read_ipc(io.BytesIO(part)) for part in parts]
        table = pl.concat([pl.DataFrame(schema=schema), *tables])
        ranks = pl.DataFrame({"word": counts.left}).with_row_index("rank")
        sides = [
            table.select(word=side).join(ranks, on="word", how="left", maintain_order="left")["rank"]
            for side in ("l1", "l2")
        ]
        width = max(len(counts.right), 1)
        keys = sides[0].to_numpy().astype(np.int64) * width + sides[1].to_numpy()
        order = np.argsort(keys)
        return cls(keys=keys[order], width=width, texts=table["text"].gather(order))

    def column(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> pl.Series:
        rows = np.searchsorted(self.keys, left.astype(np.int64) * self.width + right)
        return self.texts.gather(rows).alias("examples")
