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
from benchmarks.scale import measured

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
    found: dict[int, dict[str, dict[str, float]]] = {}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            found[size] = _at(size, Path(folder))
        rows += _rows(size, found[size])
    return [*rows, *_growth(found), *_beside_nltk(found[min(SIZES)], min(SIZES))]


def node_of(size: int, occurrences: int) -> str:
    """The word that should occur about so often in a corpus of this size."""
    return word_of_rank(int(np.argmin(np.abs(word_shares() * size - occurrences))))


def _at(size: int, out: Path) -> dict[str, dict[str, float]]:
    """CPU seconds and megabytes of every work; questions are asked several times, and the first does not count."""
    corpus, index, node = out / "corpus.txt", out / "index", node_of(size, OCCURRENCES)
    write_corpus(corpus, size)
    found = {"pairs": measured("pairs", corpus, "--rule", "adjacent", "--min-freq", 3, "-o", out / "pairs.parquet")}
    found["index"] = measured("index", corpus, "-o", index)
    asked = {
        "version": ("--version",),
        "kwic": ("kwic", index, node, "--lines", 50),
        "kwic, a pattern": ("kwic", index, f'[word="{node}"] []{{0,3}} [word="t.*"]', "--lines", 50),
        "collocates": ("collocates", index, node, "--top", 50),
    }
    for name, line in asked.items():
        found[name] = _best(*line)
    found["kwic, reading anew"] = measured("kwic", corpus, node, "--lines", 50)
    found["collocates, reading anew"] = measured("collocates", corpus, node, "--top", 50)
    found["node"] = {"frequency": _frequency(index, node)}
    return found


def _best(*line: object) -> dict[str, float]:
    measured(*line)
    runs = [measured(*line) for _ in range(ROUNDS)]
    return {key: min(run[key] for run in runs) for key in ("cpu", "mb")}


def _frequency(index: Path, node: str) -> float:
    line = [sys.executable, "-m", "concurrence", "collocates", str(index), node, "--top", "1", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["node"]["frequency"])


def _rows(size: int, found: dict[str, dict[str, float]]) -> list[Row]:
    tokens, times = f"{size:,} tokens", f"{found['node']['frequency']:,.0f} occurrences"
    start = found["version"]["cpu"]
    rows = [
        _row(f"index, {tokens}", "CPU s", found["index"]["cpu"], "pairs --rule adjacent", found["pairs"]["cpu"], 3),
        _row(f"index, {tokens}", "MB", found["index"]["mb"], "2 GB", MEMORY, 1),
    ]
    for name, seconds in (("kwic", 0.5), ("kwic, a pattern", 0.5), ("collocates", 1.0)):
        cost = max(found[name]["cpu"] - start, 1e-3)
        work = f"{name}, {tokens}, {times}"
        rows.append(_row(work, "CPU s", cost, f"{seconds:g} s", seconds, 1, size=size if name != "kwic" else None))
        rows.append(_row(work, "MB", found[name]["mb"], "2 GB", MEMORY))
        if anew := found.get(f"{name}, reading anew"):
            rows.append(_row(work, "CPU s", cost, "reading anew", anew["cpu"] - start))
    return rows


def _growth(found: dict[int, dict[str, dict[str, float]]]) -> list[Row]:
    """What a token costs in an index, and a question, in the largest corpus against the smallest."""
    first, last = min(found), max(found)
    if first == last:
        return []
    peer = f"at {first:,}"
    per = {size: found[size]["index"]["cpu"] / size * 1e6 for size in (first, last)}
    rows = [_row(f"index: microseconds per token at {last:,}", "CPU µs", per[last], peer, per[first], 1.5)]
    for name in ("kwic", "collocates"):
        work = f"{name}, as many occurrences, at {last:,} tokens"
        rows.append(_row(work, "CPU s", found[last][name]["cpu"], peer, found[first][name]["cpu"]))
    return rows


def _beside_nltk(found: dict[str, dict[str, float]], size: int) -> list[Row]:
    if not peer_installed("lookup", "nltk"):
        return []
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.txt"
        write_corpus(corpus, PEER_TOKENS)
        theirs = measured(corpus, node_of(PEER_TOKENS, 1000), program=NLTK_WORK)
    start, note = found["version"]["cpu"], f"({size:,} tokens; the peer {PEER_TOKENS:,})"
    per_token = (found["index"]["cpu"] / size * 1e6, theirs["cpu"] / PEER_TOKENS * 1e6)
    memory = (found["index"]["mb"] / size * 1e6, theirs["mb"] / PEER_TOKENS * 1e6)
    return [
        _row(f"index: microseconds per token {note}", "CPU µs", per_token[0], NLTK, per_token[1]),
        _row(f"index: bytes of memory per token {note}", "MB per million", memory[0], NLTK, memory[1]),
        _row(f"kwic from a new process {note}", "CPU s", max(found["kwic"]["cpu"] - start, 1e-3), NLTK, theirs["cpu"]),
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
