"""``concur rate``: how many of a list are true."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.candidates import coder_options, coder_uncertainty_options, key_option, read_judgements
from concurrence.cli.lists import COLUMNS
from concurrence.cli.option_fields import field_options
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
from concurrence.prevalence.options import RateOptions

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
class RateFiles:
    """The judgements, and how they are read; or a judge's count and errors."""

    judge: tuple[str, ...]
    gold: Path | None
    sample: Path | None
    counts: tuple[int, int] | None
    sensitivity: float | tuple[int, int] | None
    specificity: float | tuple[int, int] | None
    by: str | None
    posterior: str | None
    tp: str
    coder: str | None
    ties: str
    key: tuple[str, ...] | None


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
    *field_options(RateOptions, "clusters"),
    *coder_uncertainty_options(
        "Carry the coders' disagreement into the interval.", "Column of --gold with a coder model's probabilities."
    ),
    click.option("--tp", default="tp", show_default=True, metavar="COLUMN", help="Column of --gold with judgements."),
    *coder_options,
    *field_options(RateOptions, "width", "anytime"),
    key_option,
    *field_options(RateOptions, "level"),
)


@click.command("rate", short_help="Estimate how many of a list are true.")
@click.argument("list_", metavar="[LIST]", type=FilePath(), required=False)
@gather_options(RateFiles, "files", OPTIONS)
@gather_options(RateOptions, "options", [seed_option])
@json_option
@output_option("Write the estimates (.csv .tsv .jsonl .parquet) or a page (.html .md .tex).", endings=(*TABLES, *PAGES))
def command(list_: Path | None, *, files: RateFiles, options: RateOptions, json_: bool, output: Path | None) -> None:
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
    if files.counts is not None:
        report, inputs = _from_counts(list_, files, options), []
    elif list_ is None:
        raise InvalidInputError("Name the list of all candidates, or give a judge's count with --counts.")
    elif files.gold is None:
        report, inputs = _without_gold(list_, files, options), [list_]
    else:
        report = _from_list(list_, files.gold, files, options)
        inputs = [list_, files.gold, *([files.sample] if files.sample else [])]
    origin = provenance(inputs=inputs, seed=report.seed)
    always = options.next_items is not None
    show(report, origin, json_=json_, output=output, write=_next_items(report, origin), always=always)


def _refuse(values: dict[str, Any], why: str) -> None:
    """Refuse options that would be ignored."""
    ignored = [name for name, value in values.items() if value]
    if ignored:
        raise InvalidInputError(f"{why}; leave out {join_words(ignored)}.")


def _of_people(files: RateFiles, options: RateOptions) -> dict[str, Any]:
    """The options about people's judgements."""
    return {
        "--gold": files.gold,
        "--sample": files.sample,
        "--cluster": options.clusters,
        "--coder-uncertainty": options.coder_uncertainty,
        "--posterior": files.posterior,
        "--coder": files.coder,
        "--width": options.width,
        "--next": options.next_items,
        "--anytime": options.anytime,
    }


def _next_items(report: Any, origin: "Provenance") -> "Callable[[Path], None] | None":
    """Writes the candidates to judge next, where they were asked for."""
    following = getattr(report, "next", None)
    if following is None or following.items is None:
        return None
    import polars as pl

    from concurrence.files.tables.formats import write_table

    table = pl.DataFrame({name: list(column) for name, column in following.items.items()})
    return lambda path: write_table(table, path, provenance=origin)


def _from_counts(list_: Path | None, files: RateFiles, options: RateOptions) -> "RateReport":
    from concurrence.prevalence.estimate import rate_from_counts

    if list_ is not None:
        raise InvalidInputError("--counts stands in place of LIST; leave out one of them.")
    people = _of_people(files, options)
    _refuse(
        {"--judge": files.judge, "--by": files.by, **people}, "--counts goes with --sensitivity and --specificity alone"
    )
    if files.sensitivity is None or files.specificity is None or files.counts is None:
        raise InvalidInputError(
            "--counts needs --sensitivity and --specificity, each a share or a fraction such as 96/100."
        )
    return rate_from_counts(
        *files.counts, sensitivity=files.sensitivity, specificity=files.specificity, level=options.level
    )


def _from_list(list_: Path, gold: Path, files: RateFiles, options: RateOptions) -> "RateReport":
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample
    from concurrence.prevalence.estimate import rate

    if not files.judge:
        raise InvalidInputError("Name the column that holds what the judge said, with --judge.")
    errors = {"--sensitivity": files.sensitivity, "--specificity": files.specificity}
    _refuse({**errors, "--by": files.by}, "--gold tells the judge's errors")
    sample = None if files.sample is None else read_sample(files.sample)
    behind = () if sample is None else sample.measures
    columns = [*files.judge, *([options.clusters] if options.clusters else [])]
    table, key = read_candidates(list_, key=files.key, measures=behind, columns=columns)
    judgements = read_judgements(
        gold, table.select(key), column=files.tp, coder=files.coder, ties=files.ties, posterior=files.posterior
    )
    return rate(table, judgements, options, judges=files.judge, key=key, sample=sample)


def _without_gold(list_: Path, files: RateFiles, options: RateOptions) -> Any:
    from concurrence.files.tables.formats import read_table
    from concurrence.prevalence.latent import rate_without_gold

    errors = {"--sensitivity": files.sensitivity, "--specificity": files.specificity}
    _refuse({**errors, **_of_people(files, options)}, "Without --gold there are no judgements by people")
    table = read_table(list_)
    return rate_without_gold(table, options, judges=files.judge, by=files.by)
