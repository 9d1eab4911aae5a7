"""Matching at the size of the 1999 paper: 20,000 against 190,000 sentences, in time and memory."""

import resource
from time import perf_counter

import numpy as np
import polars as pl

from benchmarks.rows import Row
from concurrence.api.evaluation import match

LEFT, RIGHT, VOCABULARY = 20_000, 190_000, 50_000
QUICK = {"LEFT": 40, "RIGHT": 100, "VOCABULARY": 500}


def run() -> list[Row]:
    rows = []
    for targets in (191, 1):
        left, right = corpora(targets)
        match(left[:20], right[:20])  # compile before the clock starts
        start = perf_counter()
        match(left, right)
        seconds = perf_counter() - start
        work = f"match {LEFT:,} against {RIGHT:,} sentences, {targets} target word{'s' * (targets > 1)}"
        rows.append(
            Row(area="matching", work=work, quantity="wall s", ours=seconds, peer="promise", against=60.0, limit=1)
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    work = "peak memory of the whole process"
    return [*rows, Row(area="matching", work=work, quantity="MB", ours=peak, peer="promise", against=2048.0, limit=1)]


def corpora(targets: int, seed: int = 0) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Zipf sentences; of the left ones a quarter each lacks its full stop, a fifth of its words, all, or nothing."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, VOCABULARY + 1)
    vocabulary = np.array([f"w{k}" for k in range(VOCABULARY)])

    def draw(size: int) -> np.ndarray:
        return vocabulary[rng.choice(VOCABULARY, size, p=weights / weights.sum())]

    lengths = rng.integers(5, 40, RIGHT)
    texts = [" ".join(words) + " ." for words in np.split(draw(lengths.sum()), np.cumsum(lengths)[:-1])]
    words = np.array([f"t{k}" for k in rng.integers(0, targets, RIGHT)])
    sources = rng.permutation(RIGHT)[:LEFT]
    changed = [_changed(texts[source].split(), k % 4, draw, rng) for k, source in enumerate(sources)]
    left = pl.DataFrame({"id": [f"L{k}" for k in range(LEFT)], "text": changed, "word": words[sources]})
    right = pl.DataFrame({"id": [f"R{k}" for k in range(RIGHT)], "text": texts, "word": words})
    return left.with_columns(label=pl.lit("1")), right.with_columns(label=pl.lit("1"))


def _changed(words: list[str], kind: int, draw, rng) -> str:
    if kind == 0:
        return " ".join(words[:-1])
    if kind == 1:
        return " ".join(np.array(words)[rng.random(len(words)) > 0.2]) or "nothing"
    return " ".join(draw(len(words)) if kind == 2 else words)
