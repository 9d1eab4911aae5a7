"""What an evaluation shows: which measure is better than which, and better or worse than the baseline, at which sizes.

Everything a reader is told of differences comes from here, so it holds for all pairs, measures and list sizes together.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from concurrence.core.arrays import Booleans
from concurrence.evaluation.results import ABOVE_BASELINE, BELOW_BASELINE, BETTER, Curve, Finding, MeasureComparison
from concurrence.evaluation.sentences import BASELINE, better_sentence, sizes_where


def better_findings(pair: MeasureComparison, titles: Mapping[str, str]) -> Iterator[Finding]:
    """The list sizes at which one of two measures is shown to be better."""
    for winner, loser in ((pair.a, pair.b), (pair.b, pair.a)):
        regions = [region for region in pair.regions if region.better == winner]
        if regions:
            inside = np.logical_or.reduce([(pair.n >= one.start) & (pair.n <= one.end) for one in regions])
            text = better_sentence(titles.get(winner, winner), titles.get(loser, loser), regions)
            sizes = tuple(pair.n[inside].tolist())
            yield Finding(code=BETTER, measures=(winner, loser), sizes=sizes, text=f"{text}.")


def baseline_finding(code: str, name: str, title: str, curve: Curve, holds: Booleans) -> Finding:
    """The list sizes at which a measure is shown to be better, or worse, than the baseline."""
    how = "beats" if code == ABOVE_BASELINE else "is worse than"
    text = f"{title} {how} {BASELINE} at n = {sizes_where(curve.n, holds)}."
    return Finding(code=code, measures=(name,), sizes=tuple(curve.n[holds].tolist()), text=text)


def baseline_findings(
    curves: Mapping[str, Curve],
    corrected: Mapping[str, np.ndarray],
    baseline: float,
    titles: Mapping[str, str],
    *,
    alpha: float,
) -> Iterator[Finding]:
    """For each measure, where it beats the baseline and where it is worse, by p-values corrected for all of them."""
    for name, p in corrected.items():
        curve = curves[name]
        sides = {ABOVE_BASELINE: curve.precision > baseline, BELOW_BASELINE: curve.precision < baseline}
        for code, side in sides.items():
            if (holds := (p <= alpha) & side).any():
                yield baseline_finding(code, name, titles.get(name, name), curve, holds)


def sizes_of(findings: Sequence[Finding], code: str, *measures: str) -> frozenset[int]:
    """The list sizes at which something is shown of these measures."""
    return frozenset(n for one in findings if one.code == code and one.measures == measures for n in one.sizes)


def better_at(findings: Sequence[Finding], n: int) -> dict[str, list[str]]:
    """Which measure is shown to be better than which others at one list size."""
    better: dict[str, list[str]] = {}
    for one in findings:
        if one.code == BETTER and n in one.sizes:
            winner, loser = one.measures
            better.setdefault(winner, []).append(loser)
    return better
