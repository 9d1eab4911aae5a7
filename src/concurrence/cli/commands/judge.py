"""``concur judge``: can this coder, such as a model, replace a human one."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.agreement.judge.options import JudgeOptions
from concurrence.cli.labels_options import label_options
from concurrence.cli.lists import NAMES
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import (
    PAGES,
    TABLES,
    FilePath,
    OutputPath,
    gather_options,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import note, note_written, provenance, show
from concurrence.files.labels.options import LabelOptions

if TYPE_CHECKING:
    from concurrence.core import Labels
    from concurrence.files.provenance import Provenance

GATE_MISSED = 3

analysis_options = gather_options(
    JudgeOptions, "options", (*field_options(JudgeOptions, "humans", "level"), seed_option)
)


@click.command("judge", short_help="Tell whether a coder, such as a model, can replace a human.")
@click.argument("labels", type=FilePath(), nargs=-1, required=True)
@label_options
@click.option(
    "--judge",
    type=NAMES,
    required=True,
    metavar="CODER,…",
    help="Coder that might replace a human; several are allowed.",
)
@analysis_options
@click.option(
    "--disagreements", type=OutputPath(), metavar="FILE", help="Write the items on which the judge differs from humans."
)
@json_option
@output_option(
    "Write the pairs as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    labels: tuple[Path, ...],
    *,
    reading: LabelOptions,
    judge: tuple[str, ...],
    options: JudgeOptions,
    disagreements: Path | None,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Test whether a coder, such as a model, could replace a human.

    Shows the judge's agreement with the humans, the humans' agreement with each other, what always giving the same
    label would reach, and the alternative-annotator test, which asks whether the judge represents the other coders
    better than each human does. A gate is checked against the lower bound of the interval, not against the value.
    If there are several judges, each is compared with the same humans: the coders that --humans names, or else all but
    the judges and what exports and logs mark as models or scorers. Several files are read together:
    people's labels in a table, and the judge's in a log of Inspect, promptfoo, DeepEval, lm-evaluation-harness or
    AltTest, or an Argilla export. Items are matched by name. --before shows what has changed since an earlier run, and
    --by whether groups of items, such as topics or months, are judged alike.

    \b
    Example:
      printf 'item,ann,bob,model\n1,y,y,y\n2,n,n,n\n3,y,n,y\n4,n,n,n\n5,y,y,y\n6,n,y,n\n' > judged.csv
      concur judge judged.csv --wide --judge model
      printf '{"gpt": {"1": "y", "2": "n", "3": "y", "4": "n", "5": "y", "6": "y"}}\n' > llm_annotations.json
      concur judge judged.csv llm_annotations.json --wide --judge model,gpt
    """
    from concurrence.agreement.judge.several import judge_each

    named = (*judge, *(options.humans or ()), *([] if options.before is None else [options.before]))
    judgements = replace(reading, named=named).read(*labels)
    reports = judge_each(judgements, judge, options)
    origin = provenance(inputs=list(labels), seed=reports.seed)
    show(reports if len(judge) > 1 else reports.judges[judge[0]], origin, json_=json_, output=output)
    if disagreements is not None:
        coders = reports.judges[judge[0]].coders
        humans = [name for name, coder in coders.items() if coder.role == "human"]
        _write_disagreements(judgements, judge, humans, disagreements, origin)
    failed = [report for report in reports.judges.values() if report.gate is not None and not report.gate.passed]
    for report in failed:
        note(next(sentence.text for sentence in report.sentences if sentence.code == "gate"))
    if failed:
        raise click.exceptions.Exit(GATE_MISSED)


def _write_disagreements(
    labels: "Labels", judges: tuple[str, ...], humans: list[str], path: Path, origin: "Provenance"
) -> None:
    """The items on which each judge differs from the humans; of several, the first column names the judge."""
    import polars as pl

    from concurrence.agreement.judge.judge import judge_disagreements
    from concurrence.files.tables.formats import write_table

    tables = [judge_disagreements(labels.select_coders([*humans, judge]), judge) for judge in judges]
    if len(judges) > 1:
        pairs = zip(judges, tables, strict=True)
        tables = [table.select(pl.lit(judge).alias("coder"), pl.all()) for judge, table in pairs]
    write_table(pl.concat(tables), path, origin)
    note_written(path)
