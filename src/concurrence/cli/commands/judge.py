"""``concur judge``: can this coder, such as a model, replace a human one."""

from pathlib import Path

import click

from concurrence.cli.labels_options import LabelOptions, label_options
from concurrence.cli.options import (
    PAGES,
    TABLES,
    CoefficientOption,
    FilePath,
    OutputPath,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import note, note_written, provenance, show

GATE_MISSED = 3


@click.command("judge")
@click.argument("labels", type=FilePath())
@label_options
@click.option("--judge", required=True, metavar="CODER", help="The coder that is to replace a human.")
@click.option(
    "--coefficient",
    cls=CoefficientOption,
    default="cohen_kappa",
    show_default=True,
    metavar="NAME",
    help="How agreement is measured.",
)
@click.option("--gate", metavar="CONDITION", help="Such as 'cohen_kappa>=0.7'; exit 3 where its lower bound misses it.")
@click.option(
    "--epsilon",
    type=float,
    default=0.2,
    show_default=True,
    help="Allowance for the cost of a human: 0.2 for experts, 0.1 for crowd workers.",
)
@click.option(
    "--score",
    type=click.Choice(("accuracy", "rmse")),
    default="accuracy",
    show_default=True,
    help="How the alternative-annotator test measures closeness.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="The confidence level.")
@seed_option
@click.option("--disagreements", type=OutputPath(), metavar="FILE", help="Write the items on which the judge is alone.")
@json_option
@output_option(
    "Write the pairs as a table (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).", endings=(*TABLES, *PAGES)
)
def command(
    labels: Path,
    *,
    reading: LabelOptions,
    judge: str,
    coefficient: str,
    gate: str | None,
    epsilon: float,
    score: str,
    level: float,
    seed: int,
    disagreements: Path | None,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Tell whether a coder, such as a model, can replace a human one.

    The judge's agreement with the humans stands beside the humans' agreement with each other, beside what a
    constant guess would reach, and beside the alternative-annotator test, which asks whether the judge is a
    better stand-in for the others than each human is. A gate is checked against the lower bound of the
    interval, not against the value.

    \b
    Example:
      printf 'item,ann,bob,model\n1,y,y,y\n2,n,n,n\n3,y,n,y\n4,n,n,n\n5,y,y,y\n6,n,y,n\n' > judged.csv
      concur judge judged.csv --wide --judge model
    """
    from concurrence.agreement.judge import judge as hold_against
    from concurrence.agreement.judge import judge_disagreements
    from concurrence.files.tables import write_table

    judged = reading.read(labels)
    judgement = hold_against(
        judged, judge, coefficient=coefficient, gate=gate, epsilon=epsilon, score=score, level=level, seed=seed
    )
    made = provenance(inputs=[labels], seed=judgement.seed)
    show(judgement, made, json_=json_, output=output)
    if disagreements is not None:
        write_table(judge_disagreements(judged, judge), disagreements, made)
        note_written(disagreements)
    if judgement.gate is not None and not judgement.gate.passed:
        note(next(sentence.text for sentence in judgement.sentences if sentence.code == "gate"))
        raise click.exceptions.Exit(GATE_MISSED)
