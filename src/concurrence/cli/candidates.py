"""Candidates and judgements from files, and the options that say how they are read."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.lists import COLUMNS
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.choices import EQUAL_VOTES

if TYPE_CHECKING:
    from concurrence.core.judgements import Judgements
    from concurrence.kernels.ranking import Ranking

key_option = click.option("--key", type=COLUMNS, help="Columns that identify a candidate. Default: l1,l2.")
level_option = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level.",
)
coder_options = (
    click.option("--coder", metavar="NAME", help="Use this coder's judgements instead of the majority's."),
    click.option(
        "--ties",
        type=click.Choice(EQUAL_VOTES),
        default="error",
        show_default=True,
        help="How to count a candidate with equal votes.",
    ),
)


def _coder_errors(ctx: click.Context, _: click.Parameter, value: bool) -> str | None:
    """Where the coders' errors come from, if they are carried into the intervals."""
    posterior = ctx.params.get("posterior")
    if posterior and not value:
        raise InvalidInputError("--posterior says how to carry the coders' errors; add --coder-uncertainty.")
    return ("posterior" if posterior else "votes") if value else None


def coder_uncertainty_options(carried: str, posterior: str) -> tuple[Any, Any]:
    """``--coder-uncertainty`` and ``--posterior`` with their help; the value of the first is the room's."""
    return (
        click.option("--coder-uncertainty", is_flag=True, callback=_coder_errors, help=carried),
        # Eager, so that it is there when the other is looked at.
        click.option("--posterior", is_eager=True, metavar="COLUMN", help=posterior),
    )


def read_judgements(path: Path, keys: Any, **columns: Any) -> "Judgements":
    """Judgements from a file, aligned with candidates; errors name its lines."""
    from concurrence.files.tables.formats import read_table
    from concurrence.files.tables.sheets import row_place
    from concurrence.kernels.verdicts import judgements_from_table

    return judgements_from_table(read_table(path), keys, place=partial(row_place, path), **columns)


def rank_file(path: Path, measures: Sequence[str], *, key: Sequence[str] | None, seed: int) -> "dict[str, Ranking]":
    """Rank the candidates of a file by the named columns, whether under UCS's names or ours."""
    from concurrence.core.pairs import find_column
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.kernels.ranking import rank_candidates

    table, keys = read_candidates(path, key=key)
    names = [find_column(table, name, keys) for name in measures]
    if not names:
        raise InvalidInputError(f"Name the score columns of {path} to rank the candidates by, with -m.")
    return rank_candidates(table, names, key=keys, seed=seed)
