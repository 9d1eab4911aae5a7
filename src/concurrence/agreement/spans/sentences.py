"""Sentences about agreement on spans."""

from collections.abc import Iterator

from concurrence.agreement.spans.assess import ENOUGH_DIFFERENCES, ENOUGH_DOCUMENTS, few_documents, is_certain
from concurrence.agreement.spans.results import Disagreement, PositionDifferences, SpanCoefficient, SpanData
from concurrence.core.results import CERTAIN
from concurrence.core.sentences import Sentence, count_noun


def span_cautions(
    data: SpanData, given: tuple[Sentence, ...], leading: SpanCoefficient, resampled: bool
) -> tuple[Sentence, ...]:
    """Warnings about the documents and the interval."""
    warnings = list(given)
    if data.dropped:
        left = count_noun(data.dropped, "document")
        verb = "was" if data.dropped == 1 else "were"
        text = f"{left} with fewer than two coders {verb} left out."
        warnings.append(Sentence(code="documents_dropped", text=text, warning=True))
    if data.documents == 1:
        text = "There is only one document. Intervals resample documents, so there are none."
        warnings.append(Sentence(code="one_document", text=text, warning=True))
    elif resampled and data.documents < ENOUGH_DOCUMENTS:
        warnings.append(Sentence(code="interval_untrusted", text=few_documents(data.documents), warning=True))
    if is_certain(leading):
        warnings.append(Sentence(code="interval_untrusted", text=f"{leading.title}: {CERTAIN}", warning=True))
    return tuple(warnings)


def span_sentences(
    data: SpanData,
    leading: SpanCoefficient,
    differences: PositionDifferences,
    places: tuple[Disagreement, ...],
) -> tuple[Sentence, ...]:
    """How well the coders agree, and whether they differ in where they mark or in their labels."""
    return (_agreement(leading), *_differences(data, differences, places))


def _agreement(leading: SpanCoefficient) -> Sentence:
    if not leading.defined:
        return Sentence(code="undefined", text=leading.note or f"{leading.title} is undefined.")
    low, high = leading.interval
    bounds = f" ({leading.level:.0%} CI {low:.3f} to {high:.3f})" if low < high else ""
    return Sentence(code="agreement", text=f"{leading.title} is {leading.value:.3f}{bounds}.")


def _differences(
    data: SpanData, differences: PositionDifferences, places: tuple[Disagreement, ...]
) -> Iterator[Sentence]:
    if not data.spans:
        return
    if not places:
        yield Sentence(code="no_difference", text="All coders marked the same spans with the same labels.")
        return
    if not differences.where + differences.what:
        text = (
            "The coders mark the same positions with the same labels; they differ only in how they divide them into "
            "spans."
        )
        yield Sentence(code="divided", text=text)
        return
    if len(data.labels) == 1:
        text = "There is only one label, so coders can differ only in where they mark."
        yield Sentence(code="one_label", text=text)
        return
    yield Sentence(code="differences", text=_shares(differences))
    if differences.documents >= ENOUGH_DIFFERENCES:
        yield from _verdict(differences)
    elif data.documents >= ENOUGH_DOCUMENTS:
        text = (
            f"This rests on the {count_noun(differences.documents, 'document')} in which coders differ, of "
            f"{data.documents:,}: too few to say what they would differ about elsewhere."
        )
        yield Sentence(code="few_differences", text=text)


def _shares(differences: PositionDifferences) -> str:
    """What part of the differing positions is about where, and what part about labels."""
    where, what = f"{1 - differences.share:.0%}", f"{differences.share:.0%}"
    if differences.overlapping:
        return (
            f"At {where} of the positions that two coders treat differently, one of them gives a label that the other "
            f"leaves out; at {what}, each gives a label that the other does not."
        )
    if not differences.what:
        return "All positions that two coders treat differently are marked by only one of them."
    if not differences.where:
        return "All positions that two coders treat differently are marked by both, with different labels."
    return (
        f"Of the positions that two coders treat differently, {where} are marked by only one of them, and {what} have "
        "different labels."
    )


def _verdict(differences: PositionDifferences) -> Iterator[Sentence]:
    """Which is more frequent, said only if the interval excludes one half or all documents are of one kind."""
    if not differences.where or not differences.what:
        where, what = "where spans are", "their labels"
        one, other = (where, what) if differences.where else (what, where)
        text = (
            f"In all {differences.documents:,} documents in which coders differ, the disagreement is about {one}, not "
            f"about {other}."
        )
        yield Sentence(code="where" if differences.where else "what", text=text)
        return
    low, high = differences.interval
    level = f"{differences.interval.level:.0%} CI"
    if high < 0.5:
        text = (
            "Most of the disagreement is about where spans are, not about their labels "
            f"({level} of that share: {1 - high:.0%} to {1 - low:.0%})."
        )
        yield Sentence(code="where", text=text)
    elif low > 0.5:
        text = (
            "Most of the disagreement is about labels, not about where spans are "
            f"({level} of that share: {low:.0%} to {high:.0%})."
        )
        yield Sentence(code="what", text=text)
