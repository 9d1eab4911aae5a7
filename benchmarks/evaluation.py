"""What an evaluation costs: every n of a long list, all intervals, all pairs of measures."""

import numpy as np
import polars as pl
from scipy.stats import binomtest, fisher_exact

from benchmarks.rows import Row, best_times
from concurrence.api.evaluation import evaluate
from concurrence.core.judgements import Judgements
from concurrence.evaluation.lists import Counter
from concurrence.kernels.exact_tests import fisher
from concurrence.kernels.intervals import clopper_pearson, hypergeometric
from concurrence.kernels.strata import judged_at_random
from support.ranking_twins import ranking_of
from support.simulated_lists import simulated_list

AREA = "evaluation"
SIZE, TRUE = 14_654, 939
MEASURES = 10
LOOPED = 150
QUICK = {"SIZE": 1000, "TRUE": 100, "MEASURES": 2, "LOOPED": 3}


def study() -> tuple[pl.DataFrame, Judgements]:
    """A list like the paper's with ten rankings, a tenth of it judged."""
    truth, scores = simulated_list(np.linspace(0.3, 1.7, MEASURES).tolist(), size=SIZE, true=TRUE)
    table = pl.DataFrame({"l1": [f"{i:05d}" for i in range(len(truth))], "l2": "x"})
    table = table.with_columns(pl.Series(f"m{i}", row) for i, row in enumerate(scores))
    drawn = np.random.default_rng(8).choice(len(truth), len(truth) // 10, replace=False)
    verdicts = np.full(len(truth), -1, dtype=np.int8)
    verdicts[drawn] = truth[drawn]
    return table, Judgements(verdicts=verdicts)


def whole_evaluation(method: str, seconds: float) -> Row:
    table, judgements = study()
    every = range(1, len(table) + 1)
    names = [f"m{i}" for i in range(MEASURES)]
    (time,) = best_times(lambda: evaluate(table, judgements, measures=names, n=every, interval=method), rounds=3)
    work = f"all {len(table):,} n, {MEASURES} measures, intervals ({method}) and {MEASURES * (MEASURES - 1) // 2} pairs"
    return Row(area=AREA, work=work, quantity="CPU s", ours=time, peer="promised", against=seconds, limit=1.0)


def against_loops() -> list[Row]:
    table, judgements = study()
    every = np.arange(1, len(table) + 1)
    counter = Counter(n=every, design=judged_at_random(judgements), judgements=judgements)
    first, second = (ranking_of(table[name].to_numpy()) for name in table.columns[-2:])
    one, two = counter.difference(first, second), counter.difference(second, first)
    lists = counter.best(first)
    k1, n1, k2, n2 = (a[:, 0] for a in (one.true, one.sampled, two.true, two.sampled))
    k, n = lists.true[:, 0], lists.sampled[:, 0]
    some = np.linspace(200, len(every) - 1, LOOPED).astype(int)
    ours, loop, cp, cp_loop, sets = best_times(
        lambda: fisher(k1, n1, k2, n2),
        lambda: [fisher_exact([[k1[i], k2[i]], [n1[i] - k1[i], n2[i] - k2[i]]]) for i in some],
        lambda: clopper_pearson(k, n),
        lambda: [binomtest(int(k[i]), int(n[i])).proportion_ci() for i in some],
        lambda: hypergeometric(k, n, every),
        rounds=3,
    )
    scale = len(every) / LOOPED
    return [
        Row(area=AREA, work="Fisher's test over all n", quantity="CPU s", ours=ours, peer="loop over scipy",
            against=loop * scale, limit=1 / 200),
        Row(area=AREA, work="Clopper-Pearson over all n", quantity="CPU s", ours=cp, peer="loop over scipy",
            against=cp_loop * scale, limit=1 / 500),
        Row(area=AREA, work="hypergeometric sets over all n", quantity="CPU s", ours=sets, peer="promised",
            against=0.5, limit=1.0),
    ]  # fmt: skip


def run() -> list[Row]:
    return [*against_loops(), whole_evaluation("clopper-pearson", 3.0), whole_evaluation("hypergeometric", 8.0)]
