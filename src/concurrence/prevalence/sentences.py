"""What a rate says, in sentences; what was not tested is not said."""

from collections.abc import Mapping
from math import isnan

from scipy.special import chdtrc

from concurrence.core.results import Interval
from concurrence.core.sentences import Sentence, count_noun
from concurrence.prevalence.cells import ClassCells
from concurrence.prevalence.results import (
    CorrectedShare,
    EstimatedShare,
    JudgeQuality,
    NextJudgements,
    OneLook,
    RateData,
)

LITTLE = 0.05
FEW_DOCUMENTS = 15
HARDLY = 0.001


def corrected_count_sentences(positive: int, tested: int, share: CorrectedShare) -> list[Sentence]:
    """A corrected count in words."""
    if isnan(share.value):
        return [Sentence(code="undefined", text=share.note or "The rate is undefined.", warning=True)]
    corrected = (
        f"{share.value:.1%} are true ({_ends(share.interval)})"
        if share.interval is not None
        else f"that would be {'more than 100%' if share.value else 'less than 0%'}"
    )
    text = f"{positive:,} of {tested:,} are {positive / tested:.1%}; corrected for the judge's errors, {corrected}."
    code = "cut_off" if share.interval is not None else "does_not_fit"
    note = [] if share.note is None else [Sentence(code=code, text=share.note, warning=True)]
    return [Sentence(code="rate", text=text), *note]


def rate_sentences(
    data: RateData,
    value: float,
    interval: Interval,
    people: EstimatedShare,
    quality: Mapping[str, JudgeQuality],
    ratio: float,
    *,
    fixed: OneLook | None,
    following: NextJudgements | None,
    cells: ClassCells,
) -> list[Sentence]:
    """A list in words: the rate, what the judge added, what must not be overlooked."""
    if interval.method == "census":
        text = f"All {data.candidates:,} candidates are judged: {value:.1%} are true. The judge adds nothing."
        return [Sentence(code="rate", text=text)]
    text = (
        f"{value:.1%} of the {data.candidates:,} candidates are true ({_ends(interval)}), about "
        f"{value * data.candidates:,.0f}: {interval.low * data.candidates:,.0f} to "
        f"{interval.high * data.candidates:,.0f}."
    )
    sentences = [Sentence(code="rate", text=text)]
    sentences += _gain_sentences(data, people, ratio)
    sentences += [one for name, judge in quality.items() for one in _judge_sentences(name, judge, interval)]
    sentences += _cautions(data, cells)
    if fixed is not None:
        sentences.append(Sentence(code="anytime", text=_anytime_text(interval, fixed)))
    if following is not None:
        sentences.append(Sentence(code="next", text=_next_text(following)))
    return sentences


def _gain_sentences(data: RateData, people: EstimatedShare, ratio: float) -> list[Sentence]:
    alone = (
        f"People's {count_noun(data.judged, 'judgement')} alone {'gives' if data.judged == 1 else 'give'} "
        f"{people.value:.1%} ({_ends(people.interval)})"
    )
    if isnan(ratio):
        return [Sentence(code="people_only", text=f"{alone}.")]
    if ratio < 1 - LITTLE:
        return [Sentence(code="gain", text=f"{alone}; with the judge the interval is {1 - ratio:.0%} narrower.")]
    if ratio <= 1 + LITTLE:
        return [Sentence(code="no_gain", text=f"{alone}; the judge adds little to that.")]
    return [Sentence(code="wider", text=f"{alone}; the interval is {ratio - 1:.0%} wider here.")]


def _judge_sentences(name: str, judge: JudgeQuality, interval: Interval) -> list[Sentence]:
    """What the judge says by itself, and whether that lies outside of the interval."""
    rates = (
        f"it finds {judge.sensitivity:.0%} of the true ones and rejects {judge.specificity:.0%} of the false ones"
        if not (isnan(judge.sensitivity) or isnan(judge.specificity))
        else "too little was judged to tell its errors"
    )
    text = f"The judge {name} alone says {judge.naive.value:.1%}; {rates}."
    outside = not interval.low <= judge.naive.value <= interval.high
    if outside:
        text += f" Do not report {judge.naive.value:.1%}: it lies outside the interval."
    return [Sentence(code="naive_outside" if outside else "naive", text=text, warning=outside)]


def _cautions(data: RateData, cells: ClassCells) -> list[Sentence]:
    sentences = []
    open_ = (cells.judged == 0) & (cells.size > 0)
    if open_.any():
        n = int(cells.size[open_].sum())
        text = (
            f"People judged none of the {count_noun(n, 'candidate')} with one of the judge's verdicts, so nothing is "
            "known about them and the interval is wide; judge some of them."
        )
        sentences.append(Sentence(code="class_not_judged", text=text, warning=True))
    if data.design == "simple" and _is_uneven(cells):
        text = (
            "The judged candidates are not a simple random sample of the list: some of the judge's verdicts were "
            "checked more often than others. The rate allows for that; people alone and the judge's errors do not."
        )
        sentences.append(Sentence(code="uneven_classes", text=text, warning=True))
    if data.clusters is not None and data.clusters < FEW_DOCUMENTS:
        text = (
            f"The judged candidates come from only {count_noun(data.clusters, 'document')}, too few for a good "
            "interval."
        )
        sentences.append(Sentence(code="few_documents", text=text, warning=True))
    return sentences


def _is_uneven(cells: ClassCells) -> bool:
    """Whether the classes were judged at rates that a simple sample would hardly give."""
    there = cells.size[0] > 0
    size, judged = cells.size[0][there], cells.judged[0][there]
    rate = judged.sum() / size.sum()
    if len(size) < 2 or not 0 < rate < 1:
        return False
    expected = size * rate
    return float(chdtrc(len(size) - 1, ((judged - expected) ** 2 / (expected * (1 - rate))).sum())) < HARDLY


def _anytime_text(interval: Interval, fixed: OneLook) -> str:
    return (
        f"Look as often as you like, and stop when you like: {interval.low:.1%} to {interval.high:.1%} holds at every "
        f"look, with {interval.level:.0%} confidence. If this is your only look, {fixed.low:.1%} to {fixed.high:.1%} "
        "does."
    )


def _next_text(plan: NextJudgements) -> str:
    if not plan.more:
        return f"An interval of width {plan.width:g} needs no further judgements."
    parts = ", ".join(f"{n:,.0f} where {name}" for name, n in plan.shares.items() if n)
    if plan.items is not None:
        return (
            f"With these {count_noun(plan.more, 'candidate')} judged next, drawn at random ({parts}), the interval "
            f"will be about {plan.width:.3f} wide; add the judgements to the others."
        )
    return (
        f"For an interval of width {plan.width:g}, have about {count_noun(plan.more, 'more candidate')} judged, "
        f"drawn at random: {parts}."
    )


def _ends(interval: Interval) -> str:
    return f"{interval.level:.0%} interval {interval.low:.1%} to {interval.high:.1%}"
