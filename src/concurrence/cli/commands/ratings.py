"""``concur ratings``: how well coders agree on numbers."""

from dataclasses import replace
from pathlib import Path

import click

from concurrence.agreement.ratings.options import RatingOptions
from concurrence.cli.labels_options import rating_options
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import (
    CHARTS,
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

analysis_options = gather_options(
    RatingOptions, "options", (*field_options(RatingOptions, "level", "bootstrap"), seed_option)
)


@click.command("ratings", short_help="Print how well the coders agree on numbers.")
@click.argument("ratings", type=FilePath())
@rating_options
@analysis_options
@json_option
@output_option(
    "Write the coefficients (.csv .tsv .jsonl .parquet), a page (.html .md .tex) or the chart (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(ratings: Path, *, reading: LabelOptions, options: RatingOptions, json_: bool, output: Path | None) -> None:
    r"""Print how well the coders agree on numbers, with confidence intervals.

    RATINGS is a table with the columns item, coder and rating; --wide reads one item per row and one column per coder.
    Empty cells are missing ratings. Shows the six intraclass correlations of Shrout and Fleiss and which of them to
    report, Lin's concordance correlation, the limits of agreement, and agreement on the order alone.

    \b
    Example:
      printf 'item,ann,bob,cy,dee\n1,9,2,5,8\n2,6,1,3,2\n3,8,4,6,8\n4,7,1,2,6\n5,10,5,6,9\n6,6,2,4,7\n' > ratings.csv
      concur ratings ratings.csv --wide
      concur ratings ratings.csv --wide -o report.html
    """
    from concurrence.agreement.ratings.analyse import analyse_ratings
    from concurrence.files.labels.numeric_labels import require_ratings

    judgements = reading.read_people(ratings)
    require_ratings(
        ratings, judgements.categories, encoding=reading.encoding, sheet=reading.sheet, skip_rows=reading.skip_rows
    )
    with progress_bar("resampling") as progress:
        report = analyse_ratings(judgements, replace(options, progress=progress))
    show(report, provenance(inputs=[ratings], seed=report.seed), json_=json_, output=output)
