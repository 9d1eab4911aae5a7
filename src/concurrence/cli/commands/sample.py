"""``concur sample``: draw what people will judge."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.candidates import key_option
from concurrence.cli.lists import COLUMNS
from concurrence.cli.option_fields import field_options
from concurrence.cli.options import PAGES, TABLES, FilePath, gather_options, json_option, output_option, seed_option
from concurrence.cli.output import provenance, show
from concurrence.core.designs import DESIGNS
from concurrence.core.errors import InvalidInputError
from concurrence.sampling.options import SampleOptions

if TYPE_CHECKING:
    from concurrence.core.samples import Sample


OPTIONS = (
    *field_options(SampleOptions, "size", "measures"),
    click.option("--between", type=COLUMNS, default=(), metavar="A,B", help="Two score columns, for difference."),
    *field_options(SampleOptions, "strata", "overlap"),
    click.option(
        "--extend", type=FilePath(), metavar="SAMPLE", help="Keep this sample and draw more, up to --size in total."
    ),
    *field_options(SampleOptions, "expect", "level"),
    key_option,
    seed_option,
)


@click.command("sample")
@click.argument("scored", type=FilePath())
@gather_options(SampleOptions, "options", OPTIONS)
@output_option(
    "Write the sample (.csv .tsv .jsonl .parquet, its design in a second file), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
@json_option
def command(
    scored: Path,
    *,
    between: tuple[str, ...],
    extend: Path | None,
    key: tuple[str, ...] | None,
    options: SampleOptions,
    output: Path | None,
    json_: bool,
) -> None:
    r"""Draw a random sample of candidates for people to judge.

    SCORED is what `concur score` wrote, or any table of candidates with score columns. The sample is in random
    order and has no scores in it. It records each candidate's probability of being drawn, which
    `concur evaluate --sample` uses. The output also shows how wide the intervals will be. The design difference
    draws both difference sets in full, or as many of them as --size says.

    \b
    Example:
      printf 'l1,l2,MI,f\na,b,3,9\nc,d,2,1\ne,f,1,7\ng,h,0,2\ni,j,0,1\nk,l,1,3\n' > scored.csv
      concur sample scored.csv --rate 50% --parts 2 --overlap 34% -o sample.csv
      concur sample scored.csv --size 5 --extend sample.csv -o larger.csv
      concur sample scored.csv --size 2 --design union --best 2 -m MI,f -o union.csv
      concur sample scored.csv --design difference --between MI,f --best 2 -o difference.csv
    """
    from concurrence.core.pairs import find_column
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample, write_sample
    from concurrence.sampling.budget import sample_budget
    from concurrence.sampling.drawing import draw_sample, extend_sample
    from concurrence.sampling.frame import candidate_list

    measures = _measures(options, between)
    before = read_sample(extend) if extend is not None else None
    table, keys = read_candidates(scored, key=key, measures=(*measures, *(() if before is None else before.measures)))
    candidates = candidate_list(table, keys)
    options = replace(options, measures=[find_column(table, name, keys) for name in measures])
    if before is not None and extend is not None:
        _require_same(before, options, where=extend)
        sample = extend_sample(before, candidates, options)
    else:
        sample = draw_sample(candidates, options, key=keys)
    origin = provenance(inputs=[scored, *([extend] if extend else [])], seed=options.seed)
    budget = sample_budget(sample, candidates, options)
    write = partial(write_sample, sample, provenance=origin)
    show(budget, origin, json_=json_, output=output, write=write, always=True)


def _measures(options: SampleOptions, between: tuple[str, ...]) -> Sequence[str]:
    """The columns to rank by: those of -m, or for difference sets the two of --between."""
    whole_lists = DESIGNS[options.design].whole_lists
    wrong, right = ("--between", "-m") if whole_lists else ("-m", "--between")
    if between if whole_lists else options.measures:
        raise InvalidInputError(
            f"The design {options.design!r} takes its score columns from {right}; leave out {wrong}."
        )
    return between or options.measures


def _require_same(before: "Sample", options: SampleOptions, *, where: Path) -> None:
    """An extension keeps the design; an option that asks for another one is refused, not ignored."""
    from click.core import ParameterSource

    design = {
        "design": before.design,
        "best": before.best,
        "measures": list(before.measures),
        "strata": before.strata_by,
        "replacement": before.replacement,
    }
    context = click.get_current_context()
    for name, value in design.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE and getattr(options, name) != value:
            raise InvalidInputError(
                f"--{name} does not match the design of {where}, which an extension keeps; leave it out."
            )
