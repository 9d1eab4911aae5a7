"""``concur sample``: draw what people will judge."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.candidates import key_option, level_option
from concurrence.cli.lists import COLUMNS, WHOLE_NUMBERS
from concurrence.cli.options import PAGES, TABLES, FilePath, ShareType, json_option, output_option, seed_option
from concurrence.cli.output import provenance
from concurrence.core.designs import DESIGNS, STRATA
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.core.samples import Sample


@click.command("sample")
@click.argument("scored", type=FilePath())
@click.option("--size", type=click.IntRange(min=1), help="Number of candidates to draw.")
@click.option("--rate", type=ShareType(), help="Share of the whole list to draw: 10% or 0.1.")
@click.option(
    "--design",
    type=click.Choice(list(DESIGNS)),
    default="simple",
    show_default=True,
    help="; ".join(f"{design.name}: {design.words}" for design in DESIGNS.values()) + ".",
)
@click.option("--best", type=WHOLE_NUMBERS, metavar="N,N", help="List sizes of interest. Default: 500,1000,2000.")
@click.option(
    "-m", "--measures", type=COLUMNS, default=(), metavar="NAMES", help="Score columns, for union and strata."
)
@click.option("--between", type=COLUMNS, default=(), metavar="A,B", help="Two score columns, for difference.")
@click.option(
    "--strata",
    type=click.Choice(STRATA),
    default="cells",
    show_default=True,
    help="Cells of n-best membership, or bands of best rank.",
)
@click.option(
    "--replacement", is_flag=True, help="Draw with replacement (simple design only); repeated draws are counted."
)
@click.option("--parts", type=click.IntRange(min=1), help="Split the sample at random into equal parts, one per coder.")
@click.option(
    "--overlap", type=ShareType(), default="0", help="Share of the sample that all coders judge, such as 20%."
)
@click.option(
    "--extend", type=FilePath(), metavar="SAMPLE", help="Keep this sample and draw more, up to --size in total."
)
@click.option(
    "--expect", type=ShareType(), default="0.5", show_default=True, help="Expected precision, for the interval widths."
)
@level_option
@key_option
@seed_option
@output_option(
    "Write the sample (.csv .tsv .jsonl .parquet, its design in a second file), or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES),
)
@json_option
def command(
    scored: Path,
    *,
    size: int | None,
    rate: float | None,
    design: str,
    best: tuple[int, ...] | None,
    measures: tuple[str, ...],
    between: tuple[str, ...],
    strata: str,
    replacement: bool,
    parts: int | None,
    overlap: float,
    extend: Path | None,
    expect: float,
    level: float,
    key: tuple[str, ...] | None,
    seed: int,
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
    from concurrence.cli.output import show
    from concurrence.core.pairs import find_column
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.files.pairs.samples import read_sample, write_sample
    from concurrence.sampling import candidate_list, draw_sample, extend_sample, sample_budget

    measures = _measures(design, measures, between)
    before = read_sample(extend) if extend is not None else None
    wanted = (*measures, *(before.measures if before is not None else ()))
    table, keys = read_candidates(scored, key=key, measures=wanted)
    candidates = candidate_list(table, keys)
    names = [find_column(table, name, keys) for name in measures]
    if before is not None and extend is not None:
        asked = {"design": design, "best": best, "measures": names}
        _require_same(before, asked | {"strata": strata, "replacement": replacement}, where=extend)
        sample = extend_sample(before, candidates, size=size, rate=rate, parts=parts, overlap=overlap, seed=seed)
    else:
        sample = draw_sample(
            candidates,
            size=size,
            rate=rate,
            design=design,
            best=best,
            measures=names,
            strata=strata,
            replacement=replacement,
            parts=parts or 1,
            overlap=overlap,
            seed=seed,
            key=keys,
        )
    made = provenance(inputs=[scored, *([extend] if extend else [])], seed=seed)
    bought = sample_budget(sample, candidates, expect=expect, level=level)
    write = partial(write_sample, sample, provenance=made)
    show(bought, made, json_=json_, output=output, write=write, always=True)


def _measures(design: str, measures: tuple[str, ...], between: tuple[str, ...]) -> tuple[str, ...]:
    """The columns to rank by: those of -m, or for difference sets the two of --between."""
    wrong, right = ("--between", "-m") if DESIGNS[design].whole_lists else ("-m", "--between")
    if between if DESIGNS[design].whole_lists else measures:
        raise InvalidInputError(f"The design {design!r} takes its score columns from {right}; leave out {wrong}.")
    return between or measures


def _require_same(before: "Sample", asked: dict[str, Any], *, where: Path) -> None:
    """An extension keeps the design; an option that asks for another one is refused, not ignored."""
    from click.core import ParameterSource

    known = {
        "design": before.design,
        "best": before.best,
        "measures": list(before.measures),
        "strata": before.strata_by,
        "replacement": before.replacement,
    }
    context = click.get_current_context()
    for name, value in asked.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE and value != known[name]:
            raise InvalidInputError(
                f"--{name} does not match the design of {where}, which an extension keeps; leave it out."
            )
