"""``concur compare``: do two sets of coders, or a system before and after, differ in agreement."""

from dataclasses import replace
from pathlib import Path

import click

from concurrence.agreement.labels.options import CompareOptions
from concurrence.cli.labels_options import label_options
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import (
    PAGES,
    TABLES,
    FilePath,
    gather_options,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import progress_bar, provenance, show
from concurrence.files.labels.options import LabelOptions
from concurrence.kernels.choices import ORDERED_WEIGHTS

compare_options = gather_options(
    CompareOptions,
    "options",
    (
        *field_options(CompareOptions, "a", "scale"),
        *field_options(CompareOptions, "weights", choices=ORDERED_WEIGHTS),
        *field_options(CompareOptions, "bootstrap", "level"),
        seed_option,
    ),
)


@click.command("compare")
@click.argument("labels", type=FilePath())
@click.argument("other", type=FilePath(), required=False)
@label_options
@compare_options
@json_option
@output_option(
    "Write the comparison as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
def command(
    labels: Path,
    other: Path | None,
    *,
    reading: LabelOptions,
    options: CompareOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Compare the agreement of two sets of coders.

    With one file, the sides are compared on the items that both labelled (paired). With two files, the studies are
    independent. With --reference, each side is compared with that coder, so that two systems, or one system before
    and after a change, can be compared by their agreement with the gold labels.

    \b
    Example:
      printf 'item,gold,old,new\n1,a,a,a\n2,b,a,b\n3,a,b,a\n4,b,b,b\n' > runs.csv
      concur compare runs.csv --wide --a new --b old --reference gold
    """
    from concurrence.agreement.labels.compare import compare_agreement

    named = (*(options.a or ()), *(options.b or ()), options.reference)
    first = reading.read_people(labels, machines=named)
    second = None if other is None else reading.read_people(other, machines=named)
    with progress_bar("resampling") as progress:
        comparison = compare_agreement(first, second, replace(options, progress=progress))
    origin = provenance(inputs=[labels, *([] if other is None else [other])], seed=comparison.seed)
    show(comparison, origin, json_=json_, output=output)
