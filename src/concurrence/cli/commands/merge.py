"""``concur merge``: coarser categories that coders can agree on."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.labels_options import label_options
from concurrence.cli.merging_files import group_parts, read_classes, read_texts, relabelled_rows
from concurrence.cli.merging_options import MergeFiles, merge_options
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import note_written, progress_bar, provenance, show
from concurrence.core.errors import InvalidInputError
from concurrence.files.labels.options import LabelOptions

if TYPE_CHECKING:
    from concurrence.merging.options import MergeOptions


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
    options: "MergeOptions",
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
    judgements = reading.read(labels)
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
