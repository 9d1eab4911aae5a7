"""``concur match``: align two independently annotated corpora."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.lists import COLUMNS, NAMES
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, FilePath, OutputPath, gather_options, json_option, output_option
from concurrence.cli.output import note_written, progress_bar, provenance
from concurrence.core.errors import InvalidInputError
from concurrence.matching.options import MatchOptions

if TYPE_CHECKING:
    from concurrence.matching.sentences import Annotated


@click.command("match")
@click.argument("left", type=FilePath())
@click.argument("right", type=FilePath())
@gather_options(MatchOptions, "options", field_options(MatchOptions, "similarity"))
@click.option(
    "--map-left", type=FilePath(), metavar="FILE", help="Table to convert the left labels: old label, new label."
)
@click.option(
    "--map-right", type=FilePath(), metavar="FILE", help="Table to convert the right labels: old label, new label."
)
@click.option("--drop-labels", type=NAMES, metavar="A,B", default=(), help="Leave out sentences with these labels.")
@click.option(
    "--columns", type=COLUMNS, metavar="ROLE=NAME,…", default=(), help="Columns for id, text, word, label, position."
)
@click.option("--verified", type=FilePath(), metavar="FILE", help="A matches file with decisions in 'verified'.")
@click.option("--accept-close", is_flag=True, help="Accept all close matches that were not rejected.")
@click.option(
    "--labels", "labels_file", type=OutputPath(), metavar="FILE", help="Write the labels of the accepted matches."
)
@output_option(
    "Write the matches, with both texts and a column 'verified' (.csv .tsv .jsonl .parquet), or a page (.html .md "
    ".tex).",
    endings=(*TABLES, *PAGES),
)
@json_option
def command(
    left: Path,
    right: Path,
    *,
    options: MatchOptions,
    map_left: Path | None,
    map_right: Path | None,
    drop_labels: tuple[str, ...],
    columns: tuple[str, ...],
    verified: Path | None,
    accept_close: bool,
    labels_file: Path | None,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Align two corpora that were labelled separately.

    LEFT and RIGHT are tables with the columns id, text (or tokens), word, label and, optionally, position.
    Exact matches are identical apart from full stops and hyphens; close ones are proposals: write them with -o,
    fill in the column 'verified' with yes or no, and pass the file to --verified. The labels file has only exact
    and verified matches, and keeps all other columns.

    \b
    Example:
      printf 'id,text,word,label\n1,He ran home.,run,a\n' > left.csv
      printf 'id,text,word,label\n7,He ran home,run,b\n' > right.csv
      concur match left.csv right.csv -o matches.csv --labels labels.csv
    """
    from concurrence.cli.output import show
    from concurrence.files.tables.formats import read_table, write_table
    from concurrence.matching.matches import match_sentences

    first, second = (_side(*side, columns=columns, drop=drop_labels) for side in ((left, map_left), (right, map_right)))
    with progress_bar("matching") as progress:
        matches = match_sentences(first, second, replace(options, progress=progress))
    if verified is not None:
        matches = matches.verify(read_table(verified), name=str(verified))
    if accept_close:
        matches = matches.accept_close()
    inputs = [path for path in (left, right, map_left, map_right, verified) if path]
    origin = provenance(inputs=inputs, similarity=options.similarity)
    write = partial(write_table, matches.table, provenance=origin)
    show(matches.counts, origin, json_=json_, output=output, write=write, always=True)
    if labels_file is not None:
        write_table(matches.labels(), labels_file, origin)
        note_written(labels_file)


def _side(path: Path, mapping: Path | None, *, columns: tuple[str, ...], drop: tuple[str, ...]) -> "Annotated":
    from concurrence.files.tables.formats import read_table
    from concurrence.matching.sentences import Annotated

    side = Annotated.from_frame(read_table(path), name=str(path), columns=_roles(columns))
    return side.convert(None if mapping is None else _read_map(mapping), drop=drop)


def _roles(columns: tuple[str, ...]) -> dict[str, str]:
    pairs = [entry.partition("=") for entry in columns]
    for role, mark, _ in pairs:
        if not mark:
            raise InvalidInputError(
                f"--columns takes ROLE=NAME pairs separated by commas, such as id=key,text=sentence, not {role!r}."
            )
    return {role.strip(): name.strip() for role, _, name in pairs}


def _read_map(path: Path) -> dict[str, str | None]:
    """The first two columns: the old label and the new one."""
    from concurrence.files.tables.formats import read_table

    table = read_table(path)
    if table.width < 2:
        raise InvalidInputError(f"{path} needs two columns: the old label and the new one.")
    mapping: dict[str, str | None] = {}
    for row, (old, new) in enumerate(table.select(table.columns[:2]).iter_rows(), start=1):
        if old is None:
            raise InvalidInputError(f"{path}, row {row}: the old label is missing.")
        if old in mapping and mapping[old] != new:
            raise InvalidInputError(
                f"{path}, row {row}: the label {old!r} is mapped twice, to {mapping[old]!r} and {new!r}."
            )
        mapping[str(old)] = None if new is None else str(new)
    return mapping
