"""``concur evaluate``: how well measures find true positives, and whether they differ significantly."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.candidates import read_judgements
from concurrence.cli.evaluation_options import EvaluationFiles, EvaluationJob, evaluate_options
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option
from concurrence.cli.output import provenance, show
from concurrence.core.designs import has_whole_lists, is_by_rank

if TYPE_CHECKING:
    from concurrence.evaluation.options import EvaluateOptions
    from concurrence.evaluation.results import Evaluation


@click.command("evaluate")
@click.argument("scored", type=FilePath(), nargs=-1, required=True)
@evaluate_options
@json_option
@output_option(
    "Write a table (.csv .tsv .jsonl .parquet), a chart (.svg .png) or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(
    scored: tuple[Path, ...],
    *,
    files: EvaluationFiles,
    options: "EvaluateOptions",
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

    jobs = files.jobs(scored)
    evaluations = {job.name: _evaluated(job, files, options) for job in jobs}
    made = provenance(inputs=files.inputs(jobs), seed=options.seed)
    warnings = tuple(sentence for one in evaluations.values() for sentence in one.warnings)
    several = Evaluations(data_sets=evaluations, warnings=warnings)
    result = several if len(jobs) > 1 else evaluations[jobs[0].name]
    told = partial(evaluation_document, result, charts=False) if files.full else partial(evaluation_brief, result)
    show(result, made, json_=json_, output=output, brief=told)


def _evaluated(job: EvaluationJob, files: EvaluationFiles, options: "EvaluateOptions") -> "Evaluation":
    from concurrence.core.pairs import find_column
    from concurrence.evaluation.study import evaluate
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample
    from concurrence.files.tables.formats import read_table
    from concurrence.measures.table import titles_of

    rankings, filters = files.rankings, files.filters
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
