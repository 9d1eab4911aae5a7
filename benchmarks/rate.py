"""The rate of a list: coverage and width of its interval against the ideal estimator, and the interval for every look.

Lists with a known number of true ones, a judge with known errors, and a simple or stratified sample. The
ideal estimator knows the best slope and the true variance of the residuals.
"""

import numpy as np
import polars as pl

from benchmarks.rows import Row, peer_installed
from concurrence.api.evaluation import draw_sample, rate
from concurrence.kernels.anytime import anytime_bounds
from concurrence.kernels.intervals import clopper_pearson

AREA = "rate"
REPLICATIONS = 2000
STRATIFIED = 500
Z = 1.959964
SETTINGS = (  # list, judged, true share, sensitivity, specificity
    (578, 300, 0.30, 0.95, 0.95),
    (5_000, 200, 0.15, 0.90, 0.95),
    (5_000, 200, 0.50, 0.80, 0.80),
    (20_000, 300, 0.05, 0.90, 0.97),
)
LOOKS, LISTS = 50, 1000
QUICK = {"REPLICATIONS": 2, "STRATIFIED": 2, "LISTS": 2}


def run() -> list[Row]:
    rng = np.random.default_rng(1)
    rows = [row for setting in SETTINGS for row in _simple(*setting, rng)]
    return [*rows, *_scores(rng), *_useless(rng), *_strata(rng), *_looks(rng), *_ppi(rng)]


def _list(size: int, share: float, se: float, sp: float, rng: np.random.Generator) -> tuple[pl.DataFrame, np.ndarray]:
    true = np.zeros(size, dtype=int)
    true[: round(size * share)] = 1
    rng.shuffle(true)
    verdicts = np.where(true > 0, rng.random(size) < se, rng.random(size) >= sp).astype(int)
    score = np.clip(0.25 + 0.45 * true + rng.normal(0, 0.2, size), 0, 1)
    frequency = np.argsort(np.argsort(-(true + rng.normal(0, 1.2, size)))) + 1
    names = [f"w{i}" for i in range(size)]
    table = pl.DataFrame({"l1": names, "l2": "x", "judge": verdicts, "score": score, "f": size - frequency})
    return table, true


def _gold(table: pl.DataFrame, true: np.ndarray, rows: np.ndarray) -> pl.DataFrame:
    return table[rows].select("l1", "l2").with_columns(tp=pl.Series(true[rows]))


def _repeat(table, true, n, rng, judge="judge", **options):
    results = []
    for _ in range(REPLICATIONS):
        rows = np.sort(rng.choice(len(true), n, replace=False))
        results.append(rate(table, _gold(table, true, rows), judges=[judge], **options))
    return results


def _ideal(true: np.ndarray, x: np.ndarray, n: int) -> float:
    size = len(true)
    slope = np.cov(true, x)[0, 1] / x.var(ddof=1)
    return 2 * Z * float(np.sqrt((1 - n / size) * np.var(true - slope * x, ddof=1) / n))


def _coverage(work: str, results, truth: float, promised: float = 0.94) -> Row:
    share = np.mean(
        [result.interval.low <= truth + 1e-12 and truth - 1e-12 <= result.interval.high for result in results]
    )
    return Row(area=AREA, work=f"{work}: coverage", quantity="share of samples", ours=float(share), peer="always",
               against=1.0, limit=promised, limit_is="at least")  # fmt: skip


def _width(work: str, results, peer: str, against: float, limit: float | None) -> Row:
    width = float(np.mean([result.interval.width for result in results]))
    return Row(area=AREA, work=f"{work}: width", quantity="width", ours=width, peer=peer, against=against, limit=limit)


def _simple(size: int, n: int, share: float, se: float, sp: float, rng: np.random.Generator) -> list[Row]:
    table, true = _list(size, share, se, sp, rng)
    results = _repeat(table, true, n, rng)
    work = f"{size:,} candidates, {n} judged, {share:.0%} true, judge {se:g}/{sp:g}"
    hits = np.mean(
        [result.rogan_gladen.interval.low <= true.mean() <= result.rogan_gladen.interval.high for result in results]
    )
    corrected = Row(area=AREA, work=f"{work}: Rogan-Gladen's coverage", quantity="share of samples", ours=float(hits),
                    peer="always", against=1.0, limit=0.93, limit_is="at least")  # fmt: skip
    ideal = _ideal(true, table["judge"].to_numpy().astype(float), n)
    return [_coverage(work, results, true.mean()), _width(work, results, "the ideal estimator", ideal, 1.1), corrected]


def _scores(rng: np.random.Generator) -> list[Row]:
    table, true = _list(5_000, 0.2, 0.9, 0.9, rng)
    results = _repeat(table, true, 200, rng, judge="score")
    work = "5,000 candidates, 200 judged, 20% true, a judge with scores"
    return [
        _coverage(work, results, true.mean()),
        _width(work, results, "the ideal estimator", _ideal(true, table["score"].to_numpy(), 200), 1.1),
    ]


def _useless(rng: np.random.Generator) -> list[Row]:
    table, true = _list(5_000, 0.2, 0.5, 0.5, rng)
    results = _repeat(table, true, 200, rng)
    people_width = float(np.mean([result.people_only.interval.width for result in results]))
    work = "a judge that guesses"
    return [_coverage(work, results, true.mean()), _width(work, results, "people alone", people_width, 1.1)]


def _strata(rng: np.random.Generator) -> list[Row]:
    """A list of which the tail is judged thinly, and one of which hardly anything in the tail is true."""
    return [*_stratified(10_000, 600, 0.1, [500, 2000], rng), *_stratified(10_000, 300, 0.05, [300, 1000], rng)]


def _stratified(size: int, n: int, share: float, best: list[int], rng: np.random.Generator) -> list[Row]:
    table, true = _list(size, share, 0.9, 0.95, rng)
    results = []
    for seed in range(STRATIFIED):
        sample = draw_sample(table, size=n, design="strata", best=best, measures=["f"], seed=seed)
        rows = np.array([int(name[1:]) for name in sample.table["l1"]])
        results.append(rate(table, _gold(table, true, rows), judges=["judge"], sample=sample))
    people_width = float(np.mean([result.people_only.interval.width for result in results]))
    work = f"{size:,} candidates, {n} judged in strata, {share:.0%} true"
    return [_coverage(work, results, true.mean()), _width(work, results, "people alone", people_width, 1.0)]


def _looks(rng: np.random.Generator) -> list[Row]:
    """A list of 5,102 with 566 true ones, looked at 50 times while 1,000 are judged."""
    size, n_true, n_missed, n_missed_fixed = 5102, 566, 0, 0
    places = np.linspace(20, 1000, LOOKS).astype(int)
    for _ in range(LISTS):
        true = rng.permutation(np.r_[np.ones(n_true, int), np.zeros(size - n_true, int)])
        counts = np.cumsum(true)[places - 1]
        fewest, most = anytime_bounds(size, places, counts)
        n_missed += bool(((n_true < fewest) | (n_true > most)).any())
        low, high = clopper_pearson(counts, places)
        n_missed_fixed += bool(((n_true / size < low) | (n_true / size > high)).any())
    work = f"{LOOKS} looks: lists on which some look misses the truth"
    return [
        Row(area=AREA, work=work, quantity="share of lists", ours=n_missed / LISTS, peer="the error it promises",
            against=0.05, limit=1.0),
        Row(area=AREA, work=f"{work}, for comparison Clopper and Pearson's", quantity="share of lists",
            ours=n_missed_fixed / LISTS, peer="the error it promises for one look", against=0.05),
    ]  # fmt: skip


def _ppi(rng: np.random.Generator) -> list[Row]:
    """The estimate against that of ppi_py, which takes a list as endless, at the slope of people on the judge.

    Only the estimate can be the same: its intervals are those of an endless list, ours are those of this one.
    """
    if not peer_installed(AREA, "ppi_py"):
        return []
    from ppi_py import ppi_mean_pointestimate

    differences = []
    for size, n, share, se, sp in SETTINGS:
        table, true = _list(size, share, se, sp, rng)
        rows = np.sort(rng.choice(size, n, replace=False))
        verdicts = table["judge"].to_numpy().astype(float)
        y, f = true[rows].astype(float), verdicts[rows]
        slope = float(np.cov(y, f, ddof=0)[0, 1] / f.var())
        theirs = float(np.squeeze(ppi_mean_pointestimate(y, f, verdicts, lam=slope)))
        differences.append(abs(rate(table, _gold(table, true, rows), judges=["judge"]).rate - theirs))
    work = f"largest difference of the estimate, {len(SETTINGS)} lists"
    return [
        Row(
            area=AREA,
            work=work,
            quantity="difference",
            ours=max(*differences, 1e-17),
            peer="ppi_py, tolerance",
            against=1e-10,
            limit=1,
        )
    ]
