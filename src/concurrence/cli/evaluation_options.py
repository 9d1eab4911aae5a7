"""The options of ``concur evaluate``, gathered into one value."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from concurrence.cli.candidates import key_option, level_option
from concurrence.cli.lists import COLUMNS, SHARES, SIZES
from concurrence.cli.options import FilePath, ShareType, gather_options
from concurrence.core.errors import InvalidInputError


class Named(click.ParamType[tuple[str, str]]):
    """``NAME=VALUE``."""

    name = "named"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return (str(value[0]), str(value[1]))
        name, sign, rest = str(value).partition("=")
        if not name or not sign or not rest:
            self.fail(f"expected NAME=VALUE, not {value!r}.", param, ctx)
        return name, rest


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationJob:
    """One list with its judgements and its sample."""

    name: str
    scored: Path
    gold: Path
    sample: Path | None

    def inputs(self, asked: "EvaluateRequest") -> list[Path]:
        more = [*asked.rankings.values(), *(path for path in asked.filters.values() if path is not None)]
        return [self.scored, self.gold, *([self.sample] if self.sample else []), *more]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest:
    """What the user asked for."""

    gold: tuple[Path, ...]
    sample: tuple[Path, ...]
    measures: tuple[str, ...]
    n: tuple[int, ...] | None
    interval: str | None
    level: float
    band: str
    test: str
    correct: bool
    correction: str
    above: tuple[float, ...]
    threshold: tuple[tuple[str, str], ...]
    ranking: tuple[tuple[str, str], ...]
    filter_: tuple[str, ...]
    tie_draws: int
    simulate_sample: float | None
    proxy: str | None
    coder_uncertainty: bool
    posterior: str | None
    tp: str
    coder: str | None
    ties: str
    kinds: str | None
    window: int
    key: tuple[str, ...] | None
    chart_by: str
    anytime: bool
    learn: bool
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

    @property
    def thresholds(self) -> dict[str, float]:
        return {name: _number(name, value) for name, value in self.threshold}

    @property
    def spread_of_coders(self) -> str | None:
        """What tells how the coders disagree, where that is to be carried into the intervals."""
        if self.posterior and not self.coder_uncertainty:
            raise InvalidInputError("--posterior says how to carry the coders' errors; add --coder-uncertainty.")
        return ("posterior" if self.posterior else "votes") if self.coder_uncertainty else None


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise InvalidInputError(f"The threshold {name}={value} needs a number after the equals sign.") from error


OPTIONS = (
    click.option("--gold", type=FilePath(), multiple=True, required=True, metavar="FILE", help="Judgements: l1,l2,tp."),
    click.option(
        "--sample", type=FilePath(), multiple=True, metavar="FILE", help="Sample file written by `concur sample`."
    ),
    click.option(
        "-m",
        "--measures",
        type=COLUMNS,
        default=(),
        metavar="NAMES",
        help="Score columns, separated by commas.",
    ),
    click.option("--n", type=SIZES, metavar="SIZES", help="List sizes: 100,500,1000 or 100:5000:50."),
    click.option(
        "--interval",
        type=click.Choice(["hypergeometric", "clopper-pearson", "blaker", "design"]),
        help="Default: hypergeometric; design for union and strata.",
    ),
    level_option,
    click.option(
        "--band",
        type=click.Choice(["pointwise", "simultaneous"]),
        default="pointwise",
        show_default=True,
        help="Intervals for each n, or for the whole curve at once.",
    ),
    click.option(
        "--test",
        type=click.Choice(["minlike", "central"]),
        default="minlike",
        show_default=True,
        help="Definition of two-sided in Fisher's test.",
    ),
    click.option("--correct", is_flag=True, help="Adjust the tests between measures for testing many list sizes."),
    click.option(
        "--correction",
        type=click.Choice(["flips", "holm"]),
        default="flips",
        show_default=True,
        help="Method of --correct.",
    ),
    click.option(
        "--above",
        type=SHARES,
        default=(),
        metavar="SHARES",
        help="Report the largest n with at least this precision: 20%,10%.",
    ),
    click.option(
        "--threshold",
        type=Named(),
        multiple=True,
        metavar="NAME=VALUE",
        help="Add the list size of the candidates that score VALUE or more.",
    ),
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
    click.option(
        "--tie-draws",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Also break ties at random this many times, to see how much the order matters.",
    ),
    click.option(
        "--simulate-sample", type=ShareType(), metavar="SHARE", help="Simulate a sample of a fully judged list: 10%."
    ),
    click.option("--proxy", metavar="COLUMN", help="Column of SCORED with a model's judgement of every candidate."),
    click.option("--coder-uncertainty", is_flag=True, help="Carry the coders' disagreement into the intervals."),
    click.option(
        "--posterior",
        metavar="COLUMN",
        help="Column of --gold with a coder model's probabilities, used instead of votes.",
    ),
    click.option(
        "--tp", default="tp", show_default=True, metavar="COLUMN", help="Column of --gold with the judgements."
    ),
    click.option("--coder", metavar="NAME", help="Use this coder's judgements instead of the majority's."),
    click.option(
        "--ties",
        type=click.Choice(["error", "yes", "no"]),
        default="error",
        show_default=True,
        help="How to count a candidate with equal votes.",
    ),
    click.option(
        "--kinds",
        metavar="COLUMN",
        help="Column of --gold with kinds of true positives; each is also evaluated on its own.",
    ),
    click.option(
        "--window",
        type=click.IntRange(min=1),
        default=400,
        show_default=True,
        help="Number of ranks in local precision.",
    ),
    key_option,
    click.option(
        "--chart-by", type=click.Choice(["n", "recall"]), default="n", show_default=True, help="x-axis of the chart."
    ),
    click.option(
        "--anytime", is_flag=True, help="Intervals and tests that hold however often you look at growing judgements."
    ),
    click.option("--learn", is_flag=True, help="Also rank by a combination of the measures, learned on other words."),
    click.option("--full", is_flag=True, help="Print every table and sentence, not just one screen."),
)


evaluate_options = gather_options(EvaluateRequest, "asked", OPTIONS)
