"""Agreement on spans: the bootstrap of alpha_U at full size, memory, and pygamma-agreement."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from benchmarks.rows import LEFT_OUT, Row
from benchmarks.scale import measure_command
from concurrence.agreement.spans.analyse import analyse_spans
from concurrence.agreement.spans.options import SpansOptions
from concurrence.core.spans import Mark, Spans
from support.span_cases import simulated

AREA = "spans"
PEER = Path(__file__).parents[1] / ".venv-pygamma"
EXAMPLE = Path(__file__).parents[1] / "tests" / "published" / "data" / "pygamma_3by100.csv"
BOOTSTRAP = 1000
FULL = (100, 5, 50)
LARGE = 37_402  # documents of a corpus of which the whole command must fit a small machine
MEMORY = 500.0
ENVIRONMENTS = True  # make one for the peer where there is none
QUICK = {"BOOTSTRAP": 10, "FULL": (3, 2, 5), "LARGE": 20, "ENVIRONMENTS": False}


def run() -> list[Row]:
    return [full_size(), memory(), *pygamma()]


def full_size() -> Row:
    """All documents, coders and spans."""
    documents, coders, each = FULL
    spans = simulated(documents, np.random.default_rng(0), n_coders=coders, n_spans=each, length=20 * each)
    start = perf_counter()
    analyse_spans(spans, SpansOptions(coefficients=["alpha_u"], bootstrap=BOOTSTRAP))
    seconds = perf_counter() - start
    work = f"alpha_U with {BOOTSTRAP:,} bootstrap draws, {documents} documents x {coders} coders x {each} spans"
    return Row(area=AREA, work=work, quantity="wall s", ours=seconds, peer="promise", against=60.0, limit=1)


def memory() -> Row:
    """What the whole command takes beyond what loading the program takes, from the file to the last byte of JSON."""
    with TemporaryDirectory() as folder:
        large, small = Path(folder) / "large.csv", Path(folder) / "small.csv"
        for path, documents in ((large, LARGE), (small, 2)):
            simulated(documents, np.random.default_rng(0)).to_frame().write_csv(path)
        options = ("--length", 120, "--bootstrap", BOOTSTRAP, "--json")
        most, least = (measure_command("spans", path, *options)["mb"] for path in (large, small))
    work = (
        f"concur spans --json, {LARGE:,} documents x 2 coders x 8 spans, {BOOTSTRAP:,} draws, memory beyond 2 documents"
    )
    return Row(area=AREA, work=work, quantity="MB", ours=most - least, peer="promise", against=MEMORY, limit=1)


SCRIPT = """
import json, logging, sys, time
logging.disable(logging.CRITICAL)
from pathlib import Path
import numpy as np
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum, ShuffleContinuumSampler
continuum = Continuum.from_csv(Path(sys.argv[1]))
how = CombinedCategoricalDissimilarity(alpha=3, beta=1, delta_empty=1)
np.random.seed(0)
continuum.get_best_alignment(how)
start = time.process_time()
found = continuum.compute_gamma(how, n_samples=30, sampler=ShuffleContinuumSampler())
value = float(found.gamma)
print(json.dumps([time.process_time() - start, value]), file=sys.stderr)
"""


def pygamma() -> list[Row]:
    """Gamma of its own example data with 30 random samples; in an environment of its own, made on first use."""
    theirs = pygamma_result()
    if isinstance(theirs, str):
        LEFT_OUT.append(f"{AREA}: pygamma-agreement, {theirs}")
        return []
    spans, options = example(), SpansOptions(coefficients=["gamma"], bootstrap=0, samples=30, alpha=3)
    analyse_spans(
        spans, SpansOptions(coefficients=["gamma"], bootstrap=0, samples=2, alpha=3)
    )  # compile before the clock starts
    start = process_time()
    value = analyse_spans(spans, options)["gamma"].value
    seconds = process_time() - start
    work = "gamma of pygamma's 3by100.csv, 30 random samples"
    return [
        Row(
            area=AREA, work=work, quantity="CPU s", ours=seconds, peer="pygamma-agreement", against=theirs[0], limit=0.1
        ),
        Row(
            area=AREA,
            work=f"{work}, its value",
            quantity="gamma",
            ours=value,
            peer="pygamma-agreement",
            against=theirs[1],
        ),
    ]


def example() -> Spans:
    with EXAMPLE.open(encoding="utf-8") as file:
        rows = [
            Mark(document="d", coder=row["coder"], start=int(row["start"]), end=int(row["end"]), label=row["label"])
            for row in csv.DictReader(file)
        ]
    coders = sorted({row.coder for row in rows})
    return Spans.of(rows, lengths={"d": max(row.end for row in rows)}, coders=coders)


def pygamma_result() -> list[float] | str:
    """What pygamma takes and finds, or why it cannot be asked."""
    python = PEER / "bin" / "python"
    if not (PEER / ".ready").exists():
        if not ENVIRONMENTS:
            return "which has no environment yet"
        for command in (
            [sys.executable, "-m", "venv", str(PEER)],
            [str(python), "-m", "pip", "install", "-q", "pygamma-agreement"],
        ):
            process = subprocess.run(command, capture_output=True, text=True, check=False)
            if process.returncode:
                return f"its environment cannot be made ({(process.stderr.strip().splitlines() or ['no reason'])[-1]})"
        (PEER / ".ready").touch()
    with TemporaryDirectory() as folder:
        data = Path(folder) / "example.csv"
        data.write_text("".join(EXAMPLE.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
        process = subprocess.run(
            [str(python), "-W", "ignore", "-c", SCRIPT, str(data)], capture_output=True, text=True, check=False
        )
    if process.returncode:
        return f"it fails ({(process.stderr.strip().splitlines() or ['no reason'])[-1]})"
    result: list[float] = json.loads(process.stderr.strip().splitlines()[-1])
    return result
