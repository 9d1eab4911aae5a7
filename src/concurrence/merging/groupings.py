"""Groupings of categories as values: names, comparison with a reference, relabelling."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np

from concurrence.core.arrays import Integers
from concurrence.core.labels import Labels
from concurrence.core.values import value

Classes = tuple[tuple[str, ...], ...]

MARKS = ("+", "/", "|", " + ")


@value
class GroupingComparison:
    """Two groupings of the same categories: how alike, and which pairs only one of them puts together."""

    adjusted_rand_index: float
    only_here: tuple[tuple[str, str], ...]
    only_reference: tuple[tuple[str, str], ...]


def classes_from(names: Sequence[str], classes: Integers) -> Classes:
    """The members of each class.

    >>> classes_from(["a", "b", "c"], np.array([0, 1, 0]))
    (('a', 'c'), ('b',))
    """
    return tuple(
        tuple(name for name, own in zip(names, classes, strict=True) if own == k)
        for k in range(int(classes.max(initial=-1)) + 1)
    )


def class_numbers(names: Sequence[str], given: Mapping[str, str]) -> Integers:
    """The class of each category by a person's grouping; a category it does not name stands alone."""
    keys = [("class", given[name]) if name in given else ("alone", name) for name in names]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], dtype=np.int64)


def class_names(classes: Classes) -> tuple[str, ...]:
    """A name for each class: its members, joined by a mark that makes no name twice.

    >>> class_names((("1", "2"), ("3",)))
    ('1+2', '3')
    """
    for mark in MARKS:
        names = tuple(mark.join(members) for members in classes)
        if len(set(names)) == len(names):
            return names
    return tuple(f"class {number}" for number in range(1, len(classes) + 1))


def names_by_person(classes: Classes, given: Mapping[str, str]) -> tuple[str, ...]:
    """The names that a person gave the classes; a category that was not named keeps its own.

    >>> names_by_person((("cat", "lion"), ("dog",)), {"cat": "feline", "lion": "feline"})
    ('feline', 'dog')
    """
    names = tuple(given.get(members[0], members[0]) for members in classes)
    return names if len(set(names)) == len(names) else class_names(classes)


def compare_groupings(names: Sequence[str], classes: Integers, reference: Integers) -> GroupingComparison:
    """How well a grouping agrees with a reference."""
    ours, theirs = (_pairs_in_classes(names, one) for one in (classes, reference))
    return GroupingComparison(
        adjusted_rand_index=adjusted_rand_index(classes, reference),
        only_here=tuple(sorted(ours - theirs)),
        only_reference=tuple(sorted(theirs - ours)),
    )


def adjusted_rand_index(a: Integers, b: Integers) -> float:
    """The share of pairs two groupings treat alike, beyond chance; 1 where both are the same.

    References: Hubert & Arabie (1985).

    >>> round(adjusted_rand_index(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2])), 4)
    0.5714
    """
    cells = np.bincount(a * (int(b.max(initial=0)) + 1) + b)
    both = sum(comb(int(n), 2) for n in cells)
    in_a, in_b = (sum(comb(int(n), 2) for n in np.bincount(one)) for one in (a, b))
    pairs = comb(len(a), 2)
    chance = in_a * in_b / pairs if pairs else 0.0
    open_to_skill = (in_a + in_b) / 2 - chance
    return 1.0 if open_to_skill == 0 else (both - chance) / open_to_skill


def relabelled_records(labels: Labels, names: Mapping[str, Mapping[str, str]]) -> list[dict[str, str]]:
    """Every label as a row ``item, coder, label, group``, categories replaced by the names of their classes."""
    groups = labels.groups if labels.groups is not None else np.full(labels.n_items, "all", dtype=object)
    rows = []
    for item, coder in zip(*np.nonzero(labels.codes >= 0), strict=True):
        group, category = str(groups[item]), labels.categories[labels.codes[item, coder]]
        label = names.get(group, {}).get(category, category)
        rows.append({"item": str(labels.items[item]), "coder": labels.coders[coder], "label": label, "group": group})
    return rows


def _pairs_in_classes(names: Sequence[str], classes: Integers) -> set[tuple[str, str]]:
    return {(names[i], names[j]) for i, j in combinations(range(len(names)), 2) if classes[i] == classes[j]}
