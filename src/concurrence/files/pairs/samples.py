"""Samples in files: a table for the coders, and the design beside it."""

from dataclasses import replace
from pathlib import Path

import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import require_columns
from concurrence.core.samples import COLUMNS, Sample
from concurrence.files.provenance import Provenance, meta_path, read_provenance
from concurrence.files.tables.formats import read_table, write_table
from concurrence.files.tables.sheets import row_place


def read_sample(path: str | Path) -> Sample:
    """Read what ``concur sample`` wrote; a table that does not fit its design is refused."""
    path = Path(path)
    table = read_table(path)
    details = read_provenance(path).get("details")
    if not isinstance(details, dict) or "design" not in details:
        sidecar = path.name if path.suffix == ".parquet" else meta_path(path).name
        raise InvalidInputError(
            f"{path} has no design: the file {sidecar}, which concur sample writes, must be next to it."
        )
    require_columns(table, COLUMNS, path)
    numbers = ["probability", "weight", *(["multiplicity"] if "multiplicity" in table.columns else [])]
    for name in numbers:
        values = table[name].cast(pl.Float64, strict=False)
        if values.null_count():
            row = int(values.is_null().arg_max() or 0)
            raise InvalidInputError(f"{row_place(path, row)}: {name} is {table[name][row]!r}, not a number.")
        table = table.with_columns(values.cast(pl.Int64) if name == "multiplicity" else values)
    return Sample.from_details(table.with_columns(pl.col("part", "stratum").cast(pl.String)), details)


def write_sample(sample: Sample, path: str | Path, provenance: Provenance | None = None) -> None:
    """Write a sample and its design."""
    origin = provenance or Provenance(command="concurrence.write_sample", seed=sample.rank_seed)
    write_table(sample.table, Path(path), replace(origin, details={**origin.details, **sample.details}))
