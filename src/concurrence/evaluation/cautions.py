"""What a reader of an evaluation must not overlook: little power, ties, few judgements."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from concurrence.core.arrays import Booleans
from concurrence.core.display import count_noun
from concurrence.core.sentences import Sentence, join_words
from concurrence.evaluation.results import Curve, MeasureComparison
from concurrence.evaluation.sentences import MOST_NAMED, percentage_points, sizes_where
from concurrence.kernels.dispersion import is_smallest_first

FEW, FEW_NEED = 100, 0.20
MORE, MORE_NEED = 500, 0.10
SEED_DECIDES = "the sample's tie-breaking seed decides which of the tied candidates are in the list"
AVERAGED = "the figures are averages over all orders of the tied candidates"


def low_power(comparisons: Sequence[MeasureComparison], *, census: bool, anytime: bool = False) -> Iterator[Sentence]:
    """Whether no two measures can be told apart, and what difference could have been."""
    different = [pair for pair in comparisons if (np.asarray(pair.overlap, dtype=float) < pair.n - 1e-9).any()]
    if not different or any(pair.regions for pair in comparisons):
        return
    what = "No difference that would hold beyond this list" if census else "No difference between the measures"
    yet = " yet; judging may go on." if anytime else f". {_needed(different)}"
    text = f"{what} can be shown at any list size{yet}"
    yield Sentence(code="low_power", text=text, warning=True)


def _needed(comparisons: Sequence[MeasureComparison]) -> str:
    """The smallest difference in precision that would have been significant: at every n, or where it is smallest."""
    needed = detectable_by_size(comparisons)
    known = {n: difference for n, difference in needed.items() if np.isfinite(difference)}
    if not known:
        return "With so few judgements, none could have been significant."
    every = len(needed) <= MOST_NAMED
    sizes = list(known) if every else [min(known, key=lambda n: known[n])]
    first, *others = sizes
    differences = [
        f"{percentage_points(known[first])} at n = {first:,}",
        *(f"{100 * known[n]:.1f} at n = {n:,}" for n in others),
    ]
    corrected = " before the correction" * any(pair.p_corrected is not None for pair in comparisons)
    text = f"The smallest that could have been{corrected} is {join_words(differences)}"
    never = [f"{n:,}" for n in needed if n not in known] if every else []
    return f"{text}; none at n = {join_words(never)}." if never else f"{text}."


def detectable_by_size(comparisons: Sequence[MeasureComparison]) -> dict[int, float]:
    """For each n the smallest difference in precision that some pair of measures could have shown."""
    smallest: dict[int, float] = {}
    for pair in comparisons:
        for n, difference in zip(pair.n.tolist(), pair.detectable.tolist(), strict=True):
            smallest[n] = float(np.fmin(smallest.get(n, np.nan), difference))
    return dict(sorted(smallest.items()))


def tie_sentences(curves: dict[str, Curve], *, averaged: bool) -> Iterator[Sentence]:
    """Which list sizes fall inside runs of equal scores."""
    parts, largest = [], 0
    for name, curve in curves.items():
        if curve.ties:
            parts.append(f"{name} ({_where(curve, np.isin(curve.n, [tie.n for tie in curve.ties]))})")
            largest = max(largest, *(tie.size for tie in curve.ties))
    if parts:
        run = f"n falls inside a run of equal scores (up to {count_noun(largest, 'candidate')}) for {join_words(parts)}"
        text = f"Ties: {run}; {AVERAGED if averaged else SEED_DECIDES}."
        yield Sentence(code="ties", text=text, warning=True)


def smallest_first(titles: Mapping[str, str]) -> Iterator[Sentence]:
    """Which measures put the smallest values first."""
    turned = [titles[name] for name in titles if is_smallest_first(name)]
    if turned:
        verb = "is" if len(turned) == 1 else "are"
        text = f"{join_words(turned)} {verb} 0 where a pair is spread evenly, so the smallest values rank first."
        yield Sentence(code="smallest_first", text=text)


def rule_of_thumb(curves: dict[str, Curve]) -> Iterator[Sentence]:
    """Where the estimates are of little use, by the rule of thumb of Evert & Krenn (2005)."""
    parts = [
        f"{name} ({_where(curve, too_few)})" for name, curve in curves.items() if (too_few := _too_few(curve)).any()
    ]
    if parts:
        rule = f"about {FEW} judged need {FEW_NEED:.0%}, about {MORE} need {MORE_NEED:.0%}"
        text = f"Too few judgements for so low a precision: {join_words(parts)}. Rule of thumb: {rule}."
        yield Sentence(code="rule_of_thumb", text=text, warning=True)


def _where(curve: Curve, holds: Booleans) -> str:
    return "every n" if holds.all() and len(holds) > 1 else f"n = {sizes_where(curve.n, holds)}"


def _too_few(curve: Curve) -> Booleans:
    sampled, precision = np.asarray(curve.sampled, dtype=float), curve.precision
    open_ = np.isfinite(curve.low) & (curve.high > curve.low)
    few = (sampled <= FEW) & (precision < FEW_NEED)
    some = (sampled > FEW) & (sampled <= MORE) & (precision < MORE_NEED)
    return np.asarray(open_ & (few | some))
