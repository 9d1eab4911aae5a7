"""Tables that are written piece by piece, so that they need not fit into memory."""

import gzip
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl
from polars.io.plugins import register_io_source

from concurrence.core.errors import InvalidInputError
from concurrence.files.atomic import replacing
from concurrence.files.provenance import PARQUET_KEY, Provenance, write_provenance
from concurrence.files.tables import flattened
from concurrence.files.text import table_format

CHUNKED = ("csv", "tsv", "jsonl", "parquet")


def write_chunks(chunks: Iterable[pl.DataFrame], schema: pl.Schema, path: Path, provenance: Provenance) -> None:
    """Write pieces of a table in the format of the ending, whole or not at all, with its provenance."""
    kind = table_format(path)
    if kind not in CHUNKED:
        raise InvalidInputError(f"{path}: tables are written as .csv, .tsv, .jsonl or .parquet.")
    with replacing(path) as temporary:
        if kind == "parquet":
            _write_parquet(chunks, schema, temporary, provenance)
        elif path.name.lower().endswith(".gz"):
            with temporary.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as packed:
                _write_text(chunks, schema, packed, kind)
        else:
            with temporary.open("wb") as plain:
                _write_text(chunks, schema, plain, kind)
    if kind != "parquet":
        write_provenance(path, provenance)


def _write_parquet(chunks: Iterable[pl.DataFrame], schema: pl.Schema, path: Path, provenance: Provenance) -> None:
    def produce(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        del with_columns, predicate, n_rows, batch_size  # nothing is pushed down: all rows are written
        yield from chunks

    metadata = {PARQUET_KEY: json.dumps(provenance.as_json(), ensure_ascii=False)}
    rows = register_io_source(produce, schema=schema)
    rows.sink_parquet(path, metadata=metadata, maintain_order=True, row_group_size=1 << 18)


def _write_text(
    chunks: Iterable[pl.DataFrame], schema: pl.Schema, file: BinaryIO | io.BufferedIOBase, kind: str
) -> None:
    lines = kind == "jsonl"
    separator = "," if kind == "csv" else "\t"
    if not lines:
        file.write(pl.DataFrame(schema=schema).clear().pipe(flattened).write_csv(separator=separator).encode("utf-8"))
    for chunk in chunks:
        text = chunk.write_ndjson() if lines else flattened(chunk).write_csv(separator=separator, include_header=False)
        file.write(text.encode("utf-8"))
