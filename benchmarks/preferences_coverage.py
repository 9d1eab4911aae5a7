"""How often 95 % intervals of strengths, ties, position and agreement on comparisons cover the true value.

Comparisons are drawn from Davidson's model. In the second part every coder has strengths of its own around the common
ones, so that the comparisons of a coder are not independent: there the intervals of the information fall short, which
is printed, and those that leave out coders promise 93 %.
"""

from itertools import combinations

import numpy as np

from benchmarks.rows import Row
from concurrence.agreement.preferences.analyse import analyse_preferences
from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.core.comparisons import Comparisons

PROMISE = 0.93
STUDIES, CLUSTERED, AGREEMENTS = 600, 200, 1000
QUICK = {"STUDIES": 2, "CLUSTERED": 1, "AGREEMENTS": 5}
STRENGTHS = np.array([0.8, 0.3, 0.0, -0.4, -0.7])


def simulate_comparisons(random, each, *, tie=0.0, position=0.0, coders=10, taste=0.0) -> Comparisons:
    """Every coder compares every two items ``each`` times, in turned orders."""
    coder_strengths = STRENGTHS + taste * random.standard_normal((coders, len(STRENGTHS)))
    pairs = np.array([pair for pair in combinations(range(len(STRENGTHS)), 2) for _ in range(each)])
    pairs = np.concatenate([pairs] * coders)
    coder = np.repeat(np.arange(coders), len(pairs) // coders)
    is_swapped = random.random(len(pairs)) < 0.5
    first, second = np.where(is_swapped, pairs[:, 1], pairs[:, 0]), np.where(is_swapped, pairs[:, 0], pairs[:, 1])
    odds = (coder_strengths[coder, first] - coder_strengths[coder, second] + position) / 2
    weights = np.stack([np.exp(odds), np.exp(-odds), np.full(len(odds), tie)], axis=-1)
    shares = np.cumsum(weights / weights.sum(axis=-1, keepdims=True), axis=-1)
    outcome = (random.random(len(pairs))[:, None] > shares).sum(axis=-1)
    return Comparisons(
        items=tuple("abcde"),
        first=first,
        second=second,
        outcome=outcome,
        count=np.ones(len(pairs), dtype=np.int64),
        coder=coder,
        coders=tuple(map(str, range(coders))),
    )


def run() -> list[Row]:
    rows = []
    for title, each, tie, position in (("no ties", 2, 0.0, 0.0), ("ties and position", 2, 0.7, 0.4)):
        hits = {"strength": [], "position": [], "ties": []}
        random = np.random.default_rng(1)
        for _ in range(STUDIES):
            comparisons = simulate_comparisons(random, each, tie=tie, position=position)
            report = analyse_preferences(comparisons, PreferenceOptions(position=position != 0))
            for name, truth in zip("abcde", STRENGTHS - STRENGTHS.mean(), strict=True):
                low, high = report[name].interval
                hits["strength"].append(low <= truth <= high)
            low, high = report.position_bias.interval
            hits["position"].append(low <= position <= high)
            if tie:
                low, high = report.ties.interval
                hits["ties"].append(low <= tie <= high)
        rows += [
            _row(f"{name}, {title}", float(np.mean(covered)), PROMISE) for name, covered in hits.items() if covered
        ]
    return [*rows, *_clustered(), *_agreement()]


def _clustered() -> list[Row]:
    rows = []
    for coders in (12, 30):
        hits = {"information": [], "coders": []}
        random = np.random.default_rng(2)
        for _ in range(CLUSTERED):
            report = analyse_preferences(simulate_comparisons(random, 6, coders=coders, taste=0.3), PreferenceOptions())
            for name, truth in zip("abcde", STRENGTHS - STRENGTHS.mean(), strict=True):
                for kind, covered in hits.items():
                    low, high = report[name].intervals[kind]
                    covered.append(low <= truth <= high)
        where = f"{coders} coders of different taste"
        rows.append(_row(f"strength by information, {where}", float(np.mean(hits["information"])), None))
        rows.append(_row(f"strength by coders, {where}", float(np.mean(hits["coders"])), PROMISE))
    return rows


def _agreement() -> list[Row]:
    """Pairs of items are the sample: of 40, each has its own probability that the first is preferred."""
    from concurrence.agreement.preferences.between_coders import coder_agreement

    random, hits = np.random.default_rng(3), 0
    alike = 0.5 + 2 / 12  # of p uniform, p² + (1 - p)² is 2/3 on average
    for _ in range(AGREEMENTS):
        p = random.random(40)
        votes = random.random((5, 40)) < p
        counts = np.stack([votes, ~votes, np.zeros_like(votes)], axis=-1).astype(np.float64)
        low, high = coder_agreement(counts, coders_known=True, level=0.95).interval
        hits += bool(low <= 2 * alike - 1 <= high)
    return [_row("agreement between 5 coders on 40 pairs of items", hits / AGREEMENTS, PROMISE)]


def _row(work: str, value: float, limit: float | None) -> Row:
    return Row(
        area="preferences_coverage",
        work=work,
        quantity="share of replications",
        ours=value,
        peer="always",
        against=1.0,
        limit=limit,
        limit_is="at least",
    )
