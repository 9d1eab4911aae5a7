"""What ``concur merge`` takes besides the options of merging: files, and what to print."""

from dataclasses import dataclass
from pathlib import Path

import click

from concurrence.cli.option_fields import Decorator, field_options
from concurrence.cli.options import F, FilePath, OutputPath, gather_options
from concurrence.merging.options import Constraints, MergeOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeFiles:
    """Files to read and to write, and what to print."""

    tree: Path | None
    classes: Path | None
    reference: Path | None
    glosses: Path | None
    summary_by: str | None
    steps: bool
    apply_: Path | None


OPTIONS = (
    *field_options(MergeOptions, "min_kappa", "shuffles"),
    click.option(
        "--tree", type=FilePath(), metavar="FILE", help="Hierarchy (child, parent): merge inside subtrees only."
    ),
    *field_options(Constraints, "keep", "together"),
    click.option(
        "--classes", type=FilePath(), metavar="FILE", help="Use this grouping (category, class) instead of searching."
    ),
    click.option("--reference", type=FilePath(), metavar="FILE", help="Compare with this grouping (category, class)."),
    click.option(
        "--glosses", type=FilePath(), metavar="FILE", help="Definitions (category, gloss) to print in each class."
    ),
    click.option("--summary-by", metavar="COLUMN", help="Also sum up by this column, such as nouns and verbs."),
    click.option("--steps", is_flag=True, help="Print the order of the merges as a tree."),
    click.option(
        "--apply",
        "apply_",
        type=OutputPath(),
        metavar="FILE",
        help="Write the labels with classes in place of categories.",
    ),
)


def merge_options(command: F) -> F:
    """The options of ``concur merge`` as two values: ``options``, which hold the constraints, and ``files``."""
    none: tuple[Decorator, ...] = ()
    with_options: F = gather_options(MergeOptions, "options", none)(command)
    with_constraints: F = gather_options(Constraints, "constraints", none)(with_options)
    with_files: F = gather_options(MergeFiles, "files", OPTIONS)(with_constraints)
    return with_files
