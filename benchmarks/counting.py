"""From text to scored pairs: time and memory against the floor (splitting and numbering) and against peers.

The corpus is made here: words by a Zipf-Mandelbrot law, twenty to a sentence. Every work runs in a process of
its own, so that peak memory is its own.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.rows import Row

TOKENS = 20_000_000
PEER_TOKENS = 1_000_000
SENTENCE = 20
VOCABULARY = 500_000

WORKS = {
    "concurrence": """
        from concurrence.cli import main
        main(["pairs", CORPUS, "--rule", "window-pairs:5", "--min-freq", "3", "-o", OUT + "/p.parquet", "--json"])
    """,
    "concurrence, scored": """
        import contextlib
        from concurrence.cli import main
        with contextlib.suppress(SystemExit):
            main(["pairs", CORPUS, "--rule", "window-pairs:5", "--min-freq", "3", "-o", OUT + "/p.parquet", "--json"])
        main(["score", OUT + "/p.parquet", "-m", "log_likelihood", "-o", OUT + "/s.parquet", "--json"])
    """,
    "concurrence in 2 GB": """
        from concurrence.cli import main
        main(["pairs", CORPUS, "--rule", "window-pairs:5", "--min-freq", "3", "-o", OUT + "/p.parquet", "--json",
              "--max-memory", "2GB"])
    """,
    "polars: split and number": """
        import polars as pl
        text = pl.scan_csv(CORPUS, has_header=False, separator="\\n", quote_char=None, new_columns=["line"])
        words = text.select(pl.col("line").str.split(" ").list.explode().cast(pl.Categorical).to_physical())
        print(len(words.collect()))
    """,
    "nltk": """
        from nltk.collocations import BigramAssocMeasures, BigramCollocationFinder
        with open(CORPUS) as lines:
            finder = BigramCollocationFinder.from_documents(line.split() for line in lines)
        with open(CORPUS) as lines:
            finder = BigramCollocationFinder.from_words([w for line in lines for w in line.split()], window_size=6)
        finder.apply_freq_filter(3)
        print(len(finder.score_ngrams(BigramAssocMeasures.likelihood_ratio)))
    """,
    "gensim": """
        from gensim.models.phrases import Phrases
        with open(CORPUS) as lines:
            model = Phrases((line.split() for line in lines), min_count=3, threshold=-1, scoring="npmi")
        print(len(model.export_phrases()))
    """,
    "scikit-learn": """
        from sklearn.feature_extraction.text import CountVectorizer
        counter = CountVectorizer(ngram_range=(2, 2), token_pattern=r"\\S+", lowercase=False)
        with open(CORPUS) as lines:
            print(counter.fit_transform(lines).shape)
    """,
    "concurrence, adjacent": """
        from concurrence.cli import main
        main(["pairs", CORPUS, "--rule", "adjacent", "--min-freq", "3", "-o", OUT + "/p.parquet", "--json"])
    """,
}


def write_corpus(path: Path, tokens: int, *, seed: int = 0) -> None:
    """Write a Zipf corpus, a sentence a line."""
    weights = 1 / (np.arange(VOCABULARY) + 2.7) ** 1.05
    edges = np.cumsum(weights) / weights.sum()
    words = np.array([_word(rank) for rank in range(VOCABULARY)], dtype=object)
    generator = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as file:
        for size in _parts(tokens, 1_000_000):
            drawn = words[np.minimum(np.searchsorted(edges, generator.random(size)), VOCABULARY - 1)]
            lines = (" ".join(drawn[at : at + SENTENCE]) for at in range(0, size, SENTENCE))
            file.write("\n".join(lines) + "\n")


def _word(rank: int) -> str:
    """A word for a rank: short for frequent ones."""
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


def measure(work: str, corpus: Path, out: Path) -> dict[str, float]:
    """CPU seconds, wall seconds and peak megabytes of a work in its own process."""
    body = "\n".join(line.strip() if not line.startswith(" " * 8) else line[8:] for line in WORKS[work].splitlines())
    program = f"CORPUS, OUT = {str(corpus)!r}, {str(out)!r}\n{body}"
    watcher = (
        "import json, resource, subprocess, sys, time\n"
        "start = time.perf_counter()\n"
        "done = subprocess.run([sys.executable, '-c', sys.stdin.read()], stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps({'cpu': used.ru_utime + used.ru_stime, 'wall': time.perf_counter() - start,\n"
        "                  'mb': used.ru_maxrss / 1024, 'code': done.returncode}))\n"
    )
    done = subprocess.run([sys.executable, "-c", watcher], input=program, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    if found["code"]:
        raise RuntimeError(f"{work} failed: {done.stderr}")
    return found


def best(works: tuple[str, ...], corpus: Path, out: Path, rounds: int) -> dict[str, dict[str, float]]:
    """The best of several rounds, works taking turns."""
    runs = [{work: measure(work, corpus, out) for work in works} for _ in range(rounds)]
    return {work: {key: min(run[work][key] for run in runs) for key in ("cpu", "wall", "mb")} for work in works}


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        big, small = out / "big.txt", out / "small.txt"
        write_corpus(big, TOKENS)
        write_corpus(small, PEER_TOKENS)
        return [*_against_the_floor(big, out), *_against_peers(small, out)]


def _against_the_floor(corpus: Path, out: Path) -> list[Row]:
    ours, floor = "concurrence, scored", "polars: split and number"
    measure("concurrence", corpus, out)  # compiled code is cached from here on
    found = best((ours, floor), corpus, out, rounds=2)
    work = f"{TOKENS:,} tokens, window-pairs:5, f >= 3, scored"
    return [
        Row(
            area="counting",
            work=work,
            quantity="CPU s",
            ours=found[ours]["cpu"],
            peer=floor,
            against=found[floor]["cpu"],
            limit=3,
        ),
        Row(area="counting", work=work, quantity="MB", ours=found[ours]["mb"], peer="1.2 GB", against=1200, limit=1),
        Row(
            area="counting",
            work=f"{work}: cores used",
            quantity="CPU s / wall s",
            ours=found[ours]["cpu"],
            peer="wall",
            against=found[ours]["wall"],
        ),
    ]


def _against_peers(corpus: Path, out: Path) -> list[Row]:
    pairs = (
        ("concurrence, scored", "nltk", 20.0),
        ("concurrence, adjacent", "gensim", None),
        ("concurrence, adjacent", "scikit-learn", None),
    )
    rows = []
    for ours, peer, factor in pairs:
        found = best((ours, peer), corpus, out, rounds=1)
        limit = None if factor is None else 1 / factor
        rows += [
            Row(
                area="counting",
                work=f"{PEER_TOKENS:,} tokens against {peer}",
                quantity="CPU s",
                peer=peer,
                ours=found[ours]["cpu"],
                against=found[peer]["cpu"],
                limit=limit,
            ),
            Row(
                area="counting",
                work=f"{PEER_TOKENS:,} tokens against {peer}",
                quantity="MB",
                peer=peer,
                ours=found[ours]["mb"],
                against=found[peer]["mb"],
            ),
        ]
    return rows
