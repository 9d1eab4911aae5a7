"""Sentences about an evaluation: what its figures show, and what they warn of."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.evaluation.results import (
    ABOVE_BASELINE,
    BELOW_BASELINE,
    BETTER,
    Baseline,
    BestMeasure,
    Curve,
    Evaluation,
    Finding,
    MeasureComparison,
    Region,
)
from concurrence.kernels.ranking import is_smallest_first
from concurrence.kernels.strata import CENSUS, SampledList

BASELINE = "the baseline (random order)"
ONE_BY_ONE = 12
MOST_NAMED = 5
FEW, FEW_NEED = 100, 0.20
MORE, MORE_NEED = 500, 0.10
SEED_DECIDES = "the sample's tie-breaking seed decides which of the tied candidates are in the list"
AVERAGED = "the figures are averages over all orders of the tied candidates"


def anytime_sentences(evaluation: Evaluation) -> list[Sentence]:
    """What intervals and tests for every look guarantee, with the interval of one list as an example."""
    name, curve = next(iter(evaluation.measures.items()))
    at = len(curve.n) // 2
    whole = bool(np.isfinite(curve.precision).any())
    always = "the intervals of precision" if whole else "the interval of the difference"
    once = ["recall", "average precision"] * whole + ["precision with the proxy"] * (curve.proxy is not None)
    text = (
        f"You may look as often as you like, and stop when you like: {always} and the tests between measures hold at "
        f"every look{f'; those of {join_words(once)} are for a single look' if once else ''}."
    )
    if curve.fixed is not None and not np.isnan(curve.low[at]):
        text += (
            f" The precision of {name} at n = {curve.n[at]:,} is {curve.low[at]:.1%} to {curve.high[at]:.1%}; if this "
            f"is your only look, it is {curve.fixed.low[at]:.1%} to {curve.fixed.high[at]:.1%}."
        )
    return [Sentence(code="anytime", text=text)]


def stopping_sentences(evaluation: Evaluation) -> list[Sentence]:
    """For each pair of measures: whether judging can stop, and how far apart they are at a few list sizes."""
    sentences = []
    for pair in evaluation.comparisons:
        if pair.difference is None or not len(pair.n):
            continue
        some_sizes = set(few_sizes(pair.n.tolist()))
        at = [i for i, n in enumerate(pair.n.tolist()) if n in some_sizes]
        decided = [i for i in at if any(region.start <= pair.n[i] <= region.end for region in pair.regions)]
        yes = [f"n = {pair.n[i]:,} ({pair.better[i]} is ahead by {_ahead(pair, i)})" for i in decided]
        no = [f"n = {pair.n[i]:,} ({_open_difference(pair, i)})" for i in at if i not in decided]
        parts = [f"Decided at {join_words(yes)}."] * bool(yes) + [f"Still open at {join_words(no)}."] * bool(no)
        text = f"May you stop comparing {pair.a} and {pair.b}? {' '.join(parts)}"
        sentences.append(Sentence(code="go_on" if no else "may_stop", text=text))
    return sentences


def _ahead(pair: MeasureComparison, i: int) -> str:
    """By how many percentage points the better measure is ahead: the ends of the interval."""
    low, high = _ends(pair, i)
    least, most = (low, high) if pair.better[i] == pair.a else (-high, -low)
    return f"{max(least, 0.0):.1f} to {most:.1f} percentage points"


def _ends(pair: MeasureComparison, i: int) -> tuple[float, float]:
    difference = pair.difference
    return (0.0, 0.0) if difference is None else (100 * float(difference.low[i]), 100 * float(difference.high[i]))


def _open_difference(pair: MeasureComparison, i: int) -> str:
    """The interval of a difference that is not decided yet."""
    low, high = _ends(pair, i)
    return f"the difference may be {low:+.1f} to {high:+.1f} points"


def significant_regions(n: Integers, p: Reals, better: Sequence[str | None], *, alpha: float) -> tuple[Region, ...]:
    """Stretches of neighbouring list sizes at which the same measure is significantly better."""
    names = [name for name in dict.fromkeys(better) if name is not None]
    codes = {name: code for code, name in enumerate(names, start=1)}
    winner = np.array([codes.get(name or "", 0) for name in better], dtype=np.int64) * (p <= alpha)
    edges = np.flatnonzero(np.diff(winner, prepend=0, append=0))
    stretches = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    return tuple(
        Region(start=int(n[first]), end=int(n[after - 1]), better=names[winner[first] - 1])
        for first, after in stretches
        if winner[first]
    )


def comparison_sentence(
    names: tuple[str, str],
    titles: Mapping[str, str],
    n: Integers,
    p: Reals,
    regions: Sequence[Region],
    detectable: Reals | None,
) -> Sentence:
    """At which list sizes one of two measures is significantly better, or the least difference that it would take.

    ``p`` and ``regions`` are corrected for all pairs and sizes; ``detectable`` is what a single test would need.
    """
    a, b = (titles.get(name, name) for name in names)
    parts = []
    for winner, loser in (names, names[::-1]):
        if own := [region for region in regions if region.better == winner]:
            parts.append(better_sentence(titles.get(winner, winner), titles.get(loser, loser), own))
    text = "; ".join(parts)
    if not len(n):
        text = f"{a} and {b} have no list size in common"
    elif not regions:
        lowest = int(np.argmin(p))
        smallest = f"smallest corrected p = {p[lowest]:.3g}, at n = {n[lowest]:,}"
        text = f"No difference between {a} and {b} can be shown at any list size ({smallest})"
        if detectable is not None and np.isfinite(detectable).any():
            at = int(np.nanargmin(detectable))
            least = percentage_points(float(detectable[at]))
            text += f"; it would have taken at least {least}, at n = {int(n[at]):,}"
        elif detectable is not None:
            text += "; with so few judgements or so similar lists, none could have been"
    return Sentence(code="comparison", text=f"{text}.")


def better_sentence(better: str, worse: str, regions: Sequence[Region]) -> str:
    """Over which stretches of list sizes a measure is better than another."""
    stretches = join_words([stretch(region.start, region.end) for region in regions])
    return f"{better} is significantly better than {worse} for n = {stretches}"


def stretch(start: int, end: int) -> str:
    """A range of list sizes.

    >>> stretch(1000, 5000), stretch(300, 300)
    ('1,000 to 5,000', '300')
    """
    return f"{start:,}" if start == end else f"{start:,} to {end:,}"


def best_of(curves: dict[str, Curve], findings: Sequence[Finding]) -> tuple[BestMeasure, ...]:
    """For each n the measure of highest precision, and those that are not shown to be worse."""
    names = list(curves)
    sizes = np.unique(np.concatenate([curve.n for curve in curves.values()]))
    precision, present = np.full((len(names), len(sizes)), np.nan), np.zeros((len(names), len(sizes)), dtype=bool)
    for row, there, curve in zip(precision, present, curves.values(), strict=True):
        at = np.searchsorted(sizes, curve.n)
        row[at], there[at] = curve.precision, True
    defined = np.isfinite(precision)
    worse = _significantly_worse(names, sizes, findings)
    first = np.where(defined, precision, -1.0).argmax(axis=0)
    # A list in which nobody judged anything is not known to be worse.
    equal = present & ~worse[first, :, np.arange(len(sizes))].T
    equal[first, np.arange(len(sizes))] = False
    return tuple(
        BestMeasure(n=n, measure=names[winner], not_significantly_worse=tuple(names[i] for i in np.flatnonzero(row)))
        for n, winner, row, any_ in zip(sizes.tolist(), first.tolist(), equal.T, defined.any(axis=0), strict=True)
        if any_
    )


def baseline_sentences(curves: dict[str, Curve], baseline: Baseline, findings: Sequence[Finding]) -> Iterator[Sentence]:
    """For each measure, every list size at which it was not shown to beat the baseline."""
    if np.isnan(baseline.value):
        if baseline.note:
            yield Sentence(code="no_baseline", text=baseline.note)
        return
    for name, curve in curves.items():
        beats, worse = (
            np.isin(curve.n, [n for one in findings if one.code == code and one.measures == (name,) for n in one.sizes])
            for code in (ABOVE_BASELINE, BELOW_BASELINE)
        )
        if not len(curve.n):
            continue
        if beats.all():
            text = f"{name} beats {BASELINE} at every list size (n = {sizes_where(curve.n, beats)})"
        else:
            where = f"n = {sizes_where(curve.n, ~beats)}"
            where = where if beats.any() else f"any list size ({where})"
            text = f"{name} was not shown to beat {BASELINE} at {where}"
        if worse.any():
            text += f"; it is worse than the baseline at n = {sizes_where(curve.n, worse)}"
        yield Sentence(code="against_baseline", text=f"{text}.")


def interval_sentences(curves: dict[str, Curve]) -> Iterator[Sentence]:
    """How much a proxy narrows the intervals, how much coders widen them, and how far ties move the precision."""
    for name, curve in curves.items():
        if curve.proxy is not None and np.isfinite(curve.proxy.width_ratio).any():
            ratio = f"{np.nanmedian(curve.proxy.width_ratio):.0%} as wide as without it (median over n)"
            text = f"{name}: with the proxy {curve.proxy.column} the intervals are {ratio}."
            yield Sentence(code="proxy", text=text)
        if curve.coder_share_of_width is not None and np.isfinite(curve.coder_share_of_width).any():
            share = f"{np.nanmedian(curve.coder_share_of_width):.0%} of the width (median over n)"
            yield Sentence(code="coder_uncertainty", text=f"{name}: the coders' disagreement causes {share}.")
        if curve.tie_draws is not None and np.isfinite(curve.tie_draws.standard_deviation).any():
            spread = percentage_points(float(np.nanmax(curve.tie_draws.standard_deviation)))
            text = (
                f"{name}: breaking ties at random moves the precision by at most {spread} "
                f"(standard deviation over {curve.tie_draws.draws} draws)."
            )
            yield Sentence(code="tie_draws", text=text)


def sample_sentences(design: SampledList) -> Iterator[Sentence]:
    """What is missing from the sample, what was judged outside of it, and what a census means."""
    if design.waiting:
        verb = "is" if design.waiting == 1 else "are"
        rest = "the judged ones count as a random part of the sample"
        text = f"{count_noun(design.waiting, 'sampled candidate')} {verb} not judged yet; {rest}."
        yield Sentence(code="waiting", text=text)
    if design.beside:
        verb = "was" if design.beside == 1 else "were"
        reason = "left out, because only candidates drawn at random represent the list"
        text = f"{count_noun(design.beside, 'candidate')} {verb} judged, but not in the sample: {reason}."
        yield Sentence(code="beside", text=text)
    if design.kind == CENSUS:
        text = (
            "All candidates are judged, so differences are facts about this list; the tests ask whether "
            "they would hold for another list like it."
        )
        yield Sentence(code="census", text=text)


def _significantly_worse(names: list[str], sizes: Integers, findings: Sequence[Finding]) -> Booleans:
    """Whether the first measure is shown to be better than the second, at each n."""
    worse = np.zeros((len(names), len(names), len(sizes)), dtype=bool)
    for finding in findings:
        if finding.code == BETTER:
            winner, loser = (names.index(name) for name in finding.measures)
            worse[winner, loser] |= np.isin(sizes, finding.sizes)
    return worse


def few_sizes(sizes: Sequence[int], *, most: int = MOST_NAMED) -> list[int]:
    """The list sizes to put first: all where they are few, else some at even distances with the last.

    >>> few_sizes([100, 200]), few_sizes(range(100, 1100, 100))
    ([100, 200], [200, 400, 600, 800, 1000])
    """
    count = len(sizes)
    return [sizes[-(-count * i // most) - 1] for i in range(1, most + 1)] if count > most else list(sizes)


def percentage_points(difference: float) -> str:
    """A difference of two shares.

    >>> percentage_points(0.123), percentage_points(0.01)
    ('12.3 percentage points', '1.0 percentage points')
    """
    return f"{100 * difference:.1f} percentage points"


def sizes_where(n: Integers, holds: Booleans) -> str:
    """Every list size at which something holds: one by one where few were asked for, else as stretches."""
    return join_words([f"{size:,}" for size in n[holds].tolist()]) if len(n) <= ONE_BY_ONE else describe_sizes(n, holds)


def describe_sizes(n: Integers, holds: Booleans) -> str:
    """The list sizes at which something holds; neighbours among those asked for are joined.

    >>> describe_sizes(np.array([1, 2, 3, 4]), np.array([True, True, False, True]))
    '1 to 2 and 4'
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    pairs = edges.reshape(-1, 2)
    return join_words([stretch(int(n[start]), int(n[end - 1])) for start, end in pairs.tolist()])


def low_power_sentences(
    comparisons: Sequence[MeasureComparison], *, census: bool, anytime: bool = False
) -> Iterator[Sentence]:
    """A warning if no two measures can be told apart, with the smallest difference that could have been shown."""
    different = [pair for pair in comparisons if (np.asarray(pair.overlap, dtype=float) < pair.n - 1e-9).any()]
    if not different or any(pair.regions for pair in comparisons):
        return
    what = "No difference that would hold beyond this list" if census else "No difference between the measures"
    yet = " yet; judging may go on." if anytime else f". {_needed(different)}"
    text = f"{what} can be shown at any list size{yet}"
    yield Sentence(code="low_power", text=text, warning=True)


def _needed(comparisons: Sequence[MeasureComparison]) -> str:
    """The smallest difference that a single test could have shown: at every n, or where it is smallest."""
    needed = detectable_by_size(comparisons)
    finite = {n: difference for n, difference in needed.items() if np.isfinite(difference)}
    if not finite:
        return "With so few judgements, none could have been significant."
    every = len(needed) <= MOST_NAMED
    sizes = list(finite) if every else [min(finite, key=lambda n: finite[n])]
    first, *others = sizes
    differences = [
        f"{percentage_points(finite[first])} at n = {first:,}",
        *(f"{100 * finite[n]:.1f} at n = {n:,}" for n in others),
    ]
    text = f"It would have taken at least {join_words(differences)}"
    never = [f"{n:,}" for n in needed if n not in finite] if every else []
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


def smallest_first_sentences(titles: Mapping[str, str]) -> Iterator[Sentence]:
    """Which measures put the smallest values first."""
    names = [titles[name] for name in titles if is_smallest_first(name)]
    if names:
        verb = "is" if len(names) == 1 else "are"
        text = f"{join_words(names)} {verb} 0 where a pair is spread evenly, so the smallest values rank first."
        yield Sentence(code="smallest_first", text=text)


def rule_of_thumb_sentences(curves: dict[str, Curve]) -> Iterator[Sentence]:
    """Where the estimates are of little use, by the rule of thumb of Evert & Krenn (2005)."""
    parts = []
    for name, curve in curves.items():
        sampled, precision = np.asarray(curve.sampled, dtype=float), curve.precision
        few = (sampled <= FEW) & (precision < FEW_NEED)
        some = (sampled > FEW) & (sampled <= MORE) & (precision < MORE_NEED)
        too_few = np.isfinite(curve.low) & (curve.high > curve.low) & (few | some)
        if too_few.any():
            parts.append(f"{name} ({_where(curve, too_few)})")
    if parts:
        rule = f"about {FEW} judged need {FEW_NEED:.0%}, about {MORE} need {MORE_NEED:.0%}"
        text = f"Too few judgements for so low a precision: {join_words(parts)}. Rule of thumb: {rule}."
        yield Sentence(code="rule_of_thumb", text=text, warning=True)


def _where(curve: Curve, holds: Booleans) -> str:
    return "every n" if holds.all() and len(holds) > 1 else f"n = {sizes_where(curve.n, holds)}"
