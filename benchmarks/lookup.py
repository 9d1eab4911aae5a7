"""Questions about a word: making an index, collocates, concordances, beside reading anew and beside NLTK.

Every command runs in a process of its own. What a question costs is the processor time of the whole process less that
of ``concur --version``, the second time it is asked. NLTK keeps no index on disk, so that its cost is that of reading
and making one, per token of a smaller corpus. The corpora are made here and are gone afterwards.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.counting import word_of_rank, word_shares, write_corpus
from benchmarks.rows import Row, peer_installed
from benchmarks.scale import measure_command

SIZES = (20_000_000, 120_000_000)
PEER_TOKENS = 1_000_000
OCCURRENCES = 20_000
ROUNDS = 3
QUICK = {"SIZES": (20_000,), "PEER_TOKENS": 2_000, "OCCURRENCES": 100, "ROUNDS": 1}
MEMORY = 2000.0
NLTK = "NLTK's ConcordanceIndex"
NLTK_WORK = """
    import sys
    from nltk.text import ConcordanceIndex
    code = 0
    with open(ARGUMENTS[0]) as lines:
        index = ConcordanceIndex([word for line in lines for word in line.split()])
    print(len(index.find_concordance(ARGUMENTS[1])[:50]))
"""


def run() -> list[Row]:
    """All sizes, how the costs grow, and the peer."""
    rows: list[Row] = []
    costs: dict[int, dict[str, dict[str, float]]] = {}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            costs[size] = _measure_size(size, Path(folder))
        rows += _rows(size, costs[size])
    return [*rows, *_growth(costs), *_beside_nltk(costs[min(SIZES)], min(SIZES))]


def node_of(size: int, occurrences: int) -> str:
    """The word that should occur about so often in a corpus of this size."""
    return word_of_rank(int(np.argmin(np.abs(word_shares() * size - occurrences))))


def _measure_size(size: int, out: Path) -> dict[str, dict[str, float]]:
    """CPU seconds and megabytes of every work; questions are asked several times, and the first does not count."""
    corpus, index, node = out / "corpus.txt", out / "index", node_of(size, OCCURRENCES)
    write_corpus(corpus, size)
    costs = {
        "pairs": measure_command("pairs", corpus, "--rule", "adjacent", "--min-freq", 3, "-o", out / "pairs.parquet")
    }
    costs["index"] = measure_command("index", corpus, "-o", index)
    commands = {
        "version": ("--version",),
        "kwic": ("kwic", index, node, "--lines", 50),
        "kwic, a pattern": ("kwic", index, f'[word="{node}"] []{{0,3}} [word="t.*"]', "--lines", 50),
        "collocates": ("collocates", index, node, "--top", 50),
    }
    for name, line in commands.items():
        costs[name] = _best(*line)
    costs["kwic, reading anew"] = measure_command("kwic", corpus, node, "--lines", 50)
    costs["collocates, reading anew"] = measure_command("collocates", corpus, node, "--top", 50)
    costs["node"] = {"frequency": _frequency(index, node)}
    return costs


def _best(*line: object) -> dict[str, float]:
    measure_command(*line)
    runs = [measure_command(*line) for _ in range(ROUNDS)]
    return {key: min(cost[key] for cost in runs) for key in ("cpu", "mb")}


def _frequency(index: Path, node: str) -> float:
    line = [sys.executable, "-m", "concurrence", "collocates", str(index), node, "--top", "1", "--json"]
    process = subprocess.run(line, capture_output=True, text=True, check=True)
    return float(json.loads(process.stdout)["node"]["frequency"])


def _rows(size: int, costs: dict[str, dict[str, float]]) -> list[Row]:
    tokens, times = f"{size:,} tokens", f"{costs['node']['frequency']:,.0f} occurrences"
    start = costs["version"]["cpu"]
    rows = [
        _row(f"index, {tokens}", "CPU s", costs["index"]["cpu"], "pairs --rule adjacent", costs["pairs"]["cpu"], 3),
        _row(f"index, {tokens}", "MB", costs["index"]["mb"], "2 GB", MEMORY, 1),
    ]
    for name, seconds in (("kwic", 0.5), ("kwic, a pattern", 0.5), ("collocates", 1.0)):
        cost = max(costs[name]["cpu"] - start, 1e-3)
        work = f"{name}, {tokens}, {times}"
        rows.append(_row(work, "CPU s", cost, f"{seconds:g} s", seconds, 1, size=size if name != "kwic" else None))
        rows.append(_row(work, "MB", costs[name]["mb"], "2 GB", MEMORY))
        if anew := costs.get(f"{name}, reading anew"):
            rows.append(_row(work, "CPU s", cost, "reading anew", anew["cpu"] - start))
    return rows


def _growth(costs: dict[int, dict[str, dict[str, float]]]) -> list[Row]:
    """What a token costs in an index, and a question, in the largest corpus against the smallest."""
    first, last = min(costs), max(costs)
    if first == last:
        return []
    peer = f"at {first:,}"
    per = {size: costs[size]["index"]["cpu"] / size * 1e6 for size in (first, last)}
    rows = [_row(f"index: microseconds per token at {last:,}", "CPU µs", per[last], peer, per[first], 1.5)]
    for name in ("kwic", "collocates"):
        work = f"{name}, as many occurrences, at {last:,} tokens"
        rows.append(_row(work, "CPU s", costs[last][name]["cpu"], peer, costs[first][name]["cpu"]))
    return rows


def _beside_nltk(costs: dict[str, dict[str, float]], size: int) -> list[Row]:
    if not peer_installed("lookup", "nltk"):
        return []
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        write_corpus(corpus, PEER_TOKENS)
        theirs = measure_command(corpus, node_of(PEER_TOKENS, 1000), program=NLTK_WORK)
    start, note = costs["version"]["cpu"], f"({size:,} tokens; the peer {PEER_TOKENS:,})"
    per_token = (costs["index"]["cpu"] / size * 1e6, theirs["cpu"] / PEER_TOKENS * 1e6)
    memory = (costs["index"]["mb"] / size * 1e6, theirs["mb"] / PEER_TOKENS * 1e6)
    return [
        _row(f"index: microseconds per token {note}", "CPU µs", per_token[0], NLTK, per_token[1]),
        _row(f"index: bytes of memory per token {note}", "MB per million", memory[0], NLTK, memory[1]),
        _row(f"kwic from a new process {note}", "CPU s", max(costs["kwic"]["cpu"] - start, 1e-3), NLTK, theirs["cpu"]),
    ]


def _row(
    work: str,
    quantity: str,
    ours: float,
    peer: str,
    against: float,
    limit: float | None = None,
    size: int | None = None,
) -> Row:
    return Row(
        area="lookup",
        work=work,
        quantity=quantity,
        ours=ours,
        peer=peer,
        against=against,
        limit=limit,
        size=size,
        unit="tokens" if size else "",
    )
