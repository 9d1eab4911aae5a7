"""``concur coders``: how reliable each coder is, and the label each item probably has."""

from pathlib import Path

import click

from concurrence.agreement.labels.options import CoderOptions
from concurrence.cli.labels_options import label_options
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.files.labels.options import LabelOptions


@click.command("coders")
@click.argument("labels", type=FilePath())
@label_options
@gather_options(CoderOptions, "options", (*field_options(CoderOptions, "model", "same"), seed_option))
@json_option
@output_option(
    "Write the items' labels and probabilities (.csv .tsv .jsonl .parquet), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
def command(
    labels: Path,
    *,
    reading: LabelOptions,
    options: CoderOptions,
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

    if options.classes is not None and options.model != "latent":
        raise click.UsageError("--classes goes with --model latent.")
    fit = latent_classes if options.model == "latent" else fit_coder_model
    result = fit(reading.read_people(labels), options)
    is_random = options.model in ("dawid-skene-bayes", "latent")
    origin = provenance(inputs=[labels], seed=options.seed if is_random else None, model=options.model)
    show(result, origin, json_=json_, output=output)
