"""Pairs with their scores."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.pairs import KEY, Pairs
from concurrence.core.results import Result
from concurrence.core.rules import counts_pattern_pairs
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.sequences import SequenceTable, members
from concurrence.core.values import value
from concurrence.kernels.dispersion import COLUMNS
from concurrence.kernels.ranking import dispersion_measure, is_smallest_first, rounded_column
from concurrence.measures.measure import Function, SequenceFunction
from concurrence.measures.table import functions_of, sequence_functions

UCS_INFINITY = 1e7  # what UCS writes for an infinite score


def score(
    counted: Pairs, measures: str | Iterable[str] = "default", *, define: Iterable[str] = (), ucs: bool = False
) -> Pairs:
    """Add association scores by measures and formulas (``define``); rows and their order stay as they are.

    Infinite scores stay infinite, or are UCS's 10,000,000 with ``ucs``; what is undefined is null. What a reader must
    know stands in ``extras["warnings"]``.
    """
    refuse_in_fork()
    if counted.members > 2:
        columns = _sequence_columns(counted, sequence_functions(measures, define))
    else:
        wanted = score_functions(measures, define, columns=counted.table.columns, key=counted.key)
        functions = {name: function for name, function in wanted.items() if function is not None}
        _require_margins(counted, functions)
        columns = score_columns(counted, functions)
    if ucs:
        columns = {name: _as_ucs(values) for name, values in columns.items()}
    new = [pl.Series(name, values, nan_to_null=True) for name, values in columns.items()]
    extras = {**counted.extras, "warnings": _warnings(counted, columns)}
    return replace(counted, table=counted.table.with_columns(new), extras=extras)


def score_functions(
    measures: str | Iterable[str], define: Iterable[str] = (), *, columns: Collection[str], key: tuple[str, ...]
) -> dict[str, Function | None]:
    """The functions of names and definitions; a column of dispersion that is there needs none.

    >>> list(score_functions("dp,MI", columns=["l1", "l2", "dp"], key=("l1", "l2")))
    ['dp', 'MI']
    """
    names = [name.strip() for name in (measures.split(",") if isinstance(measures, str) else measures)]
    dispersions = {dispersion_measure(column): column for column in columns}
    wanted = [name for name in names if dispersion_measure(name) in COLUMNS]
    if missing := [name for name in wanted if dispersion_measure(name) not in dispersions]:
        raise InvalidInputError(f"The pairs have no column {missing[0]!r}; count them with concur pairs --dispersion.")
    present: dict[str, Function | None] = {dispersions[dispersion_measure(name)]: None for name in wanted}
    scored = functions_of([name for name in names if name not in wanted], define, key=key)
    return {**present, **scored} if wanted and names[0] == wanted[0] else {**scored, **present}


def _require_margins(pairs: Pairs, names: Iterable[str]) -> None:
    """Refuse scores where a pattern leaves one member no choice: what was counted is then what is expected."""
    if pairs.counted is None or not counts_pattern_pairs(pairs.counted.rule) or set(names) <= {"frequency"}:
        return
    for member, margin in zip(KEY, ("f1", "f2"), strict=True):
        fixed = pairs.table.filter((pl.col(margin) == pl.col("N")) & (pl.col("N") > 1))
        if len(fixed):
            raise InvalidInputError(
                f"By the rule {pairs.counted.rule}, {member} is always {fixed[member][0]!r} ({margin} = N), so no "
                "score but frequency would mean anything. Rank the pairs by f, or see concur collocates for scores "
                "against the rest of the corpus."
            )


def _warnings(pairs: Pairs, names: Iterable[str]) -> tuple[Sentence, ...]:
    """What a reader of these scores must know."""
    if "logDice" not in names or pairs.has_words:
        return ()
    text = (
        "logDice was computed from f1 and f2, because the pairs have no columns n1 and n2 with the words' own "
        "frequencies; other tools use these."
    )
    return (Sentence(code="marginals_for_words", text=text, warning=True),)


@value
class ScoredPairs(Result):
    """Scored pairs with the names of their scores, as they are shown."""

    pairs: int
    rule: str | None
    measures: tuple[str, ...]
    key: tuple[str, ...]
    rows: pl.DataFrame
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        rule = f", rule {self.rule}" if self.rule else ""
        noun = "pair" if members(self.rows.columns, self.key) == 2 else "sequence"
        return f"{count_noun(self.pairs, noun)}{rule}, scored by {', '.join(self.measures)}."

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ScoredPairs":
        """The same again; infinite scores are words in JSON."""
        measures, rows = tuple(data["measures"]), pl.DataFrame(data["rows"], infer_schema_length=None, strict=False)
        return cls(
            pairs=data["pairs"],
            rule=data["rule"],
            measures=measures,
            key=tuple(data["key"]),
            rows=rows.with_columns(pl.col(measures).cast(pl.Float64)),
            warnings=tuple(Sentence(**one) for one in data.get("warnings", ())),
        )


def scored_pairs(scored: Pairs, measures: Iterable[str], *, size: int | None = None) -> ScoredPairs:
    """The result of :func:`score` as it is shown; ``size`` counts all pairs where these are only the best."""
    rule = scored.counted.rule if scored.counted else None
    return ScoredPairs(
        pairs=len(scored) if size is None else size,
        rule=rule,
        measures=tuple(measures),
        key=scored.key,
        rows=scored.table,
        warnings=scored.extras.get("warnings", ()),
    )


def best_pairs(pieces: Iterable[Pairs], measure: str, *, most: int) -> pl.DataFrame:
    """The pairs that a measure ranks highest, of pairs that come piece by piece; the first ones of equal scores."""
    best: pl.DataFrame | None = None
    for piece in pieces:
        table = piece.table if best is None else pl.concat([best, piece.table])
        best = best_first(table, measure).head(most)
    return pl.DataFrame() if best is None else best


def best_first(table: pl.DataFrame, measure: str) -> pl.DataFrame:
    """A table by a measure, the best first; of equal scores, the first."""
    falling = not is_smallest_first(measure)
    return table.sort(pl.lit(rounded_column(table, measure)), descending=falling, nulls_last=True, maintain_order=True)


def score_columns(pairs: Pairs, functions: Mapping[str, Function]) -> dict[str, Reals]:
    """The scores of each function, NaN where nothing is defined."""
    t = pairs.contingency
    return {name: function(t) for name, function in functions.items()}


def _sequence_columns(pairs: Pairs, functions: Mapping[str, SequenceFunction]) -> dict[str, Reals]:
    """The scores of sequences longer than two."""
    t = SequenceTable.from_table(pairs.table, pairs.members)
    return {name: function(t) for name, function in functions.items()}


def scored_columns(
    measures: str | Iterable[str],
    define: Iterable[str] = (),
    *,
    columns: Collection[str],
    key: tuple[str, ...] = KEY,
    members: int = 2,
) -> list[str]:
    """The columns that :func:`score` scores by: those it would add, and those of dispersion that are there."""
    if members > 2:
        return list(sequence_functions(measures, define))
    return list(score_functions(measures, define, columns=columns, key=key))


def _as_ucs(values: Reals) -> Reals:
    return np.where(np.isinf(values), np.copysign(UCS_INFINITY, values), values)
