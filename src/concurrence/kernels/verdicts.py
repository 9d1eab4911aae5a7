"""Verdicts on candidates: from tables of judgements, by vote, and as other coders might have given them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.arrays import Booleans, Integers, Numbers, Reals
from concurrence.core.candidates import candidate_rows, quote_key
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.judgements import NO, UNJUDGED, VERDICTS, YES, Judgements
from concurrence.core.sentences import count_noun
from concurrence.kernels.choices import CODER_ERRORS, EQUAL_VOTES
from concurrence.kernels.votes import NOBODY, TIE, majority

ROW = "row of the judgements"
DRAWS = 400


def as_judgements(gold: Any, keys: pl.DataFrame) -> Judgements:
    """Judgements of candidates, or a table of them; nothing judged is refused."""
    judgements = gold if isinstance(gold, Judgements) else judgements_from_table(pl.DataFrame(gold), keys)
    if not judgements.judged.any():
        raise InvalidInputError("No candidate is judged.")
    return judgements


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
    gold = gold.with_row_index(ROW).filter(pl.col(column).is_not_null())
    rows = candidate_rows(gold, keys, what="judged")
    verdicts = _verdicts(gold, column, place)
    if "coder" in gold.columns:
        coders = gold["coder"].cast(pl.String).fill_null("").to_list()
        votes, names = _align_votes(rows, verdicts, coders, keys)
        combined = _one_coder(votes, names, coder) if coder else _majority(votes, keys, ties)
    elif coder:
        raise InvalidInputError(f"The judgements have no column 'coder', so {coder!r} cannot be chosen.")
    else:
        votes, combined = None, _align_verdicts(rows, verdicts, keys, whose="")
    return Judgements(
        verdicts=combined,
        votes=votes if votes is not None and len(votes) > 1 and not coder else None,
        posterior=_aligned_numbers(gold, posterior, rows, len(keys)) if posterior else None,
        kinds=_aligned_kinds(gold, kinds, rows, len(keys)) if kinds else None,
    )


def _verdicts(gold: pl.DataFrame, column: str, place: Callable[[int], str]) -> NDArray[np.int8]:
    texts = gold[column].cast(pl.String).str.strip_chars().str.to_lowercase()
    codes = texts.replace_strict(VERDICTS, default=None, return_dtype=pl.Int8)
    if codes.null_count():
        row = int(codes.is_null().arg_max() or 0)
        raise InvalidInputError(
            f"{place(gold[ROW][row])}: {column} = {gold[column][row]!r}, but a judgement is 1/0, yes/no or true/false."
        )
    return codes.to_numpy()


def _align_verdicts(rows: Integers, verdicts: NDArray[np.int8], keys: pl.DataFrame, *, whose: str) -> NDArray[np.int8]:
    """Verdicts in the order of the list; the same candidate judged both ways is refused."""
    highest, lowest = np.full(len(keys), UNJUDGED, dtype=np.int8), np.full(len(keys), 2, dtype=np.int8)
    np.maximum.at(highest, rows, verdicts)
    np.minimum.at(lowest, rows, verdicts)
    both = np.flatnonzero((highest == YES) & (lowest == NO))
    if both.size:
        candidate = quote_key(keys.row(int(both[0])))
        way_out = "a column 'coder' tells several people apart" if not whose else "each coder judges a candidate once"
        raise InvalidInputError(f"{candidate} is judged both true and false{whose}; {way_out}.")
    return highest


def _align_votes(
    rows: Integers, verdicts: NDArray[np.int8], coders: list[str], keys: pl.DataFrame
) -> tuple[NDArray[np.int8], tuple[str, ...]]:
    names = tuple(sorted(set(coders)))
    of = np.array([names.index(name) for name in coders], dtype=np.int64)
    each = [
        _align_verdicts(rows[of == c], verdicts[of == c], keys, whose=f" by the coder {name!r}")
        for c, name in enumerate(names)
    ]
    return np.array(each, dtype=np.int8).reshape(len(names), len(keys)), names


def _one_coder(votes: NDArray[np.int8], names: tuple[str, ...], coder: str) -> NDArray[np.int8]:
    if coder not in names:
        raise UnknownNameError("coder", coder, names)
    row: NDArray[np.int8] = votes[names.index(coder)]
    return row


def _majority(votes: NDArray[np.int8], keys: pl.DataFrame, ties: str) -> NDArray[np.int8]:
    if ties not in EQUAL_VOTES:
        raise UnknownNameError("way to decide ties", ties, EQUAL_VOTES)
    winner = majority([(votes == verdict).sum(axis=0) for verdict in (NO, YES)])
    even = np.flatnonzero(winner == TIE)
    if even.size and ties == "error":
        raise InvalidInputError(
            f"{count_noun(even.size, 'candidate')} with equal votes, the first is {quote_key(keys.row(int(even[0])))}; "
            "adjudicate them, choose one coder, or say how to count equal votes."
        )
    winner[even] = YES if ties == "yes" else NO
    return np.where(winner == NOBODY, UNJUDGED, winner).astype(np.int8)


def _aligned_numbers(gold: pl.DataFrame, name: str, rows: Integers, size: int) -> Reals:
    values = np.full(size, np.nan)
    chances = gold[name].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
    values[rows] = chances
    if not ((chances >= 0) & (chances <= 1)).all():
        raise InvalidInputError(f"The column {name!r} must hold a probability between 0 and 1 for every judgement.")
    return values


def _aligned_kinds(gold: pl.DataFrame, name: str, rows: Integers, size: int) -> Numbers:
    values = np.full(size, None, dtype=object)
    values[rows] = gold[name].cast(pl.String).to_list()
    return values


def draw_verdicts(judgements: Judgements, source: str, *, seed: int) -> Booleans:
    """Verdicts (draws x candidates) as they might have been with other coders, or by a coder model.

    *votes* draws as many coders as there were, with replacement, and lets their majority decide, ties at
    random; *posterior* draws each verdict with the probability that a coder model gives.
    """
    rng = np.random.default_rng(seed)
    if source not in CODER_ERRORS:
        raise UnknownNameError("source of coder uncertainty", source, CODER_ERRORS)
    if source == "posterior":
        if judgements.posterior is None:
            raise InvalidInputError("Coder uncertainty from a model needs its probabilities; name their column.")
        chance = np.nan_to_num(judgements.posterior)
        return rng.random((DRAWS, len(chance))) < chance
    if judgements.votes is None:
        raise InvalidInputError("Coder uncertainty from votes needs a column 'coder' with more than one coder.")
    return _resampled_majorities(judgements.votes, judgements.verdicts == YES, rng)


def _resampled_majorities(votes: NDArray[np.int8], decided: Booleans, rng: np.random.Generator) -> Booleans:
    coders, size = votes.shape
    drawn = rng.multinomial(coders, np.full(coders, 1 / coders), size=DRAWS).astype(np.float32)
    winner = majority([drawn @ (votes == verdict).astype(np.float32) for verdict in (NO, YES)])
    result: Booleans = winner == YES
    undecided = np.flatnonzero(winner.ravel() < 0)
    result.ravel()[undecided] = rng.random(len(undecided)) < 0.5
    return np.where(winner == NOBODY, np.broadcast_to(decided, (DRAWS, size)), result)
