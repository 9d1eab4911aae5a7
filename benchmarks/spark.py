"""Counting on Spark against the local engine: processor time of all its processes, start-up taken off, and rows.

Both engines run as commands with default settings, on the Zipf text of ``benchmarks/counting.py``. The start-up of
each, which a corpus of a thousand tokens shows, is subtracted. The killed worker is that of
``tests/faults/test_spark_cluster.py``: a standalone cluster of processes whose rows must be those of the local engine.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
import psutil

from benchmarks.counting import write_corpus
from benchmarks.rows import Row, leave_out, peer_installed

SIZES = (10_000_000, 40_000_000)
START = 1_000
KILL = True
QUICK = {"SIZES": (), "KILL": False}
RULE = ("--rule", "window-pairs:5", "--min-freq", "3")
LIMIT = 6.0
SECONDS_BETWEEN_LOOKS = 0.05
ROOT = Path(__file__).parents[1]
ENGINES = ("local", "spark")


def run() -> list[Row]:
    """Measure both engines at each size; the corpora are gone afterwards."""
    if not peer_installed("spark", "pyspark"):
        return []
    if shutil.which("java") is None:
        leave_out("spark", "Java")
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        costs = {(size, engine): _measure(folder, size, engine) for size in (START, *SIZES) for engine in ENGINES}
        start = [costs[START, engine][0] for engine in ("spark", "local")]
        rows = [_row("start-up of Spark", "CPU s", start[0], "the local engine", start[1])]
        rows += [row for size in SIZES for row in _rows(costs, size)]
        equal = [_same_rows(folder, size) for size in SIZES]
    return [*rows, *equal, *([_killed_worker()] if KILL else [])]


def _rows(costs: dict[tuple[int, str], tuple[float, float]], size: int) -> list[Row]:
    ours, local = (costs[size, engine][0] - costs[START, engine][0] for engine in ("spark", "local"))
    work = f"{size:,} tokens, window-pairs:5, f >= 3, Spark"
    return [
        _row(f"{work}, start-up taken off", "CPU s", ours, "the local engine", local, LIMIT),
        _row(f"{work}, all processes", "MB", costs[size, "spark"][1], "the local engine", costs[size, "local"][1]),
    ]


def _row(work: str, quantity: str, ours: float, peer: str, against: float, limit: float | None = None) -> Row:
    return Row(area="spark", work=work, quantity=quantity, ours=ours, peer=peer, against=against, limit=limit)


def _measure(folder: Path, size: int, engine: str) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a command with all its processes."""
    corpus = folder / f"{size}.txt"
    if not corpus.exists():
        write_corpus(corpus, size)
    output = folder / f"{engine}-{size}.parquet"
    command = [sys.executable, "-m", "concurrence", "pairs", str(corpus), *RULE, "--engine", engine, "-o", str(output)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        cpu, megabytes = watch(process)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed")
    return cpu, megabytes


def watch(process: "subprocess.Popen[bytes]") -> tuple[float, float]:
    """Processor seconds of a process and of all that it starts, as last seen of each, and their peak memory."""
    seconds: dict[tuple[int, float], float] = {}
    peak = 0
    while process.poll() is None:
        memory = 0
        for child in _family(process.pid):
            try:
                times = child.cpu_times()
                seconds[child.pid, child.create_time()] = times.user + times.system
                memory += child.memory_info().rss
            except psutil.Error:
                continue
        peak = max(peak, memory)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return sum(seconds.values()), peak / 1e6


def _family(pid: int) -> list[psutil.Process]:
    try:
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    except psutil.Error:
        return []


def _same_rows(folder: Path, size: int) -> Row:
    local, spark = (pl.read_parquet(folder / f"{engine}-{size}.parquet") for engine in ENGINES)
    equal = len(local) if local.equals(spark) else 0
    return Row(
        area="spark",
        work=f"{size:,} tokens, equal rows in equal order",
        quantity="rows",
        ours=equal,
        peer="the local engine",
        against=len(local),
        limit=1,
        limit_is="at least",
    )


def _killed_worker() -> Row:
    """Whether the rows are the same where one of two workers is killed in the middle."""
    test = ROOT / "tests" / "faults" / "test_spark_cluster.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test), "-k", "killed"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = process.returncode == 0 and "1 passed" in process.stdout
    return Row(
        area="spark",
        work="one of two workers killed in the middle: equal rows",
        quantity="runs",
        ours=int(passed),
        peer="all",
        against=1,
        limit=1,
        limit_is="at least",
    )
