"""``concur spans``: how well coders agree on marked stretches of text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.agreement.spans.options import SpansOptions
from concurrence.cli.labels_options import Assignments
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import (
    CHARTS,
    PAGES,
    TABLES,
    FilePath,
    OutputPath,
    gather_options,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import note_written, progress_bar, provenance, show
from concurrence.files.spans.options import SpanFileOptions

if TYPE_CHECKING:
    from concurrence.report.render.document import Document


reading_options = gather_options(
    SpanFileOptions,
    "reading",
    (
        *field_options(SpanFileOptions, "shape"),
        *field_options(SpanFileOptions, "columns", type=Assignments()),
        *field_options(SpanFileOptions, "length"),
        *field_options(SpanFileOptions, "lengths", "text", type=FilePath()),
        *field_options(SpanFileOptions, "coders", "sheet"),
    ),
)
analysis_options = gather_options(
    SpansOptions,
    "options",
    (
        *field_options(SpansOptions, "coefficients", "bootstrap"),
        seed_option,
        *field_options(SpansOptions, "sampler", "empty"),
    ),
)


@click.command("spans")
@click.argument("files", metavar="FILE", type=FilePath(), nargs=-1, required=True)
@reading_options
@analysis_options
@click.option(
    "--disagreements", type=OutputPath(), metavar="FILE", help="Write the places where coders differ (a table)."
)
@click.option("--full", is_flag=True, help="Print everything, not only what fits a screen.")
@output_option(
    "Write the coefficients (.csv .tsv .jsonl .parquet), a page (.html .md .tex) or the chart (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
@json_option
def command(
    files: tuple[Path, ...],
    *,
    reading: SpanFileOptions,
    options: SpansOptions,
    disagreements: Path | None,
    full: bool,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Print how well coders agree on marked stretches of text.

    FILE is a table with the columns document, coder, start, end and label (the end is exclusive), a CoNLL-style file
    (.conll, .bio) with one column of BIO tags per coder, a brat folder with one folder per coder, or an export of Label
    Studio, Prodigy, doccano or INCEpTION. Several files are read together, such as one CoNLL-style file per coder,
    called after the coder. Documents are resampled for the intervals.

    \b
    Example:
      printf 'document,coder,start,end,label\na,ann,0,5,PER\na,bob,0,5,PER\na,bob,8,12,LOC\n' > marks.csv
      concur spans marks.csv --length 40
    """
    from concurrence.agreement.spans.analyse import analyse_spans

    spans = replace(reading, machines=(options.reference,)).read(files[0] if len(files) == 1 else files)
    with progress_bar("aligning") as progress:
        report = analyse_spans(spans, replace(options, progress=progress))
    inputs = [path for path in (*files, reading.lengths, reading.text) if isinstance(path, Path) and not path.is_dir()]
    origin = provenance(inputs=inputs, seed=report.seed)
    show(report, origin, json_=json_, output=output, brief=None if full or json_ else _brief_document(report))
    if disagreements is not None:
        from concurrence.files.tables.formats import write_table
        from concurrence.report.pages.spans import span_disagreement_table

        write_table(span_disagreement_table(report), disagreements, origin)
        note_written(disagreements)


def _brief_document(report: Any) -> "Callable[[], Document]":
    """Builds the document that fits a screen."""

    def build() -> "Document":
        from concurrence.report.pages.spans import brief_spans_document

        return brief_spans_document(report)

    return build
