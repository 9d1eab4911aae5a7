"""``concur compare``: do two sets of coders, or a system before and after, differ in agreement."""

from pathlib import Path

import click

from concurrence.cli.labels_options import LabelOptions, label_options
from concurrence.cli.lists import NAMES
from concurrence.cli.options import PAGES, TABLES, CoefficientOption, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import progress_bar, provenance, show


@click.command("compare")
@click.argument("labels", type=FilePath())
@click.argument("other", type=FilePath(), required=False)
@label_options
@click.option("--a", "a", type=NAMES, metavar="A,B", help="The coders of one side.")
@click.option("--b", "b", type=NAMES, metavar="C,D", help="The coders of the other side.")
@click.option("--reference", metavar="R", help="Coder, such as gold, with whom both sides are compared.")
@click.option(
    "--coefficient",
    cls=CoefficientOption,
    metavar="NAME",
    help="Default: cohen_kappa, or fleiss_kappa for more than two coders.",
)
@click.option(
    "--scale",
    type=click.Choice(("nominal", "ordinal", "interval", "ratio", "circular")),
    default="nominal",
    show_default=True,
    help="Scale of the categories.",
)
@click.option("--weights", type=click.Choice(("linear", "quadratic", "ordinal")), help="Weights for partial agreement.")
@click.option(
    "--bootstrap", type=click.IntRange(1), default=4000, show_default=True, help="Number of bootstrap resamples."
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence level.")
@seed_option
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
    a: tuple[str, ...] | None,
    b: tuple[str, ...] | None,
    reference: str | None,
    coefficient: str | None,
    scale: str,
    weights: str | None,
    bootstrap: int,
    level: float,
    seed: int,
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
    from concurrence.agreement.labels.compare import compare

    first = reading.read(labels)
    second = None if other is None else reading.read(other)
    with progress_bar("resampling") as progress:
        comparison = compare(
            first,
            second,
            a=a,
            b=b,
            reference=reference,
            coefficient=coefficient,
            scale=scale,
            weights=weights,
            level=level,
            draws=bootstrap,
            seed=seed,
            progress=progress,
        )
    origin = provenance(inputs=[labels, *([] if other is None else [other])], seed=comparison.seed)
    show(comparison, origin, json_=json_, output=output)
