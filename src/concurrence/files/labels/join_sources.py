"""Several sources as one: the coders of all, on items matched by their names."""

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from concurrence.core.coder_kinds import HUMAN
from concurrence.core.errors import InvalidInputError
from concurrence.core.sentences import join_words
from concurrence.files.labels.codes import Encoded, Marks, columns_option


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSource:
    """The marks of one source; ``log`` tells that a program wrote it, ``stem`` is the name of its file."""

    marks: Marks
    log: bool
    stem: str


def join_sources(parts: Sequence[LabelSource]) -> Marks:
    """The marks of all sources, one after the other.

    A coder that several logs name alike, such as the same scorer in two runs, is told apart by the name of the file.
    """
    if not parts:
        raise InvalidInputError("There is no file to read.")
    all_marks = [part.marks for part in parts]
    _refuse_unrelated(all_marks)
    items = {name: number for number, name in enumerate(dict.fromkeys(n for m in all_marks for n in m.items.tolist()))}
    coder_names = _distinct_coder_names(parts)
    coders = {name: number for number, name in enumerate(dict.fromkeys(n for names in coder_names for n in names))}
    labels = {name: n for n, name in enumerate(dict.fromkeys(t for m in all_marks for t in m.label.names))}
    starts = [0, *accumulate(len(m.item) for m in all_marks)]

    def place(row: int) -> str:
        part = bisect(starts, row) - 1
        return all_marks[part].place(row - starts[part])

    return Marks(
        item=np.concatenate([np.array([items[n] for n in m.items.tolist()])[m.item] for m in all_marks]),
        coder=np.concatenate(
            [np.array([coders[n] for n in names])[m.coder] for m, names in zip(all_marks, coder_names, strict=True)]
        ),
        label=Encoded(
            codes=np.concatenate(
                [np.array([*(labels[t] for t in m.label.names), -1])[m.label.codes] for m in all_marks]
            ),
            names=list(labels),
        ),
        items=np.array(list(items), dtype=object),
        coders=list(coders),
        place=place,
        source=join_words(list(dict.fromkeys(m.source for m in all_marks))),
        groups=_join_groups(all_marks, items),
        kinds=_join_kinds(all_marks, coder_names),
        warnings=tuple(dict.fromkeys(one for m in all_marks for one in m.warnings)),
    )


def _distinct_coder_names(parts: Sequence[LabelSource]) -> list[list[str]]:
    """What the coders of each source are called."""
    often = Counter(name for part in parts if part.log for name in part.marks.coders)
    return [
        [f"{part.stem}: {name}" if part.log and often[name] > 1 else name for name in part.marks.coders]
        for part in parts
    ]


def _join_kinds(all_marks: Sequence[Marks], coder_names: Sequence[Sequence[str]]) -> dict[str, str]:
    """What is known of the coders under their names in the joined marks; a machine in any source is one."""
    kinds: dict[str, str] = {}
    for marks, names in zip(all_marks, coder_names, strict=True):
        for old, new in zip(marks.coders, names, strict=True):
            if old in marks.kinds and kinds.get(new, HUMAN) == HUMAN:
                kinds[new] = marks.kinds[old]
    return kinds


def _join_groups(
    all_marks: Sequence[Marks], items: dict[str, int]
) -> "np.ndarray[tuple[int], np.dtype[np.object_]] | None":
    """The group of each item, from whichever source names it."""
    grouped = [m for m in all_marks if m.groups is not None]
    if not grouped:
        return None
    groups = np.full(len(items), None, dtype=object)
    for marks in grouped:
        for name, group in zip(marks.items.tolist(), (marks.groups if marks.groups is not None else ()), strict=True):
            if groups[items[name]] not in (None, group):
                raise InvalidInputError(
                    f"{marks.source}: the item {name!r} is in the groups {groups[items[name]]!r} and {group!r}; files "
                    "can be read together only if each item is in one group."
                )
            groups[items[name]] = group
    ungrouped = next((name for name, number in items.items() if groups[number] is None), None)
    if ungrouped is not None:
        raise InvalidInputError(f"No file names the group of the item {ungrouped!r}.")
    return groups


def _refuse_unrelated(all_marks: Sequence[Marks]) -> None:
    """Refuse a source that shares no item with any other."""
    names = [set(m.items.tolist()) for m in all_marks]
    for number, (marks, own_names) in enumerate(zip(all_marks, names, strict=True)):
        other_names = [other for place, other in enumerate(names) if place != number]
        if other_names and not any(own_names & other for other in other_names):
            own_items = ", ".join(map(repr, marks.items[:3].tolist()))
            other = all_marks[0 if number else 1]
            other_items = ", ".join(map(repr, other.items[:3].tolist()))
            raise InvalidInputError(
                f"{marks.source} has no item in common with the other files: its items are {own_items}, those of "
                f"{other.source} {other_items}. If another field has the item, name it with {columns_option('item')}."
            )
