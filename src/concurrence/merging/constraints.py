"""What may be merged: hierarchies, categories that stay apart, categories that belong together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.arrays import Integers
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import frame_of, require_columns
from concurrence.merging.options import Constraints
from concurrence.merging.search import NOWHERE, MergeScope, renumber, unrestricted_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ByGroup:
    """A text for each category, such as its parent, class or gloss: the same in all groups, or for each group."""

    name: str
    texts: dict[str | None, dict[str, str]]

    @classmethod
    def from_frame(cls, frame: Any, *, name: str, key: str, value: str) -> "ByGroup":
        """From a table with the columns ``key`` and ``value`` and, where groups differ, ``group``."""
        table = frame_of(frame)
        require_columns(table, (key, value), name)
        groups = table["group"].cast(pl.String) if "group" in table.columns else [None] * len(table)
        texts: dict[str | None, dict[str, str]] = {}
        rows = zip(groups, table[key].cast(pl.String), table[value].cast(pl.String), strict=True)
        for row, (group, category, text) in enumerate(rows, start=1):
            if category is None or text is None:
                raise InvalidInputError(f"{name}, row {row}: the {key if category is None else value} is missing.")
            entry = texts.setdefault(group, {}).setdefault(category, text)
            if entry != text:
                raise InvalidInputError(f"{name}, row {row}: {category!r} has two entries, {entry!r} and {text!r}.")
        return cls(name=name, texts=texts)

    def of(self, group: str) -> dict[str, str]:
        return {**self.texts.get(None, {}), **self.texts.get(group, {})}

    def knows(self, group: str) -> bool:
        return group in self.texts or None in self.texts


def starting_classes(names: Sequence[str], together: Iterable[Sequence[str]]) -> Integers:
    """The class of each category before the first merge."""
    classes = np.arange(len(names), dtype=np.int64)
    for group in together:
        members = [names.index(name) for name in group if name in names]
        for other in members[1:]:
            classes[classes == classes[other]] = classes[members[0]]
    return renumber(classes)


def merge_scope(names: Sequence[str], constraints: Constraints, group: str) -> MergeScope:
    """Where the categories of a group stand: in one place, or each below its parent."""
    tree = constraints.tree
    scope = unrestricted_scope(len(names)) if tree is None else _subtrees(names, tree.of(group), tree.name, group)
    scope.place[[name in constraints.keep for name in names]] = NOWHERE
    _check_together(names, constraints, scope)
    return scope


def _subtrees(names: Sequence[str], parents: Mapping[str, str], name: str, group: str) -> MergeScope:
    """A place for each node above a used category; a category that has others below it stands in its own place."""
    ways = [_way_up(category, parents, name, group) for category in names]
    above = {node for way in ways for node in way[1:]}
    numbers: dict[str, int] = {}
    leaves, parent = [-1], [NOWHERE]
    places = []
    for way in ways:
        seats = way if way[0] in above else way[1:]
        for node in seats:
            if node not in numbers:
                numbers[node] = len(leaves)
                leaves.append(0)
                parent.append(NOWHERE)
            leaves[numbers[node]] += 1
        for below, node in pairwise(seats):
            parent[numbers[below]] = numbers[node]
        places.append(numbers[seats[0]])
    return MergeScope(place=np.array(places, dtype=np.int64), leaves=np.array(leaves), parent=np.array(parent))


def _way_up(category: str, parents: Mapping[str, str], name: str, group: str) -> list[str]:
    if category not in parents and category not in parents.values():
        raise InvalidInputError(f"{name} does not say where the category {category!r} (group {group!r}) belongs.")
    way = [category]
    while way[-1] in parents:
        way.append(parents[way[-1]])
    return way


def _check_together(names: Sequence[str], constraints: Constraints, scope: MergeScope) -> None:
    for group in constraints.together:
        members = [names.index(name) for name in group if name in names]
        if len({int(scope.place[k]) for k in members}) > 1:
            raise InvalidInputError(
                f"The categories {', '.join(group)} cannot be merged: they are in different places in the hierarchy."
            )
