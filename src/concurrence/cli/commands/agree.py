"""``concur agree``: how well the coders agree, and how certain that is."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.agreement.labels.options import AgreeOptions
from concurrence.cli.labels_options import label_options
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
from concurrence.files.labels.options import LabelOptions
from concurrence.kernels.choices import WEIGHTS

if TYPE_CHECKING:
    from concurrence.core import Labels
    from concurrence.files.provenance import Provenance


class CoderGroupsFile(FilePath):
    """A table with the columns coder and group, read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file."""
        from concurrence.files.labels.coder_groups import read_coder_groups

        return value if isinstance(value, dict) else read_coder_groups(Path(value))


agree_options = gather_options(
    AgreeOptions,
    "options",
    (
        *field_options(AgreeOptions, "scale", "bootstrap"),
        seed_option,
        *field_options(AgreeOptions, "agreement_table"),
        *field_options(AgreeOptions, "coder_groups", type=CoderGroupsFile()),
        *field_options(AgreeOptions, "pairs", "confusion"),
    ),
)


@click.command("agree", short_help="Print how well the coders agree, and how sure that is.")
@click.argument("labels", metavar="LABELS", type=FilePath(), nargs=-1, required=True)
@label_options
@agree_options
@click.option(
    "--disagreements",
    type=OutputPath(),
    metavar="FILE",
    help="Write a table of the items coders disagree on, largest disagreement first.",
)
@click.option(
    "--soft",
    type=OutputPath((*TABLES, ".json")),
    metavar="FILE",
    help="Write soft labels: the share of each category and the entropy of each item; as .json in the LeWiDi form.",
)
@click.option("--full", is_flag=True, help="Print everything, not just one screen.")
@output_option(
    "Write the coefficients (.csv .tsv .jsonl .parquet), a page (.html .md .tex) or the chart (.svg .png).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
@json_option
def command(
    labels: tuple[Path, ...],
    *,
    reading: LabelOptions,
    options: AgreeOptions,
    disagreements: Path | None,
    soft: Path | None,
    full: bool,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Measure how well coders agree, and how certain that is.

    LABELS is a table with the columns item, coder and label, or an export from Label Studio, Prodigy or doccano; --wide
    reads one item per row and one column per coder, --table a contingency table of two coders. Several files are read
    together, their items matched by name. Empty cells are missing labels. A coefficient that cannot be computed from
    the data says why. The output fits on one screen; --full prints all tables.

    \b
    Example:
      printf ',yes,no\nyes,40,15\nno,20,25\n' > table.csv
      concur agree table.csv --table
      printf 'item,ann,bob,cy\n1,a,a,b\n2,b,b,b\n3,a,a,\n4,b,a,b\n' > wide.csv
      concur agree wide.csv --wide -o report.html
    """
    from concurrence.agreement.labels.agree import analyse_groups, analyse_labels
    from concurrence.files.labels.numeric_labels import require_numbers

    judgements = reading.read_people(*labels, machines=(options.expert, *(options.coder_groups or ())))
    if options.scale in ("interval", "ratio"):
        file: Any = {"encoding": reading.encoding, "sheet": reading.sheet, "skip_rows": reading.skip_rows}
        require_numbers(labels, judgements.categories, scale=options.scale, **file)
    if options.weights not in (None, *WEIGHTS):
        options = replace(options, weights=_read_weights(options.weights, judgements))
    with progress_bar("resampling") as progress:
        options = replace(options, progress=progress)
        report: Any = analyse_labels(judgements, options) if reading.by is None else analyse_groups(judgements, options)
    origin = provenance(inputs=list(labels), seed=report.seed)
    brief = None
    if not (full or json_ or reading.by):
        from concurrence.report.pages.agreement import brief_agreement_document

        brief = partial(brief_agreement_document, report)
    show(report, origin, json_=json_, output=output, brief=brief)
    if disagreements is not None:
        from concurrence.agreement.labels.diagnosis.disagreements import disagreement_table
        from concurrence.files.tables.formats import write_table

        write_table(disagreement_table(judgements), disagreements, origin)
        note_written(disagreements)
    if soft is not None:
        _write_soft(judgements, soft, options, origin)


def _write_soft(judgements: "Labels", path: Path, options: AgreeOptions, origin: "Provenance") -> None:
    """The soft labels as a table, or as JSON in the form of LeWiDi."""
    from concurrence.agreement.labels.soft import soft_labels
    from concurrence.files.atomic import replacing
    from concurrence.files.provenance import write_provenance
    from concurrence.files.tables.formats import write_table

    soft = soft_labels(judgements, options)
    if path.suffix.lower() == ".json":
        text = json.dumps(soft.as_lewidi(), ensure_ascii=False, indent=2, allow_nan=False)
        with replacing(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
        write_provenance(path, origin)  # the form of others has no place for it
    else:
        write_table(soft.to_frame(), path, origin)
    note_written(path)


def _read_weights(name: str, labels: "Labels") -> Any:
    """The matrix in a file, in the order of the categories."""
    from concurrence.core.errors import UnknownNameError
    from concurrence.files.labels.matrices import read_matrix

    if not Path(name).suffix:
        raise UnknownNameError("weighting", name, WEIGHTS)
    return read_matrix(Path(name), labels.categories)
