"""Long lists: scoring, sampling and evaluating millions of candidates, against reading and one sort of each measure.

Every command runs in a process of its own. Its memory is the peak that the system tells of that process
(``VmHWM``), its time all that its threads used. Corpus and tables are made here and are gone afterwards.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import dedent

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from benchmarks.counting import write_corpus
from benchmarks.rows import Row, run_in_process

SIZES = (1_000_000, 3_000_000, 10_000_000)
LONGEST = 100_000_000
TOKENS = 120_000_000
PARTS_TOKENS = 10_000_000
JUDGED = 1000
BEST = ("500", "2000")
IN_PROCESS = False
QUICK = {
    "SIZES": (3_000,),
    "LONGEST": 6_000,
    "TOKENS": 20_000,
    "PARTS_TOKENS": 10_000,
    "JUDGED": 50,
    "BEST": ("50", "200"),
    "IN_PROCESS": True,
}
MEASURES = ("log_likelihood", "t_score", "MI", "dice", "chi_squared", "frequency")
NAMES = ",".join(MEASURES)
MEMORY = 3000.0
MEMORY_OF_SCORE = 1500.0
DIFFERENCE = "sample of difference sets"
FLOOR = "reading the scores and one sort of each"

AT_THE_END = """
    import json, resource
    used = resource.getrusage(resource.RUSAGE_SELF)
    with open("/proc/self/status") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    print("\\n" + json.dumps({"cpu": used.ru_utime + used.ru_stime, "mb": peak / 1024, "code": code}), file=sys.stderr)
"""
COMMAND = """
    import sys
    from concurrence.cli.app import main
    code = 0
    try:
        main(ARGUMENTS)
    except SystemExit as stopped:
        code = stopped.code or 0
"""
SORTS = """
    import sys
    import numpy as np
    import polars as pl
    code, table = 0, pl.read_parquet(ARGUMENTS[0], columns=ARGUMENTS[1:])
    for name in table.columns:
        np.argsort(table[name].cast(pl.Float64).to_numpy(), kind="stable")
"""


def run() -> list[Row]:
    """The list sizes, the longest list, a whole corpus from end to end, and a corpus in parts."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        return [*_lists(out), *_longest(out), *_end_to_end(out), *_parts(out)]


COMPILED = {name: entry for name, entry in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, as they are where the program was installed."""


def measure_command(*arguments: object, program: str = COMMAND) -> dict[str, float]:
    """CPU seconds and peak megabytes of a command, or of another program, in its own process."""
    words = [str(argument) for argument in arguments]
    if IN_PROCESS:
        return run_in_process(program, ARGUMENTS=words)
    text = f"ARGUMENTS = {words!r}\n{dedent(program)}{dedent(AT_THE_END)}"
    process = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, env=COMPILED)
    cost: dict[str, float] = json.loads(process.stderr.strip().splitlines()[-1])
    if cost["code"]:
        raise RuntimeError(f"{words} failed: {process.stderr}")
    return cost


def _lists(out: Path) -> list[Row]:
    """Each command at each size against the floor, and how both grow."""
    rows, costs = [], {}
    for size in SIZES:
        costs[size] = _measure_size(size, out)
        for command, ours in costs[size].items():
            floor = costs[size]["floor"]
            if command in ("sample", DIFFERENCE, "evaluate"):
                work = f"{command}, {size:,} candidates, {len(MEASURES)} measures"
                promised = 3 if size == SIZES[-1] else None  # a short list takes mostly what starting takes
                rows.append(_row(work, "CPU s", ours["cpu"], FLOOR, floor["cpu"], limit=promised, size=size))
                rows.append(_row(work, "MB", ours["mb"], "3 GB", MEMORY, limit=1, size=size))
    first, last = SIZES[0], SIZES[-1]
    for command in ("sample", DIFFERENCE, "evaluate", "score"):
        per = {size: costs[size][command]["cpu"] / size * 1e6 for size in (first, last)}
        work = f"{command}: microseconds per candidate at {last:,}"
        rows.append(_row(work, "CPU µs", per[last], f"at {first:,}", per[first], limit=1.5))
    score = {size: costs[size]["score"]["mb"] for size in SIZES}
    before = SIZES[-2:][0]
    peer = f"at {before:,}"
    return [*rows, _row(f"score: peak at {last:,} pairs", "MB", score[last], peer, score[before], limit=1.25)]


def _measure_size(size: int, out: Path) -> dict[str, dict[str, float]]:
    pairs, scored = out / "made.parquet", out / "scored.parquet"
    make_pairs(size).write_parquet(pairs, row_group_size=1 << 18)
    costs = {"score": measure_command("score", pairs, "-m", NAMES, "-o", scored)}
    costs["floor"] = measure_command(scored, *MEASURES, program=SORTS)
    pair = ("--design", "difference", "--between", ",".join(MEASURES[:2]), "--best", BEST[-1])
    costs[DIFFERENCE] = measure_command("sample", scored, *pair, "-o", out / "difference.csv")
    return {**costs, **_measure_sample_and_evaluation(scored, out, ("--design", "union", "--best", ",".join(BEST)))}


def _longest(out: Path) -> list[Row]:
    """Scores of more pairs than would fit into memory as a table."""
    pairs, scored, piece = out / "longest.parquet", out / "longest-scored.parquet", SIZES[-1]
    with ExitStack() as open_files:
        writer = None
        for seed in range(LONGEST // piece):
            table = make_pairs(piece, seed=seed).with_columns(l1=pl.col("l1") + f"/{seed}").to_arrow()
            writer = writer or open_files.enter_context(pq.ParquetWriter(pairs, table.schema))
            writer.write_table(table, row_group_size=1 << 18)
    cost = measure_command("score", pairs, "-m", NAMES, "-o", scored)
    for file in (pairs, scored):
        file.unlink()
    work = f"score, {LONGEST:,} pairs, {len(MEASURES)} measures"
    return [_row(work, "MB", cost["mb"], "1.5 GB", MEMORY_OF_SCORE, limit=1, size=LONGEST)]


def _measure_sample_and_evaluation(scored: Path, out: Path, design: Sequence[str]) -> dict[str, dict[str, float]]:
    """A sample by a design, and the evaluation of a simple one, judged at random."""
    simple, gold = out / "simple.csv", out / "gold.csv"
    of = ("--size", JUDGED, "-m", NAMES)
    costs = {"sample": measure_command("sample", scored, *of, *design, "-o", out / "sample.csv")}
    measure_command("sample", scored, "--size", JUDGED, "-o", simple)
    pairs = pl.read_csv(simple, infer_schema=False).select("l1", "l2")
    verdicts = np.random.default_rng(5).integers(0, 2, len(pairs))
    pairs.with_columns(tp=pl.Series(verdicts)).write_csv(gold)
    options = ("--sample", simple, "--gold", gold, "-m", NAMES, "-o", out / "curves.csv")
    return {**costs, "evaluate": measure_command("evaluate", scored, *options)}


def _end_to_end(out: Path) -> list[Row]:
    """From text to an evaluation, command by command."""
    corpus, pairs, scored = out / "corpus.txt", out / "pairs.parquet", out / "corpus-scored.parquet"
    write_corpus(corpus, TOKENS)
    costs = {"pairs": measure_command("pairs", corpus, "--rule", "window-pairs:5", "--min-freq", 5, "-o", pairs)}
    costs["score"] = measure_command("score", pairs, "-m", NAMES, "-o", scored)
    floor = measure_command(scored, *MEASURES, program=SORTS)["cpu"]
    costs |= _measure_sample_and_evaluation(scored, out, ("--design", "union", "--best", ",".join(BEST)))
    size = pl.scan_parquet(pairs).select(pl.len()).collect().item()
    rows = []
    for command, ours in costs.items():
        work = f"{TOKENS:,} tokens, {size:,} pairs: {command}"
        rows.append(_row(work, "CPU s", ours["cpu"], FLOOR, floor))
        rows.append(_row(work, "MB", ours["mb"], "3 GB", MEMORY, limit=1))
    return rows


def _parts(out: Path) -> list[Row]:
    """Two halves counted and merged against the whole, and whether the rows are the same."""
    halves, rule = [out / f"half{number}.txt" for number in (1, 2)], ("--rule", "window-pairs:5")
    for seed, half in enumerate(halves):
        write_corpus(half, PARTS_TOKENS // 2, seed=seed)
    whole_cost = measure_command("pairs", *halves, *rule, "--min-freq", 3, "-o", out / "whole.parquet")
    parts = [out / f"part{number}.parquet" for number in (1, 2)]
    costs = [
        measure_command("pairs", half, *rule, "--partial", "-o", part) for half, part in zip(halves, parts, strict=True)
    ]
    costs.append(measure_command("pairs", "--merge", *parts, "--min-freq", 3, "-o", out / "merged.parquet"))
    is_equal = pl.read_parquet(out / "whole.parquet").equals(pl.read_parquet(out / "merged.parquet"))
    work = f"{PARTS_TOKENS:,} tokens in two parts, merged"
    ours, peak = sum(cost["cpu"] for cost in costs), max(cost["mb"] for cost in costs)
    return [
        _row(f"{work}: rows as in one run", "rate", float(is_equal), "all", 1.0, limit=1, limit_is="at least"),
        _row(work, "CPU s", ours, "in one run", whole_cost["cpu"]),
        _row(work, "MB", peak, "in one run", whole_cost["mb"]),
    ]


def make_pairs(size: int, *, seed: int = 0) -> pl.DataFrame:
    """Pairs as a large corpus has them: Zipf margins, mostly rare, in no order."""
    rng = np.random.default_rng(seed)
    f1, f2 = (np.minimum(rng.zipf(1.3, size), 2_000_000) + rng.integers(0, 50, size) for _ in range(2))
    f = np.minimum(np.minimum(f1, f2), rng.zipf(1.6, size) + 2)
    words = 200_000
    keys = np.unique(rng.integers(0, words**2, int(size * 1.1)))
    keys = rng.permutation(keys)[:size]
    left, right = (pl.Series(part).cast(pl.String) for part in (keys // words, keys % words))
    columns = {"l1": "w" + left, "l2": "v" + right, "f": f, "f1": np.maximum(f, f1), "f2": np.maximum(f, f2)}
    return pl.DataFrame(columns).with_columns(N=pl.lit(100_000_000, dtype=pl.Int64))


def _row(
    work: str,
    quantity: str,
    ours: float,
    peer: str,
    against: float,
    *,
    limit: float | None = None,
    limit_is: str = "at most",
    size: int | None = None,
) -> Row:
    return Row(
        area="scale",
        work=work,
        quantity=quantity,
        ours=ours,
        peer=peer,
        against=against,
        limit=limit,
        limit_is=limit_is,
        size=size,
        unit="candidates" if size else "",
    )
