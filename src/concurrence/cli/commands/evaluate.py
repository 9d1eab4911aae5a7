"""``concur evaluate``: how well measures find true positives, and whether they differ significantly."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.evaluation_options import EvaluateRequest, EvaluationJob, evaluate_options
from concurrence.cli.options import CHARTS, PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import provenance
from concurrence.core.designs import has_whole_lists, is_by_rank

if TYPE_CHECKING:
    from concurrence.evaluation import Evaluation


@click.command("evaluate")
@click.argument("scored", type=FilePath(), nargs=-1, required=True)
@evaluate_options
@seed_option
@json_option
@output_option(
    "Write a table (.csv .tsv .jsonl .parquet), a chart (.svg .png) or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
def command(scored: tuple[Path, ...], *, asked: EvaluateRequest, seed: int, json_: bool, output: Path | None) -> None:
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
    from concurrence.cli.output import show
    from concurrence.evaluation import Evaluations
    from concurrence.report.pages.evaluation import evaluation_document
    from concurrence.report.pages.evaluation_brief import evaluation_brief

    jobs = asked.jobs(scored)
    evaluations = {job.name: _evaluated(job, asked, seed) for job in jobs}
    made = provenance(inputs=[path for job in jobs for path in job.inputs(asked)], seed=seed)
    warnings = tuple(sentence for one in evaluations.values() for sentence in one.warnings)
    several = Evaluations(data_sets=evaluations, warnings=warnings)
    result = several if len(jobs) > 1 else evaluations[jobs[0].name]
    told = partial(evaluation_document, result, charts=False) if asked.full else partial(evaluation_brief, result)
    show(result, made, json_=json_, output=output, told=told)


def _evaluated(job: EvaluationJob, asked: EvaluateRequest, seed: int) -> "Evaluation":
    from concurrence.cli.candidates import find_score_columns
    from concurrence.evaluation import evaluate
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample
    from concurrence.files.tables.formats import read_table
    from concurrence.files.tables.sheets import row_place
    from concurrence.kernels.verdicts import judgements_from_table
    from concurrence.measures.table import titles_of

    sample = None if job.sample is None else read_sample(job.sample)
    behind = sample.measures if sample is not None and is_by_rank(sample.design) else ()
    columns = [name for name, path in asked.filters.items() if path is None]
    columns += [asked.proxy] if asked.proxy else []
    table, key = read_candidates(job.scored, key=asked.key, measures=(*asked.measures, *behind), columns=columns)
    judgements = judgements_from_table(
        read_table(job.gold),
        table.select(key),
        column=asked.tp,
        coder=asked.coder,
        ties=asked.ties,
        kinds=asked.kinds,
        posterior=asked.posterior,
        place=partial(row_place, job.gold),
    )
    pair = behind if sample is not None and not has_whole_lists(sample.design) else ()
    measures = find_score_columns(table, asked.measures or pair, key)
    return evaluate(
        table,
        judgements,
        measures=measures,
        key=key,
        sample=sample,
        rankings={name: read_table(path) for name, path in asked.rankings.items()},
        filters={name: None if path is None else read_table(path) for name, path in asked.filters.items()},
        n=asked.n, interval=asked.interval, level=asked.level, band=asked.band, test=asked.test,
        correction=asked.correction if asked.correct else None, above=asked.above, thresholds=asked.thresholds,
        window=asked.window, tie_draws=asked.tie_draws, simulate=asked.simulate_sample, proxy=asked.proxy,
        coder_uncertainty=asked.spread_of_coders, chart_by=asked.chart_by, anytime=asked.anytime,
        learn=asked.learn, seed=seed,
        titles=titles_of([*measures, *asked.rankings, *asked.filters]),
    )  # fmt: skip
