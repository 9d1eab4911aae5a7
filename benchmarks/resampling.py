"""Bootstrap of Krippendorff's alpha on a million labels, against the promise and against a plain loop."""

from time import perf_counter

import numpy as np

from benchmarks.rows import Row, best_times
from concurrence.agreement.labels.coefficients.resampled import bootstrap_coefficients
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import Labels
from concurrence.kernels.coefficients import COEFFICIENTS

DRAWS, ITEMS = 10_000, 250_000
QUICK = {"DRAWS": 50, "ITEMS": 500}
PROMISED_SECONDS = 20.0


def million_labels() -> Labels:
    """Five coders, five categories, 250,000 items of which a fifth of the labels is missing: 1,000,000 labels."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 5, ITEMS)
    slips = random.random((ITEMS, 5)) < 0.3
    codes = np.where(slips, random.integers(0, 5, slips.shape), truth[:, None])
    codes = np.where(random.random(slips.shape) < 0.2, -1, codes).astype(np.int32)
    return Labels(codes=codes, categories=tuple("abcde"), coders=tuple("12345"))


def one_plain_replicate(labels: Labels, random: np.random.Generator) -> float:
    """Draw items, count their labels, compute alpha: what a loop does 10,000 times."""
    codes = labels.codes[random.integers(0, labels.n_items, labels.n_items)]
    counts = np.stack([(codes == k).sum(axis=1) for k in range(5)], axis=1).astype(np.float64)
    sizes = counts.sum(axis=1)
    counts, sizes = counts[sizes >= 2], sizes[sizes >= 2]
    totals, n = counts.sum(axis=0), sizes.sum()
    observed = ((sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1)).sum() / n
    return float(1 - observed / ((n**2 - (totals**2).sum()) / (n * (n - 1))))


def run() -> list[Row]:
    labels, random = million_labels(), np.random.default_rng(1)

    def ours() -> object:
        return bootstrap_coefficients(LabelStudy.of(labels), [COEFFICIENTS["krippendorff_alpha"]], draws=DRAWS)

    def plain_loop() -> object:
        return [one_plain_replicate(labels, random) for _ in range(3)]

    seconds, loop = best_times(ours, plain_loop, rounds=3, clock=perf_counter)
    work = f"{DRAWS:,} bootstrap replicates of alpha, {4 * ITEMS:,} labels"
    return [
        Row(
            area="resampling",
            work=work,
            quantity="wall s",
            ours=seconds,
            peer="promise",
            against=PROMISED_SECONDS,
            limit=1,
        ),
        Row(
            area="resampling",
            work=work,
            quantity="wall s",
            ours=seconds,
            peer="a plain loop, from 3 replicates",
            against=loop / 3 * DRAWS,
            limit=0.05,
        ),
    ]
