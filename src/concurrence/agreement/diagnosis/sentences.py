"""The diagnosis in sentences that a person would write, for readers who have never heard of kappa."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.diagnosis.diagnose import Diagnosis, Lean, LeftOut
from concurrence.agreement.dual.true_agreement import NOTHING_FITS, TrueAgreement
from concurrence.core import Interval
from concurrence.core.sentences import Sentence, listed
from concurrence.core.values import value

CAVEAT = (
    "What no agreement figure can show: if all coders misread the manual in the same way, they agree and are all wrong."
)
SKEWED = 0.8


@value
class Facts:
    """What the sentences are made of.

    ``shares`` are those of the categories among all labels, ``coder_shares`` per coder; ``specific`` is how
    often a second coder repeats a category; ``distance`` is the mean difference of two ratings of one item and
    of any two items, on a numeric scale; ``graded`` tells that the coefficient gives near misses some credit,
    ``finely_graded`` that a numeric scale has too many values to ask for exact agreement; ``doubts`` are reasons not
    to trust an analytic interval.
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
    interval: Interval
    shares: NDArray[np.float64]
    coder_shares: NDArray[np.float64] | None
    counts: Mapping[str, int]
    specific: Mapping[str, float]
    doubts: tuple[str, ...]
    anonymous: bool = False
    distance: tuple[float, float] | None = None
    graded: bool = False
    finely_graded: bool = False

    @property
    def common(self) -> str:
        """The category that was given most often."""
        return self.categories[int(np.argmax(self.shares))]


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


def reasons(facts: Facts, diagnosis: Diagnosis, left_out: Sequence[LeftOut]) -> tuple[Sentence, ...]:
    """Where agreement and disagreement come from, and what to make of the interval."""
    if facts.pairable == 0:
        return ()
    parts = (
        _missing(facts),
        _habits(facts, diagnosis),
        _categories(facts, diagnosis),
        _pattern(facts, diagnosis),
        _outsider(left_out),
        [doubt(facts.doubts, facts.interval.method)] if facts.doubts and np.isfinite(facts.value) else [],
        [Sentence(code="caveat", text=CAVEAT)],
    )
    return tuple(sentence for part in parts for sentence in part)


def doubt(reasons: Sequence[str], method: str) -> Sentence:
    """The warning that analytic intervals cannot be trusted, and what to take instead."""
    why = (
        f"The analytic interval cannot be trusted here, for want of data ({listed(reasons)}); it is probably too short"
    )
    instead = {
        "posterior": ", so a posterior interval stands in its place.",
        "exact": "; the interval shown is an exact one.",
        "bootstrap_bca": "; the interval shown is that of the bootstrap.",
    }.get(method, ", so take the bootstrap's (--bootstrap 2000).")
    return Sentence(code="interval_untrusted", text=why + instead, warning=True)


def leading_sentence(title: str, estimate: float, interval: Interval, *, certain: bool) -> Sentence:
    """The coefficient that is told first, with its interval."""
    low, high = interval
    said = f"Beyond chance, {title} is {estimate:.3f}"
    if np.isnan(low) or certain:
        return Sentence(code="coefficient", text=f"{said}; so few or so uniform items say nothing of how sure that is.")
    why = " (a posterior interval, since the data are few)" if interval.method == "posterior" else ""
    text = f"{said}; with {interval.level:.0%} confidence the true value lies between {low:.3f} and {high:.3f}{why}."
    return Sentence(code="coefficient", text=text)


def true_sentence(truth: TrueAgreement) -> Sentence:
    """How much of the agreement is true."""
    low, high = truth.homogeneity
    if np.isnan(low):
        return Sentence(code="true_agreement", text=f"By the dual model, {NOTHING_FITS}.", warning=True)
    text = f"True agreement, not coincidence, accounts for {low:.1%} to {high:.1%} of the items."
    return Sentence(code="true_agreement", text=text)


def opening_sentences(facts: Facts) -> Iterable[Sentence]:
    """How much agreement there is."""
    if facts.pairable == 0:
        nothing = "No item has labels of two coders, so nothing can be said about agreement."
        yield Sentence(code="nothing_shared", text=nothing, warning=True)
        return
    who = "The coders agree" if len(facts.coders) == 2 else "Two coders picked at random agree"
    agreed, code = f"{who} on {percent(facts.observed)} of the items", "percent_agreement"
    if facts.finely_graded:
        pass
    elif facts.observed == 1 and np.isnan(facts.value):
        text = f"{agreed}, but every label is {facts.common!r}: where nobody ever says anything else, agreement proves "
        yield Sentence(code=code, text=f"{text}nothing.")
    elif facts.shares.max() >= SKEWED:
        share = f"{percent(float(facts.shares.max()))} of the labels are {facts.common!r}"
        yield Sentence(code=code, text=f"{agreed}, but {share}, so chance alone would give {percent(facts.chance)}.")
    else:
        guessing = f"people who only guessed, with the same habits, would agree on {percent(facts.chance)}"
        yield Sentence(code=code, text=f"{agreed}; {guessing}.")
    if facts.distance is not None:
        same, any_two = facts.distance
        text = (
            f"Two ratings of the same item differ by {same:.3g} on average; two ratings of any items, matched blindly, "
        )
        yield Sentence(code="distance", text=f"{text}by {any_two:.3g}.")
    yield from _meaning(facts)


def _meaning(facts: Facts) -> Iterable[Sentence]:
    if np.isnan(facts.value):
        return
    name, (low, high) = f"({facts.title} {facts.value:.2f})", facts.interval
    if facts.value <= 0:
        text = f"That is no better than guessing {name}."
    elif facts.value > 0.995:
        text = f"That is as good as perfect {name}."
    else:
        counted = "Counting near misses as partly right, they" if facts.graded else "They"
        way = "of the way from guessing to perfect agreement"
        text = f"{counted} have gone {percent(round(facts.value, 2))} {way} {name}."
    yield Sentence(code="meaning", text=text)
    if facts.value > 0 and low <= 0:
        text = "The data are too few to rule out that they do no better than guessing."
        yield Sentence(code="low_power", text=text)
    elif facts.value > 0 and high - low > 0.01:
        text = (
            "Judging other items of the same kind, the same coders would probably end up somewhere between "
            f"{percent(round(max(low, 0), 2))} and {percent(round(min(high, 1), 2))} of the way."
        )
        yield Sentence(code="prediction", text=text)


def _missing(facts: Facts) -> Iterable[Sentence]:
    if facts.missing_share < 0.01 or facts.anonymous:
        return
    if facts.missing_share >= 0.5:
        each = len(facts.coders) * (1 - facts.missing_share)
        told = f"An item was labelled by {each:.3g} of the {len(facts.coders)} coders on average"
    else:
        told = f"Not every coder labelled every item: {percent(facts.missing_share)} of the possible labels are missing"
    rest = facts.items - facts.pairable
    left = "" if rest == 0 else f"; {rest:,} items with fewer than two labels do not count"
    yield Sentence(code="missing_labels", text=f"{told}{left}.")


def _habits(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """What prevalence and the habits of two coders do to the figure."""
    three = diagnosis.three_numbers
    if three is None or diagnosis.kappa_max is None:
        return
    even, kappa = three.prevalence_adjusted_kappa, three.cohen_kappa
    if facts.shares.max() >= SKEWED and even - kappa > 0.1:
        text = (
            f"Because nearly everything is {facts.common!r}, each disagreement weighs heavily; the same share of "
            f"agreement on evenly used categories would count as {even:.2f} instead of {kappa:.2f}. Report both "
            "numbers."
        )
        yield Sentence(code="prevalence", text=text)
    if facts.coder_shares is None or diagnosis.tested_pairs == 0:
        return
    test = next((t for t in diagnosis.homogeneity if t.name in ("mcnemar_exact", "stuart_maxwell")), None)
    if test is None or test.p_value is None or test.p_value >= 0.05:
        yield Sentence(code="bias", text="Both use the categories about equally often.")
        return
    first, second = facts.coder_shares
    most = int(np.argmax(np.abs(first - second)))
    small = abs(first[most] - second[most]) < 0.03
    text = (
        f"Coder {facts.coders[0]} says {facts.categories[most]!r} for {percent(first[most])} of the items, coder "
        f"{facts.coders[1]} for {percent(second[most])}: "
    )
    what = "a larger difference than chance explains, so they draw the line in different places."
    yield Sentence(code="bias", text=text + ("a small difference, but a real one." if small else what))
    if diagnosis.kappa_max < 0.9:
        reached = diagnosis.kappa_max - kappa < 0.005
        end = ", and they have reached that: it is habits that separate them, not care." if reached else "."
        text = (
            f"As long as they use the categories so differently, the figure cannot rise above {diagnosis.kappa_max:.2f}"
        )
        yield Sentence(code="ceiling", text=text + end)


def _categories(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """On which categories they agree best and least, and which they confuse."""
    if facts.finely_graded:
        return
    known = {c: s for c, s in facts.specific.items() if np.isfinite(s) and facts.counts[c] >= 10}
    if len(known) >= 2 and facts.observed < 1:
        best, worst = max(known, key=lambda c: known[c]), min(known, key=lambda c: known[c])
        high, low = percent(known[best]), percent(known[worst])
        if known[best] - known[worst] < 0.05:
            text = f"They agree about equally well on all categories ({low} to {high})."
        else:
            other = "the other says it too" if len(facts.coders) == 2 else "another says it too"
            text = (
                f"They agree best on {best!r} (when one coder says it, {other} in {high} of the cases) and least on "
                f"{worst!r} ({low})."
            )
        yield Sentence(code="categories", text=text)
    if len(facts.categories) >= 3 and diagnosis.confused and diagnosis.confused[0].share >= 0.05:
        (one, other), share = diagnosis.confused[0].categories, percent(diagnosis.confused[0].share)
        text = f"Most often they cannot agree between {one!r} and {other!r}: {share} of all disagreements."
        yield Sentence(code="confused", text=text)


def _pattern(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    leans, tested = diagnosis.leans, diagnosis.tested_pairs
    if facts.anonymous or facts.observed == 1:
        return
    if diagnosis.pattern == "undecided":
        text = "There are too few disagreements to tell slips of attention from a pattern."
    elif diagnosis.pattern == "unsystematic" and not leans:
        text = (
            "The disagreements fall to both sides about equally, as slips of attention do; nothing points to coders "
            "who read the manual differently."
        )
    elif diagnosis.pattern == "unsystematic":
        text = (
            "In most pairs of coders the disagreements fall to both sides about equally, as slips of attention do; in "
            f"{len(leans)} of {tested} they lean to one side, as when {_lean(leans[0])}."
        )
    else:
        where = (
            f"In {len(leans)} of the {tested} pairs of coders that can be tested the disagreements lean to one side, "
        )
        if len(facts.coders) == 2:
            where = "The disagreements lean to one side: "
        elif tested == 1:
            where = "Of the one pair of coders with enough disagreements to tell, the disagreements lean to one side: "
        text = (
            f"{where if where.endswith(': ') else f'{where}as when '}{_lean(leans[0])}. That looks systematic, like "
            "different intuitions or a different reading of the manual, not like slips: talk these cases over."
        )
    yield Sentence(code="pattern", text=text)


def _lean(lean: Lean) -> str:
    this, back = (
        {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times") for count in (lean.this_way, lean.other_way)
    )
    if lean.categories is None:
        return f"coder {lean.coders[0]} rates higher than coder {lean.coders[1]} {this}, the other way round {back}"
    (first, second), (one, other) = lean.coders, lean.categories
    return f"coder {first} says {one!r} where coder {second} says {other!r} {this}, the other way round {back}"


def _outsider(left_out: Sequence[LeftOut]) -> Iterable[Sentence]:
    known = [entry for entry in left_out if np.isfinite(entry.change)]
    if not known:
        return
    top = max(known, key=lambda entry: entry.change)
    before = top.value - top.change
    if top.change >= 0.03:
        text = f"Coder {top.coder} stands apart: without {top.coder} the figure would rise from {before:.2f} to "
        yield Sentence(code="outlier_coder", text=f"{text}{top.value:.2f}.", warning=True)
    else:
        highest = max(top.value, before)
        text = f"No coder stands apart: without any one of them the figure would be at most {highest:.2f}."
        yield Sentence(code="no_outlier", text=text)
