"""What a reader must know before quoting a coefficient of many coders or of labels with different inventories."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.labels.coefficients.many_pairs import many_pairs
from concurrence.agreement.labels.coefficients.parts import pairwise_kappas, sharing_pairs, values
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.options import AgreeOptions, Convention
from concurrence.core import Labels
from concurrence.core.arrays import Reals
from concurrence.core.errors import option_or_keyword
from concurrence.core.numerals import parse_numbers
from concurrence.core.sentences import Sentence, count_noun
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.runs import distinct

FEW_SHARED = 10
MANY_UNDEFINED = 0.2
DIFFERENT = 0.01
ENOUGH_ITEMS = 10
ENOUGH_SETS = 3
MANY_NUMBERS = 200
"""More different numbers than this are measurements rather than names of categories."""
MOST_STEPS = 11
OTHER: dict[str, Convention] = {"items": "pairs", "pairs": "items"}


def label_cautions(
    labels: Labels, study: LabelStudy, main: CoefficientRow, options: AgreeOptions
) -> tuple[Sentence, ...]:
    """The warnings about scales, sparse pairs of coders, conventions that differ, and groups that were pooled."""
    sentences = [*_numbers(labels, options), *_conventions(study, main), *_inventories(labels, study)]
    with_pairwise = options.coefficients is None or "mean_pairwise_kappa" in options.coefficients
    if options.pairs and with_pairwise and not labels.anonymous and labels.n_coders > 2:
        sentences += sparse_pairs(study)
    return tuple(sentences)


def _numbers(labels: Labels, options: AgreeOptions) -> Iterable[Sentence]:
    """Whether measurements are compared as if they were names."""
    size = len(labels.categories)
    if options.scale != "nominal" or options.weights is not None or size <= MANY_NUMBERS:
        return
    if parse_numbers(labels.categories) is not None:
        interval = option_or_keyword("--scale interval", 'scale="interval"')
        text = (
            f"The labels are {size:,} different numbers, and on a nominal scale two of them either agree or do not, "
            f"however close they are. Did you mean {interval}?"
        )
        yield Sentence(code="many_numbers", text=text, warning=True)


def steps_hint(labels: Labels, options: AgreeOptions) -> tuple[Sentence, ...]:
    """A hint if the labels may be the steps of a scale: whole numbers in a row, from 0 or 1, compared as names."""
    numbers = parse_numbers(labels.categories) if 3 <= len(labels.categories) <= MOST_STEPS else None
    if options.scale != "nominal" or options.weights is not None or labels.set_separator or numbers is None:
        return ()
    if numbers[0] not in (0, 1) or (np.diff(numbers) != 1).any():
        return ()
    first, last = labels.categories[0], labels.categories[-1]
    ordinal = option_or_keyword("--scale ordinal", 'scale="ordinal"')
    text = (
        f"The numbers {first} to {last} were compared as names. If they are steps of a scale, use {ordinal}; "
        f"{option_or_keyword('concur ratings', 'concurrence.ratings')} compares them as numbers."
    )
    return (Sentence(code="numbers_as_names", text=text),)


def shared_items(study: LabelStudy) -> Reals:
    """How many items every two coders share who share any."""
    if study.many_coders:
        return np.asarray(many_pairs(study, study.weights).items)
    together = [(study.codes[:, [a, b]] >= 0).all(axis=1) for a, b in sharing_pairs(study)]
    return np.array([study.weights[both].sum() for both in together])


def pairs_hold(study: LabelStudy) -> bool:
    """Whether pairs of coders share enough items for the interval of mean pairwise kappa.

    The kappa of a pair is off by some part of 1 over its items. Over many pairs errors cancel, and this does not; it is
    small beside the error of the mean where pairs share three times the root of all items.
    """
    shared = shared_items(study)
    return bool(len(shared)) and float(np.median(shared)) >= 3 * study.n_pairable**0.5


def sparse_pairs(study: LabelStudy) -> Iterable[Sentence]:
    """Whether mean pairwise kappa rests on coders who share few items."""
    shared = shared_items(study)
    if not len(shared):
        return
    undefined = len(shared) - int(np.isfinite(pairwise_kappas(study, study.weights)).sum())
    median = float(np.median(shared))
    if median < FEW_SHARED or undefined > MANY_UNDEFINED * len(shared):
        without = f"; {undefined:,} of them have no kappa at all" if undefined else ""
        text = (
            f"Do not rely on mean pairwise kappa: the {count_noun(len(shared), 'pair')} of coders who share items have "
            f"a median of {median:g} in common{without}. Report Fleiss's kappa or Krippendorff's alpha."
        )
        yield Sentence(code="sparse_pairs", text=text, warning=True)


def _conventions(study: LabelStudy, main: CoefficientRow) -> Iterable[Sentence]:
    """Whether it matters what weighs equally, items or pairs of labels."""
    sizes = study.sizes[study.pairable]
    if main.pairs != "item" or not len(sizes) or sizes.min() == sizes.max():
        return
    other = study.under(OTHER[study.convention])
    by_convention = {one.convention: float(values(main, one, one.weights)) for one in (study, other)}
    if abs(by_convention["items"] - by_convention["pairs"]) > DIFFERENT:
        text = (
            f"The convention matters: {main.title} is {by_convention['items']:.3f} if items weigh equally, "
            f"{by_convention['pairs']:.3f} if pairs of labels do. Shown: {study.convention}."
        )
        yield Sentence(code="conventions_differ", text=text, warning=True)


def _inventories(labels: Labels, study: LabelStudy) -> Iterable[Sentence]:
    """Whether the categories fall into sets that never meet on an item, as the senses of different words do."""
    size = len(labels.categories)
    if labels.categories_declared or size < 2 * ENOUGH_SETS:
        return
    rows, _, given = study.cells
    together = np.flatnonzero(rows[1:] == rows[:-1])
    inventories, member = np.unique(_lowest_tied(given[together], given[together + 1], size), return_inverse=True)
    labelled, begins = np.unique(rows, return_index=True)
    sets = len(inventories)
    items = np.bincount(member[given[begins]], study.weights[labelled], minlength=sets)
    several = np.flatnonzero((np.bincount(member, minlength=sets) >= 2) & (items >= ENOUGH_ITEMS))
    if len(several) < ENOUGH_SETS:
        return
    names = [", ".join(repr(labels.categories[k]) for k in np.flatnonzero(member == one)[:2]) for one in several[:2]]
    text = (
        f"The categories form {len(several):,} sets that never meet on an item (such as {names[0]} and {names[1]}). "
        f"If each group of items has its own categories, as words have senses, use {option_or_keyword('--by', 'by=')}."
    )
    yield Sentence(code="pooled_groups", text=text, warning=True)


def _lowest_tied(one: NDArray[np.int32], other: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """For each number below ``size`` the lowest that it is tied to, itself or through others, by ties of two."""
    one, other = np.divmod(distinct(one.astype(np.int64) * size + other, size**2), size)
    lowest, before = np.arange(size), np.full(size, -1)
    while (lowest != before).any():
        before = lowest
        least = np.minimum(lowest[one], lowest[other])
        lowest = lowest.copy()
        np.minimum.at(lowest, one, least)
        np.minimum.at(lowest, other, least)
        lowest = lowest[lowest]
    return lowest
