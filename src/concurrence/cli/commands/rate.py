"""``concur rate``: how many of a list are true."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.candidates import key_option, level_option
from concurrence.cli.lists import COLUMNS
from concurrence.cli.options import (
    PAGES,
    TABLES,
    FilePath,
    ShareType,
    gather_options,
    json_option,
    output_option,
    seed_option,
)
from concurrence.cli.output import provenance, show
from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import join_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from concurrence.files.provenance import Provenance
    from concurrence.prevalence.results import RateReport


class Fraction(click.ParamType[tuple[int, int]]):
    """``K/N``: a count out of a total."""

    name = "K/N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        part, sign, whole = str(value).partition("/")
        if not (sign and part.strip().isdigit() and whole.strip().isdigit() and int(whole)):
            self.fail(f"expected a fraction such as 45/150, not {value!r}.", param, ctx)
        return int(part), int(whole)


class ErrorRate(click.ParamType["float | tuple[int, int]"]):
    """A known share, or ``K/N`` where it was estimated."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | tuple[int, int]:
        if "/" in str(value):
            return Fraction().convert(value, param, ctx)
        return ShareType().convert(value, param, ctx) if not isinstance(value, float | tuple) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRequest:
    """What the user asked for."""

    judge: tuple[str, ...]
    gold: Path | None
    sample: Path | None
    counts: tuple[int, int] | None
    sensitivity: float | tuple[int, int] | None
    specificity: float | tuple[int, int] | None
    by: str | None
    cluster: str | None
    coder_uncertainty: bool
    posterior: str | None
    tp: str
    coder: str | None
    ties: str
    width: float | None
    next_: int | None
    anytime: bool
    key: tuple[str, ...] | None
    level: float
    seed: int

    def refuse(self, names: Sequence[str], why: str) -> None:
        """Refuse options that would be ignored here."""
        given = [f"--{name.rstrip('_').replace('_', '-')}" for name in names if getattr(self, name)]
        if given:
            raise InvalidInputError(f"{why}; leave out {join_words(given)}.")

    @property
    def spread_of_coders(self) -> str | None:
        """What tells how the coders disagree, where that is to be carried into the interval."""
        if self.posterior and not self.coder_uncertainty:
            raise InvalidInputError("--posterior says how to carry the coders' errors; add --coder-uncertainty.")
        return ("posterior" if self.posterior else "votes") if self.coder_uncertainty else None


OF_PEOPLE = (
    *("gold", "sample", "cluster", "coder_uncertainty", "posterior", "coder"),
    *("width", "next_", "anytime"),
)  # options about people's judgements
OPTIONS = (
    click.option("--judge", type=COLUMNS, default=(), metavar="COLUMNS", help="Columns of LIST: what judges said."),
    click.option("--gold", type=FilePath(), metavar="FILE", help="People's judgements of some: l1,l2,tp."),
    click.option("--sample", type=FilePath(), metavar="FILE", help="Sample file written by `concur sample`."),
    click.option("--counts", type=Fraction(), help="Instead of LIST: how many a judge found, of how many."),
    click.option(
        "--sensitivity", type=ErrorRate(), metavar="SHARE|K/N", help="With --counts: the share of true ones found."
    ),
    click.option(
        "--specificity", type=ErrorRate(), metavar="SHARE|K/N", help="With --counts: the share of false ones rejected."
    ),
    click.option("--by", metavar="COLUMN", help="Without --gold: the part of the corpus each candidate is from."),
    click.option("--cluster", metavar="COLUMN", help="Column of documents, which then vary instead of candidates."),
    click.option("--coder-uncertainty", is_flag=True, help="Carry the coders' disagreement into the interval."),
    click.option("--posterior", metavar="COLUMN", help="Column of --gold with a coder model's probabilities."),
    click.option("--tp", default="tp", show_default=True, metavar="COLUMN", help="Column of --gold with judgements."),
    click.option("--coder", metavar="NAME", help="Use this coder's judgements instead of the majority's."),
    click.option(
        "--ties",
        type=click.Choice(["error", "yes", "no"]),
        default="error",
        show_default=True,
        help="How to count a candidate with equal votes.",
    ),
    click.option(
        "--width", type=ShareType(), metavar="SHARE", help="Say how many judgements an interval this wide needs."
    ),
    click.option(
        "--next", "next_", type=click.IntRange(min=1), metavar="N",
        help="Draw the N candidates to judge next, by the judge's doubt; -o writes them.",
    ),
    click.option("--anytime", is_flag=True, help="An interval that holds however often you look."),
    key_option,
    level_option,
    seed_option,
)  # fmt: skip
rate_options = gather_options(RateRequest, "asked", OPTIONS)


@click.command("rate", short_help="Estimate how many of a list are true.")
@click.argument("list_", metavar="[LIST]", type=FilePath(), required=False)
@rate_options
@json_option
@output_option("Write the estimates (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(list_: Path | None, *, asked: RateRequest, json_: bool, output: Path | None) -> None:
    r"""Estimate how many of a list are true, from a judge of all and people on a sample.

    LIST has all candidates and a column with what a judge, such as a language model, said of each (1/0, yes/no,
    true/false or a score); --gold has people's judgements of some of them: l1,l2,tp. People's judgements are right, the
    judge's make the interval narrower. Without --gold, two judges and two parts of a corpus (--by), or three judges,
    can do. With --counts, a judge's count is corrected for known errors.

    \b
    Example:
      printf 'l1,l2,model\na,b,1\nc,d,1\ne,f,0\ng,h,0\ni,j,0\nk,l,1\n' > list.csv
      printf 'l1,l2,tp\na,b,1\nc,d,0\ne,f,0\ng,h,0\n' > gold.csv
      concur rate list.csv --judge model --gold gold.csv
      concur rate list.csv --judge model --gold gold.csv --next 2 -o next.csv
      concur rate --counts 45/150 --sensitivity 0.96 --specificity 0.89
    """
    if asked.counts is not None:
        report, inputs = _from_counts(list_, asked), []
    elif list_ is None:
        raise InvalidInputError("Name the list of all candidates, or give a judge's count with --counts.")
    elif asked.gold is None:
        report, inputs = _without_gold(list_, asked), [list_]
    else:
        report = _from_list(list_, asked.gold, asked)
        inputs = [list_, asked.gold, *([asked.sample] if asked.sample else [])]
    made = provenance(inputs=inputs, seed=report.seed)
    show(report, made, json_=json_, output=output, write=_next_items(report, made), always=asked.next_ is not None)


def _next_items(report: Any, made: "Provenance") -> "Callable[[Path], None] | None":
    """Writes the candidates to judge next, where they were asked for."""
    wished = getattr(report, "next", None)
    if wished is None or wished.items is None:
        return None
    import polars as pl

    from concurrence.files.tables.formats import write_table

    table = pl.DataFrame({name: list(column) for name, column in wished.items.items()})
    return lambda path: write_table(table, path, provenance=made)


def _from_counts(list_: Path | None, asked: RateRequest) -> "RateReport":
    from concurrence.prevalence.estimate import rate_from_counts

    if list_ is not None:
        raise InvalidInputError("--counts stands in place of LIST; leave out one of them.")
    asked.refuse(("judge", "by", *OF_PEOPLE), "--counts goes with --sensitivity and --specificity alone")
    if asked.sensitivity is None or asked.specificity is None or asked.counts is None:
        raise InvalidInputError(
            "--counts needs --sensitivity and --specificity, each a share or a fraction such as 96/100."
        )
    return rate_from_counts(
        *asked.counts, sensitivity=asked.sensitivity, specificity=asked.specificity, level=asked.level
    )


def _from_list(list_: Path, gold: Path, asked: RateRequest) -> "RateReport":
    from concurrence.evaluation import judgements_from_table
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample
    from concurrence.files.tables.formats import read_table
    from concurrence.files.tables.sheets import row_place
    from concurrence.prevalence.estimate import rate

    if not asked.judge:
        raise InvalidInputError("Name the column that holds what the judge said, with --judge.")
    asked.refuse(("sensitivity", "specificity", "by"), "--gold tells the judge's errors")
    sample = None if asked.sample is None else read_sample(asked.sample)
    behind = () if sample is None else sample.measures
    columns = [*asked.judge, *([asked.cluster] if asked.cluster else [])]
    table, key = read_candidates(list_, key=asked.key, measures=behind, columns=columns)
    judgements = judgements_from_table(
        read_table(gold),
        table.select(key),
        column=asked.tp,
        coder=asked.coder,
        ties=asked.ties,
        posterior=asked.posterior,
        place=partial(row_place, gold),
    )
    return rate(
        table,
        judgements,
        judges=asked.judge,
        key=key,
        sample=sample,
        level=asked.level,
        coder_uncertainty=asked.spread_of_coders,
        clusters=asked.cluster,
        width=asked.width,
        next_items=asked.next_,
        anytime=asked.anytime,
        seed=asked.seed,
    )


def _without_gold(list_: Path, asked: RateRequest) -> Any:
    from concurrence.files.tables.formats import read_table
    from concurrence.prevalence.latent import rate_without_gold

    asked.refuse(("sensitivity", "specificity", *OF_PEOPLE), "Without --gold there are no judgements by people")
    return rate_without_gold(read_table(list_), judges=asked.judge, by=asked.by, level=asked.level, seed=asked.seed)
