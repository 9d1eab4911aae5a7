"""``concur pairs --partial`` and ``--merge``: counts of parts of a corpus, written and added up."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from concurrence.cli.output import progress_bar
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.core.spill import Spill
    from concurrence.counting.count import CountOptions
    from concurrence.counting.result import Counts
    from concurrence.files.provenance import Provenance

AT_THE_END = ("min_freq", "drop_pairs", "gold")
"""What is said when counts are merged, since a part does not know the whole."""
WITH_MERGE = ("corpus", "min_freq", "drop_pairs", "gold", "max_memory", "partial_", "merge", "json_", "output")


def check_partial(output: Path | None) -> None:
    """Refuse options that a part of a corpus cannot follow."""
    if output is None or output.suffix.lower() != ".parquet":
        raise InvalidInputError("--partial writes a .parquet file; name it with -o.")
    typed = _typed_options()
    if option := next((typed[name] for name in AT_THE_END if name in typed), None):
        raise InvalidInputError(
            f"{option} needs the counts of the whole corpus; give it with --merge, not with --partial."
        )
    if option := next((typed[name] for name in ("examples", "dispersion", "engine") if name in typed), None):
        raise InvalidInputError(f"{option} cannot be combined with --partial.")


def check_merging() -> None:
    """Refuse options that were decided when the parts were counted."""
    if option := next((option for name, option in _typed_options().items() if name not in WITH_MERGE), None):
        raise InvalidInputError(
            f"{option} cannot be combined with --merge: it was decided when the parts were counted."
        )


def _typed_options() -> dict[str, str]:
    """The options that stand on the command line, as they are written there."""
    context = click.get_current_context()
    options = {one.name or "": one.opts[0] for one in context.command.params}
    return {
        name: option
        for name, option in options.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def merge_files(
    stack: ExitStack,
    paths: tuple[str, ...],
    how: "CountOptions",
    spill: "Spill | None",
    true_pairs: list[tuple[str, str]] | None,
) -> "Counts":
    """The counts of a corpus from the files of its parts."""
    import polars as pl

    from concurrence.counting.partial import PartialCounts, merge_parts
    from concurrence.files.provenance import read_provenance
    from concurrence.files.tables.formats import parquet_errors

    parts = []
    for path in map(Path, paths):
        if not path.is_file():
            raise InvalidInputError(f"{path} does not exist.")
        if path.suffix.lower() != ".parquet":
            raise InvalidInputError(f"{path} was not written by concur pairs --partial, so it cannot be merged.")
        with parquet_errors(path):
            pl.read_parquet_schema(path)
            parts.append(PartialCounts.of(str(path), pl.scan_parquet(path), read_provenance(path)))
    report = stack.enter_context(progress_bar("merging"))
    return merge_parts(
        parts, min_freq=how.min_freq, patterns=how.patterns, true_pairs=true_pairs, spill=spill, progress=report
    )


def write_part(counts: Any, output: Path, *, origin: "Provenance") -> None:
    """Write counts that can be merged."""
    from concurrence.counting.partial import DETAILS, SCHEMA, partial_chunks, partial_details
    from concurrence.files.tables.formats import write_chunks

    details = {**origin.details, DETAILS: partial_details(counts)}
    write_chunks(partial_chunks(counts), SCHEMA, output, replace(origin, details=details))
