"""The diagnosis in sentences that a person would write, for readers who have never heard of kappa."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.labels.diagnosis.categories import Confusion
from concurrence.agreement.labels.diagnosis.diagnose import ALPHA, Diagnosis, LeftOut, OneSidedConfusion
from concurrence.agreement.labels.dual.true_agreement import NOTHING_FITS, TrueAgreement
from concurrence.core import Interval, Labels
from concurrence.core.sentences import Sentence, count_noun, format_p, join_words
from concurrence.core.values import value

CAVEAT = "Agreement is not accuracy: coders who misread the manual in the same way agree, and are all wrong."
SKEWED = 0.8
MOST_NAMED = 6
"""Coders and categories are named up to so many, and counted beyond."""
FEW_MISSING = 0.01
MATTERS = 0.05
"""A coder stands apart only where leaving them out changes the coefficient by at least so much."""
TESTS = {"mcnemar_exact": "McNemar's exact test", "stuart_maxwell": "Stuart and Maxwell's test"}


@value
class Facts:
    """What the sentences are made of.

    ``shares`` are those of the categories among all labels, ``coder_shares`` per coder; ``specific`` is how
    often a second coder repeats a category, ``extremes`` those where this is highest and lowest, with a p-value of the
    difference; ``distance`` is the mean difference of two ratings of one item and
    of any two items, on a numeric scale; ``graded`` tells that the coefficient gives near misses some credit,
    ``finely_graded`` that a numeric scale has too many values to ask for exact agreement; ``doubts`` are reasons not
    to trust an analytic interval, ``trusted`` whether the one that is shown has been tried on such data.
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
    trusted: bool = True
    extremes: tuple[str, str, float] | None = None
    anonymous: bool = False
    distance: tuple[float, float] | None = None
    graded: bool = False
    finely_graded: bool = False

    @property
    def common(self) -> str:
        """The category that was given most often."""
        return self.categories[int(np.argmax(self.shares))]


def percent(share: float) -> str:
    """A share for reading: 90.5%, 83%.

    >>> percent(0.905), percent(0.9), percent(0.99996), percent(0.0004)
    ('90.5%', '90%', 'almost 100%', 'less than 0.1%')
    """
    if 0 < share < 0.0005:
        return "less than 0.1%"
    if 0.9995 < share < 1:
        return "almost 100%"
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')}%"


def coder_name(coder: str) -> str:
    """A coder's name; a bare number is called a coder.

    >>> coder_name("ann"), coder_name("1")
    ('ann', 'coder 1')
    """
    return f"coder {coder}" if coder.isdecimal() else coder


def capitalize_coder(coder: str, text: str) -> str:
    """A sentence that begins with what a coder is called: a capital for a number, but a name stays as it is.

    >>> capitalize_coder("1", "coder 1 stands apart."), capitalize_coder("c4", "c4 stands apart.")
    ('Coder 1 stands apart.', 'c4 stands apart.')
    """
    return text if coder_name(coder) == coder else text[0].upper() + text[1:]


def reasons(facts: Facts, diagnosis: Diagnosis, left_out: Sequence[LeftOut]) -> tuple[Sentence, ...]:
    """Where agreement and disagreement come from, and what to make of the interval."""
    if facts.pairable == 0:
        return ()
    parts = (
        _missing(facts) if facts.missing_share >= FEW_MISSING and not facts.anonymous else [],
        _prevalence(facts, diagnosis),
        _bias(facts, diagnosis),
        _categories(facts, diagnosis),
        _pattern(facts, diagnosis),
        _outsider(facts, left_out) if left_out else [],
        [doubt(facts.doubts, facts.interval.method, trusted=facts.trusted)]
        if facts.doubts and np.isfinite(facts.value)
        else [],
        [Sentence(code="caveat", text=CAVEAT)],
    )
    return tuple(sentence for part in parts for sentence in part)


def doubt(reasons: Sequence[str], method: str, *, trusted: bool) -> Sentence:
    """The warning that analytic intervals cannot be trusted, what to take instead, and whether that can."""
    why = f"Too little data for the analytic interval ({join_words(reasons)}), which is probably too narrow"
    instead = {
        "posterior": "; a posterior interval is shown instead."
        + (" With so little data it may be too narrow, too." if not trusted else ""),
        "log_t": "; the interval shown allows for that, but may still be too narrow. The bootstrap gives another.",
        "exact": "; the interval shown is exact.",
        "bootstrap_bca": "; the interval shown is from the bootstrap.",
    }.get(method, "; the bootstrap gives one that does not rest on this formula.")
    return Sentence(code="interval_untrusted", text=why + instead, warning=True)


def leading_sentence(title: str, estimate: float, interval: Interval, *, corrected: bool) -> Sentence:
    """The coefficient that leads the report, with its interval."""
    low, high = interval
    if corrected:
        title = "Corrected for chance, " + (title if "'s" in title else title[0].lower() + title[1:])
    if np.isnan(low):
        text = f"{title} is {estimate:.3f}; too few or too uniform items for an interval."
    elif high - low < 1e-12:
        text = f"{title} is {estimate:.3f}; the items are too uniform for an interval that means something."
    else:
        kind = "posterior interval" if interval.method == "posterior" else "interval"
        text = f"{title} is {estimate:.3f} ({interval.level:.0%} {kind} {low:.3f} to {high:.3f})."
    return Sentence(code="coefficient", text=text)


def read_sentence(labels: Labels, items: int) -> Sentence:
    """What was read: how many items, whose labels, and which categories."""
    few = labels.n_coders <= MOST_NAMED and not all(name.isdecimal() for name in labels.coders)
    who = ", ".join(labels.coders) if few else f"{labels.n_coders:,} coders"
    named = len(labels.categories) <= MOST_NAMED
    what = f": {', '.join(labels.categories)}" if named else f", {len(labels.categories):,} of them"
    how = "declared" if labels.categories_declared else "as found"
    by = "unknown coders" if labels.anonymous else who
    return Sentence(
        code="data", text=f"Read {items:,} item{'s' * (items != 1)} labelled by {by}; categories ({how}){what}."
    )


def true_sentence(truth: TrueAgreement) -> Sentence:
    """How much of the agreement is true, under which assumption, and without it."""
    low, high = truth.interval
    if np.isnan(low):
        return Sentence(code="true_agreement", text=f"By the dual model, {NOTHING_FITS}.", warning=True)
    wide, first, last = truth.conservative, percent(low), percent(high)
    between = first if first == last else f"{first} to {last}"
    without = (
        ""
        if np.isnan(wide.low)
        else f"; {percent(wide.low)} to {percent(wide.high)} without that assumption (conservative)"
    )
    error = ", which are estimated from few disagreements" if truth.interval_method == "homogeneity_exact" else ""
    text = (
        f"True agreement accounts for {between} of the items ({truth.level:.0%} interval, "
        f"assuming homogeneity: true agreement uses the categories at the overall rates{error}){without}."
    )
    return Sentence(code="true_agreement", text=text)


def opening_sentences(facts: Facts) -> Iterable[Sentence]:
    """How much agreement there is."""
    if facts.pairable == 0:
        nothing = "No item has labels from two coders, so nothing can be said about agreement."
        yield Sentence(code="nothing_shared", text=nothing, warning=True)
        return
    who = "The coders agree" if len(facts.coders) == 2 else "Two coders picked at random agree"
    agreed, code = f"{who} on {percent(facts.observed)} of the items", "percent_agreement"
    if facts.finely_graded:
        pass
    elif facts.observed == 1 and np.isnan(facts.value):
        yield Sentence(code=code, text=f"{agreed}, but every label is {facts.common!r}, so agreement proves nothing.")
    elif facts.shares.max() >= SKEWED:
        share = f"{percent(float(facts.shares.max()))} of the labels are {facts.common!r}"
        yield Sentence(code=code, text=f"{agreed}, but {share}, so chance alone would give {percent(facts.chance)}.")
    else:
        yield Sentence(code=code, text=f"{agreed}; guessing at the same rates would give {percent(facts.chance)}.")
    if facts.distance is not None:
        same, any_two = facts.distance
        text = f"Two ratings of the same item differ by {same:.3g} on average, two ratings of any two items by "
        yield Sentence(code="distance", text=f"{text}{any_two:.3g}.")
    yield from _meaning(facts)


def _meaning(facts: Facts) -> Iterable[Sentence]:
    if np.isnan(facts.value):
        return
    name, low = f"({facts.title} {facts.value:.2f})", facts.interval.low
    if facts.value <= 0:
        text = f"That is no better than guessing {name}."
    elif facts.value > 0.995:
        text = f"That is perfect agreement {name}." if facts.value == 1 else f"That is nearly perfect agreement {name}."
    else:
        counted = "Counting near misses as partly right, that" if facts.graded else "That"
        way = "of the way from guessing to perfect agreement"
        text = f"{counted} is {percent(round(facts.value, 2))} {way}."
    yield Sentence(code="meaning", text=text)
    if facts.value > 0 and low <= 0:
        text = "The interval includes 0: these data do not rule out that the coders do no better than guessing."
        yield Sentence(code="low_power", text=text, warning=True)


def _missing(facts: Facts) -> Iterable[Sentence]:
    if facts.missing_share >= 0.5:
        each = len(facts.coders) * (1 - facts.missing_share)
        text = f"On average, {each:.3g} of the {len(facts.coders):,} coders labelled an item"
    else:
        text = f"Not every coder labelled every item: {percent(facts.missing_share)} of the possible labels are missing"
    rest = facts.items - facts.pairable
    left = (
        ""
        if rest == 0
        else f"; {count_noun(rest, 'item')} with fewer than two labels {'is' if rest == 1 else 'are'} left out"
    )
    yield Sentence(code="missing_labels", text=f"{text}{left}.")


def _prevalence(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """What a common category does to the kappa of two coders."""
    three = diagnosis.three_numbers
    if three is None or facts.shares.max() < SKEWED:
        return
    even, kappa = three.prevalence_adjusted_kappa, three.cohen_kappa
    if even - kappa > 0.1:
        text = (
            f"Because most labels are {facts.common!r}, each disagreement weighs heavily: with equally common "
            f"categories the same percent agreement would give {even:.2f} instead of {kappa:.2f}. Report both numbers."
        )
        yield Sentence(code="prevalence", text=text)


def _bias(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """Whether two coders use the categories equally often, and what it costs if they do not."""
    test = next((t for t in diagnosis.homogeneity if t.name in TESTS), None)
    if facts.coder_shares is None or test is None or test.p_value is None or diagnosis.tested_pairs == 0:
        return
    first, second = facts.coder_shares
    most = int(np.argmax(np.abs(first - second)))
    rates = f"{percent(first[most])} of the items, {coder_name(facts.coders[1])} for {percent(second[most])}"
    text = f"{coder_name(facts.coders[0])} chooses {facts.categories[most]!r} for {rates}"
    verdict = "a significant difference" if test.p_value < ALPHA else "no significant difference"
    text = f"{text}: {verdict} ({TESTS[test.name]}, {format_p(test.p_value)})."
    yield Sentence(code="bias" if test.p_value < ALPHA else "no_bias", text=capitalize_coder(facts.coders[0], text))
    if test.p_value < ALPHA and diagnosis.kappa_max is not None and diagnosis.kappa_max < 0.9:
        text = f"At these rates Cohen's kappa cannot exceed {diagnosis.kappa_max:.2f}"
        three = diagnosis.three_numbers
        reached = three is not None and diagnosis.kappa_max - three.cohen_kappa < 0.005
        yield Sentence(code="ceiling", text=f"{text}, which is what they reached." if reached else f"{text}.")


def _categories(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """On which categories they agree best and least, and which they confuse."""
    if facts.finely_graded:
        return
    if facts.extremes is not None and facts.observed < 1:
        best, worst, p_value = facts.extremes
        rates = facts.specific
        high, low = percent(rates[best]), percent(rates[worst])
        if rates[best] - rates[worst] < 0.05:
            text = f"Agreement is about the same on all categories ({low} to {high})."
        elif p_value > ALPHA:
            text = f"Agreement on single categories ranges from {low} to {high}, which may be chance."
        else:
            other = "the other does too" if len(facts.coders) == 2 else "another does too"
            text = (
                f"Agreement is highest on {best!r} (when one coder chooses it, {other} in {high} of the cases) and "
                f"lowest on {worst!r} ({low})."
            )
        yield Sentence(code="categories", text=text)
    if len(facts.categories) >= 3 and diagnosis.confused and diagnosis.confused[0].share >= 0.05:
        yield from _confusion_sentence(diagnosis.confused)


def _confusion_sentence(confused: Sequence[Confusion]) -> Iterable[Sentence]:
    """Which two categories meet most often in disagreements; nothing where others meet as often."""
    top = confused[0]
    between = f"between {top.categories[0]!r} and {top.categories[1]!r}"
    if len(confused) > 1 and confused[1].pairs == top.pairs:
        return
    if top.share == 1:
        text = f"The only disagreement is {between}." if top.pairs == 1 else f"All disagreements are {between}."
    else:
        most = "Most disagreements are" if top.share > 0.5 else "The most frequent disagreement is"
        text = f"{most} {between}: {percent(top.share)} of all disagreements."
    yield Sentence(code="confused", text=text)


def _pattern(facts: Facts, diagnosis: Diagnosis) -> Iterable[Sentence]:
    """Whether disagreements lean in one direction; what caused them is not in the data."""
    leans, tested = diagnosis.leans, diagnosis.tested_pairs
    if facts.anonymous or facts.observed == 1:
        return
    two = len(facts.coders) == 2
    if diagnosis.pattern == "undecided":
        few = "There are fewer than ten disagreements" if two else "No pair of coders has ten disagreements"
        text = f"{few}, too few to test whether they lean in one direction."
    elif not leans:
        which = (
            "The disagreements do" if two else f"In none of the {tested:,} pairs of coders tested do the disagreements"
        )
        text = f"{which}{' not' if two else ''} lean significantly in one direction (test of symmetry)."
        text = (
            text
            if two or tested > 1
            else "The disagreements of the one pair of coders tested do not lean significantly."
        )
    else:
        where = (
            "The disagreements"
            if two
            else f"In {len(leans):,} of the {tested:,} pairs of coders tested, the disagreements"
        )
        where = where if two or len(leans) < tested else f"In all {tested:,} pairs of coders tested, the disagreements"
        where = where if two or tested > 1 else "In the one pair of coders tested, the disagreements"
        text = f"{where} lean in one direction: {_lean(leans[0])} ({format_p(leans[0].p_value)})."
    yield Sentence(code="pattern" if diagnosis.pattern == "systematic" else "no_pattern", text=text)


def _lean(lean: OneSidedConfusion) -> str:
    this, back = (
        {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times") for count in (lean.this_way, lean.other_way)
    )
    first, second = map(coder_name, lean.coders)
    if lean.categories is None:
        return f"{first} rates higher than {second} {this}, the other way round {back}"
    one, other = lean.categories
    return f"{first} chooses {one!r} where {second} chooses {other!r} {this}, the other way round {back}"


def outsiders(left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """The coders without whom agreement on the same items is higher, beyond doubt and by enough to matter."""
    return [
        one
        for one in left_out
        if one.interval is not None and one.interval.low > 0 and one.change >= MATTERS and (one.p_value or 0) <= ALPHA
    ]


def _outsider(facts: Facts, left_out: Sequence[LeftOut]) -> Iterable[Sentence]:
    """The coder who stands apart most."""
    if not (apart := outsiders(left_out)):
        return
    top = max(apart, key=lambda one: one.change)
    low, high = top.interval or (np.nan, np.nan)
    name = coder_name(top.coder)
    text = (
        f"{name} stands apart: on the {count_noun(top.items, 'item')} that {name} and at "
        f"least two others labelled, {facts.title} is {top.value - top.change:.2f} with and {top.value:.2f} without "
        f"{name} ({facts.interval.level:.0%} interval of the change {low:.2f} to {high:.2f})."
    )
    yield Sentence(code="outlier_coder", text=capitalize_coder(top.coder, text), warning=True)
