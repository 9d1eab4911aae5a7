"""Merge categories, greedily, until coders agree on what is left; then test whether that is more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from zlib import crc32

import numpy as np

from concurrence.core.arrays import Integers, Numbers
from concurrence.core.labels import Labels
from concurrence.core.sentences import Sentence
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.merging.constraints import merge_scope, starting_classes
from concurrence.merging.groupings import class_numbers, classes_from, compare_groupings, names_by_person
from concurrence.merging.heldout import heldout_curve, heldout_value
from concurrence.merging.options import MergeOptions
from concurrence.merging.results import GroupingScore, MergedGroup, MergeStep, Merging, merging_of, with_sentences
from concurrence.merging.search import Paths, SearchSetup, Stop, classes_after
from concurrence.merging.tables import Tables, coefficient_named, tables_of
from concurrence.merging.units import MergingItems, group_rows, merging_items

NEARLY_EVERYTHING = 0.9
FEWEST_HELD_OUT = 4
DOUBTFUL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Group:
    """One group, ready to be merged."""

    key: str
    names: list[str]
    outside: tuple[str, ...]
    units: MergingItems
    tables: Tables
    coefficient: CoefficientRow

    def score(self, classes: Integers) -> GroupingScore:
        agreed, items = self.units.agreed(classes), self.units.paired
        value = float(self.tables.merged(classes).value()[0]) if len(self.names) else nan
        return GroupingScore(
            categories=int(classes.max(initial=-1)) + 1,
            items=items,
            agreed=int(agreed) if agreed == int(agreed) else agreed,
            percent_agreement=agreed / items if items else nan,
            kappa=value if items else nan,
        )

    def members(self, classes: Integers) -> tuple[tuple[str, ...], ...]:
        return (*classes_from(self.names, classes), *((name,) for name in self.outside))


def merge_labels(labels: Labels, options: MergeOptions) -> Merging:
    """Find coarser categories that coders can agree on, group by group.

    The coefficient is Scott's pi (the paper's pooled kappa) if every group has two coders, and Fleiss's kappa
    otherwise. Merging joins the pair of classes that gives the highest value, until ``min_kappa`` is reached;
    ``faithful`` merges once before it tests, as the printed algorithm does, and ``stop="heldout"`` stops at the
    best cross-validated value instead.

    References: Ng, Lim & Foo (1999).

    >>> table = [[9, 9, 0], [9, 9, 0], [0, 1, 9]]
    >>> labels = Labels.from_table(table, categories=("a", "b", "c"))
    >>> merge_labels(labels, MergeOptions()).groups["all"].classes
    (('a', 'b'), ('c',))
    """
    groups = list(group_rows(labels))
    options.constraints.check(labels.categories)
    coefficient = coefficient_named(options.coefficient or _usual_coefficient(labels, groups))
    merged = {}
    for done, (key, rows) in enumerate(groups, start=1):
        merged[key] = _merge_group(labels, key, rows, coefficient, options)
        if options.progress is not None:
            options.progress(done, len(groups))
    merging = merging_of(merged, coefficient=coefficient.name, min_kappa=options.min_kappa, seed=options.seed)
    return replace(merging, warnings=(*labels.losses, *merging.warnings))


def _usual_coefficient(labels: Labels, groups: Sequence[tuple[str, Numbers]]) -> str:
    n_coders = max((int((labels.codes[rows] >= 0).any(axis=0).sum()) for _, rows in groups), default=0)
    return "scott_pi" if n_coders <= 2 and not labels.anonymous else "fleiss_kappa"


def _merge_group(
    labels: Labels, key: str, rows: Numbers, coefficient: CoefficientRow, options: MergeOptions
) -> MergedGroup:
    # singly labelled items tell the habits of Gwet's convention
    units = merging_items(labels, rows, at_least=1 if coefficient.pairs == "item" else 2)
    refusal = _refusal(labels, units, coefficient)
    group = _Group(
        key=key,
        names=[labels.categories[code] for code in units.categories],
        outside=tuple(labels.categories[code] for code in units.outside),
        units=units,
        tables=tables_of(units, coefficient if refusal is None else COEFFICIENTS["fleiss_kappa"]),
        coefficient=coefficient,
    )
    alone = np.arange(len(group.names), dtype=np.int64)
    if refusal is not None:
        before = replace(group.score(alone), kappa=nan)
        refused = MergedGroup(key=key, before=before, after=before, classes=group.members(alone))
        return with_sentences(refused, [refusal])
    merged = _apply_classes(group, options) if options.classes is not None else _search_classes(group, options)
    return _add_reference(group, merged, options)


def _refusal(labels: Labels, units: MergingItems, coefficient: CoefficientRow) -> Sentence | None:
    """Why a group has no coefficient, if it has none."""
    if labels.anonymous and coefficient.chance.habits == "coders":
        text = f"{coefficient.title} needs to know who gave each label, but these labels do not name their coders."
        return _caution("unknown_coders", text)
    if units.n_coders < 2:
        return _caution("one_coder", "Only one coder labelled this group, so there is no agreement to measure.")
    if coefficient.coders == "two" and units.n_coders != 2:
        text = (
            f"{coefficient.title} needs exactly two coders, but {units.n_coders} labelled this group; use "
            "Fleiss's kappa or Krippendorff's alpha."
        )
        return _caution("not_two_coders", text)
    if units.paired == 0:
        return _caution("no_paired_items", "No item of this group has two labels, so there is no agreement to measure.")
    if len(units.categories) < 2:
        return _caution("one_category", "Only one category was used, so agreement beyond chance is undefined.")
    return None


def _caution(code: str, text: str) -> Sentence:
    return Sentence(code=code, text=text, warning=True)


def _apply_classes(group: _Group, options: MergeOptions) -> MergedGroup:
    """Agreement under classes that somebody else chose."""
    given = options.classes.of(group.key) if options.classes is not None else {}
    classes = class_numbers(group.names, given)
    described = _describe(group, classes, steps=(), options=options)
    described = replace(described, names=names_by_person(described.classes, given))
    if options.classes is None or options.classes.knows(group.key):
        return described
    unknown = _caution("no_classes", f"{options.classes.name} has no classes for this group.")
    return with_sentences(replace(described, sentences=()), [unknown, *described.sentences])


def _search_classes(group: _Group, options: MergeOptions) -> MergedGroup:
    setup = SearchSetup(
        units=group.units,
        coefficient=group.coefficient,
        start=starting_classes(group.names, options.constraints.together),
        scope=merge_scope(group.names, options.constraints, group.key),
        stop=Stop(threshold=options.min_kappa, faithful=options.faithful),
        seed=crc32(group.key.encode("utf-8")) ^ options.seed,
    )
    if options.stop == "heldout":
        setup = replace(setup, stop=_heldout_stop(setup))
    path = setup.run(group.tables)
    classes = classes_after(setup.start, path.first[0], path.second[0])
    merged = _describe(group, classes, steps=_steps(group, setup.start, path), options=options)
    return _add_guards(group, merged, path, setup, options.shuffles) if options.guards and path.first[0] else merged


def _heldout_stop(setup: SearchSetup) -> Stop:
    if setup.units.paired < FEWEST_HELD_OUT:
        return Stop(most=0)
    curve = heldout_curve(setup)
    return Stop(most=0 if np.isnan(curve).all() else int(np.nanargmax(curve)))


def _add_guards(group: _Group, merged: MergedGroup, path: Paths, setup: SearchSetup, shuffles: int) -> MergedGroup:
    from concurrence.merging.shuffles import chance_p_value  # the compiler takes its time to load

    chance = chance_p_value(setup, observed=path, shuffles=shuffles)
    heldout = heldout_value(setup) if group.units.paired >= FEWEST_HELD_OUT else None
    reliable = merged.reached and not merged.collapsed and chance < DOUBTFUL
    doubts = [_doubt(group, chance)] if not merged.collapsed and chance >= DOUBTFUL else []
    return with_sentences(replace(merged, chance_p_value=chance, reliable=reliable, heldout=heldout), doubts)


def _doubt(group: _Group, chance: float) -> Sentence:
    pairs = group.tables.pairs[0]
    involved = (pairs.sum(axis=1) > np.diag(pairs)).sum()
    if involved <= 2:
        text = "All disagreements are between two categories, so shuffling them cannot tell structure from chance."
        return _caution("two_categories", text)
    return _caution(
        "by_chance",
        f"Shuffled disagreements merge just as well (p = {chance:.2f}): these classes may be due to chance.",
    )


def _steps(group: _Group, start: Integers, path: Paths) -> tuple[MergeStep, ...]:
    """The merges that the user required, then those of the search, each with the members of both sides."""
    steps = []
    now = np.arange(len(group.names), dtype=np.int64)
    given = [(int(np.argmax(start == start[k])), k) for k in range(len(start)) if np.argmax(start == start[k]) != k]
    chosen = list(zip(path.first[0], path.second[0], strict=True))
    for number, (a, b) in enumerate([*given, *chosen]):
        sides = tuple(
            tuple(name for name, own in zip(group.names, now, strict=True) if own == now[side]) for side in (a, b)
        )
        now = classes_after(now, [a], [b])
        is_given = number < len(given)
        value = float(group.tables.merged(now).value()[0]) if is_given else path.values[0][number - len(given)]
        steps.append(MergeStep(merged=(sides[0], sides[1]), kappa=value, given=is_given))
    return tuple(steps)


def _describe(group: _Group, classes: Integers, *, steps: tuple[MergeStep, ...], options: MergeOptions) -> MergedGroup:
    before, after = group.score(np.arange(len(group.names), dtype=np.int64)), group.score(classes)
    weights = np.bincount(classes[group.units.labels])
    share = float(weights.max() / weights.sum())
    collapsed = after.categories == 1 and before.categories > 1
    reached = not isnan(after.kappa) and after.kappa >= options.min_kappa - 1e-12
    more = []
    if collapsed:
        text = "All categories are in one class, so agreement beyond chance is undefined."
        more.append(_caution("collapsed", text))
    elif not reached and options.classes is None and options.stop != "heldout":
        more.append(_caution("not_reached", "The value asked for was not reached, and no further merge is allowed."))
    if share >= NEARLY_EVERYTHING and not collapsed:
        text = f"One class holds {share:.0%} of the labels, so there is little left to agree on."
        more.append(_caution("one_large_class", text))
    described = MergedGroup(
        key=group.key,
        before=before,
        after=after,
        classes=group.members(classes),
        steps=steps,
        collapsed=collapsed,
        reached=reached,
        largest_class_share=share,
    )
    return with_sentences(described, more)


def _add_reference(group: _Group, merged: MergedGroup, options: MergeOptions) -> MergedGroup:
    if options.reference is None:
        return merged
    mine: Mapping[str, str] = {name: str(k) for k, members in enumerate(merged.classes) for name in members}
    theirs = class_numbers(group.names, options.reference.of(group.key))
    return replace(
        merged,
        reference=compare_groupings(group.names, class_numbers(group.names, mine), theirs),
        under_reference=group.score(theirs),
    )
