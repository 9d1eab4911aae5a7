"""``concur merge``: coarser categories that coders can agree on."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.labels_options import LabelOptions, label_options
from concurrence.cli.merging_files import group_parts, read_classes, read_texts, relabelled_rows
from concurrence.cli.merging_options import MergeRequest, merge_options
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import note_written, progress_bar, provenance
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.merging.results import Merging


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
    labels: Path, *, reading: LabelOptions, asked: MergeRequest, output: Path | None, json_: bool, seed: int
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
    from concurrence.cli.output import show
    from concurrence.files.tables.formats import write_table
    from concurrence.report.pages.merge import merging_document, merging_overview

    result = _merged(labels, reading, asked, seed)
    if asked.summary_by:
        result = group_parts(result, labels, reading, asked.summary_by)
    files = [path for path in (asked.tree, asked.classes, asked.reference, asked.glosses) if path]
    seed_used = seed if asked.is_random else None
    made = provenance(inputs=[labels, *files], seed=seed_used, coefficient=result.coefficient)
    glosses = read_texts(asked.glosses, "category", "gloss")
    applied = None if asked.apply_ is None else relabelled_rows(result, labels, reading)
    drawn = output is not None and output.suffix.lower() in CHARTS
    if drawn and len(result.groups) > 1:
        raise InvalidInputError(
            f"{output}: a chart shows one group, but there are {len(result.groups)}; write .html instead."
        )
    page = partial(merging_document, result, unmerged=drawn)
    told = partial(merging_overview, result, steps=asked.steps, glosses=glosses)
    show(result, made, json_=json_, output=output, page=page, brief=told, always=True)
    if asked.apply_ is not None and applied is not None:
        write_table(applied, asked.apply_, made)
        note_written(asked.apply_)


def _merged(labels: Path, reading: LabelOptions, asked: MergeRequest, seed: int) -> "Merging":
    from concurrence.merging.constraints import Constraints
    from concurrence.merging.merge import merge

    constraints = Constraints(tree=read_texts(asked.tree, "child", "parent"), keep=asked.keep, together=asked.together)
    classes, reference = read_classes(asked.classes), read_texts(asked.reference, "category", "class")
    read = reading.read(labels)
    with progress_bar("merging") as report:
        return merge(
            read,
            coefficient=asked.coefficient,
            min_kappa=asked.min_kappa,
            stop=asked.stop,
            faithful=asked.faithful,
            guards=not asked.no_guards,
            shuffles=asked.shuffles,
            seed=seed,
            constraints=constraints,
            classes=classes,
            reference=reference,
            progress=report,
        )
