"""Evaluations of a sample of difference sets: two measures at one list size, and nothing else."""

from collections.abc import Sequence

from concurrence.core.errors import InvalidInputError
from concurrence.core.samples import Sample
from concurrence.core.sentences import Sentence, join_words
from concurrence.evaluation.options import EvaluateOptions
from concurrence.evaluation.results import BestMeasure, Evaluation, MeasureComparison
from concurrence.evaluation.sentences import percentage_points
from concurrence.kernels.strata import SampledList


def pair_of(
    sample: Sample, measures: Sequence[str], options: EvaluateOptions, *, others: Sequence[str]
) -> tuple[str, ...]:
    """The two measures that a sample of difference sets compares; any other request is refused."""
    (n,), pair = sample.best, sample.measures
    drawn = f"The sample was drawn to compare {join_words(pair)} at n = {n:,}"
    strange = [name for name in (*measures, *others) if name not in pair]
    if strange:
        raise InvalidInputError(f"{drawn}, so it says nothing about {join_words(strange)}; leave that out.")
    if options.n is not None and set(options.n) != {n}:
        sizes = join_words([f"{size:,}" for size in sorted(set(options.n) - {n})])
        raise InvalidInputError(f"{drawn}, so it says nothing about n = {sizes}; leave the list sizes out.")
    options_set = {
        "list sizes above a precision": options.above,
        "thresholds": options.thresholds,
        "a proxy": options.proxy,
        "coder uncertainty": options.coder_uncertainty,
    }
    unfit = [name for name, setting in options_set.items() if setting]
    if unfit:
        raise InvalidInputError(f"{drawn}, and gives no precision of a list; leave out {join_words(unfit)}.")
    return tuple(measures) if set(measures) == set(pair) else pair


def better_of(pair: MeasureComparison) -> tuple[BestMeasure, ...]:
    """The measure with the higher precision, though neither precision is known."""
    better = pair.better[0]
    if better is None:
        return ()
    other = pair.b if better == pair.a else pair.a
    return (BestMeasure(n=int(pair.n[0]), measure=better, not_significantly_worse=() if pair.regions else (other,)),)


def _order(evaluation: Evaluation) -> str:
    """Sets of candidates follow one order of equal scores, even where it decides what is in a list."""
    cut = any(curve.ties for curve in evaluation.measures.values())
    return ", with equal scores in the order that the sample's seed gave them" * cut


def pair_sentences(evaluation: Evaluation, design: SampledList) -> list[Sentence]:
    """By how much one list is better, and whether that is a fact about this list."""
    (pair,) = evaluation.comparisons
    if pair.difference is None:
        return []
    value, low, high = (float(part[0]) for part in (pair.difference.value, pair.difference.low, pair.difference.high))
    n = f"n = {int(pair.n[0]):,}"
    if design.judged_in_full:
        text = (
            f"Both difference sets are judged in full: at {n}, the precision of {pair.a} minus that of {pair.b} is "
            f"exactly {percentage_points(value)} in this list{_order(evaluation)}. The test asks whether the "
            "difference would hold for "
            "another list like it."
        )
        return [Sentence(code="difference_in_full", text=text)]
    if value != value:
        text = f"One of the difference sets has no judgement yet, so nothing is known of the difference at {n}."
        return [Sentence(code="difference_unknown", text=text, warning=True)]
    limits = f"{evaluation.method.level:.0%} interval {100 * low:.1f} to {100 * high:.1f}"
    text = f"At {n}, the precision of {pair.a} minus that of {pair.b} is {percentage_points(value)} ({limits})."
    return [Sentence(code="difference", text=text)]
