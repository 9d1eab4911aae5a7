"""``concur evaluate``: which measure is best here, and is that significant."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.evaluation_options import EvaluateOptions, evaluate_options
from concurrence.cli.output import (
    CHARTS,
    PAGES,
    TABLES,
    FilePath,
    announce_seed,
    json_option,
    output_option,
    provenance,
    seed_option,
)

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
def command(scored: tuple[Path, ...], *, asked: EvaluateOptions, seed: int, json_: bool, output: Path | None) -> None:
    r"""Find out which measure is best here, and how sure that is.

    SCORED is the list of all candidates with columns of scores, as `concur score` writes it; --gold has the
    judged ones: l1,l2,tp with tp = 1/0, yes/no or true/false. Pairs not listed there are not judged. Several
    lists, each with its --gold, are evaluated side by side.

    For every n there is the precision of the n-best list with its confidence interval, recall, and Fisher's
    test against the rest of the list. Two measures are compared on their difference sets: what one list has
    and the other has not.

    \b
    Example:
      printf 'l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\n' > scored.csv
      printf 'l1,l2,tp\na,b,1\nc,d,1\ne,f,0\ng,h,0\n' > gold.csv
      concur evaluate scored.csv --gold gold.csv -m MI,f --n 1,2,3
      concur evaluate scored.csv --gold gold.csv -m MI,f --n 1:4:1 -o precision.svg
    """
    from concurrence.cli.documents import present
    from concurrence.report.evaluation import evaluation_document, evaluation_json, evaluation_table

    jobs = asked.jobs(scored)
    found = {job.name: _evaluated(job, asked, seed) for job in jobs}
    announce_seed(seed)
    made = provenance(inputs=[path for job in jobs for path in job.inputs(asked)], seed=seed)
    only = next(iter(found.values()))
    payload: dict[str, Any] = (
        evaluation_json(only)
        if len(found) == 1
        else {"data_sets": {name: evaluation_json(one) for name, one in found.items()}}
    )
    document = evaluation_document(found, by=asked.chart_by, charts=json_ or output is not None)
    present(document, payload, made, json_=json_, output=output, table=lambda: evaluation_table(found))


def _evaluated(job: Any, asked: EvaluateOptions, seed: int) -> "Evaluation":
    from concurrence.cli.candidates import score_columns
    from concurrence.evaluation import evaluate, judgements_from_table
    from concurrence.files.pairs import read_candidates
    from concurrence.files.samples import read_sample
    from concurrence.files.sheets import place_of
    from concurrence.files.tables import read_table

    table, key = read_candidates(job.scored, key=asked.key)
    judgements = judgements_from_table(
        read_table(job.gold),
        table.select(key),
        column=asked.tp,
        coder=asked.coder,
        ties=asked.ties,
        kinds=asked.kinds,
        posterior=asked.posterior,
        place=partial(place_of, job.gold),
    )
    return evaluate(
        table,
        judgements,
        measures=score_columns(table, asked.measures, key),
        options=asked.options(seed),
        key=key,
        sample=None if job.sample is None else read_sample(job.sample),
        rankings={name: read_table(path) for name, path in asked.rankings.items()},
        filters={name: None if path is None else read_table(path) for name, path in asked.filters.items()},
    )
