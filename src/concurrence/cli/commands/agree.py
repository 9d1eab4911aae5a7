"""``concur agree``: how well the coders agree, and how sure one can be of it."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.documents import present
from concurrence.cli.labels_options import LabelOptions, NumberList, label_options, read_from_options
from concurrence.cli.output import (
    CHARTS,
    PAGES,
    TABLES,
    FilePath,
    OutputPath,
    announce_seed,
    json_option,
    note_written,
    output_option,
    provenance,
    seed_option,
)
from concurrence.cli.progress import progress

if TYPE_CHECKING:
    from concurrence.core import Labels
    from concurrence.files.provenance import Provenance

NAMED_WEIGHTS = ("linear", "quadratic", "ordinal", "masi", "jaccard")


@click.command("agree")
@click.argument("labels", type=FilePath())
@label_options
@click.option(
    "--scale",
    type=click.Choice(("nominal", "ordinal", "interval", "ratio", "circular")),
    default="nominal",
    show_default=True,
    help="What the categories are.",
)
@click.option(
    "--weights",
    metavar="NAME|FILE",
    help="linear, quadratic, ordinal (Gwet's), masi, jaccard, or a square table of weights or distances.",
)
@click.option(
    "--period", type=float, metavar="P", help="Once around a circular scale; told from the labels if not given."
)
@click.option(
    "--convention",
    type=click.Choice(("items", "pairs")),
    default="items",
    show_default=True,
    help="What weighs equally where labels are missing.",
)
@click.option("--expert", metavar="CODER", help="Compare every coder with this one.")
@click.option(
    "--cuts", type=NumberList(), metavar="A,B,…", default="0.68,0.60,0.51", help="Lower bounds of the expert's groups."
)
@click.option("--level", type=float, default=0.95, show_default=True, help="The confidence level.")
@click.option(
    "--bootstrap", type=click.IntRange(min=0), default=0, metavar="N", help="Intervals from N resamplings (BCa)."
)
@seed_option
@click.option(
    "--disagreements", type=OutputPath(), metavar="FILE", help="Write the items coders differ on, most first (a table)."
)
@click.option("--agreement-table", is_flag=True, help="Add the items x categories table to the JSON.")
@click.option("--pairs/--no-pairs", default=True, help="Go through every two coders.")
@output_option(
    "Write the coefficients (.csv .tsv .jsonl .parquet), a page (.html .md .tex) or the chart (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
@json_option
def command(
    labels: Path,
    *,
    reading: LabelOptions,
    scale: str,
    weights: str | None,
    period: float | None,
    convention: Any,
    expert: str | None,
    cuts: tuple[float, ...],
    level: float,
    bootstrap: int,
    seed: int,
    disagreements: Path | None,
    agreement_table: bool,
    pairs: bool,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Print how well the coders agree, and how sure one can be of it.

    LABELS is a table with the columns item, coder and label, or an export of Label Studio, Prodigy or doccano;
    --wide reads an item a row and a coder a column, --table the counts of two coders. Empty cells are missing
    labels. A coefficient that the data do not allow says why.

    \b
    Example:
      printf ',yes,no\nyes,40,15\nno,20,25\n' > table.csv
      concur agree table.csv --table
      printf 'item,ann,bob,cy\n1,a,a,b\n2,b,b,b\n3,a,a,\n4,b,a,b\n' > wide.csv
      concur agree wide.csv --wide -o report.html
    """
    from concurrence.agreement.analysis import agree_by_group, analyse
    from concurrence.agreement.options import AgreeOptions
    from concurrence.files.numbers import require_numbers
    from concurrence.report.agreement import coefficient_table, report_document
    from concurrence.report.agreement_json import report_json

    judged = read_from_options(labels, reading)
    if scale in ("interval", "ratio"):
        require_numbers(labels, judged.categories, scale=scale)
    options = AgreeOptions(
        scale=scale,
        weights=_weights(weights, judged),
        convention=convention,
        period=period,
        level=level,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        agreement_table=agreement_table,
        bootstrap=bootstrap,
        seed=seed,
    )
    with progress("resampling") as told:
        watched = replace(options, progress=told)
        report = analyse(judged, watched) if reading.by is None else agree_by_group(judged, watched)
    made = provenance(inputs=[labels], seed=seed if report.is_drawn else None)
    if report.is_drawn:
        announce_seed(seed)
    table = partial(coefficient_table, report)
    present(report_document(report), report_json(report), made, json_=json_, output=output, table=table)
    if disagreements is not None:
        _write_disagreements(judged, disagreements, made)
        note_written(disagreements)


def _write_disagreements(labels: "Labels", path: Path, made: "Provenance") -> None:
    from concurrence.agreement.disagreements import disagreement_table
    from concurrence.files.tables import write_table

    write_table(disagreement_table(labels), path, made)


def _weights(given: str | None, labels: "Labels") -> Any:
    """The name of a weighting, or the matrix in a file, in the order of the categories."""
    if given is None or given in NAMED_WEIGHTS:
        return given
    from concurrence.core.errors import UnknownNameError
    from concurrence.files.matrices import read_matrix

    if not Path(given).suffix:
        raise UnknownNameError("weighting", given, NAMED_WEIGHTS)
    return read_matrix(Path(given), labels.categories)
