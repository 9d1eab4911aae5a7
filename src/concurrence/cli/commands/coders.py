"""``concur coders``: how reliable each coder is, and the label each item probably has."""

from pathlib import Path

import click

from concurrence.cli.labels_options import LabelOptions, label_options
from concurrence.cli.lists import NAMES
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show

MODELS = ("dawid-skene", "dawid-skene-bayes", "mace")


@click.command("coders")
@click.argument("labels", type=FilePath())
@label_options
@click.option(
    "--model", type=click.Choice(MODELS), default="dawid-skene", show_default=True, help="Model of coder errors."
)
@click.option("--same", type=NAMES, multiple=True, metavar="A,B", help="Columns that belong to the same coder.")
@seed_option
@json_option
@output_option(
    "Write the items' labels and probabilities (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
def command(
    labels: Path,
    *,
    reading: LabelOptions,
    model: str,
    same: tuple[tuple[str, ...], ...],
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Estimate how reliable coders are, and each item's true label.

    dawid-skene gives every coder a confusion matrix (maximum likelihood, starting from the votes, so
    nothing is random); dawid-skene-bayes adds weak priors and averages over draws, which helps with few labels;
    mace estimates how often a coder knows the answer and how often they guess.

    \b
    Example:
      printf 'item,ann,bob,cy\n1,y,y,n\n2,n,n,n\n3,y,y,y\n4,n,n,y\n5,y,y,y\n' > votes.csv
      concur coders votes.csv --wide -o labels.csv
    """
    from concurrence.agreement.coders.models import fit_coder_model

    fitted = fit_coder_model(reading.read(labels), model, same=same, seed=seed)
    random = model == "dawid-skene-bayes"
    made = provenance(inputs=[labels], seed=seed if random else None, model=model)
    show(fitted, made, json_=json_, output=output)
