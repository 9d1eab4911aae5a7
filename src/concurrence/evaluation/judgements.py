"""What people said of the candidates: true positive, false positive, or not judged."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals
from concurrence.core.display import count_noun
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import value
from concurrence.kernels.orders import joined_places
from concurrence.kernels.votes import NOBODY, TIE, majority

YES, NO, UNJUDGED = 1, 0, -1
WORDS = {"1": YES, "yes": YES, "true": YES, "1.0": YES, "0": NO, "no": NO, "false": NO, "0.0": NO}
ROW = "row of the judgements"
TIES = ("error", "yes", "no")


@value
class Judgements:
    """One verdict per candidate of a list: 1, 0, or -1 where nobody judged it.

    ``votes`` holds each coder's verdict where there were several (coders x candidates), ``posterior`` a
    coder model's probability that a candidate is a true positive, ``kinds`` what kind of true positive
    it is; all are aligned with the verdicts.
    """

    verdicts: NDArray[np.int8]
    votes: NDArray[np.int8] | None = None
    posterior: Reals | None = None
    kinds: Numbers | None = None

    @property
    def judged(self) -> Booleans:
        return np.asarray(self.verdicts != UNJUDGED)

    @property
    def kind_names(self) -> tuple[str, ...]:
        """The kinds of true positives, sorted."""
        if self.kinds is None:
            return ()
        return tuple(sorted({str(kind) for kind in self.kinds[self.verdicts == YES] if kind is not None}))

    def of_kind(self, kind: str) -> "Judgements":
        """The same with true positives of this kind alone; all others count as false."""
        if self.kinds is None or kind not in self.kind_names:
            raise UnknownNameError("kind of true positive", kind, self.kind_names)
        other = (self.verdicts == YES) & (self.kinds != kind)
        return replace(self, verdicts=np.where(other, NO, self.verdicts).astype(np.int8), votes=None, posterior=None)

    def restricted(self, rows: Booleans) -> "Judgements":
        """The same with all other candidates counted as not judged."""
        return replace(self, verdicts=np.where(rows, self.verdicts, UNJUDGED).astype(np.int8))


def judgements_from_table(
    gold: pl.DataFrame,
    keys: pl.DataFrame,
    *,
    column: str = "tp",
    coder: str | None = None,
    ties: str = "error",
    kinds: str | None = None,
    posterior: str | None = None,
    place: Callable[[int], str] = lambda row: f"Judgement {row + 1}",
) -> Judgements:
    """Align a table of judgements with the candidates; ``place`` says where a row (from 0) stands.

    The table has the key columns and one of verdicts (1/0, yes/no, true/false; an empty cell is no
    judgement). With a column ``coder`` the verdict is that of the majority, or of one coder.
    """
    for name in (*keys.columns, column, *(extra for extra in (kinds, posterior) if extra)):
        if name not in gold.columns:
            columns = ", ".join(gold.columns)
            raise InvalidInputError(f"The judgements have no column {name!r}; their columns are {columns}.")
    gold = (
        gold.with_columns(pl.col(keys.columns).cast(pl.String)).with_row_index(ROW).filter(pl.col(column).is_not_null())
    )
    rows = candidate_rows(gold, keys, what="judged")
    verdicts = _verdicts(gold, column, place)
    if "coder" in gold.columns:
        coders = gold["coder"].cast(pl.String).fill_null("").to_list()
        votes, names = _votes(rows, verdicts, coders, keys)
        combined = _one_coder(votes, names, coder) if coder else _majority(votes, keys, ties)
    elif coder:
        raise InvalidInputError(f"The judgements have no column 'coder', so {coder!r} cannot be chosen.")
    else:
        votes, combined = None, _placed(rows, verdicts, keys, whose="")
    return Judgements(
        verdicts=combined,
        votes=votes if votes is not None and len(votes) > 1 and not coder else None,
        posterior=_aligned_numbers(gold, posterior, rows, len(keys)) if posterior else None,
        kinds=_aligned_kinds(gold, kinds, rows, len(keys)) if kinds else None,
    )


def candidate_rows(table: pl.DataFrame, keys: pl.DataFrame, *, what: str) -> Integers:
    """Where the candidates of a table stand in the list; one that is not there is refused."""
    found = joined_places(table, keys.with_columns(pl.col(keys.columns).cast(pl.String)))
    missing = table.select(keys.columns).filter(found.is_null())
    if len(missing):
        more = f" ({len(missing)} such candidates)" if len(missing) > 1 else ""
        raise InvalidInputError(
            f"The {what} candidate {show_key(missing.row(0))} is not in the candidate list{more}; "
            "use the list that was sampled and judged."
        )
    return found.to_numpy().astype(np.int64)


def show_key(values: Sequence[Any]) -> str:
    return "'" + " ".join(str(value) for value in values) + "'"


def _verdicts(gold: pl.DataFrame, column: str, place: Callable[[int], str]) -> NDArray[np.int8]:
    texts = gold[column].cast(pl.String).str.strip_chars().str.to_lowercase()
    codes = texts.replace_strict(WORDS, default=None, return_dtype=pl.Int8)
    if codes.null_count():
        row = int(codes.is_null().arg_max() or 0)
        raise InvalidInputError(
            f"{place(gold[ROW][row])}: {column} = {gold[column][row]!r}, but a judgement is 1/0, yes/no or true/false."
        )
    return codes.to_numpy()


def _placed(rows: Integers, verdicts: NDArray[np.int8], keys: pl.DataFrame, *, whose: str) -> NDArray[np.int8]:
    """Verdicts in the order of the list; the same candidate judged both ways is refused."""
    highest, lowest = np.full(len(keys), UNJUDGED, dtype=np.int8), np.full(len(keys), 2, dtype=np.int8)
    np.maximum.at(highest, rows, verdicts)
    np.minimum.at(lowest, rows, verdicts)
    both = np.flatnonzero((highest == YES) & (lowest == NO))
    if both.size:
        shown = show_key(keys.row(int(both[0])))
        way_out = "a column 'coder' tells several people apart" if not whose else "each coder judges a candidate once"
        raise InvalidInputError(f"{shown} is judged both true and false{whose}; {way_out}.")
    return highest


def _votes(
    rows: Integers, verdicts: NDArray[np.int8], coders: list[str], keys: pl.DataFrame
) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    names = tuple(sorted(set(coders)))
    of = np.array([names.index(name) for name in coders], dtype=np.int64)
    each = [
        _placed(rows[of == c], verdicts[of == c], keys, whose=f" by the coder {name!r}") for c, name in enumerate(names)
    ]
    return np.array(each, dtype=np.int8).reshape(len(names), len(keys)), names


def _one_coder(votes: NDArray[np.int8], names: tuple[str, ...], coder: str) -> NDArray[np.int8]:
    if coder not in names:
        raise UnknownNameError("coder", coder, names)
    row: NDArray[np.int8] = votes[names.index(coder)]
    return row


def _majority(votes: NDArray[np.int8], keys: pl.DataFrame, ties: str) -> NDArray[np.int8]:
    if ties not in TIES:
        raise UnknownNameError("way to decide ties", ties, TIES)
    winner = majority([(votes == verdict).sum(axis=0) for verdict in (NO, YES)])
    even = np.flatnonzero(winner == TIE)
    if even.size and ties == "error":
        raise InvalidInputError(
            f"{count_noun(even.size, 'candidate')} with equal votes, the first is {show_key(keys.row(int(even[0])))}; "
            "adjudicate them, choose one coder, or say how to count equal votes."
        )
    winner[even] = YES if ties == "yes" else NO
    return np.where(winner == NOBODY, UNJUDGED, winner).astype(np.int8)


def _aligned_numbers(gold: pl.DataFrame, name: str, rows: Integers, size: int) -> Reals:
    values = np.full(size, np.nan)
    given = gold[name].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    values[rows] = given
    if not ((given >= 0) & (given <= 1)).all():
        raise InvalidInputError(f"The column {name!r} must hold a probability between 0 and 1 for every judgement.")
    return values


def _aligned_kinds(gold: pl.DataFrame, name: str, rows: Integers, size: int) -> Numbers:
    values = np.full(size, None, dtype=object)
    values[rows] = gold[name].cast(pl.String).to_list()
    return values
