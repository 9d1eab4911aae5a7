"""The explorer: processor time on the server for every act, at 120 million tokens and 10 million candidates.

One act of each kind goes before, so that what is imported once does not count; what the explorer remembers of a node
helps only where a person would be helped as well. The data are made here and are gone afterwards.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl

from benchmarks.counting import write_corpus
from benchmarks.lookup import node_of
from benchmarks.rows import Row

TOKENS, PARSED, CANDIDATES = 120_000_000, 10_000_000, 10_000_000
OCCURRENCES = (2_000, 20_000, 200_000, 5_000_000)
SIZES = (1_000, 100_000, 1_000_000)
JUDGED = 2_000
WORDS, RANKS = 50_000, (4_000, 400, 40, 0)
QUICK = {
    "TOKENS": 20_000,
    "PARSED": 4_000,
    "CANDIDATES": 3_000,
    "OCCURRENCES": (200, 500),
    "SIZES": (1_000,),
    "WORDS": 50,
    "RANKS": (0,),
}
PROMISED = 0.3  # seconds


def run() -> list[Row]:
    """The acts on a corpus, then sketches, then the acts on a list."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _word_rows(Path(folder), TOKENS)
    with tempfile.TemporaryDirectory() as folder:
        rows += _sketch_rows(Path(folder), PARSED)
    with tempfile.TemporaryDirectory() as folder:
        return [*rows, *_list_rows(Path(folder), CANDIDATES)]


def _client(*paths: Path, gold: tuple[Path, ...] = ()) -> Any:
    from starlette.testclient import TestClient

    from concurrence.web.explorer.app import create_explorer
    from concurrence.web.explorer.sources import open_sources

    return TestClient(create_explorer(open_sources(paths, gold=gold)), base_url="http://127.0.0.1")


def _seconds(client: Any, path: str, parameters: dict[str, Any]) -> float:
    start = process_time()
    client.get(f"/api/{path}", params=parameters).raise_for_status()
    return process_time() - start


def _row(work: str, seconds: float, limit: float | None = 1.0) -> Row:
    return Row(
        area="explore",
        work=work,
        quantity="CPU s",
        ours=seconds,
        peer=f"{PROMISED:g} s",
        against=PROMISED,
        limit=limit,
    )


def _word_rows(folder: Path, tokens: int) -> list[Row]:
    corpus, index = folder / "corpus.txt", folder / "index"
    write_corpus(corpus, tokens)
    subprocess.run([sys.executable, "-m", "concurrence", "index", corpus, "-o", index], check=True, capture_output=True)
    client = _client(index)
    for path in ("collocates", "lines", "spread"):
        _seconds(client, path, {"q": node_of(tokens, 500), "order": "left"})
    rows = []
    for occurrences in OCCURRENCES:
        node = node_of(tokens, min(occurrences, tokens // 20))
        size = f"{tokens:,} tokens, a word that occurs about {occurrences:,} times"
        rows.append(_row(f"collocates, {size}", _seconds(client, "collocates", {"q": node})))
        collocates = client.get("/api/collocates", params={"q": node}).json()["collocates"]
        word = collocates[0]["word"] if collocates else node
        acts: dict[str, tuple[str, dict[str, Any]]] = {
            "sorted by another column": ("collocates", {"q": node, "sort": "MI"}),
            "lines": ("lines", {"q": node}),
            "lines sorted": ("lines", {"q": node, "order": "right"}),
            "lines of a collocate": ("lines", {"q": node, "word": word}),
            "strip and documents": ("spread", {"q": node}),
        }
        rows += [_row(f"{name}, {size}", _seconds(client, *act)) for name, act in acts.items()]
    frequent = node_of(tokens, tokens // 24)
    pattern = f'[word="{frequent}"] []{{0,3}} [word="t.*"]'
    return [*rows, _row(f"collocates of a pattern, {tokens:,} tokens", _seconds(client, "collocates", {"q": pattern}))]


def write_parsed(path: Path, tokens: int, *, length: int = 20) -> None:
    """Sentences of one length with random dependencies, in CoNLL-U."""
    rng = np.random.default_rng(0)
    tags, labels = ["NOUN", "VERB", "ADJ", "DET", "ADP"], ["nsubj", "obj", "amod", "det", "case", "obl"]
    place = np.tile(np.arange(1, length + 1), tokens // length)
    share = 1 / np.arange(1, WORDS + 1)
    word = rng.choice(WORDS, len(place), p=share / share.sum())
    head = rng.integers(0, length + 1, len(place))
    head = np.where(head == place, 0, head)
    text = pl.Series([f"w{k}" for k in range(WORDS)]).gather(word)
    label = pl.Series([*labels, "root"]).gather(
        np.where(head == 0, len(labels), rng.integers(0, len(labels), len(place)))
    )
    columns = [pl.Series(place), text, text, pl.Series(tags).gather(word % len(tags)), pl.Series(head), label]
    table = pl.DataFrame({str(k): column for k, column in enumerate(columns)})
    end = pl.Series(np.where(place == length, "\n", "").tolist())
    line = pl.format("{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_{}", *table.columns, end)
    table.select(line).write_csv(path, include_header=False, quote_style="never")


def _sketch_rows(folder: Path, tokens: int) -> list[Row]:
    """Sketches: what they cost grows with the node's occurrences, not with the corpus, after the first of a corpus."""
    corpus, index = folder / "corpus.conllu", folder / "index"
    write_parsed(corpus, tokens)
    subprocess.run([sys.executable, "-m", "concurrence", "index", corpus, "-o", index], check=True, capture_output=True)
    client = _client(index)
    rows = [
        _row(f"first sketch, {tokens:,} parsed tokens", _seconds(client, "sketch", {"q": f"w{WORDS - 1}"}), limit=None)
    ]
    for rank in RANKS:
        frequency = client.get("/api/collocates", params={"q": f"w{rank}"}).json()["node"]["frequency"]
        limit = 1.0 if frequency <= OCCURRENCES[1] * 2 else None
        work = f"sketch, {tokens:,} parsed tokens, a word that occurs {frequency:,} times"
        rows.append(_row(work, _seconds(client, "sketch", {"q": f"w{rank}"}), limit=limit))
    return rows


def make_list(folder: Path, size: int) -> tuple[Path, Path]:
    """Candidates with three measures, of which one has many ties, and judgements of some."""
    rng = np.random.default_rng(0)
    words = pl.Series([f"w{k:05d}" for k in range(50_000)])
    places = np.arange(size)
    quality = rng.normal(size=size)
    table = pl.DataFrame(
        {
            "l1": words.gather(places % 50_000),
            "l2": words.gather(places // 50_000),
            "f": rng.zipf(1.7, size).clip(1, 10**6),
            "log_likelihood": quality + rng.normal(size=size),
            "MI": np.round(5 + 3 * quality + rng.normal(size=size), 2),
            "dice": np.round(rng.random(size), 3),
        }
    )
    table.write_parquet(folder / "scored.parquet")
    rows_judged = np.sort(rng.choice(size, min(JUDGED, size), replace=False))
    gold = (
        table[rows_judged].select("l1", "l2").with_columns(pl.Series("tp", (quality[rows_judged] > 1).astype(np.int64)))
    )
    gold.write_csv(folder / "gold.csv")
    return folder / "scored.parquet", folder / "gold.csv"


def _list_rows(folder: Path, size: int) -> list[Row]:
    scored, gold = make_list(folder, size)
    start = process_time()
    client = _client(scored, gold=(gold,))
    rows = [_row(f"start, {size:,} candidates with judgements", process_time() - start, limit=None)]
    for path in ("rows", "ties"):
        _seconds(client, path, {"measure": "MI", "n": 10})
    rows.append(_row(f"precision graph, {size:,} candidates", _seconds(client, "evaluation", {})))
    for n in (n for n in SIZES if n <= size):
        acts: dict[str, tuple[str, dict[str, Any]]] = {
            "list": ("rows", {"measure": "MI", "n": n}),
            "not judged": ("rows", {"measure": "dice", "n": n, "only": "unjudged"}),
            "a word in the list": ("rows", {"measure": "MI", "n": n, "find": "w0123"}),
            "scatter": ("points", {"measure": "MI", "n": n}),
            "difference set": ("difference", {"a": "MI", "b": "dice", "n": n}),
            "ties": ("ties", {"measure": "dice", "n": n}),
        }
        of = f"{size:,} candidates, n = {n:,}"
        rows += [_row(f"{name}, {of}", _seconds(client, *act)) for name, act in acts.items()]
    seconds = min(
        _seconds(client, "sample.parquet", {"measure": "MI", "n": n, "size": 100}) for n in SIZES if n <= size
    )
    return [*rows, _row(f"drawing a sample to judge, {size:,} candidates", seconds)]
