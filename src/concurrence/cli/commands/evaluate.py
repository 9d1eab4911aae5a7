"""``concur evaluate``: how well measures find true positives, and whether they differ significantly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.candidates import coder_options, coder_uncertainty_options, key_option, read_judgements
from concurrence.cli.lists import COLUMNS, Named
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import ENDINGS, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.core.designs import has_whole_lists, is_by_rank
from concurrence.core.errors import InvalidInputError
from concurrence.evaluation.options import EvaluateOptions

if TYPE_CHECKING:
    from concurrence.evaluation.results import Evaluation


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


@click.command("evaluate")
@click.argument("scored", type=FilePath(), nargs=-1, required=True)
@gather_options(EvaluationFiles, "files", OPTIONS)
@gather_options(EvaluateOptions, "options", [seed_option])
@json_option
@output_option(
    "Write a table (.csv .tsv .jsonl .parquet), a chart (.svg .png) or a page (.html .md .tex).", endings=ENDINGS
)
def command(
    scored: tuple[Path, ...],
    *,
    files: EvaluationFiles,
    options: EvaluateOptions,
    json_: bool,
    output: Path | None,
) -> None:
    r"""Evaluate how well association measures find true positives.

    SCORED is the list of all candidates with columns of scores, as `concur score` writes it; --gold has the
    judged ones: l1,l2,tp with tp = 1/0, yes/no or true/false. Pairs not listed there are not judged. Several
    lists, each with its --gold, are evaluated side by side.

    For every n you get the precision of the n-best list with its confidence interval, its recall, and Fisher's
    test against the rest of the list. Two measures are compared on their difference sets: the candidates in one
    list that are not in the other. Where n falls inside a run of equal scores, the figures are averages over all
    orders of the tied candidates.

    \b
    Example:
      printf 'l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\n' > scored.csv
      printf 'l1,l2,tp\na,b,1\nc,d,1\ne,f,0\ng,h,0\n' > gold.csv
      concur evaluate scored.csv --gold gold.csv -m MI,f --n 1,2,3
      concur evaluate scored.csv --gold gold.csv -m MI,f --n 1:4:1 -o precision.svg
    """
    from concurrence.evaluation.results import Evaluations
    from concurrence.report.pages.evaluation import evaluation_document
    from concurrence.report.pages.evaluation_brief import evaluation_brief

    jobs = _jobs(scored, files)
    rankings = {name: Path(path) for name, path in files.ranking}
    parts = [text.partition("=") for text in files.filter_]
    filters = {name: Path(path) if sign else None for name, sign, path in parts}
    evaluations = {job.name: _evaluate_list(job, files, rankings, filters, options) for job in jobs}
    more = [*rankings.values(), *filters.values()]
    inputs = [path for job in jobs for path in (job.scored, job.gold, job.sample, *more) if path is not None]
    warnings = tuple(sentence for one in evaluations.values() for sentence in one.warnings)
    several = Evaluations(data_sets=evaluations, warnings=warnings)
    result = several if len(jobs) > 1 else evaluations[jobs[0].name]
    brief = partial(evaluation_document, result, charts=False) if files.full else partial(evaluation_brief, result)
    show(result, provenance(inputs=inputs, seed=options.seed), json_=json_, output=output, brief=brief)


def _jobs(scored: Sequence[Path], files: EvaluationFiles) -> list[EvaluationJob]:
    """The lists to evaluate, each with its own judgements and sample."""
    if len(files.gold) != len(scored):
        raise InvalidInputError(
            f"There are {len(scored)} lists and {len(files.gold)} --gold files; each list needs its own."
        )
    if len(files.sample) not in (0, len(scored)):
        raise InvalidInputError(
            f"There are {len(scored)} lists and {len(files.sample)} --sample files; give one for each list, or none."
        )
    samples = files.sample or (None,) * len(scored)
    names = [path.name.split(".")[0] for path in scored]
    unique = names if len(set(names)) == len(names) else [str(path) for path in scored]
    rows = zip(unique, scored, files.gold, samples, strict=True)
    return [EvaluationJob(name=name, scored=one, gold=gold, sample=sample) for name, one, gold, sample in rows]


def _evaluate_list(
    job: EvaluationJob,
    files: EvaluationFiles,
    rankings: Mapping[str, Path],
    filters: Mapping[str, Path | None],
    options: EvaluateOptions,
) -> "Evaluation":
    from concurrence.core.pairs import find_column
    from concurrence.evaluation.study import evaluate
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample
    from concurrence.files.tables.formats import read_table
    from concurrence.measures.table import titles_of

    sample = None if job.sample is None else read_sample(job.sample)
    behind = sample.measures if sample is not None and is_by_rank(sample.design) else ()
    columns = [name for name, path in filters.items() if path is None]
    columns += [options.proxy] if options.proxy else []
    table, key = read_candidates(job.scored, key=files.key, measures=(*files.measures, *behind), columns=columns)
    judgements = read_judgements(
        job.gold, table.select(key), column=files.tp, coder=files.coder, ties=files.ties, kinds=files.kinds,
        posterior=files.posterior,
    )  # fmt: skip
    pair = behind if sample is not None and not has_whole_lists(sample.design) else ()
    measures = [find_column(table, name, key) for name in files.measures or pair]
    return evaluate(
        table,
        judgements,
        replace(options, titles=titles_of([*measures, *rankings, *filters])),
        measures=measures,
        key=key,
        sample=sample,
        rankings={name: read_table(path) for name, path in rankings.items()},
        filters={name: None if path is None else read_table(path) for name, path in filters.items()},
    )
