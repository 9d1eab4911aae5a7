"""Sampling designs on the same budget: coverage, width and power on a simulated list of known truth.

``python -m benchmarks.designs [FILE] [REPLICATIONS]`` prints the table, or puts it between the marks in FILE.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.rows import Row
from concurrence.kernels.differences import difference_test
from concurrence.kernels.estimates import StratumCounts, interval
from concurrence.kernels.ranking import Ranking, rank_candidates
from concurrence.sampling.frame import Frame, make_frame
from support.simulated_lists import simulated_list

LIST_SIZES = (500, 1000, 2000)
BUDGET = 1465
QUALITIES = (1.5, 1.27)
SHARED = 0.85
REPLICATIONS = 2000
QUICK = {"REPLICATIONS": 3}
DESIGNS = {
    "simple": ("simple", "cells"),
    "union of the 2,000-best lists": ("union", "cells"),
    "strata: bands of best rank": ("strata", "bands"),
    "strata: cells of membership": ("strata", "cells"),
}
START, END = "<!-- table of designs: start -->", "<!-- table of designs: end -->"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a design did at one list size; means over both measures."""

    design: str
    n: int
    judged: float
    coverage: float
    width: float
    power: float
    baseline: bool


def candidates() -> tuple[np.ndarray, dict[str, Ranking]]:
    """A list like that of Evert & Krenn (2005): 14,654 candidates, 939 of them true, two measures."""
    truth, scores = simulated_list(QUALITIES, shared=SHARED, seed=0)
    words = [f"w{i:05}" for i in range(len(truth))]
    table = pl.DataFrame({"l1": words, "l2": words, "a": scores[0], "b": scores[1]})
    return truth, rank_candidates(table, ["a", "b"])


def sets_of_interest(rankings: dict[str, Ranking]) -> np.ndarray:
    """Both n-best lists, and both difference sets, for each n: (n, 4, candidates)."""
    first, second = (ranking.ranks for ranking in rankings.values())
    lists = [(first <= n, second <= n) for n in LIST_SIZES]
    return np.array([(a, b, a & ~b, b & ~a) for a, b in lists])


def simulate(frame: Frame, truth: np.ndarray, sets: np.ndarray, replications: int, *, seed: int = 0) -> StratumCounts:
    """Counts of every replication: (replication, n, 4 sets, strata)."""
    strata = [np.flatnonzero(frame.stratum == h) for h in range(len(frame.strata))]
    sampled = np.zeros((replications, *sets.shape[:2], len(strata)), dtype=np.int64)
    true = np.zeros_like(sampled)
    rng = np.random.default_rng(seed)
    for h, (members, number) in enumerate(zip(strata, frame.allocation(BUDGET), strict=True)):
        inside = sets[:, :, members].reshape(-1, len(members)).T.astype(np.float64)
        for i in range(replications):
            rows = rng.choice(len(members), number, replace=False)
            sampled[i, ..., h] = inside[rows].sum(axis=0).reshape(sets.shape[:2])
            true[i, ..., h] = (inside[rows] * truth[members[rows], None]).sum(axis=0).reshape(sets.shape[:2])
    size = np.stack([sets[:, :, members].sum(axis=-1) for members in strata], axis=-1)
    return StratumCounts(size=np.broadcast_to(size, sampled.shape), sampled=sampled, true=true)


def outcomes(name: str, truth: np.ndarray, rankings: dict[str, Ranking], *, replications: int) -> list[Outcome]:
    """Coverage, width and power of one design at every list size."""
    design, by = DESIGNS[name]
    frame = make_frame(rankings["a"].ties.keys, rankings, design=design, best=LIST_SIZES, strata=by)
    sets = sets_of_interest(rankings)
    cells = simulate(frame, truth, sets, replications)
    method = "design" if len(frame.strata) > 1 else "hypergeometric"
    low, high = interval(_part(cells, slice(0, 2)), method=method, level=0.95)
    known = (sets[:, :2] * truth).sum(axis=-1) / np.array(LIST_SIZES)[:, None]
    covered = (low <= known + 1e-12) & (known - 1e-12 <= high)
    first, second = _part(cells, 2), _part(cells, 3)
    p = difference_test(first, second, alternative="minlike")
    share = [part.true.sum(axis=-1) / np.maximum(part.sampled.sum(axis=-1), 1) for part in (first, second)]
    found = (p <= 0.05) & (share[0] > share[1])
    return [
        Outcome(
            design=name,
            n=n,
            judged=float(cells.sampled[:, i, :2].sum(axis=-1).mean()),
            coverage=float(covered[:, i].mean()),
            width=float((high - low)[:, i].mean()),
            power=float(found[:, i].mean()),
            baseline=bool((frame.stratum >= 0).all()),
        )
        for i, n in enumerate(LIST_SIZES)
    ]


def _part(cells: StratumCounts, which: slice | int) -> StratumCounts:
    return StratumCounts(size=cells.size[:, :, which], sampled=cells.sampled[:, :, which], true=cells.true[:, :, which])


def study(replications: int) -> list[Outcome]:
    truth, rankings = candidates()
    return [row for name in DESIGNS for row in outcomes(name, truth, rankings, replications=replications)]


def run() -> list[Row]:
    rows = study(REPLICATIONS)
    simple = {row.n: row for row in rows if row.design == "simple"}
    covered = [
        Row(
            area="designs",
            work=f"{row.design}, n = {row.n}",
            quantity="coverage",
            ours=row.coverage,
            peer="the nominal level",
            against=0.95,
            limit=0.985,
            limit_is="at least",
        )
        for row in rows
    ]
    narrower = [
        Row(
            area="designs",
            work=f"{row.design}, n = {row.n}",
            quantity="interval width",
            ours=row.width,
            peer="simple design, same judgements",
            against=simple[row.n].width,
            limit=0.5,
        )
        for row in rows
        if row.design != "simple"
    ]
    return covered + narrower


def markdown(rows: Sequence[Outcome], replications: int) -> str:
    """The table of the guide."""
    truth, rankings = candidates()
    precision = (sets_of_interest(rankings)[:, :2] * truth).sum(axis=-1) / np.array(LIST_SIZES)[:, None]
    shown = "; ".join(f"{a:.3f} and {b:.3f} at n = {n:,}" for n, (a, b) in zip(LIST_SIZES, precision, strict=True))
    lines = [
        f"{len(truth):,} candidates, {truth.sum()} of them true; {BUDGET:,} judgements; {replications:,} replications. "
        f"Precision of the two measures: {shown}.",
        "",
        "| design | n | judged in the list | coverage | width | power | baseline |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        width = "none" if row.width == 0 else f"{row.width:.3f}"
        lines.append(
            f"| {row.design} | {row.n:,} | {row.judged:,.0f} | {row.coverage:.3f} | {width} | {row.power:.2f} "
            f"| {'yes' if row.baseline else 'no'} |"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    replications = int(arguments[1]) if len(arguments) > 1 else REPLICATIONS
    table = markdown(study(replications), replications)
    if not arguments:
        print(table)
        return
    page = Path(arguments[0])
    before, _, rest = page.read_text("utf-8").partition(START)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{START}\n\n{table}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
