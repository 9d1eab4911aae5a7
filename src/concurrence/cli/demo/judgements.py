"""The shipped judgements, looked up for the pairs that a sample drew.

They are keyed by pair, since the language reference differs a little between versions of Python: what was never
judged is said, not guessed.
"""

from pathlib import Path

import polars as pl

from concurrence.core.shown import number_of
from concurrence.files.tables import read_table, write_table


def judge_sample() -> str:
    """Write ``term.csv``, ``kind.csv`` and ``gold.csv`` for the sample in this folder; say how many were judged."""
    sample = read_table(Path("sample.csv")).select("l1", "l2")
    judged = sample.join(read_table(Path("judgements.csv")), on=["l1", "l2"], how="inner", maintain_order="left")
    judged = judged.with_columns(item=pl.concat_str("l1", "l2", separator=" "))
    write_table(_labels(judged, "term"), Path("term.csv"))
    write_table(_labels(judged, "kind"), Path("kind.csv"))
    write_table(_majority(judged), Path("gold.csv"))
    return _told(len(sample), judged["item"].n_unique(), judged["coder"].n_unique())


def _labels(judged: pl.DataFrame, question: str) -> pl.DataFrame:
    return judged.filter(pl.col(question).is_not_null()).select("item", "coder", pl.col(question).alias("label"))


def _majority(judged: pl.DataFrame) -> pl.DataFrame:
    yes = (pl.col("term") == "yes").mean()
    votes = judged.group_by("l1", "l2", maintain_order=True).agg(share=yes)
    return votes.select("l1", "l2", tp=(pl.col("share") > 0.5).cast(pl.Int8))


def _told(drawn: int, found: int, coders: int) -> str:
    told = f"{coders} coders judged {found} of the {drawn} sampled pairs, following manual.md (judgements.csv)."
    if found < drawn:
        some, were = number_of(drawn - found, "pair"), "was" if drawn - found == 1 else "were"
        told += f" {some} of this Python's reference text had no judgements and {were} left out."
    return told
