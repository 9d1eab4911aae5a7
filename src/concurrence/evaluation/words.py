"""What the numbers allow to say, in words."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from concurrence.core.sentences import Sentence, listed
from concurrence.core.shown import number_of
from concurrence.evaluation.design import CENSUS, Design
from concurrence.evaluation.results import Above, Baseline, Best, Curve, MeasureComparison, Region
from concurrence.kernels.intervals import Reals

FEW, FEW_NEED = 100, 0.20
MORE, MORE_NEED = 500, 0.10


def significant_regions(
    n: NDArray[np.int64], p: Reals, better: Sequence[str | None], *, alpha: float
) -> tuple[Region, ...]:
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


def comparison_in_words(a: str, b: str, n: NDArray[np.int64], p: Reals, regions: Sequence[Region]) -> Sentence:
    """Where which of two measures is significantly better."""
    return Sentence(code="comparison", text=_compared(a, b, n, p, regions))


def _compared(a: str, b: str, n: NDArray[np.int64], p: Reals, regions: Sequence[Region]) -> str:
    if not len(n):
        return f"{a} and {b} have no list size in common."
    if not regions:
        lowest = int(np.argmin(p))
        return f"{a} and {b} do not differ significantly at any n (smallest p = {p[lowest]:.3g}, at n = {n[lowest]:,})."
    parts = []
    for winner, loser in ((a, b), (b, a)):
        stretches = [stretch(r.start, r.end) for r in regions if r.better == winner]
        if stretches:
            parts.append(f"{winner} is significantly better than {loser} for n = {_listed(stretches)}")
    return "; ".join(parts) + "."


def stretch(start: int, end: int) -> str:
    """A range of list sizes.

    >>> stretch(1000, 5000), stretch(300, 300)
    ('1,000 to 5,000', '300')
    """
    return f"{start:,}" if start == end else f"{start:,} to {end:,}"


def best_of(curves: dict[str, Curve], comparisons: Sequence[MeasureComparison], *, alpha: float) -> tuple[Best, ...]:
    """For each n the measure of highest precision and all that the test cannot tell from it."""
    names = list(curves)
    sizes = np.unique(np.concatenate([curve.n for curve in curves.values()]))
    precision, present = np.full((len(names), len(sizes)), np.nan), np.zeros((len(names), len(sizes)), dtype=bool)
    for row, there, curve in zip(precision, present, curves.values(), strict=True):
        at = np.searchsorted(sizes, curve.n)
        row[at], there[at] = curve.precision, True
    known = np.isfinite(precision)
    worse = _significantly_worse(names, sizes, comparisons, alpha)
    first = np.where(known, precision, -1.0).argmax(axis=0)
    # A list in which nobody judged anything is not known to be worse.
    equal = present & ~worse[first, :, np.arange(len(sizes))].T
    equal[first, np.arange(len(sizes))] = False
    return tuple(
        Best(n=n, measure=names[winner], not_significantly_worse=tuple(names[i] for i in np.flatnonzero(row)))
        for n, winner, row, any_ in zip(sizes.tolist(), first.tolist(), equal.T, known.any(axis=0), strict=True)
        if any_
    )


def largest_above(curves: dict[str, Curve], values: Sequence[float]) -> tuple[Above, ...]:
    """The largest lists whose precision, and whose lower bound, reach each value."""
    return tuple(
        Above(
            measure=name,
            value=value,
            n=_largest(curve.n, curve.precision >= value),
            n_lower_bound=_largest(curve.n, curve.low >= value),
        )
        for value in values
        for name, curve in curves.items()
    )


def above_in_words(rows: Sequence[Above]) -> list[Sentence]:
    """How far down each list is worth reading."""
    return [Sentence(code="above", text=_reach(row)) for row in rows]


def _reach(row: Above) -> str:
    start = f"{row.measure}: precision {row.value:.0%} or more"
    if row.n is None:
        return f"{start} at no n."
    if row.n_lower_bound is None:
        return f"{start} up to n = {row.n:,}, but the lower bound never reaches it."
    return f"{start} up to n = {row.n:,}; by its lower bound up to n = {row.n_lower_bound:,}."


def against_baseline(curves: dict[str, Curve], baseline: Baseline, *, alpha: float) -> Iterator[Sentence]:
    """Where ranking by a measure has no point."""
    if np.isnan(baseline.value):
        if baseline.note:
            yield Sentence(code="no_baseline", text=baseline.note)
        return
    for name, curve in curves.items():
        # The whole list is the baseline itself; it cannot be better.
        rows = np.isfinite(curve.precision) & (curve.p_baseline < 1)
        beats = (curve.p_baseline <= alpha) & (curve.precision > baseline.value)
        if rows.any() and not beats[rows].any():
            text = f"{name} is at no n significantly better than the baseline: ranking by it has no point."
            yield Sentence(code="against_baseline", text=text)
        elif (~beats & rows).any():
            where = _stretches(curve.n, ~beats & rows)
            text = f"{name} is not significantly better than the baseline for n = {where}."
            yield Sentence(code="against_baseline", text=text)


def thumb_warnings(curves: dict[str, Curve]) -> Iterator[Sentence]:
    """Where the estimates are of little use, by the rule of thumb of Evert & Krenn (2005)."""
    for name, curve in curves.items():
        sampled, precision, low = np.asarray(curve.sampled, dtype=float), curve.precision, curve.low
        open_ = np.isfinite(low) & (curve.high > low)
        few = open_ & (sampled <= FEW) & (precision < FEW_NEED)
        some = open_ & (sampled > FEW) & (sampled <= MORE) & (precision < MORE_NEED)
        if few.any() or some.any():
            where = _stretches(curve.n, few | some)
            text = (
                f"Warning: {name} at n = {where} rests on too few judgements for so low a precision "
                f"(rule of thumb: about {FEW} judged need {FEW_NEED:.0%}, about {MORE} need {MORE_NEED:.0%})."
            )
            yield Sentence(code="rule_of_thumb", text=text, warning=True)


def gains(curves: dict[str, Curve]) -> Iterator[Sentence]:
    """What a proxy gained, what the coders cost, and what breaking ties otherwise would move."""
    for name, curve in curves.items():
        if curve.proxy is not None and np.isfinite(curve.proxy.width_ratio).any():
            ratio = f"{np.nanmedian(curve.proxy.width_ratio):.0%} as wide as without it (median over n)"
            text = f"{name}: with the proxy {curve.proxy.column} the intervals are {ratio}."
            yield Sentence(code="proxy", text=text)
        if curve.coder_share_of_width is not None and np.isfinite(curve.coder_share_of_width).any():
            share = f"{np.nanmedian(curve.coder_share_of_width):.0%} of the width (median over n)"
            yield Sentence(code="coder_uncertainty", text=f"{name}: the coders' disagreement causes {share}.")
        if curve.ties is not None and np.isfinite(curve.ties.standard_deviation).any():
            spread = f"{np.nanmax(curve.ties.standard_deviation):.2%} at most (standard deviation over"
            text = f"{name}: breaking ties otherwise moves the precision by {spread} {curve.ties.draws} draws)."
            yield Sentence(code="tie_draws", text=text)


def about_the_sample(design: Design) -> Iterator[Sentence]:
    """What of the sample is not judged, what was judged beside it, and what a census means."""
    if design.waiting:
        rest = "the judged ones count as a random part of the sample"
        yield Sentence(code="waiting", text=f"{design.waiting:,} sampled candidates are not judged yet; {rest}.")
    if design.beside:
        reason = "left out, since only what was drawn at random speaks for the rest"
        text = f"{number_of(design.beside, 'candidate')} judged, but not in the sample: {reason}."
        yield Sentence(code="beside", text=text)
    if design.kind == CENSUS:
        text = (
            "All candidates are judged: differences are facts about this list, and the tests ask whether "
            "they would hold for another list like it."
        )
        yield Sentence(code="census", text=text)


def _significantly_worse(
    names: list[str], sizes: NDArray[np.int64], comparisons: Sequence[MeasureComparison], alpha: float
) -> NDArray[np.bool_]:
    """Whether the first measure is significantly better than the second, at each n."""
    worse = np.zeros((len(names), len(names), len(sizes)), dtype=bool)
    for comparison in comparisons:
        p = comparison.p if comparison.p_corrected is None else comparison.p_corrected
        at = np.searchsorted(sizes, comparison.n)
        a, b = names.index(comparison.a), names.index(comparison.b)
        winners = np.array([name or "" for name in comparison.better])
        worse[a, b, at] = (p <= alpha) & (winners == comparison.a)
        worse[b, a, at] = (p <= alpha) & (winners == comparison.b)
    return worse


def _largest(n: NDArray[np.int64], holds: NDArray[np.bool_]) -> int | None:
    return int(n[holds].max()) if holds.any() else None


def _stretches(n: NDArray[np.int64], holds: NDArray[np.bool_]) -> str:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], holds.astype(np.int8), [0]])))
    pairs = edges.reshape(-1, 2)
    return _listed([stretch(int(n[start]), int(n[end - 1])) for start, end in pairs.tolist()])


def _listed(parts: Sequence[str], *, most: int = 4) -> str:
    if len(parts) > most:
        return ", ".join(parts[:most]) + f" and {len(parts) - most} more stretches"
    return listed(parts)
