"""From text to scored pairs: time and memory against the floor (splitting and numbering) and against peers.

The corpus is made here: words by a Zipf-Mandelbrot law, twenty to a sentence. Every work runs in a process of
its own, so that start-up is on the clock and peak memory is its own. ``results/counting.svg`` shows time against
corpus size.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import numpy as np

from benchmarks.rows import RESULTS, Row, peer_installed, run_in_process

TOKENS = 20_000_000
PEER_TOKENS = 1_000_000
SIZES = (2_000_000, 5_000_000, 10_000_000, 20_000_000)
SENTENCE = 20
VOCABULARY = 500_000
IN_PROCESS = False
QUICK = {
    "TOKENS": 6_000,
    "PEER_TOKENS": 2_000,
    "SIZES": (4_000, 6_000),
    "VOCABULARY": 2_000,
    "IN_PROCESS": True,
}

FLOOR = "polars: split and number"
SCORED = "concurrence: window-pairs, scored"
WORKS = {
    SCORED: """
        import contextlib
        from concurrence.cli.app import main
        with contextlib.suppress(SystemExit):
            main(["pairs", CORPUS, "--rule", "window-pairs:5", "--min-freq", "3", "-o", OUT + "/p.parquet"])
        main(["score", OUT + "/p.parquet", "-m", "log_likelihood", "-o", OUT + "/s.parquet"])
    """,
    "concurrence: window-pairs": """
        from concurrence.cli.app import main
        main(["pairs", CORPUS, "--rule", "window-pairs:5", "--min-freq", "3", "-o", OUT + "/p.parquet"])
    """,
    "concurrence: adjacent": """
        from concurrence.cli.app import main
        main(["pairs", CORPUS, "--rule", "adjacent", "--min-freq", "3", "-o", OUT + "/a.parquet"])
    """,
    "concurrence: first run": """
        import os
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NUMBA_CACHE_DIR"] = folder
            from concurrence.cli.app import main
            main(["pairs", CORPUS, "--rule", "window-pairs:5", "-o", OUT + "/first.csv"])
    """,
    FLOOR: r"""
        import polars as pl
        text = pl.scan_csv(CORPUS, has_header=False, separator="\n", quote_char=None, new_columns=["line"])
        words = text.select(pl.col("line").str.split(" ").list.explode().cast(pl.Categorical).to_physical())
        print(len(words.collect()))
    """,
    "nltk: window of 6, scored": """
        from nltk.collocations import BigramAssocMeasures, BigramCollocationFinder
        with open(CORPUS) as lines:
            words = [word for line in lines for word in line.split()]
        finder = BigramCollocationFinder.from_words(words, window_size=6)
        finder.apply_freq_filter(3)
        print(len(finder.score_ngrams(BigramAssocMeasures.likelihood_ratio)))
    """,
    "gensim: Phrases": """
        from gensim.models.phrases import Phrases
        with open(CORPUS) as lines:
            model = Phrases((line.split() for line in lines), min_count=3, threshold=-1, scoring="npmi")
        print(len(model.export_phrases()))
    """,
    "scikit-learn: CountVectorizer": r"""
        from sklearn.feature_extraction.text import CountVectorizer
        counter = CountVectorizer(ngram_range=(2, 2), token_pattern=r"\S+", lowercase=False)
        with open(CORPUS) as lines:
            print(counter.fit_transform(lines).shape)
    """,
    "association-measures: counted by pandas": """
        import association_measures.measures as am
        import pandas as pd
        with open(CORPUS) as lines:
            pairs = [pair for line in lines if (words := line.split()) for pair in zip(words, words[1:])]
        table = pd.DataFrame(pairs, columns=["l1", "l2"]).groupby(["l1", "l2"]).size().rename("f").reset_index()
        table["f1"] = table.groupby("l1").f.transform("sum")
        table["f2"] = table.groupby("l2").f.transform("sum")
        table["N"] = len(pairs)
        table = table[table.f >= 3]
        print(len(am.score(table, measures=["log_likelihood"])))
    """,
}
PEERS = {
    "gensim: Phrases": "gensim",
    "scikit-learn: CountVectorizer": "sklearn",
    "association-measures: counted by pandas": "association_measures",
}
"""What is measured beside ``concurrence: adjacent``, and the module that must be installed."""


def run() -> list[Row]:
    """Measure all of it; the corpora are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        small = _corpus(out, PEER_TOKENS)
        measure(SCORED, small, out)  # compiled code is cached from here on
        big = {size: _corpus(out, size) for size in SIZES}
        rows = [*_against_the_floor(big[TOKENS], out), *_against_nltk(big[TOKENS], small, out)]
        return [*rows, *_against_peers(small, out), *_over_sizes(big, out), _first_run(out)]


def _first_run(out: Path) -> Row:
    """A small file with nothing compiled yet."""
    cost = best(("concurrence: first run",), _corpus(out, 1_000), out, rounds=2)["concurrence: first run"]
    return _row("first run on 1,000 tokens, compilation included", "CPU s", cost["cpu"], "5 s", 5, limit=1)


def _against_the_floor(corpus: Path, out: Path) -> list[Row]:
    costs = best((SCORED, FLOOR), corpus, out, rounds=2)
    work, ours = f"{TOKENS:,} tokens, window-pairs:5, f >= 3, scored", costs[SCORED]
    return [
        _row(work, "CPU s", ours["cpu"], FLOOR, costs[FLOOR]["cpu"], limit=3),
        _row(work, "MB", ours["mb"], "1.2 GB", 1200, limit=1),
        _row(f"{work}: cores in use", "CPU s per wall s", ours["cpu"], "wall", ours["wall"]),
    ]


def _against_nltk(corpus: Path, small: Path, out: Path) -> list[Row]:
    if not peer_installed("counting", "nltk"):
        return []
    peer = "nltk: window of 6, scored"
    ours, theirs = measure(SCORED, corpus, out), measure(peer, small, out)
    work = f"microseconds a token ({TOKENS:,} tokens; the peer {PEER_TOKENS:,})"
    per_token = (ours["cpu"] / TOKENS * 1e6, theirs["cpu"] / PEER_TOKENS * 1e6)
    return [
        _row(work, "CPU µs", per_token[0], peer, per_token[1], limit=1 / 20),
        _row(f"memory ({TOKENS:,} tokens; the peer {PEER_TOKENS:,})", "MB", ours["mb"], peer, theirs["mb"]),
    ]


def _against_peers(corpus: Path, out: Path) -> list[Row]:
    rows, ours = [], "concurrence: adjacent"
    for peer in (peer for peer, module in PEERS.items() if peer_installed("counting", module)):
        costs = best((ours, peer), corpus, out, rounds=1)
        work = f"{PEER_TOKENS:,} tokens, neighbours"
        rows.append(_row(work, "CPU s", costs[ours]["cpu"], peer, costs[peer]["cpu"]))
        rows.append(_row(work, "MB", costs[ours]["mb"], peer, costs[peer]["mb"]))
    return rows


def _over_sizes(corpora: dict[int, Path], out: Path) -> list[Row]:
    """Time against corpus size: linear means that ten times the tokens take ten times as long."""
    works = ("concurrence: window-pairs", FLOOR)
    costs = {size: best(works, corpus, out, rounds=1) for size, corpus in corpora.items()}
    _draw([{"tokens": n, "work": w, "CPU seconds": t["cpu"]} for n, times in costs.items() for w, t in times.items()])
    first, last = min(SIZES), max(SIZES)
    cost = {n: costs[n][works[0]]["cpu"] / n * 1e6 for n in (first, last)}
    work, peer = f"microseconds a token at {last:,} tokens", f"at {first:,} tokens"
    return [_row(work, "CPU µs", cost[last], peer, cost[first], limit=1.25)]


def _row(work: str, quantity: str, ours: float, peer: str, against: float, limit: float | None = None) -> Row:
    return Row(area="counting", work=work, quantity=quantity, ours=ours, peer=peer, against=against, limit=limit)


def _draw(rows: list[dict[str, object]]) -> None:
    import altair as alt
    import polars as pl

    if IN_PROCESS:
        return  # what is measured is not to be looked at
    points = alt.Chart(pl.DataFrame(rows)).mark_line(point=True)
    chart = points.encode(x="tokens:Q", y="CPU seconds:Q", color=alt.Color("work:N", title=None))
    RESULTS.mkdir(exist_ok=True)
    chart.properties(width=420, height=280).save(str(RESULTS / "counting.svg"))


def best(works: tuple[str, ...], corpus: Path, out: Path, rounds: int) -> dict[str, dict[str, float]]:
    """The best of several rounds, works taking turns."""
    runs = [{work: measure(work, corpus, out) for work in works} for _ in range(1 if IN_PROCESS else rounds)]
    return {work: {key: min(costs[work][key] for costs in runs) for key in ("cpu", "wall", "mb")} for work in works}


def measure(work: str, corpus: Path, out: Path) -> dict[str, float]:
    """CPU seconds, wall seconds and peak megabytes of a work in its own process."""
    if IN_PROCESS:
        return run_in_process(WORKS[work], CORPUS=str(corpus), OUT=str(out))
    program = f"CORPUS, OUT = {str(corpus)!r}, {str(out)!r}\n{dedent(WORKS[work])}"
    watcher = dedent("""
        import json, resource, subprocess, sys, time
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", sys.stdin.read()], stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "wall": time.perf_counter() - start,
                          "mb": used.ru_maxrss / 1024, "code": done.returncode}))
    """)
    process = subprocess.run([sys.executable, "-c", watcher], input=program, capture_output=True, text=True, check=True)
    cost: dict[str, float] = json.loads(process.stdout)
    if cost["code"]:
        raise RuntimeError(f"{work} failed: {process.stderr}")
    return cost


def _corpus(folder: Path, tokens: int) -> Path:
    path = folder / f"{tokens}.txt"
    write_corpus(path, tokens)
    return path


def write_corpus(path: Path, tokens: int, *, seed: int = 0) -> None:
    """Write a Zipf corpus, a sentence a line."""
    edges = np.cumsum(word_shares())
    words = np.array([word_of_rank(rank) for rank in range(VOCABULARY)], dtype=object)
    generator = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as file:
        for size in _parts(tokens, 1_000_000):
            tokens_drawn = words[np.minimum(np.searchsorted(edges, generator.random(size)), VOCABULARY - 1)]
            lines = (" ".join(tokens_drawn[at : at + SENTENCE]) for at in range(0, size, SENTENCE))
            file.write("\n".join(lines) + "\n")


def word_shares() -> np.ndarray:
    """How likely each word is, the most frequent first."""
    weights = 1 / (np.arange(VOCABULARY) + 2.7) ** 1.05
    return weights / weights.sum()


def word_of_rank(rank: int) -> str:
    """A word for a rank: short for frequent ones, and of another length than the letters alone would give."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    text = letters[rank % 26]
    while rank >= 26:
        rank = rank // 26
        text += letters[rank % 26]
    return text + letters[(rank * 7 + len(text)) % 26] if len(text) > 1 else text


def _parts(total: int, most: int) -> Iterator[int]:
    while total > 0:
        yield min(most, total)
        total -= most
