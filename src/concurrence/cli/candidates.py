"""Candidates from a file, ranked by columns of scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:
    from concurrence.core.rankings import Rankings


def score_columns(table: Any, measures: Sequence[str], key: tuple[str, ...]) -> list[str]:
    """The columns that names of measures stand for; UCS's names and ours find each other."""
    from concurrence.core.pairs import find_column

    return [find_column(table, name, key) for name in measures]


def ranked(path: Path, measures: Sequence[str], *, key: Sequence[str] | None, seed: int) -> "Rankings":
    """Rank the candidates of a file by the columns that were named."""
    from concurrence.files.pairs import read_candidates
    from concurrence.kernels.ranking import rank_candidates

    table, keys = read_candidates(path, key=key)
    names = score_columns(table, measures, keys)
    if not names:
        raise InvalidInputError(f"Name the columns of scores in {path} that rank the candidates, with -m.")
    return rank_candidates(table, names, key=keys, seed=seed)
