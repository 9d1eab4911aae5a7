"""Candidates from a file, ranked by columns of scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.lists import COLUMNS
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.kernels.ranking import Ranking

key_option = click.option("--key", type=COLUMNS, help="Columns that identify a candidate. Default: l1,l2.")
level_option = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level.",
)


def find_score_columns(table: Any, measures: Sequence[str], key: tuple[str, ...]) -> list[str]:
    """The columns that names of measures stand for; UCS's names and ours find each other."""
    from concurrence.core.pairs import find_column

    return [find_column(table, name, key) for name in measures]


def ranked(path: Path, measures: Sequence[str], *, key: Sequence[str] | None, seed: int) -> "dict[str, Ranking]":
    """Rank the candidates of a file by the columns that were named."""
    from concurrence.files.pairs.formats import read_candidates
    from concurrence.kernels.ranking import rank_candidates

    table, keys = read_candidates(path, key=key)
    names = find_score_columns(table, measures, keys)
    if not names:
        raise InvalidInputError(f"Name the score columns of {path} to rank the candidates by, with -m.")
    return rank_candidates(table, names, key=keys, seed=seed)
