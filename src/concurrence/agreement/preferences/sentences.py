"""Sentences about comparisons; differences are mentioned only if a test shows them."""

from collections.abc import Sequence
from math import isnan

from concurrence.agreement.preferences.between_coders import CoderAgreement
from concurrence.agreement.preferences.evidence import Evidence
from concurrence.agreement.preferences.network import Network
from concurrence.agreement.preferences.results import FurtherComparisons, ItemStrength, PositionBias, StrengthDifference
from concurrence.core.sentences import Sentence, format_p, join_words

ALPHA = 0.05
EQUAL = 1e-9  # strengths that differ by less are the same
MOST_NAMED = 4
LARGER = 1.25  # ratio of standard errors by coders to those of independent comparisons, from which it is told


def name_some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    if len(names) <= MOST_NAMED + 1:
        return join_words(list(names))
    return join_words([*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} others"])


def of_ranking(items: dict[str, ItemStrength], differences: Sequence[StrengthDifference]) -> Sentence:
    """Which item is strongest, and which items it was shown to be stronger than."""
    first, *rest = items
    behind = {pair.b if pair.a == first else pair.a for pair in differences if pair.apart and first in (pair.a, pair.b)}
    alike = [name for name in rest if name not in behind]
    equal = [name for name in items if items[name].strength > items[first].strength - EQUAL]
    if len(equal) > 1:
        return Sentence(code="leading_group", text=f"{name_some(equal)} share the highest strength.")
    low, high = items[first].interval
    opening = (
        f"{first} has the highest strength, {items[first].strength:.2f} ({items[first].interval.level:.0%} interval "
    )
    opening += f"{low:.2f} to {high:.2f})"
    if not alike:
        return Sentence(code="ahead", text=f"{opening}, and is ahead of every other item (corrected for all pairs).")
    if len(alike) == len(rest):
        return Sentence(code="no_difference", text=f"{opening}, but it was not shown to be ahead of any other item.")
    text = f"{opening}; it was not shown to be ahead of {name_some(alike)} (corrected for all pairs)."
    return Sentence(code="leading_group", text=text)


def of_existence(network: Network, *, finite: bool) -> list[Sentence]:
    """Why maximum likelihood has no solution, and what is reported instead."""
    if finite:
        return []
    facts = []
    if network.strong:
        facts.append("too few comparisons went against the stronger item")
    if network.above:
        facts.append(f"{name_some(network.above)} never lost to or tied with {_others(network.above)}")
    if network.below and network.below != network.above:
        facts.append(f"{name_some(network.below)} never beat or tied with {_others(network.below)}")
    text = (
        f"Maximum likelihood has no finite solution: {' and '.join(facts)}. The strengths are estimates with reduced "
        "bias (Firth), which always exist."
    )
    return [Sentence(code="no_maximum_likelihood", text=text, warning=True)]


def _others(group: Sequence[str]) -> str:
    return "another item" if len(group) == 1 else "an item outside this group"


def of_position(bias: PositionBias) -> list[Sentence]:
    """Whether being shown first helps; nothing is said where it was not shown."""
    if isnan(bias.p_value) or bias.p_value >= ALPHA or bias.note:
        return []
    which = "first" if bias.value > 0 else "second"
    share = bias.share if bias.value > 0 else 1 - bias.share
    text = f"The item shown {which} is preferred more often: of two equal items it would win {share:.0%} "
    text += f"({format_p(bias.p_value, '.2g')})."
    if not bias.in_model:
        text += " The strengths do not take this into account."
    return [Sentence(code="position_bias", text=text, warning=not bias.in_model)]


def of_evidence(evidence: Evidence, n_coders: int) -> list[Sentence]:
    """What intervals and tests rest on, where it matters: one coder, too few coders, or larger errors by coders."""
    if evidence.doubt is not None:
        text = (
            f"{evidence.doubt}. The intervals take all comparisons as independent, which is too narrow if coders "
            "prefer different items, and no test tells items apart."
        )
        return [Sentence(code="interval_untrusted", text=text, warning=True)]
    if n_coders == 1:
        text = "All comparisons are by one coder: intervals and tests are about what this coder prefers."
        return [Sentence(code="one_coder", text=text)]
    if evidence.ratio > LARGER:
        text = (
            f"The standard errors, from leaving out coders in turn, are {evidence.ratio:.1f} times as large as those "
            "of independent comparisons."
        )
        return [Sentence(code="errors_by_coders", text=text)]
    return []


def of_coder_agreement(agreement: CoderAgreement) -> list[Sentence]:
    """How well coders agree on comparisons."""
    if isnan(agreement.value):
        return []
    interval = agreement.interval if agreement.trusted else None
    ends = "" if interval is None else f" ({interval.level:.0%} interval {interval.low:.2f} to {interval.high:.2f})"
    text = (
        f"Two coders who compare the same two items agree in {agreement.observed:.0%} of the cases; guessing would "
        f"give {agreement.expected:.0%}. Agreement beyond chance is {agreement.value:.2f}{ends}."
    )
    remarks = [Sentence(code="coder_agreement", text=text)]
    if agreement.certain and agreement.note is not None:
        remarks.append(Sentence(code="interval_untrusted", text=agreement.note, warning=True))
    return remarks


def of_fit(p_value: float, deviance: float, free: int) -> list[Sentence]:
    """Whether one scale of strengths describes the comparisons."""
    if isnan(p_value) or p_value >= ALPHA:
        return []
    text = (
        f"One strength per item does not describe these comparisons well (deviance {deviance:.1f} with {free} degrees "
        f"of freedom, {format_p(p_value, '.2g')}): some items win against some others more or less often than "
        "their strengths say."
    )
    return [Sentence(code="misfit", text=text, warning=True)]


def of_further(further: Sequence[FurtherComparisons]) -> list[Sentence]:
    """What it would take to tell the neighbours at the top apart."""
    if not further or further[0].comparisons is None or further[0].comparisons == 0:
        return []
    one = further[0]
    text = (
        f"To tell {one.a} from {one.b} at a win rate of {one.win_rate:.0%} with a chance of 80%, about "
        f"{one.comparisons:,} further comparisons of the two are needed (in a test of these two alone)."
    )
    return [Sentence(code="further_comparisons", text=text)]
