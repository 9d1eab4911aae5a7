"""``concur merge``: coarser categories that coders can agree on."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from concurrence.cli.labels_options import label_options
from concurrence.cli.merging_files import group_parts, read_classes, read_texts, relabelled_rows
from concurrence.cli.option_fields import Decorator, field_options
from concurrence.cli.options import (
    CHARTS,
    PAGES,
    TABLES,
    F,
    FilePath,
    OutputPath,
    gather_options,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import note_written, progress_bar, provenance, show
from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.options import LabelOptions
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


@click.command("merge")
@click.argument("labels", type=FilePath())
@label_options
@merge_options
@output_option(
    "Write the classes (.csv .tsv .jsonl .parquet), the tree (.svg .png) or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
@seed_option
@json_option
def command(
    labels: Path,
    *,
    reading: LabelOptions,
    options: MergeOptions,
    files: MergeFiles,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Merge categories until coders agree on what is left.

    The greedy search of Ng, Lim & Foo (1999), for each group of --by or for all labels together. Since merging
    is fitted to the sample, every result comes with the value on held-out items and with chance_p_value: how often
    shuffled disagreements merge just as well.

    \b
    Example:
      printf 'a,b\ncat,cat\nlion,cat\ncat,lion\ndog,dog\nlion,cat\ndog,dog\n' > labels.csv
      concur merge labels.csv --wide --coders a,b --min-kappa 0.7 --steps
    """
    from concurrence.files.tables.formats import write_table
    from concurrence.merging.merge import merge_labels
    from concurrence.report.pages.merge import merging_document, merging_overview

    tree, reference = read_texts(files.tree, "child", "parent"), read_texts(files.reference, "category", "class")
    glosses = read_texts(files.glosses, "category", "gloss")
    options = replace(
        options,
        constraints=replace(options.constraints, tree=tree),
        classes=read_classes(files.classes),
        reference=reference,
    )
    judgements = reading.read_people(labels)
    with progress_bar("merging") as progress:
        result = merge_labels(judgements, replace(options, progress=progress))
    if files.summary_by:
        result = group_parts(result, labels, reading, files.summary_by)
    inputs = [labels, *filter(None, (files.tree, files.classes, files.reference, files.glosses))]
    seed = options.seed if options.is_random else None
    origin = provenance(inputs=inputs, seed=seed, coefficient=result.coefficient)
    rows = None if files.apply_ is None else relabelled_rows(result, labels, reading)
    is_chart = output is not None and output.suffix.lower() in CHARTS
    if is_chart and len(result.groups) > 1:
        raise InvalidInputError(
            f"{output}: a chart shows one group, but there are {len(result.groups)}; write .html instead."
        )
    page = partial(merging_document, result, unmerged=is_chart)
    overview = partial(merging_overview, result, steps=files.steps, glosses=glosses)
    show(result, origin, json_=json_, output=output, page=page, brief=overview, always=True)
    if files.apply_ is not None and rows is not None:
        write_table(rows, files.apply_, origin)
        note_written(files.apply_)
