"""Match two annotated corpora: exact matches first, then close ones for a person to verify."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork, require_columns
from concurrence.core.results import Result
from concurrence.core.values import value
from concurrence.matching.options import MatchOptions
from concurrence.matching.overlap import Overlaps, close_pairs, required_share
from concurrence.matching.sentences import KEY, Annotated

COLUMNS = (
    "left_id", "right_id", "word", "kind", "similarity",
    "left_text", "right_text", "left_label", "right_label", "verified",
)  # fmt: skip
LABELS = ("item", "coder", "label", "word", "row")
YES, NO = "yes", "no"


@value
class MatchCounts(Result):
    """How many sentences were matched, and how.

    Exact matches are identical apart from full stops and hyphens; close ones are similar enough to be proposed. The
    labels come from accepted matches; a person rejected the rejected ones, and nobody has decided on the undecided.
    """

    exact: int
    close: int
    unmatched_left: int
    unmatched_right: int
    accepted: int
    rejected: int
    undecided: int
    left: int
    right: int
    dropped_left: int
    dropped_right: int

    def __str__(self) -> str:
        return (
            f"Of {self.left:,} left and {self.right:,} right sentences, {self.exact:,} matched exactly and "
            f"{self.close:,} closely."
        )


@value
class SentenceMatches(MatchCounts):
    """Which left sentence goes with which right sentence, and what a person decided about it.

    ``table`` has the columns of the matches file. ``verified`` is ``yes`` for exact matches, and for close
    ones null until somebody decides. ``left_extra`` and ``right_extra`` are further columns of either side.
    """

    table: pl.DataFrame
    left_extra: pl.DataFrame | None = None
    right_extra: pl.DataFrame | None = None

    def to_frame(self) -> pl.DataFrame:
        """The matches as a table (polars)."""
        return self.table

    @property
    def counts(self) -> MatchCounts:
        return MatchCounts(**{entry.name: getattr(self, entry.name) for entry in fields(MatchCounts)})

    def verify(self, decisions: pl.DataFrame, *, name: str = "the decisions") -> "SentenceMatches":
        """Add a person's decisions: ``left_id, right_id, verified``."""
        return self._with_table(_with_decisions(self.table, decisions, name))

    def accept_close(self) -> "SentenceMatches":
        """Accept every close match that nobody rejected."""
        return self._with_table(self.table.with_columns(pl.col("verified").fill_null(YES)))

    def _with_table(self, table: pl.DataFrame) -> "SentenceMatches":
        decided = _matches(table, sizes=(self.left, self.right), dropped=(self.dropped_left, self.dropped_right))
        return replace(decided, left_extra=self.left_extra, right_extra=self.right_extra)

    def labels(self) -> pl.DataFrame:
        """The labels of the accepted matches: ``item, coder, label, word``, the item being the left id.

        Further columns are kept: each side has its own values, or those of the other where it has no such column.
        """
        accepted = self.table.filter(pl.col("verified") == YES)
        sides = [
            accepted.select(
                pl.col("left_id").alias("item"),
                pl.lit(side).alias("coder"),
                pl.col(f"{side}_label").alias("label"),
                pl.col("word"),
                pl.int_range(pl.len()).alias("row"),
                *self._extra(accepted, side),
            )
            for side in ("left", "right")
        ]
        return pl.concat(sides, how="vertical_relaxed").sort("row", maintain_order=True).drop("row")

    def _extra(self, accepted: pl.DataFrame, side: str) -> list[pl.Series]:
        """The further columns of a side; a name that the labels file has itself gets an underscore behind it."""
        both = {"left": self.left_extra, "right": self.right_extra}
        columns: dict[str, pl.Series] = {}
        for other in sorted(both, key=lambda name: name == side):  # its own values replace those of the other side
            if (extra := both[other]) is not None:
                ids = accepted.select(pl.col(f"{other}_id").alias(KEY))
                columns |= {column.name: column for column in ids.join(extra, on=KEY, how="left").drop(KEY)}
        names = dict.fromkeys(name for extra in both.values() if extra is not None for name in extra.columns[1:])
        return [columns[name].alias(f"{name}_" if name in LABELS else name) for name in names]


def match_sentences(left: Annotated, right: Annotated, options: MatchOptions) -> SentenceMatches:
    """Align two independently annotated corpora, one to one within each target word.

    Exact matches are identical, apart from full stops and hyphens. In close ones, at least the share ``similarity`` of
    the left sentence's words occurs in the right sentence, in the same order.
    Pairs are taken greedily by similarity, then left id, then right id (as text, by code point).

    References: Ng, Lim & Foo (1999), section 3.

    >>> left = pl.DataFrame({"id": ["1"], "text": ["He ran ."], "word": ["run"], "label": ["a"]})
    >>> right = pl.DataFrame({"id": ["x"], "text": ["He ran"], "word": ["run"], "label": ["b"]})
    >>> sides = [Annotated.from_frame(frame, name="a corpus") for frame in (left, right)]
    >>> match_sentences(*sides, MatchOptions()).exact
    1
    """
    refuse_in_fork()
    a, b = (_normalise(side.table) for side in (left, right))
    keys = ["word", "bare", *(["place"] if "place" in a.columns and "place" in b.columns else [])]
    a, b = (_number_twins(frame, keys) for frame in (a, b))
    exact = a.join(b, on=[*keys, "twin"], how="inner", suffix="_right")
    rest_a, rest_b = (
        frame.filter(~pl.col("id").is_in(taken.implode()))
        for frame, taken in ((a, exact["id"]), (b, exact["id_right"]))
    )
    proposed = close_pairs(rest_a, rest_b, similarity=required_share(options.similarity), progress=options.progress)
    close = _match_greedily(rest_a, rest_b, proposed, keys)
    table = pl.concat([_exact_rows(exact), close])
    matches = _matches(table, sizes=(len(left.table), len(right.table)), dropped=(left.dropped, right.dropped))
    return replace(matches, left_extra=left.extra, right_extra=right.extra)


def _matches(table: pl.DataFrame, *, sizes: tuple[int, int], dropped: tuple[int, int]) -> SentenceMatches:
    """Matches with their counts, from the sizes of both sides and how many were dropped of each."""
    kinds, verified = table["kind"], table["verified"]
    return SentenceMatches(
        exact=int((kinds == "exact").sum()),
        close=int((kinds == "close").sum()),
        unmatched_left=sizes[0] - len(table),
        unmatched_right=sizes[1] - len(table),
        accepted=int((verified == YES).sum()),
        rejected=int((verified == NO).sum()),
        undecided=verified.null_count(),
        left=sizes[0],
        right=sizes[1],
        dropped_left=dropped[0],
        dropped_right=dropped[1],
        table=table,
    )


def _normalise(table: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of their ids, with the text as exact matching sees it and the place of the word in it."""
    bare = pl.col("text").str.replace_all(r"[.\-]", "").str.extract_all(r"\S+").list.join(" ")
    table = table.sort("id").with_columns(bare.alias("bare"))
    if "position" not in table.columns:
        return table
    words = pl.col("text").str.extract_all(r"\S+")
    before = words.list.head(pl.col("position")).list.eval(pl.element().str.replace_all(r"[.\-]", "") != "")
    return table.with_columns(before.list.sum().fill_null(0).alias("place"))


def _number_twins(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Number the sentences that look alike, so that the first is matched with the first."""
    return frame.with_columns(pl.int_range(pl.len()).over(keys).alias("twin"))


def _exact_rows(joined: pl.DataFrame) -> pl.DataFrame:
    return joined.select(
        pl.col("id").alias("left_id"),
        pl.col("id_right").alias("right_id"),
        pl.col("word"),
        pl.lit("exact").alias("kind"),
        pl.lit(1.0).alias("similarity"),
        pl.col("text").alias("left_text"),
        pl.col("text_right").alias("right_text"),
        pl.col("label").alias("left_label"),
        pl.col("label_right").alias("right_label"),
        pl.lit(YES).alias("verified"),
    ).sort("left_id")


def _match_greedily(left: pl.DataFrame, right: pl.DataFrame, pairs: Overlaps, keys: list[str]) -> pl.DataFrame:
    """Take the most similar pair first; rows are in the order of their ids, so row numbers break ties."""
    similarity = pairs.common / pairs.words
    taken_left, taken_right = np.zeros(len(left), dtype=bool), np.zeros(len(right), dtype=bool)
    other_place = _other_place(left, right, pairs) if "place" in keys else np.zeros(len(similarity), dtype=bool)
    chosen = []
    for k in np.lexsort((pairs.right, pairs.left, -similarity)):
        row, column = pairs.left[k], pairs.right[k]
        if not (taken_left[row] or taken_right[column] or other_place[k]):
            taken_left[row] = taken_right[column] = True
            chosen.append(k)
    rows, columns = left[pairs.left[chosen]], right[pairs.right[chosen]]
    return pl.DataFrame(
        {
            "left_id": rows["id"],
            "right_id": columns["id"],
            "word": rows["word"],
            "kind": pl.repeat("close", len(rows), eager=True),
            "similarity": similarity[chosen],
            "left_text": rows["text"],
            "right_text": columns["text"],
            "left_label": rows["label"],
            "right_label": columns["label"],
            "verified": pl.repeat(None, len(rows), dtype=pl.String, eager=True),
        }
    )


def _other_place(left: pl.DataFrame, right: pl.DataFrame, pairs: Overlaps) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The same sentence with another occurrence of the word labelled is no match at all."""
    same_text = left["bare"].to_numpy()[pairs.left] == right["bare"].to_numpy()[pairs.right]
    other = left["place"].to_numpy()[pairs.left] != right["place"].to_numpy()[pairs.right]
    return np.asarray(same_text & other, dtype=bool)


def _with_decisions(table: pl.DataFrame, decisions: pl.DataFrame, name: str) -> pl.DataFrame:
    require_columns(decisions, ("left_id", "right_id", "verified"), name)
    row_of_pair = {(a, b): row for row, (a, b) in enumerate(table.select("left_id", "right_id").iter_rows())}
    verified: list[str | None] = table["verified"].to_list()
    rows = decisions.select(pl.col("left_id", "right_id", "verified").cast(pl.String)).iter_rows()
    for line, (left_id, right_id, word) in enumerate(rows, start=1):
        decision = _decision(word, f"{name}, row {line}")
        row = row_of_pair.get((left_id, right_id))
        if row is None and decision == YES:
            raise InvalidInputError(
                f"{name}, row {line}: {left_id!r} and {right_id!r} are not a pair in this matching; use the file that "
                "it wrote."
            )
        if row is not None and decision is not None:
            verified[row] = decision
    return table.with_columns(pl.Series("verified", verified, dtype=pl.String))


def _decision(word: str | None, where: str) -> str | None:
    text = (word or "").strip().lower()
    if text in ("", "yes", "true", "1", "no", "false", "0"):
        return None if not text else YES if text in ("yes", "true", "1") else NO
    raise InvalidInputError(f"{where}: verified must be yes, no or empty, not {word!r}.")
