"""Reading and analysing 1.08 million labels of a sense-annotation crowd, against reading the bare table.

The last rows are the whole command, from the shell to the last byte of JSON.

The floor is ``polars.read_csv`` and one group-by of the same file: no check, no codes, no table.
"""

import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

from benchmarks.rows import Row, best_times
from benchmarks.scale import measure_command
from concurrence import agree, read_labels

N_LABELS, N_ITEMS, N_CODERS, N_GROUPS, N_CATEGORIES = 1_080_000, 44_682, 228, 45, 441
QUICK = {"N_LABELS": 2_000, "N_ITEMS": 200, "N_CODERS": 20, "N_GROUPS": 4, "N_CATEGORIES": 41}


def run() -> list[Row]:
    agree(read_labels(crowd().head(20_000)))  # imports and compilation are not on the clock
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        crowd().write_csv(path)
        works = {
            "read 1.08 M labels": (3, lambda: read_labels(path)),
            "read 1.08 M labels by word": (3, lambda: read_labels(path, by="word")),
            "read and analyse, no pairs": (3, lambda: agree(read_labels(path), pairs=False)),
            "read and analyse, with the pairs of 228 coders": (10, lambda: agree(read_labels(path))),
        }
        timed_works = [work for _, work in works.values()]
        *times, floor = best_times(*timed_works, lambda: pl.read_csv(path).group_by("item").len(), rounds=3)
        command_rows = _whole_command(path)
    peer = "polars.read_csv and a group-by"
    return [
        *(
            Row(area="reading", work=work, quantity="CPU s", ours=ours, peer=peer, against=floor, limit=limit)
            for (work, (limit, _)), ours in zip(works.items(), times, strict=True)
        ),
        *command_rows,
    ]


def _whole_command(path: Path) -> list[Row]:
    """From the shell to the last byte of JSON, starting Python included."""
    costs: list[dict[str, float]] = []
    seconds = best_times(lambda: costs.append(measure_command("agree", path, "--json")), rounds=5, clock=perf_counter)[
        0
    ]
    work, peak = "concur agree --json, all coefficients and pairs of 228 coders", max(cost["mb"] for cost in costs)
    return [
        Row(area="reading", work=work, quantity="wall s", ours=seconds, peer="promise", against=3, limit=1),
        Row(area="reading", work=work, quantity="MB", ours=peak, peer="promise", against=400, limit=1),
    ]


def crowd(seed: int = 0) -> pl.DataFrame:
    """Labels in a random order: each item has some 24 of 228 coders and a few senses of its word."""
    rng = np.random.default_rng(seed)
    cells = rng.choice(N_ITEMS * N_CODERS, N_LABELS, replace=False)
    item, coder = np.divmod(cells, N_CODERS)
    word = rng.integers(0, N_GROUPS, N_ITEMS)[item]
    sense = np.minimum(word * 10 + rng.geometric(0.3, N_LABELS), N_CATEGORIES) - 1
    columns = {"item": item, "coder": coder, "label": sense, "word": word}
    forms = {"item": "occurrence-{}", "coder": "worker_{}", "label": "sense.{}", "word": "word{}"}
    return pl.DataFrame(columns).select(pl.format(form, pl.col(name)).alias(name) for name, form in forms.items())
