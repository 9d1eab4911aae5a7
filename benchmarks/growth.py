"""How each work grows with the size of its data: time at one size against time at a quarter of it.

Every work is linear, or nearly so, in what it is measured over; a quarter of the data may not take less than a tenth
of the time. The server under more and more coders is shown beside them; its own promises are among those of the server.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import polars as pl

import concurrence
from benchmarks.rows import Row, best_times
from benchmarks.server import PAUSE, batches_of, leaders_pages
from concurrence import Labels, Pairs

STEEPEST = 10.0
CODERS, LOAD_SECONDS = (5, 10, 20, 50), 4.0
STEPS = 4  # of the sizes of each work
QUICK = {"CODERS": (2,), "LOAD_SECONDS": 0.5, "STEPS": 1}
TOO_SHORT = 0.005  # seconds; below this the clock and fixed costs say more than the work

Work = Callable[[], object]


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    rows: list[Row] = []
    for name, (unit, sizes, prepare) in WORKS.items():
        sizes = sizes[:STEPS]
        works = [prepare(size, rng) for size in sizes]
        for work in works[:1]:
            work()  # compiled once, not measured
        times = best_times(*works, rounds=3)
        rows += [_row(name, unit, sizes[0], times[0], None, None)]
        for (small, large), (small_time, large_time) in zip(pairwise(sizes), pairwise(times), strict=True):
            rows.append(_row(name, unit, large, large_time, small, small_time))
    return rows + _coders()


def _coders() -> list[Row]:
    results = {coders: batches_of(coders, seconds=LOAD_SECONDS) for coders in CODERS}
    times = [
        _row("server, p95 of a batch", "coders", coders, p95, None, None, quantity="wall s")
        for coders, (p95, _) in results.items()
    ]
    rates = [
        Row(
            area="growth",
            work=f"server, batches a second of {coders} coders",
            quantity="rate",
            ours=rate,
            peer="if each answer came at once",
            against=coders / PAUSE,
        )
        for coders, (_, rate) in results.items()
    ]
    return times + rates


def _row(
    name: str,
    unit: str,
    size: int,
    time: float,
    small: int | None,
    small_time: float | None,
    *,
    quantity: str = "CPU s",
) -> Row:
    steep = small_time is not None and small_time > TOO_SHORT
    return Row(
        area="growth",
        work=name,
        quantity=quantity,
        ours=time,
        peer=f"ours at {small:,} {unit}" if small else "itself",
        against=small_time or time,
        limit=STEEPEST if steep else None,
        size=size,
        unit=unit,
    )


def _labels(n: int, rng: np.random.Generator, *, coders: int = 5, categories: int = 5) -> Labels:
    truth = rng.integers(categories, size=(n, 1))
    guess = rng.integers(categories, size=(n, coders))
    codes = np.where(rng.random((n, coders)) < 0.7, truth, guess).astype(np.int32)
    codes[rng.random((n, coders)) < 0.2] = -1
    names = tuple(str(k) for k in range(categories))
    return Labels(codes=codes, categories=names, coders=tuple(f"c{k}" for k in range(coders)))


def _agreement(n: int, rng: np.random.Generator) -> Work:
    labels = _labels(n, rng)
    return lambda: concurrence.agree(labels, pairs=False)


def _bootstrap(n: int, rng: np.random.Generator) -> Work:
    labels = _labels(n, rng)
    return lambda: concurrence.agree(labels, coefficients=["krippendorff_alpha"], bootstrap=1000)


def _dual_model(n: int, rng: np.random.Generator) -> Work:
    del rng
    table = (np.array([[0.144, 0.027], [0.039, 0.79]]) * n).round().astype(int)
    return lambda: concurrence.true_agreement(table)


def _merging(categories: int, rng: np.random.Generator) -> Work:
    labels = _labels(20_000, rng, coders=2, categories=categories)
    return lambda: concurrence.merge(labels, guards=False, min_kappa=0.99)


def _matching(n: int, rng: np.random.Generator) -> Work:
    words = np.array([f"w{k}" for k in range(20_000)])
    texts = [" ".join(words[rng.zipf(1.3, 15).clip(1, 20_000) - 1]) for _ in range(n)]
    frame = {"id": [str(k) for k in range(n)], "text": texts, "word": ["w"] * n, "label": ["a"] * n}
    left, right = pl.DataFrame(frame), pl.DataFrame({**frame, "text": texts[::-1]})
    return lambda: concurrence.match(left, right)


def _counting(n: int, rng: np.random.Generator) -> Work:
    import tempfile
    from pathlib import Path

    words = (rng.zipf(1.2, n).clip(1, 100_000)).astype(str)
    path = Path(tempfile.mkdtemp()) / "corpus.txt"
    path.write_text("\n".join(" ".join(words[k : k + 20]) for k in range(0, n, 20)) + "\n", "utf-8")
    return lambda: concurrence.count_pairs(concurrence.read_corpus(path), rule="window-pairs:5", min_freq=3)


def _scoring(n: int, rng: np.random.Generator) -> Work:
    f1, f2 = rng.integers(20, 2000, n), rng.integers(20, 2000, n)
    f = np.minimum(rng.integers(1, 200, n), np.minimum(f1, f2))
    words = np.arange(n).astype(str)
    pairs = Pairs(table=pl.DataFrame({"l1": words, "l2": words, "f": f, "f1": f1, "f2": f2, "N": np.full(n, 10**7)}))
    return lambda: concurrence.score(pairs, "ucs")


def _evaluation(n: int, rng: np.random.Generator) -> Work:
    key = np.arange(n).astype(str)
    scores = {f"m{k}": rng.normal(size=n) for k in range(4)}
    scored = pl.DataFrame({"l1": key, "l2": key, **scores})
    rows_judged = rng.choice(n, n // 10, replace=False)
    gold = pl.DataFrame({"l1": key[rows_judged], "l2": key[rows_judged], "tp": rng.integers(0, 2, len(rows_judged))})
    return lambda: concurrence.evaluate(scored, gold, measures=list(scores))


WORKS: dict[str, tuple[str, tuple[int, ...], Callable[[int, np.random.Generator], Work]]] = {
    "agreement, all nominal coefficients": ("items", (15_625, 62_500, 250_000, 1_000_000), _agreement),
    "bootstrap of alpha, 1,000 draws": ("items", (15_625, 62_500, 250_000), _bootstrap),
    "dual model": ("items", (1_000, 16_000, 256_000), _dual_model),
    "merging": ("categories", (25, 50, 100), _merging),
    "matching": ("sentences", (1_250, 5_000, 20_000), _matching),
    "counting, window-pairs:5": ("tokens", (62_500, 250_000, 1_000_000), _counting),
    "scoring, UCS's list": ("pairs", (15_625, 62_500, 250_000), _scoring),
    "evaluation, all n, 4 measures": ("candidates", (1_000, 4_000, 16_000), _evaluation),
    "server, progress and agreement pages": ("decisions", (6_250, 25_000, 100_000), leaders_pages),
}
