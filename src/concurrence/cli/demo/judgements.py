"""The shipped judgements, looked up for the pairs that a sample drew.

They are keyed by pair, since the language reference differs a little between versions of Python: what was never
judged is said, not guessed.
"""

from pathlib import Path

import polars as pl

from concurrence.core.sentences import count_noun
from concurrence.files.tables.formats import read_table, write_table


def judge_sample() -> tuple[str, str]:
    """Write the labels of each question, and ``gold.csv``, for the sample in this folder; say what was judged."""
    sample = read_table(Path("sample.csv")).select("l1", "l2")
    judged, named = _judged(sample, Path("judgements.csv")), _judged(sample, Path("names.csv"))
    write_table(_labels(judged, "term"), Path("term.csv"))
    write_table(_labels(judged, "kind"), Path("kind.csv"))
    write_table(_labels(named, "name"), Path("name.csv"))
    write_table(_majority(judged), Path("gold.csv"))
    coverage = _coverage_sentence(len(sample), judged["item"].n_unique(), judged["coder"].n_unique())
    return coverage, _names_sentence(named["item"].n_unique())


def _judged(sample: pl.DataFrame, judgements: Path) -> pl.DataFrame:
    judged = sample.join(read_table(judgements), on=["l1", "l2"], how="inner", maintain_order="left")
    return judged.with_columns(item=pl.concat_str("l1", "l2", separator=" "))


def _labels(judged: pl.DataFrame, question: str) -> pl.DataFrame:
    return judged.filter(pl.col(question).is_not_null()).select("item", "coder", pl.col(question).alias("label"))


def _majority(judged: pl.DataFrame) -> pl.DataFrame:
    yes = (pl.col("term") == "yes").mean()
    votes = judged.group_by("l1", "l2", maintain_order=True).agg(share=yes)
    return votes.select("l1", "l2", tp=(pl.col("share") > 0.5).cast(pl.Int8))


def _coverage_sentence(drawn: int, judged: int, coders: int) -> str:
    coverage = (
        f"{coders} language-model coders judged {judged} of the {drawn} sampled pairs, each alone with manual.md."
    )
    if judged < drawn:
        some, were = count_noun(drawn - judged, "pair"), "was" if drawn - judged == 1 else "were"
        coverage += f" {some} of this Python's reference text had no judgements and {were} left out."
    return coverage


def _names_sentence(judged: int) -> str:
    return (
        f"One language model then read {count_noun(judged, 'term')} three times, as a linguist, as a programmer "
        "and as a "
        "teacher, and said how each is named (names.md). Three readings by one model are not three coders."
    )
