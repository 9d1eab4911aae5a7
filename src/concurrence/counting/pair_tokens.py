"""Pair tokens: the two members of each, as words, and where they stand."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.layers import Codes, Layer
from concurrence.counting.document_spread import Spread, batches
from concurrence.counting.local import RankedCounts
from concurrence.counting.pattern_nodes import Member
from concurrence.counting.runs import LEVELS, sorted_run
from concurrence.counting.stream import code_point_ranks, number
from concurrence.kernels.dispersion import COLUMNS
from concurrence.kernels.token_patterns import Bindings

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemberTokens:
    """One member of every pair token: its word, and its position."""

    codes: Codes
    words: pl.Series
    at: Positions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTokens:
    """All pair tokens of a rule; the words of a side are in the order of code points."""

    left: MemberTokens
    right: MemberTokens

    def tally(self, *, least: int, spread: Spread | None = None) -> RankedCounts:
        """Count them; all counts over pair tokens. With ``spread`` every row has its dispersion."""
        width = max(len(self.right.words), 1)
        tokens = self.left.codes.astype(np.int64) * width + self.right.codes
        keys, f = np.unique(tokens, return_counts=True)
        spectrum = np.bincount(np.minimum(f, LEVELS), minlength=LEVELS + 1)
        keys, f = keys[f >= least], f[f >= least]
        left, right = (keys // width).astype(np.int32), (keys % width).astype(np.int32)
        more = () if spread is None else (self._spread(tokens, keys, f, spread),)
        return RankedCounts(
            runs=[sorted_run(left, right, f, *more)] if len(f) else [],
            f1=np.bincount(self.left.codes, minlength=len(self.left.words)),
            f2=np.bincount(self.right.codes, minlength=len(self.right.words)),
            n=np.full(len(self.left.words), len(self.left.codes), dtype=np.int64),
            spectrum=spectrum,
        )

    def _spread(self, tokens: Positions, keys: Positions, f: Positions, spread: Spread) -> NDArray[np.float64]:
        """The dispersion of some pairs, which stand where their left members do."""
        order = np.lexsort((self.left.at, tokens))
        order = order[np.isin(tokens[order], keys)]
        begins = np.concatenate([[0], np.cumsum(f)])
        parts = [
            spread.measures(f[first:last], *spread.places(self.left.at[order[begins[first] : begins[last]]]))
            for first, last in batches(f)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(COLUMNS)))


def member_tokens(member: Member, bindings: Bindings, unit: Layer) -> MemberTokens:
    """Put a member's words together; a node that stands nowhere (an optional one) is left out."""
    size = len(next(iter(bindings.values())))
    codes, words = np.zeros(size, dtype=np.int64), pl.Series([""], dtype=pl.String)
    for joint, name in member.parts:
        at = bindings[name]
        part = np.where(at >= 0, unit.codes[at].astype(np.int64) + 1, 0) if len(unit.codes) else at
        distinct, codes = np.unique(codes * (len(unit.words) + 1) + part, return_inverse=True)
        before, added = distinct // (len(unit.words) + 1), distinct % (len(unit.words) + 1)
        words = _joined(words.gather(before), joint, added, unit.words)
    return sorted_members(words, codes.astype(np.int32), bindings[member.parts[-1][1]])


def _joined(before: pl.Series, joint: str, added: Positions, words: pl.Series) -> pl.Series:
    frame = pl.DataFrame({"before": before, "new": words.gather(np.maximum(added - 1, 0)), "added": added})
    glue = pl.when(pl.col("before") == "").then(pl.lit("")).otherwise(pl.lit(joint))
    both = pl.concat_str("before", glue, "new")
    return frame.select(pl.when(pl.col("added") > 0).then(both).otherwise("before").alias("word"))["word"]


def sorted_members(words: pl.Series, codes: Codes, at: Positions) -> MemberTokens:
    """A side whose words are distinct and in the order of code points."""
    distinct, new = number(words)
    ranks = code_point_ranks(distinct)
    ordered = distinct.sort()
    return MemberTokens(codes=ranks[new[codes]] if len(codes) else codes, words=ordered, at=at)
