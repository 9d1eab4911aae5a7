"""Rankings that do not come from a column of scores: files of other tools, filters, thresholds."""

import numpy as np
import polars as pl

from concurrence.core.arrays import Booleans, Numbers, Reals
from concurrence.core.candidates import candidate_rows, score_column
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import require_columns
from concurrence.core.judgements import VERDICTS, YES
from concurrence.kernels.ranking import Ranking, TieBreak, is_smallest_first


def ranking_from_table(name: str, table: pl.DataFrame, ties: TieBreak, *, seed: int) -> Ranking:
    """A ranking from a table with the key columns and ``rank`` or ``score``; candidates missing from it come last."""
    column = next((c for c in ("rank", "score") if c in table.columns), None)
    if column is None:
        columns = ", ".join(table.columns)
        raise InvalidInputError(f"The ranking {name!r} needs a column 'rank' or 'score'; its columns are {columns}.")
    scores = _align_values(name, table, ties.keys, score_column(table, column) * (-1 if column == "rank" else 1))
    return Ranking(scores=scores, ties=ties, seed=seed)


def filter_from_table(name: str, table: pl.DataFrame, ties: TieBreak, *, seed: int) -> Ranking:
    """An unranked set of candidates, which is compared with the lists of its own size."""
    members = np.nan_to_num(_align_values(name, table, ties.keys, np.ones(len(table)))) > 0
    return _filter(name, members, ties, seed=seed)


def filter_from_column(name: str, column: pl.Series, ties: TieBreak, *, seed: int) -> Ranking:
    """An unranked set given as a column of 1/0, yes/no or true/false."""
    texts = column.cast(pl.String).str.to_lowercase().fill_null("0")
    codes = texts.replace_strict(VERDICTS, default=None, return_dtype=pl.Int8)
    if codes.null_count():
        raise InvalidInputError(f"The filter {name!r} must hold 1/0, yes/no or true/false.")
    return _filter(name, codes.to_numpy() == YES, ties, seed=seed)


def threshold_size(scores: Reals, name: str, value: float) -> int:
    """How many candidates reach a threshold, or stay below it for measures that are best at 0."""
    least = is_smallest_first(name)
    passed = int((scores <= value if least else scores >= value).sum())
    if passed == 0:
        sign = "<=" if least else ">="
        raise InvalidInputError(f"No candidate has {name} {sign} {value:g}, so there is nothing to compare.")
    return passed


def _filter(name: str, members: Booleans, ties: TieBreak, *, seed: int) -> Ranking:
    size = int(members.sum())
    if size == 0:
        raise InvalidInputError(f"The filter {name!r} lets no candidate pass.")
    return Ranking(scores=members.astype(np.float64), ties=ties, seed=seed, filter_size=size)


def _align_values(name: str, table: pl.DataFrame, keys: pl.DataFrame, values: Numbers) -> Reals:
    require_columns(table, keys.columns, repr(name))
    rows = candidate_rows(table, keys, what="listed")
    if len(np.unique(rows)) < len(rows):
        raise InvalidInputError(f"{name!r} names a candidate twice.")
    scores = np.full(len(keys), np.nan)
    scores[rows] = values
    return scores
