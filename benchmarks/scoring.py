"""Scoring a million pairs: all measures against one vectorised log-likelihood, and against peers."""

import numpy as np
import polars as pl

from benchmarks.rows import Row, best_times, peer_installed
from concurrence import Contingency, Pairs, score
from concurrence.measures.table import MEASURES, find_measures

PAIRS = 1_000_000
PEER_PAIRS = 100_000
NLTK_PAIRS = 20_000
QUICK = {"PAIRS": 1_000, "PEER_PAIRS": 200, "NLTK_PAIRS": 50}


def zipf_pairs(size: int, *, seed: int = 0) -> Pairs:
    """Frequency signatures as a corpus of 100 M pair tokens has them: Zipf margins, mostly rare pairs."""
    rng = np.random.default_rng(seed)
    f1, f2 = (np.minimum(rng.zipf(1.3, size), 2_000_000) + rng.integers(0, 50, size) for _ in range(2))
    f = np.minimum(np.minimum(f1, f2), rng.zipf(1.6, size) + 2)
    f1, f2 = np.maximum(f, f1), np.maximum(f, f2)
    words = [f"w{i}" for i in range(size)]
    frame = pl.DataFrame({"l1": words, "l2": words, "f": f, "f1": f1, "f2": f2})
    return Pairs(table=frame.with_columns(N=pl.lit(100_000_000)))


def obvious_log_likelihood(t: Contingency) -> np.ndarray:
    from scipy.special import rel_entr

    return np.copysign(2 * rel_entr(t.observed, t.expected).sum(axis=-1), t.o11 - t.e11)


def run() -> list[Row]:
    pairs = zipf_pairs(PAIRS)
    t = pairs.contingency
    score(pairs.table.head(10), "all")  # compile
    ucs = [row for row in find_measures("ucs") if row.kind != "likelihood"]
    works = (
        lambda: obvious_log_likelihood(t),
        lambda: [row(t) for row in ucs],
        lambda: [row(t) for row in MEASURES.values()],
    )
    one, list_of_ucs, everything = best_times(*works, rounds=3)
    peer = "one log-likelihood with numpy and scipy"
    rows = [
        _row(f"UCS's {len(ucs)} measures, {PAIRS:,} pairs", list_of_ucs, peer, one, 15),
        _row(f"all {len(MEASURES)} measures, {PAIRS:,} pairs", everything, peer, one, 40),
    ]
    return rows + _association_measures() + _nltk()


def _row(work: str, ours: float, peer: str, against: float, limit: float | None) -> Row:
    return Row(area="scoring", work=work, quantity="CPU s", ours=ours, peer=peer, against=against, limit=limit)


def _association_measures() -> list[Row]:
    if not peer_installed("scoring", "association_measures"):
        return []
    import association_measures.measures as peer

    pairs = zipf_pairs(PEER_PAIRS)
    frame = pairs.table.select("f", "f1", "f2", "N").to_pandas()
    names = ("z_score", "t_score", "log_likelihood", "simple_ll", "minimum_sensitivity", "liddell", "dice", "log_ratio")
    names = (*names, "log_ratio_conservative", "MI", "local_MI")
    ours, theirs = best_times(lambda: score(pairs, names), lambda: peer.score(frame, freq=False, digits=None), rounds=3)
    return [_row(f"its 11 measures, {PEER_PAIRS:,} pairs", ours, "association-measures", theirs, 1)]


def _nltk() -> list[Row]:
    if not peer_installed("scoring", "nltk"):
        return []
    from nltk.metrics import BigramAssocMeasures as Nltk

    pairs = zipf_pairs(NLTK_PAIRS)
    rows = pairs.table.select("f", "f1", "f2", "N").rows()
    names = ("log_likelihood", "t_score", "MI", "dice", "jaccard", "chi_squared")
    theirs = (Nltk.likelihood_ratio, Nltk.student_t, Nltk.pmi, Nltk.dice, Nltk.jaccard, Nltk.chi_sq)

    def loop() -> None:
        for f, f1, f2, n in rows:
            for measure in theirs:
                measure(f, (f1, f2), n)

    ours, nltk = best_times(lambda: score(pairs, names), loop, rounds=3)
    return [_row(f"6 measures, {NLTK_PAIRS:,} pairs", ours, "NLTK", nltk, 0.1)]
