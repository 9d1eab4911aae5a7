"""What ``concur evaluate`` takes besides the options of an evaluation: files, and how they are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from concurrence.cli.candidates import coder_options, coder_uncertainty_options, key_option
from concurrence.cli.lists import COLUMNS
from concurrence.cli.option_fields import Named, field_options
from concurrence.cli.options import F, FilePath, gathered, seed_option
from concurrence.core.errors import InvalidInputError
from concurrence.evaluation.options import EvaluateOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationJob:
    """One list with its judgements and its sample."""

    name: str
    scored: Path
    gold: Path
    sample: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFiles:
    """The files to evaluate, and their columns."""

    gold: tuple[Path, ...]
    sample: tuple[Path, ...]
    measures: tuple[str, ...]
    correct: bool
    ranking: tuple[tuple[str, str], ...]
    filter_: tuple[str, ...]
    posterior: str | None
    tp: str
    coder: str | None
    ties: str
    kinds: str | None
    key: tuple[str, ...] | None
    full: bool

    @property
    def rankings(self) -> dict[str, Path]:
        return {name: Path(path) for name, path in self.ranking}

    @property
    def filters(self) -> dict[str, Path | None]:
        """Filters by name: from a file, or a column of the list."""
        parts = [text.partition("=") for text in self.filter_]
        return {name: Path(path) if sign else None for name, sign, path in parts}

    def jobs(self, scored: Sequence[Path]) -> list[EvaluationJob]:
        """The lists to evaluate, each with its own judgements and sample."""
        if len(self.gold) != len(scored):
            raise InvalidInputError(
                f"There are {len(scored)} lists and {len(self.gold)} --gold files; each list needs its own."
            )
        if len(self.sample) not in (0, len(scored)):
            raise InvalidInputError(
                f"There are {len(scored)} lists and {len(self.sample)} --sample files; give one for each list, or none."
            )
        samples = self.sample or (None,) * len(scored)
        names = [path.name.split(".")[0] for path in scored]
        unique = names if len(set(names)) == len(names) else [str(path) for path in scored]
        rows = zip(unique, scored, self.gold, samples, strict=True)
        return [EvaluationJob(name=name, scored=one, gold=gold, sample=sample) for name, one, gold, sample in rows]

    def inputs(self, jobs: Sequence[EvaluationJob]) -> list[Path]:
        """Every file that is read."""
        more = [*self.rankings.values(), *self.filters.values()]
        paths = [path for job in jobs for path in (job.scored, job.gold, job.sample, *more)]
        return [path for path in paths if path is not None]


def _correction(ctx: click.Context, _: click.Parameter, value: str) -> str | None:
    """The correction, where one is made at all."""
    return value if ctx.params["correct"] else None


OPTIONS = (
    click.option("--gold", type=FilePath(), multiple=True, required=True, metavar="FILE", help="Judgements: l1,l2,tp."),
    click.option(
        "--sample", type=FilePath(), multiple=True, metavar="FILE", help="Sample file written by `concur sample`."
    ),
    click.option(
        "-m", "--measures", type=COLUMNS, default=(), metavar="NAMES", help="Score columns, separated by commas."
    ),
    *field_options(EvaluateOptions, "n", "test"),
    click.option(
        "--correct",
        is_flag=True,
        is_eager=True,  # --correction looks at it
        help="Adjust the tests between measures for testing many list sizes.",
    ),
    *field_options(EvaluateOptions, "correction", callback=_correction),
    *field_options(EvaluateOptions, "above", "thresholds"),
    click.option(
        "--ranking", type=Named(), multiple=True, metavar="NAME=FILE", help="Another ranking: l1,l2 and rank or score."
    ),
    click.option(
        "--filter",
        "filter_",
        multiple=True,
        metavar="NAME[=FILE]",
        help="An unranked set of candidates: a file or a column.",
    ),
    *field_options(EvaluateOptions, "tie_draws", "proxy"),
    *coder_uncertainty_options(
        "Carry the coders' disagreement into the intervals.",
        "Column of --gold with a coder model's probabilities, used instead of votes.",
    ),
    click.option(
        "--tp", default="tp", show_default=True, metavar="COLUMN", help="Column of --gold with the judgements."
    ),
    *coder_options,
    click.option(
        "--kinds",
        metavar="COLUMN",
        help="Column of --gold with kinds of true positives; each is also evaluated on its own.",
    ),
    *field_options(EvaluateOptions, "window"),
    key_option,
    *field_options(EvaluateOptions, "chart_by", "learn"),
    click.option("--full", is_flag=True, help="Print every table and sentence, not just one screen."),
)


def evaluate_options(command: F) -> F:
    """The options of ``concur evaluate`` as two values: ``options`` of the evaluation, and its ``files``."""
    with_options: F = gathered(EvaluateOptions, "options", [seed_option])(command)
    with_files: F = gathered(EvaluationFiles, "files", OPTIONS)(with_options)
    return with_files
