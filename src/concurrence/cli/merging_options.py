"""The options of ``concur merge``, as one value."""

from dataclasses import dataclass
from pathlib import Path

import click

from concurrence.cli.lists import NAMES
from concurrence.cli.options import FilePath, OutputPath, gather_options


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    """How to merge, what to compare with, and what to show."""

    min_kappa: float
    coefficient: str | None
    faithful: bool
    stop: str
    no_guards: bool
    shuffles: int
    tree: Path | None
    keep: tuple[str, ...]
    together: tuple[tuple[str, ...], ...]
    classes: Path | None
    reference: Path | None
    glosses: Path | None
    summary_by: str | None
    steps: bool
    apply_: Path | None

    @property
    def is_random(self) -> bool:
        """Whether anything is drawn at random."""
        return self.classes is None and (not self.no_guards or self.stop == "heldout")


OPTIONS = (
    click.option("--min-kappa", type=float, default=0.8, show_default=True, help="Merge until this value is reached."),
    click.option(
        "--coefficient",
        metavar="NAME",
        help="Coefficient to raise. Default: scott_pi, or fleiss_kappa with more than two coders.",
    ),
    click.option("--faithful", is_flag=True, help="Merge once before testing, as the printed algorithm does."),
    click.option(
        "--stop",
        type=click.Choice(("threshold", "heldout")),
        default="threshold",
        show_default=True,
        help="Stop at --min-kappa, or at the best held-out value.",
    ),
    click.option("--no-guards", is_flag=True, help="Skip held-out values and shuffles."),
    click.option("--shuffles", type=click.IntRange(1), default=99, show_default=True, help="Number of shuffles."),
    click.option(
        "--tree", type=FilePath(), metavar="FILE", help="Hierarchy (child, parent): merge inside subtrees only."
    ),
    click.option("--keep", type=NAMES, metavar="A,B", default=(), help="Categories that are never merged."),
    click.option("--together", type=NAMES, metavar="A,B", multiple=True, help="Merge these first; may be repeated."),
    click.option(
        "--classes", type=FilePath(), metavar="FILE", help="Use this grouping (category, class) instead of searching."
    ),
    click.option("--reference", type=FilePath(), metavar="FILE", help="Compare with this grouping (category, class)."),
    click.option(
        "--glosses", type=FilePath(), metavar="FILE", help="Definitions (category, gloss) to print in each class."
    ),
    click.option("--summary-by", metavar="COLUMN", help="Also sum up by this column, such as nouns and verbs."),
    click.option("--steps", is_flag=True, help="Print the order of the merges as a tree."),
    click.option(
        "--apply",
        "apply_",
        type=OutputPath(),
        metavar="FILE",
        help="Write the labels with classes in place of categories.",
    ),
)


merge_options = gather_options(MergeRequest, "asked", OPTIONS)
