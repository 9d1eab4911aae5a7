"""The diagnosis in sentences that a person would write, for readers who have never heard of kappa."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.diagnosis import FEW_GRADES, Diagnosis, Lean
from concurrence.core import Interval

CAVEAT = (
    "What no agreement figure can show: if all coders misread the manual in the same way, they agree and are all wrong."
)
SKEWED = 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Facts:
    """What the sentences are made of.

    ``shares`` are those of the categories among all labels, ``coder_shares`` per coder; ``specific`` is how
    often a second coder repeats a category; ``distance`` is the mean difference of two ratings of one item and
    of any two items, on a numeric scale; ``graded`` tells that the coefficient gives near misses some credit.
    """

    coders: tuple[str, ...]
    categories: tuple[str, ...]
    items: int
    pairable: int
    missing_share: float
    observed: float
    chance: float
    title: str
    value: float
    interval: Interval | None
    shares: NDArray[np.float64]
    coder_shares: NDArray[np.float64] | None
    counts: Mapping[str, int]
    specific: Mapping[str, float]
    anonymous: bool = False
    distance: tuple[float, float] | None = None
    graded: bool = False


def write_sentences(facts: Facts, diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis with the sentences in which it is read aloud."""
    if facts.pairable == 0:
        nothing = "No item has labels of two coders, so nothing can be said about agreement."
        return replace(diagnosis, sentences=(nothing,), opening=1)
    opening = (*_agreement(facts), *_distance(facts), *_meaning(facts))
    parts = (
        _missing(facts),
        _prevalence(facts, diagnosis),
        _bias(facts, diagnosis),
        _ceiling(diagnosis),
        _categories(facts),
        _confused(facts, diagnosis),
        _pattern(facts, diagnosis),
        _outsider(diagnosis),
        [diagnosis.trust.sentence] if diagnosis.trust.sentence and np.isfinite(facts.value) else [],
        [CAVEAT],
    )
    reasons = (sentence for part in parts for sentence in part)
    return replace(diagnosis, sentences=(*opening, *reasons), opening=len(opening))


def percent(share: float) -> str:
    """A share for reading: 90.5 %, 83 %.

    >>> percent(0.905), percent(0.9), percent(0.99996), percent(0.0004)
    ('90.5 %', '90 %', 'almost 100 %', 'less than 0.1 %')
    """
    if 0 < share < 0.0005:
        return "less than 0.1 %"
    if 0.9995 < share < 1:
        return "almost 100 %"
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')} %"


def _missing(facts: Facts) -> Iterable[str]:
    if facts.missing_share < 0.01 or facts.anonymous:
        return
    if facts.missing_share >= 0.5:
        each = len(facts.coders) * (1 - facts.missing_share)
        told = f"An item was labelled by {each:.3g} of the {len(facts.coders)} coders on average"
    else:
        told = f"Not every coder labelled every item: {percent(facts.missing_share)} of the possible labels are missing"
    rest = facts.items - facts.pairable
    yield f"{told}." if rest == 0 else f"{told}; {rest:,} items with fewer than two labels do not count."


def _agreement(facts: Facts) -> Iterable[str]:
    who = "The coders agree" if len(facts.coders) == 2 else "Two coders picked at random agree"
    common = int(np.argmax(facts.shares))
    if _finely_graded(facts):
        return
    agreed = f"{who} on {percent(facts.observed)} of the items"
    if facts.observed == 1 and np.isnan(facts.value):
        word = facts.categories[common]
        yield f"{agreed}, but every label is {word!r}: where nobody ever says anything else, agreement proves nothing."
    elif facts.shares[common] >= SKEWED:
        yield (
            f"{agreed}, but {percent(facts.shares[common])} of the labels are {facts.categories[common]!r}, so chance "
            f"alone would give {percent(facts.chance)}."
        )
    else:
        yield f"{agreed}; people who only guessed, with the same habits, would agree on {percent(facts.chance)}."


def _distance(facts: Facts) -> Iterable[str]:
    if facts.distance is not None:
        same, any_two = facts.distance
        yield (
            f"Two ratings of the same item differ by {same:.3g} on average; two ratings of any items, matched blindly, "
            f"by {any_two:.3g}."
        )


def _meaning(facts: Facts) -> Iterable[str]:
    if np.isnan(facts.value):
        return
    name = f"({facts.title} {facts.value:.2f})"
    low, high = facts.interval if facts.interval is not None else (float("nan"), float("nan"))
    if facts.value <= 0:
        yield f"That is no better than guessing {name}."
    elif facts.value > 0.995:
        yield f"That is as good as perfect {name}."
    else:
        counted = "Counting near misses as partly right, they" if facts.graded else "They"
        way = "of the way from guessing to perfect agreement"
        yield f"{counted} have gone {percent(round(facts.value, 2))} {way} {name}."
    if facts.value > 0 and low <= 0:
        yield "The data are too few to rule out that they do no better than guessing."
    elif facts.value > 0 and high - low > 0.01:
        yield (
            "Judging other items of the same kind, the same coders would probably end up somewhere between "
            f"{percent(round(max(low, 0), 2))} and {percent(round(min(high, 1), 2))} of the way."
        )


def _prevalence(facts: Facts, diagnosis: Diagnosis) -> Iterable[str]:
    indices = diagnosis.indices
    if indices is None or not np.isfinite(indices.cohen_kappa) or facts.shares.max() < SKEWED:
        return
    even = indices.prevalence_adjusted_kappa
    if even - indices.cohen_kappa > 0.1:
        common = facts.categories[int(np.argmax(facts.shares))]
        yield (
            f"Because nearly everything is {common!r}, each disagreement weighs heavily; the same share of agreement "
            f"on evenly used categories would count as {even:.2f} instead of {indices.cohen_kappa:.2f}. "
            "Report both numbers."
        )


def _bias(facts: Facts, diagnosis: Diagnosis) -> Iterable[str]:
    if facts.coder_shares is None or diagnosis.tested_pairs == 0:
        return
    if not _habits_differ(diagnosis):
        yield "Both use the categories about equally often."
        return
    first, second = facts.coder_shares
    most = int(np.argmax(np.abs(first - second)))
    small = abs(first[most] - second[most]) < 0.03
    yield (
        f"Coder {facts.coders[0]} says {facts.categories[most]!r} for {percent(first[most])} of the items, coder "
        f"{facts.coders[1]} for {percent(second[most])}: "
        + (
            "a small difference, but a real one."
            if small
            else "a larger difference than chance explains, so they draw the line in different places."
        )
    )


def _habits_differ(diagnosis: Diagnosis) -> bool:
    test = next((t for t in diagnosis.homogeneity if t.name in ("mcnemar_exact", "stuart_maxwell")), None)
    return test is not None and test.p_value is not None and test.p_value < 0.05


def _ceiling(diagnosis: Diagnosis) -> Iterable[str]:
    indices = diagnosis.indices
    if indices is None or not _habits_differ(diagnosis) or not indices.kappa_max < 0.9:
        return
    reached = indices.kappa_max - indices.cohen_kappa < 0.005
    yield (
        f"As long as they use the categories so differently, the figure cannot rise above {indices.kappa_max:.2f}"
        + (", and they have reached that: it is habits that separate them, not care." if reached else ".")
    )


def _categories(facts: Facts) -> Iterable[str]:
    known = {c: s for c, s in facts.specific.items() if np.isfinite(s) and facts.counts[c] >= 10}
    if len(known) < 2 or facts.observed == 1 or _finely_graded(facts):
        return
    best, worst = max(known, key=lambda c: known[c]), min(known, key=lambda c: known[c])
    if known[best] - known[worst] < 0.05:
        yield f"They agree about equally well on all categories ({percent(known[worst])} to {percent(known[best])})."
        return
    other = "the other says it too" if len(facts.coders) == 2 else "another says it too"
    yield (
        f"They agree best on {best!r} (when one coder says it, {other} in {percent(known[best])} of the cases) and "
        f"least on {worst!r} ({percent(known[worst])})."
    )


def _confused(facts: Facts, diagnosis: Diagnosis) -> Iterable[str]:
    if len(facts.categories) < 3 or not diagnosis.confused or _finely_graded(facts):
        return
    top = diagnosis.confused[0]
    if top.share < 0.05:
        return
    one, other = top.categories
    yield f"Most often they cannot agree between {one!r} and {other!r}: {percent(top.share)} of all disagreements."


def _pattern(facts: Facts, diagnosis: Diagnosis) -> Iterable[str]:
    if facts.anonymous or facts.observed == 1:
        return
    if diagnosis.pattern == "undecided":
        yield "There are too few disagreements to tell slips of attention from a pattern."
    elif diagnosis.pattern == "unsystematic":
        yield (
            "The disagreements fall to both sides about equally, as slips of attention do; nothing points to coders "
            "who read the manual differently."
            if not diagnosis.leans
            else "In most pairs of coders the disagreements fall to both sides about equally, as slips of attention "
            f"do; in {len(diagnosis.leans)} of {diagnosis.tested_pairs} they lean to one side, as when "
            f"{_lean(diagnosis.leans[0])}."
        )
    else:
        yield (
            f"{_where_it_leans(facts, diagnosis)} {_lean(diagnosis.leans[0])}. That looks systematic, like different "
            "intuitions or a different reading of the manual, not like slips: talk these cases over."
        )


def _lean(lean: Lean) -> str:
    back = _times(lean.other_way) if lean.other_way else "never"
    if lean.categories is None:
        return (
            f"coder {lean.coders[0]} rates higher than coder {lean.coders[1]} {_times(lean.this_way)}, the other way "
            f"round {back}"
        )
    return (
        f"coder {lean.coders[0]} says {lean.categories[0]!r} where coder {lean.coders[1]} says {lean.categories[1]!r} "
        f"{_times(lean.this_way)}, the other way round {back}"
    )


def _where_it_leans(facts: Facts, diagnosis: Diagnosis) -> str:
    if len(facts.coders) == 2:
        return "The disagreements lean to one side:"
    tested, found = diagnosis.tested_pairs, len(diagnosis.leans)
    if tested == 1:
        return "Of the one pair of coders with enough disagreements to tell, the disagreements lean to one side:"
    return f"In {found} of the {tested} pairs of coders that can be tested the disagreements lean to one side, as when"


def _finely_graded(facts: Facts) -> bool:
    """Whether exact agreement is too much to ask: a numeric scale with many values."""
    return facts.distance is not None and len(facts.categories) > FEW_GRADES


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _outsider(diagnosis: Diagnosis) -> Iterable[str]:
    known = [entry for entry in diagnosis.leave_one_out if np.isfinite(entry.change)]
    if not known:
        return
    top = max(known, key=lambda entry: entry.change)
    before = top.value - top.change
    if top.change >= 0.03:
        yield (
            f"Coder {top.coder} stands apart: without {top.coder} the figure would rise from {before:.2f} to "
            f"{top.value:.2f}."
        )
    else:
        highest = max(top.value, before)
        yield f"No coder stands apart: without any one of them the figure would be at most {highest:.2f}."
