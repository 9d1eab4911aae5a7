"""``concur coders``: how reliable each coder is, and the label each item probably has."""

from pathlib import Path

import click

from concurrence.agreement.labels.options import CODER_MODELS
from concurrence.cli.labels_options import label_options
from concurrence.cli.lists import NAMES
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.files.labels.options import LabelOptions


@click.command("coders")
@click.argument("labels", type=FilePath())
@label_options
@click.option(
    "--model",
    type=click.Choice((*CODER_MODELS, "latent")),
    default="dawid-skene",
    show_default=True,
    help="Model of coder errors.",
)
@click.option(
    "--classes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of classes, with --model latent. Default: the number from 1 to 6 with the lowest BIC.",
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
    classes: int | None,
    same: tuple[tuple[str, ...], ...],
    seed: int,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Estimate how reliable coders are, and each item's true label.

    dawid-skene gives every coder a confusion matrix (maximum likelihood, starting from the votes, so
    nothing is random); dawid-skene-bayes adds weak priors and averages over draws, which helps with few labels;
    mace estimates how often a coder knows the answer and how often they guess; latent looks for kinds of items
    behind the labels, which need not be the categories.

    \b
    Example:
      printf 'item,ann,bob,cy\n1,y,y,n\n2,n,n,n\n3,y,y,y\n4,n,n,y\n5,y,y,y\n' > votes.csv
      concur coders votes.csv --wide -o labels.csv
    """
    from concurrence.agreement.labels.coders.latent import latent_classes
    from concurrence.agreement.labels.coders.models import fit_coder_model

    if classes is not None and model != "latent":
        raise click.UsageError("--classes goes with --model latent.")
    judgements = reading.read(labels)
    result = (
        latent_classes(judgements, classes, same=same, seed=seed)
        if model == "latent"
        else fit_coder_model(judgements, model, same=same, seed=seed)
    )
    is_random = model in ("dawid-skene-bayes", "latent")
    origin = provenance(inputs=[labels], seed=seed if is_random else None, model=model)
    show(result, origin, json_=json_, output=output)
